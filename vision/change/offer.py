"""The offer: to which seat the stack on edge is pushed, and what became of it.

An offer is a move of the whole stack away from its place before the dealer, after which it is left standing. The seat
is told by the direction of the push, and by whose hand answers. It is reported when its outcome is known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from calibration.tablefile import Layout
from vision.change.box import Box
from vision.change.look import Look, near_mm
from vision.change.people import bodies
from vision.change.stand import Move, Stand
from vision.sighting import Points

Emit = Callable[..., None]

#: A stack that is offered is pushed at least so far from its place.
PUSHED_MM = 31.0
BACK_MM = 24.0
#: While it is still being tipped up it goes straight ahead by no more than this.
TIPPED_MM = 80.0
#: It is left standing for so long, or hands let it go so long.
DWELL_US = 600_000
LET_GO_US = 200_000
#: One standard deviation of the direction of a push, radians; the worth of an answer, and of sitting there at all.
AIM = 0.12
ANSWERED = 2.5
TOUCHED = 4.0
SEATED = 3.5
#: ... and of having refused already.
REFUSED = 1.5
#: What an open offer adds to its seat's hand being the one that cuts.
OFFERED = 2.0
#: The best seat must be this much better than the next.
SURE = 1.2
#: A player's hand that comes so much nearer than it ever rested answers.
ANSWER_MM = 30.0
#: Hands away for so long, and back for so long, have offered the stack anew where it stands.
AWAY_US = 500_000
REGRIP_US = 350_000
#: A stack first seen standing so far from the dealer's middle has been pushed there already.
ASIDE_MM = 70.0
#: To seats at the table's ends the stack is pushed forward as well: the push points at least so far up the table.
FORWARD = 0.4


@dataclass(slots=True, eq=False)
class Offer:
    """One offer under way."""

    t_us: int
    rest_us: int
    box: Box
    aim: float  # direction of the push, radians
    let_go_us: int | None = None
    last_us: int = 0
    made: bool = False
    answers: dict[str, float] = field(default_factory=dict)
    stand_us: int = 0  # since when the stack has stood there
    before: Offer | None = None  # the offer in the same place before the hands came again
    touched_us: int = 0
    again_us: int | None = None  # when hands that had let it go took it again
    backs_away: bool | str = "unsure"
    to_whom: bool = True  # whether the push was seen, so that its direction tells


class Offers:
    """`step(look, stand, occupied)` follows offers; `close(...)` is told what happened next."""

    def __init__(self, layout: Layout, emit: Emit) -> None:
        self._emit = emit
        self.people = bodies(layout)
        self._seats = {
            f"seat:{n}": np.asarray(layout.zones_mm[f"seat:{n}"], dtype=np.float64).mean(axis=0)
            for n in layout.seats
            if f"seat:{n}" in layout.zones_mm
        }
        self.home: Box | None = None
        self.open: Offer | None = None
        self.needs_answer = False  # after the cut a move forward is no offer unless somebody answers
        self.ready = True  # whether the shuffle is over: before, a short move ahead only tips the stack up
        self.shuffled = False  # whether the shuffle was seen: the stack then came from it, and not from a push
        self.count = 0
        self._tipped_us: int | None = None
        self._refused: list[str] = []
        self._rest_mm: dict[str, float] = {}  # how near to the stack's place each player's hands rested

    def step(self, look: Look, stand: Stand, occupied: Sequence[str], backs_away: bool | str) -> None:
        """Takes a look in."""
        if stand.rest is None:
            return
        self._tipped_us = stand.tipped_us
        if self.home is None:
            self.home = self._first_seen(stand.rest, stand.since_us or look.t_us, backs_away)
        if stand.moved is not None:
            self._moved(stand.moved, occupied, backs_away)
        offer = self.open
        if offer is None:
            for arm in look.players:
                near = float(np.linalg.norm(arm.centre_mm - self.home.centre_mm))
                self._rest_mm[arm.owner] = min(near, self._rest_mm.get(arm.owner, near))
        if offer is None or self.home is None or stand.packet is None or stand.rest_us != offer.stand_us:
            return
        if offer.backs_away == "unsure":
            offer.backs_away = backs_away  # a few looks at the standing stack have told since
        self._watch(look, offer, stand, occupied)

    def _first_seen(self, rest: Box, t_us: int, backs_away: bool | str) -> Box:
        """Where it stands before the dealer; one first seen aside is being offered, nobody saw to whom."""
        if abs(float(rest.centre_mm[0])) < ASIDE_MM or self.shuffled:
            return rest
        self.open = Offer(t_us, t_us, rest, 0.0, backs_away=backs_away, stand_us=t_us, to_whom=False)
        return Box(np.array([0.0, float(rest.centre_mm[1])]), rest.along, rest.length_mm, rest.width_mm)

    def _moved(self, move: Move, occupied: Sequence[str], backs_away: bool | str) -> None:
        assert self.home is not None
        step = move.to_box.centre_mm - self.home.centre_mm
        way = float(np.linalg.norm(step))
        self.close("refused", occupied)
        if way <= (BACK_MM if self.ready else TIPPED_MM) and (self.ready or abs(float(step[0])) <= BACK_MM):
            self.home = move.to_box
            return
        if way < PUSHED_MM or step[1] < -25.0:
            return
        aim = math.atan2(float(step[1]), float(step[0]))
        self.open = Offer(move.t_us, move.end_us, move.to_box, aim, backs_away=backs_away, stand_us=move.end_us)

    def _watch(self, look: Look, offer: Offer, stand: Stand, occupied: Sequence[str]) -> None:
        offer.last_us = look.t_us
        self._regripped(look, offer, stand.touched(look, "dealer"), occupied)
        offer = self.open or offer
        let_go = offer.let_go_us is not None
        if look.t_us - offer.rest_us >= DWELL_US or let_go:
            offer.made = True
        for arm in look.players:
            near = float(np.linalg.norm(arm.centre_mm - self._before_dealer(offer)))
            reached = near < self._rest_mm.get(arm.owner, float("inf")) - ANSWER_MM
            worth = TOUCHED if near_mm(arm, offer.box.quad_mm) <= 15.0 else ANSWERED if reached else 0.0
            for seat, odds in arm.odds.items() if worth else ():  # a neighbour's hand looks much the same
                offer.answers[seat] = max(offer.answers.get(seat, 0.0), worth + max(odds, -worth))

    def _before_dealer(self, offer: Offer) -> Points:
        return self.home.centre_mm if self.home is not None else offer.box.centre_mm

    def _regripped(self, look: Look, offer: Offer, touched: bool, occupied: Sequence[str]) -> None:
        """Hands that let the stack go, take it again and let it go where it stands have offered it to the next seat."""
        if touched or look.t_us - offer.touched_us < LET_GO_US:
            offer.touched_us = look.t_us if touched else offer.touched_us
            gone = offer.let_go_us is not None and look.t_us - offer.let_go_us >= AWAY_US
            offer.again_us = look.t_us if gone and offer.made else offer.again_us
            offer.let_go_us = None
            return
        if offer.let_go_us is None:
            offer.let_go_us = look.t_us
        if offer.again_us is not None and offer.let_go_us - offer.again_us >= REGRIP_US:
            again = offer.again_us
            if offer.before is not None:
                offer = self._one_or_two(offer, offer.before, occupied, None, "refused")
                offer.before = None
            self.open = Offer(again, look.t_us, offer.box, offer.aim, look.t_us, look.t_us)
            self.open.before = offer
            self.open.backs_away, self.open.stand_us = offer.backs_away, offer.stand_us

    @property
    def answered(self) -> bool:
        """Whether some player's hand answered the open offer."""
        return self.open is not None and max(self.open.answers.values(), default=0.0) >= ANSWERED

    def close(self, outcome: str, occupied: Sequence[str], seat: str | None = None) -> None:
        """Reports the open offer with its outcome; `seat` is whose hand took it up, where that was seen."""
        offer, self.open = self.open, None
        if offer is not None and not offer.made:
            offer = offer.before
        if offer is None or not offer.made:
            return
        if self.needs_answer and seat is None and max(offer.answers.values(), default=0.0) < TOUCHED:
            return
        if offer.before is not None:
            offer = self._one_or_two(offer, offer.before, occupied, seat, outcome)
        named, sure = self._seat(offer, occupied)
        named, sure = (named, sure) if offer.to_whom else ("unsure", False)
        if seat in self._seats and (seat == named or self._cost(offer, str(seat)) < 6.0):
            named, sure, outcome = str(seat), True, "accepted"
        if outcome == "refused" and sure:
            self._refused.append(named)
        facts: dict[str, Any] = {
            "seat": named if sure else "unsure",
            "backs_away": offer.backs_away,
            "outcome": outcome,
        }
        if self.count == 0 and self._tipped_us is not None:
            facts["tipped_us"] = self._tipped_us  # nobody is offered a stack that lies flat: none came before
        self.count += 1
        self._emit("stack.present", offer.t_us, max(offer.last_us, offer.rest_us), facts, 0.9 if sure else 0.6)

    def whose(self, odds: Mapping[str, float], occupied: Sequence[str]) -> str:
        """Whose hand it was, by its own odds and by whom the stack is offered to; unsure where they do not tell."""
        if not odds:
            return "unsure"
        score = dict(odds)
        if self.open is not None:
            for seat in self._seats:
                if seat in score:
                    score[seat] += OFFERED - min(self._cost(self.open, seat), OFFERED + 2.0)
        for name in ("dealer", *occupied) if occupied else ():  # nobody seen: the seats may be out of the picture
            if name in score:
                score[name] += SEATED
        order = sorted(score, key=lambda name: -score[name])
        return order[0] if len(order) == 1 or score[order[0]] - score[order[1]] >= SURE else "unsure"

    def _one_or_two(
        self, offer: Offer, before: Offer, occupied: Sequence[str], seat: str | None, outcome: str
    ) -> Offer:
        """The offer to be reported now: hands that came again offered anew only where another seat can be meant."""
        first, surely = self._seat(before, occupied)
        seat = seat if seat in self._seats else None
        least = max(ANSWERED, offer.answers.get(first, 0.0) + SURE)
        answered = {s for s, worth in offer.answers.items() if worth >= least} | ({seat} if seat else set())
        others = {s for s in answered if s in self._seats and s != first and self._cost(offer, str(s)) < 4.0}
        if outcome == "refused" and seat is None:
            # where nobody was seen to sit (the seats may be out of the picture) any seat in that direction can be meant
            may = occupied or (() if surely else self._seats)
            others |= {s for s in may if s != first and s not in self._refused and self._cost(offer, s) < 2.5}
        earlier = {s for s, worth in before.answers.items() if worth >= ANSWERED and s != seat}
        if seat is not None and (seat == first or not surely or not earlier):
            others = set()  # nobody else had answered: it is the same offer, now taken up
        if others:
            self.open = before
            self.close("refused", occupied)
            self.open = None
            return offer
        for name, worth in offer.answers.items():
            before.answers[name] = max(worth, before.answers.get(name, 0.0))
        before.last_us = offer.last_us
        return before

    def _cost(self, offer: Offer, seat: str) -> float:
        assert self.home is not None
        if not offer.to_whom:
            return 0.0
        to: Points = self._seats[seat] - self.home.centre_mm
        x, y = float(to[0]), float(to[1])
        ways = (math.atan2(y, x), math.atan2(max(y, FORWARD * abs(x)), x))
        off = min(abs(math.remainder(way - offer.aim, 2 * math.pi)) for way in ways)
        return (off / AIM) ** 2 / 2

    def _seat(self, offer: Offer, occupied: Sequence[str]) -> tuple[str, bool]:
        score = {}
        for seat in self._seats:
            prior = (SEATED if seat in occupied else 0.0) - (REFUSED if seat in self._refused else 0.0)
            score[seat] = prior - self._cost(offer, seat) + offer.answers.get(seat, 0.0)
        order = sorted(score, key=lambda s: -score[s])
        if not order:
            return "unsure", False
        return order[0], len(order) == 1 or score[order[0]] - score[order[1]] >= SURE

    def drop(self) -> None:
        """What looked like an offer was none: the stack was pushed aside to make room for a ribbon."""
        self.open, self.needs_answer = None, True

    def forget(self) -> None:
        """The stack is gone."""
        self.home, self.open, self.needs_answer, self.count = None, None, False, 0
        self._refused = []
