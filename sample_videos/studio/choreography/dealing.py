"""What a dealer does again and again, whatever the procedure: draw, hand over, pick up, deal, drop into the bucket.

`Dealing` holds the arms, the cards and what has happened; a procedure derives from it and plays itself out. Built for
a shoe at the dealer's left.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from sample_videos.studio.choreography.cards import CardPath
from sample_videos.studio.choreography.dealer import Arm, carry, let_go, take, turn_over, us
from sample_videos.studio.choreography.extras import Extras
from sample_videos.studio.choreography.motion import GripPath, turn
from sample_videos.studio.choreography.plan import Plan
from sample_videos.studio.choreography.tracks import Track, present
from sample_videos.studio.scene import (
    CARD_LENGTH_MM,
    CARD_WIDTH_MM,
    CardPose,
    Equipment,
    SceneState,
    StackPose,
    Vec2,
    Vec3,
)

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
FELT_Z = 0.6
SHOE_CARDS = 416
#: Where overlapping zones are asked in turn.
ZONES = ("discard", "player", "banker", "shuffle", "tray_front", "tray", "shoe")


def middle(zone: tuple[Vec2, ...]) -> Vec2:
    """The middle of a zone's corners."""
    return (sum(p[0] for p in zone) / len(zone), sum(p[1] for p in zone) / len(zone))


def inside(zone: tuple[Vec2, ...], spot: Vec3) -> bool:
    """Whether the spot lies in the polygon (crossing number)."""
    within = False
    for (x0, y0), (x1, y1) in zip(zone, zone[1:] + zone[:1], strict=True):
        if (y0 > spot[1]) != (y1 > spot[1]) and spot[0] < (x1 - x0) * (spot[1] - y0) / (y1 - y0) + x0:
            within = not within
    return within


class Dealing(ABC):
    """Two arms, a shoe, a bucket and the cards drawn so far; `state(t_us)` says where everything is.

    `events` and `moments` say what happened; `end_us` is when the scene ends.
    """

    def __init__(
        self, plan: Plan, equipment: Equipment, zones: dict[str, tuple[Vec2, ...]], rng: np.random.Generator
    ) -> None:
        self.plan, self.equipment, self.zones, self.rng = plan, equipment, zones, rng
        self.events: list[dict[str, Any]] = []
        self.moments: dict[str, int] = {}
        self.cards: list[CardPath] = []
        self.stacks: list[Track[StackPose]] = []
        self.covers: list[Track[CardPose]] = []
        self.loose: list[Track[CardPose]] = []  # cards of the stack that lie singly for a while: washed, in a ribbon
        self.total_cards, self.loaded_us = SHOE_CARDS, 0  # the shoe is empty before `loaded_us`
        self.extras = self._surroundings()
        self.left = Arm("left", -1, GripPath(), (-110.0 + self.about(25), 150.0 + self.about(25), 6.0))
        self.right = Arm("right", 1, GripPath(), (115.0 + self.about(25), 150.0 + self.about(25), 6.0))
        for arm in (self.left, self.right):
            arm.to(0, arm.idle)
        self._in_bucket = 0
        self.now_us = us(0.5 + rng.uniform(0, 0.5))
        self._play_out()
        self.end_us = self.now_us + us(1.2)

    def _surroundings(self) -> Extras:
        """Players, chips and strangers round the procedure."""
        return Extras(self.plan, self.equipment, self.zones, self.rng)

    @abstractmethod
    def _play_out(self) -> None:
        """Plays the procedure out, moving `now_us` on."""

    def about(self, spread: float) -> float:
        """A chance deviation of at most `spread` either way."""
        return float(self.rng.uniform(-spread, spread))

    def jitter(self, seconds: float) -> float:
        """A duration as this dealer varies it."""
        return float(seconds * self.rng.uniform(0.85, 1.18))

    # -- hands -----------------------------------------------------------------------------------------------------

    def _hold_on(self, arm: Arm, centre: Vec3, yaw: float) -> Vec3:
        """Where the finger tips touch a card: over the edge that faces the hand, as deep as the style has it."""
        towards = (0.35 if arm is self.right else 0.0) + self.about(0.2)
        x, y = math.sin(towards), -math.cos(towards)
        across, along = turn(x, y, -yaw)
        edge = min(CARD_WIDTH_MM / 2 / max(abs(across), 1e-6), CARD_LENGTH_MM / 2 / max(abs(along), 1e-6))
        reach = edge - self.plan.style.grip_mm - self.about(6)
        return (centre[0] + x * reach, centre[1] + y * reach, centre[2] + 2.0)

    def _rest(self, arm: Arm, at_us: int) -> None:
        """The hand goes to about where it rests, the left one half the time nearer the shoe (in haste, always)."""
        x, y, z = arm.idle
        if arm is self.left and (self.plan.style.overlap or self.rng.random() < 0.5):
            x, y = self.equipment.shoe_exit_mm[0] + 60.0, self.equipment.shoe_exit_mm[1] - 60.0
        arm.to(at_us, (x + self.about(15), y + self.about(12), z), pinch=0.15, curl=0.25)

    def _settle(self) -> None:
        """Both hands finish what they are doing."""
        self.now_us = max(self.now_us, self.left.free_us, self.right.free_us)

    def _go_idle(self, until_us: int) -> None:
        for arm in (self.left, self.right):
            arm.to(max(until_us, arm.free_us + us(0.3)), arm.idle, lift_mm=10)

    def _pick_up(self, card: CardPath, spot: Vec3, at_us: int) -> Arm:
        """The right hand takes a card that lies at `spot`."""
        self.right.hold(max(at_us - us(0.35), self.right.free_us + 1000))
        self.right.to(at_us, self._hold_on(self.right, spot, card.must(at_us).yaw), pinch=0.8, lift_mm=15)
        take(self.right, card, self.right.free_us)
        return self.right

    # -- cards -----------------------------------------------------------------------------------------------------

    def _new_card(self, rank: str | None = None, suit: str | None = None) -> CardPath:
        rank = rank or str(self.rng.choice(RANKS))
        suit = suit or str(self.rng.choice(SUITS))
        card = CardPath(len(self.cards) + 1, rank, suit)
        self.cards.append(card)
        return card

    def _draw(self, card: CardPath) -> Arm:
        """The card out of the shoe and, with two hands, into the other hand; returns the arm that has it."""
        style, left = self.plan.style, self.left
        ex, ey = self.equipment.shoe_exit_mm
        start = max(self.now_us, left.free_us)
        touch = start + us(self.jitter(style.reach_s))
        mouth = (ex - 18.0, ey, 12.0)
        touch = left.to(touch, self._hold_on(left, mouth, 0.0), pinch=0.75, curl=0.4, lift_mm=20)
        take(left, card, touch, now=(mouth, 0.0, False))
        pulled = touch + us(self.jitter(style.draw_s) * 0.55)
        pulled = carry(left, card, pulled, (ex + 95 + self.about(15), ey + self.about(12), 16.0), 4.0)
        if not style.two_hands:
            self.event("card.draw", touch, pulled, source="shoe", hand="left", cards=card.count)
            return left
        meet = (ex * 0.3 + self.about(25), 190.0 + self.about(25), 40.0)
        handed = pulled + us(self.jitter(style.draw_s) * 0.6)
        handed = carry(left, card, handed, meet, 15.0)
        pose = card.must(handed)
        place = self._hold_on(self.right, pose.centre, pose.yaw)
        self.right.to(max(handed, self.right.free_us + 1000), place, pinch=0.8, curl=0.35)
        handed = max(handed, self.right.free_us)
        left.hold(handed)
        take(self.right, card, handed)
        self._rest(left, handed + us(0.25 if style.overlap else 0.4))
        self.event("card.draw", touch, handed, source="shoe", hand="left", cards=card.count)
        return self.right

    def _deal(self, arm: Arm, card: CardPath, zone: str, i: int) -> None:
        """The arm lays the card, the round's `i`th, into a hand's box."""
        x, y = middle(self.zones[zone])
        spot = (x + (-38 if i < 2 else 38) + self.about(5), y + self.about(5), FELT_Z)
        begin = arm.free_us
        reach = begin + us(self.jitter(self.plan.style.carry_s))
        reach = carry(arm, card, reach, (spot[0], spot[1], 10.0), 25.0)
        if self.plan.style.deal_face_up:
            turn_over(card, begin + us(0.05), begin + (reach - begin) * 3 // 4)
        done = let_go(card, reach, spot, self.about(0.12), us(0.06))
        arm.hold(done)
        face = "up" if self.plan.style.deal_face_up else "down"
        facts = self._what(card) if face == "up" else {}
        self.event("card.place", done, done, zone=zone, hand=arm.name, face=face, **facts)
        if i == 0:
            self.moments["first_hand_card"] = done
        self._rest(arm, done + us(0.3))
        self.now_us = done + us(max(0.05, self.jitter(self.plan.style.pause_s)))

    def _above_bucket(self) -> Vec3:
        x, y = self.equipment.bucket_centre
        return (x + self.about(8), y + self.about(8), self.equipment.bucket_depth_mm + 22.0)

    def _drop_in(self, arm: Arm, card: CardPath) -> int:
        """The arm lets the card fall into the bucket, over which it is; returns when it lies."""
        length, width = self.equipment.bucket_size_mm[:2]
        wall = self.equipment.bucket_wall_mm
        lengthways = width - 2 * wall >= 92
        spare_x = max(0.0, (length - 2 * wall - (66 if lengthways else 91)) / 2)
        spare_y = max(0.0, (width - 2 * wall - (91 if lengthways else 66)) / 2)
        x, y = self.equipment.bucket_centre
        lie = (
            x + self.about(min(spare_x, 14)),
            y + self.about(min(spare_y, 14)),
            4.0 + 0.35 * self._in_bucket,
        )
        yaw = self.about(0.08 if min(spare_x, spare_y) < 8 else 0.25) + (0.0 if lengthways else np.pi / 2)
        released = arm.free_us
        now_yaw = card.must(released).yaw
        yaw += round((now_yaw - yaw) / np.pi) * np.pi  # fall without spinning
        done = let_go(card, released, lie, float(yaw), us(0.1))
        self._in_bucket += card.count
        arm.hold(done - us(0.03))
        if arm is self.right:
            x, y, z = arm.idle
            place = (x + 60 + self.about(20), y + 10 + self.about(12), z + 5)
            arm.to(done + us(self.jitter(0.35)), place, pinch=0.15, curl=0.25)
        else:
            self._rest(arm, done + us(self.jitter(0.45)))
        return done

    # -- bookkeeping -----------------------------------------------------------------------------------------------

    @staticmethod
    def _what(card: CardPath) -> dict[str, str]:
        return {"rank": card.rank, "suit": card.suit}

    def _zone_at(self, spot: Vec3) -> str:
        for name in ZONES:
            if name in self.zones and inside(self.zones[name], spot):
                return name
        for name, zone in self.zones.items():
            if name.startswith("seat:") and inside(zone, spot):
                return name
        return "elsewhere"

    def event(self, kind: str, t_us: int, end_us: int, **facts: Any) -> None:
        """Notes that something happened."""
        self.events.append({"kind": kind, "t_us": t_us, "end_us": end_us, "facts": facts})

    def state(self, t_us: int) -> SceneState:
        """Where everything is at `t_us`."""
        drawn = tuple(pose for card in self.cards if (pose := card.at(t_us)) is not None)
        gone = sum(pose.count for pose in drawn)
        hands = (self.left.pose(t_us), self.right.pose(t_us), *self.extras.hands(t_us))
        return SceneState(
            t_us,
            (*present(self.loose, t_us), *drawn),
            hands,
            self.extras.chips(t_us),
            (*self.extras.stacks(t_us), *present(self.stacks, t_us)),
            present(self.covers, t_us),
            shoe_cards=self.total_cards - gone if t_us >= self.loaded_us else 0,
        )
