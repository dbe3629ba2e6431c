"""From what people draw to the corners of an oriented rectangle."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from models.labels.labelled import Corners

#: Corners that stand off a straight rectangle by less than this share of its sides make no direction.
STRAIGHT = 1e-3
#: A side shorter than this share of the other, or of a pixel's size, is no outline but a line.
THIN = 1e-3


def straight_box(x0: float, y0: float, x1: float, y1: float) -> Corners:
    """Corners (4, 2), clockwise in the picture, of an axis-aligned box."""
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64)


def turned_box(middle: Sequence[float], size: Sequence[float], clockwise_deg: float) -> Corners:
    """Corners (4, 2) of a box of (width, height) `size` that was turned about its `middle`, as seen in the picture."""
    half_x, half_y = size[0] / 2, size[1] / 2
    corners = turned(straight_box(-half_x, -half_y, half_x, half_y), (0.0, 0.0), clockwise_deg)
    return corners + np.asarray(middle, np.float64)


def turned(points: Corners, about: Sequence[float], clockwise_deg: float) -> Corners:
    """Points (N, 2) turned clockwise, as seen in a picture whose y runs down."""
    cos, sin = np.cos(np.radians(clockwise_deg)), np.sin(np.radians(clockwise_deg))
    out: Corners = (points - np.asarray(about)) @ np.array([[cos, sin], [-sin, cos]]) + np.asarray(about)
    return out


def is_straight(corners: Corners) -> bool:
    """Whether an outline (N, 2) is an axis-aligned rectangle, which may be drawn around a thing of any direction."""
    if len(corners) != 4:
        return False
    low, high = corners.min(axis=0), corners.max(axis=0)
    slack = STRAIGHT * float((high - low).max())
    at_ends = (np.abs(corners - low) <= slack) | (np.abs(corners - high) <= slack)
    return bool(at_ends.all()) and len({tuple(corner) for corner in (corners > (low + high) / 2).tolist()}) == 4


def smallest_rectangle(points: NDArray[np.floating]) -> Corners | None:
    """Corners (4, 2), clockwise, of the smallest rectangle around points (N, 2); None if they enclose nothing.

    A quad that is a rectangle already, or nearly one, keeps its own corners.
    """
    points = np.asarray(points, np.float64).reshape(-1, 2)
    if len(points) < 3 or not np.isfinite(points).all():
        return None
    middle, span = points.mean(axis=0), float(np.ptp(points, axis=0).max())
    if span <= 0:
        return None
    # OpenCV computes in single precision, too coarse for shares of a picture: measure from the middle, in spans.
    near = ((points - middle) / span).astype(np.float32)
    around = cv2.minAreaRect(near)
    if min(around[1]) <= THIN * max(around[1]):
        return None
    if len(points) == 4 and abs(cv2.contourArea(near)) >= 0.97 * around[1][0] * around[1][1]:
        corners = points
    else:
        corners = np.asarray(cv2.boxPoints(around), np.float64) * span + middle
    return clockwise(corners)


def outline_of(points: NDArray[np.floating]) -> Corners | None:
    """Points (N, 2) as they were drawn; None if they enclose nothing."""
    outline = np.asarray(points, np.float64).reshape(-1, 2)
    return None if smallest_rectangle(outline) is None else outline


def clockwise(corners: Corners) -> Corners:
    """The corners of a quad (4, 2) in clockwise order as seen in the picture."""
    x, y = corners.T
    area = float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))
    return corners if area > 0 else corners[::-1].copy()


def part_inside(corners: Corners, width_px: float, height_px: float) -> tuple[Corners, float]:
    """The smallest rectangle (4, 2) around the part of a quad inside a picture, and that part's share of it, 0..1."""
    frame = straight_box(0, 0, width_px, height_px).astype(np.float32)
    if (corners >= 0).all() and (corners <= frame[2]).all():
        return corners, 1.0
    quad = cv2.convexHull(corners.astype(np.float32))[:, 0]
    area, part = cv2.intersectConvexConvex(quad, frame)
    whole = abs(float(cv2.contourArea(quad)))
    if part is None or len(part) < 3 or area <= 0 or whole <= 0:
        return corners, 0.0
    inner = part[:, 0].astype(np.float64)
    if is_straight(corners):
        low, high = inner.min(axis=0), inner.max(axis=0)
        return straight_box(low[0], low[1], high[0], high[1]), float(area / whole)
    rectangle = smallest_rectangle(inner)
    return (corners, 0.0) if rectangle is None else (rectangle, min(1.0, float(area / whole)))
