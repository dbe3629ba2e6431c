"""The figures on held-out renders: what is read, what is counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest

from faults import InputFault
from models.evaluate_table import false_cards, labelled, measure
from vision.detect import Detector
from vision.detections import CLASSES, Detections

CARD = [[10, 10], [50, 10], [50, 40], [10, 40]]
HAND = [[60, 10], [90, 10], [90, 60], [60, 60]]


class Always:
    """A detector that sees one card and one hand in the wrong place, whatever it is shown."""

    def detect(self, image: np.ndarray) -> Detections:
        quads = np.array([CARD, CARD], np.float32)
        cls = np.array([CLASSES.index("card_back"), CLASSES.index("hand")], np.intp)
        return Detections(quads, cls, np.array([0.9, 0.8], np.float32))


@pytest.fixture
def frames(tmp_path: Path) -> Path:
    cv2.imwrite(str(tmp_path / "one.jpg"), np.zeros((64, 96, 3), np.uint8))
    things = [{"cls": "card_back", "quad": CARD}, {"cls": "hand", "quad": HAND}]
    (tmp_path / "studio_eval.jsonl").write_text(json.dumps({"image": "one.jpg", "things": things}) + "\n")
    return tmp_path


def test_each_class_is_measured_alone(frames: Path) -> None:
    figures = measure(cast(Detector, Always()), frames, "studio_eval")
    assert figures == {"card_back": (1, 1.0), "hand": (1, 0.0)}


def test_a_missing_picture_is_one_clear_fault(frames: Path) -> None:
    (frames / "one.jpg").unlink()
    with pytest.raises(InputFault, match=r"one\.jpg"):
        list(labelled(frames, "studio_eval"))


def test_missing_frames_say_how_to_make_them(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match=r"models\.train frames"):
        list(labelled(tmp_path, "change_eval"))


def test_small_things_are_passed_over(frames: Path) -> None:
    figures = measure(cast(Detector, Always()), frames, "studio_eval", least_px=35.0)
    assert figures == {}
    assert measure(cast(Detector, Always()), frames, "studio_eval", least_px=30.0)["card_back"] == (1, 1.0)


def test_cards_found_where_there_are_none_are_counted(tmp_path: Path) -> None:
    for name in ("one", "two"):
        cv2.imwrite(str(tmp_path / f"{name}.jpg"), np.zeros((64, 96, 3), np.uint8))
    rows = [{"image": f"{name}.jpg", "things": []} for name in ("one", "two")]
    (tmp_path / "still_negative.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert false_cards(cast(Detector, Always()), tmp_path) == (2, {"card_face": 0, "card_back": 2}, 2)
