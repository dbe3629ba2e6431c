"""One card on two tracks: seen now as one, now as the other, hardly ever as both.

A card in a fast hand is boxed askew, twice, or in halves under fingers. Two tracks then take turns, and each seems to
be a card that was drawn. Nobody draws two cards within so short a time, and of two cards both would be seen.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from vision.card import Card

#: Two that were drawn no further apart than this, or of which one was not surely seen drawn, may be one.
SAME_DRAW_US = 280_000
SURELY = 1.0
#: Where one is lost the other goes on so soon, and no further away than a hand gets.
TURN_US = 350_000
NEAR_MM, HAND_SPEED_MM_S = 90.0, 2300.0
#: Seen together, each by a box as sure as this, more often than so, they are two.
TOGETHER_SCORE, TOGETHER_LOOKS = 0.5, 2

#: Seen so far from each other in so many looks, whatever the boxes are worth, they are two.
APART_MM, APART_LOOKS = 150.0, 2


def twins(cards: Sequence[Card]) -> list[tuple[Card, Card]]:
    """Pairs (card, the same card under another number), the one that was drawn first before the other."""
    under_way = [c for c in cards if c.drawn and c.placed_us is None and not c.told and c.entered_us is None]
    pairs = itertools.combinations(under_way, 2)
    return [pair for pair in pairs if _may_be_one(*pair) and _takes_over(*pair) and not _both_seen(*pair)]


def seen_apart(one: Card, other: Card) -> bool:
    """Whether two were seen at the same time in different places, so that they cannot be one."""
    where = {s.t_us: s.centre_mm for s in one.sightings}
    both = [(where[s.t_us], s.centre_mm) for s in other.sightings if s.t_us in where]
    return sum(float(np.linalg.norm(a - b)) >= APART_MM for a, b in both) >= APART_LOOKS


def _may_be_one(elder: Card, younger: Card) -> bool:
    soon = abs(younger.drawn_us - elder.drawn_us) <= SAME_DRAW_US
    return soon or min(younger.confidence, elder.confidence) < SURELY


def _takes_over(elder: Card, younger: Card) -> bool:
    """Whether one of the two is lost now, and the other goes on from there."""
    lost, goes_on = sorted((elder, younger), key=lambda card: card.last.t_us)
    if lost.last.t_us == goes_on.last.t_us or lost.track is None or lost.track.rest_us is not None:
        return False
    then = next(s for s in goes_on.sightings if s.t_us > lost.last.t_us)
    gap_us = then.t_us - lost.last.t_us
    apart_mm = float(np.linalg.norm(then.centre_mm - lost.last.centre_mm))
    return gap_us <= TURN_US and apart_mm <= NEAR_MM + HAND_SPEED_MM_S * gap_us / 1e6


def _both_seen(elder: Card, younger: Card) -> bool:
    sure = {s.t_us for s in elder.sightings if s.score >= TOGETHER_SCORE}
    return sum(s.t_us in sure and s.score >= TOGETHER_SCORE for s in younger.sightings) > TOGETHER_LOOKS
