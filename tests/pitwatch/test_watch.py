"""The watch, whole: tables, store and bus, with cameras, eyes and a judge that do as they are told."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
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
from pitwatch.tablewatch import TableWatch
from pitwatch.watch import Watched, folder_name, last_words, watch
from rules.event import Event
from tests.pitwatch.cameras import LIVE, FakeCamera, live, site_of
from tests.pitwatch.fakes import ScriptedEyes, ScriptedJudge, finding, write_lines, write_video
from vision.frame import Frame
from vision.source import open_source


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
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


def scripted(breaches: dict[str, list[int]], look_s: float = 0.0, fails: str = "", **more: object) -> Stages:
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


def test_a_breach_in_a_file_is_told_kept_and_ends_with_1(tmp_path: Path) -> None:
    site = site_of(tmp_path, str(write_video(tmp_path / "a.mp4", 1.2)))
    with watching(site, scripted({"midi-1": [900_000]})) as run:
        run.listen(lambda heard: any(topic == "alert/midi-1/" for topic, _ in heard))
        (sent,) = [body for topic, body in run.heard if topic == "alert/midi-1/"]
        run.listen(lambda _: run.ended is not None)
    assert run.ended is not None
    assert run.ended.exit_code == 1
    assert (sent["seq"], sent["alert"]["state"], sent["alert"]["count"]) == (1, "open", 1)
    assert [e["alert"]["state"] for e in alerts_on_disk(site)] == ["open", "closed"]
    assert alerts_on_disk(site)[0] == sent
    (folder,) = (site.out / "midi-1" / "runs").iterdir()
    assert json.loads((folder / "findings.jsonl").read_text())["verdict"] == "violation"
    assert json.loads((folder / "events.jsonl").read_text())["kind"] == "card.burn"
    assert json.loads((folder / "run.json").read_text())["exit_code"] == 1
    latency = run.ended.health["midi-1"]["latency"]
    assert latency["alerts"] == 1
    assert 0 <= latency["p99_ms"] < 1000
    assert any("99 % within" in line for line in last_words(run.ended))


def test_without_a_breach_it_ends_with_0_and_rings_nobody(tmp_path: Path) -> None:
    site = site_of(tmp_path, str(write_video(tmp_path / "a.mp4", 0.5)))
    ended, _ = watched(site, scripted({"midi-1": [100_000]}, verdict="compliant"))
    assert ended.exit_code == 0
    assert alerts_on_disk(site) == []
    assert len(list(site.out.glob("midi-1/runs/*/findings.jsonl"))) == 1


def test_pending_findings_do_not_ring(tmp_path: Path) -> None:
    site = site_of(tmp_path, str(write_video(tmp_path / "a.mp4", 0.5)))
    ended, _ = watched(site, scripted({"midi-1": [100_000]}, state="pending"))
    assert ended.exit_code == 0
    assert alerts_on_disk(site) == []


def test_a_withdrawn_violation_is_taken_back_on_the_wire_and_in_the_exit_code(tmp_path: Path) -> None:
    site = site_of(tmp_path, str(write_video(tmp_path / "a.mp4", 0.8)))
    events = [burn("midi-1", 0, 100_000), burn("midi-1", 1, 400_000)]
    breach = finding(table="midi-1", t_us=100_000, events=["midi-1-000000"])
    back = breach | {"state": "withdrawn", "events": ["midi-1-000001"]}
    stages = Stages(lambda _: ScriptedEyes(events), lambda *_: ScriptedJudge([breach, back]), Path("nowhere"))
    ended, said = watched(site, stages)
    assert ended.exit_code == 0
    one, two = (envelope["alert"] for envelope in alerts_on_disk(site))
    assert (one["state"], two["state"], two["supersedes"]) == ("open", "withdrawn", one["id"])
    assert any("withdrawn" in line for line in said)


def test_a_second_run_goes_on_with_seq_and_rings_only_what_is_new(tmp_path: Path) -> None:
    film = str(write_video(tmp_path / "a.mp4", 0.5))
    site = site_of(tmp_path, film)
    stages = scripted({"midi-1": [100_000, 300_000]})
    assert watched(site, stages)[0].exit_code == 1
    seqs = [envelope["seq"] for envelope in alerts_on_disk(site)]
    again, _ = watched(site, stages)
    assert again.exit_code == 1
    assert [envelope["seq"] for envelope in alerts_on_disk(site)] == seqs == [1, 2]
    assert again.health["midi-1"]["known_before"] == 2
    write_video(tmp_path / "a.mp4", 0.6)  # another recording in its place
    watched(site, stages)
    envelopes = alerts_on_disk(site)
    assert [envelope["seq"] for envelope in envelopes] == [1, 2, 3, 4]
    assert len({envelope["stream"] for envelope in envelopes}) == 1


def test_the_dealer_named_by_a_signal_keeps_episodes_apart(tmp_path: Path) -> None:
    site = site_of(tmp_path, str(write_video(tmp_path / "a.mp4", 0.8)))
    path = tmp_path / "s.jsonl"
    write_lines(path, [{"t_us": t_us, "name": "dealer", "value": v} for t_us, v in ((0, "7"), (400_000, "8"))])
    (place,) = site.tables
    place = type(place)(place.path, place.table, place.source, path)
    site = Site(site.path, site.name, site.out, site.bus, (place,))
    watched(site, scripted({"midi-1": [100_000, 200_000, 500_000]}))
    told = [(e["alert"]["dealer"], e["alert"]["state"], e["alert"]["count"]) for e in alerts_on_disk(site)]
    assert told == [("7", "open", 1), ("7", "closed", 2), ("8", "open", 1), ("8", "closed", 1)]


def test_a_file_that_cannot_be_read_is_3_and_the_others_go_on(tmp_path: Path) -> None:
    site = site_of(tmp_path, str(tmp_path / "nothing.mp4"), str(write_video(tmp_path / "a.mp4", 0.5)))
    ended, _ = watched(site, scripted({"midi-2": [100_000]}))
    assert ended.exit_code == 3
    assert "no such file" in ended.incomplete["midi-1"]
    assert len(alerts_on_disk(site, "midi-2")) == 2


def test_one_tables_failure_stays_its_own(tmp_path: Path) -> None:
    film = str(write_video(tmp_path / "a.mp4", 0.5))
    site = site_of(tmp_path, film, film)
    ended, said = watched(site, scripted({"midi-2": [100_000]}, fails="midi-1"))
    assert ended.exit_code == 3
    assert ended.health["midi-1"]["state"] == "failed"
    assert any("the network is broken" in line for line in said)
    assert len(alerts_on_disk(site, "midi-2")) == 2


def test_a_stalled_camera_is_told_and_the_other_table_is_not_held_up(tmp_path: Path) -> None:
    site = site_of(tmp_path, LIVE, str(write_video(tmp_path / "a.mp4", 1.5)), stall_s=0.5)

    def opens(path: str, **more: Any) -> Any:
        return silent(path, **more) if path == LIVE else open_source(path, **more)

    silent = FakeCamera(live(5, then_s=1.0))
    with watching(site, scripted({"midi-2": [1_000_000]}), opens) as run:
        run.listen(lambda _: "stalled" in run.states("midi-1") and any(t == "alert/midi-2/" for t, _ in run.heard))
    (fault,) = {b["status"]["fault"] for _, b in run.heard if b.get("status", {}).get("state") == "stalled"}
    assert "no picture for" in fault
    assert "stalled" not in run.states("midi-2")


def test_another_size_pauses_the_rules_until_the_old_one_is_back(tmp_path: Path) -> None:
    site = site_of(tmp_path, LIVE)
    opens = FakeCamera(live(10), live(30, size=(640, 480)), live(500))
    with watching(site, scripted({"midi-1": []}), opens) as run:
        run.listen(lambda _: "recalibrate" in run.states("midi-1"))
        run.listen(lambda _: run.states("midi-1")[-1] == "watching" and len(opens.opened) == 3)
    assert any("recalibrate table midi-1" in line for line in run.said)


def test_a_frozen_camera_is_told_and_not_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitwatch.health.FROZEN_S", 0.5)
    monkeypatch.setattr("pitwatch.health.COMPARE_EVERY_S", 0.1)
    eyes = ScriptedEyes([])
    stages = Stages(lambda _: eyes, lambda *_: ScriptedJudge([]), Path("nowhere"))
    with watching(site_of(tmp_path, LIVE), stages, FakeCamera(live(500, still=True))) as run:
        run.listen(lambda _: "frozen" in run.states("midi-1"))
        looked = len(eyes.frames_us)
        time.sleep(0.2)
        assert len(eyes.frames_us) == looked


def test_slow_eyes_skip_pictures_and_stay_near_the_present(tmp_path: Path) -> None:
    site = site_of(tmp_path, LIVE)
    breaches = {"midi-1": [600_000, 1_000_000]}
    with watching(site, scripted(breaches, look_s=0.2), FakeCamera(live(500))) as run:
        run.listen(lambda heard: any(topic == "alert/midi-1/" for topic, _ in heard))
        run.listen(lambda _: "slow" in run.states("midi-1"))
    assert run.ended is not None
    health = run.ended.health["midi-1"]
    assert health["skipped"] > 20
    assert health["latency"]["p99_ms"] < 1000


def test_a_full_disk_is_told_aloud_and_alerts_follow_when_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = site_of(tmp_path, LIVE)
    full = threading.Event()
    full.set()
    real = TableWatch._put

    def put(table: TableWatch, alert: dict[str, Any]) -> None:
        if full.is_set():
            raise OSError(28, "No space left on device")
        real(table, alert)

    monkeypatch.setattr(TableWatch, "_put", put)
    with watching(site, scripted({"midi-1": [100_000]}), FakeCamera(live(500))) as run:
        run.listen(lambda _: "store" in run.states("midi-1"))
        assert not any(topic.startswith("alert/") for topic, _ in run.heard)
        full.clear()
        run.listen(lambda heard: any(topic == "alert/midi-1/" for topic, _ in heard))
    assert any("No space left on device" in line for line in run.said)


def test_a_stopped_watch_keeps_episodes_open_for_the_next(tmp_path: Path) -> None:
    site = site_of(tmp_path, LIVE)
    with watching(site, scripted({"midi-1": [100_000]}), FakeCamera(live(500))) as run:
        run.listen(lambda heard: any(topic == "alert/midi-1/" for topic, _ in heard))
    with watching(site, scripted({"midi-1": [100_000]}), FakeCamera(live(500))) as again:
        again.listen(lambda _: again.states("midi-1").count("watching") > 1)
    assert again.ended is not None
    told = [(e["alert"]["state"], e["alert"]["count"]) for e in alerts_on_disk(site)]
    assert told == [("open", 1), ("open", 2)]


PROGRAM = """
import sys
from pathlib import Path
import pitwatch.commands.watch as command
from pitwatch.cli import main
from tests.pitwatch.fakes import stages
command.real_stages = lambda models: stages()
sys.exit(main(["watch", sys.argv[1]]))
"""


def test_sigterm_ends_it_within_3_seconds_though_its_camera_is_silent(tmp_path: Path) -> None:
    site_of(tmp_path)
    with socket.socket() as silent:  # accepts, and says nothing
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        (tmp_path / "t.toml").write_text(
            (Path(__file__).parent / "fakes.py").read_text(encoding="utf-8").split('TABLE = """')[1].split('"""')[0]
        )
        (tmp_path / "site.toml").write_text(
            '[site]\nout = "store"\n[bus]\npub = "tcp://127.0.0.1:*"\nrouter = "tcp://127.0.0.1:*"\n'
            f'[[tables]]\nfile = "t.toml"\nstall_s = 1.0\nsource = "rtsp://127.0.0.1:{silent.getsockname()[1]}/a"\n'
        )
        command = [sys.executable, "-c", PROGRAM, str(tmp_path / "site.toml")]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
            assert program.stdout is not None
            while "stalled" not in (line := program.stdout.readline()):
                assert line, "it ended by itself"
            begun_s = time.monotonic()
            program.send_signal(signal.SIGTERM)
            rest, _ = program.communicate(timeout=10)
    assert time.monotonic() - begun_s < 3.0
    assert program.returncode == 0
    assert "midi-3: 0 pictures" in rest


def test_a_tables_name_becomes_a_folder() -> None:
    assert [folder_name(name) for name in ("midi-3", "Table 12", "..", "a/b", "é")] == [
        "midi-3",
        "Table 12",
        "%2E%2E",
        "a%2Fb",
        "%C3%A9",
    ]
