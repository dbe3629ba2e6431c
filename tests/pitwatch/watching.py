"""A watch in a thread, heard from outside; eyes and a judge that do as they are told."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
import zmq

from calibration.tablefile import Table
from faults import Fault
from pitwatch.camera import Opens
from pitwatch.site import Site
from pitwatch.stages import Judges, Sees, Stages
from pitwatch.watch import Watched, folder_name, watch
from rules.event import Event
from tests.pitwatch.fakes import ScriptedEyes, ScriptedJudge, finding
from vision.frame import Frame
from vision.source import open_source


def quicken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses that a test need not wait for."""
    monkeypatch.setattr("pitwatch.camera.FIRST_PAUSE_S", 0.05)
    monkeypatch.setattr("pitwatch.tablewatch.TELL_HEALTH_S", 0.2)
    monkeypatch.setattr("pitwatch.tablewatch.CHORES_S", 0.05)
    monkeypatch.setattr("pitwatch.watch.FLUSH_S", 0.1)
    monkeypatch.setattr("pitwatch.watch.LOOK_AROUND_S", 0.02)


class Misfit(Fault):
    """The picture does not fit."""


class SizedEyes(ScriptedEyes):
    """Eyes that refuse another size than the first, and may be slow or fail."""

    def __init__(self, events: list[Event], look_s: float = 0.0, fails: bool = False) -> None:
        super().__init__(events)
        self._size: tuple[int, int] | None = None
        self._look_s, self._fails = look_s, fails

    def step(self, frame: Frame) -> list[Event]:
        if self._fails:
            raise RuntimeError("the network is broken")
        self._size = self._size or (frame.width_px, frame.height_px)
        if self._size != (frame.width_px, frame.height_px):
            raise Misfit("another size", where="table", why="it changed", todo="Recalibrate.")
        time.sleep(self._look_s)
        return super().step(frame)


def burn(table: str, number: int, t_us: int) -> Event:
    return Event(f"{table}-{number:06d}", table, "card.burn", t_us, t_us, {"index": number}, 1.0)


def scripted(breaches: dict[str, list[int]], look_s: float = 0.0, fails: str = "", **more: Any) -> Stages:
    """Stages that see a burn at each time given for a table, and find a violation in it."""

    def eyes(table: Table) -> Sees:
        times = breaches.get(table.table, [])
        events = [burn(table.table, number, t_us) for number, t_us in enumerate(times)]
        return SizedEyes(events, look_s, table.table == fails)

    def judge(table: Table, started_at: datetime | None, as_of: date | None) -> Judges:
        name = table.table
        return ScriptedJudge(
            [
                finding(t_us=t_us, end_us=t_us, table=name, events=[f"{name}-{number:06d}"], **more)
                for number, t_us in enumerate(breaches.get(name, []))
            ]
        )

    return Stages(eyes, judge, Path("nowhere"))


@dataclass
class Watching:
    """A watch in a thread, and what it said on the wire."""

    site: Site
    stages: Stages
    opens: Opens
    stop: threading.Event = field(default_factory=threading.Event)
    said: list[str] = field(default_factory=list)
    heard: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    ended: Watched | None = None

    def work(self) -> None:
        self.ended = watch(self.site, self.stages, self._say, self.stop, self.opens)

    def _say(self, text: str) -> None:
        self.said.append(text)

    def address(self) -> str:
        while not any(line.startswith("alerts at") for line in self.said):
            time.sleep(0.005)
        return self.said[1].split()[2].rstrip(",")

    def listen(self, enough: Callable[[list[tuple[str, dict[str, Any]]]], bool], seconds: float = 8.0) -> None:
        """Hears what comes until it is enough; fails when it is not in time."""
        with zmq.Context() as context, context.socket(zmq.SUB) as subscriber:
            subscriber.linger, subscriber.rcvtimeo = 0, 100
            subscriber.connect(self.address())
            subscriber.subscribe("")
            until_s = time.monotonic() + seconds
            while not enough(self.heard):
                assert time.monotonic() < until_s, f"not heard in {seconds} s: {self.said}"
                try:
                    topic, body = subscriber.recv_multipart()
                except zmq.Again:
                    continue
                self.heard.append((topic.decode(), json.loads(body)))

    def states(self, table: str) -> list[str]:
        return [body["status"]["state"] for topic, body in self.heard if topic == f"status/{table}/"]


@contextmanager
def watching(site: Site, stages: Stages, opens: Opens = open_source) -> Iterator[Watching]:
    run = Watching(site, stages, opens)
    thread = threading.Thread(target=run.work)
    thread.start()
    yield run
    run.stop.set()
    thread.join(5.0)
    assert not thread.is_alive()


def alerts_on_disk(site: Site, table: str = "midi-1") -> list[dict[str, Any]]:
    path = site.out / folder_name(table) / "alerts.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def watched(site: Site, stages: Stages, opens: Opens = open_source) -> tuple[Watched, list[str]]:
    said: list[str] = []
    return watch(site, stages, said.append, threading.Event(), opens), said
