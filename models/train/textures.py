"""Flat pictures of cards for the reader, from drawn decks and cut out of photographs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.photographs import rows_of
from models.train.samples import read_samples
from vision.read import RANKS, SUITS

Image = NDArray[np.uint8]
Random = np.random.Generator

#: Width and height: 2.5 px a millimetre, as fine as the finest camera.
TEXTURE_PX = (160, 224)
UNKNOWN = -1
#: A card smaller than this on its photograph is not worth cutting out.
LEAST_CARD_PX = 70


@dataclass(frozen=True, slots=True, eq=False)
class Textures:
    """Faces (N, 224, 160, 3) BGR with index of rank and suit (N, 2), and backs (M, 224, 160, 3)."""

    faces: Image
    labels: NDArray[np.int64]
    backs: Image

    def save(self, path: Path) -> None:
        """Writes them."""
        np.savez(path, faces=self.faces, labels=self.labels, backs=self.backs)

    @staticmethod
    def load(path: Path) -> Textures:
        """What is in a file."""
        with np.load(path) as stored:
            return Textures(stored["faces"], stored["labels"], stored["backs"])


@dataclass(frozen=True, slots=True, eq=False)
class Texture:
    """A card's flat picture (224, 160, 3) BGR; index of rank and suit, or -1."""

    image: Image
    rank: int
    suit: int


def photographed(labels: Path, data: Path, split: str) -> list[Texture]:
    """Cards cut out of the photographs of `split` whose outline is known (`labels`: a file of samples)."""
    ranks = {}
    for source in ("cards_edje", "cards_poker4"):
        for row in rows_of(data / source, split):
            things = [thing for thing in row["objects"] if thing["cls"] == "card_face"]
            ranks[data / source / "images" / row["image"]] = things
    out = []
    for sample in read_samples(labels):
        if sample.image not in ranks:
            continue
        image = cv2.imread(str(sample.image))
        for quad, hull, thing in zip(sample.quads, sample.hull, ranks[sample.image], strict=True):
            if hull or "rank" not in thing or min(_sides(quad)) < LEAST_CARD_PX:
                continue
            suit = SUITS.index(thing["suit"]) if "suit" in thing else UNKNOWN
            out.append(Texture(flatten(image, quad), RANKS.index(thing["rank"]), suit))
    return out


def flatten(image: Image, quad: NDArray[np.floating]) -> Image:
    """The card inside a quad, clockwise, as an upright flat picture (224, 160, 3)."""
    first, second = _sides(quad)
    corners = quad if first <= second else np.roll(quad, -1, axis=0)
    width, height = TEXTURE_PX
    target = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), target)
    return np.asarray(cv2.warpPerspective(image, matrix, TEXTURE_PX, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def _sides(quad: NDArray[np.floating]) -> tuple[float, float]:
    lengths = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return float(lengths[0] + lengths[2]) / 2, float(lengths[1] + lengths[3]) / 2


def reprinted(rng: Random, card: Image, other: Image, court: bool) -> Image:
    """The card with its print changed, so that neither its indices nor its middle can be relied on alone.

    The middle is moved closer together, taken away, or (of a court card) exchanged for `other`'s; or the indices are
    taken away; or all strokes are made thicker or thinner.
    """
    out, (width, height) = card.copy(), TEXTURE_PX
    x0, x1, y0, y1 = round(0.25 * width), round(0.75 * width), round(0.07 * height), round(0.93 * height)
    paper = np.median(card[4:12, x0:x1].reshape(-1, 3), axis=0)
    chance = rng.random()
    if court and chance < 0.35:
        out[y0:y1, x0:x1] = other[y0:y1, x0:x1]
    elif not court and chance < 0.25:
        middle = out[y0:y1, x0:x1].copy()
        out[y0:y1, x0:x1] = paper
        w, h = round((x1 - x0) * rng.uniform(0.6, 1.0)), round((y1 - y0) * rng.uniform(0.6, 1.0))
        small = cv2.resize(middle, (w, h), interpolation=cv2.INTER_AREA)
        x, y = (width - w) // 2, (height - h) // 2
        out[y : y + h, x : x + w] = small
    elif chance < 0.33:
        out[y0:y1, x0:x1] = paper
    elif not court and chance < 0.42:
        for part in (np.s_[: height // 3, :x0], np.s_[: height // 3, x1:], np.s_[-height // 3 :, :x0]):
            out[part] = paper
        out[-height // 3 :, x1:] = paper
    if rng.random() < 0.3:
        kernel = np.ones((2, 2), np.uint8)
        out = cv2.erode(out, kernel) if rng.random() < 0.6 else cv2.dilate(out, kernel)
    return np.asarray(out, np.uint8)
