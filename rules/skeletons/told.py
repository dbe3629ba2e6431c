"""What was told of a change of the shoe, as a frozen record that events advance: shuffle, signals, loading."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

from rules.event import Event
from rules.skeletons.cards import sure

SHUFFLES = ("shuffle.wash", "shuffle.riffle", "shuffle.strip", "shuffle.device")
OFFER, CUT, MOVE, COVER, LOAD = "stack.present", "cut.insert", "packet.move", "cover.insert", "shoe.load"
HANDLED = (OFFER, CUT, MOVE, COVER)
RECUT = "floor.recut"


@dataclass(frozen=True)
class Told:
    """What was told between the first thing done with the cards of a new shoe and their use.

    Args:
        key: kind and time of what began it.
        opened_us: when it began.
        begun_us: since when it is known where the cards were: the last that was seen of the shoe before, or of the
            cards' coming. None: the recording shows nothing before this change.
        held: the signals that held when it began.
        seated: the last that was told of each seat before it began.
        events: all that was told of it, in order of their ends.
        over: nothing more will come.
    """

    key: str
    opened_us: int
    begun_us: int | None
    held: Mapping[str, Any] = field(default_factory=dict)
    seated: Mapping[int, Event] = field(default_factory=dict)
    events: tuple[Event, ...] = ()
    over: bool = False

    def ended(self) -> Self:
        """The same, known to be over."""
        return replace(self, over=True)

    def step(self, event: Event) -> Self:
        """The record after an event."""
        return replace(self, events=(*self.events, event))

    @property
    def trigger(self) -> str:
        """What the findings get their ids from."""
        return self.key

    @property
    def since_us(self) -> int:
        """The earliest moment whose view matters."""
        return self.opened_us if self.begun_us is None else min(self.begun_us, self.opened_us)

    @property
    def until_us(self) -> int | None:
        """The last such moment: the view of the table during play says nothing of the change before it."""
        return None if self.load is None else self.load.end_us

    # -- what was told ----------------------------------------------------------------------------------------------

    def of(self, *kinds: str, doubtful: bool = False) -> list[Event]:
        """The events of some kinds that are sure, in order of their beginnings; `doubtful`: those that are not."""
        found = [e for e in self.events if e.kind in kinds and sure(e) is not doubtful]
        return sorted(found, key=lambda event: (event.t_us, event.end_us, event.id))

    def before_load(self, *kinds: str, doubtful: bool = False) -> list[Event]:
        """Those of them that began before the stack was in the shoe."""
        end_us = None if self.load is None else self.load.end_us
        return [e for e in self.of(*kinds, doubtful=doubtful) if end_us is None or e.t_us < end_us]

    @cached_property
    def load(self) -> Event | None:
        """The stack goes into the shoe."""
        return next(iter(self.of(LOAD)), None)

    @cached_property
    def handled(self) -> Event | None:
        """The first thing done with the shuffled stack that was seen."""
        return next(iter(self.before_load(*HANDLED)), None)

    @cached_property
    def acts(self) -> list[Event]:
        """The acts of the shuffle."""
        return self._shuffling(*SHUFFLES)

    @cached_property
    def shuffle_end(self) -> Event | None:
        """The stack as the shuffle left it."""
        ends = self._shuffling("shuffle.end")
        return ends[-1] if ends else None

    def _shuffling(self, *kinds: str) -> list[Event]:
        last_us = self.handled.t_us if self.handled else None
        return [e for e in self.before_load(*kinds) if last_us is None or e.t_us < last_us]

    @cached_property
    def ready_us(self) -> int | None:
        """When the shuffle was over: from then on the stack can be offered. None if no part of it was seen."""
        done = [*self.acts, *([self.shuffle_end] if self.shuffle_end else []), *self._shuffling("shuffler.eject")]
        return max((event.end_us for event in done), default=None)

    # -- signals ------------------------------------------------------------------------------------------------------

    @cached_property
    def signals(self) -> Mapping[str, Any]:
        """The signals that held: the last told by the loading; one not known by then may be told afterwards."""
        values, end_us = dict(self.held), None if self.load is None else self.load.end_us
        for event in self.of("signal"):
            name, value = str(event.facts.get("name")), event.facts.get("value")
            if end_us is None or event.t_us <= end_us or values.get(name) is None:
                values[name] = value
        if values.get("shuffle_method") is None and self.method is not None:
            values["shuffle_method"] = self.method
        return values

    @cached_property
    def method(self) -> str | None:
        """How the cards were shuffled, as far as it was seen: manual, device, or None."""
        told = None if self.shuffle_end is None else self.shuffle_end.facts.get("method")
        if told in ("manual", "device"):
            return str(told)
        kinds = {event.kind for event in self.acts}
        if "shuffle.device" in kinds:
            return "device"
        return "manual" if kinds else None

    @cached_property
    def orders(self) -> list[Event]:
        """The floor's orders to cut again."""
        said = self.of("signal")
        return [e for e in said if e.facts.get("name") == RECUT and e.facts.get("value") is True]
