"""How far along a stack its cards lie: cards near its ends lie looser than those in the middle.

The choreography asks here where a cover card stands. `stacks.py` draws the cards' edges at the same places: the pitch
goes with 1 + looseness x (twice the share from the middle) squared, and the whole is as long as without.
"""

from __future__ import annotations

from collections.abc import Sequence

from sample_videos.studio.scene import CARD_THICKNESS_MM, StackPose


def depth_mm(cards: float, pose: StackPose) -> float:
    """How far `cards` cards reach from an end of the stack, openings not counted; at most half of its cards."""
    share, loose = cards / pose.count, pose.end_looseness
    packed = (share + loose * (1.0 - (1.0 - 2.0 * share) ** 3) / 6.0) / (1.0 + loose / 3.0)
    return pose.count * CARD_THICKNESS_MM * packed


def length_mm(pose: StackPose) -> float:
    """The length of a stack from its bottom card to its top card, openings included."""
    return pose.count * CARD_THICKNESS_MM + sum(width for _, width in pose.gaps)


def along_mm(pose: StackPose, cards_below: float) -> float:
    """How far from the stack's middle, towards its top, the place lies that has `cards_below` cards below it.

    Where there is an opening, its middle.
    """
    if cards_below <= pose.count / 2:
        along = depth_mm(cards_below, pose)
    else:
        along = pose.count * CARD_THICKNESS_MM - depth_mm(pose.count - cards_below, pose)
    return along - length_mm(pose) / 2 + _opened(pose.gaps, cards_below / pose.count)


def _opened(gaps: Sequence[tuple[float, float]], share: float) -> float:
    """What the openings below a place take up, and half of one that is just there."""
    return sum(width / 2 if abs(at - share) < 1e-9 else width if at < share else 0.0 for at, width in gaps)
