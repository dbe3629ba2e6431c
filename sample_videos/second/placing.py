"""Putting things on a table one after the other, where there is room."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from numpy.random import Generator

from sample_videos.second import looks
from sample_videos.second.layout import Layout
from sample_videos.second.things import LAYER_MM, Thing

#: In how many of so many tries a place must be found, or the thing is left out.
TRIES = 40


@dataclass(slots=True)
class Placing:
    """Puts things on a table one after the other, where there is room."""

    random: Generator
    table: Layout
    pack: looks.Pack
    things: list[Thing] = field(default_factory=list)
    taken: list[tuple[float, float, float]] = field(default_factory=list)
    layer: int = 0

    def put(self, kind: str, cls: str | None, spec: dict[str, Any], **pose: Any) -> Thing:
        """Adds a thing at a pose."""
        thing = Thing(len(self.things) + 1, kind, cls, spec, pose)
        self.things.append(thing)
        return thing

    def room(
        self, radius: float, area: tuple[float, float, float, float] = (-620, 20, 620, 640)
    ) -> tuple[float, float] | None:
        """A free place for a thing of this radius, now taken; None if none was found."""
        for _ in range(TRIES):
            x, y = float(self.random.uniform(area[0], area[2])), float(self.random.uniform(area[1], area[3]))
            if self.claim(x, y, radius):
                return x, y
        return None

    def claim(self, x: float, y: float, radius: float) -> bool:
        """Takes a place if it is free."""
        if any((x - a) ** 2 + (y - b) ** 2 < (radius + r) ** 2 for a, b, r in self.taken):
            return False
        self.taken.append((x, y, radius))
        return True

    def chance(self, share: float) -> bool:
        """True so often."""
        return bool(self.random.random() < share)

    def turn(self) -> float:
        """Any direction, degrees."""
        return float(self.random.uniform(0, 360))

    def card(self, x: float, y: float, turn: float, *, up: bool, height: float = 0.0) -> Thing:
        """A card on the felt, or `height` above it."""
        self.layer += 1
        spec = self.pack.any_card(self.random)
        z = 0.6 + LAYER_MM * self.layer + height + abs(spec["bend"])
        cls = "card_face" if up else "card_back"
        return self.put("card", cls, spec, at=[x, y, z], turn=turn, flip=0.0 if up else 180.0)

    def cover(self, x: float, y: float, turn: float, height: float = 0.0) -> Thing:
        """A cover card."""
        self.layer += 1
        z = 0.6 + LAYER_MM * self.layer + height
        return self.put("card", "cover_card", looks.cover(self.random, self.pack.size), at=[x, y, z], turn=turn)
