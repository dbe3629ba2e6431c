"""One cover card over time: where it was seen, whether it lies still, and which hand has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.change.look import Look, near_mm
from vision.change.people import Arm
from vision.measure.hue import Colour
from vision.sighting import Points, Sighting

#: A cover card whose short side shows less than this stands on edge.
THIN_MM = 36.0
#: It lies still within this, for so long.
STILL_MM = 10.0
REST_US = 250_000
#: Looks further apart than this do not tell how it goes on.
STEP_US = 200_000
#: In so many looks at the end it may have been leaving already.
LEAVING_LOOKS = 5
#: A hand that shows again so near to where the carrying one was lost, and so soon, is that one.
SWAPPED_MM, SWAPPED_S, HAND_MM_S = 110.0, 0.7, 1500.0


@dataclass(slots=True, eq=False)
class CoverCard:
    """One cover card over time, and the hand that has it."""

    id: int
    last: Sighting
    place: str  # felt, hand, stack, ribbon
    recent: list[Sighting] = field(default_factory=list)
    rest_us: int | None = None
    anchor: Points | None = None
    lay_mm: Points | None = None  # where it last lay on the felt
    taken: bool = False  # seen elsewhere since
    lain: bool = False  # ever seen lying flat
    out_us: int | None = None  # since when it has been out of where it was
    carriers: Counter[int] = field(default_factory=Counter)
    odds: list[Mapping[str, float]] = field(default_factory=list)
    work: list[tuple[int, Points]] = field(default_factory=list)  # the carrying hand, slow and at the stack
    seen_in: list[tuple[int, Points]] = field(default_factory=list)  # on edge, in the stack
    colour: Colour | None = None  # seen while it lay free of hands
    hand: tuple[int, Points] | None = None  # when and where the carrying hand was seen last
    grip: tuple[int, Points] | None = None  # the hand that had it when it was seen last, and how far from its middle

    def let_go(self) -> None:
        """No hand has it."""
        self.carriers.clear()
        self.odds, self.work, self.seen_in, self.hand, self.grip = [], [], [], None, None

    def add(self, sighting: Sighting) -> None:
        """It was seen: where, and whether it lies still."""
        self.last = sighting
        self.lain = self.lain or sighting.sides_mm[0] >= THIN_MM
        self.recent = [s for s in self.recent if sighting.t_us - s.t_us <= 800_000] + [sighting]
        since = sighting.t_us
        for old in reversed(self.recent):
            if float(np.linalg.norm(old.centre_mm - sighting.centre_mm)) > STILL_MM:
                break
            since = old.t_us
        if sighting.t_us - since >= REST_US:
            if self.rest_us is None or self.anchor is None or far(self.anchor, sighting.centre_mm):
                self.rest_us = since
            self.anchor = sighting.centre_mm
        elif self.anchor is not None and far(self.anchor, sighting.centre_mm):
            self.rest_us = None

    def ahead_mm(self, t_us: int) -> Points:
        """Where (2,) it is by then if it goes on as it went last."""
        before = next((s for s in reversed(self.recent[:-1]) if self.last.t_us - s.t_us <= STEP_US), None)
        if before is None or self.rest_us is not None:
            return self.last.centre_mm
        share = min(t_us - self.last.t_us, STEP_US) / max(self.last.t_us - before.t_us, 1)
        ahead: Points = self.last.centre_mm + (self.last.centre_mm - before.centre_mm) * share
        return ahead

    def carrier(self, look: Look) -> Arm | None:
        """The hand that has had it most; if that one was lost from sight, the one that is where it must be."""
        arms = {arm.track: arm for arm in look.arms}
        for track, _ in self.carriers.most_common():
            if track in arms:
                self.hand = (look.t_us, arms[track].centre_mm)
                return arms[track]
        if self.hand is None:
            return None
        at_us, place = self.hand
        nearest = min(look.arms, key=lambda arm: float(np.linalg.norm(arm.centre_mm - place)), default=None)
        away_s = (look.t_us - at_us) / 1e6
        reach_mm = SWAPPED_MM + HAND_MM_S * min(away_s, 0.15)
        if nearest is None or away_s > SWAPPED_S or float(np.linalg.norm(nearest.centre_mm - place)) > reach_mm:
            return None
        self.carriers[nearest.track] += 1
        self.odds.append(nearest.odds)
        self.hand = (look.t_us, nearest.centre_mm)
        return nearest

    def left(self, look: Look) -> bool:
        """Whether it surely is not where it lay: seen elsewhere, or its place is in view and it is not there."""
        if self.lay_mm is None or self.taken:
            return True
        clear = not any(near_mm(arm, self.last.quad_mm) <= 0.0 for arm in look.arms)
        return clear and look.t_us - self.last.t_us >= 500_000


def stay(track: Sequence[tuple[int, Points]], within_mm: float) -> tuple[int, int]:
    """The last stay of something in one place: from when, until when. Single looks' noise is taken out."""
    times = [at_us for at_us, _ in track]
    points = np.array([p for _, p in track])
    smooth = [np.median(points[max(i - 2, 0) : i + 3], axis=0) for i in range(len(points))]
    place = np.median(points[-7:], axis=0)
    off = [float(np.linalg.norm(centre - place)) > within_mm for centre in smooth]
    last = next((i for i in reversed(range(max(len(off) - LEAVING_LOOKS, 0), len(off))) if not off[i]), len(off) - 1)
    start_us = end_us = times[last]
    for at_us, away in zip(reversed(times[: last + 1]), reversed(off[: last + 1]), strict=True):
        if start_us - at_us > 450_000 or away:
            break
        start_us = at_us
    return start_us, end_us


def far(a: Points, b: Points) -> bool:
    """Whether two places are not one: a card that lies still keeps within that."""
    return float(np.linalg.norm(a - b)) > STILL_MM
