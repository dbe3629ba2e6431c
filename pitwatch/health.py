"""A watched table's health: what is wrong with its picture, and how long an alert takes."""

from __future__ import annotations

import zlib
from collections import deque
from dataclasses import dataclass, field

import numpy as np

from pitwatch.camera import Arrived

FROZEN_S = 10.0
COMPARE_EVERY_S = 1.0
REMEMBER_US = 120_000_000
PACE_US = 2_000_000
SLOW_LOOKS_S = 11.0  # a card that is drawn is in the air for a third of a second: fewer looks can miss a step


@dataclass(slots=True)
class Freeze:
    """Tells a picture that does not change any more: a living camera's noise never repeats itself."""

    _mark: int | None = None
    _since_s: float = 0.0
    _compared_s: float = float("-inf")

    def see(self, arrived: Arrived) -> bool:
        """True if the picture has been the very same for ten seconds. Looks at one picture a second."""
        at_s = arrived.at_s
        if at_s - self._compared_s >= COMPARE_EVERY_S:
            self._compared_s = at_s
            mark = zlib.crc32(np.ascontiguousarray(arrived.frame.image[::4]).data)
            if mark != self._mark:
                self._mark, self._since_s = mark, at_s
        return at_s - self._since_s >= FROZEN_S


@dataclass(slots=True)
class Pace:
    """How many pictures a second are looked at, and whether that is too few because others had to be skipped."""

    looks_s: float | None = None
    slow: bool = False
    _from_us: int | None = None
    _looks: int = 0
    _skipped: int = 0

    def looked(self, t_us: int, skipped: int) -> None:
        """Counts a look at `t_us`; `skipped` is the camera's count of all pictures that nobody had time for."""
        if self._from_us is None:
            self._from_us, self._skipped = t_us, skipped
        self._looks += 1
        if t_us - self._from_us < PACE_US:
            return
        self.looks_s = (self._looks - 1) / ((t_us - self._from_us) / 1e6)
        self.slow = self.looks_s < SLOW_LOOKS_S and skipped > self._skipped
        self._from_us, self._looks, self._skipped = t_us, 1, skipped


@dataclass(slots=True)
class Latency:
    """From a deciding frame's arrival to its alert on the wire, in seconds."""

    _frames: deque[tuple[int, float]] = field(default_factory=deque)  # t_us, when it came
    taken_s: list[float] = field(default_factory=list)

    def came(self, arrived: Arrived) -> None:
        """Remembers when a frame came."""
        self._frames.append((arrived.frame.t_us, arrived.at_s))
        while self._frames[0][0] < arrived.frame.t_us - REMEMBER_US:
            self._frames.popleft()

    def sent(self, decided_us: int, now_s: float) -> float | None:
        """Notes that an alert went out whose deciding frame was that at `decided_us`; returns what it took.

        The deciding frame is the first one at or after that time; None if no frame came since.
        """
        came_s = next((at_s for t_us, at_s in self._frames if t_us >= decided_us), None)
        if came_s is None:
            return None
        self.taken_s.append(now_s - came_s)
        return now_s - came_s

    def figures(self) -> dict[str, float | int | None]:
        """How many were measured, the median and the 99th percentile, in milliseconds."""
        return {"alerts": len(self.taken_s), "p50_ms": self._ms(50), "p99_ms": self._ms(99)}

    def _ms(self, percent: float) -> float | None:
        return round(1000 * float(np.percentile(self.taken_s, percent)), 1) if self.taken_s else None
