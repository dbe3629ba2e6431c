"""How far long work is: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

PLAIN_EVERY_S = 10.0


class Shows(Protocol):
    """Something that shows progress."""

    def at(self, done: float) -> None:
        """Tells how much is done, in the work's own unit."""
        ...

    def of(self, total: float) -> None:
        """Tells how much there is to do, once that is known."""
        ...

    def say(self, text: str) -> None:
        """Tells something that is worth a line."""
        ...


class _Plain:
    """A line now and then."""

    def __init__(self, what: str, unit: str, total: float | None) -> None:
        self._what, self._unit, self._total = what, unit, total
        self._last_s = time.monotonic()

    def of(self, total: float) -> None:
        self._total = total

    def at(self, done: float) -> None:
        now_s = time.monotonic()
        if now_s - self._last_s < PLAIN_EVERY_S:
            return
        self._last_s = now_s
        share = f" ({100 * done / self._total:.0f} %)" if self._total else ""
        self.say(f"{self._what}: {done:.0f} {self._unit}{share}")

    def say(self, text: str) -> None:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()


class _Bar:
    """A bar that keeps its place."""

    def __init__(self, progress: Progress, what: str, total: float | None) -> None:
        self._progress = progress
        self._task = progress.add_task(what, total=total)

    def at(self, done: float) -> None:
        self._progress.update(self._task, completed=done)

    def of(self, total: float) -> None:
        self._progress.update(self._task, total=total)

    def say(self, text: str) -> None:
        self._progress.console.print(text, markup=False, highlight=False)


@contextmanager
def progress(what: str, unit: str = "s of recording", total: float | None = None) -> Iterator[Shows]:
    """Shows progress on standard error while the block runs: `total` units, if that is known."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Plain(what, unit, total)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f} " + unit),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        yield _Bar(bar, what, total)


class Silent:
    """Shows nothing; for use as a library."""

    def at(self, done: float) -> None:
        """Nothing."""

    def of(self, total: float) -> None:
        """Nothing."""

    def say(self, text: str) -> None:
        """Nothing."""
