"""Whose hand is which: the dealer's left and right by order, remembered while one is out of sight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.sighting import Points, Sighting

#: The dealer's hands work on this side of the table's edge; hands further out are players'.
DEALER_REACH_MM = 420.0
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
        near = sorted(near, key=lambda s: -s.score)[:2]
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


def nearest_hand(hands: Sequence[Hand], point_mm: Points) -> tuple[Hand | None, float]:
    """The hand nearest to a point, and its distance from the hand's outline's middle, mm."""
    if not hands:
        return None, float("inf")
    distances = [float(np.linalg.norm(h.sighting.centre_mm - point_mm)) for h in hands]
    best = int(np.argmin(distances))
    return hands[best], distances[best]
