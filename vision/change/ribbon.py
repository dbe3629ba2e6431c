"""A ribbon: cards laid out in a row on the felt, each over the one before, to be counted.

Of cards that lie over each other the detector finds few. What it follows is the topmost, which the hand draws out over
all the others: a back that goes straight along a line while the stack stands on the table leaves a ribbon behind. Where
the topmost stays and the others are drawn out from under it, the picture shows the row beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.change.box import Box
from vision.change.look import Look
from vision.change.measures import Measures, NoMeasures
from vision.sighting import Points, Sighting, overlap

#: So many cards in one row, over so long a way, make a ribbon; the detector does not find every one.
LEAST = 3
LEAST_MM = 90.0
BAND_MM = 14.0
#: A gap in the row may be this wide.
GAP_MM = 75.0
#: A back drawn so far along a line, straying by no more than this, has laid out a ribbon; looks of one way are so near.
DRAWN_MM = 130.0
STRAY_MM = 14.0
STEP_MM, STEP_US = 110.0, 450_000
WAY_US = 4_000_000
#: It then lies still, and when it goes again by so much the ribbon is gathered.
STILL_MM = 10.0
GATHERED_MM = 30.0
#: A card that lies by itself is looked beside so often.
BESIDE_US = 400_000
#: What lies over so much of where the stack stands is no ribbon.
OVER_STACK = 0.4
#: It has been seen for so long, and is kept so long after it was seen last.
SEEN_US = 200_000
KEEP_US = 900_000


class Ribbons:
    """`step(look)` looks for a row; `box` is the ribbon on the felt, or None; `since_us` since when."""

    def __init__(self, measures: Measures | None = None) -> None:
        self._measures: Measures = measures if measures is not None else NoMeasures()
        self._looked_us: int | None = None
        self.box: Box | None = None
        self.since_us: int | None = None
        self._first_us: int | None = None
        self._last_us = 0
        self._rows: list[Points] = []  # (2, 2), what was seen of it; the detector finds now these cards, now those
        self._way: list[tuple[int, Sighting]] = []  # of the back that is drawn out
        self._top: Sighting | None = None  # where it came to lie
        self._drawn: Points | None = None  # outline (n, 2) of all that it went over

    def step(self, look: Look, stack: Box | None) -> None:
        """Takes a look in; `stack` is where the whole stack stands: a hand over it can look as long as a ribbon."""
        row = _row([s for s in look.cards if s.sides_mm[1] < 125.0])
        if row is None:
            long = [s for s in look.stacks if s.sides_mm[1] > 190.0 and 60.0 < s.sides_mm[0] < 115.0]
            long = [s for s in long if stack is None or overlap(s.quad_mm, stack.quad_mm) < OVER_STACK]
            row = long[0].quad_mm if long else None
        if row is None and stack is not None:
            row = self._drawn_out(look)
        if row is not None:
            self._saw(look.t_us, row)
        elif self._first_us is not None and look.t_us - self._last_us > KEEP_US:
            self.box, self.since_us, self._first_us, self._rows = None, None, None, []

    def _drawn_out(self, look: Look) -> Points | None:
        """The outline (n, 2) of what a back was drawn over, as long as that back lies at the end of its way."""
        backs = [s for s in look.cards if s.cls == "card_back" and s.sides_mm[1] < 125.0]
        if self._top is not None:
            lies = [s for s in backs if _apart_mm(s, self._top) <= GATHERED_MM]
            if lies:
                longer = self._lies_beside(look, lies)  # it is still being laid out, or gathered
                self._drawn = self._drawn if longer is None else longer
            if lies or not backs:
                return self._drawn if lies else None
            self._top, self._drawn, self._way = None, None, []
        self._follow(look.t_us, backs)
        row = self._laid()
        return row if row is not None else self._lies_beside(look, backs)

    def _follow(self, t_us: int, backs: Sequence[Sighting]) -> None:
        last = self._way[-1] if self._way else None
        if last is not None and t_us - last[0] > STEP_US:
            self._way, last = [], None
        near = [s for s in backs if last is None or _apart_mm(s, last[1]) <= STEP_MM]
        if near:
            now = near[0] if last is None else min(near, key=lambda s: _apart_mm(s, last[1]))
            self._way = [w for w in self._way if t_us - w[0] <= WAY_US] + [(t_us, now)]

    def _lies_beside(self, look: Look, backs: Sequence[Sighting]) -> Points | None:
        """The outline (n, 2) of a row that runs off from under a back that lies by itself."""
        if self._looked_us is not None and look.t_us - self._looked_us < BESIDE_US:
            return None
        for back in backs[:2]:
            self._looked_us = look.t_us
            row = self._measures.laid(look.frame, back.quad_mm)
            if row is not None:
                self._top, self._drawn = back, row
                return row
        return None

    def _laid(self) -> Points | None:
        """Whether the way of the last seconds was a straight one that has come to its end."""
        if len(self._way) < 4:
            return None
        t_us, now = self._way[-1]
        rest = [s for at_us, s in self._way if t_us - at_us <= SEEN_US]
        if any(_apart_mm(s, now) > STILL_MM for s in rest) or t_us - self._way[0][0] < SEEN_US:
            return None
        places = np.array([s.centre_mm for _, s in self._way])
        for axis in (0, 1):
            straight = _straight(places, axis)
            if float(np.ptp(places[straight:, axis])) >= DRAWN_MM:
                self._top = now
                self._drawn = np.concatenate([s.quad_mm for _, s in self._way[straight:]])
                return self._drawn
        return None

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


def _apart_mm(a: Sighting, b: Sighting) -> float:
    return float(np.linalg.norm(a.centre_mm - b.centre_mm))


def _straight(places: Points, axis: int) -> int:
    """From which place on the way to the last one strays little from a line along `axis`."""
    off = np.abs(places[:, 1 - axis] - places[-1, 1 - axis]) > STRAY_MM
    return int(np.flatnonzero(off)[-1]) + 1 if off.any() else 0


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
