"""Where on a table there is still room, and how high what lies there reaches: a grid over the felt."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from sample_videos.studio.scene import CARD_LENGTH_MM, CARD_THICKNESS_MM, CARD_WIDTH_MM, Vec2
from sample_videos.studio.stills.still import Random

CELL_MM = 5.0
#: A card rests so much above the one under it: they are never quite flat.
LAYER_MM = CARD_THICKNESS_MM + 0.03
TALL_MM = 6.0
TRIES = 24
Box = tuple[float, float, float, float]  # x0, y0, x1, y1


def rectangle(centre: Vec2, size: Vec2, yaw: float) -> NDArray[np.float64]:
    """The corners (4, 2) of a rectangle `size` across and along, turned by `yaw`."""
    half = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]]) * size
    c, s = math.cos(yaw), math.sin(yaw)
    return np.asarray(half @ np.array([[c, s], [-s, c]]) + centre)


class Places:
    """Keeps what was put where. `region` is the part of the table in which places are looked for."""

    def __init__(self, rng: Random, whole: Box, region: Box) -> None:
        self._rng, self.region = rng, region
        self._low = np.array(whole[:2])
        size = np.ceil((np.array(whole[2:]) - self._low) / CELL_MM).astype(int)
        self.height_mm = np.zeros((size[1], size[0]), np.float32)

    def _cells(self, corners: ArrayLike) -> tuple[tuple[slice, slice], NDArray[np.bool_]]:
        """The part of the grid that a polygon touches, and which of its cells."""
        points = (np.asarray(corners, float) - self._low) / CELL_MM
        shape = np.array(self.height_mm.shape[::-1])
        low = np.clip(np.floor(points.min(0)), 0, shape - 1).astype(int)
        high = np.clip(np.ceil(points.max(0)) + 1, low + 1, shape).astype(int)
        mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
        cv2.fillConvexPoly(mask, np.round((points - low - 0.5) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        return (slice(low[1], high[1]), slice(low[0], high[0])), mask > 0

    def top_mm(self, corners: ArrayLike) -> float:
        """The greatest height under a polygon."""
        where, mask = self._cells(corners)
        under = self.height_mm[where][mask]
        return float(under.max(initial=0.0))

    def raise_to(self, corners: ArrayLike, height_mm: float) -> None:
        """What lies in a polygon reaches so high from now on."""
        where, mask = self._cells(corners)
        part = self.height_mm[where]
        part[mask] = np.maximum(part[mask], height_mm)

    def shut_outside(self, corners: ArrayLike, height_mm: float) -> None:
        """Nothing more can be laid outside a polygon: it counts as so high there."""
        where, mask = self._cells(corners)
        inner = np.zeros(self.height_mm.shape, bool)
        inner[where] = mask
        self.height_mm[~inner] = height_mm

    def free(self, corners: ArrayLike, below_mm: float) -> bool:
        """Whether nothing in a polygon reaches higher than `below_mm`."""
        return self.top_mm(corners) <= below_mm

    def find(self, size: Vec2, *, below_mm: float = 0.0, yaw: float | None = None) -> tuple[Vec2, float] | None:
        """A place and a direction for a rectangle where nothing is higher than `below_mm`; None if there is none.

        The direction is `yaw`, or anything; things along the table's axes are more frequent.
        """
        x0, y0, x1, y1 = self.region
        for _ in range(TRIES):
            centre = (float(self._rng.uniform(x0, x1)), float(self._rng.uniform(y0, y1)))
            turn = self.any_yaw() if yaw is None else yaw
            if self.free(rectangle(centre, size, turn), below_mm):
                return centre, turn
        return None

    def any_yaw(self) -> float:
        """Any direction, every other one near the table's axes."""
        if self._rng.random() < 0.5:
            return float(self._rng.integers(4)) * math.pi / 2 + float(self._rng.normal(0, 0.07))
        return float(self._rng.uniform(-math.pi, math.pi))

    def lay_card(self, centre: Vec2, yaw: float, *, below_mm: float = TALL_MM) -> float | None:
        """The height of a card's middle that is laid there, upon what is there; None where something is in its way."""
        corners = rectangle(centre, (CARD_WIDTH_MM - 2, CARD_LENGTH_MM - 2), yaw)
        top = self.top_mm(corners)
        if top > below_mm:
            return None
        self.raise_to(corners, top + LAYER_MM)
        return top + CARD_THICKNESS_MM / 2
