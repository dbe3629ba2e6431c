"""The shuffler is loaded: a stack is carried into its place and left there.

That it ran is not told by that: a loaded shuffler that nobody started has shuffled nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from calibration.polygon import contains
from calibration.tablefile import Layout
from vision.change.look import Look, near_mm
from vision.change.packets import Packet

Emit = Callable[..., None]

#: Hands have left what lies in the shuffler for so long.
LEFT_US = 350_000
CARRIED_MM = 80.0


class Device:
    """`step(look, packets)` reports `shuffler.load` once for each time the shuffler is filled."""

    def __init__(self, layout: Layout, emit: Emit) -> None:
        zone = layout.zones_mm.get("shuffler")
        self._zone = None if zone is None else np.asarray(zone, dtype=np.float64)
        self._emit = emit
        self._from_us: int | None = None  # when the first packet for it was taken up
        self._until_us = 0
        self._clear_us: int | None = None
        self._told = False
        self._empty_us: int | None = None

    def inside(self, packet: Packet) -> bool:
        """Whether a packet is in the shuffler's place."""
        return self._zone is not None and bool(contains(packet.box.centre_mm, self._zone))

    def step(self, look: Look, packets: Sequence[Packet]) -> None:
        """Takes a look in."""
        if self._zone is None:
            return
        inside = [p for p in packets if p.seen_us == look.t_us and self.inside(p)]
        if not inside:
            self._emptied(look.t_us)
            return
        self._empty_us = None
        for packet in inside:
            if packet.travelled_mm() >= CARRIED_MM and packet.rest_us is not None:
                if self._from_us is None:
                    self._from_us = max(packet.born_us, self._start(packet))
                self._until_us = max(self._until_us, packet.rest_us)
        busy = any(near_mm(arm, p.box.quad_mm) <= 0.0 for arm in look.arms for p in inside)
        self._clear_us = None if busy else self._clear_us or look.t_us
        clear = self._clear_us is not None and look.t_us - self._clear_us >= LEFT_US
        if clear and not self._told and self._from_us is not None:
            self._told = True
            self._emit("shuffler.load", self._from_us, max(self._until_us, self._from_us), {}, 0.85)

    @staticmethod
    def _start(packet: Packet) -> int:
        """When it was taken up: when it was last seen still before it came here."""
        away = [t for t, box in packet.recent if float(np.linalg.norm(box.centre_mm - packet.box.centre_mm)) > 60.0]
        return away[0] if away else packet.recent[0][0]

    def _emptied(self, t_us: int) -> None:
        self._empty_us = self._empty_us or t_us
        if t_us - self._empty_us >= 1_000_000:
            self._from_us, self._until_us, self._told, self._clear_us = None, 0, False, None
