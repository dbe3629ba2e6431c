"""Signals that consoles send to a running watch, over the socket that also answers what was missed.

    {"signal": {"table": "midi-3", "name": "preshuffled", "value": true}}

It holds from the next picture of that table on, until the next of its name; null says that it is not known any more.
The answer is `{"v", "accepted": true, "table", "name", "value"}`, or an `error` that says what was expected.
"""

from __future__ import annotations

import queue
from collections.abc import Iterable
from typing import Any

from calibration.schema import nearest_text
from pitwatch.signals import wrong_signal

Plain = Any  # a JSON value
KEYS = ("table", "name", "value")
#: Signals that wait for a table's next picture; more are refused.
MOST_WAITING = 1000


class SignalError(ValueError):
    """A signal that cannot be taken, in words for who sent it."""


class Inbox:
    """Signals on their way to the tables. Safe to use from several threads."""

    def __init__(self, tables: Iterable[str]) -> None:
        self._waiting: dict[str, queue.Queue[tuple[str, Plain]]] = {name: queue.Queue(MOST_WAITING) for name in tables}

    def put(self, signal: Plain) -> dict[str, Plain]:
        """Takes a signal in; returns what was taken.

        Raises:
            SignalError: it is none, names no table or signal that there is, or has a value that the signal cannot have.
        """
        if not isinstance(signal, dict) or sorted(signal) != sorted(KEYS):
            raise SignalError('expected {"signal": {"table": ..., "name": ..., "value": ...}}')
        table, name, value = (signal[key] for key in KEYS)
        waiting = self._waiting.get(table) if isinstance(table, str) else None
        if waiting is None:
            raise SignalError(f"unknown table {table!r:.40}; expected {nearest_text(str(table), tuple(self._waiting))}")
        wrong = wrong_signal(name, value)
        if wrong is not None:
            raise SignalError("; expected ".join(wrong))
        try:
            waiting.put_nowait((name, value))
        except queue.Full:
            raise SignalError(f"too many signals wait for a picture of {table}") from None
        return {"table": table, "name": name, "value": value}

    def take(self, table: str) -> list[tuple[str, Plain]]:
        """The signals that came for a table since they were last taken, in order."""
        waiting, found = self._waiting.get(table), []
        while waiting is not None and not waiting.empty():
            found.append(waiting.get_nowait())
        return found
