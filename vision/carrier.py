"""Which of the dealer's hands carried a card: the one that moved as the card did.

The hand nearest to a card is often the other one, waiting where the card passes or comes to lie. A hand that carries
it goes the same way at the same time, so what counts is how much of the card's movement it shared, of late more than
before.
"""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Sequence

import numpy as np

from vision.hands import Hand
from vision.sighting import Points, Sighting, overlap

#: Hands are remembered so long.
REMEMBER_US = 8_000_000
#: A card's way before it came to lie is followed back so far.
WAY_US = 2_500_000
#: A card's way is taken in legs of at least this: a box wavers by nearly as much.
LEAST_MM = 10.0
#: So near to where it is in the end, over so many looks, it has arrived.
LYING_MM = 7.0
SETTLED = 2
#: A hand that went so much another way than the card does not hold it any more.
PARTED_MM = 45.0
#: A hand's middle that is further from the card's cannot hold it.
REACH_MM = 230.0
#: What a hand shared is forgotten over so long a way, because the card may have gone from hand to hand.
FORGET_MM = 50.0
#: So much of the way, at least, a hand must have shared.
SHARED_MM = 12.0
#: A card is turned over by who holds it: that counts for as much of its way.
TURNED_MM = 60.0
#: A hand whose outline meets so much of the card's is upon it.
UPON_SHARE = 0.02
#: Where neither hand was seen to go along, the one that came this near laid it, no longer than this before.
HOLDING_MM = 190.0
LAYING_US = 500_000


class HandLog:
    """`step(t_us, hands)` remembers where the dealer's hands were; `carrier(sightings, rest_us)` says who carried."""

    def __init__(self) -> None:
        self._log: deque[tuple[int, dict[str, Points]]] = deque()  # the hands' outlines by side

    def step(self, t_us: int, hands: Sequence[Hand]) -> None:
        """Takes in the dealer's hands at `t_us`."""
        self._log.append((t_us, {h.side: h.sighting.quad_mm for h in hands if h.side != "unsure"}))
        while self._log[0][0] < t_us - REMEMBER_US:
            self._log.popleft()

    def carrier(self, sightings: Sequence[Sighting], rest_us: int) -> str:
        """'left' or 'right', the dealer's hand that brought the card to where it lay at `rest_us`; or 'unsure'."""
        if not sightings:
            return "unsure"
        then = {t: {side: quad.mean(axis=0) for side, quad in hands.items()} for t, hands in self._log}
        shared = self._shared_mm(sightings, rest_us, then)
        best = max(shared, key=lambda side: shared[side], default=None)
        if best is not None and shared[best] >= SHARED_MM:
            return best
        return self._nearest(sightings, rest_us)

    def left_alone(self, brought: str, card_mm: Points, rest_us: int) -> bool:
        """Whether no other hand was upon a card, at rest since then, when the one that brought it left it."""
        since = [hands for t, hands in self._log if t >= rest_us - LAYING_US]
        touching = (number for number in reversed(range(len(since))) if _meets(since[number], brought, card_mm))
        last = next(touching, None)
        if last is None:
            return False
        return not any(_meets(since[last], side, card_mm) for side in since[last] if side != brought)

    @staticmethod
    def _shared_mm(sightings: Sequence[Sighting], rest_us: int, then: dict[int, dict[str, Points]]) -> dict[str, float]:
        """How many of the millimetres of its way each hand went along."""
        way = _till_it_lay([s for s in sightings if rest_us - WAY_US <= s.t_us])
        shares = _Shares()
        a = way[0] if way else None
        for before, b in itertools.pairwise(way):
            if before.cls != b.cls:
                shares.turned(_near(then.get(b.t_us, {}), b.centre_mm))
            assert a is not None
            if float(np.linalg.norm(b.centre_mm - a.centre_mm)) >= LEAST_MM:
                shares.leg(a, b, then.get(a.t_us, {}), then.get(b.t_us, {}))
                a = b
        if way:
            shares.arrived(way[-1], then.get(way[-1].t_us, {}))
        return shares.mm

    def _nearest(self, sightings: Sequence[Sighting], rest_us: int) -> str:
        """The hand that came nearest to where the card came to lie, shortly before it lay there."""
        place_mm = min(sightings, key=lambda s: abs(s.t_us - rest_us)).centre_mm
        found = [
            (float(np.linalg.norm(quad.mean(axis=0) - place_mm)), side)
            for t, hands in self._log
            if rest_us - LAYING_US <= t <= rest_us
            for side, quad in hands.items()
        ]
        apart_mm, side = min(found, default=(math.inf, "unsure"))
        return side if apart_mm < HOLDING_MM else "unsure"


def _meets(hands: dict[str, Points], side: str, card_mm: Points) -> bool:
    return side in hands and overlap(hands[side], card_mm) > UPON_SHARE


def _till_it_lay(way: Sequence[Sighting]) -> Sequence[Sighting]:
    """The sightings until the card first was where it is in the end: what its box does afterwards is no movement."""
    for number, sighting in enumerate(way):
        if all(float(np.linalg.norm(s.centre_mm - way[-1].centre_mm)) <= LYING_MM for s in way[number:][:SETTLED]):
            return way[: number + 1] if sighting.cls == way[-1].cls else way
    return way


def _near(hands: dict[str, Points], at_mm: Points) -> str | None:
    """The hand nearest to a place, if it can reach it."""
    apart_mm, side = min(
        ((float(np.linalg.norm(mm - at_mm)), side) for side, mm in hands.items()), default=(math.inf, "")
    )
    return side if apart_mm <= REACH_MM else None


class _Shares:
    """`mm` of a card's way that each hand went along, leg by leg."""

    def __init__(self) -> None:
        self.mm: dict[str, float] = {}
        self._holds_mm: dict[str, Points] = {}  # where the card was from the hand when it went along last

    def turned(self, side: str | None) -> None:
        """The card was turned over, by the hand that was nearest."""
        self.mm = {name: mm / 2 for name, mm in self.mm.items()}
        if side is not None:
            self.mm[side] = 2 * self.mm.get(side, 0.0) + TURNED_MM

    def arrived(self, at: Sighting, hands: dict[str, Points]) -> None:
        """The card lies: a hand that had parted from it by then did not lay it."""
        for side in hands.keys() & self._holds_mm.keys():
            if float(np.linalg.norm(at.centre_mm - hands[side] - self._holds_mm[side])) > PARTED_MM:
                self.mm[side] = 0.0

    def leg(self, a: Sighting, b: Sighting, before: dict[str, Points], after: dict[str, Points]) -> None:
        """The card went from `a` to `b`, the hands from `before` to `after`; one that parted from it shares nothing."""
        leg_mm = b.centre_mm - a.centre_mm
        moved_mm = float(np.linalg.norm(leg_mm))
        kept = math.exp(-moved_mm / FORGET_MM)
        self.mm = {side: kept * mm for side, mm in self.mm.items()}
        for side in before.keys() & after.keys():
            from_hand_mm = b.centre_mm - after[side]
            parted_mm = float(np.linalg.norm(leg_mm - (after[side] - before[side])))
            off_mm = float(np.linalg.norm(from_hand_mm - self._holds_mm.get(side, from_hand_mm)))
            if max(parted_mm, off_mm) > PARTED_MM:
                self.mm[side] = 0.0
                self._holds_mm.pop(side, None)
            elif float(np.linalg.norm(from_hand_mm)) <= REACH_MM:
                self.mm[side] = self.mm.get(side, 0.0) + max(moved_mm - parted_mm, 0.0)
                if parted_mm <= moved_mm / 2:
                    self._holds_mm[side] = from_hand_mm
