"""The stack goes into the shoe, and for how much of the time since the cut it was in view."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vision.change.look import Look
from vision.change.packets import Packet
from vision.change.stand import Stand
from vision.places import Places

Emit = Callable[..., None]

#: A stack that came to the shoe's place and is not seen there any more, or lies there, for so long is loaded.
LOADED_US = 500_000
CARRIED_MM = 80.0
#: A stack is longer than this on some side; a packet of few cards is no load.
LEAST_MM = 75.0
#: In a shorter gap nobody exchanges a stack (the law pack's custody_gap_s); the detector, or the hand that holds it,
#: makes such gaps.
GAP_US = 500_000
#: A shoe that was filled is not filled again so soon.
AGAIN_US = 10_000_000


class Load:
    """`step(look, packets, gone, stand)` reports `shoe.load`; True in the look that decided it."""

    def __init__(self, places: Places, emit: Emit) -> None:
        self._places = places
        self._emit = emit
        self._done: set[int] = set()
        self._since_us: int | None = None  # custody is counted from here: the cut
        self._last_us = 0
        self._unseen_us = 0
        self._start_us: int | None = None
        self._loaded_us: int | None = None
        self._waiting: list[Packet] = []  # not seen any more, perhaps loaded

    def cut(self, t_us: int) -> None:
        """The stack has been cut: from now on it must stay in view."""
        self._since_us, self._last_us, self._unseen_us = t_us, t_us, 0

    def step(self, look: Look, packets: Sequence[Packet], gone: Sequence[Packet], stand: Stand) -> bool:
        """Takes a look in."""
        t_us = look.t_us
        if look.stacks or look.cards:
            self._saw(t_us)
        if stand.rest is not None and not self._places.at_shoe(stand.rest.centre_mm):
            self._start_us = stand.left_us
        self._waiting = [p for p in self._waiting if t_us - p.seen_us <= 2 * LOADED_US] + list(gone)
        for packet in [*packets, *self._waiting]:
            if packet.id in self._done or not self._went_in(packet, t_us):
                continue
            self._done.add(packet.id)
            if self._loaded_us is not None and packet.seen_us - self._loaded_us < AGAIN_US:
                continue
            self._loaded_us = packet.seen_us
            start = self._start(packet)
            self._report(start, packet.seen_us)
            return True
        return False

    def _saw(self, t_us: int) -> None:
        if self._since_us is not None and t_us - self._last_us > GAP_US:
            self._unseen_us += t_us - self._last_us
        self._last_us = t_us

    def _start(self, packet: Packet) -> int:
        """When it left the place where it last stood."""
        left = packet.left_us if packet.anchor is not None and not self._at_shoe(packet) else None
        known = [x for x in (left, self._start_us, packet.born_us if packet.travelled_mm() > CARRIED_MM else None) if x]
        known = [x for x in known if x <= packet.seen_us]  # a hand that came back to where it lay says nothing
        start = max(known) if known else packet.born_us
        return start if packet.seen_us - start < 6_000_000 else packet.seen_us - 1_500_000

    def _at_shoe(self, packet: Packet) -> bool:
        return packet.anchor is not None and self._places.at_shoe(packet.anchor.centre_mm)

    def _went_in(self, packet: Packet, t_us: int) -> bool:
        if not self._places.at_shoe(packet.box.centre_mm) or packet.travelled_mm() < CARRIED_MM:
            return False
        if max(packet.box.length_mm, packet.first.length_mm) < LEAST_MM:
            return False
        rested = packet.rest_us is not None and t_us - packet.rest_us >= LOADED_US
        return rested or t_us - packet.seen_us >= LOADED_US

    def _report(self, t_us: int, end_us: int) -> None:
        facts: dict[str, object] = {"by": "dealer"}
        if self._since_us is not None:
            whole = max(end_us - self._since_us, 1)
            facts["seen_share"] = round(max(0.0, 1.0 - self._unseen_us / whole), 3)
        self._emit("shoe.load", t_us, end_us, facts, 0.9)
        self._since_us = None
