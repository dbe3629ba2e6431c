"""What a watch has to write, in order, kept until the disk takes it."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from pitwatch.store import FULL, Reserve

Write = Callable[[], None]


class Writer:
    """Does writes in order. One that the disk refuses waits, with all that follow it, and is tried again.

    `trouble` tells why something waits; None if nothing does. When the disk is full, the reserve is given up first.
    """

    def __init__(self, reserve: Reserve) -> None:
        self._reserve = reserve
        self._waiting: deque[Write] = deque()
        self._lock = threading.Lock()
        self.trouble: str | None = None

    @property
    def waiting(self) -> int:
        """How many writes wait."""
        return len(self._waiting)

    def do(self, write: Write) -> None:
        """Does a write, after those that wait."""
        with self._lock:
            self._waiting.append(write)
            self._go_on()

    def again(self) -> None:
        """Tries again what waits."""
        with self._lock:
            self._go_on()

    def _go_on(self) -> None:
        while self._waiting:
            try:
                self._waiting[0]()
            except OSError as error:
                if error.errno in FULL and self._reserve.give_up():
                    continue
                self.trouble = error.strerror or str(error)
                return
            self._waiting.popleft()
        self.trouble = None
