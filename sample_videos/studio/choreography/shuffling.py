"""The shuffle: wash, piles, grabs, riffle, strip, square, and the last riffle that leaves the stack laced."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from sample_videos.studio.choreography.dealer import us
from sample_videos.studio.choreography.dealing import RANKS, SUITS, Dealing
from sample_videos.studio.choreography.handling import (
    Stack,
    flat,
    grip_flat,
    hands_off,
    move,
    new_stack,
    recount,
    wait,
)
from sample_videos.studio.choreography.tracks import Track
from sample_videos.studio.scene import CARD_LENGTH_MM, CARD_THICKNESS_MM, CardPose, StackPose, Vec2

#: Two packets that have just been riffled stick out of each other by this much; pushing them together takes it away.
OPEN_LACE_MM = 72.0
LEFT_PILE, RIGHT_PILE, MIDDLE, WORKING = (-160.0, 300.0), (160.0, 300.0), (0.0, 205.0), (0.0, 318.0)
WASH_GROUP_CARDS = 8


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


def top_mm(pose: StackPose) -> float:
    """The height of a flat stack's top card."""
    return pose.centre[2] + pose.count * CARD_THICKNESS_MM


def at(pose: StackPose, spot: Vec2, z: float = 0.0, **changes: object) -> StackPose:
    """The stack at another place."""
    return replace(pose, centre=(spot[0], spot[1], z), **changes)  # type: ignore[arg-type]


# -- wash and piles ---------------------------------------------------------------------------------------------------


def wash(d: Dealing, cards: int, seconds: float = 3.0) -> list[Track[CardPose]]:
    """The cards lie face down all over the work area and are stirred in circles by both hands."""
    groups = [_group(d, i) for i in range(cards // WASH_GROUP_CARDS)]
    if rest := cards % WASH_GROUP_CARDS:
        groups.append(_group(d, len(groups), rest))
    start = d.now_us
    turns = max(3, round(seconds / 0.55))
    for _ in range(turns):
        begin, end = d.now_us, d.now_us + us(0.55)
        for group in groups:
            group.move(begin, end, _stirred(d, group.last))
        for arm in (d.left, d.right):
            arm.hold(begin)
            angle = float(d.rng.uniform(0, 2 * math.pi))
            spot = (arm.side * 105 + 70 * math.cos(angle), 265 + 55 * math.sin(angle), 12.0)
            arm.to(end, spot, curl=0.1, pinch=0.0)
            end = max(end, arm.free_us)
        d.now_us = end
    d.event("shuffle.wash", start, d.now_us)
    return groups


def _group(d: Dealing, number: int, count: int = WASH_GROUP_CARDS) -> Track[CardPose]:
    spot = (float(d.rng.uniform(-215, 215)), float(d.rng.uniform(190, 345)), 0.6 + 0.35 * number)
    pose = CardPose(
        2000 + number,
        str(d.rng.choice(RANKS)),
        str(d.rng.choice(SUITS)),
        False,
        spot,
        float(d.rng.uniform(-math.pi, math.pi)),
        count=count,
        fan_mm=(d.about(9), d.about(9)),
    )
    track: Track[CardPose] = Track()
    track.put(0, pose)
    d.loose.append(track)
    return track


def _stirred(d: Dealing, pose: CardPose) -> CardPose:
    """Where a card gets in one circle of the hand on its side."""
    x, y, z = pose.centre
    side = 1.0 if x > 0 else -1.0
    cx, cy = side * 105.0, 268.0
    angle = side * float(d.rng.uniform(0.5, 1.4))
    dx, dy = x - cx, y - cy
    nx = cx + dx * math.cos(angle) - dy * math.sin(angle) * 1.2 + d.about(25)
    ny = cy + (dx * math.sin(angle) + dy * math.cos(angle)) * 0.85 + d.about(15)
    spot = (min(max(nx, -225.0), 225.0), min(max(ny, 185.0), 350.0), z)
    return replace(pose, centre=spot, yaw=pose.yaw + angle * 0.7 + d.about(0.5))


def gather(d: Dealing, groups: list[Track[CardPose]], plan: Shuffle) -> tuple[Stack, Stack]:
    """The washed cards are drawn together into two piles."""
    spots = (LEFT_PILE, RIGHT_PILE)
    order = sorted(groups, key=lambda g: abs(g.last.centre[0]), reverse=True)
    sides: tuple[list[Track[CardPose]], ...] = ([], [])
    for number, group in enumerate(sorted(order, key=lambda g: g.last.centre[0])):
        sides[0 if number < len(order) / 2 else 1].append(group)
    piles: list[Stack] = []
    start = d.now_us
    for side, spot in zip(sides, spots, strict=True):
        side.sort(key=lambda g: math.dist(g.last.centre[:2], spot))
        pile: Stack | None = None
        for number, group in enumerate(side):
            begin = start + us(0.25 + 0.055 * number)
            end = begin + us(0.45)
            height = 0.0 if pile is None else pile.last.count * CARD_THICKNESS_MM
            goal = replace(group.last, centre=(*spot, height + 1.0), yaw=plan.yaw, fan_mm=(0.0, 0.0))
            group.move(begin, end, replace(goal, fan_mm=group.last.fan_mm))
            group.end(end)
            if pile is None:
                pile = new_stack(d, flat(d, group.last.count, spot, plan.yaw), end)
            else:
                recount(pile, end, pile.last.count + group.last.count)
        assert pile is not None
        piles.append(pile)
    for sweep in range(4):
        grips = [(arm, (arm.side * (215 if sweep % 2 else 130), 300.0 + d.about(30), 14.0)) for arm in (d.left, d.right)]
        move(d, grips, 0.42, curl=0.15)
    d.now_us = max(d.now_us, *(stack.stops[-1].t_us for stack in piles))
    return piles[0], piles[1]


def piles_of(d: Dealing, cards: int, plan: Shuffle) -> tuple[Stack, Stack]:
    """The gathered cards lie in two piles when the scene starts."""
    left = cards // 2
    return (
        new_stack(d, flat(d, left, LEFT_PILE, plan.yaw), 0),
        new_stack(d, flat(d, cards - left, RIGHT_PILE, plan.yaw), 0),
    )


# -- riffle, strip, square --------------------------------------------------------------------------------------------


def grab(d: Dealing, piles: tuple[Stack, Stack], cards: int) -> tuple[Stack, Stack]:
    """Each hand takes `cards` from the top of its pile to the middle, corner to corner."""
    move(d, [grip_flat(d, pile.last, both=False)[0] for pile in piles], 0.35, lift_mm=20)
    packets = tuple(split_top(d, pile, min(cards, pile.last.count)) for pile in piles)
    to_corners(d, (packets[0], packets[1]))
    return packets[0], packets[1]


def split_top(d: Dealing, pile: Stack, cards: int) -> Stack:
    """The top `cards` of a flat pile, as a packet of its own from now on."""
    pose = pile.last
    rest = pose.count - cards
    z = pose.centre[2] + rest * CARD_THICKNESS_MM
    packet = new_stack(d, replace(pose, count=cards, centre=(*pose.centre[:2], z), lace=()), d.now_us)
    recount(pile, d.now_us, rest)
    return packet


def to_corners(d: Dealing, packets: tuple[Stack, Stack], seconds: float = 0.55) -> None:
    """The packets go to the middle, their inner short ends just over each other."""
    goals = []
    for packet, side in zip(packets, (-1, 1), strict=True):
        turn = -side * 0.2
        spot = (MIDDLE[0] + side * (CARD_LENGTH_MM / 2 - 5), MIDDLE[1])
        goals.append(at(packet.last, spot, 0.0, yaw=packet.last.yaw + turn))
    grips = [
        (arm, (goal.centre[0] + arm.side * 22, goal.centre[1] - 14, top_mm(goal) + 3))
        for arm, goal in zip((d.left, d.right), goals, strict=True)
    ]
    move(d, grips, seconds, stacks=list(zip(packets, goals, strict=True)), lift_mm=22, curl=0.5)


def riffle(d: Dealing, packets: tuple[Stack, Stack], seconds: float = 1.2) -> Stack:
    """Thumbs let the corners of both packets fall into each other; the result is one wide open laced stack."""
    start = d.now_us
    steps = 6
    for step in range(steps):
        grips = []
        for arm, packet in zip((d.left, d.right), packets, strict=True):
            x, y, z = packet.last.centre
            height = packet.last.count * CARD_THICKNESS_MM
            raised = z + height + (16.0 if step % 2 == 0 else 4.0) * (1 - step / steps)
            grips.append((arm, (x - arm.side * (10 - step) + arm.side * 26, y - 12 + (step % 2) * 5, raised)))
        move(d, grips, seconds / steps, curl=0.62 if step % 2 else 0.4, pinch=0.55 if step % 2 == 0 else 0.3)
    d.event("shuffle.riffle", start, d.now_us, packets=2)
    cards = packets[0].last.count + packets[1].last.count
    base = packets[0].last
    for packet in packets:
        packet.end(d.now_us)
    open_pose = replace(
        base, centre=(*MIDDLE, 0.0), count=cards, yaw=base.yaw - 0.2, lace=((0.0, 1.0, OPEN_LACE_MM),),
        seed=int(d.rng.integers(1 << 30)),
    )  # fmt: skip
    return new_stack(d, open_pose, d.now_us)


def push_together(d: Dealing, stack: Stack, lace_mm: float, seconds: float = 0.55) -> None:
    """Both hands push the laced halves into each other until neighbours stick out by `lace_mm`."""
    pose = stack.last
    x, y, _ = pose.centre
    wide = CARD_LENGTH_MM / 2 + OPEN_LACE_MM / 2 + 4
    z = min(top_mm(pose), 40.0)
    move(d, [(d.left, (x - wide, y - 6, z)), (d.right, (x + wide, y - 6, z))], 0.2, curl=0.3)
    goal = replace(pose, lace=((0.0, 1.0, lace_mm),), loose_mm=float(d.rng.uniform(0.3, 1.0)))
    near = CARD_LENGTH_MM / 2 + lace_mm / 2 + 4
    hands = [(d.left, (x - near, y - 6, z)), (d.right, (x + near, y - 6, z))]
    move(d, hands, seconds, stacks=[(stack, goal)], curl=0.3)


def square(d: Dealing, stack: Stack, seconds: float = 0.6, *, told: bool = True) -> None:
    """Both hands push all cards in line."""
    pose = stack.last
    x, y, _ = pose.centre
    z = min(top_mm(pose), 45.0)
    start, end = d.now_us, d.now_us
    lace = max((mm for _, _, mm in pose.lace), default=0.0)
    reach = CARD_LENGTH_MM / 2 + 5
    wide = reach + lace / 2
    move(d, [(d.left, (x - wide, y - 6, z)), (d.right, (x + wide, y - 6, z))], 0.4, curl=0.3, lift_mm=15)
    start = d.now_us
    goal = replace(pose, lace=tuple((a, b, 0.0) for a, b, _ in pose.lace), loose_mm=float(d.rng.uniform(0.2, 0.8)))
    hands = [(d.left, (x - reach, y - 6, z)), (d.right, (x + reach, y - 6, z))]
    move(d, hands, seconds, stacks=[(stack, goal)], curl=0.3)
    end = d.now_us
    stack.put(end, replace(stack.last, lace=()))
    if told:
        d.event("stack.square", start, end, zone="shuffle")


def strip(d: Dealing, stack: Stack, pulls: int) -> Stack:
    """A running cut: quick pulls from the top onto a new pile; returns that pile."""
    start = d.now_us
    pose = stack.last
    held = replace(pose, centre=(pose.centre[0] + 52, pose.centre[1], 26.0))
    right = (d.right, (held.centre[0] + 34, held.centre[1] - 12, top_mm(held)))
    move(d, [right, (d.left, (pose.centre[0] - 25, pose.centre[1] - 12, top_mm(held)))], 0.3, stacks=[(stack, held)])
    start = d.now_us
    spot = (pose.centre[0] - 58.0, pose.centre[1])
    pile: Stack | None = None
    each = max(1, pose.count // pulls)
    while stack.last.count > 0:
        cards = min(each, stack.last.count)
        pile = _pull(d, stack, pile, cards, spot)
    assert pile is not None
    d.event("shuffle.strip", start, d.now_us, packets=pulls)
    back = at(pile.last, (pose.centre[0], pose.centre[1]))
    move(d, grip_flat(d, back), 0.3)
    return pile


def _pull(d: Dealing, stack: Stack, pile: Stack | None, cards: int, spot: Vec2) -> Stack:
    x, y, z = stack.last.centre
    top = top_mm(stack.last)
    move(d, [(d.left, (x - 24, y - 10, top + 2))], 0.1)
    packet = split_top(d, stack, cards)
    height = 0.0 if pile is None else top_mm(pile.last)
    goal = at(packet.last, (spot[0] + d.about(3), spot[1] + d.about(3)), height)
    left = (d.left, (goal.centre[0] - 24, goal.centre[1] - 10, top_mm(goal) + 2))
    move(d, [left], 0.13, stacks=[(packet, goal)], lift_mm=3)
    packet.end(d.now_us)
    if pile is None:
        return new_stack(d, replace(goal, centre=(*spot, 0.0)), d.now_us)
    recount(pile, d.now_us, pile.last.count + cards)
    return pile


def put_on(d: Dealing, packet: Stack, working: Stack | None, spot: Vec2 = WORKING) -> Stack:
    """Both hands lay the packet on the working stack (or where it is to be); returns the working stack."""
    move(d, grip_flat(d, packet.last), 0.25, lift_mm=10)
    height = 0.0 if working is None else top_mm(working.last)
    goal = at(packet.last, spot, height)
    move(d, grip_flat(d, goal), 0.5, stacks=[(packet, goal)], lift_mm=25)
    if working is None:
        return packet
    packet.end(d.now_us)
    recount(working, d.now_us, working.last.count + packet.last.count)
    return working


# -- the whole shuffle ------------------------------------------------------------------------------------------------


def shuffle(d: Dealing, piles: tuple[Stack, Stack], plan: Shuffle) -> Stack:
    """All rounds and the last riffle; returns the laced stack, with hands off, and tells of `shuffle.end`."""
    slug = split_off_slug(d, piles[1], plan.slug_cards) if plan.slug_cards else None
    working: Stack | None = None
    for number in range(plan.rounds):
        left = plan.rounds - number
        each = max(math.ceil(pile.last.count / left) for pile in piles)
        packet = _packet_round(d, piles, each, plan)
        working = put_on(d, packet, working)
    assert working is not None
    return finish(d, working, plan, slug)


def finish(d: Dealing, working: Stack, plan: Shuffle, slug: Stack | None = None) -> Stack:
    """The last riffle, and the stack left as planned; returns the stack."""
    stack = _last_riffle(d, working, plan) if plan.halves else working
    if slug is not None:
        stack = _slug_on_top(d, slug, stack)
    _leave(d, stack, plan)
    return stack


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


def _leave(d: Dealing, stack: Stack, plan: Shuffle) -> None:
    """The stack is left as planned, parts of it squared, and the floor may look at it."""
    whole = plan.laced == ((0.0, 1.0),)
    if not whole and not plan.slug_cards:
        square_parts(d, stack, plan.laced)
    hands_off(d)
    feathered = round(sum(b - a for a, b, _ in stack.last.lace), 4)
    d.event(
        "shuffle.end", d.now_us, d.now_us, method="manual", feathered=feathered, feathered_low=feathered,
        feathered_high=feathered, stacks=1,
    )  # fmt: skip
    d.moments["shuffled"] = d.now_us
    wait(d, d.jitter(plan.look_s))


def square_parts(d: Dealing, stack: Stack, laced: tuple[tuple[float, float], ...]) -> None:
    """All of the stack but the `laced` parts is pushed in line."""
    pose = stack.last
    x, y, _ = pose.centre
    mm = pose.lace[0][2]
    reach = CARD_LENGTH_MM / 2 + 5
    z = min(top_mm(pose), 45.0)
    hands = [(d.left, (x - reach, y - 6, z)), (d.right, (x + reach, y - 6, z))]
    move(d, hands, 0.5, stacks=[(stack, pose)], curl=0.3)
    start = stack.stops[-1].t_us
    stack.put(start, replace(pose, lace=tuple((a, b, mm) for a, b in laced), loose_mm=0.4))
