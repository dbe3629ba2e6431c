"""The second cover card's depth, put right by what surfaces later.

When it comes out of the shoe, the cards dealt after it and those then left in the shoe are all that lay under it: small
numbers, counted one by one. They confirm or correct what was read off the ribbon or the strip (58 Pa. Code 629a.5(d)).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Span:
    """A number of cards between `low` and `high`, most likely `value`."""

    value: float
    low: float
    high: float

    def __post_init__(self) -> None:
        if not self.low <= self.value <= self.high:
            raise ValueError(f"{self.value} cards are not within [{self.low}, {self.high}]")


@dataclass(frozen=True, slots=True)
class SecondDepth:
    """Cards under the second cover card. `outcome` is 'confirmed', 'corrected' or, without anything later, 'early'.

    `gap_cards` is how far what surfaced lies from the earlier interval, 0 where they meet.
    """

    value: float
    low: float
    high: float
    outcome: str
    gap_cards: float
    unit: str = "cards"


def surfaced(cards_since: Span, cards_left: Span) -> Span:
    """Cards that lay under the cover card: those dealt after it came out, and those left then."""
    return Span(
        cards_since.value + cards_left.value, cards_since.low + cards_left.low, cards_since.high + cards_left.high
    )


def settle_second(early: Span | None, later: Span | None) -> tuple[SecondDepth | None, str]:
    """The second cover card's depth from what was measured at the insertion and from what surfaced, or None and why.

    Where the two intervals meet, the depth lies in both of them. Where they do not, what surfaced stands: it was
    counted, and the earlier reading is said to be corrected.
    """
    if early is None and later is None:
        return None, "neither the insertion nor the cards after it were seen"
    if later is None:
        assert early is not None
        return SecondDepth(early.value, early.low, early.high, "early", 0.0), ""
    if early is None:
        return SecondDepth(later.value, later.low, later.high, "corrected", 0.0), ""
    gap = max(0.0, later.low - early.high, early.low - later.high)
    if gap > 0:
        return SecondDepth(later.value, later.low, later.high, "corrected", gap), ""
    low, high = max(early.low, later.low), min(early.high, later.high)
    nearer = later if later.high - later.low <= early.high - early.low else early
    return SecondDepth(min(max(nearer.value, low), high), low, high, "confirmed", 0.0), ""
