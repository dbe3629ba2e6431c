"""How thick a stack is where: cards near its ends lie looser than those inside.

The one place that says it, for the choreography (where a cover card stands) and for the drawing (where edges are).
Two to three centimetres from either end the pitch of the cards falls from `1 + looseness` to 1 card thickness, as
`exp(-cards / LOOSE_CARDS)`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sample_videos.studio.scene import CARD_THICKNESS_MM, StackPose

LOOSE_CARDS = 12.0


def depth_mm(cards: float, looseness: float) -> float:
    """How far `cards` cards reach from an end of a long stack."""
    return CARD_THICKNESS_MM * (cards + looseness * LOOSE_CARDS * (1.0 - math.exp(-cards / LOOSE_CARDS)))


def bare_mm(count: int, looseness: float) -> float:
    """The length of a stack without openings."""
    return 2.0 * depth_mm(count / 2, looseness)


def length_mm(pose: StackPose) -> float:
    """The length of a stack from its bottom card to its top card, openings included."""
    return bare_mm(pose.count, pose.end_looseness) + sum(width for _, width in pose.gaps)


def along_mm(pose: StackPose, cards_below: float) -> float:
    """How far from the stack's middle, towards its top, the place lies that has `cards_below` cards below it.

    Where there is an opening, its middle.
    """
    whole = bare_mm(pose.count, pose.end_looseness)
    if cards_below <= pose.count / 2:
        along = depth_mm(cards_below, pose.end_looseness)
    else:
        along = whole - depth_mm(pose.count - cards_below, pose.end_looseness)
    return along - length_mm(pose) / 2 + _opened(pose.gaps, cards_below / pose.count)


def _opened(gaps: Sequence[tuple[float, float]], share: float) -> float:
    """What the openings below a place take up, and half of one that is just there."""
    return sum(width / 2 if abs(at - share) < 1e-9 else width if at < share else 0.0 for at, width in gaps)
