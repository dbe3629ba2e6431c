"""Whose hand is which: the dealer's left and right by order, remembered while one is out of sight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.sighting import Points, Sighting

#: The dealer's hands work on this side of the table's edge; hands further out are players'.
DEALER_REACH_MM = 420.0
#: Of two hands the one nearer to the dealer is believed his unless it is seen worse by 1 in this many mm.
NEARER_MM = 1000.0
#: A third hand in his reach, a player's, is seen about as well as his own two: at least this share of the lesser one.
THIRD_SHARE = 0.8
#: How long the place of a hand that is out of sight still tells it from the other.
REMEMBER_US = 1_500_000


@dataclass(frozen=True, slots=True, eq=False)
class Hand:
    """A hand at one moment; `side` is left, right (the dealer's) or unsure."""

    side: str
    sighting: Sighting


class Hands:
    """`step(t_us, sightings)` names the dealer's hands in view."""

    def __init__(self) -> None:
        self._last: dict[str, Sighting] = {}

    def step(self, t_us: int, sightings: Sequence[Sighting]) -> list[Hand]:
        """The dealer's hands of this moment, left before right."""
        near = [s for s in sightings if s.centre_mm[1] < DEALER_REACH_MM]
        near = sorted(near, key=_dealers, reverse=True)[:2]
        near.sort(key=lambda s: float(s.centre_mm[0]))
        if len(near) == 2:
            hands = [Hand("left", near[0]), Hand("right", near[1])]
        else:
            hands = [Hand(self._remembered(t_us, s), s) for s in near]
        for hand in hands:
            if hand.side != "unsure":
                self._last[hand.side] = hand.sighting
        return hands

    def _remembered(self, t_us: int, sighting: Sighting) -> str:
        """The side whose last place is nearest, while that memory is fresh."""
        best, side = 200.0, "unsure"
        for name, last in self._last.items():
            distance = float(np.linalg.norm(last.centre_mm - sighting.centre_mm))
            if t_us - last.t_us <= REMEMBER_US and distance < best:
                best, side = distance, name
        return side


def believed(sightings: Sequence[Sighting]) -> list[Sighting]:
    """The hands without those that are none: what is taken for a third one in the dealer's reach, and is seen worse.

    A pile of cards with a fine pattern can look like the back of a hand; it would seem to hide what it lies in.
    """
    near = sorted((s for s in sightings if s.centre_mm[1] < DEALER_REACH_MM), key=_dealers, reverse=True)
    least = THIRD_SHARE * min((s.score for s in near[:2]), default=0.0)
    false = {id(s) for s in near[2:] if s.score < least}
    return [s for s in sightings if id(s) not in false]


def _dealers(sighting: Sighting) -> float:
    """How likely a hand is one of the dealer's, as against another one: sure, and near to him."""
    return sighting.score - float(sighting.centre_mm[1]) / NEARER_MM


def nearest_hand(hands: Sequence[Hand], point_mm: Points) -> tuple[Hand | None, float]:
    """The hand nearest to a point, and its distance from the hand's outline's middle, mm."""
    if not hands:
        return None, float("inf")
    distances = [float(np.linalg.norm(h.sighting.centre_mm - point_mm)) for h in hands]
    best = int(np.argmin(distances))
    return hands[best], distances[best]
