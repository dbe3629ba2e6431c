"""How hands and things move: piecewise minimum-jerk paths, asked for at any time.

Reaching movements of people follow minimum-jerk profiles closely (Flash and Hogan 1985), so a path between two rests
is 10 s^3 - 15 s^4 + 6 s^5 of the way, with a lift in the middle.
"""

from __future__ import annotations

import bisect
import math
from dataclasses import dataclass, field

from sample_videos.studio.scene import Vec3


def smooth(share: float) -> float:
    """Minimum-jerk progress 0..1 at `share` (0..1) of the time."""
    s = min(max(share, 0.0), 1.0)
    return s * s * s * (10 + s * (6 * s - 15))


def mix(a: float, b: float, share: float) -> float:
    """The number `share` of the way from `a` to `b`."""
    return a + (b - a) * share


def mix3(a: Vec3, b: Vec3, share: float) -> Vec3:
    """The point `share` of the way from `a` to `b`."""
    return (mix(a[0], b[0], share), mix(a[1], b[1], share), mix(a[2], b[2], share))


def turn(x: float, y: float, angle: float) -> tuple[float, float]:
    """The vector turned counter-clockwise by `angle` radians."""
    return (x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle))


@dataclass(frozen=True, slots=True)
class Key:
    """Where the grip (the finger tips) is at `t_us`, which way the hand points, how it holds."""

    t_us: int
    grip: Vec3
    yaw: float
    pinch: float
    curl: float
    lift_mm: float = 0.0  # how far the way to this key arches up


@dataclass(slots=True)
class GripPath:
    """The keys of one hand in order of time; `at(t_us)` is the key in between."""

    keys: list[Key] = field(default_factory=list)

    def add(self, key: Key) -> None:
        """Appends a key; one not later than the last is moved just behind it."""
        if self.keys and key.t_us <= self.keys[-1].t_us:
            key = Key(self.keys[-1].t_us + 1000, key.grip, key.yaw, key.pinch, key.curl, key.lift_mm)
        self.keys.append(key)

    def at(self, t_us: int) -> Key:
        """The interpolated key; before the first and after the last it rests there."""
        times = [k.t_us for k in self.keys]
        i = bisect.bisect_right(times, t_us)
        if i == 0:
            return self.keys[0]
        if i == len(self.keys):
            return self.keys[-1]
        a, b = self.keys[i - 1], self.keys[i]
        share = smooth((t_us - a.t_us) / (b.t_us - a.t_us))
        x, y, z = mix3(a.grip, b.grip, share)
        arch = b.lift_mm * 4 * share * (1 - share)
        return Key(
            t_us,
            (x, y, z + arch),
            mix(a.yaw, b.yaw, share),
            mix(a.pinch, b.pinch, share),
            mix(a.curl, b.curl, share),
        )
