"""A stack or a packet as an oriented box on the felt: where it is, how long along its strip, how wide across.

A stack on its long edge shows its cards' edges: each card is a line across, `length_mm` is cards times thickness.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.sighting import Points, Sighting


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """`along` is the unit vector (2,) of the strip; lengths in mm."""

    centre_mm: Points
    along: Points
    length_mm: float
    width_mm: float

    @property
    def across(self) -> Points:
        """The unit vector (2,) to the left of `along`."""
        return np.array([-self.along[1], self.along[0]])

    @property
    def quad_mm(self) -> Points:
        """The corners (4, 2), in turn."""
        end, side = self.along * self.length_mm / 2, self.across * self.width_mm / 2
        quad: Points = self.centre_mm + np.array([end + side, end - side, -end - side, -end + side])
        return quad

    @property
    def ends_mm(self) -> tuple[Points, Points]:
        """The middles of the two ends: against `along`, and with it."""
        half = self.along * self.length_mm / 2
        return self.centre_mm - half, self.centre_mm + half

    def local_mm(self, point_mm: Points) -> tuple[float, float]:
        """A point's place from the middle: along, across."""
        offset = point_mm - self.centre_mm
        return float(offset @ self.along), float(offset @ self.across)

    def gap_mm(self, point_mm: Points) -> float:
        """How far outside the box a point lies; 0 inside."""
        along, across = self.local_mm(point_mm)
        out = (max(abs(along) - self.length_mm / 2, 0.0), max(abs(across) - self.width_mm / 2, 0.0))
        return float(np.hypot(*out))

    def turned(self, towards: Points) -> Box:
        """The same box with `along` pointing to the side of `towards` (2,)."""
        if float(self.along @ towards) >= 0:
            return self
        return Box(self.centre_mm, -self.along, self.length_mm, self.width_mm)


def box_of(sighting: Sighting, like: Box | None = None) -> Box:
    """The box of a sighting, `along` its longer side; with `like`, the side that goes on with what was seen before.

    A stack of six decks on edge is nearly square: which side is longer is then chance, and only the past tells.
    """
    quad = sighting.quad_mm
    edges = (quad[1] - quad[0], quad[2] - quad[1])
    long = int(np.linalg.norm(edges[1]) > np.linalg.norm(edges[0]))
    box = _box(quad, edges, long)
    if like is None:
        return box.turned(np.array([0.0, 1.0]) if abs(box.along[1]) > 0.1 else np.array([1.0, 0.0]))
    ratio = box.length_mm / max(box.width_mm, 1e-6)
    if abs(float(box.along @ like.along)) < 0.6 and ratio < 1.35:
        box = _box(quad, edges, 1 - long)
    return box.turned(like.along)


def _box(quad: Points, edges: tuple[Points, Points], long: int) -> Box:
    length, width = float(np.linalg.norm(edges[long])), float(np.linalg.norm(edges[1 - long]))
    along = edges[long] / max(length, 1e-6)
    return Box(quad.mean(axis=0), along, length, width)


def middle_of(boxes: Sequence[Box]) -> Box:
    """The typical box of several of one thing at rest: the median of each number."""
    last = boxes[-1]
    along = np.median([b.turned(last.along).along for b in boxes], axis=0)
    norm = float(np.linalg.norm(along))
    return Box(
        np.median([b.centre_mm for b in boxes], axis=0),
        along / norm if norm > 0.1 else last.along,
        float(np.median([b.length_mm for b in boxes])),
        float(np.median([b.width_mm for b in boxes])),
    )


def together(boxes: Sequence[Box], like: Box) -> Box:
    """The smallest box along `like` around several."""
    corners = np.concatenate([b.quad_mm for b in boxes]) - like.centre_mm
    along, across = corners @ like.along, corners @ like.across
    middle = like.centre_mm + like.along * (along.min() + along.max()) / 2
    middle = middle + like.across * (across.min() + across.max()) / 2
    return Box(middle, like.along, float(np.ptp(along)), float(np.ptp(across)))


def clearance_mm(a: Box, b: Box) -> float:
    """The smallest distance between two boxes; 0 where they touch or overlap."""
    quads = [np.asarray(box.quad_mm, dtype=np.float32) for box in (a, b)]
    if cv2.intersectConvexConvex(cv2.convexHull(quads[0]), cv2.convexHull(quads[1]))[0] > 0:
        return 0.0
    distances = [
        -cv2.pointPolygonTest(quads[1 - i], (float(p[0]), float(p[1])), True) for i in (0, 1) for p in quads[i]
    ]
    return max(0.0, float(min(distances)))
