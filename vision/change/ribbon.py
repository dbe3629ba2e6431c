"""A ribbon: cards laid out in a row on the felt, each over the one before, to be counted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.change.box import Box
from vision.change.look import Look
from vision.sighting import Points, Sighting, overlap

#: So many cards in one row, over so long a way, make a ribbon; the detector does not find every one.
LEAST = 3
LEAST_MM = 90.0
BAND_MM = 14.0
#: A gap in the row may be this wide.
GAP_MM = 75.0
#: What lies over so much of where the stack stands is no ribbon.
OVER_STACK = 0.4
#: It has been seen for so long, and is kept so long after it was seen last.
SEEN_US = 200_000
KEEP_US = 900_000


class Ribbons:
    """`step(look)` looks for a row; `box` is the ribbon on the felt, or None; `since_us` since when."""

    def __init__(self) -> None:
        self.box: Box | None = None
        self.since_us: int | None = None
        self._first_us: int | None = None
        self._last_us = 0
        self._rows: list[Points] = []  # (2, 2), what was seen of it; the detector finds now these cards, now those

    def step(self, look: Look, stack: Box | None) -> None:
        """Takes a look in; `stack` is where the whole stack stands: a hand over it can look as long as a ribbon."""
        row = _row([s for s in look.cards if s.sides_mm[1] < 125.0])
        if row is None:
            long = [s for s in look.stacks if s.sides_mm[1] > 190.0 and 60.0 < s.sides_mm[0] < 115.0]
            long = [s for s in long if stack is None or overlap(s.quad_mm, stack.quad_mm) < OVER_STACK]
            row = long[0].quad_mm if long else None
        if row is not None:
            self._saw(look.t_us, row)
        elif self._first_us is not None and look.t_us - self._last_us > KEEP_US:
            self.box, self.since_us, self._first_us, self._rows = None, None, None, []

    def _saw(self, t_us: int, quad_mm: Points) -> None:
        self._first_us = t_us if self._first_us is None else self._first_us
        self._last_us = t_us
        if t_us - self._first_us < SEEN_US:
            return
        if self.since_us is None:
            self.since_us = self._first_us
        low, high = quad_mm.min(axis=0), quad_mm.max(axis=0)
        self._rows = [*self._rows[-40:], np.array([low, high])]
        low = np.quantile([row[0] for row in self._rows], 0.1, axis=0)
        high = np.quantile([row[1] for row in self._rows], 0.9, axis=0)
        size = high - low
        along = np.array([1.0, 0.0]) if size[0] >= size[1] else np.array([0.0, 1.0])
        length, width = (size[0], size[1]) if size[0] >= size[1] else (size[1], size[0])
        self.box = Box((low + high) / 2, along, float(length), float(width))


def _row(cards: Sequence[Sighting]) -> Points | None:
    """The outline of the longest row of cards, (n, 2), or None."""
    best: list[Sighting] = []
    for axis in (0, 1):
        for card in cards:
            line = card.centre_mm[1 - axis]
            band = [c for c in cards if abs(float(c.centre_mm[1 - axis] - line)) <= BAND_MM]
            run = _run(sorted(band, key=lambda c: float(c.centre_mm[axis])), axis)
            if len(run) > len(best):
                best = run
    if len(best) < LEAST or len(best) < 0.6 * len(cards):
        return None
    corners: Points = np.concatenate([c.quad_mm for c in best])
    return corners if float(np.ptp(corners, axis=0).max()) >= LEAST_MM + 63.0 else None


def _run(cards: Sequence[Sighting], axis: int) -> list[Sighting]:
    """The longest part of cards in order whose neighbours are near to each other."""
    best: list[Sighting] = []
    run: list[Sighting] = []
    for card in cards:
        if run and float(card.centre_mm[axis] - run[-1].centre_mm[axis]) > GAP_MM:
            run = []
        run.append(card)
        if len(run) > len(best):
            best = list(run)
    return best
