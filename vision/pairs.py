"""Whether what was burned as one card was two, drawn together: by its size, and by how it looks to the reader.

Two cards can be told only where their edges stand apart: then the whole is longer, wider, or covers more than a card.
Fingers hide a part of every card alike, and blur makes some looks of it larger, so what it covers is held against the
others of its shoe: a doubt needs no more than that, "two" needs sides that no card has.
"""

from __future__ import annotations

import numpy as np

from vision.card import Card

#: A card as the detector boxes it: 63.5 x 88.9 mm and a little, seen in a hand, nearer to the camera.
CARD_MM = np.array([64.5, 88.9])
#: Larger than the others by so much on both sides together, it is two; by less, if it also looks like two.
TWO_MM, TWO_LOOKING_MM = 7.5, 3.5
#: What looks like two, as far as the reader tells (probability), and this many times as much as the others.
LOOKS, TIMES = 0.1, 2.0
#: It covers this many times what a card of this shoe does, and may be two; less, if it looks like two. The first one:
#: what any card does, or it has so much longer sides than the card that was shown.
MAYBE_TIMES, MAYBE_LOOKING_TIMES, MAYBE_TIMES_FIRST, MAYBE_MM = 1.05, 1.03, 1.088, 4.5
#: What a card of a shoe covers is told by those before; what is known of any card counts as much as so many of them.
BEFOREHAND = 2


class Pairs:
    """`amount(card, shown)` for each burned card of a shoe, in order."""

    def __init__(self) -> None:
        self._scores: list[float] = []
        self._sides_mm: list[tuple[float, float]] = []
        self._areas_mm2: list[float] = []

    def amount(self, card: Card, shown: Card | None) -> tuple[int, int]:
        """How many cards were drawn as one, likely and at most.

        A strange back or a blurred camera can make every card large, and look like two, so a card is held against the
        others of its shoe; the first one against the shoe's first card, `shown`, which is one and was seen for long.
        One of which too little was seen may be two.
        """
        first, score = not self._areas_mm2, card.pair_score or 0.0
        larger_mm = self._larger_mm(card, shown)
        usual = float(np.median(self._scores)) if self._scores else 0.0
        if card.pair_score is not None:
            self._scores.append(score)
        looks = score >= LOOKS and score >= TIMES * usual
        times = self._times(card, looks)
        if larger_mm is not None and larger_mm >= (TWO_LOOKING_MM if looks else TWO_MM):
            return 2, 2
        larger = first and larger_mm is not None and larger_mm >= MAYBE_MM
        return 1, 1 if times is not None and times < 1 and not larger else 2

    def _times(self, card: Card, looks: bool) -> float | None:
        """How large it is beside what may be two (1 and more: it may be); None if it was not seen well."""
        area, others = card.back_area_mm2, list(self._areas_mm2)
        if area is None:
            return None
        self._areas_mm2.append(area)
        any_card = float(CARD_MM.prod())
        if not others:
            return area / (MAYBE_TIMES_FIRST * any_card)
        usual = (len(others) * float(np.median(others)) + BEFOREHAND * any_card) / (len(others) + BEFOREHAND)
        return area / ((MAYBE_LOOKING_TIMES if looks else MAYBE_TIMES) * usual)

    def _larger_mm(self, card: Card, shown: Card | None) -> float | None:
        """By how many mm both sides together exceed those of a card of this shoe; None if it was not seen well."""
        sides, others = card.back_sides_mm, list(self._sides_mm)
        if sides is None:
            return None
        self._sides_mm.append(sides)
        usual = CARD_MM
        if others:
            usual = np.maximum(CARD_MM, np.median(others, axis=0))
        elif shown is not None and shown is not card and shown.face_sides_mm is not None:
            usual = np.maximum(CARD_MM, shown.face_sides_mm)
        return float(np.maximum(np.array(sides) - usual, 0.0).sum())
