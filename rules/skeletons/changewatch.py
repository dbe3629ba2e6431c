"""Tells one change of the shoe from the next.

A change begins with the first thing done with the cards of a new shoe: a shuffle, an offer, a cut, at the latest the
loading. It goes on through the loading, for what the shoe shows later, until the next one begins. A stack that is
shuffled again after it was cut begins anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rules.event import Event
from rules.skeletons.cards import sure
from rules.skeletons.change import Change, seat_of
from rules.skeletons.told import HANDLED, LOAD, SHUFFLES

#: What shows that the shoe before was still in use, or where the cards of the new one came from.
BEFORE = frozenset(
    {
        *("card.draw", "card.place", "card.burn", "round.start", "round.end", "hand.collect"),
        *("cover.surface", "shoe.empty", "deck.gather", "deck.spread", "deck.change"),
    }
)
#: What a change is opened by.
STACK = frozenset({*HANDLED, LOAD})
SHUFFLING = frozenset({*SHUFFLES, "shuffle.end", "shuffler.load", "shuffler.eject"})
#: What else is told of it while it goes on.
DURING = frozenset({"lamp.read", "stack.square", "stack.place", "cover.move", "cover.remove", "cover.surface"})
SEATS = frozenset({"seat.occupy", "seat.leave"})
KINDS = BEFORE | STACK | SHUFFLING | DURING | SEATS | {"signal"}
#: So many acts of a shuffle after a cut are a new shuffle; fewer may be a mistake.
RESHUFFLE_ACTS = 2
#: So many hints are kept.
HINTS = 24


@dataclass(frozen=True)
class ChangeWatch:
    """`step(event)` gives the next state, and the change that has just ended.

    Args:
        reload_us: a shoe is not loaded again sooner than this.
        long: the change goes on until the next stack is offered or cut, so that what the shoe shows late still
            belongs to it; a shuffle meanwhile, as by a device with a second batch, ends nothing.
        open: the change that is going on.
        last: the last that was seen of the shoe before.
        signals, seated: the last that was told of each signal and seat.
        hints: what was told of a stack or a shuffle, too unsurely to begin a change, and the last of the lamp.
    """

    reload_us: int = 20_000_000
    long: bool = False
    open: Change | None = None
    last: Event | None = None
    signals: Mapping[str, Any] = field(default_factory=dict)
    seated: Mapping[int, Event] = field(default_factory=dict)
    hints: tuple[Event, ...] = ()

    @property
    def since_us(self) -> int:
        """The earliest moment whose view may matter to a change yet to come."""
        return 0 if self.last is None else self.last.end_us

    def step(self, event: Event) -> tuple[ChangeWatch, Change | None]:
        """The state after an event, and the change that it ended."""
        told = self._told(event)
        if event.kind in BEFORE and sure(event):
            told = replace(told, last=event)
        if self._opens(event):
            return told._opened(event)
        if self.open is None or not self._belongs(event, self.open):
            return told, None
        return replace(told, open=self.open.step(event)), None

    def _told(self, event: Event) -> ChangeWatch:
        if event.kind == "signal":
            name = str(event.facts.get("name"))
            return replace(self, signals={**self.signals, name: event.facts.get("value")})
        if event.kind in STACK | SHUFFLING | {"lamp.read"} and (event.kind == "lamp.read" or not sure(event)):
            return replace(self, hints=(*self.hints[1 - HINTS :], event))
        seat = seat_of(event.facts.get("seat")) if event.kind in SEATS and sure(event) else None
        return self if seat is None else replace(self, seated={**self.seated, seat: event})

    def _opens(self, event: Event) -> bool:
        if event.kind not in STACK | SHUFFLING or not sure(event) or (self.long and event.kind not in STACK):
            return False
        change = self.open
        if change is None:
            return True
        if change.load is None:
            return self._shuffled_again(change, event)
        if event.t_us < change.load.end_us:
            return False
        return event.kind != LOAD or event.end_us >= change.load.end_us + self.reload_us

    @staticmethod
    def _shuffled_again(change: Change, event: Event) -> bool:
        if event.kind not in SHUFFLES or change.handled is None:
            return False
        last_us = change.before_load(*HANDLED)[-1].end_us
        acts = [e for e in (*change.of(*SHUFFLES), event) if e.t_us >= last_us]
        return event in acts and (event.kind == "shuffle.device" or len(acts) >= RESHUFFLE_ACTS)

    def _opened(self, event: Event) -> tuple[ChangeWatch, Change | None]:
        old = self.open
        first, events = event, (*self._hints(old), event)
        if old is not None and old.load is None and old.handled is not None:
            last_us = old.before_load(*HANDLED)[-1].end_us
            events = (*(e for e in old.events if e.kind in SHUFFLING and e.t_us >= last_us), event)
            first = min(events, key=lambda e: e.t_us)
        begun_us = old.begun_us if old is not None and old.load is None else self._begun_us(old)
        held, seated = dict(self.signals), dict(self.seated)
        new = Change(f"{first.kind}@{first.t_us}", first.t_us, begun_us, held, seated, events)
        return replace(self, open=new, hints=()), old

    def _hints(self, old: Change | None) -> tuple[Event, ...]:
        """What was told unsurely since the shoe before was last seen in use, and the lamp as it was."""
        lamps = [hint for hint in self.hints if hint.kind == "lamp.read"]
        since_us = self._begun_us(old) or 0
        return (*lamps[-1:], *(hint for hint in self.hints if hint.t_us >= since_us and hint not in lamps[-1:]))

    def _begun_us(self, old: Change | None) -> int | None:
        moments = [] if old is None or old.load is None else [old.load.end_us]
        moments += [] if self.last is None else [self.last.end_us]
        return max(moments, default=None)

    def _belongs(self, event: Event, change: Change) -> bool:
        if change.load is not None and event.t_us >= change.load.end_us:
            return event.kind in ("signal", "cover.surface")
        if event.kind in SEATS or event.kind == "signal":
            return True
        if self.long and event.kind in SHUFFLING:
            return False
        if event.kind in BEFORE - {"cover.surface"}:
            return event.kind == "card.draw" and change.load is None and change.handled is not None
        return True


__all__ = ["KINDS", "ChangeWatch"]
