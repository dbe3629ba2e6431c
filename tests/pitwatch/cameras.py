"""Cameras that do what a test tells them, and a site that watches them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from calibration.tablefile import load_table
from faults import InputFault
from pitwatch.bus import BusPlaces
from pitwatch.site import Site, SiteTable
from tests.pitwatch.fakes import HEIGHT_PX, TABLE, WIDTH_PX
from vision.frame import Frame
from vision.source import SourceReport

ANY = "tcp://127.0.0.1:*"
LIVE = "rtsp://192.0.2.10/table"

Play = Callable[[int], Iterator[Frame]]


class NoCamera(InputFault):
    """Nobody answers."""

    def __init__(self, path: str) -> None:
        super().__init__("cannot be opened", where=path, why="nobody answers", todo="Look at the cable.")


class FakePictures:
    """An open source whose frames a function makes from the offset."""

    def __init__(self, path: str, frames: Iterator[Frame]) -> None:
        self.report = SourceReport(path)
        self._frames = frames
        self.closed = False

    def frames(self) -> Iterator[Frame]:
        return self._frames

    def close(self) -> None:
        self.closed = True


class FakeCamera:
    """Opens a source: each time the next of `plays`, None for a camera that does not answer; the last one for ever."""

    def __init__(self, *plays: Play | None) -> None:
        self.plays = list(plays)
        self.opened: list[FakePictures] = []
        self.tries = 0

    def __call__(self, path: str, *, offset_us: int = 0, patience_s: float | None = None) -> FakePictures:
        play = self.plays[min(self.tries, len(self.plays) - 1)]
        self.tries += 1
        if play is None:
            raise NoCamera(path)
        self.opened.append(FakePictures(path, play(offset_us)))
        return self.opened[-1]


def picture(t_us: int, number: int, size: tuple[int, int] = (WIDTH_PX, HEIGHT_PX)) -> Frame:
    """A plain picture; the number sets its grey."""
    return Frame.of(t_us, np.full((size[1], size[0], 3), number % 256, np.uint8))


def live(
    count: int,
    fps: float = 50.0,
    *,
    size: tuple[int, int] = (WIDTH_PX, HEIGHT_PX),
    still: bool = False,
    then_s: float = 0,
) -> Play:
    """So many pictures at their pace; then silence for so many seconds, then the end."""

    def play(offset_us: int) -> Iterator[Frame]:
        for number in range(count):
            yield picture(offset_us + round(number * 1e6 / fps), 7 if still else number, size)
            time.sleep(1 / fps)
        threading.Event().wait(then_s)

    return play


def site_of(folder: Path, *sources: str, stall_s: float = 4.0) -> Site:
    """A site with a table for each source: midi-1, midi-2, ..."""
    places = []
    for number, source in enumerate(sources, start=1):
        path = folder / f"midi-{number}.toml"
        path.write_text(TABLE.replace("midi-3", f"midi-{number}"), encoding="utf-8")
        places.append(SiteTable(path, load_table(path), source, None, stall_s))
    return Site(folder / "site.toml", "test", folder / "store", BusPlaces(ANY, ANY), tuple(places))
