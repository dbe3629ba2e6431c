"""Suggestions: what is found, what is marked unsure, and that they can be read back."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.evaluate_photos import quad_overlap
from models.labels.labelled import LabelSet
from models.labels.looks import ScaledLook
from models.labels.read import read_labels
from models.labels.shapes import turned_box
from models.labels.suggest import Suggestion, suggest
from models.labels.write import Suggested, write_suggestions
from tests.models.labels.making import write_pictures
from tests.models.labels.test_prepare import table_look
from vision.detections import CLASSES, Detections
from vision.frame import Image


class Says:
    """Eyes that find the same in every picture of one size, and nothing in others."""

    def __init__(self, size: tuple[int, int], *finds: tuple[np.ndarray, str, float]) -> None:
        self._size = size
        self._finds = Detections(
            np.array([quad for quad, _, _ in finds], np.float32).reshape(-1, 4, 2),
            np.array([CLASSES.index(name) for _, name, _ in finds], np.intp),
            np.array([score for _, _, score in finds], np.float32),
        )

    def detect(self, image: Image) -> Detections:
        return self._finds if image.shape[1::-1] == self._size else Detections.none()


FELT = np.zeros((100, 200, 3), np.uint8)


def test_finds_come_back_in_the_pictures_own_pixels() -> None:
    eyes = Says((100, 50), (turned_box((30, 20), (22, 16), 30), "card_face", 0.9))
    (found,) = suggest(eyes, ScaledLook(1.0), FELT)
    assert found.corners == pytest.approx(turned_box((60, 40), (44, 32), 30), abs=1e-4)
    assert (found.name, found.unsure) == ("card_face", False)


def test_a_low_score_and_a_contradiction_are_marked_and_a_hand_on_a_card_is_none() -> None:
    card, other = turned_box((60, 40), (44, 32), 30), turned_box((150, 60), (44, 32), 0)
    eyes = Says(
        (200, 100),
        (card, "card_face", 0.9),
        (card, "hand", 0.9),
        (other, "die", 0.8),
        (other, "lamp", 0.7),
        (card, "stack", 0.1),
    )
    found = {one.name: one.unsure for one in suggest(eyes, ScaledLook(2.0), FELT)}
    assert found == {"card_face": False, "hand": False, "die": True, "lamp": True}
    (weak,) = suggest(Says((200, 100), (card, "card_face", 0.5)), ScaledLook(2.0), FELT)
    assert weak.unsure


def test_what_the_near_view_shows_is_not_told_from_the_far_one_again(tmp_path: Path) -> None:
    look = table_look(tmp_path)
    picture = np.zeros((480, 640, 3), np.uint8)
    near, far = look.views(picture)
    inside = far.to_view(np.array([[200.0, 300.0]]))[0]
    eyes = Says((far.image.shape[1], far.image.shape[0]), (turned_box(inside, (20, 14), 10), "card_back", 0.9))
    assert near.image.shape != far.image.shape
    assert suggest(eyes, look, picture) == []


def written(folder: Path) -> tuple[LabelSet, LabelSet, list[Suggestion]]:
    """Suggestions on one of two pictures, read back from both forms."""
    write_pictures(folder / "shots", "deep/a.png", "b.png")
    aslant = turned_box((150, 60), (40, 30), 10)
    aslant[0] += [12, 6]
    things = [
        Suggestion("card_face", turned_box((60, 40), (44, 32), 30), 0.91, False),
        Suggestion("hand", aslant, 0.4, True),
    ]
    shots = [
        Suggested(folder / "shots" / name, name, 200, 100, tuple(found))
        for name, found in (("deep/a.png", things), ("b.png", []))
    ]
    write_suggestions(folder / "out", shots)
    return read_labels(folder / "out" / "annotations.xml"), read_labels(folder / "out" / "data.yaml"), things


def test_both_forms_are_read_back_as_they_were_meant(tmp_path: Path) -> None:
    cvat, yolo, things = written(tmp_path)
    for labels, size in ((cvat, (1, 1)), (yolo, (200, 100))):
        pictures = {picture.path.name: picture for picture in labels.pictures}
        assert pictures["b.png"].things == ()
        for found, meant in zip(pictures["a.png"].things, things, strict=True):
            assert found.name == meant.name
            corners = (found.outline * size).astype(np.float32)
            assert quad_overlap(corners, meant.corners.astype(np.float32)) > 0.9
    assert [thing.unsure for picture in cvat.pictures for thing in picture.things] == [False, True]
    assert set(cvat.names) == set(yolo.names) == set(CLASSES)


@settings(max_examples=40)
@given(
    st.tuples(st.floats(8, 80), st.floats(8, 80)), st.floats(0, 360), st.tuples(st.floats(60, 140), st.floats(40, 60))
)
def test_any_turned_box_survives_cvat(
    tmp_path_factory: pytest.TempPathFactory, size: tuple[float, float], degrees: float, middle: tuple[float, float]
) -> None:
    folder = tmp_path_factory.getbasetemp() / "any"
    write_pictures(folder, "a.png")
    corners = turned_box(middle, size, degrees)
    thing = Suggestion("card_face", corners, 0.9, False)
    write_suggestions(folder / "out", [Suggested(folder / "a.png", "a.png", 200, 100, (thing,))])
    (found,) = read_labels(folder / "out" / "annotations.xml").pictures[0].things
    assert quad_overlap(found.outline.astype(np.float32), corners.astype(np.float32)) > 0.98


def test_the_guesses_are_listed_and_cvat_gets_labels_with_the_mark(tmp_path: Path) -> None:
    written(tmp_path)
    lines = (tmp_path / "out" / "look_first.csv").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("deep/a.png,2,hand,0.40,")
    labels = json.loads((tmp_path / "out" / "cvat_labels.json").read_text(encoding="utf-8"))
    assert [label["name"] for label in labels] == list(CLASSES)
    assert labels[0]["attributes"][0]["name"] == "unsure"
    assert cv2.imread(str(tmp_path / "out" / "images" / "deep" / "a.png")) is not None
