"""Which zone of the layout a place or a thing is in, and where cards leave the shoe."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.polygon import Polygon, centroid, contains, overlap_area, signed_area, signed_distance
from calibration.table import Layout
from calibration.words import ELSEWHERE
from faults import Fault

__all__ = ["share_in_zone", "shares_in_zones", "shoe_exit", "signed_distance", "zone_of", "zones_of"]

#: A shoe whose outline is nearly square has no short sides to tell from long ones.
_CLEARLY_LONG = 1.15


class LayoutFault(Fault):
    """A layout that lacks what is asked of it."""


def zone_of(point_mm: ArrayLike, layout: Layout) -> str:
    """The zone that holds the place (x, y), in mm; the smallest, where zones lie in one another; else 'elsewhere'."""
    return zones_of(np.asarray(point_mm, dtype=np.float64)[None], layout)[0]


def zones_of(points_mm: ArrayLike, layout: Layout) -> list[str]:
    """The zone of each of the places (N, 2), in mm, as `zone_of` gives it."""
    points = np.asarray(points_mm, dtype=np.float64).reshape(-1, 2)
    names = [ELSEWHERE] * len(points)
    # From the largest to the smallest, so that the smallest has the last word.
    for name, zone in sorted(layout.zones_mm.items(), key=lambda item: -abs(signed_area(item[1]))):
        for number in np.flatnonzero(contains(points, zone)):
            names[int(number)] = name
    return names


def share_in_zone(quad_mm: ArrayLike, zone_mm: Polygon) -> float:
    """The share (0..1) of a convex outline (n, 2), such as a card's four corners, that lies in a zone."""
    quad = np.asarray(quad_mm, dtype=np.float64)
    area = abs(signed_area(quad))
    if not area > 0:  # a line, or corners that are not known
        middle = quad.mean(axis=0)
        return float(bool(contains(middle, zone_mm)))
    if not _boxes_meet(quad, zone_mm):
        return 0.0
    return min(1.0, overlap_area(quad, zone_mm) / area)


def shares_in_zones(quad_mm: ArrayLike, zones_mm: Mapping[str, Polygon]) -> dict[str, float]:
    """The share of a convex outline (n, 2) in each zone that it touches, the largest first."""
    shares = {name: share_in_zone(quad_mm, zone) for name, zone in zones_mm.items()}
    return dict(sorted(((name, share) for name, share in shares.items() if share > 0), key=lambda item: -item[1]))


def _boxes_meet(one: Polygon, other: Polygon) -> bool:
    """True if the upright boxes around two outlines meet: cheap, and enough for most pairs."""
    return bool(np.all(one.min(axis=0) <= other.max(axis=0)) and np.all(other.min(axis=0) <= one.max(axis=0)))


def shoe_exit(layout: Layout) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where a card leaves the shoe: a place (2,) in mm and the unit vector (2,) that it moves along.

    It is the middle of that short side of the shoe's zone which faces the middle of the table: its right side, the
    dealer's right, for a shoe on his left.

    Raises:
        LayoutFault: the layout draws no shoe.
    """
    if "shoe" not in layout.zones_mm:
        raise LayoutFault(
            "no shoe",
            where="layout.zones_mm",
            why="this table's layout draws no zone 'shoe'",
            todo="Draw it, if cards are dealt from a shoe at this table.",
        )
    shoe = layout.zones_mm["shoe"]
    middle, half_axes = _box_around(shoe)
    long, short = sorted((float(np.linalg.norm(axis)) for axis in half_axes), reverse=True)
    sides = half_axes if long < short * _CLEARLY_LONG else [max(half_axes, key=np.linalg.norm)]
    inwards = _inwards(layout, shoe)
    half = max((sign * axis for axis in sides for sign in (1.0, -1.0)), key=lambda axis: _alike(axis, inwards))
    return middle + half, half / np.linalg.norm(half)


def _box_around(outline: Polygon) -> tuple[Polygon, list[Polygon]]:
    """The smallest box around an outline: its middle (2,) and its two half axes (2,)."""
    corners = cv2.boxPoints(cv2.minAreaRect(outline.astype(np.float32))).astype(np.float64)
    return corners.mean(axis=0), [(corners[1] - corners[0]) / 2, (corners[2] - corners[1]) / 2]


def _inwards(layout: Layout, shoe: Polygon) -> Polygon:
    """The direction (2,) from the shoe across the dealer's area."""
    sign = {"left": 1.0, "right": -1.0}.get(layout.shoe_side, float(-np.sign(centroid(shoe)[0]) or 1.0))
    return np.array([sign, 0.0])


def _alike(one: Polygon, other: Polygon) -> float:
    """The cosine between two directions."""
    return float(np.dot(one, other) / np.linalg.norm(one))
