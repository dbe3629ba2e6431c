"""One camera, read by a thread of its own: the newest picture is there when somebody has time for it.

Nobody who looks slowly makes the pictures late: what nobody had time for is skipped, and counted. A camera that goes
away is opened again, first at once, then with growing pauses. A file is played at its own pace, as if it were one.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from faults import InputFault
from vision.frame import Frame
from vision.source import SourceReport, open_source

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0
#: A camera whose own clock strays so far from ours since it was opened is opened again: it jumped, or pictures queue
#: up somewhere. Ahead may be more: some send the last seconds in one go when they are opened.
BEHIND_US, AHEAD_US = 5_000_000, 30_000_000


class Pictures(Protocol):
    """An open source."""

    report: SourceReport

    def frames(self) -> Iterator[Frame]:
        """The frames, each once, times growing."""
        ...

    def close(self) -> None:
        """Releases it."""
        ...


class Opens(Protocol):
    """Opens a source; `patience_s` is None for a file."""

    def __call__(self, path: str, *, offset_us: int = 0, patience_s: float | None = None) -> Pictures:
        """The source, or an `InputFault`."""
        ...


@dataclass(frozen=True, slots=True)
class Arrived:
    """A picture and when it came, in seconds of the monotonic clock."""

    frame: Frame
    at_s: float


@dataclass(slots=True)
class Counts:
    """What became of a camera's pictures so far."""

    arrived: int = 0
    skipped: int = 0
    lost: int = 0
    opened: int = 0
    behind_s: float = 0.0
    ahead_s: float = 0.0  # the camera's clock, or pictures that it had kept and sent all at once


def is_live(source: str) -> bool:
    """True for a camera, which goes on for ever; false for a file, which ends."""
    return "://" in source or source.startswith("/dev/")


class Camera:
    """Reads one source. `take` gives the newest picture; `ended` tells that a file is over."""

    def __init__(self, source: str, patience_s: float, opens: Opens = open_source) -> None:
        self.source = source
        self.live = is_live(source)
        self.counts = Counts()
        self.trouble: str | None = None  # why no picture comes, as far as is known
        self.incomplete: str | None = None  # a file that could not be read, or not to its end
        self.ended = False
        self.last_s = time.monotonic()  # of the newest picture; before the first, of the start
        self._patience_s, self._opens = patience_s, opens
        self._newest: Arrived | None = None
        self._last_us = -1
        self._came = threading.Condition()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._read, name=f"camera {source}", daemon=True)

    def start(self) -> None:
        """Begins to read."""
        self.last_s = time.monotonic()
        self._thread.start()

    def take(self, wait_s: float) -> Arrived | None:
        """The newest picture that was not taken yet; None if none comes in time, or none any more."""
        with self._came:
            if self._newest is None and not self.ended:
                self._came.wait(wait_s)
            newest, self._newest = self._newest, None
            return newest

    @property
    def silent_s(self) -> float:
        """How long no picture has come."""
        return time.monotonic() - self.last_s

    def stop(self, wait_s: float = 0.3) -> None:
        """Stops reading. A camera that hangs is left to itself: its thread ends with the program."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(wait_s)

    # -- the reading thread ---------------------------------------------------------------------------------------

    def _read(self) -> None:
        try:
            if self.live:
                self._read_camera()
            else:
                self._read_file()
        except Exception as error:  # whatever a driver does, the table must hear that its camera is gone
            self.trouble = self.incomplete = f"{type(error).__name__}: {error}"
        with self._came:
            self.ended = True
            self._came.notify_all()

    def _read_file(self) -> None:
        try:
            pictures = self._opens(self.source)
        except InputFault as fault:
            self.trouble = self.incomplete = f"{fault.what}: {fault.why}"
            return
        with contextlib.closing(pictures):
            first_us, begun_s = 0, time.monotonic()
            self.counts.opened = 1
            for number, frame in enumerate(pictures.frames()):
                first_us = frame.t_us if number == 0 else first_us
                due_s = begun_s + (frame.t_us - first_us) / 1e6
                self.counts.behind_s = max(0.0, time.monotonic() - due_s)
                if self._stop.wait(max(0.0, due_s - time.monotonic())):
                    return
                self._put(frame)
            self.counts.lost = pictures.report.frames_lost
            self.incomplete = pictures.report.ended_early

    def _read_camera(self) -> None:
        begun_s, pause_s = time.monotonic(), FIRST_PAUSE_S
        while not self._stop.is_set():
            before = self.counts.arrived
            self._read_until_it_goes(begun_s)
            if self.counts.arrived > before:
                pause_s = FIRST_PAUSE_S
            self._stop.wait(pause_s)
            pause_s = min(2 * pause_s, LONGEST_PAUSE_S)

    def _read_until_it_goes(self, begun_s: float) -> None:
        """Opens the camera and reads it until nothing comes any more."""
        offset_us = max(round((time.monotonic() - begun_s) * 1e6), self._last_us + 1)
        try:
            pictures = self._opens(self.source, offset_us=offset_us, patience_s=self._patience_s)
        except InputFault as fault:
            self.trouble = f"{fault.what}: {fault.why}"
            return
        opened_us = round((time.monotonic() - begun_s) * 1e6)
        lost_before = self.counts.lost
        with contextlib.closing(pictures):
            self.counts.opened += 1
            self.trouble = None
            for frame in pictures.frames():
                self.counts.lost = lost_before + pictures.report.frames_lost
                if self._stop.is_set() or self._strays(frame.t_us - offset_us, begun_s, opened_us):
                    return
                self._put(frame)
            errors = pictures.report.errors
            self.trouble = errors[-1] if errors else "the camera sends nothing any more"

    def _strays(self, own_us: int, begun_s: float, opened_us: int) -> bool:
        """True if the camera's time since it was opened is far from ours."""
        ours_us = round((time.monotonic() - begun_s) * 1e6) - opened_us
        self.counts.behind_s = max(0.0, (ours_us - own_us) / 1e6)
        self.counts.ahead_s = max(0.0, (own_us - ours_us) / 1e6)
        if -AHEAD_US <= ours_us - own_us <= BEHIND_US:
            return False
        self.trouble = f"the camera's time is off by {(own_us - ours_us) / 1e6:+.1f} s; it is opened again"
        return True

    def _put(self, frame: Frame) -> None:
        if frame.t_us <= self._last_us:
            self.counts.lost += 1  # pictures sent again after a break
            return
        self._last_us = frame.t_us
        with self._came:
            self.last_s = time.monotonic()
            self.counts.arrived += 1
            self.counts.skipped += self._newest is not None
            self._newest = Arrived(frame, self.last_s)
            self._came.notify_all()


def recorded_at(source: str, opens: Opens = open_source) -> SourceReport | None:
    """What a file tells of itself before it is played; None of a camera, or of what cannot be opened."""
    if is_live(source):
        return None
    with contextlib.suppress(InputFault), contextlib.closing(opens(source)) as pictures:
        return pictures.report
    return None
