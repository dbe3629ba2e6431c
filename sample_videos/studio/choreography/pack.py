"""The stack on edge with the cover cards that stick in it: carried, tipped, split and joined as one thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sample_videos.studio.choreography.dealing import Dealing
from sample_videos.studio.choreography.handling import Cover, Grip, Stack, move, new_stack
from sample_videos.studio.choreography.tracks import body_point, tucked
from sample_videos.studio.scene import CardPose, StackPose
from sample_videos.studio.stack_shape import along_mm, length_mm


@dataclass(slots=True)
class Inserted:
    """A cover card in a stack: how many cards lie below it, and how far it sticks out up and sideways."""

    cover: Cover
    cards_below: int
    up_mm: float
    out_mm: float
    lean: float

    def in_stack(self, pose: StackPose) -> CardPose:
        """Where it is in the stack at that pose."""
        return tucked(self.cover.last, pose, self.cards_below, up=self.up_mm, out=self.out_mm, lean=self.lean)


@dataclass(slots=True)
class Pack:
    """A stack or packet with what sticks in it."""

    stack: Stack
    covers: list[Inserted] = field(default_factory=list)

    @property
    def pose(self) -> StackPose:
        """Where the stack was last put."""
        return self.stack.last

    @property
    def count(self) -> int:
        """How many cards it has, cover cards not counted."""
        return self.stack.last.count

    def carry(
        self, d: Dealing, hands: Sequence[Grip], seconds: float, goal: StackPose, lift_mm: float = 0.0
    ) -> tuple[int, int]:
        """The hands take it to `goal`; returns when that began and ended."""
        covers = [(card.cover, card.in_stack(goal)) for card in self.covers]
        return move(d, hands, seconds, stacks=[(self.stack, goal)], covers=covers, lift_mm=lift_mm)

    def set(self, t_us: int, pose: StackPose) -> None:
        """From `t_us` on it is so."""
        self.stack.put(t_us, pose)
        for card in self.covers:
            card.cover.put(t_us, card.in_stack(pose))


def split(d: Dealing, pack: Pack, cards_below: int, *, covers_go: bool = True) -> Pack:
    """The cards above `cards_below` become a packet of their own, where they are; returns it.

    A cover card just there goes with the upper packet, at its lower end, if `covers_go`; else it stays with the
    lower one, at its upper end.
    """
    pose, t_us = pack.pose, d.now_us
    upper_cards = pose.count - cards_below
    gap = sum(width for at, width in pose.gaps if abs(at - cards_below / pose.count) < 1e-9)
    cut = along_mm(pose, cards_below)
    low_gaps = tuple((at * pose.count / cards_below, w) for at, w in pose.gaps if at * pose.count < cards_below - 0.5)
    up_gaps = tuple(
        ((at * pose.count - cards_below) / upper_cards, w) for at, w in pose.gaps if at * pose.count > cards_below + 0.5
    )
    low = replace(pose, count=cards_below, gaps=low_gaps)
    low = placed(low, pose, cut - gap / 2 - length_mm(low) / 2)
    up = replace(pose, count=upper_cards, gaps=up_gaps, seed=pose.seed + 1)
    up = placed(up, pose, cut + gap / 2 + length_mm(up) / 2)
    upper = Pack(new_stack(d, up, t_us))
    upper.covers = [
        replace(card, cards_below=card.cards_below - cards_below)
        for card in pack.covers
        if card.cards_below > cards_below or (card.cards_below == cards_below and covers_go)
    ]
    pack.covers = [
        card
        for card in pack.covers
        if card.cards_below < cards_below or (card.cards_below == cards_below and not covers_go)
    ]
    pack.stack.put(t_us, low)
    return upper


def placed(part: StackPose, whole: StackPose, along: float) -> StackPose:
    """The part with its middle `along` mm from the whole's middle."""
    x, y, _ = body_point(whole, along)
    return replace(part, centre=(x, y, part.centre[2]))


def join(d: Dealing, lower: Pack, upper: Pack) -> None:
    """Both are one stack from now on, `upper` above `lower`; the result is in `lower`."""
    low, up = lower.pose, upper.pose
    count = low.count + up.count
    gaps = [(at * low.count / count, w) for at, w in low.gaps]
    gaps += [((low.count + at * up.count) / count, w) for at, w in up.gaps]
    whole = replace(low, count=count, gaps=tuple(gaps))
    lower.covers += [replace(card, cards_below=card.cards_below + low.count) for card in upper.covers]
    middle = (length_mm(up)) / 2
    whole = placed(whole, low, middle)
    upper.stack.end(d.now_us)
    lower.set(d.now_us, whole)


def beyond(pose: StackPose, other: StackPose, *, below: bool, gap_mm: float = 1.0) -> StackPose:
    """The `other` stack's pose just beyond the lower (or upper) end of a stack on edge."""
    reach = (length_mm(pose) + length_mm(other)) / 2 + gap_mm
    x, y, _ = body_point(pose, -reach if below else reach)
    return replace(other, centre=(x, y, pose.centre[2]), yaw=pose.yaw, tip=pose.tip, on_edge=pose.on_edge)


def open_at(pose: StackPose, cards_below: int, width_mm: float) -> StackPose:
    """The stack with an opening where a cover card goes in, its lower part where it was."""
    share = cards_below / pose.count
    kept = tuple(gap for gap in pose.gaps if abs(gap[0] - share) > 1e-9)
    opened = replace(pose, gaps=tuple(sorted((*kept, (share, width_mm)))))
    return placed(opened, pose, (length_mm(opened) - length_mm(pose)) / 2)
