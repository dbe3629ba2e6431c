"""Cards on the graphics side: one mesh of a card, instance rows from poses, and the layers of the print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_videos.studio import art
from sample_videos.studio.meshes import pose_matrix
from sample_videos.studio.scene import CARD_LENGTH_MM, CARD_THICKNESS_MM, CARD_WIDTH_MM, CardPose, DeckLook, Vec3

COVER_GLOSS = 0.8  # from 0.7 on the edges too have the colour of the face
CORNER_RADIUS_MM = 3.5
INSTANCE = np.dtype([("rows", "f4", (3, 4)), ("look", "f4", 4), ("thing", "u4")])
Array = NDArray[np.float64]


def card_mesh() -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """Vertices (N, 9): position, normal, uv and side (1 face, 2 back, 0 edge); and faces. Face up, long axis +y."""
    edge = _right_edge()
    rows = len(edge)
    half_thick = CARD_THICKNESS_MM / 2
    vertices: list[NDArray[np.float64]] = []
    faces: list[NDArray[np.int64]] = []
    for side, sign in ((1.0, 1.0), (2.0, -1.0)):
        start = sum(map(len, vertices))
        points = np.concatenate([edge * [-1, 1], edge])
        u = points[:, 0] / CARD_WIDTH_MM * sign + 0.5
        v = 0.5 - points[:, 1] / CARD_LENGTH_MM
        block = np.zeros((2 * rows, 9))
        block[:, :2], block[:, 2], block[:, 5] = points, sign * half_thick, sign
        block[:, 6], block[:, 7], block[:, 8] = u, v, side
        vertices.append(block)
        k = np.arange(rows - 1) + start
        faces.append(np.stack([k, k + rows, k + rows + 1, k, k + rows + 1, k + 1], axis=1).reshape(-1, 3))
    vertices.append(_band(edge, half_thick))
    start = sum(map(len, vertices[:2]))
    count = 2 * rows
    k = np.arange(count)
    n = (k + 1) % count
    faces.append(np.stack([k, n, n + count, k, n + count, k + count], axis=1).reshape(-1, 3) + start)
    return np.concatenate(vertices).astype(np.float32), np.concatenate(faces).astype(np.int32)


def _right_edge() -> Array:
    """The right edge from bottom to top with its two rounded corners."""
    angle = np.linspace(0, np.pi / 2, 5)
    x = CARD_WIDTH_MM / 2 - CORNER_RADIUS_MM * (1 - np.sin(angle))
    y = CARD_LENGTH_MM / 2 - CORNER_RADIUS_MM * (1 - np.cos(angle))
    low = np.stack([x, -y], axis=1)
    straight = np.stack([np.full(6, CARD_WIDTH_MM / 2), np.linspace(-34, 34, 6)], axis=1)
    return np.concatenate([low, straight, (low * [1, -1])[::-1]])


def _band(edge: Array, half_thick: float) -> Array:
    ring = np.concatenate([edge, (edge * [-1, 1])[::-1]])
    outward = ring / np.linalg.norm(ring, axis=1, keepdims=True)
    block = np.zeros((2 * len(ring), 9))
    block[:, :2] = np.tile(ring, (2, 1))
    block[:, 2] = np.repeat([-half_thick, half_thick], len(ring))
    block[:, 3:5] = np.tile(outward, (2, 1))
    return block


def card_matrix(card: CardPose) -> Array:
    """Where the face-up card's own frame goes, (3, 4); a face-down card is turned about its long axis."""
    rotation = pose_matrix(card.yaw, card.pitch, card.roll)
    if not card.face_up:
        rotation = rotation @ np.diag([-1.0, 1.0, -1.0])
    return np.column_stack([rotation, card.centre])


def copies(card: CardPose) -> list[Array]:
    """The matrices (3, 4) of all the cards that `card` stands for, lowest first."""
    base = card_matrix(card)
    upright = pose_matrix(card.yaw, card.pitch, card.roll)
    out = []
    for index in range(max(1, card.count)):
        step = upright @ np.array([card.fan_mm[0] * index, card.fan_mm[1] * index, CARD_THICKNESS_MM * 1.1 * index])
        moved = base.copy()
        moved[:, 3] += step
        out.append(moved)
    return out


def card_corners(matrix: Array) -> Array:
    """The four corners (4, 3) in table mm, going round the face."""
    x, y = CARD_WIDTH_MM / 2, CARD_LENGTH_MM / 2
    local = np.array([[-x, y, 0, 1], [x, y, 0, 1], [x, -y, 0, 1], [-x, -y, 0, 1]])
    return np.asarray(local @ matrix.T)


class Print:
    """The printed layers of a scene's cards, uploaded when first seen."""

    def __init__(self, context: Any, looks: Sequence[DeckLook], mm_per_px: float, capacity: int | None = None) -> None:
        self.looks = looks
        scale = float(np.clip(1.0 / mm_per_px * 1.5 / 4.0, 0.2, 1.0))
        self.size = (round(art.TEXTURE_PX[0] * scale), round(art.TEXTURE_PX[1] * scale))
        self.capacity = capacity or 72 * max(1, len(looks)) + 12
        self.texture = context.texture_array((*self.size, self.capacity), 4)
        self.texture.filter = (context.LINEAR_MIPMAP_LINEAR, context.LINEAR)
        self.layers: dict[tuple[object, ...], int] = {}
        self.stale = True

    def layer(self, *key: object) -> int:
        """The layer of ("face", deck, rank, suit), ("back", deck) or ("plain", r, g, b)."""
        if key not in self.layers:
            index = len(self.layers)
            picture = cv2.resize(self._picture(key), self.size, interpolation=cv2.INTER_AREA)
            self.texture.write(np.ascontiguousarray(picture).tobytes(), viewport=(0, 0, index, *self.size, 1))
            self.layers[key] = index
            self.stale = True
        return self.layers[key]

    def _picture(self, key: tuple[Any, ...]) -> NDArray[np.uint8]:
        if key[0] == "plain":
            return np.full((art.TEXTURE_PX[1], art.TEXTURE_PX[0], 4), [*(np.array(key[1:]) * 255), 255], np.uint8)
        look = self.looks[key[1]]
        if key[0] == "face":
            return art.face(look.faces, key[2], key[3])
        return art.back(look.back, look.back_colour)

    def ready(self) -> None:
        """Makes the smaller copies of new layers; call before drawing."""
        if self.stale:
            self.texture.build_mipmaps()
            self.stale = False


def card_rows(print_: Print, card: CardPose, cover: Vec3 | None, thing: int, lift: float) -> NDArray[np.void]:
    """Instance rows of a card (one for each of its copies), all with the id `thing`, raised by `lift` mm.

    A cover card is of the solid colour `cover` and glossier than a playing card.
    """
    deck = card.deck % len(print_.looks)
    gloss = print_.looks[deck].gloss
    if cover is not None:
        gloss = COVER_GLOSS
        face = back = print_.layer("plain", *cover)
    else:
        face, back = print_.layer("face", deck, card.rank, card.suit), print_.layer("back", deck)
    bend = card.bend_mm if card.face_up else -card.bend_mm
    matrices = copies(card)
    rows = np.zeros(len(matrices), INSTANCE)
    rows["rows"] = matrices
    rows["rows"][:, 2, 3] += lift
    rows["look"] = (face, back, bend, gloss)
    rows["thing"] = thing
    return rows


def back_row(print_: Print, deck: int, matrix: Array, thing: int) -> NDArray[np.void]:
    """One instance row that shows a deck's back on both sides."""
    layer = print_.layer("back", deck % len(print_.looks))
    row = np.zeros(1, INSTANCE)
    row[0] = (matrix, [layer, layer, 0.0, print_.looks[deck % len(print_.looks)].gloss], thing)
    return row
