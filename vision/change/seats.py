"""Who sits where: from chips and hands in the seats' places, over seconds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.tablefile import Layout
from vision.change.look import Look
from vision.sighting import Points
from vision.topview import Bounds

Emit = Callable[..., None]

#: Chips or hands seen over so long make a seat occupied; a hand alone takes longer than chips.
CHIPS_US = 900_000
HANDS_US = 1_800_000
#: Evidence further apart than this is not of one stay.
BREAK_US = 4_000_000
#: In view without chips or hands for so long, the seat is empty.
LEFT_US = 40_000_000
REACH_MM = 70.0


@dataclass(slots=True)
class _Seat:
    zone: Points
    first_us: int | None = None
    last_us: int | None = None
    chips_us: int = 0
    hands_us: int = 0
    empty_us: int = 0
    looked_us: int | None = None
    occupied: bool = False


class Seats:
    """`step(look, area)` reports `seat.occupy` and `seat.leave`; `occupied` are the seats taken now."""

    def __init__(self, layout: Layout, emit: Emit) -> None:
        self._emit = emit
        self._seats = {
            f"seat:{n}": _Seat(np.asarray(layout.zones_mm[f"seat:{n}"], dtype=np.float32))
            for n in layout.seats
            if f"seat:{n}" in layout.zones_mm
        }

    @property
    def occupied(self) -> list[str]:
        """The seats that are taken, as far as it was seen."""
        return [name for name, seat in self._seats.items() if seat.occupied]

    def step(self, look: Look, area: Bounds | None) -> None:
        """`area` is what the look covered; None is the whole table."""
        chips = [s.centre_mm for s in look.chips]
        hands = {self._nearest(arm.centre_mm) for arm in look.arms if arm.owner != "dealer"}
        for name, seat in self._seats.items():
            has_chips = any(_within_mm(seat.zone, c) > 0 for c in chips)
            has_hand = name in hands
            covered = area is None or _covers(area, seat.zone)
            if has_chips or has_hand:
                self._note(name, look.t_us, has_chips, has_hand)
            elif covered:
                self._empty(name, seat, look.t_us)

    def _nearest(self, point_mm: Points) -> str:
        """The seat whose place a hand is in, or just behind; nobody's if it is in none."""
        best = max(self._seats, key=lambda name: _within_mm(self._seats[name].zone, point_mm), default="")
        return best if best and _within_mm(self._seats[best].zone, point_mm) > -REACH_MM else ""

    def _note(self, name: str, t_us: int, chips: bool, hand: bool) -> None:
        seat = self._seats[name]
        if seat.last_us is None or t_us - seat.last_us > BREAK_US:
            seat.first_us, seat.chips_us, seat.hands_us = t_us, 0, 0
        elif seat.last_us is not None:
            gap = min(t_us - seat.last_us, 700_000)
            seat.chips_us += gap if chips else 0
            seat.hands_us += gap if hand else 0
        seat.last_us, seat.empty_us, seat.looked_us = t_us, 0, None
        if not seat.occupied and (seat.chips_us >= CHIPS_US or seat.hands_us >= HANDS_US):
            seat.occupied = True
            first = seat.first_us if seat.first_us is not None else t_us
            self._emit("seat.occupy", first, first, {"seat": name}, 0.95 if seat.chips_us >= CHIPS_US else 0.8)

    def _empty(self, name: str, seat: _Seat, t_us: int) -> None:
        if seat.looked_us is not None:
            seat.empty_us += min(t_us - seat.looked_us, 1_000_000)
        seat.looked_us = t_us
        if seat.occupied and seat.empty_us >= LEFT_US:
            seat.occupied = False
            left = seat.last_us if seat.last_us is not None else t_us
            self._emit("seat.leave", left, left, {"seat": name}, 0.7)


def _within_mm(zone: Points, point_mm: Points) -> float:
    return float(cv2.pointPolygonTest(zone, (float(point_mm[0]), float(point_mm[1])), True))


def _covers(area: Bounds, zone: Points) -> bool:
    low, high = zone.min(axis=0), zone.max(axis=0)
    return bool(low[0] >= area.x0_mm and high[0] <= area.x1_mm and low[1] >= area.y0_mm and high[1] <= area.y1_mm)
