"""The live bench: every decided finding rings, once; the reference rings at the same moments and looks at nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pitwatch.bench_live import Pass, RingsAlways, as_1080p30, figures, live_lines
from tests.pitwatch.fakes import ScriptedJudge, event, finding, stages, write_table, write_video
from tests.pitwatch.watching import quicken
from vision.source import open_source


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quicken(monkeypatch)


def test_what_is_decided_rings_once_whatever_its_verdict() -> None:
    told = [
        finding("A", "compliant", 1_000_000, events=["midi-3-000001"]),
        finding("B", "compliant", 1_000_000, events=["midi-3-000001"], state="pending"),
        finding("A", "indeterminate", 1_000_000, events=["midi-3-000002"]),
    ]
    judge = RingsAlways(ScriptedJudge(told))
    (ringing,) = judge.step(event(1, "card.draw", 0))
    assert ringing["verdict"] == "violation"
    assert judge.step(event(2, "card.draw", 0)) == []
    assert judge.decided_us == [2_000_000]


def test_a_film_is_brought_to_1080p30_at_its_own_pace(tmp_path: Path) -> None:
    film = as_1080p30(str(write_video(tmp_path / "a.mp4", 1.0)), tmp_path / "film.mp4")
    with open_source(film) as video:
        times_us = [frame.t_us for frame in video.frames()]
    assert (video.report.width_px, video.report.height_px) == (1920, 1080)
    assert len(times_us) == pytest.approx(28, abs=1)  # the last of ten pictures a second is shown once
    assert times_us[3] == 100_000


def test_the_figures_of_the_watch_stand_beside_those_of_the_reference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pitwatch.bench_live.WIDTH_PX", 320)
    monkeypatch.setattr("pitwatch.bench_live.HEIGHT_PX", 240)
    burns = [event(n, "card.burn", 200_000 + 200_000 * n) for n in (1, 3)]
    told = [finding(t_us=e.t_us, end_us=e.t_us, events=[e.id], verdict="compliant") for e in burns]
    film = write_video(tmp_path / "a.mp4", 1.2)
    lines = list(live_lines(str(film), write_table(tmp_path), stages(burns, told), 2))
    for line, name in zip(lines[1:3], ("watching", "reference"), strict=True):
        assert line.startswith(name)
        (count, p50_ms, p99_ms) = re.findall(r"(\d+) alerts +p50 +([\d.]+) ms +p99 +([\d.]+) ms", line)[0]
        assert int(count) == 4
        assert 0 <= float(p50_ms) <= float(p99_ms) < 1000


def test_a_film_without_alerts_has_no_figures() -> None:
    assert "no alert came" in figures("watching", [Pass([], [], {"skipped": 0, "frames": 1})])
