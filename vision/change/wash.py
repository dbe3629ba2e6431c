"""A wash: loose cards all over the work area, stirred by the dealer's hands for a while."""

from __future__ import annotations

import numpy as np

from vision.change.look import Look
from vision.sighting import Points

#: Loose cards, and heaps of them, all over the work area, moved by hands.
WASH_CARDS, WASH_THINGS = 4, 6
WASH_SPREAD_MM = 38.0
WASH_US = 2_000_000
WASH_GAP_US = 800_000
#: So shortly after cards lay all over the area they still do.
SPREAD_US = 500_000


class Washing:
    """`step(look)` gives from when to when the cards were washed, once that is over; None otherwise."""

    def __init__(self) -> None:
        self._wash: tuple[int, int] | None = None
        self._spread_us: int | None = None

    def spread(self, t_us: int) -> bool:
        """Whether cards lie all over the area: no stack stands there."""
        return self._spread_us is not None and t_us - self._spread_us <= SPREAD_US

    def step(self, look: Look) -> tuple[int, int] | None:
        """Takes a look in."""
        points = np.array([c.centre_mm for c in [*look.cards, *look.stacks]]).reshape(-1, 2)
        enough = len(look.cards) >= WASH_CARDS and len(points) >= WASH_THINGS
        spread = enough and bool((points.std(axis=0) >= WASH_SPREAD_MM).all())
        self._spread_us = look.t_us if spread else self._spread_us
        if spread and any(_stirs(arm.centre_mm, arm.speed_mm_s, points) for arm in look.dealers):
            first = self._wash[0] if self._wash is not None else look.t_us
            self._wash = (first, look.t_us)
        elif self._wash is not None and look.t_us - self._wash[1] > WASH_GAP_US:
            wash, self._wash = self._wash, None
            return wash if wash[1] - wash[0] >= WASH_US else None
        return None

    def forget(self) -> None:
        """The stack went into the shoe."""
        self._wash = self._spread_us = None


def _stirs(centre_mm: Points, speed_mm_s: float, cards: Points) -> bool:
    low, high = cards.min(axis=0) - 120.0, cards.max(axis=0) + 80.0
    return speed_mm_s > 60.0 and bool((centre_mm > low).all() and (centre_mm < high).all())
