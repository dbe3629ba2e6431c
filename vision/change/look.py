"""What one look at the table gives the recognisers, sorted by what it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vision.change.people import Arm
from vision.sighting import Points, Sighting

#: A hand's outline is widened by this much: fingers reach round what they hold.
REACH_MM = 14.0
#: What is farther apart than this is not measured exactly.
FAR_MM = 80.0


@dataclass(frozen=True, slots=True)
class Look:
    """Everything seen at `t_us`. `frame` is handed to measuring as it came."""

    t_us: int
    stacks: Sequence[Sighting] = ()
    covers: Sequence[Sighting] = ()
    cards: Sequence[Sighting] = ()
    arms: Sequence[Arm] = ()
    chips: Sequence[Sighting] = ()
    devices: Sequence[Sighting] = ()
    frame: Any = field(default=None)

    @property
    def dealers(self) -> list[Arm]:
        """The dealer's hands."""
        return [arm for arm in self.arms if arm.owner == "dealer"]

    @property
    def players(self) -> list[Arm]:
        """Hands that are surely not the dealer's."""
        return [arm for arm in self.arms if arm.owner.startswith("seat:")]


def near_mm(arm: Arm, quad_mm: Points) -> float:
    """The distance between a hand's outline and a convex thing; 0 where they meet."""
    a, b = arm.quad_mm, quad_mm
    low, high = a.min(axis=0) - b.max(axis=0), b.min(axis=0) - a.max(axis=0)
    rough = float(max(low[0], low[1], high[0], high[1]))
    if rough > FAR_MM:
        return rough - REACH_MM
    return max(0.0, quads_apart_mm(a, b) - REACH_MM)


def quads_apart_mm(a: Points, b: Points) -> float:
    """The distance between two convex quads, by their edges' normals; 0 where they overlap, else a lower bound."""
    best = 0.0
    for quad in (a, b):
        edges = np.roll(quad, -1, axis=0) - quad
        normals = np.stack([-edges[:, 1], edges[:, 0]], axis=1)
        lengths = np.linalg.norm(normals, axis=1)
        normals = normals[lengths > 1e-9] / lengths[lengths > 1e-9, None]
        pa, pb = normals @ a.T, normals @ b.T
        gaps = np.maximum(pa.min(axis=1) - pb.max(axis=1), pb.min(axis=1) - pa.max(axis=1))
        best = max(best, float(gaps.max(initial=0.0)))
    return best
