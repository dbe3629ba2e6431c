"""The figures on the second renderer's frames: what counts, what is passed over."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from faults import InputFault
from models.evaluate_second import Labelled, countable, frames, in_view, main, measure
from vision.detect import Detector
from vision.detections import CLASSES, Detections
from vision.frame import Image

SAMPLE = Path("sample_videos/second/sample/frames")


@pytest.fixture(scope="module")
def sample() -> list[Labelled]:
    return list(frames(SAMPLE))


def found(*things: tuple[str, np.ndarray]) -> Detections:
    quads = np.array([quad for _, quad in things], np.float32).reshape(-1, 4, 2)
    cls = np.array([CLASSES.index(name) for name, _ in things], np.intp)
    return Detections(quads, cls, np.full(len(things), 0.9, np.float32))


class Knowing:
    """A detector that is told what is there, frame by frame, and says it moved by `shift` pixels."""

    def __init__(self, told: list[Labelled], shift: float = 0.0) -> None:
        self._told, self._shift = iter(told), shift

    def detect(self, image: Image) -> Detections:
        things = in_view(next(self._told))
        return found(*[(name, quad + self._shift) for name, parts in things.items() for part in parts for quad in part])


def test_who_finds_everything_has_full_marks(sample: list[Labelled]) -> None:
    figures = measure(cast(Detector, Knowing(sample)), SAMPLE)
    assert {name for name, f in figures.items() if f.things} >= {"card_face", "card_back", "shoe", "hand", "stack"}
    assert all(f.ap50 == pytest.approx(1.0) and f.false == 0 for f in figures.values() if f.things)


def test_who_finds_everything_in_the_wrong_place_has_none(sample: list[Labelled]) -> None:
    figures = measure(cast(Detector, Knowing(sample, 400.0)), SAMPLE)
    assert all(f.ap50 == 0.0 for f in figures.values())


def test_small_and_hidden_things_are_passed_over(sample: list[Labelled]) -> None:
    for frame in sample:
        things = in_view(frame)
        for quad in (quad for counted, _ in things.values() for quad in counted):
            assert min(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)) >= 12
        dice = [thing for thing in frame.objects if thing["cls"] == "die"]
        assert len(things["die"][0]) + len(things["die"][1]) == len(dice)


def test_rows_of_chips_in_the_tray_do_not_count(sample: list[Labelled]) -> None:
    frame = next(frame for frame in sample if "tray" in frame.table.layout.zones_mm)
    low = np.array(frame.table.layout.zones_mm["tray"]).min(axis=0)
    high = np.array(frame.table.layout.zones_mm["tray"]).max(axis=0)
    for quad in in_view(frame)["chips"][0]:
        middle = frame.view.to_mm(quad.mean(axis=0))
        assert not ((middle > low) & (middle < high)).all()


def test_a_back_in_the_shoe_s_window_is_passed_over_and_one_beside_it_is_not(sample: list[Labelled]) -> None:
    frame = next(frame for frame in sample if len(in_view(frame)["shoe"][0]))
    things = in_view(frame)
    shoe = things["shoe"][0][0]
    small = shoe.mean(axis=0) + np.array([[-9, -12], [9, -12], [9, 12], [-9, 12]], np.float32)
    far = small + np.array([0.0, 3000.0], np.float32)
    assert len(countable(found(("card_back", small)), "card_back", things)) == 0
    assert len(countable(found(("card_back", far)), "card_back", things)) == 1
    assert len(countable(found(("card_face", small)), "card_face", things)) == 1


@pytest.fixture
def damaged(tmp_path: Path) -> Callable[[str], Path]:
    def without(name: str) -> Path:
        shutil.copytree(SAMPLE, tmp_path / "frames")
        (tmp_path / "frames" / name).unlink()
        return tmp_path / "frames"

    return without


def test_a_missing_picture_is_one_clear_fault(damaged: Callable[[str], Path]) -> None:
    with pytest.raises(InputFault, match=r"00003\.jpg.*missing or damaged"):
        list(frames(damaged("00003.jpg")))


def test_missing_frames_say_how_to_make_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--frames", str(tmp_path)]) == 3
    assert "sample_videos.second frames" in capsys.readouterr().err
