"""What two hands do with flat packets: grab, riffle corner to corner, push together, square, strip, lay down."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from sample_videos.studio.choreography.dealing import Dealing
from sample_videos.studio.choreography.handling import Stack, grip_edge, grip_flat, move, new_stack, recount
from sample_videos.studio.choreography.pack import Pack
from sample_videos.studio.scene import CARD_LENGTH_MM, CARD_THICKNESS_MM, StackPose, Vec2

#: Two packets that have just been riffled stick out of each other by this much; pushing them together takes it away.
OPEN_LACE_MM = 72.0
LEFT_PILE, RIGHT_PILE, MIDDLE, WORKING = (-160.0, 300.0), (160.0, 300.0), (0.0, 205.0), (0.0, 318.0)


def top_mm(pose: StackPose) -> float:
    """The height of a flat stack's top card."""
    return pose.centre[2] + pose.count * CARD_THICKNESS_MM


def at(pose: StackPose, spot: Vec2, z: float = 0.0, **changes: object) -> StackPose:
    """The stack at another place."""
    return replace(pose, centre=(spot[0], spot[1], z), **changes)  # type: ignore[arg-type]


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
    while stack.gone_us is None:
        pile = _pull(d, stack, pile, min(each, stack.last.count), spot)
    assert pile is not None
    d.event("shuffle.strip", start, d.now_us, packets=pulls)
    back = at(pile.last, (pose.centre[0], pose.centre[1]))
    move(d, grip_flat(d, back), 0.3)
    return pile


def _pull(d: Dealing, stack: Stack, pile: Stack | None, cards: int, spot: Vec2) -> Stack:
    x, y, _ = stack.last.centre
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


def square_edge(d: Dealing, pack: Pack, laced: tuple[tuple[float, float], ...] = ()) -> tuple[int, int]:
    """Both hands push a standing stack in line, all of it but the `laced` parts; returns when."""
    pose = pack.pose
    mm = max((width for _, _, width in pose.lace), default=0.0)
    arms = (d.left, d.right)
    move(d, grip_edge(pose, arms, 0.0), 0.35, lift_mm=15)
    if laced:
        pose = replace(pose, lace=_cut_up(pose.lace, laced))
        pack.set(d.now_us, pose)
    left = tuple((a, b, mm if (a, b) in laced else 0.0) for a, b, _ in pose.lace)
    goal = replace(pose, lace=left, loose_mm=float(d.rng.uniform(0.2, 0.8)))
    times = pack.carry(d, grip_edge(replace(goal, lace=()), arms, 0.0), 0.6, goal)
    pack.set(d.now_us, replace(goal, lace=tuple(part for part in left if part[2] > 0)))
    return times


def _cut_up(
    lace: tuple[tuple[float, float, float], ...], at: tuple[tuple[float, float], ...]
) -> tuple[tuple[float, float, float], ...]:
    """The one laced part divided where the parts `at` begin and end."""
    ((start, end, mm),) = lace
    marks = sorted({start, end, *(share for part in at for share in part)})
    return tuple((a, b, mm) for a, b in pairwise(marks))
