"""The dealer's two arms: reach, take, carry, lay down, hand over.

Everything is built for a shoe at the dealer's left; a scene with the shoe at the right is the mirror image
(`mirror.py`). Times are integer microseconds, places table millimetres.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from sample_videos.studio.choreography.cards import CardPath, Held, Lie, Slide
from sample_videos.studio.choreography.motion import GripPath, Key, mix, turn
from sample_videos.studio.scene import HandPose, Vec3

SHOULDER_X_MM = 190.0
SHOULDER_Y_MM = -230.0
FOREARM_MM = 270.0
TOP_SPEED_MM_S = 1900.0
PITCH = -0.12  # the fingers point a little down
#: Where the tips of index finger and thumb meet in a full pinch, from the wrist: towards the thumb, along, down.
PINCH_MM = (21.0, 113.0, 77.0)
#: Where the index finger's tip is without a pinch: at curl 0, and how much shorter and lower it is at curl 1.
OPEN_MM = (21.0, 178.0, 20.0)
CURLED_MM = (0.0, -113.0, 120.0)


def us(seconds: float) -> int:
    """Seconds as integer microseconds."""
    return round(seconds * 1e6)


@dataclass(slots=True)
class Arm:
    """One arm of the dealer, `side` -1 for left and +1 for right."""

    name: str
    side: int
    path: GripPath
    idle: Vec3

    def yaw_to(self, x: float, y: float) -> float:
        """The direction in which the hand points when its tips are at (x, y)."""
        angle = -math.atan2(x - self.side * SHOULDER_X_MM, y - SHOULDER_Y_MM)
        return max(-1.15, min(1.15, angle)) * 0.8 + self.side * 0.12

    def to(self, t_us: int, grip: Vec3, *, pinch: float = 0.3, curl: float = 0.3, lift_mm: float = 0.0) -> int:
        """The finger tips reach `grip` at `t_us`, or as soon after it as a hand can; returns when."""
        return self.reach(Key(t_us, grip, self.yaw_to(grip[0], grip[1]), pinch, curl, lift_mm))

    def reach(self, key: Key) -> int:
        """Goes to the key, no faster than `TOP_SPEED_MM_S`; returns when it is there."""
        if self.path.keys:
            before = self.path.keys[-1]
            # a minimum-jerk movement's top speed is 15/8 of its mean
            least_us = round(1.875 * math.dist(before.grip, key.grip) / TOP_SPEED_MM_S * 1e6)
            key = replace(key, t_us=max(key.t_us, before.t_us + least_us))
        self.path.add(key)
        return self.free_us

    def hold(self, until_us: int) -> None:
        """Stays where it is until `until_us`."""
        last = self.path.keys[-1]
        self.path.add(Key(until_us, last.grip, last.yaw, last.pinch, last.curl))

    @property
    def free_us(self) -> int:
        """When its last movement ends."""
        return self.path.keys[-1].t_us

    def pose(self, t_us: int) -> HandPose:
        """The hand with its forearm at a time."""
        return hand_pose(self.path.at(t_us), "dealer", self.name, (self.side * SHOULDER_X_MM, SHOULDER_Y_MM))


def tips_mm(pinch: float, curl: float) -> Vec3:
    """The finger tips from the wrist of a level hand: towards the thumb, along the hand, down. Right to 6 mm."""
    across, along, down = (mix(o + c * curl, p, pinch) for o, c, p in zip(OPEN_MM, CURLED_MM, PINCH_MM, strict=True))
    return across, along, down


def hand_pose(key: Key, owner: str, side: str, shoulder: tuple[float, float]) -> HandPose:
    """A hand whose finger tips are at the key's grip, its forearm towards the shoulder."""
    across, along, down = tips_mm(key.pinch, key.curl)
    reach, drop = along * math.cos(PITCH) + down * math.sin(PITCH), down * math.cos(PITCH) - along * math.sin(PITCH)
    dx, dy = turn(across if side == "right" else -across, -reach, key.yaw)
    wrist = (key.grip[0] + dx, key.grip[1] + dy, key.grip[2] + drop)
    ax, ay = shoulder[0] - wrist[0], shoulder[1] - wrist[1]
    far = max(math.hypot(ax, ay), 1.0)
    length = min(max(FOREARM_MM, far - 60.0), 2 * FOREARM_MM)  # stretched out, the upper arm goes on in line
    elbow = (wrist[0] + ax / far * length, wrist[1] + ay / far * length, wrist[2] + 45.0)
    bend = key.curl
    curl = (0.25 + 0.3 * key.pinch, bend, bend * 1.1, bend * 1.25, bend * 1.4)
    return HandPose(owner, side, wrist, key.yaw, PITCH, 0.0, curl, key.pinch, elbow)


def take(arm: Arm, card: CardPath, t_us: int, *, now: tuple[Vec3, float, bool] | None = None) -> None:
    """The arm holds the card from `t_us` on, where it is (`now` = centre, yaw, face up, for one still in the shoe)."""
    if now is None:
        pose = card.must(t_us)
        now = (pose.centre, pose.yaw, pose.face_up)
    centre, yaw, face_up = now
    key = arm.path.at(t_us)
    dx, dy = turn(centre[0] - key.grip[0], centre[1] - key.grip[1], -key.yaw)
    card.add(Held(t_us, arm.path, (dx, dy, centre[2] - key.grip[2]), yaw - key.yaw, face_up))


def held_spell(card: CardPath) -> Held:
    """The spell of a card that is in a hand."""
    spell = card.spells[-1]
    if not isinstance(spell, Held):
        raise TypeError(f"card {card.card_id} is in no hand")
    return spell


def carry(arm: Arm, card: CardPath, until_us: int, centre: Vec3, lift_mm: float) -> int:
    """The arm carries the card it holds so that its middle is at `centre` at `until_us`; returns when it really is.

    No hand moves faster than `TOP_SPEED_MM_S`, so a long way may take longer.
    """
    offset = held_spell(card).offset
    yaw = arm.yaw_to(centre[0], centre[1])
    for _ in range(3):  # the hand's direction depends on where its tips end up
        dx, dy = turn(offset[0], offset[1], yaw)
        grip = (centre[0] - dx, centre[1] - dy, centre[2] - offset[2])
        yaw = arm.yaw_to(grip[0], grip[1])
    return arm.reach(Key(until_us, grip, yaw, 0.85, 0.45, lift_mm))


def turn_over(card: CardPath, from_us: int, until_us: int) -> None:
    """The held card is turned over between two times."""
    spell = held_spell(card)
    card.spells[-1] = Held(
        spell.t_us, spell.path, spell.offset, spell.yaw_offset, spell.face_up, (from_us, until_us), spell.tilt
    )


def let_go(card: CardPath, t_us: int, centre: Vec3, yaw: float, fall_us: int) -> int:
    """The card leaves the hand at `t_us` and lies at `centre` when this returns' time comes."""
    start = card.must(t_us)
    lie = Lie(t_us + fall_us, centre, yaw, start.face_up)
    card.add(Slide(t_us, t_us + fall_us, start, lie))
    card.add(lie)
    return t_us + fall_us
