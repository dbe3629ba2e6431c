"""The players: who sits where, chips and resting hands, and what a player's hand does when the stack is offered."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from sample_videos.studio.choreography.dealer import TOP_SPEED_MM_S, hand_pose, us
from sample_videos.studio.choreography.extras import COLOURS, Extras
from sample_videos.studio.choreography.motion import GripPath, Key
from sample_videos.studio.choreography.plan import Plan
from sample_videos.studio.scene import ChipStack, Equipment, HandPose, Vec2, Vec3

ARM_MM = 600.0  # farther than this from the shoulder, a player leans in
WAYS = ("wave", "pull_back", "push")  # how a player refuses


@dataclass(slots=True)
class PlayerArm:
    """One arm of a seated player: where it rests on the table, and where it is when it does not."""

    seat: str
    side: str
    path: GripPath
    home: Vec3
    away: Vec3
    yaw: float
    shoulder: Vec2

    def to(self, t_us: int, grip: Vec3, *, pinch: float = 0.2, curl: float = 0.3, lift_mm: float = 0.0) -> int:
        """The finger tips are at `grip` at `t_us`, or as soon after it as a hand can; returns when."""
        last = self.path.keys[-1]
        least = round(1.875 * math.dist(last.grip, grip) / TOP_SPEED_MM_S * 1e6)
        self.path.add(Key(max(t_us, last.t_us + least), grip, self.yaw, pinch, curl, lift_mm))
        return self.path.keys[-1].t_us

    def hold(self, until_us: int) -> None:
        """Stays where it is until `until_us`."""
        last = self.path.keys[-1]
        if until_us > last.t_us:
            self.path.add(Key(until_us, last.grip, last.yaw, last.pinch, last.curl))

    @property
    def free_us(self) -> int:
        """When its last movement ends."""
        return self.path.keys[-1].t_us


class Players(Extras):
    """Occupied seats have chips, and hands that rest on the table now and then; empty ones have neither."""

    def __init__(
        self,
        occupied: tuple[str, ...],
        plan: Plan,
        equipment: Equipment,
        zones: dict[str, tuple[Vec2, ...]],
        rng: np.random.Generator,
    ) -> None:
        self._occupied = occupied
        self.arms: dict[tuple[str, str], PlayerArm] = {}
        super().__init__(plan, equipment, zones, rng)

    def _players(self) -> None:
        for seat in self._occupied:
            x, y, ox, oy = self.outward(seat)
            for side, shift in (("left", -85.0), ("right", 85.0)):
                self._arm(seat, side, (x - oy * shift, y + ox * shift), (ox, oy))
            for number in range(int(self._rng.integers(1, 4))):
                across, out = (number - 1) * 48.0 + float(self._rng.uniform(-6, 6)), float(self._rng.uniform(-5, 35))
                spot = (x + ox * out - oy * across, y + oy * out + ox * across, 0.0)
                chips = ChipStack(spot, int(self._rng.integers(2, 14)), str(self._rng.choice(COLOURS)))
                self._chips.append((chips, 0))

    def outward(self, seat: str) -> tuple[float, float, float, float]:
        """The middle of a seat's place and the direction outward from the dealer."""
        corners = self._zones[seat]
        x = sum(p[0] for p in corners) / len(corners)
        y = sum(p[1] for p in corners) / len(corners)
        far = math.hypot(x, y + 300)
        return x, y, x / far, (y + 300) / far

    def _arm(self, seat: str, side: str, at: Vec2, outward: Vec2) -> None:
        ox, oy = outward
        home = (at[0] + ox * 40, at[1] + oy * 40, 16.0)
        away = (at[0] + ox * 420, at[1] + oy * 420, -150.0)
        yaw = math.atan2(ox, -oy) + float(self._rng.uniform(-0.3, 0.3)) * (1 if side == "left" else -1)
        path = GripPath()
        start = home if self._rng.random() < 0.6 else away
        path.add(Key(0, start, yaw, float(self._rng.uniform(0, 0.3)), float(self._rng.uniform(0.15, 0.6))))
        shoulder = (at[0] + ox * 640, at[1] + oy * 640)
        self.arms[seat, side] = PlayerArm(seat, side, path, home, away, yaw, shoulder)

    # -- idleness -------------------------------------------------------------------------------------------------

    def idle(self, arm: PlayerArm, until_us: int) -> None:
        """The arm rests on the table or off it, changing now and then, and is still by `until_us`."""
        while True:
            start = arm.free_us + us(float(self._rng.uniform(2.5, 9.0)))
            if start + us(2.0) > until_us:
                break
            arm.hold(start)
            there = math.dist(arm.path.keys[-1].grip, arm.home) < 120
            goal = arm.away if there and self._rng.random() < 0.5 else arm.home
            spot = (goal[0] + self._about(18), goal[1] + self._about(18), goal[2])
            arm.to(start + us(float(self._rng.uniform(0.6, 1.1))), spot, curl=0.35, lift_mm=20)
        arm.hold(until_us)

    def finish(self, end_us: int) -> None:
        """Everybody is idle until the scene ends."""
        for arm in self.arms.values():
            self.idle(arm, end_us)

    def _about(self, spread: float) -> float:
        return float(self._rng.uniform(-spread, spread))

    # -- acts -----------------------------------------------------------------------------------------------------

    def refuse(self, seat: str, from_us: int, how: str) -> int:
        """The player declines the cut; returns when that is plain to see."""
        arm = self.arms[seat, "right" if self._rng.random() < 0.7 else "left"]
        self.idle(arm, from_us)
        if how == "pull_back":
            for other in (self.arms[seat, "left"], self.arms[seat, "right"]):
                self.idle(other, from_us)
                other.to(from_us + us(0.5), other.home, curl=0.3)
                other.to(from_us + us(1.2), other.away, curl=0.3, lift_mm=20)
            return from_us + us(1.2)
        _, _, ox, oy = self.outward(seat)
        front = (arm.home[0] - ox * 70, arm.home[1] - oy * 70, 55.0)
        t = arm.to(from_us + us(0.45), front, curl=0.1, lift_mm=15)
        for turn in range(4 if how == "wave" else 1):
            swing = 55.0 if turn % 2 else -55.0
            spot = (front[0] - oy * swing, front[1] + ox * swing, 55.0)
            if how == "push":
                spot = (front[0] - ox * 70, front[1] - oy * 70, 40.0)
            t = arm.to(t + us(0.2 if how == "wave" else 0.35), spot, curl=0.08)
        done = t
        arm.to(t + us(0.6), arm.home, curl=0.35, lift_mm=10)
        return done

    def hand(self, seat: str) -> PlayerArm:
        """The arm with which this player cuts."""
        return self.arms[seat, "right"]

    def hands(self, t_us: int) -> tuple[HandPose, ...]:
        """Everybody's hands but the dealer's; who reaches far leans in."""
        return (*super().hands(t_us), *(self._pose(arm, t_us) for arm in self.arms.values()))

    @staticmethod
    def _pose(arm: PlayerArm, t_us: int) -> HandPose:
        pose = hand_pose(arm.path.at(t_us), arm.seat, arm.side, arm.shoulder)
        (sx, sy), (wx, wy, wz) = arm.shoulder, pose.wrist
        far = math.hypot(sx - wx, sy - wy)
        if far <= ARM_MM:
            return pose
        # leaning in, forearm and upper arm are one line up to the rail
        share = (far - 90.0) / far
        return replace(pose, elbow=(wx + (sx - wx) * share, wy + (sy - wy) * share, wz + 70.0))
