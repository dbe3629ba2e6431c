"""The whole stack on its long edge: where it stands, and every move of it from one place of rest to the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.change.box import Box, box_of
from vision.change.look import Look, near_mm
from vision.change.packets import Packet
from vision.change.pose import Poses
from vision.sighting import Points, overlap

#: Moves shorter than this are none.
MOVED_MM = 22.0
#: A packet that the stack may have become lies no further from where it was last seen, per second unseen.
SPEED_MM_S = 1500.0
#: What is seen of a stack under a player's hand lies within the stack by at least this share.
WITHIN_SHARE = 0.6
#: ... and is no smaller than this share of it.
LEAST_SHARE = 0.5
#: What a cover card in it leaves of its box is smaller by this share, and within it by at least the same.
CUT_OFF_SHARE = 0.85
#: A hand no further from the stack's place hides what is missing.
HIDES_MM = 10.0
#: A stack that lay flat so lately has been tipped up from there.
TIPPING_US = 4_000_000
#: About where the dealer stands: the top of a stack on edge is its end away from him.
DEALER_MM = np.array([0.0, -100.0])


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """The whole stack from one place of rest to the next."""

    t_us: int
    end_us: int
    from_box: Box
    to_box: Box

    @property
    def way_mm(self) -> float:
        """How far its middle moved."""
        return float(np.linalg.norm(self.to_box.centre_mm - self.from_box.centre_mm))


class Stand:
    """`step(look, packets)` follows the stack once it stands; `moved` is the move that ended with this look."""

    def __init__(self, poses: Poses) -> None:
        self._poses = poses
        self.rest: Box | None = None  # where it stands now, or stood last; `along` points to the players
        self.rest_us: int | None = None
        self.left_us: int | None = None  # when it was last seen there
        self.since_us: int | None = None  # since when a stack has been standing at all
        self.packet: Packet | None = None
        self.whole_us: int | None = None  # when it was last seen in one piece
        self.seen: Box | None = None
        self.moved: Move | None = None
        self.tipped_us: int | None = None  # when it lay flat last, if it was seen to be tipped up from there
        self._lay_us: int | None = None
        self.there = False  # seen where it stands in this look, all of it or the part that is not hidden or cut off

    def step(self, look: Look, packets: Sequence[Packet]) -> None:
        """Takes a look's packets in."""
        self.moved = None
        if self.rest is None and any(p.rest_us is not None and self._lies(look.t_us, p) for p in packets):
            self._lay_us = look.t_us
        found = self._find(look.t_us, packets)
        self.packet = None if found is None else found[0]
        self.there = any(self._part_of_it(look, box_of(s)) for s in look.stacks)
        if found is None:
            self.left_us = look.t_us if self.there and self.left_us is not None else self.left_us
            return
        packet, box = found
        if self._part_of_it(look, box) and float(np.linalg.norm(box.centre_mm - self._place_mm())) >= MOVED_MM / 2:
            self.left_us = look.t_us
            return
        self.whole_us, self.seen = look.t_us, box
        if packet.rest_us is None:
            return
        self._rested(look.t_us, packet, box)

    def _find(self, t_us: int, packets: Sequence[Packet]) -> tuple[Packet, Box] | None:
        """The packet that is the whole stack on edge, seen in this look."""
        best: tuple[float, Packet, Box] | None = None
        for packet in packets:
            if packet.seen_us != t_us:
                continue
            if self.rest is None and packet.rest_us is None:
                continue
            raw = packet.settled(t_us) if packet.rest_us is not None else packet.box
            box = self._poses.stands(raw, known=self.rest is not None)
            if box is None:
                continue
            box = box.turned(box.centre_mm - DEALER_MM)
            cost = 0.0
            if self.seen is not None and self.whole_us is not None:
                away = float(np.linalg.norm(box.centre_mm - self.seen.centre_mm))
                cost = away - SPEED_MM_S * (t_us - self.whole_us) / 1e6
            if best is None or cost < best[0]:
                best = (cost, packet, box)
        return None if best is None else best[1:]

    def _rested(self, t_us: int, packet: Packet, box: Box) -> None:
        since = packet.rest_us if packet.rest_us is not None else t_us
        if self.rest is None or self.rest_us is None or self.left_us is None:
            self.rest, self.rest_us, self.left_us = box, since, t_us
            self.since_us = since
            lately = self._lay_us is not None and since - self._lay_us <= TIPPING_US
            self.tipped_us = self._lay_us if lately else None
            return
        way = float(np.linalg.norm(box.centre_mm - self.rest.centre_mm))
        if way < MOVED_MM:
            self.left_us = t_us
            if t_us - self.rest_us < 3_000_000:
                self.rest = box
            return
        start = min(self._left(packet), since)
        self.moved = Move(start, since, self.rest, box)
        self.rest, self.rest_us, self.left_us = box, since, t_us

    def _lies(self, t_us: int, packet: Packet) -> bool:
        return packet.seen_us == t_us and self._poses.lies(packet.settled(t_us))

    def _place_mm(self) -> Points:
        assert self.rest is not None
        return self.rest.centre_mm

    def _part_of_it(self, look: Look, box: Box) -> bool:
        """Whether this is the stack where it stands, or what a player's hand, or a cover card in it, leaves of its box.

        The dealer alone moves the stack; while no hand of his is at it, a box that has shifted is a box cut short.
        """
        rest = self.rest
        if rest is None or max(box.length_mm, box.width_mm) < LEAST_SHARE * max(rest.length_mm, rest.width_mm):
            return False
        at_it = [arm for arm in look.arms if near_mm(arm, rest.quad_mm) <= HIDES_MM]
        if any(arm.owner == "dealer" for arm in at_it):
            return False
        within = overlap(box.quad_mm, rest.quad_mm)
        if at_it:
            return within >= WITHIN_SHARE
        smaller = box.length_mm * box.width_mm <= CUT_OFF_SHARE * rest.length_mm * rest.width_mm
        return smaller and within >= CUT_OFF_SHARE

    def _left(self, packet: Packet) -> int:
        """When it left its last place of rest: when the first look away from it was, if it was followed."""
        assert self.rest is not None
        assert self.left_us is not None
        for at_us, box in packet.recent:
            if at_us > self.left_us and float(np.linalg.norm(box.centre_mm - self.rest.centre_mm)) > 12.0:
                return max(self.left_us, at_us - 100_000)
        return self.left_us

    def forget(self) -> None:
        """The stack is gone: into the shoe, or back to a shuffle."""
        self.rest = self.rest_us = self.left_us = self.since_us = self.packet = None
        self.whole_us = self.seen = self.moved = self.tipped_us = None
        self.there = False

    def touched(self, look: Look, owner: str = "") -> bool:
        """Whether a hand (of an owner) is at the stack."""
        box = self.seen if self.packet is not None else self.rest
        if box is None:
            return False
        return any(near_mm(arm, box.quad_mm) <= 6.0 for arm in look.arms if owner in ("", arm.owner))
