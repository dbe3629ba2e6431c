"""A hand shuffle from the piles to the last riffle, which leaves the stack laced."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from sample_videos.studio.choreography.dealing import Dealing
from sample_videos.studio.choreography.handling import Stack, flat, grip_flat, hands_off, move, new_stack, wait
from sample_videos.studio.choreography.offering import stand_up
from sample_videos.studio.choreography.pack import Pack
from sample_videos.studio.choreography.riffling import (
    LEFT_PILE,
    RIGHT_PILE,
    grab,
    push_together,
    put_on,
    riffle,
    split_top,
    square_edge,
    strip,
    to_corners,
)


@dataclass(frozen=True, slots=True)
class Shuffle:
    """One hand shuffle. `feathered` parts of the stack's length stay laced by `lace_mm`."""

    rounds: int = 2
    strip: bool = True
    twice: bool = False  # each packet is riffled again after the strip
    wash: bool = False
    halves: bool = True  # a last riffle of the two halves; else each packet is left laced on the working stack
    laced: tuple[tuple[float, float], ...] = ((0.0, 1.0),)
    lace_mm: float = 14.0
    slug_cards: int = 0  # a block that is never riffled
    yaw: float = math.pi / 2
    look_s: float = 2.2  # the floor looks at the laced stack

    @property
    def feathered(self) -> float:
        """The share of the stack's length that is left unsquared."""
        return sum(end - start for start, end in self.laced)


def piles_of(d: Dealing, cards: int, plan: Shuffle) -> tuple[Stack, Stack]:
    """The gathered cards lie in two piles when the scene starts."""
    left = cards // 2
    return (
        new_stack(d, flat(d, left, LEFT_PILE, plan.yaw), 0),
        new_stack(d, flat(d, cards - left, RIGHT_PILE, plan.yaw), 0),
    )


def shuffle(d: Dealing, piles: tuple[Stack, Stack], plan: Shuffle) -> Pack:
    """All rounds and the last riffle; returns the laced stack on edge, hands off, and tells of `shuffle.end`."""
    slug = split_off_slug(d, piles[1], plan.slug_cards) if plan.slug_cards else None
    working: Stack | None = None
    for number in range(plan.rounds):
        left = plan.rounds - number
        each = max(math.ceil(pile.last.count / left) for pile in piles)
        packet = _packet_round(d, piles, each, plan)
        working = put_on(d, packet, working)
    assert working is not None
    return finish(d, working, plan, slug)


def finish(d: Dealing, working: Stack, plan: Shuffle, slug: Stack | None = None) -> Pack:
    """The last riffle, and the stack stood on edge and left as planned; returns it."""
    stack = _last_riffle(d, working, plan) if plan.halves else working
    if slug is not None:
        stack = _slug_on_top(d, slug, stack)
    pack = stand_up(d, stack)
    _leave(d, pack, plan)
    return pack


def _packet_round(d: Dealing, piles: tuple[Stack, Stack], each: int, plan: Shuffle) -> Stack:
    packet = riffle(d, grab(d, piles, each), d.jitter(1.2))
    push_together(d, packet, 3.0 if plan.strip or plan.halves else plan.lace_mm)
    if not plan.strip:
        return packet
    packet.put(d.now_us, replace(packet.last, lace=()))
    packet = strip(d, packet, int(d.rng.integers(6, 10)))
    if plan.twice or not plan.halves:
        packet = _in_two(d, packet)
        push_together(d, packet, 3.0 if plan.halves else plan.lace_mm)
    return packet


def _in_two(d: Dealing, stack: Stack) -> Stack:
    """The stack is split into halves, which are riffled; returns the wide open laced stack."""
    move(d, grip_flat(d, stack.last), 0.3, lift_mm=12)
    half = split_top(d, stack, stack.last.count // 2)
    to_corners(d, (half, stack))
    return riffle(d, (half, stack), d.jitter(1.2))


def _last_riffle(d: Dealing, working: Stack, plan: Shuffle) -> Stack:
    stack = _in_two(d, working)
    push_together(d, stack, plan.lace_mm, 0.7)
    return stack


def split_off_slug(d: Dealing, pile: Stack, cards: int) -> Stack:
    """A block at the bottom of a pile that stays apart from the start."""
    pose = pile.stops[0].pose
    slug = new_stack(d, replace(pose, count=cards, centre=(pose.centre[0] + 10, pose.centre[1] - 100, 0.0)), 0)
    pile.stops[0] = replace(pile.stops[0], pose=replace(pose, count=pose.count - cards))
    return slug


def _slug_on_top(d: Dealing, slug: Stack, stack: Stack) -> Stack:
    share = stack.last.count / (stack.last.count + slug.last.count)
    lace = tuple((a * share, b * share, mm) for a, b, mm in stack.last.lace)
    put_on(d, slug, stack, (stack.last.centre[0], stack.last.centre[1]))
    stack.put(d.now_us, replace(stack.last, lace=lace))
    return stack


def _leave(d: Dealing, pack: Pack, plan: Shuffle) -> None:
    """The stack is left as planned, parts of it squared, and the floor may look at it."""
    whole = plan.laced == ((0.0, 1.0),)
    if not whole and not plan.slug_cards:
        square_edge(d, pack, plan.laced)
    hands_off(d)
    feathered = round(sum(b - a for a, b, _ in pack.pose.lace), 4)
    d.event(
        "shuffle.end", d.now_us, d.now_us, method="manual", feathered=feathered, feathered_low=feathered,
        feathered_high=feathered, stacks=1,
    )  # fmt: skip
    d.moments["shuffled"] = d.now_us
    wait(d, d.jitter(plan.look_s))
    d.moments["looked"] = d.now_us
