"""Plane geometry of simple polygons: is a polygon simple, does it hold a point, how much of it overlaps.

A polygon is (n, 2) float64, n >= 3, in either direction of travel, not closed (the last corner is not the first).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Polygon = NDArray[np.float64]


def signed_area(polygon: Polygon) -> float:
    """The area, positive if the corners run counter-clockwise."""
    x, y = polygon[:, 0], polygon[:, 1]
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) / 2)


def centroid(polygon: Polygon) -> Polygon:
    """The centre of mass (2,)."""
    following = np.roll(polygon, -1, axis=0)
    cross = polygon[:, 0] * following[:, 1] - following[:, 0] * polygon[:, 1]
    middle: Polygon = ((polygon + following) * cross[:, None]).sum(axis=0) / (3 * cross.sum())
    return middle


def crossing_edges(polygon: Polygon) -> tuple[int, int] | None:
    """The first two edges, by number, that touch though they are not neighbours; None if the polygon is simple.

    Edge i runs from corner i to the next one.
    """
    start, end = polygon, np.roll(polygon, -1, axis=0)
    count = len(polygon)
    for i in range(count):
        for j in range(i + 1, count):
            neighbours = j == i + 1 or (i == 0 and j == count - 1)
            if _edges_touch(start[i], end[i], start[j], end[j], neighbours):
                return i, j
    return None


def _edges_touch(a: Polygon, b: Polygon, c: Polygon, d: Polygon, neighbours: bool) -> bool:
    """True if two edges meet, other than neighbours at their common corner."""
    if neighbours:
        shared, one, other = (b, a, d) if np.array_equal(b, c) else (a, b, c)
        # Neighbours are at fault only where the outline turns straight back on itself.
        return _turn(one, shared, other) == 0 and float(np.dot(one - shared, other - shared)) > 0
    if _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0:
        return True
    corners = ((a, b, c), (a, b, d), (c, d, a), (c, d, b))
    return any(_turn(p, q, r) == 0 and _between(p, q, r) for p, q, r in corners)


def _turn(a: Polygon, b: Polygon, c: Polygon) -> float:
    """-1, 0 or 1: the way a walk from a over b to c turns."""
    return float(np.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])))


def _between(a: Polygon, b: Polygon, c: Polygon) -> bool:
    """True if c, known to be on the line ab, lies between a and b."""
    return bool(np.all(np.minimum(a, b) <= c) and np.all(c <= np.maximum(a, b)))


def signed_distance(points: ArrayLike, polygon: Polygon) -> NDArray[np.float64]:
    """How far points (..., 2) are from the outline (...): positive inside, negative outside, zero on it."""
    places = np.asarray(points, dtype=np.float64)[..., None, :]
    start, along = polygon, np.roll(polygon, -1, axis=0) - polygon
    share = np.sum((places - start) * along, axis=-1) / np.sum(along * along, axis=-1)
    nearest = start + np.clip(share, 0.0, 1.0)[..., None] * along
    distance: NDArray[np.float64] = np.sqrt(np.sum((places - nearest) ** 2, axis=-1)).min(axis=-1)
    return np.where(contains(points, polygon), distance, -distance)


def contains(points: ArrayLike, polygon: Polygon) -> NDArray[np.bool_]:
    """True (...) for each of the points (..., 2) that lies inside (even-odd rule; the outline may fall either way)."""
    places = np.asarray(points, dtype=np.float64)
    x, y = places[..., 0, None], places[..., 1, None]
    start, end = polygon, np.roll(polygon, -1, axis=0)
    straddles = (start[:, 1] > y) != (end[:, 1] > y)
    rise = np.where(end[:, 1] == start[:, 1], 1.0, end[:, 1] - start[:, 1])
    crossing = start[:, 0] + (y - start[:, 1]) * (end[:, 0] - start[:, 0]) / rise
    inside: NDArray[np.bool_] = np.sum(straddles & (x < crossing), axis=-1) % 2 == 1
    return inside


def overlap_area(convex: Polygon, polygon: Polygon) -> float:
    """The common area of a convex polygon and any simple polygon."""
    rest = polygon if signed_area(polygon) > 0 else polygon[::-1]
    around = convex if signed_area(convex) > 0 else convex[::-1]
    for start, end in zip(around, np.roll(around, -1, axis=0), strict=True):
        rest = _left_part(rest, start, end)
        if len(rest) < 3:
            return 0.0
    return abs(signed_area(rest))


def _left_part(polygon: Polygon, start: Polygon, end: Polygon) -> Polygon:
    """The part of a polygon to the left of a line (Sutherland and Hodgman's clip; seams may join its parts)."""
    along = end - start
    side = along[0] * (polygon[:, 1] - start[1]) - along[1] * (polygon[:, 0] - start[0])
    kept: list[Polygon] = []
    for i in range(len(polygon)):
        j = (i + 1) % len(polygon)
        if side[i] >= 0:
            kept.append(polygon[i])
        if (side[i] >= 0) != (side[j] >= 0):
            kept.append(polygon[i] + (polygon[j] - polygon[i]) * (side[i] / (side[i] - side[j])))
    return np.array(kept).reshape(-1, 2)
