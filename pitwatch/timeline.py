"""Several files, one shift, one line of time.

Files that say when they were begun lie where the clock puts them: what overlaps is taken once, what is missing is a
gap. Files that do not say are laid one after the other with a second of nothing between them, since nobody knows what
was not recorded there: an omission must not be read out of it.
"""

from __future__ import annotations

import contextlib
import filecmp
import queue
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations
from pathlib import Path

from faults import Fault
from pitwatch.cut import Recording
from vision.frame import Frame
from vision.source import SourceFault, SourceReport, open_source
from vision.view import GAP_US

UNKNOWN_GAP_US = 1_000_000
AHEAD_FRAMES = 8
#: No shift is longer; clocks farther apart are wrong.
MOST_DAYS = 7


class TimelineFault(Fault):
    """Files that cannot be one timeline."""


@dataclass(slots=True)
class Part:
    """One file: where it lies, what became of it, and why it could not be opened, if so."""

    path: str
    report: SourceReport
    offset_us: int = 0
    fault: Fault | None = None

    @property
    def incomplete(self) -> str | None:
        """What was not read of it, in words; None if all was."""
        if self.fault is not None:
            return f"{self.fault.what} ({self.fault.why})"
        return self.report.ended_early

    @property
    def damage(self) -> str | None:
        """What was left out of it as damaged, in words; None if nothing was."""
        lost, whole = self.report.frames_lost, self.report.frames_lost + self.report.frames_decoded
        return f"{lost} of {whole} pictures were damaged and left out" if lost and not self.incomplete else None


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch without pictures."""

    from_us: int
    to_us: int
    cause: str


@dataclass(slots=True)
class Timeline:
    """The files in order. `frames()` is read once; the rest is complete when it ends."""

    parts: list[Part]
    started_at: datetime | None
    started_from: str
    by_clock: bool
    remark: str | None = None
    gaps: list[Gap] = field(default_factory=list)
    first_us: int | None = None
    last_us: int | None = None
    overlap_frames: int = 0
    size: tuple[int, int] | None = None

    def frames(self) -> Iterator[Frame]:
        """All frames, their times growing."""
        for part in self.parts:
            if part.fault is not None:
                continue
            if not self.by_clock:
                part.offset_us = 0 if self.last_us is None else self.last_us + UNKNOWN_GAP_US
            yield from self._frames_of(part)

    def _frames_of(self, part: Part) -> Iterator[Frame]:
        begun_us = self.last_us
        try:
            source = open_source(part.path, offset_us=part.offset_us)
        except SourceFault as fault:  # it was there a moment ago
            part.fault = fault
            return
        with source:
            part.report = source.report
            for frame in source.frames():
                if self._other_size(frame, part):
                    return
                if begun_us is not None and frame.t_us <= begun_us:
                    self.overlap_frames += 1
                    continue
                self._note_gap(frame.t_us, part)
                yield frame

    def _other_size(self, frame: Frame, part: Part) -> bool:
        """True if the picture changed its size: the table file fits one of them, and the file is read no further."""
        size = frame.width_px, frame.height_px
        self.size = self.size or size
        if size == self.size:
            return False
        report = part.report
        report.frames_decoded -= 1
        report.last_us = self.last_us
        shown, at_s = f"{size[0]} x {size[1]}", (frame.t_us - part.offset_us) / 1e6
        report.ended_early = (
            f"the picture changes to {shown} pixels at {at_s:.1f} s; from there on nothing was reviewed"
        )
        return True

    def _note_gap(self, t_us: int, part: Part) -> None:
        if self.first_us is None:
            self.first_us = t_us
        elif self.last_us is not None and t_us - self.last_us > GAP_US:
            first = part.report.frames_decoded == 1
            self.gaps.append(Gap(self.last_us, t_us, "between files" if first else "frames missing"))
        self.last_us = t_us

    @property
    def recordings(self) -> list[Recording]:
        """The files that were read so far, for cutting."""
        return [
            Recording(part.path, part.offset_us, part.report.first_us, part.report.last_us)
            for part in self.parts
            if part.report.first_us is not None and part.report.last_us is not None
        ]

    @property
    def length_us(self) -> int:
        """From the first picture to the last."""
        return 0 if self.first_us is None or self.last_us is None else self.last_us - self.first_us

    @property
    def looked_us(self) -> int:
        """The length without the gaps."""
        return self.length_us - sum(gap.to_us - gap.from_us for gap in self.gaps)

    def announced_us(self) -> int | None:
        """How long the files say they are together; None if one does not say."""
        lengths = [part.report.announced_us for part in self.parts if part.fault is None]
        known = [length for length in lengths if length is not None]
        return sum(known) if known and len(known) == len(lengths) else None

    def moment(self, t_us: int) -> datetime | None:
        """The wall-clock time of a moment, if the start is known."""
        return None if self.started_at is None else self.started_at + timedelta(microseconds=t_us)


def open_timeline(paths: Sequence[str], given: datetime | None, of_table: datetime | None) -> Timeline:
    """The files as one timeline. `given` (the option) outranks what the first file says, that the table file.

    A file that cannot be opened keeps its fault; the others are still read.

    Raises:
        TimelineFault: the same recording is given twice.
        SourceFault: not one of the files can be opened.
    """
    _refuse_twice([Path(path) for path in paths])
    parts = [_probe(path) for path in paths]
    faults = [part.fault for part in parts if part.fault is not None]
    if len(faults) == len(parts):
        raise faults[0]
    good = [part for part in parts if part.fault is None]
    starts = {part.path: part.report.started_at for part in good}
    clocks = [start for start in starts.values() if start is not None and start.tzinfo is not None]
    # Copies cut from one file all bear its start: equal starts say nothing about the order.
    by_clock = len(clocks) == len(good) and len(set(clocks)) == len(good)
    days = (max(clocks) - min(clocks)).days if by_clock else 0
    remark = None
    if days > MOST_DAYS:  # a recorder without a battery begins anew in 1970, or 1980, or 2000
        by_clock, remark = False, f"The recordings' clocks lie {days} days apart; they are taken in the order given."
    if by_clock:
        first = min(clocks)
        for part in good:
            start = starts[part.path]
            assert start is not None  # by_clock says so
            part.offset_us = round((start - first).total_seconds() * 1_000_000)
        parts.sort(key=lambda part: part.offset_us)
    own = min(clocks) if by_clock else good[0].report.started_at
    own = own if own is not None and own.tzinfo is not None else None
    for moment, whence in ((given, "the option --started-at"), (own, "the recording"), (of_table, "the table file")):
        if moment is not None:
            return Timeline(parts, moment, whence, by_clock, remark)
    return Timeline(parts, None, "unknown", by_clock, remark)


def _refuse_twice(paths: Sequence[Path]) -> None:
    """Refuses a file beside itself: everything in it would be found twice."""
    for first, second in combinations([path for path in paths if path.is_file()], 2):
        if first.samefile(second):
            raise TimelineFault(
                "the same recording twice",
                where=str(second),
                why=f"{first} is the same file; everything in it would be found twice",
                todo="Give each recording once.",
            )


def copies(paths: Sequence[Path]) -> list[str]:
    """Recordings of the same bytes, in words. Files of different sizes are not read."""
    found = []
    for first, second in combinations(paths, 2):
        with contextlib.suppress(OSError):
            if filecmp.cmp(first, second, shallow=False):
                found.append(f"{second} holds the same bytes as {first}: what is in it is found twice")
    return found


def _probe(path: str) -> Part:
    try:
        with open_source(path) as source:
            return Part(str(Path(path)), source.report)
    except SourceFault as fault:
        return Part(str(Path(path)), SourceReport(path), fault=fault)


def ahead(frames: Iterator[Frame]) -> Iterator[Frame]:
    """The same frames, decoded ahead by a thread of their own."""
    box: queue.Queue[Frame | BaseException | None] = queue.Queue(AHEAD_FRAMES)
    stop = threading.Event()

    def put(item: Frame | BaseException | None) -> None:
        while not stop.is_set():
            with contextlib.suppress(queue.Full):
                box.put(item, timeout=0.2)
                return

    def decode() -> None:
        try:
            for frame in frames:
                put(frame)
                if stop.is_set():
                    return
        except BaseException as error:  # handed to the reader, who raises it
            put(error)
            return
        put(None)

    thread = threading.Thread(target=decode, name="decode", daemon=True)
    thread.start()
    try:
        while (item := box.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        stop.set()
        thread.join()
