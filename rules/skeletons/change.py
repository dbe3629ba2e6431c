"""A change of the shoe: beside what was told of it, the offers and the cuts that it holds.

Everything here is a fact about the table. What the facts mean is said by the clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rules.event import Event
from rules.skeletons.told import COVER, CUT, MOVE, OFFER, Told


def second(event: Event) -> bool:
    """Whether an event of a cover card tells of the second one; one that does not say which does."""
    return bool(event.facts.get("which", 2) == 2)


def seat_of(who: object) -> int | None:
    """The number in "seat:7"; None for anybody else. A bare number is a seat's, too."""
    if isinstance(who, int) and not isinstance(who, bool):
        return who
    number = str(who).removeprefix("seat:")
    return int(number) if number.isdigit() else None


@dataclass(frozen=True)
class Change(Told):
    """The time from the first thing done with the cards of a new shoe to their use."""

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """The offers of the stack, one for each time that it went to another seat, or to one that cannot be told."""
        groups: list[list[Event]] = []
        for event in self.before_load(OFFER):
            seat = seat_of(event.facts.get("seat"))
            new = not groups or seat is None or seat_of(groups[-1][0].facts.get("seat")) != seat
            groups.append([event]) if new else groups[-1].append(event)
        return tuple(Offer(self, tuple(events), number) for number, events in enumerate(groups))

    @cached_property
    def cuts(self) -> tuple[Cut, ...]:
        """The cuts, one after the other; what was put in before a first packet moved, and again, is one cut."""
        found: list[Cut] = []
        order: Event | None = None
        early: list[Event] = []
        for event in self._cutting():
            if event.kind == "signal":
                order = order or (event if found else None)
            elif event.kind == COVER and not found:
                early.append(event)
            elif self._another(found, event, order):
                found.append(Cut(self, len(found), order=order).step(event))
                order = None
            else:
                found[-1] = found[-1].step(event)
        if found and early:
            found[0] = replace(found[0], seconds=(*early, *found[0].seconds))
        return tuple(found)

    @staticmethod
    def _another(found: list[Cut], event: Event, order: Event | None) -> bool:
        if event.kind == COVER:
            return False
        if not found or order is not None:
            return True
        return event.kind == CUT and bool(found[-1].moves)

    def _cutting(self) -> Iterable[Event]:
        covers = [event for event in self.before_load(COVER) if second(event)]
        end_us = None if self.load is None else self.load.end_us
        orders = [order for order in self.orders if end_us is None or order.t_us < end_us]
        return sorted((*self.before_load(CUT, MOVE), *covers, *orders), key=lambda e: (e.t_us, e.end_us, e.id))

    @cached_property
    def dealt_by_hand(self) -> Event | None:
        """A card that was dealt from the hand after the cut, with no shoe loaded before."""
        cut_us = self.cuts[0].start_us if self.cuts else self.opened_us
        drawn = [e for e in self.before_load("card.draw") if e.facts.get("source") == "hand" and e.t_us > cut_us]
        return drawn[0] if drawn else None

    @cached_property
    def drawn_from_shoe(self) -> Event | None:
        """A card that was drawn from the shoe after the stack was handled, with no loading seen before."""
        handled = self.before_load(CUT, MOVE, COVER)
        after_us = handled[-1].end_us if handled else None
        drawn = [e for e in self.before_load("card.draw") if e.facts.get("source", "shoe") == "shoe"]
        return next((e for e in drawn if after_us is not None and e.t_us >= after_us), None)


@dataclass(frozen=True)
class Offer:
    """The stack held out to one seat, once or repeatedly."""

    change: Change
    events: tuple[Event, ...]
    number: int

    @property
    def trigger(self) -> str:
        """What the findings get their ids from."""
        return f"{OFFER}@{self.t_us}"

    @property
    def signals(self) -> Mapping[str, Any]:
        """The signals that held."""
        return self.change.signals

    @property
    def t_us(self) -> int:
        """When it began."""
        return self.events[0].t_us

    @property
    def end_us(self) -> int:
        """When it ended."""
        return max(event.end_us for event in self.events)

    @property
    def seat(self) -> int | None:
        """To whom."""
        return seat_of(self.events[0].facts.get("seat"))

    @property
    def outcome(self) -> str:
        """accepted, refused, or unclear: the last that was told."""
        told = [str(e.facts["outcome"]) for e in self.events if e.facts.get("outcome") in ("accepted", "refused")]
        return told[-1] if told else "unclear"


@dataclass(frozen=True)
class Cut:
    """One cut: the cover card put in (the last time counts), the packet moved, the second cover card put in.

    `order`: the floor's order that it follows; None: none is known.
    """

    change: Change
    number: int
    inserts: tuple[Event, ...] = ()
    moves: tuple[Event, ...] = ()
    seconds: tuple[Event, ...] = ()
    order: Event | None = None

    def step(self, event: Event) -> Cut:
        """The cut after one more event of its own."""
        if event.kind == CUT:
            return replace(self, inserts=(*self.inserts, event))
        if event.kind == MOVE:
            return replace(self, moves=(*self.moves, event))
        return replace(self, seconds=(*self.seconds, event))

    @property
    def trigger(self) -> str:
        """What the findings get their ids from."""
        first = (*self.inserts, *self.moves)[0]
        return f"{first.kind}@{first.t_us}"

    @property
    def signals(self) -> Mapping[str, Any]:
        """The signals that held."""
        return self.change.signals

    @property
    def insert(self) -> Event | None:
        """The cover card as it lay last before the packet moved."""
        settled = [e for e in self.inserts if not self.moves or e.t_us < self.moves[0].end_us]
        return settled[-1] if settled else None

    @property
    def move(self) -> Event | None:
        """The last move of the packet."""
        return self.moves[-1] if self.moves else None

    @property
    def start_us(self) -> int:
        """When it began."""
        return min(event.t_us for event in (*self.inserts, *self.moves))

    @property
    def end_us(self) -> int:
        """When it was settled: at the last insertion, or where none was seen at the packet's first move."""
        return self.insert.end_us if self.insert else self.moves[0].end_us

    @property
    def actor(self) -> str:
        """Who cut: dealer, seat:N or unsure. The dealer moves every packet: only one lifted by hand tells who."""
        by = self.insert or (self.moves[0] if self.by_hand else None)
        return "unsure" if by is None else str(by.facts.get("actor", "unsure"))

    @property
    def by_hand(self) -> bool | None:
        """Whether a packet was lifted off without a cover card; None: cannot be told."""
        if self.insert is not None:
            return False
        with_cover = self.moves[0].facts.get("with_cover_card")
        return None if not isinstance(with_cover, bool) else not with_cover

    @property
    def again(self) -> Cut | None:
        """The cut after this one, if there was one."""
        cuts = self.change.cuts
        return cuts[self.number + 1] if self.number + 1 < len(cuts) else None
