"""How things move: from rest to rest, as smoothly as a hand does, with an arc over the felt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sample_videos.second.things import Pose

Values = Mapping[str, Any]

#: Of the generic hand, mm: from the wrist to the knuckles, and the three bones of a finger.
PALM_MM, BONES_MM = 92.0, (46.0, 27.0, 18.0)
#: The second and third joints of a finger bend with the first by these shares.
BENDS = (1.0, 1.9, 2.45)
#: How thick a fingertip is.
PAD_MM = 7.0


def eased(share: float) -> float:
    """Minimum jerk: how much of the way is done after this share of the time (Flash and Hogan, 1985)."""
    s = min(max(share, 0.0), 1.0)
    return s * s * s * (10 - 15 * s + 6 * s * s)


@dataclass(frozen=True, slots=True)
class Move:
    """From whatever was before to `target` between two times (s), `lift_mm` higher in between."""

    start_s: float
    end_s: float
    target: Values
    lift_mm: float = 0.0


@dataclass(slots=True)
class Track:
    """The values of one thing over time. `place` is the value that an arc lifts."""

    start: Values
    place: str = "at"
    moves: list[Move] = field(default_factory=list)

    @property
    def end_s(self) -> float:
        """When its last move ends."""
        return self.moves[-1].end_s if self.moves else 0.0

    def go(self, start_s: float, end_s: float, *, lift_mm: float = 0.0, **target: Any) -> float:
        """Adds a move; returns when it ends.

        Raises:
            ValueError: it would begin before the one before has ended.
        """
        if start_s < self.end_s - 1e-9 or end_s <= start_s:
            raise ValueError(f"a move from {start_s:.3f} to {end_s:.3f} s after one that ends at {self.end_s:.3f} s")
        self.moves.append(Move(start_s, end_s, target, lift_mm))
        return end_s

    def at(self, t_s: float) -> dict[str, Any]:
        """The values at a time."""
        values = dict(self.start)
        for move in self.moves:
            if t_s < move.start_s:
                break
            share = eased((t_s - move.start_s) / (move.end_s - move.start_s))
            for name, target in move.target.items():
                values[name] = _between(values[name], target, share)
            if move.lift_mm:
                x, y, z = values[self.place]
                values[self.place] = [x, y, z + 4 * move.lift_mm * share * (1 - share)]
        return values


def _between(first: Any, second: Any, share: float) -> Any:
    if isinstance(second, bool):
        return second if share > 0 else first
    out = np.asarray(first, np.float64) * (1 - share) + np.asarray(second, np.float64) * share
    return out.tolist()


def hand_pose(values: Values, shoulder: tuple[float, float, float], home: tuple[float, float, float]) -> Pose:
    """The pose of a hand whose fingertips rest at `values["tips"]`; the shoulder goes along a little with the hand."""
    curl, pitch, yaw = values["curl"], np.radians(values["pitch"]), np.radians(values["yaw"])
    bend = np.radians(curl[2])
    ahead = PALM_MM + sum(bone * float(np.cos(bend * b)) for bone, b in zip(BONES_MM, BENDS, strict=True))
    down = sum(bone * float(np.sin(bend * b)) for bone, b in zip(BONES_MM, BENDS, strict=True)) + PAD_MM
    reach = ahead * float(np.cos(pitch)) - down * float(np.sin(pitch))
    drop = ahead * float(np.sin(pitch)) + down * float(np.cos(pitch))
    x, y, z = values["tips"]
    wrist = [x - reach * float(np.cos(yaw)), y - reach * float(np.sin(yaw)), z + drop]
    follow = [shoulder[i] + 0.4 * (wrist[i] - home[i]) for i in (0, 1)]
    pose: Pose = {"wrist": wrist, "shoulder": [*follow, shoulder[2]]}
    return pose | {name: values[name] for name in ("yaw", "pitch", "roll", "curl", "spread")}
