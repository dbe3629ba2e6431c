"""Times, damage and turned pictures of recordings."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.films import even, is_whole, number_of, uneven, write_film
from vision.frame import Frame
from vision.source import SourceReport, open_source


def read(path: Path) -> tuple[list[tuple[int, int]], SourceReport]:
    """The time and the number of each picture."""
    with open_source(path) as source:
        return [(frame.t_us, number_of(frame.image)) for frame in source.frames()], source.report


@pytest.mark.parametrize(("name", "codec", "b_frames"), [("a.mp4", "libx264", 3), ("a.ts", "libx265", 0)])
def test_times_are_the_containers_though_the_camera_slows_down(
    tmp_path: Path, name: str, codec: str, b_frames: int
) -> None:
    times_ms = uneven()
    found, report = read(write_film(tmp_path / name, times_ms, codec=codec, b_frames=b_frames))
    assert found == [(1000 * t_ms, number) for number, t_ms in enumerate(times_ms)]
    assert report.ended_early is None


def test_an_hour_at_29_97_drifts_by_no_picture(tmp_path: Path) -> None:
    """Twelve pictures, spread over an hour, where such a camera puts them."""
    numbers = [round(hour * 30_000 / 1001 * 3600) for hour in (k / 11 for k in range(12))]
    times_ms = [round(float(number * Fraction(1001, 30_000)) * 1000) for number in numbers]
    found, _ = read(write_film(tmp_path / "a.mkv", times_ms))
    assert found[-1][0] == pytest.approx(3_600_000_000, abs=33_000)
    assert len(found) == 12


def damaged(path: Path) -> Path:
    """One byte in fifty of a tenth of the file changed, from the middle on."""
    data, chance = bytearray(path.read_bytes()), random.Random(1)
    for at in range(len(data) // 2, len(data) * 6 // 10):
        if chance.random() < 0.02:
            data[at] = chance.randrange(256)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", ["a.ts", "a.mkv", "a.mp4"])
def test_after_damage_nothing_is_shown_until_a_picture_stands_by_itself(tmp_path: Path, name: str) -> None:
    """Key pictures are two seconds apart; what the decoder makes of those between is not what was recorded."""
    path = damaged(write_film(tmp_path / name, even(500), gop=50))
    with open_source(path) as source:
        frames = list(source.frames())
        report = source.report
    missing = set(range(500)) - {frame.t_us // 40_000 for frame in frames}
    assert 40 <= len(missing) <= 200
    assert report.frames_lost > 0
    assert all(is_whole(frame.image, frame.t_us // 40_000) for frame in frames)
    assert frames[-1].t_us == 499 * 40_000


def test_a_camera_that_never_sends_a_whole_picture_is_believed_again_after_a_while(tmp_path: Path) -> None:
    path = write_film(tmp_path / "a.mkv", even(800, every_ms=200), gop=10_000)
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 400] = bytes(400)
    path.write_bytes(data)
    found, report = read(path)
    times_s = [t_us / 1e6 for t_us, _ in found]
    gap_s = max(after - before for before, after in pairwise(times_s))
    assert 60 <= gap_s <= 70
    assert found[-1][1] == 799
    assert report.frames_lost >= 200


@pytest.mark.parametrize("name", ["a.mp4", "a.mkv"])
def test_a_file_that_was_cut_off_tells_where_it_ends(tmp_path: Path, name: str) -> None:
    path = write_film(tmp_path / name, even(250))
    path.write_bytes(path.read_bytes()[: path.stat().st_size * 6 // 10])
    found, report = read(path)
    assert report.ended_early == f"file ended at {found[-1][0] / 1e6:.1f} s of 10.0 s"


def test_a_recording_whose_clock_does_not_begin_at_nought_is_whole(tmp_path: Path) -> None:
    found, report = read(write_film(tmp_path / "a.mkv", [20_000 + t_ms for t_ms in even(100)]))
    assert (found[0], found[-1]) == ((0, 0), (3_960_000, 99))
    assert report.ended_early is None


@pytest.mark.parametrize("codec", ["libx264", "libx265"])
def test_a_recording_that_begins_between_key_pictures_shows_no_grey_ones(tmp_path: Path, codec: str) -> None:
    path = write_film(tmp_path / "a.ts", even(200), codec=codec, gop=50)
    data = path.read_bytes()
    path.write_bytes(data[188 * (len(data) // 188 // 3) :])
    with open_source(path) as source:
        frames = list(source.frames())
    assert number_of(frames[0].image) % 50 == 0
    assert [number_of(frame.image) for frame in frames][-1] == 199
    assert all(is_whole(frame.image, number_of(frame.image)) for frame in frames)


@pytest.mark.parametrize("turned_deg", [90, -90, 180])
def test_a_recording_that_is_to_be_shown_turned_comes_turned(tmp_path: Path, turned_deg: int) -> None:
    """Its tag turns counter-clockwise; the number stands in the upper left of the picture as it was coded."""
    with open_source(write_film(tmp_path / "a.mp4", even(30), turned_deg=turned_deg)) as source:
        opened = source.report.width_px, source.report.height_px
        frames: list[Frame] = list(source.frames())
    assert opened == ((192, 128) if turned_deg == 180 else (128, 192))
    quarters = {90: 3, -90: 1, 180: 2}[turned_deg]  # back again, counter-clockwise
    for frame in (frames[0], frames[29]):
        assert (frame.width_px, frame.height_px) == opened
        assert frame.planes is not None
        number = frame.t_us // 40_000
        assert is_whole(np.rot90(frame.image, quarters), number)
