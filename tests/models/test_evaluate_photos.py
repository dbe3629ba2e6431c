"""The figure on real photographs: its arithmetic, and the shipped model on four of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from faults import InputFault
from models.evaluate_photos import (
    Photograph,
    average_precision,
    fixture,
    held_out,
    hull_overlap,
    match,
    measure,
    quad_overlap,
)
from vision.detect import Detector
from vision.detections import Detections

PHOTOGRAPHS = Path(__file__).parent / "photographs"
MODEL = Path(__file__).parents[2] / "models" / "detector.onnx"
SQUARE = np.array([[0, 0], [10, 0], [10, 10], [0, 10]], np.float32)


def test_the_model_finds_real_cards() -> None:
    figure = measure("photographs", Detector(MODEL, least_score=0.02), fixture(PHOTOGRAPHS), quad_overlap)
    assert figure.cards > 40
    assert figure.ap50 >= 0.98


def test_precision_is_one_when_all_is_found_and_nothing_else() -> None:
    assert average_precision(np.array([0.9, 0.8]), np.array([True, True]), 2) == 1.0


def test_what_is_missed_costs_recall() -> None:
    assert average_precision(np.array([0.9]), np.array([True]), 2) == 0.5


def test_a_false_find_costs_only_what_comes_after_it() -> None:
    assert average_precision(np.array([0.9, 0.8]), np.array([True, False]), 1) == 1.0
    assert average_precision(np.array([0.9, 0.8]), np.array([False, True]), 1) == 0.5


def test_overlap_of_a_turned_square_by_hull_and_by_quad() -> None:
    turned = np.array([[5, -2.0711], [12.0711, 5], [5, 12.0711], [-2.0711, 5]], np.float32)
    assert quad_overlap(SQUARE, turned) == pytest.approx(0.7071, abs=0.01)
    assert hull_overlap(SQUARE, turned) == pytest.approx(0.5, abs=0.01)
    assert hull_overlap(SQUARE, SQUARE + 20) == 0.0


def test_a_card_is_found_once_and_ignored_ones_do_not_count() -> None:
    photograph = Photograph(Path("none.jpg"), SQUARE[None], SQUARE[None] + 50)
    quads = np.stack([SQUARE, SQUARE + 0.5, SQUARE + 50])
    found = Detections(quads, np.zeros(3, np.intp), np.array([0.9, 0.8, 0.7], np.float32))
    finds = list(match(found, photograph, quad_overlap))
    assert [ok for _, ok in finds] == [True, False]


def test_a_folder_without_labels_is_one_clear_fault(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match=r"labels\.jsonl.*--data"):
        held_out(tmp_path)
