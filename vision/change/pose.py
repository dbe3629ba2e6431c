"""Does a stack lie flat or stand on its long edge: told from the outline that each would have at this camera."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from vision.change.box import Box
from vision.sighting import Points

WIDTH_MM, LENGTH_MM = 63.5, 88.9
#: A card's thickness as it lies in a stack, loosely packed or squeezed.
THICK_MM = 0.305
#: Sides that are so much off together belong to something else.
TOLERANCE_MM = 26.0
#: A stack may be laced by so much, which is a little less likely than not; where both would do, it lies.
LACES_MM = (0.0, 8.0, 16.0, 24.0, 32.0)
LACED = 0.15
DOUBT_MM = 0.0
KNOWN_MM = 10.0
#: Backs to the players, the strip runs up the table; the outline of six decks, nearly square, does not tell the axis.
ACROSS_MM = 12.0
UP = 0.7071
STRAIGHT_ABOVE_MM = (0.0, 300.0, 1e6)


@dataclass(frozen=True, slots=True)
class Poses:
    """Judges boxes of a stack of `cards` cards seen from `camera_mm` (x, y, z)."""

    cards: int
    camera_mm: tuple[float, float, float] = STRAIGHT_ABOVE_MM

    @property
    def strip_mm(self) -> float:
        """The length of the whole stack on edge."""
        return self.cards * THICK_MM

    def stands(self, box: Box, *, known: bool = False) -> Box | None:
        """The box with `along` on its strip if it is the whole stack on edge; None if not.

        `known`: it stood there before, so that a doubt speaks for it.
        """
        standing = min(
            (self._off(box, turn, True, lace) + LACED * lace + _sideways(box, turn), turn)
            for turn in (0, 1)
            for lace in LACES_MM
        )
        if standing[0] > TOLERANCE_MM:
            return None
        lying = min(self._off(box, turn, False, lace) + LACED * lace for turn in (0, 1) for lace in LACES_MM)
        if lying < standing[0] + (-KNOWN_MM if known else DOUBT_MM):
            return None
        return box if standing[1] == 0 else Box(box.centre_mm, box.across, box.width_mm, box.length_mm)

    def lies(self, box: Box) -> bool:
        """Whether the box is rather the whole stack lying flat than anything else."""
        lying, standing = (
            min(self._off(box, turn, on_edge, lace) + LACED * lace for turn in (0, 1) for lace in LACES_MM)
            for on_edge in (False, True)
        )
        return lying <= TOLERANCE_MM and lying < standing

    def _off(self, box: Box, turn: int, on_edge: bool, lace_mm: float = 0.0) -> float:
        """Millimetres by which the box's sides differ from such a stack's, `along` being the strip or (1) across it."""
        axis = box.along if turn == 0 else box.across
        long_mm = LENGTH_MM + lace_mm
        size = (self.strip_mm, long_mm, WIDTH_MM) if on_edge else (WIDTH_MM, long_mm, self.strip_mm)
        expected = self._sides(box.centre_mm, axis, size)
        seen = (box.length_mm, box.width_mm) if turn == 0 else (box.width_mm, box.length_mm)
        return abs(expected[0] - seen[0]) + abs(expected[1] - seen[1])

    def _sides(self, centre_mm: Points, axis: Points, size: tuple[float, float, float]) -> tuple[float, float]:
        """The outline on the felt of a block (along the axis, across, high) that shows about there: along, across."""
        across = np.array([-axis[1], axis[0]])
        offset = centre_mm - np.asarray(self.camera_mm[:2])
        grow = np.array([1.0, self.camera_mm[2] / (self.camera_mm[2] - size[2])])
        middle = np.array([float(offset @ axis), float(offset @ across)])
        corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * np.array(size[:2])
        points = ((middle + corners)[None] * grow[:, None, None]).reshape(-1, 2)
        (_, _), (w, h), angle = cv2.minAreaRect(points.astype(np.float32))
        if abs(math.sin(math.radians(angle))) > 0.7071:
            w, h = h, w
        return float(w), float(h)


def _sideways(box: Box, turn: int) -> float:
    """What speaks against a strip along the table, in mm."""
    axis = box.along if turn == 0 else box.across
    return ACROSS_MM if abs(float(axis[1])) < UP else 0.0
