"""What a cut and its packet come to in cards, with the doubt that is left where boxes alone tell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from vision.change.box import Box
from vision.change.measures import Measured, facts_of
from vision.change.pose import THICK_MM
from vision.change.unseen import Transfer
from vision.sighting import Points

#: How well boxes alone tell a depth: a fixed part, and a share of it.
BOX_CARDS = 14.0
BOX_SHARE = 0.06
#: ... from so many sightings of the cover card at least, most of them no further apart than this.
BOX_LOOKS = 4
BOX_SPREAD_MM = 6.0
#: How well boxes tell that a packet was shorter than it should be.
LEFT_CARDS = 28.0
#: A packet that is short of what lay above the cover card by no more than this is as long as it should be.
AGREE_CARDS = 10.0


def by_boxes(places: Sequence[Points], stack: Box | None, cards: int) -> Measured:
    """The cards above a cover card that was seen at these places (2,) of the stack of so many cards."""
    if not places or stack is None:
        return Measured(reason="the cover card was not seen in the stack")
    lengthwise = np.array([p[0] for p in places])
    along = float(np.median(lengthwise))
    if len(lengthwise) < BOX_LOOKS or float(np.median(np.abs(lengthwise - along))) > BOX_SPREAD_MM:
        return Measured(reason="the cover card was hardly seen in the stack")
    share = (stack.length_mm / 2 - along) / stack.length_mm
    above = min(max(share, 0.0), 1.0) * cards
    half = BOX_CARDS + BOX_SHARE * min(above, cards - above)
    return Measured(above, max(above - half, 0.0), min(above + half, float(cards)))


def from_other_end(measured: Measured, cards: int) -> Measured:
    """Cards counted from the other end of a stack of so many."""
    if measured.value is None or measured.low is None or measured.high is None:
        return Measured(reason=measured.reason)
    n = float(cards)
    return Measured(n - measured.value, n - measured.high, n - measured.low, measured.marks)


def depth_facts(above: Measured, cards: int, backs_away: bool | str) -> dict[str, Any]:
    """Cards above the cover card, as a depth from the nearer end."""
    if above.value is None or above.low is None or above.high is None:
        return {"from": "unsure"}
    n = float(cards)
    nearest = "top" if above.value <= n / 2 else "bottom"
    depth = above if nearest == "top" else from_other_end(above, cards)
    facts = facts_of("depth_cards", depth, highest=n)
    if above.low < n / 2 < above.high:
        nearest = "unsure"
    return facts | {"from": _end(nearest, backs_away)}


def _end(end: str, backs_away: bool | str) -> str:
    """Top or bottom, for an end that would be it if the backs faced the players."""
    if backs_away is True or end not in ("top", "bottom"):
        return end
    return "unsure" if backs_away == "unsure" else {"top": "bottom", "bottom": "top"}[end]


def packet_facts(transfer: Transfer, above: Measured, cards: int) -> dict[str, Any]:
    """The cards of a packet: those above the cover card that went along, else by its length beside the rest's."""
    if above.known:
        return _whole_packet(transfer, above, cards)
    if transfer.length_mm is None or transfer.rest_mm is None:
        return {}
    share = transfer.length_mm / max(transfer.length_mm + transfer.rest_mm, 1.0)
    moved = share * cards
    half = BOX_CARDS * 1.5 + 0.08 * moved
    return facts_of("cards", Measured(moved, moved - half, moved + half), highest=float(cards))


def _whole_packet(transfer: Transfer, above: Measured, cards: int) -> dict[str, Any]:
    """All that was above the cover card, unless the packet itself was seen to be shorter."""
    facts = facts_of("cards", above, highest=float(cards))
    if transfer.length_mm is None or above.value is None:
        return facts
    short = above.value - transfer.length_mm / THICK_MM
    if not AGREE_CARDS < short <= LEFT_CARDS:
        return facts  # as long as it should be; boxes alone do not accuse anybody of leaving more cards behind
    left = Measured(0.0, 0.0, short + LEFT_CARDS)
    return facts | facts_of("left_behind_cards", left, highest=float(cards))
