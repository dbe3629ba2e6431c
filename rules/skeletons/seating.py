"""Who sits where, and who comes next: the seat map as printed, and what was told of each seat."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from rules.coverage import Coverage
from rules.event import Event
from rules.skeletons.cards import sure
from rules.skeletons.change import Change, seat_of

OCCUPIED, VACANT, UNKNOWN = "occupied", "vacant", "unknown"


@dataclass(frozen=True)
class SeatMap:
    """The seat numbers as the layout prints them, from the dealer's right, counter-clockwise."""

    seats: tuple[int, ...]

    @cached_property
    def fault(self) -> str:
        """Why "the highest number, then clockwise" means nothing on this map; "" if it does.

        The text counts from the dealer's left, where the highest number is, over to the right: numbers have to rise
        counter-clockwise.
        """
        if not self.seats:
            return "the table file names no seats"
        if list(self.seats) == sorted(set(self.seats)):
            return ""
        if list(self.seats) == sorted(set(self.seats), reverse=True):
            return "the seat map runs against the text: its numbers rise clockwise from the dealer's left"
        return "the seat map's numbers are in no order, so 'the highest number, then clockwise' has no meaning on it"

    @property
    def highest(self) -> int:
        """The seat that the first offer is due to, if it is taken."""
        return max(self.seats)

    def above(self, seat: int) -> tuple[int, ...]:
        """The seats with a higher number."""
        return tuple(other for other in self.seats if other > seat)

    @property
    def clockwise(self) -> tuple[int, ...]:
        """The seats in the order of the offers."""
        return tuple(reversed(self.seats))

    def between(self, seat: int, other: int) -> tuple[int, ...]:
        """The seats passed over on the way clockwise round the table from one to another, neither included."""
        row = self.clockwise
        start = row.index(seat) + 1
        way = (*row[start:], *row[:start])
        return way[: way.index(other)]

    def after(self, seat: int) -> tuple[int, ...]:
        """The seats clockwise after one, as far as the last."""
        row = self.clockwise
        return row[row.index(seat) + 1 :]


@dataclass(frozen=True)
class Seating:
    """What is known of the seats at a moment.

    Args:
        change: tells of the seats.
        coverage: a person who came or went out of view is not known of.
        at_us: the moment.
        notice_us: so long after a loss of view a seat's state is told again, if it had changed.
        silence_is_vacant: a seat that nothing is told of is vacant, once anything is told of any seat.
    """

    change: Change
    coverage: Coverage
    at_us: int
    notice_us: int
    silence_is_vacant: bool

    @cached_property
    def told(self) -> dict[int, Event]:
        """The last that was told of each seat."""
        known = dict(self.change.seated)
        for event in self.change.events:
            seat = seat_of(event.facts.get("seat"))
            told = event.kind in ("seat.occupy", "seat.leave") and sure(event) and event.end_us <= self.at_us
            if told and seat is not None:
                known[seat] = event
        return known

    def of(self, seat: int) -> str:
        """occupied, vacant or unknown."""
        told = self.told.get(seat)
        if told is None and not (self.told and self.silence_is_vacant):
            return UNKNOWN
        since_us = self.at_us - self.notice_us if told is None else max(told.end_us, self.at_us - self.notice_us)
        if not self.coverage.whole(max(since_us, 0), self.at_us, (f"seat:{seat}",)):
            return UNKNOWN
        return VACANT if told is None or told.kind == "seat.leave" else OCCUPIED

    def occupied(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        """Those of the seats that are surely taken."""
        return tuple(seat for seat in seats if self.of(seat) == OCCUPIED)

    def all_vacant(self, seats: tuple[int, ...]) -> bool:
        """Whether none of the seats can be taken."""
        return all(self.of(seat) == VACANT for seat in seats)

    def events(self, seats: tuple[int, ...]) -> tuple[str, ...]:
        """The ids of what was told of the seats."""
        return tuple(self.told[seat].id for seat in seats if seat in self.told)
