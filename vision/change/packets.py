"""Stacks and packets over time: where each lies, since when, and what becomes of it.

A box that the detector breaks in two for a look is mended, and one that it gives twice is dropped. What is hidden by
a hand is kept. Nothing is counted in frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linear_sum_assignment

from vision.change.box import Box, box_of, middle_of, together
from vision.change.look import Look, near_mm
from vision.once import surest
from vision.sighting import Sighting, overlap

#: A stack lies still while its middle stays within this.
STILL_MM = 9.0
REST_US = 260_000
#: The typical box is taken over so long.
SETTLE_US = 500_000
KEEP_US = 450_000
KEEP_HIDDEN_US = 6_000_000
SPEED_MM_S = 1900.0
#: Two pieces of one box: no further apart than this, and together as large as what lay there.
BROKEN_MM = 14.0
#: ... and for no longer than this, or they are two.
BROKEN_US = 3_000_000
#: Unseen for so long, and its place covered by another: they are one now.
MERGED_US = 120_000


@dataclass(slots=True, eq=False)
class Packet:
    """One stack or packet. `rest_us` is since when it has lain still, None while it moves."""

    id: int
    born_us: int
    box: Box
    seen_us: int
    first: Box
    recent: list[tuple[int, Box]] = field(default_factory=list)
    rest_us: int | None = None
    anchor: Box | None = None  # where it lay last
    left_us: int | None = None  # when it was last seen where it lay
    covered_us: int = 0
    looks: int = 0
    broken_us: int | None = None  # since when it has been seen in two pieces

    def settled(self, t_us: int) -> Box:
        """Its typical box over the last half second, or since it came to rest."""
        since = max(t_us - SETTLE_US, self.rest_us or 0)
        boxes = [box for at_us, box in self.recent if at_us >= since]
        return middle_of(boxes) if boxes else self.box

    def travelled_mm(self) -> float:
        """How far its middle is from where it was first seen."""
        return float(np.linalg.norm(self.box.centre_mm - self.first.centre_mm))

    def add(self, t_us: int, box: Box) -> None:
        """Takes a look in and says anew whether it lies or moves."""
        self.box, self.seen_us = box, t_us
        self.looks += 1
        self.recent = [(at, b) for at, b in self.recent if t_us - at <= 1_500_000] + [(t_us, box)]
        if self.rest_us is not None and self.anchor is not None:
            if float(np.linalg.norm(box.centre_mm - self.anchor.centre_mm)) <= STILL_MM:
                self.left_us = t_us
                return
            self.rest_us = None
        self._settle(t_us)

    def _settle(self, t_us: int) -> None:
        since = t_us
        for at_us, box in reversed(self.recent):
            if float(np.linalg.norm(box.centre_mm - self.box.centre_mm)) > STILL_MM:
                break
            since = at_us
        if t_us - since >= REST_US:
            self.rest_us, self.left_us = since, t_us
            self.anchor = self.settled(t_us)


class Packets:
    """`step(look)` follows them; `alive` are those on the table, `gone` those that ended with this step."""

    def __init__(self) -> None:
        self._count = 0
        self.alive: list[Packet] = []
        self.gone: list[Packet] = []

    def step(self, look: Look) -> None:
        """Takes the stacks of one look in."""
        t_us = look.t_us
        boxes = self._mended(surest(look.stacks, _twins))
        free = list(range(len(boxes)))
        for packet, index in self._matched(t_us, boxes):
            packet.add(t_us, box_of(boxes[index], packet.box))
            free.remove(index)
        for packet in self.alive:
            if packet.seen_us < t_us and any(near_mm(arm, packet.box.quad_mm) <= 0 for arm in look.arms):
                packet.covered_us = t_us
        for index in free:
            self._count += 1
            box = box_of(boxes[index])
            packet = Packet(self._count, t_us, box, t_us, box)
            packet.add(t_us, box)
            self.alive.append(packet)
        self.gone = [p for p in self.alive if _over(p, t_us) or self._merged(p, t_us)]
        self.alive = [p for p in self.alive if p not in self.gone]

    def _merged(self, packet: Packet, t_us: int) -> bool:
        """Whether it became part of another: what is seen now covers its place."""
        if t_us - packet.seen_us < MERGED_US:
            return False
        others = [p for p in self.alive if p.seen_us == t_us]
        return any(overlap(p.box.quad_mm, packet.box.quad_mm) > 0.7 for p in others)

    def _mended(self, sightings: list[Sighting]) -> list[Sighting]:
        """Pieces that together are what lay there are made one again."""
        out = list(sightings)
        for packet in self.alive:
            if packet.anchor is None or packet.rest_us is None:
                continue
            home = packet.anchor
            parts = [s for s in out if home.gap_mm(s.centre_mm) <= 0]
            if len(parts) != 2:
                packet.broken_us = None
                continue
            if packet.broken_us is None:
                packet.broken_us = parts[0].t_us
            if parts[0].t_us - packet.broken_us > BROKEN_US:
                continue
            whole = together([box_of(s, home) for s in parts], home)
            apart = abs(whole.length_mm - home.length_mm) + abs(whole.width_mm - home.width_mm)
            sum_mm2 = sum(s.area_mm2 for s in parts)
            if apart <= BROKEN_MM and sum_mm2 <= 1.25 * whole.length_mm * whole.width_mm:
                out = [s for s in out if s not in parts]
                out.append(Sighting(parts[0].t_us, "stack", whole.quad_mm, min(s.score for s in parts)))
        return out

    def _matched(self, t_us: int, sightings: Sequence[Sighting]) -> list[tuple[Packet, int]]:
        if not self.alive or not sightings:
            return []
        cost = np.array([[_cost(packet, s, t_us) for s in sightings] for packet in self.alive])
        rows, columns = linear_sum_assignment(np.minimum(cost, 1e6))
        return [
            (self.alive[r], c) for r, c in zip(rows.tolist(), columns.tolist(), strict=True) if np.isfinite(cost[r, c])
        ]


def _twins(a: Sighting, b: Sighting) -> bool:
    """Whether two finds of stacks nearly coincide."""
    alike = min(a.area_mm2, b.area_mm2) > 0.6 * max(a.area_mm2, b.area_mm2)
    return alike and overlap(a.quad_mm, b.quad_mm) > 0.75


def _cost(packet: Packet, sighting: Sighting, t_us: int) -> float:
    """Millimetres between what was and what is; infinite outside the gate."""
    box = box_of(sighting, packet.box)
    distance = float(np.linalg.norm(packet.box.centre_mm - box.centre_mm))
    gap_s = max((t_us - packet.seen_us) / 1e6, 0.02)
    grown = abs(box.length_mm - packet.box.length_mm) + abs(box.width_mm - packet.box.width_mm)
    if distance > min(30.0 + SPEED_MM_S * gap_s, 220.0):
        return float("inf")
    return distance + 0.6 * grown


def _over(packet: Packet, t_us: int) -> bool:
    unseen_us = t_us - packet.seen_us
    if t_us - packet.covered_us <= KEEP_US:
        return unseen_us > KEEP_HIDDEN_US
    return unseen_us > KEEP_US
