"""Signals: what the camera cannot see, from a file of JSON lines, as events of kind `signal`.

    {"t_us": 1200000, "name": "preshuffled", "value": true}
    {"at": "2026-11-30T10:00:00-05:00", "name": "shuffler", "value": "counting"}

Each holds until the next of its name; null means unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from calibration.schema import nearest_text
from calibration.words import SIGNALS
from faults import Fault, InputFault
from pitwatch.jsonl import object_of, read_lines
from rules.event import Event
from rules.facts import LONGEST_US, YEAR_US, signal_fault

_KEYS = ("t_us", "at", "name", "value")


class SignalFault(Fault):
    """A line of the signals file that cannot be used."""


class SignalsFault(Fault):
    """All the faults of a signals file at once; the exit code is that of the worst."""

    def __init__(self, path: Path, faults: Sequence[Fault]) -> None:
        self.faults = tuple(faults)
        self.exit_code = max(fault.exit_code for fault in faults)
        super().__init__(
            f"{len(faults)} fault{'s' if len(faults) > 1 else ''} in the signals file",
            where=str(path),
            why="; ".join(f"{fault.where}: {fault.what}, {fault.why}" for fault in faults),
            todo="Correct the file.",
        )

    def __str__(self) -> str:
        lines = [f"  {fault.where}: {fault.what}: {fault.why}" for fault in self.faults]
        return "\n".join([f"{self.where}: {self.what}:", *lines])


def read_signals(path: Path, table: str, started_at: datetime | None) -> list[Event]:
    """The signals of a file in order of time.

    Raises:
        InputFault: the file cannot be read.
        SignalsFault: lines that cannot be used; it holds all of them.
    """
    events: list[Event] = []
    faults: list[Fault] = []
    for number, (place, line) in enumerate(read_lines(path, "signals"), start=1):
        try:
            events.append(_signal(object_of(line, place, "signals"), place, table, started_at, number))
        except (SignalFault, InputFault) as fault:
            faults.append(fault)
    if faults:
        raise SignalsFault(path, faults)
    return sorted(events, key=lambda event: event.t_us)


def _signal(raw: Mapping[str, Any], place: str, table: str, started_at: datetime | None, number: int) -> Event:
    """One line as an event."""
    for key in raw:
        if key not in _KEYS:
            raise _fault(f"the unknown key {key!r}", place, f"expected {nearest_text(key, _KEYS)}")
    wrong = wrong_signal(raw.get("name"), raw.get("value"))
    if wrong is not None:
        raise _fault(wrong[0], place, f"expected {wrong[1]}")
    if "value" not in raw:
        raise _fault("no value", place, "null says that it is unknown")
    event_id = f"{table}-signal-{number:04d}"
    return signal_event(event_id, table, str(raw["name"]), raw["value"], _time(raw, place, started_at))


def wrong_signal(name: object, value: Any) -> tuple[str, str] | None:
    """What is wrong with a signal, and what is expected instead; None if nothing is."""
    if not isinstance(name, str) or name not in SIGNALS:
        return f"the unknown signal {name!r:.40}", nearest_text(str(name), SIGNALS)
    expected = signal_fault(name, value)
    return None if expected is None else (f"the value {value!r:.40} of {name}", expected)


def signal_event(event_id: str, table: str, name: str, value: Any, t_us: int) -> Event:
    """A signal as an event of its table."""
    return Event(event_id, table, "signal", t_us, t_us, {"name": name, "value": value})


def _time(raw: Mapping[str, Any], place: str, started_at: datetime | None) -> int:
    """The time on the source's line, from `t_us` or from the wall clock."""
    if ("t_us" in raw) == ("at" in raw):
        raise _fault("both t_us and at" if "t_us" in raw else "no time", place, "give either t_us or at")
    if "t_us" in raw:
        t_us = raw["t_us"]
        if isinstance(t_us, bool) or not isinstance(t_us, int):
            raise _fault(f"t_us {t_us!r}", place, "expected an integer of microseconds")
        return _near(t_us, f"t_us {t_us}", place)
    try:
        moment = datetime.fromisoformat(str(raw["at"]))
    except ValueError:
        raise _fault(f"at {raw['at']!r}", place, "expected ISO 8601 with its offset") from None
    if moment.tzinfo is None:
        raise _fault(f"at {raw['at']!r}", place, "it lacks its offset from UTC")
    if started_at is None:
        raise _fault("a wall-clock time", place, "when the recording started is not known; give --started-at")
    t_us = round((moment - started_at).total_seconds() * 1_000_000)
    return _near(t_us, f"at {raw['at']!r}", place)


def _near(t_us: int, said: str, place: str) -> int:
    """The time, unless it is a slip: no recording lies so far away."""
    if abs(t_us) > LONGEST_US:
        raise _fault(said, place, f"it is {abs(t_us) / YEAR_US:.0f} years from the start of the recording")
    return t_us


def _fault(what: str, place: str, why: str) -> SignalFault:
    return SignalFault(what, where=place, why=why, todo="Correct the line.")


class SignalFeed:
    """Hands out signals as time reaches them."""

    def __init__(self, signals: Iterable[Event]) -> None:
        self._rest: Iterator[Event] = iter(signals)
        self._next = next(self._rest, None)

    def until(self, t_us: int) -> Iterator[Event]:
        """The signals up to and at `t_us` that were not handed out yet."""
        while self._next is not None and self._next.t_us <= t_us:
            yield self._next
            self._next = next(self._rest, None)

    @property
    def left(self) -> int:
        """How many were not handed out; counting them uses them up."""
        found = (self._next is not None) + sum(1 for _ in self._rest)
        self._next = None
        return found
