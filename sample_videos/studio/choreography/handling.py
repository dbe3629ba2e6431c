"""Both hands at a stack: grip it, carry it, tip it, split it. The words of every shuffle, cut and load.

All functions take the `Dealing` that plays the scene out and move its clock on. Things and the hands that hold them
move between the same two moments along the same curve, so that what is held stays in the hand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from sample_videos.studio.choreography.dealer import TOP_SPEED_MM_S, Arm, us
from sample_videos.studio.choreography.dealing import Dealing
from sample_videos.studio.choreography.motion import Key
from sample_videos.studio.choreography.tracks import EDGE, Track, normal
from sample_videos.studio.scene import CARD_LENGTH_MM, CARD_THICKNESS_MM, CardPose, StackPose, Vec3
from sample_videos.studio.stack_shape import length_mm

Stack = Track[StackPose]
Cover = Track[CardPose]
Grip = tuple[Arm, Vec3]
FLAT_YAW = math.pi / 2  # a stack whose long side runs along the dealer's edge
#: Bottom card towards the dealer, backs towards the players.
AWAY, TOWARDS = math.pi / 2, -math.pi / 2


def move(
    d: Dealing,
    hands: Sequence[Grip],
    seconds: float,
    *,
    stacks: Sequence[tuple[Stack, StackPose]] = (),
    covers: Sequence[tuple[Cover, CardPose]] = (),
    lift_mm: float = 0.0,
    pinch: float = 0.35,
    curl: float = 0.4,
) -> tuple[int, int]:
    """The hands go to their grips in about `seconds`, the things with them; returns when that began and ended."""
    start = max([d.now_us, *(arm.free_us for arm, _ in hands)])
    end = start + us(d.jitter(seconds))
    for arm, grip in hands:
        arm.hold(start)
        way = math.dist(arm.path.keys[-1].grip, grip)
        end = max(end, arm.free_us + round(1.875 * way / TOP_SPEED_MM_S * 1e6))
    for arm, grip in hands:
        arm.reach(Key(end, grip, arm.yaw_to(grip[0], grip[1]), pinch, curl, lift_mm))
    for stack, pose in stacks:
        stack.move(start, end, pose, lift_mm)
    for cover, card in covers:
        cover.move(start, end, card, lift_mm)
    d.now_us = end
    return start, end


def grip_flat(d: Dealing, pose: StackPose, *, both: bool = True) -> list[Grip]:
    """Finger tips over the short ends of a flat stack that lies along the dealer's edge."""
    x, y, z = pose.centre
    top = z + pose.count * CARD_THICKNESS_MM
    grips: list[Grip] = [(d.left, (x - CARD_LENGTH_MM / 2 + 8, y - 8, top + 2)), (d.right, (x + 36.5, y - 8, top + 2))]
    return grips if both else [grips[0] if x < 0 else grips[1]]


def grip_edge(pose: StackPose, arms: tuple[Arm, Arm], share: float = -0.25) -> list[Grip]:
    """Finger tips at both sides of a stack on edge, `share` of its length from its middle (< 0: near the dealer)."""
    x, y, z = pose.centre
    ux, uy, _ = normal(pose)
    along = length_mm(pose) * share
    if uy < -0.5:  # the stack points at the dealer: the end near him is its top
        along = -along
    px, py = x + ux * along, y + uy * along
    reach = CARD_LENGTH_MM / 2 + 3 + max((mm for _, _, mm in pose.lace), default=0.0) / 2
    side = reach if abs(uy) > 0.5 else 0.0
    across = 0.0 if side else reach
    left, right = arms
    return [(left, (px - side, py - across, z + 42.0)), (right, (px + side, py + across, z + 42.0))]


def hands_off(d: Dealing, seconds: float = 0.45) -> None:
    """Both hands go back to rest; the clock moves on with them."""
    move(d, [(d.left, _near(d, d.left)), (d.right, _near(d, d.right))], seconds, lift_mm=25, pinch=0.15, curl=0.25)


def _near(d: Dealing, arm: Arm) -> Vec3:
    x, y, z = arm.idle
    return (x + arm.side * 25 + d.about(14), y - 25 + d.about(10), z)


def wait(d: Dealing, seconds: float) -> None:
    """Nothing is moved for a while."""
    d.now_us += us(seconds)


def flat(d: Dealing, count: int, spot: tuple[float, float], yaw: float = FLAT_YAW, **looks: object) -> StackPose:
    """A stack lying flat at `spot`, backs up, scattered as this dealer leaves it."""
    pose = StackPose(
        (spot[0], spot[1], 0.0),
        count,
        yaw,
        tip=0.0,
        loose_mm=d.rng.uniform(0.3, 1.4),
        seed=int(d.rng.integers(1 << 30)),
    )
    return replace(pose, **looks)  # type: ignore[arg-type]


def new_stack(d: Dealing, pose: StackPose, t_us: int) -> Stack:
    """A stack that is there from `t_us` on."""
    track: Stack = Track()
    track.put(t_us, pose)
    d.stacks.append(track)
    return track


def new_cover(d: Dealing, pose: CardPose, t_us: int) -> Cover:
    """A cover card that is there from `t_us` on."""
    track: Cover = Track()
    track.put(t_us, pose)
    d.covers.append(track)
    return track


def recount(stack: Stack, t_us: int, count: int, **changes: object) -> None:
    """From `t_us` on the stack has so many cards; gone where none are left."""
    if count == 0:
        stack.end(t_us)
        return
    stack.put(t_us, replace(stack.last, count=count, **changes))  # type: ignore[arg-type]


def on_edge(pose: StackPose, yaw: float, **changes: object) -> StackPose:
    """The stack stood on its long edge."""
    return replace(pose, tip=EDGE, on_edge=True, yaw=yaw, **changes)  # type: ignore[arg-type]
