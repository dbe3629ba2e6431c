"""Small recordings, tables and stages that need no model and no rule."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

from calibration.tablefile import Table
from pitwatch.stages import Finding, Judges, Sees, Stages
from rules.event import Event
from vision.frame import Frame

WIDTH_PX, HEIGHT_PX, FPS = 320, 240, 10

TABLE = """
table = "midi-3"
[camera]
width_px = 320
height_px = 240
[calibration]
homography = [[4.0, 0.0, -640.0], [0.0, -4.0, 800.0], [0.0, 0.0, 1.0]]
error_mm = 1.5
[layout]
shoe_side = "left"
seats = [1, 2, 3]
[layout.zones_mm]
shoe = [[-500, 100], [-300, 100], [-300, 250], [-500, 250]]
discard = [[300, 100], [420, 100], [420, 250], [300, 250]]
player = [[20, 350], [200, 350], [200, 480], [20, 480]]
banker = [[-200, 350], [-20, 350], [-20, 480], [-200, 480]]
[game]
pack = "pa58/629a"
decks = 8
cards = 416
"""


def write_table(folder: Path, text: str = TABLE) -> Path:
    """A table file for the fake recordings."""
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return path


def write_video(
    path: Path,
    seconds: float = 3.0,
    *,
    started_at: str | None = None,
    size: tuple[int, int] = (WIDTH_PX, HEIGHT_PX),
    fps: int = FPS,
    still: bool = False,
    dark_right: bool = False,
    from_s: float = 0.0,
) -> Path:
    """A short recording whose brightness tells the frame's number; a key frame each second.

    With `dark_right` the right half is half as bright.
    """
    with av.open(str(path), "w") as container:
        if started_at:
            container.metadata["creation_time"] = started_at
        stream = container.add_stream("libx264", rate=fps, options={"preset": "ultrafast", "g": str(fps)})
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        for number in range(round(seconds * fps)):
            grey = 128 if still else 40 + number % 180
            image = np.full((size[1], size[0], 3), grey, np.uint8)
            if dark_right:
                image[:, size[0] // 2 :] //= 2
            frame = av.VideoFrame.from_ndarray(image, format="bgr24")
            frame.pts, frame.time_base = number + round(from_s * fps), Fraction(1, fps)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def finding(
    clause: str = "PA-629a.5(f)-count", verdict: str = "violation", t_us: int = 1_000_000, **more: object
) -> dict[str, Any]:
    """A finding as the rules write it."""
    value = {
        "id": f"{clause}@{t_us}",
        "table": "midi-3",
        "pack": "pa58/629a",
        "clause": clause,
        "citation": "58 Pa. Code § 629a.5(f)",
        "verdict": verdict,
        "t_us": t_us,
        "end_us": t_us + 1_000_000,
        "measured": {"value": 6, "low": 6, "high": 6, "unit": "cards", "limit": 10},
        "coverage": 0.98,
        "exception": None,
        "corrected": False,
        "state": "closed",
        "events": [],
        "explanation": "Six additional cards were seen burned; the king asks for ten.",
        "severity": "major",
        "clip": None,
    }
    return value | more


class ScriptedEyes:
    """Reports given events as soon as time has reached their end."""

    latency_us = 500_000
    moved: str | None = None
    provider: str | None = "ScriptedProvider"

    def __init__(self, events: Sequence[Event]) -> None:
        self._rest = sorted(events, key=lambda event: event.end_us)
        self.frames_us: list[int] = []

    def step(self, frame: Frame) -> list[Event]:
        self.frames_us.append(frame.t_us)
        due = [event for event in self._rest if event.end_us <= frame.t_us]
        self._rest = self._rest[len(due) :]
        return due

    def finish(self) -> list[Event]:
        rest, self._rest = self._rest, []
        return rest


class ScriptedJudge:
    """Gives each finding when the event that it names in `events` comes; without one, at the end."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self._rest = list(findings)

    def step(self, event: Event) -> list[Finding]:
        due = [f for f in self._rest if event.id in f["events"]]
        self._rest = [f for f in self._rest if f not in due]
        return due

    def tick(self, t_us: int) -> list[Finding]:
        return []

    def finish(self, end_us: int) -> list[Finding]:
        rest, self._rest = self._rest, []
        return rest


def stages(
    events: Sequence[Event] = (), findings: Sequence[Finding] = (), models_dir: Path = Path("nowhere")
) -> Stages:
    """Stages that say what they are told to say."""

    def eyes(table: Table) -> Sees:
        return ScriptedEyes(events)

    def judge(table: Table, started_at: datetime | None, as_of: date | None) -> Judges:
        return ScriptedJudge(findings)

    return Stages(eyes, judge, models_dir)


def event(number: int, kind: str, t_us: int, **facts: object) -> Event:
    """An event of the fake table."""
    return Event(f"midi-3-{number:06d}", "midi-3", kind, t_us, t_us, facts, 0.95)


def write_lines(path: Path, values: Sequence[object]) -> Path:
    """A file of JSON lines."""
    path.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")
    return path
