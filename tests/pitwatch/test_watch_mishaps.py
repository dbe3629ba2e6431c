"""What goes wrong in a watch is told, stays where it is, and loses nothing."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from pitwatch.alertdesk import AlertDesk
from pitwatch.stages import Stages
from tests.pitwatch.cameras import LIVE, FakeCamera, live, site_of
from tests.pitwatch.fakes import ScriptedEyes, ScriptedJudge, write_video
from tests.pitwatch.watching import alerts_on_disk, quicken, scripted, watched, watching
from vision.source import open_source


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quicken(monkeypatch)


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


def test_a_camera_that_was_pushed_is_told_until_it_hangs_right(tmp_path: Path) -> None:
    class Pushed(ScriptedEyes):
        @property
        def moved(self) -> str | None:
            return "places on the felt are off by 36 mm" if 10 < len(self.frames_us) < 60 else None

    stages = Stages(lambda _: Pushed([]), lambda *_: ScriptedJudge([]), Path("nowhere"))
    with watching(site_of(tmp_path, LIVE), stages, FakeCamera(live(500))) as run:
        run.listen(lambda _: "recalibrate" in run.states("midi-1"))
        run.listen(lambda _: run.states("midi-1")[-1] == "watching")
    assert any("its camera was moved, places on the felt are off by 36 mm" in line for line in run.said)


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
    real = AlertDesk._put

    def put(table: AlertDesk, alert: dict[str, Any]) -> None:
        if full.is_set():
            raise OSError(28, "No space left on device")
        real(table, alert)

    monkeypatch.setattr(AlertDesk, "_put", put)
    with watching(site, scripted({"midi-1": [100_000]}), FakeCamera(live(500))) as run:
        run.listen(lambda _: "store" in run.states("midi-1"))
        assert not any(topic.startswith("alert/") for topic, _ in run.heard)
        full.clear()
        run.listen(lambda heard: any(topic == "alert/midi-1/" for topic, _ in heard))
    assert any("No space left on device" in line for line in run.said)


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
