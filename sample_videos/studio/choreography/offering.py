"""The offer: the stack tipped on its long edge, pushed towards a seat, refused or accepted; the cover card."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from sample_videos.studio.choreography.dealer import us
from sample_videos.studio.choreography.dealing import Dealing, middle
from sample_videos.studio.choreography.handling import Cover, Stack, grip_edge, grip_flat, hands_off, move, on_edge
from sample_videos.studio.choreography.pack import Pack
from sample_videos.studio.choreography.seats import Players
from sample_videos.studio.scene import CardPose, StackPose, Vec2
from sample_videos.studio.stack_shape import length_mm

REST: Vec2 = (0.0, 262.0)  # where the stack stands before the dealer


@dataclass(frozen=True, slots=True)
class Manner:
    """How this dealer offers."""

    push_mm: float = 130.0
    turn: float = 0.4  # how far the stack is turned towards the seat, 0 not at all, 1 wholly
    dwell_s: float = 0.5
    hands_stay: bool = False  # the dealer's hands stay at the stack while he waits
    one_hand: bool = False


def stand_up(d: Dealing, stack: Stack) -> Pack:
    """The flat stack is drawn to the middle and tipped on its long edge; returns it as a pack."""
    pose = stack.last
    near = replace(pose, centre=(*REST, 0.0))
    move(d, grip_flat(d, pose), 0.35, lift_mm=20)
    move(d, grip_flat(d, near), 0.45, stacks=[(stack, near)])
    pack = Pack(stack)
    up = standing(d, near)
    pack.carry(d, grip_edge(up, (d.left, d.right)), 0.75, up)
    return pack


def standing(d: Dealing, pose: StackPose) -> StackPose:
    """The stack stood on its long edge, packed as closely as this dealer's hands do it."""
    return on_edge(
        pose,
        pose.yaw,
        lean=float(d.rng.normal(0, 0.01)),
        loose_mm=float(d.rng.uniform(0.3, 0.9)),
        end_looseness=float(d.rng.uniform(0.0, 0.1)) if d.rng.random() < 0.7 else 0.0,
    )


def offered_at(d: Dealing, pose: StackPose, seat: str, manner: Manner) -> StackPose:
    """Where the stack is while it is offered to a seat: pushed towards it, and turned to it a little."""
    x, y = middle(d.zones[seat])
    y = max(y, REST[1] + 0.45 * abs(x - REST[0]))  # to the seats at the table's ends it is pushed forward as well
    far = math.hypot(x - REST[0], y - REST[1])
    push = min(manner.push_mm, 0.45 * far)
    ux, uy = (x - REST[0]) / far, (y - REST[1]) / far
    lift = max(0.0, length_mm(pose) / 2 - 62.0)
    turn = manner.turn * math.atan2(-ux, uy)
    yaw = (math.pi / 2 if math.sin(pose.yaw) > 0 else -math.pi / 2) + turn
    return replace(pose, centre=(REST[0] + ux * push, REST[1] + uy * push + lift, 0.0), yaw=yaw)


def push_to(d: Dealing, pack: Pack, seat: str, manner: Manner) -> int:
    """The dealer pushes the stack towards the seat and lets go; returns when the pushing began."""
    goal = offered_at(d, pack.pose, seat, manner)
    arms = (d.left, d.right)
    now = grip_edge(pack.pose, arms)
    then = grip_edge(goal, arms)
    if manner.one_hand:
        now, then = now[1:], then[1:]
    move(d, now, 0.3, lift_mm=10)
    start, _ = pack.carry(d, then, 0.65, goal)
    if not manner.hands_stay:
        hands_off(d, 0.4)
    return start


def offer(d: Dealing, players: Players, pack: Pack, seat: str, manner: Manner, *, refusal: str | None) -> None:
    """The stack is offered to a seat, and refused in the given way, or accepted where that is None."""
    start = push_to(d, pack, seat, manner)
    if refusal is not None:
        done = players.refuse(seat, d.now_us + us(d.jitter(manner.dwell_s)), refusal)
        d.now_us = max(d.now_us, done)
    else:
        d.now_us += us(d.jitter(manner.dwell_s))
    outcome = "accepted" if refusal is None else "refused"
    d.event("stack.present", start, d.now_us, seat=seat, backs_away=math.sin(pack.pose.yaw) > 0, outcome=outcome)


def slide_cover(d: Dealing, pack: Pack, cover: Cover, seat: str) -> None:
    """The dealer's finger slides the cover card over the felt to where the player can take it."""
    goal = cover_spot(d, pack, cover.last, seat)
    arm = d.right if goal.centre[0] >= 0 else d.left
    if abs(cover.last.centre[0]) > 120:
        arm = d.right if cover.last.centre[0] > 0 else d.left
    x, y, _ = cover.last.centre
    move(d, [(arm, (x, y - 12, 4.0))], 0.4, lift_mm=20, pinch=0.1, curl=0.25)
    gx, gy, _ = goal.centre
    move(d, [(arm, (gx, gy - 12, 4.0))], 0.7, covers=[(cover, goal)], pinch=0.1, curl=0.25)
    hands_off(d, 0.4)


def cover_spot(d: Dealing, pack: Pack, cover: CardPose, seat: str) -> CardPose:
    """Beside the offered stack, on the player's side."""
    x, y, _ = pack.pose.centre
    sx, _ = middle(d.zones[seat])
    side = 1.0 if (sx - x) * (1 if x >= 0 else -1) > 0 and abs(x) < 40 else (-1.0 if x > 0 else 1.0)
    spot = (x + side * 105.0 + d.about(8), y + 30.0 + d.about(12), 0.6)
    return replace(cover, centre=spot, yaw=d.about(0.5), roll=0.0, pitch=0.0)


def draw_back(d: Dealing, pack: Pack) -> None:
    """The dealer draws the stack back in front of himself, straight again."""
    pose = pack.pose
    yaw = math.pi / 2 if math.sin(pose.yaw) > 0 else -math.pi / 2
    goal = replace(pose, centre=(REST[0], REST[1], 0.0), yaw=yaw)
    arms = (d.left, d.right)
    move(d, grip_edge(pose, arms), 0.45, lift_mm=15)
    pack.carry(d, grip_edge(goal, arms), 0.6, goal)
