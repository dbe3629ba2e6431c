"""All around the dealer's procedure: players, bets, chips, a stranger's arm, the stack that goes into the shoe."""

from __future__ import annotations

import math

import numpy as np

from sample_videos.studio.choreography.dealer import Arm, hand_pose, us
from sample_videos.studio.choreography.motion import GripPath, Key, mix3, smooth
from sample_videos.studio.choreography.plan import Plan
from sample_videos.studio.scene import ChipStack, Equipment, HandPose, StackPose, Vec2, Vec3

COLOURS = ("red", "green", "black", "purple", "blue", "white", "orange")


class Extras:
    """`hands`, `chips` and `stacks` at any time."""

    def __init__(
        self, plan: Plan, equipment: Equipment, zones: dict[str, tuple[Vec2, ...]], rng: np.random.Generator
    ) -> None:
        self._plan, self._equipment, self._zones, self._rng = plan, equipment, zones, rng
        self._others: list[tuple[str, str, GripPath, tuple[float, float]]] = []
        self._chips: list[tuple[ChipStack, int]] = []  # there from a time on
        self._carried: list[tuple[int, int, Vec3, Vec3, ChipStack]] = []
        self._stack: tuple[int, int, int, Vec3, Vec3] | None = None
        self._players()

    # -- players --------------------------------------------------------------------------------------------------

    def _players(self) -> None:
        seats = [name for name in self._zones if name.startswith("seat:")]
        self._rng.shuffle(seats)
        for name in seats[: int(self._rng.integers(0, 4))]:
            corners = self._zones[name]
            x = sum(p[0] for p in corners) / len(corners)
            y = sum(p[1] for p in corners) / len(corners)
            far = math.hypot(x, y + 300)
            ox, oy = x / far, (y + 300) / far  # outward from the dealer
            for side, shift in (("left", 75.0), ("right", -75.0)):
                if self._rng.random() < 0.7:
                    rest = (x + ox * 60 - oy * shift, y + oy * 60 + ox * shift, 22.0)
                    path = GripPath()
                    yaw = math.atan2(ox, -oy) + float(self._rng.uniform(-0.4, 0.4))
                    path.add(Key(0, rest, yaw, float(self._rng.uniform(0, 0.4)), float(self._rng.uniform(0.1, 0.6))))
                    shoulder = (x + ox * 420 - oy * shift * 1.6, y + oy * 420 + ox * shift * 1.6)
                    self._others.append((name, side, path, shoulder))
            if self._rng.random() < 0.7:
                stack = ChipStack(
                    (x + ox * 25, y + oy * 25, 0.0), int(self._rng.integers(1, 12)), str(self._rng.choice(COLOURS))
                )
                self._chips.append((stack, 0))

    def bets(self, from_us: int) -> int:
        """Players with a hand on the table put chips on their spots; returns when that is done."""
        done = from_us
        for name, _, path, _ in self._others:
            spot = next((z for n, z in self._zones.items() if n.startswith(f"bet:{name[5:]}:")), None)
            if spot is None or len(path.keys) > 1 or not name.startswith("seat:") or self._rng.random() < 0.4:
                continue
            x, y = sum(p[0] for p in spot) / len(spot), sum(p[1] for p in spot) / len(spot)
            home = path.keys[0]
            start = from_us + us(float(self._rng.uniform(0, 0.4)))
            path.add(Key(start, home.grip, home.yaw, home.pinch, home.curl))
            path.add(Key(start + us(0.5), (x, y, 14.0), home.yaw, 0.8, 0.4, 30.0))
            path.add(Key(start + us(1.0), home.grip, home.yaw, home.pinch, home.curl, 20.0))
            chips = ChipStack((x, y, 0.0), int(self._rng.integers(1, 5)), str(self._rng.choice(COLOURS)))
            self._chips.append((chips, start + us(0.5)))
            done = max(done, start + us(0.6))
        return done

    # -- a stranger's arm -------------------------------------------------------------------------------------------

    def cover_from(self, from_us: int) -> None:
        """A floorperson's or a player's arm comes over the planned zone and stays."""
        if self._plan.cover is None:
            return
        shoe = self._plan.cover == "shoe"
        spot = self._equipment.shoe_exit_mm if shoe else self._equipment.bucket_centre
        height = self._equipment.bucket_depth_mm + 30.0
        path, shoulder = self._reach_over(spot, from_us, self._plan.cover_s, -1 if shoe else 1, height)
        seats = [name for name in self._zones if name.startswith("seat:")]
        owner = "floor" if self._rng.random() < 0.6 else str(self._rng.choice(seats))
        self._others.append((owner, "left" if shoe else "right", path, shoulder))

    def arm_over(self, spot: Vec2, from_us: int, seconds: float, side: int, height_mm: float) -> None:
        """A floorperson's arm comes over a place, from the dealer's left (`side` -1) or right, and stays a while."""
        path, shoulder = self._reach_over(spot, from_us, seconds, side, height_mm)
        self._others.append(("floor", "left" if side < 0 else "right", path, shoulder))

    @staticmethod
    def _reach_over(spot: Vec2, from_us: int, seconds: float, side: int, height_mm: float) -> tuple[GripPath, Vec2]:
        x, y = spot
        shoulder = (x + side * 420.0, y + 520.0)
        yaw = -math.atan2(x - shoulder[0], y - shoulder[1])
        away = (x + side * 330.0, y + 420.0, 60.0)
        # the hand's middle, not its tips, comes over the zone
        reach = 75.0
        over = (x - math.sin(yaw) * reach, y + math.cos(yaw) * reach, height_mm)
        path = GripPath()
        path.add(Key(0, (x + side * 700.0, y + 900.0, 60.0), yaw, 0.1, 0.15))
        path.add(Key(max(from_us - us(0.7), 1000), away, yaw, 0.1, 0.15))
        path.add(Key(from_us, over, yaw, 0.1, 0.15))
        path.add(Key(from_us + us(seconds), over, yaw, 0.1, 0.15))
        path.add(Key(from_us + us(seconds + 0.7), away, yaw, 0.1, 0.15))
        path.add(Key(from_us + us(seconds + 1.5), (x + side * 700.0, y + 900.0, 60.0), yaw, 0.1, 0.15))
        return path, shoulder

    # -- chips ----------------------------------------------------------------------------------------------------

    def chips_through_bucket(self, arm: Arm, from_us: int) -> int:
        """The dealer's right hand takes a few chips from the tray across the bucket's zone; returns when done."""
        x, y = self._equipment.bucket_centre
        (_, y0), (x1, y1) = self._equipment.tray
        start = (x1 - 30.0, (y0 + y1) / 2, 20.0)
        goal = (x + 30.0, y + self._equipment.bucket_size_mm[1] / 2 + 130.0, 0.0)
        taken = arm.to(from_us + us(0.4), (start[0], start[1], 22.0), pinch=0.8)
        high = self._equipment.bucket_depth_mm + 25.0
        over = arm.to(taken + us(0.45), (x, y, high), pinch=0.9)
        there = arm.to(over + us(0.35), (goal[0], goal[1], 16.0), pinch=0.9)
        stack = ChipStack(start, int(self._rng.integers(2, 7)), str(self._rng.choice(COLOURS)))
        self._carried.append((taken, over, start, (x, y, high - 15), stack))
        self._carried.append((over, there, (x, y, high - 15), goal, stack))
        self._chips.append((ChipStack(goal, stack.count, stack.colour), there))
        arm.to(there + us(0.4), arm.idle, lift_mm=25)
        return arm.free_us + us(0.1)

    def chips(self, t_us: int) -> tuple[ChipStack, ...]:
        """Every loose stack of chips at a time."""
        there = [chips for chips, since in self._chips if t_us >= since]
        for from_us, until_us, start, goal, stack in self._carried:
            if from_us <= t_us < until_us:
                at = mix3(start, goal, smooth((t_us - from_us) / (until_us - from_us)))
                there.append(ChipStack(at, stack.count, stack.colour))
        return tuple(there)

    # -- the shoe -------------------------------------------------------------------------------------------------

    def load_shoe(self, left: Arm, right: Arm, start_us: int, arrive_us: int) -> int:
        """Both hands carry the cut stack from the shuffle area into the shoe; returns when it is in."""
        x, y = self._equipment.shoe_centre
        start = (-40.0, 235.0, 0.0)
        over = (x, y, self._equipment.shoe_size_mm[2] * 0.7)
        self._stack = (start_us, arrive_us, arrive_us + us(0.4), start, over)
        left.path.keys.clear()
        right.path.keys.clear()
        left.to(0, (start[0] - 70, start[1] - 10, 45.0), curl=0.35)
        right.to(0, (start[0] + 70, start[1] - 10, 45.0), curl=0.35)
        left.hold(start_us)
        right.hold(start_us)
        left.to(arrive_us, (over[0] - 40, over[1] - 30, over[2] + 40), curl=0.35, lift_mm=30)
        right.to(arrive_us, (over[0] + 75, over[1] - 30, over[2] + 40), curl=0.35, lift_mm=30)
        left.hold(arrive_us + us(0.5))
        right.hold(arrive_us + us(0.5))
        return arrive_us + us(0.4)

    def stacks(self, t_us: int) -> tuple[StackPose, ...]:
        """The stack on its way into the shoe; gone once it is in."""
        if self._stack is None or t_us >= self._stack[2]:
            return ()
        start_us, arrive_us, in_us, start, over = self._stack
        if t_us < arrive_us:
            share = smooth((t_us - start_us) / (arrive_us - start_us))
            x, y, z = mix3(start, over, share)
            z += 4 * 60.0 * share * (1 - share)
        else:
            x, y, z = mix3(over, (over[0], over[1], 2.0), smooth((t_us - arrive_us) / (in_us - arrive_us)))
        return (StackPose((x, y, z), 380, math.pi / 2, on_edge=True),)

    def hands(self, t_us: int) -> tuple[HandPose, ...]:
        """Everybody's hands but the dealer's."""
        return tuple(hand_pose(path.at(t_us), owner, side, shoulder) for owner, side, path, shoulder in self._others)
