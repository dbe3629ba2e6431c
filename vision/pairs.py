"""Whether what was burned as one card was two, drawn together: by its size, and by how it looks to the reader.

Two cards can be told only where their edges stand apart: then the whole is longer or wider than a card. Blur makes a
card wider too, along its way and in some looks only, so the size is the lower quarter of what was seen.
"""

from __future__ import annotations

import numpy as np

from vision.card import Card

#: A card as the detector boxes it: 63.5 x 88.9 mm and a little, seen in a hand, nearer to the camera.
CARD_MM = np.array([64.5, 88.9])
#: Larger than the others by so much on both sides together, it is two; by less, if it also looks like two.
TWO_MM, TWO_LOOKING_MM = 7.5, 3.5
#: ... by so much it may be two, and by so much if it looks more like two than the others.
MAYBE_MM, MAYBE_LOOKING_MM = 4.5, 0.8
#: What looks like two, as far as the reader tells (probability): to say so, or to doubt; and this many times as much as
#: the others. What surely does, where the others look like one.
LOOKS, LEANS, TIMES = 0.1, 0.04, 2.0
SURELY_LOOKS, SINGLE_LOOKS, LEAST_OTHERS = 0.7, 0.35, 2


class Pairs:
    """`amount(card, shown)` for each burned card of a shoe, in order."""

    def __init__(self) -> None:
        self._scores: list[float] = []
        self._sides_mm: list[tuple[float, float]] = []

    def amount(self, card: Card, shown: Card | None) -> tuple[int, int]:
        """How many cards were drawn as one, likely and at most.

        A strange back or a blurred camera can make every card large, and look like two, so a card is held against the
        others of its shoe; the first one against the shoe's first card, `shown`, which is one and was seen for long.
        """
        larger_mm, score, others = self._larger_mm(card, shown), card.pair_score or 0.0, list(self._scores)
        usual = float(np.median(others)) if others else 0.0
        if card.pair_score is not None:
            self._scores.append(score)
        if larger_mm is None:
            surely = score >= SURELY_LOOKS and len(others) >= LEAST_OTHERS and usual <= SINGLE_LOOKS
            return 1, 2 if surely else 1
        more = score >= TIMES * usual
        if larger_mm >= (TWO_LOOKING_MM if more and score >= LOOKS else TWO_MM):
            return 2, 2
        return 1, 2 if larger_mm >= (MAYBE_LOOKING_MM if more and score >= LEANS else MAYBE_MM) else 1

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
