"""The reader's figure on real photographs: its arithmetic, and the shipped model on four of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from models.evaluate_reader import cut_out, measure
from vision.read import RANKS, CardReader, Reading

PHOTOGRAPHS = Path(__file__).parent / "photographs"
MODEL = Path(__file__).parents[2] / "models" / "reader.onnx"


def reading(rank: str, sure: float) -> Reading:
    ranks = np.full(len(RANKS), (1 - sure) / (len(RANKS) - 1))
    ranks[RANKS.index(rank)] = sure
    return Reading(ranks, np.full(4, 0.25), np.array([1.0, 0.0, 0.0]), 0.0, 0.9)


def test_answers_ranks_and_values_are_counted_apart() -> None:
    figure = measure([reading("K", 0.95), reading("Q", 0.95), reading("5", 0.5)], ["K", "J", "5"])
    assert (figure.right, figure.answers, figure.answers_right, figure.values_right) == (2, 2, 1, 2)


def test_the_model_sees_real_faces_and_its_answers_hold() -> None:
    crops, ranks = cut_out(PHOTOGRAPHS, 1.0)
    figure = measure(CardReader(MODEL).read(crops), ranks)
    assert figure.faces == figure.cards
    assert figure.values_right >= 0.98 * figure.answers
    assert figure.answers >= 0.4 * figure.cards
