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
from vision.sighting import Points, Sighting

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
#: Where neither hand was seen to go along, the one that came this near laid it, no longer than this before.
HOLDING_MM = 190.0
LAYING_US = 500_000


class HandLog:
    """`step(t_us, hands)` remembers where the dealer's hands were; `carrier(sightings, rest_us)` says who carried."""

    def __init__(self) -> None:
        self._log: deque[tuple[int, dict[str, Points]]] = deque()

    def step(self, t_us: int, hands: Sequence[Hand]) -> None:
        """Takes in the dealer's hands at `t_us`."""
        self._log.append((t_us, {h.side: h.sighting.centre_mm for h in hands if h.side != "unsure"}))
        while self._log[0][0] < t_us - REMEMBER_US:
            self._log.popleft()

    def carrier(self, sightings: Sequence[Sighting], rest_us: int) -> str:
        """'left' or 'right', the dealer's hand that brought the card to where it lay at `rest_us`; or 'unsure'."""
        if not sightings:
            return "unsure"
        then = dict(self._log)
        shared = self._shared_mm(sightings, rest_us, then)
        best = max(shared, key=lambda side: shared[side], default=None)
        if best is not None and shared[best] >= SHARED_MM:
            return best
        return self._nearest(sightings, rest_us)

    @staticmethod
    def _shared_mm(sightings: Sequence[Sighting], rest_us: int, then: dict[int, dict[str, Points]]) -> dict[str, float]:
        """How many of the millimetres of its way each hand went along."""
        shared: dict[str, float] = {}
        way = _till_it_lay([s for s in sightings if rest_us - WAY_US <= s.t_us])
        a = way[0] if way else None
        for before, b in itertools.pairwise(way):
            if before.cls != b.cls:
                side = _near(then.get(b.t_us, {}), b.centre_mm)
                shared = {name: mm / 2 for name, mm in shared.items()}
                shared[side] = 2 * shared.get(side, 0.0) + TURNED_MM
            assert a is not None
            if float(np.linalg.norm(b.centre_mm - a.centre_mm)) >= LEAST_MM:
                shared = _after_leg(shared, a, b, then)
                a = b
        shared.pop("unsure", None)
        return shared

    def _nearest(self, sightings: Sequence[Sighting], rest_us: int) -> str:
        """The hand that came nearest to where the card came to lie, shortly before it lay there."""
        place_mm = min(sightings, key=lambda s: abs(s.t_us - rest_us)).centre_mm
        found = [
            (float(np.linalg.norm(at - place_mm)), side)
            for t, hands in self._log
            if rest_us - LAYING_US <= t <= rest_us
            for side, at in hands.items()
        ]
        apart_mm, side = min(found, default=(math.inf, "unsure"))
        return side if apart_mm < HOLDING_MM else "unsure"


def _till_it_lay(way: Sequence[Sighting]) -> Sequence[Sighting]:
    """The sightings until the card first was where it is in the end: what its box does afterwards is no movement."""
    for number, sighting in enumerate(way):
        if all(float(np.linalg.norm(s.centre_mm - way[-1].centre_mm)) <= LYING_MM for s in way[number:][:SETTLED]):
            return way[: number + 1] if sighting.cls == way[-1].cls else way
    return way


def _after_leg(
    shared_mm: dict[str, float], a: Sighting, b: Sighting, then: dict[int, dict[str, Points]]
) -> dict[str, float]:
    """What each hand has shared of the way after the leg from `a` to `b`; one that parted from the card, nothing."""
    leg_mm = b.centre_mm - a.centre_mm
    moved_mm = float(np.linalg.norm(leg_mm))
    kept = math.exp(-moved_mm / FORGET_MM)
    shared = {side: kept * mm for side, mm in shared_mm.items()}
    before, after = then.get(a.t_us, {}), then.get(b.t_us, {})
    for side in before.keys() & after.keys():
        parted_mm = float(np.linalg.norm(leg_mm - (after[side] - before[side])))
        if parted_mm > PARTED_MM:
            shared[side] = 0.0
        elif float(np.linalg.norm(after[side] - b.centre_mm)) <= REACH_MM:
            shared[side] = shared.get(side, 0.0) + max(moved_mm - parted_mm, 0.0)
    return shared


def _near(hands: dict[str, Points], at_mm: Points) -> str:
    """The hand nearest to a place, if it can reach it; else 'unsure'."""
    apart_mm, side = min(
        ((float(np.linalg.norm(mm - at_mm)), side) for side, mm in hands.items()), default=(math.inf, "")
    )
    return side if apart_mm <= REACH_MM else "unsure"
