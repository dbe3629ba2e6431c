"""The same film under other conditions: mirrored, at half of its pictures, with a second hidden or lost.

Nothing is encoded anew: what changes is done to the frames on their way to the eyes, so that nothing else differs.
`mirror` must give the same verdicts clause by clause; `halved`, `hidden` and `lost` the same ones or weaker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from calibration.tablefile import Table, load_table
from faults import InputFault
from pitwatch.mirror import mirrored_frame, mirrored_table
from pitwatch.pairing import SAME, TURNED, WEAKER, Pair, pairs_of
from pitwatch.signals import SignalFeed, read_signals
from pitwatch.stages import Finding, Stages
from rules.event import Event
from vision.frame import Frame
from vision.source import open_source

MIRROR, HALVED, HIDDEN, LOST = "mirror", "halved", "hidden", "lost"
CONDITIONS = (MIRROR, HALVED, HIDDEN, LOST)
SECOND_US = 1_000_000
#: What may become of a verdict under each condition.
ALLOWED = {MIRROR: (SAME,), HALVED: (SAME, WEAKER), HIDDEN: (SAME, WEAKER), LOST: (SAME, WEAKER)}

Frames = Iterator[Frame]


@dataclass(frozen=True, slots=True)
class Film:
    """A film with its table file, and what a signals file says."""

    video: Path
    table: Table
    signals: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Trial:
    """One altered review: what was done, where in the film (None: all over), and what became of each verdict."""

    condition: str
    from_us: int | None
    pairs: tuple[Pair, ...]

    @property
    def wrong(self) -> list[Pair]:
        """The verdicts of which that became what must not."""
        return [pair for pair in self.pairs if pair.change not in ALLOWED[self.condition]]


def film_of(folder: Path) -> Film:
    """The film in a folder: `video.mp4`, `table.toml` or `table.json` and, if it is there, `signals.jsonl`.

    Raises:
        InputFault: video or table file are missing, or cannot be read.
    """
    tables = [path for path in (folder / "table.toml", folder / "table.json") if path.is_file()]
    video = folder / "video.mp4"
    if not tables or not video.is_file():
        raise InputFault(
            "no film with its table file",
            where=str(folder),
            why="expected video.mp4 and table.toml (or table.json), as 'pitwatch render' writes them",
            todo="Give such a folder, or a scenario.",
        )
    table, signals = load_table(tables[0]), folder / "signals.jsonl"
    known = read_signals(signals, table.table, table.started_at) if signals.is_file() else []
    return Film(video, table, tuple(known))


def findings_of_frames(frames: Frames, table: Table, signals: Sequence[Event], stages: Stages) -> list[Finding]:
    """The last word on each finding, from frames as they come."""
    eyes, judge, feed = stages.eyes(table), stages.judge(table, table.started_at, None), SignalFeed(signals)
    found: dict[str, Finding] = {}

    def take(events: Iterator[Event] | list[Event]) -> None:
        for event in events:
            found.update((str(f["id"]), f) for f in judge.step(event))

    end_us = 0
    for frame in frames:
        end_us = frame.t_us
        take(feed.until(end_us))
        take(eyes.step(frame))
        found.update((str(f["id"]), f) for f in judge.tick(end_us - eyes.latency_us))
    take(eyes.finish())
    found.update((str(f["id"]), f) for f in judge.finish(end_us))
    return list(found.values())


def trials(film: Film, conditions: Sequence[str], stages: Stages, step_us: int = SECOND_US) -> Iterator[Trial]:
    """Reviews a film as it is, then under each condition; a second is hidden or lost at every `step_us`."""
    plain = _seen(film, stages, lambda frames: frames)
    for condition in conditions:
        if condition == MIRROR:
            turned = Film(film.video, mirrored_table(film.table), film.signals)
            yield _trial(condition, None, plain, _seen(turned, stages, lambda frames: map(mirrored_frame, frames)))
        elif condition == HALVED:
            yield _trial(condition, None, plain, _seen(film, stages, lambda frames: islice(frames, 0, None, 2)))
        else:
            alter = hidden if condition == HIDDEN else lost
            for from_us in range(0, _length_us(film), step_us):
                gone = partial(alter, from_us=from_us, to_us=from_us + SECOND_US)
                yield _trial(condition, from_us, plain, _seen(film, stages, gone))


def hidden(frames: Frames, from_us: int, to_us: int) -> Frames:
    """The frames, black from one moment up to another."""
    for frame in frames:
        black = from_us <= frame.t_us < to_us
        yield Frame.of(frame.t_us, np.zeros((frame.height_px, frame.width_px, 3), np.uint8)) if black else frame


def lost(frames: Frames, from_us: int, to_us: int) -> Frames:
    """The frames without those from one moment up to another."""
    return (frame for frame in frames if not from_us <= frame.t_us < to_us)


def _seen(film: Film, stages: Stages, alter: Callable[[Frames], Frames]) -> list[Finding]:
    with open_source(film.video) as video:
        return findings_of_frames(alter(video.frames()), film.table, film.signals, stages)


def _length_us(film: Film) -> int:
    """How long the film is, by its container; if that does not say, by its frames."""
    with open_source(film.video) as video:
        announced_us = video.report.announced_us
        return announced_us if announced_us is not None else max(frame.t_us for frame in video.frames())


def _trial(condition: str, from_us: int | None, before: list[Finding], after: list[Finding]) -> Trial:
    return Trial(condition, from_us, tuple(pairs_of(before, after)))


def trial_lines(name: str, done: Sequence[Trial]) -> Iterator[str]:
    """The figures of one film: by condition how many verdicts stayed, weakened or turned; and each that is wrong."""
    for condition in CONDITIONS:
        mine = [trial for trial in done if trial.condition == condition]
        if not mine:
            continue
        changes = [pair.change for trial in mine for pair in trial.pairs]
        counts = ", ".join(f"{changes.count(change)} {change}" for change in (SAME, WEAKER, TURNED))
        wrong = sum(len(trial.wrong) for trial in mine)
        holds = f"{wrong} wrong" if wrong else "holds"
        yield f"{name:<24} {condition:<7} {len(mine):3d} x  verdicts: {counts}   {holds}"
        for trial in mine:
            at = "" if trial.from_us is None else f" at {trial.from_us / 1e6:.0f} s"
            for pair in trial.wrong:
                yield f"  {condition}{at}: {pair.clause} at {pair.t_us / 1e6:.1f} s: {pair.before} -> {pair.after}"


def plain_of(name: str, done: Sequence[Trial]) -> list[dict[str, object]]:
    """The same as plain JSON values, every verdict of every trial."""
    return [
        {
            "film": name,
            "condition": trial.condition,
            "from_us": trial.from_us,
            "clause": pair.clause,
            "t_us": pair.t_us,
            "before": pair.before,
            "after": pair.after,
            "change": pair.change,
        }
        for trial in done
        for pair in trial.pairs
    ]
