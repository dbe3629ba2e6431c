"""The last minutes of a camera: kept in pieces, at their exact times, and no longer than needed."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from pitwatch.cut import pictures_at
from pitwatch.ring import PIECE_US, Ring
from tests.pitwatch.cameras import picture


def filled(folder: Path, seconds: int, keep_us: int, *, size: tuple[int, int] = (320, 240)) -> Ring:
    ring = Ring(folder / "ring", keep_us)
    for number in range(seconds * 10):
        while ring._waiting.full():
            time.sleep(0.001)
        ring.put(picture(7_000_000 + number * 100_000, 2 * number, size))
    ring.end()
    return ring


def test_pictures_come_back_at_their_times(tmp_path: Path) -> None:
    ring = filled(tmp_path, 12, 60_000_000)
    assert ring.dropped == 0
    wanted_us = [7_000_000, 11_900_000, 12_000_000, 18_500_000]
    shown = {t_us: float(np.mean(image)) for t_us, image in pictures_at(ring.recordings, wanted_us)}
    assert list(shown) == wanted_us
    for t_us, grey in shown.items():
        assert abs(grey - (t_us - 7_000_000) / 50_000) < 5


def test_what_is_older_than_needed_is_deleted(tmp_path: Path) -> None:
    ring = filled(tmp_path, 26, 2 * PIECE_US)
    files = sorted((tmp_path / "ring").iterdir())
    assert [Path(recording.path) for recording in ring.recordings] == files
    assert len(files) == 3
    assert ring.kept_until_us == 7_000_000 + 25_900_000
    ring.remove()
    assert not (tmp_path / "ring").exists()


def test_pictures_that_follow_closely_are_thinned_out(tmp_path: Path) -> None:
    ring = Ring(tmp_path / "ring")
    for number in range(6):
        ring.put(picture(number * 33_333, number))
        time.sleep(0.01)
    ring.end()
    (piece,) = ring.recordings
    assert [t_us for t_us, _ in pictures_at([piece], [0, 66_666, 133_332])] == [0, 66_666, 133_332]
    assert piece.last_us == 133_332


def test_a_folder_that_cannot_be_written_is_told_and_holds_nobody_up(tmp_path: Path) -> None:
    (tmp_path / "ring").write_text("in the way")
    ring = Ring(tmp_path / "ring")
    ring.put(picture(0, 0))
    until_s = time.monotonic() + 5
    while ring.trouble is None:
        assert time.monotonic() < until_s
        time.sleep(0.01)
    ring.put(picture(1_000_000, 0))
    assert ring.recordings == []
