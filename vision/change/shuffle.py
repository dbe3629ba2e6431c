"""The shuffle: wash, riffle and strip, and its end, when one stack lies there and the hands are off it.

What makes a wash, a riffle and a strip is told in `vision.change.wash`, `riffle`, `stripping`; here they become acts,
and the end of them is found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from calibration.polygon import contains
from calibration.tablefile import Layout
from vision.change.box import Box, middle_of
from vision.change.look import Look, near_mm, quads_apart_mm
from vision.change.measures import Gauge, Measures, facts_of
from vision.change.packets import Packet
from vision.change.riffle import Riffling
from vision.change.stand import Stand
from vision.change.stripping import Stripping
from vision.change.wash import Washing
from vision.places import Places

Emit = Callable[..., None]

#: So many turns of a hand between two packets make a strip.
SWINGS = 4
#: The hands have been off the stack for so long, and it is the only one for so long.
OFF_US = 250_000
OFF_MM = 2.0
RESTING_MM_S = 110.0
LEAVE_US = 200_000
ALONE_US = 350_000
#: Squaring: hands at both ends for so long; the stack grows shorter by so much, or (unshuffled) nothing else happens.
SQUARE_US = 350_000
SHRUNK_MM = 4.5
HELD_US = 850_000
#: ... and it does not stand so soon after.
TIPPED_US = 1_600_000
#: A strip seen in parts goes on after so long; an act is kept back for so long.
GOES_ON_US = 650_000
HELD_BACK_US = 900_000
SETTLE_US = 2_500_000


@dataclass(slots=True, eq=False)
class _End:
    """The stack left by a shuffle, not yet reported."""

    t_us: int
    box: Box
    gauge: Gauge
    stacks: int
    on_edge: bool = False


class Shuffle:
    """`step(look, packets)` reports `shuffle.wash`, `.riffle`, `.strip`, `.end` and `stack.square`."""

    def __init__(self, layout: Layout, places: Places, emit: Emit, measures: Measures) -> None:
        self._work_area = layout.zones_mm.get("shuffle")
        self._places, self._emit, self._measures = places, emit, measures
        self._stripping = Stripping()
        self._riffling = Riffling()
        self._held: tuple[str, int, int, int] | None = None  # kind, from, until, packets: not yet reported
        self.washing = Washing()
        self.acts = 0  # riffles, strips and washes since the last shoe
        self._end: _End | None = None
        self._ended = False
        self._alone_us: int | None = None
        self._clear_us: int | None = None
        self._clear_mm: list[float] = []  # the stack's longer side while no hand is at it
        self._flank: tuple[int, int, Box] | None = None
        self._square: tuple[int, int, Box] | None = None  # hands held a lying stack, perhaps only to tip it up
        self._squared = False
        self.method = "manual"
        self.riffled = False  # whether this look told a riffle

    @property
    def over(self) -> bool:
        """Whether nothing was shuffled, or the shuffle has ended."""
        return not self.acts or self._ended

    def step(self, look: Look, packets: Sequence[Packet], *, standing: Stand | None) -> None:
        """Takes a look in; `standing`: the whole stack stands on edge, so that no more of it is shuffled."""
        wash = self.washing.step(look)
        standing = None if self.washing.spread(look.t_us) else standing
        self._held_square(look, standing)
        here = [p for p in packets if look.t_us - p.seen_us <= 600_000 or look.t_us - p.covered_us <= 600_000]
        here = [p for p in here if not self._places.at_shoe(p.box.centre_mm) and max(p.box.length_mm, 1) > 40]
        done = standing.packet if standing is not None else None
        self.riffled = self._riffle(look, [p for p in here if p is not done])
        if standing is not None:
            self._release()
            self._stripping.forget()
            if not self.riffled:
                self._stands(look, standing)
            return
        if wash is not None:
            self._act("shuffle.wash", *wash, {})
        self._strips(look, here)
        self._alone(look, here)

    def _riffle(self, look: Look, packets: Sequence[Packet]) -> bool:
        """Whether a riffle was told: what is done often stands on edge already while the next packets are riffled."""
        riffle = self._riffling.step(look, packets)
        if riffle is None or self._stripping.swinging:
            return False
        self._hold("shuffle.riffle", riffle.t_us, riffle.end_us, 2)
        return True

    # -- two packets --------------------------------------------------------------------------------------------------

    def _strips(self, look: Look, packets: Sequence[Packet]) -> None:
        pair = self._stripping.step(look, packets)
        if pair is not None:
            turns = pair.swings()
            goes_on = self._held is not None and pair.t_us - self._held[2] <= GOES_ON_US and turns >= 2
            if turns >= SWINGS or goes_on:
                self._hold("shuffle.strip", pair.t_us, pair.last_us, turns // 2 + 1)
        if self._held is not None and look.t_us - self._held[2] > HELD_BACK_US and self._stripping.pair is None:
            self._release()

    def _hold(self, kind: str, t_us: int, end_us: int, packets: int) -> None:
        """Keeps an act back for a moment: a strip is often seen in parts."""
        held = self._held
        if held is not None and kind == held[0] == "shuffle.strip" and t_us - held[2] <= GOES_ON_US:
            self._held = (kind, held[1], end_us, held[3] + packets)
            return
        self._release()
        self._held = (kind, t_us, end_us, packets)
        self._end, self._clear_mm = None, []

    def _release(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            self._act(held[0], held[1], held[2], {"packets": held[3]})

    def _act(self, kind: str, t_us: int, end_us: int, facts: dict[str, Any]) -> None:
        self.acts += 1
        self._end, self._ended, self._squared = None, False, False
        self._clear_mm = []
        self._clear_us = None if self._clear_us is None else max(self._clear_us, end_us)
        self._emit(kind, t_us, end_us, facts, 0.85)

    # -- one stack ------------------------------------------------------------------------------------------------

    def _alone(self, look: Look, packets: Sequence[Packet]) -> None:
        stacks = [p for p in packets if look.t_us - p.seen_us <= 450_000 and p.looks >= 4]
        if len(stacks) != 1 or len(look.cards) > 3:
            if len(stacks) > 1 or len(look.cards) > 3:
                self._alone_us = self._clear_us = self._flank = None
            return
        packet = stacks[0]
        self._alone_us = look.t_us if self._alone_us is None else self._alone_us
        if look.t_us - self._alone_us < ALONE_US or packet.seen_us < look.t_us:
            return
        off = _hands_off(look, packet.box)
        if off:
            self._off(look, packet)
        else:
            self._clear_us = None
        self._squaring(look, packet, lies=True)
        self._shall_report(look)

    def _off(self, look: Look, packet: Packet) -> None:
        self._clear_us = look.t_us if self._clear_us is None else self._clear_us
        if packet.rest_us is None or look.t_us - self._clear_us < OFF_US:
            return
        self._clear_mm = [*self._clear_mm[-30:], _girth(packet.box)]
        self._release()
        if self.acts and not self._ended and self._end is None:
            gauge = self._measures.feathered(on_edge=False)
            self._end = _End(self._clear_us + LEAVE_US, packet.settled(look.t_us), gauge, 1)
        if self._end is not None and not self._squared:
            self._end.gauge.add(look.t_us, look.frame, packet.settled(look.t_us), None)

    def _stands(self, look: Look, stand: Stand) -> None:
        """The stack stood up before the hands left it: it is seen as the shuffle left it only now."""
        packet = stand.packet
        if self._ended or not self.acts or (self._end is not None and not self._end.on_edge):
            self.settle()
        if packet is None or stand.rest is None or stand.moved is not None:
            if self._end is not None and stand.moved is not None:
                self.settle()
            return
        off = _hands_off(look, stand.rest)
        if not off or packet.rest_us is None:
            self._clear_us = None
        else:
            self._off_standing(look, stand.rest, packet)
        self._squaring(look, packet, lies=False)
        self._shall_report(look)

    def _off_standing(self, look: Look, box: Box, packet: Packet) -> None:
        self._clear_us = look.t_us if self._clear_us is None else self._clear_us
        if look.t_us - self._clear_us < OFF_US:
            return
        self._clear_mm = [*self._clear_mm[-30:], _girth(packet.box)]
        if self.acts and not self._ended and self._end is None:
            gauge = self._measures.feathered(on_edge=True)
            self._end = _End(self._clear_us + LEAVE_US, box, gauge, 1, on_edge=True)
        if self._end is not None and not self._squared:
            self._end.gauge.add(look.t_us, look.frame, box, None)

    def _squaring(self, look: Look, packet: Packet, *, lies: bool) -> None:
        if not _flanked(look, packet.box) or packet.rest_us is None:
            self._flank_over(look, packet, lies=lies)
            return
        if self._flank is None:
            self._flank = (look.t_us, look.t_us, packet.box)
        self._flank = (self._flank[0], look.t_us, packet.box)

    def _held_square(self, look: Look, standing: Stand | None) -> None:
        """Hands that held a lying stack squared it, unless they tipped it up."""
        if self._square is None:
            return
        start, end, box = self._square
        if standing is not None:
            self._square, self._squared = None, False
        elif look.t_us - end >= TIPPED_US:
            self._square = None
            self._emit("stack.square", start, end, {"zone": self._zone(box)}, 0.7)

    def _flank_over(self, look: Look, packet: Packet, *, lies: bool) -> None:
        if self._flank is None or look.t_us - self._flank[1] < 150_000:
            return
        start, end, box = self._flank
        self._flank = None
        if self._squared or end - start < SQUARE_US:
            return
        before = float(np.median(self._clear_mm)) if len(self._clear_mm) >= 3 else None
        after = _girth(middle_of([b for at, b in packet.recent if at >= end] or [box]))
        shrunk = before is not None and before - after >= SHRUNK_MM and (lies or self.acts > 0)
        if shrunk or (not self.acts and lies and end - start >= HELD_US):
            self._squared = True
            self.settle()
            if shrunk:
                self._emit("stack.square", start, end, {"zone": self._zone(box)}, 0.85)
            else:
                self._square = (start, end, box)

    def _in_work_area(self, box: Box) -> bool:
        zone = self._work_area
        return zone is not None and bool(contains(box.centre_mm, zone))

    def _zone(self, box: Box) -> str:
        return "shuffle" if self._in_work_area(box) else self._places.zone(box.quad_mm)

    def _shall_report(self, look: Look) -> None:
        if self._end is not None and look.t_us - self._end.t_us >= SETTLE_US:
            self.settle()

    def settle(self) -> None:
        """What comes next has begun: the shuffle that ended is reported."""
        end, self._end = self._end, None
        if end is None:
            return
        self._ended = True
        facts: dict[str, Any] = {"method": self.method, "stacks": end.stacks}
        facts |= facts_of("feathered", end.gauge.result(), highest=1.0)
        self._emit("shuffle.end", end.t_us, end.t_us, facts, 0.9)

    def forget(self) -> None:
        """The stack went into the shoe."""
        self._riffling.forget()
        self.washing.forget()
        self._stripping.forget()
        self.acts = 0
        self._end, self._ended, self._squared, self._held = None, False, False, None
        self._alone_us = self._clear_us = self._flank = None
        self._clear_mm = []
        self.method = "manual"


def _hands_off(look: Look, box: Box) -> bool:
    """Whether no hand is at a stack: one that rests beside it is off it, one that moves may reach it with fingers."""
    for arm in look.arms:
        gap = near_mm(arm, box.quad_mm)
        if gap <= 0.0 and arm.speed_mm_s <= RESTING_MM_S:
            gap = quads_apart_mm(arm.quad_mm, box.quad_mm)
        if gap <= OFF_MM:
            return False
    return True


def _flanked(look: Look, box: Box) -> bool:
    """Whether the dealer's hands are at opposite sides: the ends of the cards, which way ever the stack lies."""
    sides = set()
    for arm in look.dealers:
        if near_mm(arm, box.quad_mm) > 0.0:
            continue
        for axis, (off, half) in enumerate(
            zip(box.local_mm(arm.centre_mm), (box.length_mm / 2, box.width_mm / 2), strict=True)
        ):
            if abs(off) > 0.6 * half:
                sides.add((axis, off > 0))
    return any({(axis, True), (axis, False)} <= sides for axis in (0, 1))


def _girth(box: Box) -> float:
    """A stack's length and width together, mm: squared, the one that ran along its cards is shorter."""
    return box.length_mm + box.width_mm
