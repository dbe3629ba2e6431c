"""Cameras: the newest picture, whatever they do."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from pitwatch.camera import Arrived, Camera
from pitwatch.health import FROZEN_S, Freeze, Latency, Pace
from tests.pitwatch.cameras import LIVE, FakeCamera, live, picture
from tests.pitwatch.fakes import write_video
from vision.frame import Frame


def taken(camera: Camera, seconds: float, look_s: float = 0.0) -> list[Arrived]:
    """What somebody sees who looks for so long at each picture."""
    found = []
    until_s = time.monotonic() + seconds
    while time.monotonic() < until_s and not camera.ended:
        arrived = camera.take(0.05)
        if arrived is not None:
            found.append(arrived)
            time.sleep(look_s)
    return found


def test_a_file_plays_at_its_own_pace_and_ends(tmp_path: Path) -> None:
    camera = Camera(str(write_video(tmp_path / "a.mp4", 1.0)), 4.0)
    begun_s = time.monotonic()
    camera.start()
    found = taken(camera, 5.0)
    assert 0.8 < time.monotonic() - begun_s < 2.0
    assert len(found) + camera.counts.skipped == camera.counts.arrived == 10
    assert camera.incomplete is None


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    camera = Camera(str(tmp_path / "nothing.mp4"), 4.0)
    camera.start()
    assert taken(camera, 2.0) == []
    assert camera.ended
    assert "no such file" in str(camera.incomplete)


def test_who_looks_slowly_sees_the_newest_and_what_is_skipped_is_counted() -> None:
    camera = Camera(LIVE, 4.0, FakeCamera(live(60, fps=60)))
    camera.start()
    found = taken(camera, 0.9, look_s=0.15)
    camera.stop()
    assert 4 <= len(found) <= 7
    assert len(found) + camera.counts.skipped >= camera.counts.arrived - 1
    waited_us = [after.frame.t_us - before.frame.t_us for before, after in pairwise(found)]
    assert min(waited_us) > 50_000  # never the next in a queue


def test_a_camera_that_comes_back_ten_times_is_opened_ten_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitwatch.camera.FIRST_PAUSE_S", 0.02)
    opens = FakeCamera(live(3, fps=500))
    camera = Camera(LIVE, 4.0, opens)
    threads = threading.active_count()
    camera.start()
    found = []
    while camera.counts.opened < 11:
        found += taken(camera, 0.02)
    camera.stop()
    assert threading.active_count() == threads
    assert all(pictures.closed for pictures in opens.opened)
    times = [arrived.frame.t_us for arrived in found]
    assert times == sorted(set(times))


def test_a_camera_that_does_not_answer_is_tried_with_growing_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitwatch.camera.FIRST_PAUSE_S", 0.05)
    opens = FakeCamera(None)
    camera = Camera(LIVE, 4.0, opens)
    camera.start()
    time.sleep(0.9)
    camera.stop()
    assert 3 <= opens.tries <= 5  # at 0, 0.05, 0.15, 0.35, 0.75 s
    assert "nobody answers" in str(camera.trouble)
    assert not camera.incomplete


def test_a_camera_whose_clock_jumps_is_opened_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitwatch.camera.FIRST_PAUSE_S", 0.02)

    def jumps(offset_us: int) -> Iterator[Frame]:
        yield picture(offset_us, 1)
        yield picture(offset_us + 3_600_000_000, 2)

    camera = Camera(LIVE, 4.0, FakeCamera(jumps, live(50)))
    camera.start()
    found = taken(camera, 0.3)
    camera.stop()
    assert camera.counts.opened == 2
    assert max(arrived.frame.t_us for arrived in found) < 1_000_000


def test_a_camera_whose_clock_is_ahead_of_ours_says_by_how_much() -> None:
    def ahead(offset_us: int) -> Iterator[Frame]:
        yield picture(offset_us, 1)
        yield picture(offset_us + 25_000_000, 2)
        threading.Event().wait(0.5)

    camera = Camera(LIVE, 4.0, FakeCamera(ahead))
    camera.start()
    taken(camera, 0.2)
    assert camera.counts.ahead_s == pytest.approx(25, abs=0.2)
    assert camera.counts.behind_s == 0
    camera.stop(1.0)


def test_a_hanging_camera_does_not_hold_up_the_end() -> None:
    camera = Camera(LIVE, 4.0, FakeCamera(live(1, then_s=0.8)))
    camera.start()
    assert taken(camera, 0.1)
    begun_s = time.monotonic()
    camera.stop()
    assert time.monotonic() - begun_s < 0.7
    assert camera.silent_s > 0.05


def test_a_frozen_picture_is_told_after_ten_seconds_and_a_living_one_never() -> None:
    frozen, living = Freeze(), Freeze()
    seconds = [number / 2 for number in range(30)]
    told = [frozen.see(Arrived(picture(0, 7), at_s)) for at_s in seconds]
    assert told == [at_s >= FROZEN_S for at_s in seconds]
    assert not any(living.see(Arrived(picture(0, number), at_s)) for number, at_s in enumerate(seconds))
    assert not frozen.see(Arrived(picture(0, 8), 20.0))


def test_latency_is_from_the_deciding_frames_arrival() -> None:
    latency = Latency()
    assert latency.figures() == {"alerts": 0, "p50_ms": None, "p99_ms": None}
    for number in range(10):
        latency.came(Arrived(picture(number * 100_000, number), 50.0 + number / 10))
    assert latency.sent(250_000, 51.0) == pytest.approx(0.7)  # the frame at 0.3 s came at 50.3 s
    assert latency.sent(2_000_000, 51.0) is None
    assert latency.figures()["p50_ms"] == pytest.approx(700, abs=1)


def test_few_looks_are_told_if_pictures_are_skipped_but_not_of_a_slow_camera() -> None:
    skipping, slow_camera, quick = Pace(), Pace(), Pace()
    for number in range(60):
        skipping.looked(number * 150_000, skipped=4 * number)
        slow_camera.looked(number * 150_000, skipped=0)
        quick.looked(number * 66_667, skipped=number)
    assert skipping.looks_s == pytest.approx(1 / 0.15, abs=0.1)
    assert (skipping.slow, slow_camera.slow, quick.slow) == (True, False, False)
