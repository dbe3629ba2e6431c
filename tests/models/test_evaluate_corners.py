"""The figure of refined corners: its arithmetic, and the shipped models on four real photographs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from models.evaluate_corners import Seen, figure, read, rightness, see
from models.evaluate_photos import Photograph
from vision.corners import refined
from vision.detect import Detector
from vision.detections import Detections
from vision.read import CardReader

PHOTOGRAPHS = Path(__file__).parent / "photographs"
MODELS = Path(__file__).parents[2] / "models"
SQUARE = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float32)


Quad = NDArray[np.float32]


def seen_with(quads: list[Quad], cards: list[Quad], ignored: list[Quad]) -> Seen:
    """A photograph with finds of falling score."""
    scores = np.linspace(0.9, 0.5, len(quads)).astype(np.float32)
    found = Detections(np.array(quads, np.float32).reshape(-1, 4, 2), np.zeros(len(quads), np.intp), scores)
    true, passed = (np.array(part, np.float32).reshape(-1, 4, 2) for part in (cards, ignored))
    picture = np.zeros((9, 9, 3), np.uint8)
    return Seen(Photograph(Path("none.jpg"), true, passed), picture, found, ["A"] * len(cards))


def test_corners_of_real_cards_are_refined() -> None:
    photographs = see(PHOTOGRAPHS, Detector(MODELS / "detector.onnx", least_score=0.02))
    boxes = [seen.found.quads for seen in photographs]
    corners = [
        np.array([refined(seen.image, quad.astype(np.float64)).quad for quad in seen.found.quads], np.float32)
        for seen in photographs
    ]

    before, after = figure("boxes", photographs, boxes), figure("refined", photographs, corners)
    assert before.ap50_95 < 0.85
    assert after.ap50_95 >= 0.95
    assert after.median >= 0.97

    reader = CardReader(MODELS / "reader.onnx")
    first, second = read(reader, photographs, boxes), read(reader, photographs, corners)
    assert first.cards == second.cards > 40
    assert second.right >= first.right
    assert second.answers_right == second.answers >= first.answers


def test_overlaps_over_one_half_count_in_the_mean() -> None:
    seen = seen_with([SQUARE + np.array([1, 0], np.float32)], [SQUARE], [])

    found = figure("shifted", [seen], [seen.found.quads])

    # nine tenths in common: an overlap of 0.818, right at 0.50 to 0.80 and wrong at 0.85 to 0.95
    assert found.ap50 == 1.0
    assert found.ap50_95 == pytest.approx(0.7)
    assert found.median == pytest.approx(0.818, abs=0.001)
    assert found.exact == 0.0


def test_a_card_is_found_once_and_what_is_to_be_passed_over_does_not_count() -> None:
    seen = seen_with([SQUARE, SQUARE + 0.5, SQUARE + 50], [SQUARE], [SQUARE + 50])

    assert [ok for _, ok in rightness(seen, seen.found.quads, 0.5)] == [True, False]


def test_nothing_found_is_no_figure() -> None:
    seen = seen_with([], [SQUARE], [])

    found = figure("none", [seen], [np.zeros((0, 4, 2), np.float32)])

    assert (found.ap50, found.ap50_95, found.median, found.exact) == (0.0, 0.0, 0.0, 0.0)
