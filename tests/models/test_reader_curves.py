"""The curves of the reader: their table and their picture."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from models.evaluate_reader import Recorded
from models.reader_curves import Curve, draw

FIGURES = (Recorded(100, 99, 95, 0, 100, 97, 60, 0), Recorded(100, 80, 40, 2, 100, 70, 5, 1))
NONE = Recorded(100, 10, 0, 0, 0, 0, 0, 0)


def test_the_table_gives_shares_and_wrong_answers_of_the_answers() -> None:
    table = Curve("mm/px", (0.58, 2.65), (FIGURES[1], NONE)).table
    assert "| 0.58 | 100 | 80.0% | 40.0% | 5.00% (2) |" in table
    assert table.endswith("| 2.65 | 100 | 10.0% | 0.0% | - |\n")


def test_the_picture_shows_every_curve_and_every_confusion(tmp_path: Path) -> None:
    confusion = np.diag(np.full(13, 8))
    draw([Curve("mm/px", (0.58, 2.65), FIGURES)] * 3, confusion, tmp_path / "plain.png")
    confusion[0, 5] = 4
    draw([Curve("mm/px", (0.58, 2.65), FIGURES)] * 3, confusion, tmp_path / "confused.png")
    plain, confused = (cv2.imread(str(tmp_path / name)) for name in ("plain.png", "confused.png"))
    assert plain is not None
    assert confused is not None
    assert plain.shape == (860, 1240, 3)
    rows = np.flatnonzero((plain != confused).any(axis=(1, 2)))
    assert 15 < len(rows) <= 25
