"""The figures of dice: what is counted, on a photograph made up of drawn dice."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest

from faults import InputFault
from models.evaluate_dice import Throw, counted, of_boxes, of_finds, throws
from vision.detect import Detector
from vision.detections import CLASSES, Detections
from vision.pips import PIPS, PipReader, PipReading

BOXES = np.array([[20.0, 20, 60, 60], [100, 20, 140, 60]])


def reading(pips: str, sure: float) -> PipReading:
    shares = np.full(len(PIPS), (1 - sure) / (len(PIPS) - 1))
    shares[PIPS.index(pips)] = sure
    return PipReading(shares, 0.8)


class Says:
    """A reader of pips that says the same of every die."""

    def read(self, crops: list[np.ndarray]) -> list[PipReading]:
        return [reading("3", 0.9) for _ in crops]


class Finds:
    """A detector that finds the first die and one where there is none."""

    def detect(self, image: np.ndarray) -> Detections:
        scale = image.shape[1] / 320
        quads = np.array([[[22, 20], [60, 20], [60, 60], [22, 60]], [[200, 90], [240, 90], [240, 130], [200, 130]]])
        cls = np.full(2, CLASSES.index("die"), np.intp)
        return Detections((quads * scale).astype(np.float32), cls, np.array([0.9, 0.8], np.float32))


@pytest.fixture
def throw() -> Throw:
    return Throw(np.full((160, 320, 3), 120, np.uint8), BOXES, np.array([3, 5]))


def test_likeliest_answers_and_wrong_ones_are_counted_apart() -> None:
    read = counted([reading("3", 0.9), reading("4", 0.9), reading("5", 0.5)], [3, 5, 5])
    assert (read.dice, read.likeliest, read.answers, read.wrong) == (3, 2, 2, 1)
    assert "wrong 1 (50.00% of answers)" in read.line


def test_pips_of_labelled_boxes_and_of_found_ones(throw: Throw) -> None:
    says = cast(PipReader, Says())
    assert of_boxes(says, [throw], 0.5).likeliest == 1
    read, found, elsewhere = of_finds(says, cast(Detector, Finds()), [throw])
    assert (read.dice, read.likeliest, found, elsewhere) == (1, 1, 1, 1)


def test_only_the_test_split_is_read_and_a_missing_photograph_is_one_clear_fault(tmp_path: Path) -> None:
    folder = tmp_path / "real_train" / "dice"
    (folder / "images").mkdir(parents=True)
    things = [{"cls": "die", "pips": 2, "box": [1, 2, 30, 31]}]
    rows = [{"image": f"{split}.png", "split": split, "objects": things} for split in ("train", "test")]
    (folder / "labels.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(InputFault, match=r"test\.png"):
        throws(tmp_path)
    cv2.imwrite(str(folder / "images" / "test.png"), np.zeros((40, 40, 3), np.uint8))
    (one,) = throws(tmp_path)
    assert one.pips.tolist() == [2]
    assert one.boxes.shape == (1, 4)
