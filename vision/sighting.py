"""What was seen at one moment, in table millimetres."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """One detection on the felt: `quad_mm` (4, 2), clockwise in the picture; `cls` a class name of the detector."""

    t_us: int
    cls: str
    quad_mm: Points
    score: float

    @property
    def centre_mm(self) -> Points:
        """The middle of the quad, (2,)."""
        middle: Points = self.quad_mm.mean(axis=0)
        return middle

    @property
    def sides_mm(self) -> tuple[float, float]:
        """The shorter and the longer side."""
        first = float(np.linalg.norm(self.quad_mm[0] - self.quad_mm[1]))
        second = float(np.linalg.norm(self.quad_mm[1] - self.quad_mm[2]))
        return min(first, second), max(first, second)

    @property
    def angle(self) -> float:
        """Direction of the longer side, radians in [0, pi)."""
        edges = (self.quad_mm[1] - self.quad_mm[0], self.quad_mm[2] - self.quad_mm[1])
        edge = max(edges, key=lambda e: float(np.hypot(e[0], e[1])))
        return float(np.arctan2(edge[1], edge[0]) % np.pi)

    @property
    def area_mm2(self) -> float:
        """Area of the quad."""
        short, long = self.sides_mm
        return short * long


def angle_between(a: float, b: float) -> float:
    """The angle between two undirected axes, 0..pi/2."""
    apart = abs(a - b) % np.pi
    return float(min(apart, np.pi - apart))


def overlap(a_mm: Points, b_mm: Points) -> float:
    """Share of the smaller of two convex shapes that lies in the other, 0..1."""
    a = cv2.convexHull(np.asarray(a_mm, dtype=np.float32))
    b = cv2.convexHull(np.asarray(b_mm, dtype=np.float32))
    common, _ = cv2.intersectConvexConvex(a, b)
    smaller = min(cv2.contourArea(a), cv2.contourArea(b))
    return float(common) / smaller if smaller > 0 else 0.0
