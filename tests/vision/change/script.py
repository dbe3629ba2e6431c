"""A small timeline of things on a table, looked at as a detector would: with jitter, lost boxes and broken ones.

A `Thing` has keys (when, where, how large, how turned) and goes smoothly from one to the next; `Script.looks()` gives
what is seen. Nothing here comes from the studio.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from calibration.tablefile import Layout
from vision.change.change import ShoeChange
from vision.sighting import Points, Sighting

STRIP_MM, CARD_MM = 127.0, 89.0
HOME = (0.0, 260.0)


def box(x0: float, y0: float, x1: float, y1: float) -> Points:
    """An upright zone."""
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


LAYOUT = Layout(
    shoe_side="left",
    seats=(1, 2, 3, 4, 5),
    zones_mm={
        "shoe": box(-645, 100, -295, 250),
        "discard": box(360, 5, 500, 125),
        "shuffle": box(-260, 110, 260, 380),
        "seat:1": box(700, 200, 900, 350),
        "seat:2": box(420, 560, 620, 710),
        "seat:3": box(-100, 680, 100, 830),
        "seat:4": box(-620, 560, -420, 710),
        "seat:5": box(-900, 200, -700, 350),
    },
)


def quad(centre: tuple[float, float], size: tuple[float, float], angle: float) -> Points:
    """A rectangle of size (across, along), its second side along +y at angle 0."""
    x, y = size[0] / 2, size[1] / 2
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners: Points = np.array([[-x, y], [x, y], [x, -y], [-x, -y]]) @ turn.T + np.asarray(centre)
    return corners


@dataclass(frozen=True)
class Key:
    """Where a thing is at a time, s."""

    t_s: float
    centre: tuple[float, float]
    size: tuple[float, float]
    angle: float


@dataclass
class Thing:
    """Something that the detector finds, from `from_s` until `until_s`."""

    cls: str
    keys: list[Key]
    from_s: float = 0.0
    until_s: float = 1e9
    hidden: list[tuple[float, float]] = field(default_factory=list)

    def to(
        self,
        t_s: float,
        centre: tuple[float, float],
        seconds: float = 0.6,
        *,
        size: tuple[float, float] | None = None,
        angle: float | None = None,
    ) -> Thing:
        """It stays where it is until `t_s`, then goes to `centre` in so many seconds."""
        last = self.keys[-1]
        self.keys.append(Key(t_s, last.centre, last.size, last.angle))
        turned = last.angle if angle is None else angle
        self.keys.append(Key(t_s + seconds, centre, size or last.size, turned))
        return self

    def at(self, t_s: float) -> Key | None:
        """Where it is, None while it is not to be seen."""
        if not self.from_s <= t_s < self.until_s or any(a <= t_s < b for a, b in self.hidden):
            return None
        before = [k for k in self.keys if k.t_s <= t_s]
        after = [k for k in self.keys if k.t_s > t_s]
        if not before or not after:
            return before[-1] if before else after[0]
        a, b = before[-1], after[0]
        share = (t_s - a.t_s) / max(b.t_s - a.t_s, 1e-9)
        share = share * share * (3 - 2 * share)
        centre, size = _between(a.centre, b.centre, share), _between(a.size, b.size, share)
        return Key(t_s, centre, size, a.angle + (b.angle - a.angle) * share)


def _between(a: tuple[float, float], b: tuple[float, float], share: float) -> tuple[float, float]:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


class Script:
    """A running scene: add things, then `play()` it."""

    def __init__(self, seed: int = 0, *, fps: float = 15.0, jitter_mm: float = 1.5, lost: float = 0.05) -> None:
        self._rng = np.random.default_rng(seed)
        self.fps, self.jitter_mm, self.lost = fps, jitter_mm, lost
        self.things: list[Thing] = []

    def thing(
        self, cls: str, centre: tuple[float, float], size: tuple[float, float], angle: float = 0.0, *,
        from_s: float = 0.0, until_s: float = 1e9,
    ) -> Thing:  # fmt: skip
        """A new thing that lies there from `from_s` on."""
        thing = Thing(cls, [Key(from_s, centre, size, angle)], from_s, until_s)
        self.things.append(thing)
        return thing

    def dealer(self) -> tuple[Thing, Thing]:
        """The dealer's hands at rest, left and right."""
        return self.thing("hand", (-150, 70), (95, 175)), self.thing("hand", (150, 70), (95, 175))

    def chips(self, *seats: int) -> None:
        """Chips in the seats' places."""
        for seat in seats:
            middle = LAYOUT.zones_mm[f"seat:{seat}"].mean(axis=0)
            self.thing("chips", (float(middle[0]), float(middle[1])), (42, 42))

    def looks(self, until_s: float) -> Iterator[tuple[int, list[Sighting]]]:
        """What is seen at each look."""
        for number in range(round(until_s * self.fps)):
            t_us = round(number * 1e6 / self.fps)
            seen = [s for thing in self.things for s in self._seen(thing, t_us)]
            yield t_us, seen

    def _seen(self, thing: Thing, t_us: int) -> list[Sighting]:
        key = thing.at(t_us / 1e6)
        if key is None or self._rng.random() < self.lost:
            return []
        centre = np.asarray(key.centre) + self._rng.normal(0, self.jitter_mm, 2)
        size = np.maximum(np.asarray(key.size) + self._rng.normal(0, self.jitter_mm, 2), 1.0)
        corners = quad((float(centre[0]), float(centre[1])), (float(size[0]), float(size[1])), key.angle)
        return [Sighting(t_us, thing.cls, corners, float(self._rng.uniform(0.5, 0.95)))]

    def play(self, until_s: float, **options: Any) -> list[tuple[str, float, dict[str, Any]]]:
        """The events (kind, start s, facts) that the recognisers report."""
        events: list[tuple[str, float, dict[str, Any]]] = []

        def emit(kind: str, t_us: int, end_us: int, facts: dict[str, Any], confidence: float) -> None:
            assert t_us <= end_us
            assert 0 < confidence <= 1
            events.append((kind, t_us / 1e6, {**facts, "end_s": end_us / 1e6}))

        change = ShoeChange(LAYOUT, emit, **options)
        for t_us, seen in self.looks(until_s):
            change.step(t_us, seen)
        change.finish()
        return events


def of(events: list[tuple[str, float, dict[str, Any]]], kind: str) -> list[tuple[float, dict[str, Any]]]:
    """The events of one kind."""
    return [(t, facts) for k, t, facts in events if k == kind]
