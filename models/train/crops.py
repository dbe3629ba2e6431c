"""Crops for the reader as a camera over a table would give them, put together from flat cards."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.textures import TEXTURE_PX, UNKNOWN, Image, Random, Texture, reprinted
from vision.crops import MARGIN, crop_px
from vision.read import RANKS, SIDES

CARD_MM = (63.5, 88.9)
#: Side of the patch of table around the card.
PATCH_MM = 150.0
CORNER_MM = 3.2
FACE, BACK, NEITHER = (SIDES.index(name) for name in ("face", "back", "neither"))
FIRST_COURT = RANKS.index("J")
Float = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Crop:
    """An upright crop (128, 96, 3) BGR; its rank, suit, side and pair (0, 1) or -1 where unknown."""

    image: Image
    rank: int
    suit: int
    side: int
    pair: int


@dataclass(frozen=True, slots=True, eq=False)
class Pools:
    """What crops are made from: faces by kind with the share of each kind, backs, and pictures without cards.

    `face_share` of all crops show a face, a tenth no card, the rest backs.
    """

    faces: list[list[Texture]]
    shares: list[float]
    backs: list[Image]
    grounds: list[Image]
    face_share: float = 0.62


def make_crop(rng: Random, pools: Pools) -> Crop:
    """A crop by chance."""
    chance = rng.random()
    if chance < 0.10:
        return _nothing(rng, pools)
    scene = _Scene(rng, pools)
    face = chance < 0.10 + pools.face_share
    pair = rng.random() < (0.15 if face else 0.40)
    texture = _face(rng, pools) if face else Texture(_any(rng, pools.backs), UNKNOWN, UNKNOWN)
    lower = _face(rng, pools).image if face else (texture.image if rng.random() < 0.8 else _face(rng, pools).image)
    quad = scene.cards(texture.image, lower if pair else None)
    image = scene.photograph()
    crop = crop_px(image, _loose(rng, quad))
    if rng.random() < 0.3:
        crop = np.ascontiguousarray(crop[:, ::-1])
    return Crop(crop, texture.rank, texture.suit, FACE if face else BACK, int(pair))


def _nothing(rng: Random, pools: Pools) -> Crop:
    """A crop that shows no card: table, a hand, print, chips, something else."""
    scene = _Scene(rng, pools)
    if rng.random() < 0.4:
        scene.fingers(int(rng.integers(1, 5)), over=0.9)
    if rng.random() < 0.25:
        scene.chip()
    if rng.random() < 0.2:
        scene.box()
    quad = scene.quad(rng.uniform(-12, 12, 2), rng.uniform(0, 2 * np.pi), rng.uniform(0.6, 1.2))
    return Crop(crop_px(scene.photograph(), quad), UNKNOWN, UNKNOWN, NEITHER, UNKNOWN)


def _face(rng: Random, pools: Pools) -> Texture:
    kind = int(rng.choice(len(pools.faces), p=pools.shares))
    faces = pools.faces[kind]
    card, other = (faces[int(rng.integers(len(faces)))] for _ in range(2))
    return Texture(reprinted(rng, card.image, other.image, card.rank >= FIRST_COURT), card.rank, card.suit)


def _any(rng: Random, images: list[Image]) -> Image:
    return images[int(rng.integers(len(images)))]


def _loose(rng: Random, quad: Float) -> NDArray[np.float64]:
    """The quad as a detector would give it: moved, stretched, askew, with the crop's margin, either end up."""
    middle = quad.mean(axis=0)
    short = float(np.linalg.norm(quad[1] - quad[0]))
    scale = 1 + 2 * MARGIN + rng.normal(0, 0.035)
    out = middle + (quad - middle) * scale + rng.normal(0, 0.02, 2) * short + rng.normal(0, 0.018, (4, 2)) * short
    if rng.random() < 0.06:  # the hand or another card cut the box short
        index = int(rng.integers(4))
        share = rng.uniform(0.05, 0.25)
        other = (index + 3) % 4
        out[index] += share * (out[(index + 1) % 4] - out[index])
        out[other] += share * (out[(other - 1) % 4] - out[other])
    return np.asarray(np.roll(out, 2, axis=0) if rng.random() < 0.5 else out, np.float64)


class _Scene:
    """A patch of table at a camera's scale, `px_per_mm` chosen by chance."""

    def __init__(self, rng: Random, pools: Pools) -> None:
        self.rng = rng
        self.px_per_mm = 1 / float(np.exp(rng.uniform(np.log(0.4), np.log(1.6))))
        self.size = round(PATCH_MM * self.px_per_mm)
        self.image = self._ground(pools)
        self._skin = np.array([rng.uniform(60, 190), rng.uniform(80, 200), rng.uniform(110, 235)], np.float32)

    def _ground(self, pools: Pools) -> Float:
        """Felt with print and light on it, or a piece of a photograph."""
        rng, size = self.rng, self.size
        if pools.grounds and rng.random() < 0.4:
            picture = _any(rng, pools.grounds)
            part = int(min(picture.shape[:2]) * rng.uniform(0.3, 1.0))
            y, x = (int(rng.integers(0, side - part + 1)) for side in picture.shape[:2])
            piece = cv2.resize(picture[y : y + part, x : x + part], (size, size), interpolation=cv2.INTER_AREA)
            return piece.astype(np.float32)
        hsv = np.array([[[rng.uniform(0, 360), rng.uniform(0.1, 1), rng.uniform(0.1, 0.75)]]], np.float32)
        colour = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0] * 255
        rough = cv2.resize(rng.normal(0, 1, (max(4, size // 3),) * 2).astype(np.float32), (size, size))
        image = np.empty((size, size, 3), np.float32)
        image[:] = colour
        felt = np.clip(image + rough[..., None] * float(rng.uniform(0, 7)), 0, 255).astype(np.uint8)
        for _ in range(int(rng.integers(0, 4))):
            ends = [tuple(int(v) for v in rng.uniform(-0.2, 1.2, 2) * size) for _ in range(2)]
            shade = tuple(float(v) for v in rng.uniform(60, 255, 3))
            cv2.line(felt, ends[0], ends[1], shade, int(rng.integers(1, 5)), cv2.LINE_AA)
        if rng.random() < 0.3:
            at = tuple(int(v) for v in rng.uniform(0, 0.8, 2) * size)
            text = "".join(rng.choice(list("ABDEKPLRT0123456789"), int(rng.integers(1, 6))))
            cv2.putText(
                felt,
                text,
                at,
                int(rng.integers(0, 5)),
                size / 200 * rng.uniform(0.6, 3),
                tuple(float(v) for v in rng.uniform(60, 255, 3)),
                int(rng.integers(1, 4)),
                cv2.LINE_AA,
            )
        return felt.astype(np.float32)

    def quad(self, offset_mm: NDArray[np.float64], angle: float, scale: float = 1.0) -> Float:
        """A card's corners in pixels, clockwise from its own upper left."""
        half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(CARD_MM) / 2 * scale
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        points = half @ turn.T + offset_mm
        return np.asarray(points * self.px_per_mm + self.size / 2, np.float32)

    def cards(self, top: Image, lower: Image | None) -> Float:
        """Draws the card (on another, shifted, if there is one) among neighbours; returns the outline of it all."""
        rng = self.rng
        angle, offset = rng.uniform(0, 2 * np.pi), rng.uniform(-5, 5, 2)
        if rng.random() < 0.25:
            self._neighbour(top, angle, offset)
        quad = self.quad(offset, angle)
        quad = quad + rng.normal(0, 0.012, (4, 2)).astype(np.float32) * self.size * 0.5
        outline = quad
        if lower is not None:
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            shift = turn @ (
                rng.uniform(3.5, 22, 2) * rng.choice([-1, 1], 2) * [[1, 1], [1, 0.15], [0.15, 1]][rng.integers(3)]
            )
            twist = float(rng.normal(0, 0.05))
            below = self.quad(offset + shift, angle + twist)
            self._draw(lower, below)
            if rng.random() < 0.3:  # the detector may have boxed both
                outline = self._around(np.concatenate([quad, below]), angle)
        self._draw(top, quad)
        if rng.random() < 0.35:
            self.fingers(int(rng.integers(1, 4)), over=float(rng.uniform(0.05, 0.4)))
        return outline

    def _around(self, points: Float, angle: float) -> Float:
        """The smallest rectangle at `angle` around points, clockwise from its upper left."""
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        local = points @ turn
        low, high = local.min(axis=0), local.max(axis=0)
        box = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
        return np.asarray(box @ turn.T, np.float32)

    def _neighbour(self, picture: Image, angle: float, offset: NDArray[np.float64]) -> None:
        """Another card nearby, too far to be held as one with it."""
        rng = self.rng
        way = rng.uniform(0, 2 * np.pi)
        reach = rng.uniform(45, 85)
        at = offset + reach * np.array([np.cos(way), np.sin(way)])
        self._draw(picture, self.quad(at, angle + float(rng.choice([0, np.pi / 2, rng.uniform(0, 3)]))))

    def _draw(self, picture: Image, quad: Float) -> None:
        """Lays a flat card on the patch, with its shadow and round corners."""
        rng, width = self.rng, TEXTURE_PX[0]
        shrink = min(1.0, self.px_per_mm * CARD_MM[0] / width)
        small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        h, w = small.shape[:2]
        corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
        matrix = cv2.getPerspectiveTransform(corners, quad)
        mask = np.zeros((h, w), np.float32)
        radius = max(1, round(CORNER_MM * w / CARD_MM[0]))
        cv2.rectangle(mask, (radius, 0), (w - 1 - radius, h - 1), 1.0, -1)
        cv2.rectangle(mask, (0, radius), (w - 1, h - 1 - radius), 1.0, -1)
        for x in (radius, w - 1 - radius):
            for y in (radius, h - 1 - radius):
                cv2.circle(mask, (x, y), radius, 1.0, -1)
        size = (self.size, self.size)
        cover = cv2.warpPerspective(mask, matrix, size)
        shadow = cv2.GaussianBlur(cover, (0, 0), max(0.6, 2.0 * self.px_per_mm))
        move = rng.normal(0, 1.5, 2) * self.px_per_mm
        shadow = cv2.warpAffine(shadow, np.array([[1, 0, move[0]], [0, 1, move[1]]], np.float32), size)
        self.image *= 1 - float(rng.uniform(0, 0.5)) * shadow[..., None]
        card = cv2.warpPerspective(small, matrix, size, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        if rng.random() < 0.3:  # gloss
            card = self._gloss(card)
        self.image += (card - self.image) * cover[..., None]

    def _gloss(self, card: Float) -> Float:
        """A soft reflection across the card."""
        rng, size = self.rng, self.size
        axis = np.linspace(-1, 1, size, dtype=np.float32)
        x, y = np.meshgrid(axis, axis)
        way = rng.uniform(0, np.pi)
        band = np.exp(-(((x * np.cos(way) + y * np.sin(way) - rng.uniform(-0.5, 0.5)) / rng.uniform(0.1, 0.4)) ** 2))
        return np.asarray(card + (255 - card) * (band * rng.uniform(0.1, 0.6))[..., None], np.float32)

    def fingers(self, count: int, over: float) -> None:
        """Fingers that reach `over` (a share) into the card's area."""
        rng = self.rng
        way = rng.uniform(0, 2 * np.pi)
        inward = -np.array([np.cos(way), np.sin(way)])
        aside = np.array([-inward[1], inward[0]])
        radius = rng.uniform(7, 10.5) * self.px_per_mm
        tip_mm = (CARD_MM[1] / 2) * (1 - 2 * over)
        for index in range(count):
            beside = (index - count / 2) * rng.uniform(16, 22) + rng.uniform(-4, 4)
            tip = (-inward * (tip_mm + rng.uniform(-6, 6)) + aside * beside) * self.px_per_mm + self.size / 2
            root = tip - inward * 150 * self.px_per_mm
            shade = self._skin * float(rng.uniform(0.8, 1.05))
            dark = tuple(float(v) for v in shade * 0.72)
            ends = [tuple(int(v) for v in np.rint(p)) for p in (tip, root)]
            cv2.line(self.image, ends[0], ends[1], dark, max(2, round(2 * radius)), cv2.LINE_AA)
            cv2.line(
                self.image, ends[0], ends[1], tuple(float(v) for v in shade), max(1, round(1.6 * radius)), cv2.LINE_AA
            )
            nail = tuple(int(v) for v in np.rint(tip + inward * radius * 0.3))
            if rng.random() < 0.5:
                cv2.circle(
                    self.image, nail, max(1, round(0.5 * radius)), tuple(float(min(255, v * 1.15)) for v in shade), -1
                )

    def chip(self) -> None:
        """A chip near the middle."""
        rng = self.rng
        at = tuple(int(v) for v in self.size / 2 + rng.uniform(-15, 15, 2) * self.px_per_mm)
        radius = round(20 * self.px_per_mm)
        cv2.circle(self.image, at, radius, tuple(float(v) for v in rng.uniform(0, 255, 3)), -1, cv2.LINE_AA)
        for k in range(8):
            cv2.ellipse(
                self.image,
                at,
                (radius - 1, radius - 1),
                0,
                45 * k,
                45 * k + 20,
                tuple(float(v) for v in rng.uniform(150, 255, 3)),
                max(2, radius // 5),
                cv2.LINE_AA,
            )
        cv2.circle(self.image, at, radius // 2, tuple(float(v) for v in rng.uniform(0, 255, 3)), -1, cv2.LINE_AA)

    def box(self) -> None:
        """A plain rectangle with a rim: a bucket's bottom, a lid, a sheet of paper."""
        rng = self.rng
        quad = self.quad(rng.uniform(-10, 10, 2), rng.uniform(0, 3), rng.uniform(0.7, 1.4))
        points = [quad.round().astype(np.int32)]
        cv2.fillPoly(self.image, points, tuple(float(v) for v in rng.uniform(0, 255, 3)), cv2.LINE_AA)
        cv2.polylines(
            self.image, points, True, tuple(float(v) for v in rng.uniform(0, 255, 3)), int(rng.integers(1, 6))
        )

    def photograph(self) -> Image:
        """The patch as a camera gives it: light, blur, noise, compression."""
        rng, image = self.rng, self.image
        image = image * (rng.uniform(0.45, 1.25) * rng.uniform(0.85, 1.15, 3)).astype(np.float32)
        if rng.random() < 0.3:
            slope = np.linspace(rng.uniform(0.5, 1), rng.uniform(0.5, 1.1), self.size, dtype=np.float32)
            image = image * (slope[:, None, None] if rng.random() < 0.5 else slope[None, :, None])
        if rng.random() < 0.6:
            image = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.3, 1.1)))
        if rng.random() < 0.25:
            image = self._moved(image)
        if rng.random() < 0.2:
            image = image + rng.uniform(0.3, 1.2) * (image - cv2.GaussianBlur(image, (0, 0), 1.2))
        image = image + rng.normal(0, rng.uniform(0.5, 7), image.shape).astype(np.float32)
        out = np.clip(image, 0, 255).astype(np.uint8)
        if rng.random() < 0.6:
            _, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(20, 90))])
            out = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
        return out

    def _moved(self, image: Float) -> Float:
        """Blurred by a movement of up to 12 mm while the shutter is open."""
        rng = self.rng
        length = max(2, round(rng.uniform(1.5, 12) * self.px_per_mm))
        kernel = np.zeros((length, length), np.float32)
        way = rng.uniform(0, np.pi)
        reach = np.array([np.cos(way), np.sin(way)]) * length / 2
        middle = (length - 1) / 2
        ends = [tuple(int(v) for v in np.rint(middle + sign * reach)) for sign in (-1, 1)]
        cv2.line(kernel, ends[0], ends[1], 1.0)
        return np.asarray(cv2.filter2D(image, -1, kernel / max(kernel.sum(), 1e-6)), np.float32)
