"""`pitwatch bench --live`: how long an alert takes, from its deciding frame's arrival to the wire.

A film is played at its own pace into a real watch: eyes, rules, store and bus as they are. So that one film gives many
alerts, every finding that is decided rings, whatever its verdict. Beside it stands a reference from the same run: a
watch of the same film that looks at nothing and rings at the very same frames, so that what is left is decoding,
pacing, disk and wire.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

from calibration.tablefile import Table, load_table
from pitwatch.bus import BusPlaces
from pitwatch.site import Site, SiteTable
from pitwatch.stages import Finding, Judges, Sees, Stages
from pitwatch.watch import watch
from rules.event import Event
from vision.frame import Frame
from vision.source import open_source

WIDTH_PX, HEIGHT_PX, FPS = 1920, 1080, 30
ANYWHERE = "tcp://127.0.0.1:*"
STALL_S = 10.0


@dataclass(frozen=True, slots=True)
class Pass:
    """What came of playing a film: how long each alert took, in seconds, when each was decided, and the health."""

    taken_s: list[float]
    decided_us: list[int]
    health: dict[str, Any]


class RingsAlways:
    """A judge each of whose decided findings rings; it remembers when they were decided."""

    def __init__(self, judge: Judges) -> None:
        self._judge = judge
        self._known: set[str] = set()
        self.decided_us: list[int] = []

    def step(self, event: Event) -> list[Finding]:
        """The findings that an event decides."""
        return self._ringing(self._judge.step(event))

    def tick(self, t_us: int) -> list[Finding]:
        """The findings that time decides."""
        return self._ringing(self._judge.tick(t_us))

    def finish(self, end_us: int) -> list[Finding]:
        """Nothing: what only the film's end decides has no deciding frame."""
        return []

    def _ringing(self, findings: list[Finding]) -> list[Finding]:
        new = [f for f in findings if f.get("state") == "closed" and str(f["id"]) not in self._known]
        self._known |= {str(f["id"]) for f in new}
        self.decided_us += [int(f["end_us"]) for f in new]
        # Of one clause only the first would ring, the others raise its count.
        return [dict(f) | {"verdict": "violation", "clause": f"{f['clause']} {f['id']}"} for f in new]


class LooksAtNothing:
    """Eyes for the reference: they report an event at each of the given moments, and never look."""

    latency_us = 0
    moved: str | None = None
    provider: str | None = None

    def __init__(self, table: str, moments_us: list[int]) -> None:
        self._table, self._rest = table, sorted(moments_us)

    def step(self, frame: Frame) -> list[Event]:
        """What is due."""
        due = [t_us for t_us in self._rest if t_us <= frame.t_us]
        self._rest = self._rest[len(due) :]
        return [
            Event(f"reference-{t_us}-{n}", self._table, "signal", t_us, t_us, {"name": "announced"})
            for n, t_us in enumerate(due)
        ]

    def finish(self) -> list[Event]:
        """Nothing."""
        return []


class RingsAtOnce:
    """A judge for the reference: each event is a finding."""

    def __init__(self, pack: str) -> None:
        self._pack = pack

    def step(self, event: Event) -> list[Finding]:
        """One finding."""
        return [
            {
                "id": event.id,
                "table": event.table,
                "pack": self._pack,
                "clause": event.id,
                "citation": "",
                "verdict": "violation",
                "t_us": event.t_us,
                "end_us": event.end_us,
                "measured": None,
                "coverage": 1.0,
                "exception": None,
                "corrected": False,
                "state": "closed",
                "events": [event.id],
                "explanation": "reference",
                "severity": "note",
                "clip": None,
            }
        ]

    def tick(self, t_us: int) -> list[Finding]:
        """Nothing."""
        return []

    def finish(self, end_us: int) -> list[Finding]:
        """Nothing."""
        return []


def live_lines(source: str, table_path: Path, stages: Stages, times: int) -> Iterator[str]:
    """Plays a film `times` times to the real stages, and as often to the reference; yields the figures, line by line.

    Raises:
        Fault: film, table file or models cannot be used.
    """
    table = load_table(table_path)
    with tempfile.TemporaryDirectory(prefix="pitwatch-bench-") as folder:
        film = as_1080p30(source, Path(folder) / "film.mp4")
        yield f"film: {WIDTH_PX} x {HEIGHT_PX}, {FPS} frames/s, at its own pace, {times} x"
        seen = [played(film, table_path, table, _ringing(stages), Path(folder) / f"seen-{n}") for n in range(times)]
        yield figures("watching", seen)
        moments = [one.decided_us for one in seen]
        bare = [
            played(film, table_path, table, _reference(table, moments[n]), Path(folder) / f"bare-{n}")
            for n in range(times)
        ]
        yield figures("reference", bare)
        yield "reference: the same film and moments, nothing looked at: decoding, pacing, disk and wire"


def _ringing(stages: Stages) -> Stages:
    def judge(table: Table, started_at: datetime | None, as_of: date | None) -> Judges:
        return RingsAlways(stages.judge(table, started_at, as_of))

    return Stages(stages.eyes, judge, stages.models_dir)


def _reference(table: Table, moments_us: list[int]) -> Stages:
    def eyes(table: Table) -> Sees:
        return LooksAtNothing(table.table, moments_us)

    def judge(table: Table, started_at: datetime | None, as_of: date | None) -> Judges:
        return RingsAtOnce(table.game.pack)

    return Stages(eyes, judge, Path())


def played(film: Path, table_path: Path, table: Table, stages: Stages, out: Path) -> Pass:
    """Plays a film to a watch of its own."""
    judges: list[Judges] = []

    def judge(table: Table, started_at: datetime | None, as_of: date | None) -> Judges:
        judges.append(stages.judge(table, started_at, as_of))
        return judges[-1]

    place = SiteTable(table_path, table, str(film), None, STALL_S)
    site = Site(out / "site.toml", "bench", out, BusPlaces(ANYWHERE, ANYWHERE), (place,))
    ended = watch(site, Stages(stages.eyes, judge, stages.models_dir), lambda text: None, threading.Event())
    decided_us = judges[0].decided_us if isinstance(judges[0], RingsAlways) else []
    return Pass(ended.latencies_s[table.table], decided_us, ended.health[table.table])


def figures(name: str, passes: list[Pass]) -> str:
    """One line: how many alerts, the median, the 99th percentile and the longest, and how the watch kept up."""
    taken_ms = 1000 * np.array([taken for one in passes for taken in one.taken_s])
    if not taken_ms.size:
        return f"{name:<10} no alert came of this film"
    p50, p99 = np.percentile(taken_ms, [50, 99])
    skipped = sum(int(one.health["skipped"]) for one in passes)
    frames = sum(int(one.health["frames"]) for one in passes)
    return (
        f"{name:<10} {taken_ms.size:4d} alerts   p50 {p50:7.1f} ms   p99 {p99:7.1f} ms   "
        f"longest {taken_ms.max():7.1f} ms   pictures {frames}, of them not looked at in time {skipped}"
    )


def as_1080p30(source: str, path: Path) -> Path:
    """A copy of a film at 1920 x 1080 and 30 frames a second, each picture shown until the next is due.

    Raises:
        SourceFault: the film cannot be read.
    """
    with open_source(source) as video, av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=FPS, options={"preset": "veryfast", "crf": "21", "g": str(FPS)})
        stream.width, stream.height, stream.pix_fmt = WIDTH_PX, HEIGHT_PX, "yuv420p"
        for number, frame in enumerate(_at_30(video.frames())):
            picture = av.VideoFrame.from_ndarray(frame.image, format="bgr24")
            picture = picture.reformat(width=WIDTH_PX, height=HEIGHT_PX, format="yuv420p")
            picture.pts, picture.time_base = number, Fraction(1, FPS)
            container.mux(stream.encode(picture))
        container.mux(stream.encode(None))
    return path


def _at_30(frames: Iterator[Frame]) -> Iterator[Frame]:
    """The frame on screen at each thirtieth of a second."""
    shown: Frame | None = None
    number = 0
    for frame in frames:
        while shown is not None and number * 1_000_000 < frame.t_us * FPS:
            yield shown
            number += 1
        shown = frame
    if shown is not None:
        yield shown
