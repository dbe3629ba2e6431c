"""How well a view measures what clauses ask for: the error to be expected, worked out from millimetres per pixel.

The model of a depth in cards: each of two lines on the edge of a standing stack is placed to half a pixel, and
looseness, lean and lacing near the ends add seven tenths of a card whatever the view. A depth is decided by the bound
that holds with 95 % on its own side: compliant if even the lower bound reaches the limit, breached if not even the
upper one does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

#: Thickness of a card: 416 of them are 121 to 129 mm.
CARD_MM = 0.305
LINE_PX, SYSTEMATIC_CARDS = 0.5, 0.7
#: Sigmas to the bound that holds with 95 % on one side.
ONE_SIDED = 1.645
#: A card of a ribbon is 8 to 15 mm from the next, and told from it from 5 pixels on.
RIBBON_MM, RIBBON_PX = 8.0, 5.0
#: Lacing sticks out by several millimetres to centimetres, and is told from a squared edge from 3 pixels on.
LACE_MM, LACE_PX = 4.0, 3.0
#: A packet that is lifted is measured once more by itself; so many sigmas part "all" from "some were left behind".
TWO_SIDED = 1.96


@dataclass(frozen=True, slots=True)
class Depths:
    """Which depths a view can decide: compliant from `from_cards` on, breached up to `to_cards` (None: none is)."""

    sigma_cards: float
    from_cards: int
    to_cards: int | None


def px_per_card(mm_per_px: float) -> float:
    """Pixels of one card on the edge of a standing stack."""
    return CARD_MM / mm_per_px


def depth_sigma_cards(mm_per_px: float) -> float:
    """The standard error of a depth measured on a stack's edge, in cards."""
    return math.hypot(LINE_PX * math.sqrt(2) / px_per_card(mm_per_px), SYSTEMATIC_CARDS)


def depths(mm_per_px: float, at_least: float) -> Depths:
    """The depths that can be decided against a limit of so many whole cards."""
    sigma = depth_sigma_cards(mm_per_px)
    edge = at_least - 0.5  # the limit is between whole cards
    below = math.ceil(edge - ONE_SIDED * sigma) - 1
    return Depths(sigma, math.ceil(edge + ONE_SIDED * sigma), below if below >= 0 else None)


def ribbon_is_counted(mm_per_px: float) -> bool:
    """Whether the cards of a ribbon can be counted one by one."""
    return RIBBON_MM / mm_per_px >= RIBBON_PX


def lace_is_seen(mm_per_px: float) -> bool:
    """Whether a laced edge can be told from a squared one."""
    return LACE_MM / mm_per_px >= LACE_PX


@dataclass(frozen=True, slots=True)
class Measure:
    """What a clause measures: in words, how, and the name of its limit in the pack."""

    what: str
    how: str
    limit: str | None = None


DEPTH, RIBBON, LACE, PACKET = "depth", "ribbon", "lace", "packet"
#: By the end of a clause's id.
MEASURES: Mapping[str, Measure] = {
    "(c)-depth": Measure("depth of the cut", DEPTH, "cut_min_cards"),
    "(d)-seconddepth": Measure("depth of the second cover card", RIBBON, "second_cover_min_cards"),
    "(a)-feather": Measure("laced share of the stack", LACE),
    "(d)-movepacket": Measure("cards of the packet moved", PACKET),
}


def measure_of(clause_id: str) -> Measure | None:
    """What a clause measures; None if it measures nothing in cards or lengths."""
    return next((measure for end, measure in MEASURES.items() if clause_id.endswith(end)), None)


def error_text(measure: Measure, mm_per_px: float) -> str:
    """The error to be expected, in words."""
    sigma = f"sigma {depth_sigma_cards(mm_per_px):.1f} cards ({px_per_card(mm_per_px):.2f} px to a card)"
    if measure.how == LACE:
        seen = "seen" if lace_is_seen(mm_per_px) else "too fine to be seen"
        return f"{LACE_MM:g} mm of lacing are {LACE_MM / mm_per_px:.1f} px: {seen}"
    if measure.how == PACKET:
        return f"{sigma}; cards left behind are noticed from {_left_behind(mm_per_px)} on"
    if measure.how == RIBBON and ribbon_is_counted(mm_per_px):
        return f"exact on a ribbon ({RIBBON_MM / mm_per_px:.0f} px from card to card); without one {sigma}"
    return sigma


def _left_behind(mm_per_px: float) -> int:
    """Cards left behind that show in the difference of two lengths."""
    return math.ceil(TWO_SIDED * math.sqrt(2) * depth_sigma_cards(mm_per_px))


def decides_text(measure: Measure, mm_per_px: float, at_least: float | None) -> str:
    """What this error lets one decide, in words; "" if the measurement has no limit in cards."""
    if at_least is None:
        return ""
    found = depths(mm_per_px, at_least)
    breached = "a violation is never told" if found.to_cards is None else f"violation up to {found.to_cards}"
    text = f"of {at_least:g} asked: compliant from {found.from_cards} cards, {breached}"
    if measure.how == RIBBON and ribbon_is_counted(mm_per_px):
        return f"every number on a ribbon; without one, {text}"
    between = range((found.to_cards + 1) if found.to_cards is not None else 0, found.from_cards)
    return f"{text}, {between.start} to {between.stop - 1} indeterminate" if len(between) > 0 else text
