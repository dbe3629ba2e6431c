"""The cover cards: which lies where, who takes one, and where it goes in.

A cover card that stands in a stack is a thin line from above, often not found at all. So that one went in is told by
the hand that took it, came to rest at the stack and went away without it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from vision.change.box import Box
from vision.change.covercard import THIN_MM, CoverCard, far, stay
from vision.change.look import Look, near_mm
from vision.change.measures import Measures, NoMeasures
from vision.change.putting import HAND_STAY_MM, LAID_US, LEFT_MM, into_ribbon, into_stack
from vision.change.which import FLAT_MM, SURE_SCORE, Which, pokes
from vision.measure.hue import Colour
from vision.sighting import Points, Sighting, overlap

#: A hand this near to a cover card has it.
HOLD_MM = 12.0
#: A hand that moves slower than this is at its work.
SLOW_MM_S = 170.0
#: One that came out of the stack lies alone for so long.
OUT_US = 450_000
#: ... and for longer, in view, to be believed never to have been among a ribbon's cards.
LIES_US = 1_000_000
#: A table has two cover cards; one seen lying so lately lies there.
CARDS = 2
LYING_US = 1_500_000
CARRY_US = 6_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Insertion:
    """A cover card went into `host` (stack or ribbon) at `place_mm` (2,), if it was seen there."""

    card: int
    t_us: int
    end_us: int
    odds: Mapping[str, float]  # of each owner's hand having put it in, log
    host: str
    place_mm: Points | None
    sure: bool
    hand_mm: Points | None = None  # (2,), where the middle of that hand was meanwhile
    quad_mm: Points | None = None  # (4, 2), what was seen of the cover card last


@dataclass(frozen=True, slots=True, eq=False)
class Removal:
    """A cover card came out of the stack and lies on the felt; `back`: just where one lay before (they are alike)."""

    card: int
    t_us: int
    end_us: int
    actor: str
    back: bool = False


class Covers:
    """`step(look, stack, ribbon)` gives the insertions and removals that were decided with this look."""

    def __init__(self, measures: Measures | None = None) -> None:
        self._measures = measures if measures is not None else NoMeasures()
        self._count = 0
        self._covers: list[CoverCard] = []
        self._lay_mm: list[Points] = []  # where any of them ever lay on the felt
        self._stack: Box | None = None
        self._ribbon: Box | None = None
        self._which = Which(None, None)
        self._ribbon_us: int | None = None
        self.inserted: list[Insertion] = []
        self.removed: list[Removal] = []
        self.thin: list[Sighting] = []  # cover cards seen on edge in this look

    @property
    def lying(self) -> int:
        """How many lie on the felt."""
        return sum(c.place == "felt" for c in self._covers)

    def place(self, card: int) -> str:
        """Where a cover card is: felt, hand, stack or ribbon."""
        return next((c.place for c in self._covers if c.id == card), "felt")

    def seen_at(self, card: int, t_us: int) -> Sighting | None:
        """What was seen of a cover card in the look at `t_us`; None if nothing was."""
        return next((c.last for c in self._covers if c.id == card and c.last.t_us == t_us), None)

    def all_lay(self, t_us: int, end_us: int) -> bool:
        """Whether both cover cards lay untouched on the felt all that time; False if one may have been in the stack."""
        return len(self._covers) >= CARDS and all(
            c.place == "felt" and c.rest_us is not None and c.rest_us < t_us and c.last.t_us >= end_us - 1_000_000
            for c in self._covers
        )

    @property
    def known(self) -> list[int]:
        """The cover cards ever seen, oldest first."""
        return [c.id for c in self._covers]

    @property
    def standing(self) -> int | None:
        """The first cover card that is in the stack."""
        return next((c.id for c in self._covers if c.place == "stack"), None)

    def went_along(self, card: int) -> None:
        """A cover card that seemed to come out of the stack went along with cards taken off its end."""
        for cover in self._covers:
            if cover.id == card:
                cover.place, cover.out_us = "ribbon", None
                cover.let_go()

    def colours_in(self, t_us: int) -> list[Colour]:
        """The colours that a cover card in the stack may have: not that of one which is plainly seen lying there.

        A table's two cover cards may be of two colours, and felt or a back like the other one's.
        """
        gone = [c for c in self._covers if not self._lies(c, t_us)]
        return [c.colour for c in gone or self._covers if c.colour is not None]

    def forget(self) -> None:
        """They went into the shoe with the stack."""
        self._covers = [c for c in self._covers if c.place == "felt"]

    def step(self, look: Look, stack: Box | None, ribbon: Box | None, ribbon_us: int | None = None) -> None:
        """Takes a look in; `stack` is the whole stack on edge, `ribbon` a row of cards that lies since `ribbon_us`."""
        self._ribbon_us = ribbon_us
        self.inserted, self.removed = [], []
        if ribbon is None and self._ribbon is not None:
            self._put_back()
        self._stack, self._ribbon = stack, ribbon
        self._which = Which(stack, ribbon, {arm.track: arm.centre_mm for arm in look.arms})
        self.thin = [s for s in look.covers if s.sides_mm[0] < THIN_MM]
        self._match(look)
        for cover in list(self._covers):
            self._colour(look, cover)
            if cover.place == "felt" and not cover.lain and self._which.in_stack(cover.last):
                cover.place = "stack"  # it has been in there from the start
            if cover.place in ("felt", "hand"):
                self._carried(look, cover)
                self._decide(look, cover)
            elif cover.last.t_us == look.t_us:
                self._came_out(look, cover)

    def _put_back(self) -> None:
        """A ribbon was put back: what was in it is in the stack now, and so is what lay at it unnoticed besides."""
        told = any(cover.place == "ribbon" for cover in self._covers)
        for cover in self._covers:
            if cover.place == "ribbon" or (told and cover.place == "hand" and self._at_ribbon(cover)):
                cover.place = "stack"
                cover.let_go()

    def _colour(self, look: Look, cover: CoverCard) -> None:
        lies = cover.place == "felt" and cover.rest_us is not None and cover.last.t_us == look.t_us
        if cover.colour is not None or not lies or cover.last.sides_mm[0] < FLAT_MM:
            return
        others = [s for s in look.covers if s is not cover.last and overlap(s.quad_mm, cover.last.quad_mm) > 0.3]
        if not others and not any(near_mm(arm, cover.last.quad_mm) <= 0.0 for arm in look.arms):
            cover.colour = self._measures.colour(look.frame, cover.last.quad_mm)

    # -- which is which -------------------------------------------------------------------------------------------

    def _match(self, look: Look) -> None:
        found, new = self._which.told(self._covers, look.covers)
        for cover, sighting in found:
            cover.add(sighting)
        for sighting in new:
            if len(self._covers) < 2 or all(look.t_us - c.last.t_us <= 300_000 for c in self._covers):
                self._new(sighting)

    def _new(self, sighting: Sighting) -> None:
        if sighting.score < SURE_SCORE or len(self._covers) >= 3 or self._lying_now(sighting.t_us) >= CARDS:
            return
        self._count += 1
        thin_in = self._which.in_stack(sighting) and sighting.sides_mm[0] < THIN_MM
        cover = CoverCard(self._count, sighting, "stack" if thin_in else "felt")
        cover.add(sighting)
        self._covers.append(cover)

    # -- carried and put in -----------------------------------------------------------------------------------------

    def _carried(self, look: Look, cover: CoverCard) -> None:
        """Who has it, and since when that hand has worked at the stack."""
        seen = cover.last.t_us == look.t_us
        if seen and cover.rest_us is not None and not self._which.in_stack(cover.last):
            if cover.place == "hand":
                cover.place = "felt" if not self._at_ribbon(cover) else self._laid_out(cover)
            cover.let_go()
            cover.lay_mm, cover.taken = cover.anchor, False
            if cover.place == "felt" and cover.anchor is not None:
                self._lay_mm = [*(p for p in self._lay_mm if far(p, cover.anchor)), cover.anchor]
        elif seen and cover.lay_mm is not None:
            cover.taken = cover.taken or float(np.linalg.norm(cover.last.centre_mm - cover.lay_mm)) > LEFT_MM
        for arm in look.arms:
            fresh = look.t_us - cover.last.t_us <= 300_000
            if fresh and near_mm(arm, cover.last.quad_mm) <= HOLD_MM:
                cover.carriers[arm.track] += 1
                cover.odds.append(arm.odds)
                if seen and cover.carriers.most_common(1)[0][0] == arm.track:
                    cover.grip = (arm.track, cover.last.centre_mm - arm.centre_mm)
                if cover.rest_us is None or not seen:
                    cover.place = "hand"
        if cover.place == "hand":
            self._at_work(look, cover)
        if seen and self._which.in_stack(cover.last) and self._stack is not None:
            cover.seen_in.append((look.t_us, cover.last.centre_mm))

    def _laid_out(self, cover: CoverCard) -> str:
        """Where one is that came to rest at the ribbon: among its cards since they were laid, if the other lies by."""
        since_us, rest_us = self._ribbon_us, cover.rest_us
        if since_us is None or rest_us is None or rest_us >= since_us + LAID_US:
            return cover.place
        return "ribbon" if self._lying_now(cover.last.t_us, cover) >= 1 else cover.place

    def _at_work(self, look: Look, cover: CoverCard) -> None:
        arm = cover.carrier(look)
        host = self._stack
        if arm is None or host is None:
            return
        if near_mm(arm, host.quad_mm) <= 10.0 and arm.speed_mm_s <= SLOW_MM_S:
            cover.work.append((look.t_us, arm.centre_mm))

    def _decide(self, look: Look, cover: CoverCard) -> None:
        if self._ribbon is not None and self._into_ribbon(look, cover):
            return
        if cover.place != "hand" or not cover.work or self._stack is None:
            return
        start_us, end_us = stay(cover.work, HAND_STAY_MM)
        if look.t_us - start_us > CARRY_US:
            cover.place = "felt"
            return
        put = into_stack(look, cover, self._stack, (start_us, end_us), beside_ribbon=self._ribbon is not None)
        if put is not None:
            self._put_in(cover, "stack", *put)

    def _at_ribbon(self, cover: CoverCard) -> bool:
        return self._which.at_ribbon(cover.last)

    def _into_ribbon(self, look: Look, cover: CoverCard) -> bool:
        """A cover card that came to lie among the cards of a ribbon."""
        if cover.place != "hand" or not self._at_ribbon(cover) or self._ribbon is None:
            return False
        if sum(c.place == "ribbon" for c in self._covers if c is not cover) >= CARDS:
            return False  # both are among its cards already
        span = into_ribbon(look, cover, self._ribbon, self._ribbon_us)
        if span is None:
            return False
        self._put_in(cover, "ribbon", *span, cover.last.centre_mm)
        return True

    def _lying_now(self, t_us: int, besides: CoverCard | None = None) -> int:
        """How many cover cards are plainly seen lying on the felt."""
        return sum(self._lies(c, t_us) for c in self._covers if c is not besides)

    @staticmethod
    def _lies(cover: CoverCard, t_us: int) -> bool:
        """Whether a cover card is plainly seen lying on the felt."""
        rests = cover.place == "felt" and cover.rest_us is not None
        return rests and t_us - cover.last.t_us <= LYING_US and cover.last.sides_mm[0] >= THIN_MM

    def _put_in(self, cover: CoverCard, host: str, t_us: int, end_us: int, place_mm: Points | None) -> None:
        if self._lying_now(cover.last.t_us, cover) >= CARDS:
            self._covers.remove(cover)  # both lie there in plain view: this never was one
            return
        names = cover.odds[0] if cover.odds else {}
        odds = {name: float(np.mean([o.get(name, 0.0) for o in cover.odds])) for name in names}
        sure = place_mm is not None
        during = [p for at_us, p in cover.work if t_us <= at_us <= end_us]
        hand_mm = np.median(during, axis=0) if during else None
        quad_mm = cover.last.quad_mm
        self.inserted.append(Insertion(cover.id, t_us, max(end_us, t_us), odds, host, place_mm, sure, hand_mm, quad_mm))
        cover.place, cover.rest_us, cover.out_us = host, None, None
        cover.let_go()

    def _came_out(self, look: Look, cover: CoverCard) -> None:
        """A cover card that was in the stack, and is seen flat beside it."""
        flat = cover.last.sides_mm[0] >= THIN_MM
        clear = self._stack is None or not pokes(self._stack, cover.last.centre_mm)
        if flat and clear and cover.place == "ribbon" and not self._at_ribbon(cover):
            cover.out_us = look.t_us if cover.out_us is None else cover.out_us
            if cover.rest_us is not None and look.t_us - cover.out_us >= LIES_US:
                cover.place = "felt"  # it lies by itself; that it was among the cards was a mistake
                cover.let_go()
            return
        if not flat or not clear or cover.place != "stack":
            cover.out_us = None
            return
        if any(overlap(s.quad_mm, cover.last.quad_mm) > 0.1 for s in [*look.stacks, *look.cards]):
            cover.place, cover.out_us = "ribbon", None  # it went along with cards that were taken off
            return
        cover.out_us = look.t_us if cover.out_us is None else cover.out_us
        if cover.rest_us is not None and look.t_us - cover.out_us >= OUT_US:
            start = min(cover.out_us, cover.rest_us) - 700_000
            back = any(not far(place, cover.last.centre_mm) for place in self._lay_mm)
            self.removed.append(Removal(cover.id, max(start, 0), cover.rest_us, "dealer", back))
            cover.place = "felt"


def thin_in(stack: Box, sightings: Sequence[Sighting]) -> list[Points]:
    """The middles of cover cards seen on edge in a stack."""
    return [s.centre_mm for s in sightings if pokes(stack, s.centre_mm)]
