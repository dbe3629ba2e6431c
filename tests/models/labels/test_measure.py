"""Old against new, and when the new model is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.labels.measure import ClassFigures, Comparison, Finds, Told, compare, look, objections
from models.labels.prepare import Seen
from models.labels.shapes import straight_box, turned_box
from vision.detections import CLASSES, Detections
from vision.frame import Image

CARD, HAND, DIE = (CLASSES.index(name) for name in ("card_face", "hand", "die"))
FIGURES = Comparison(
    9, (ClassFigures("card_face", 40, 0.9, 0.92),), 0.9, 0.92, -0.01, 0.05, Told(36, 1), Told(37, 1), 30, 30
)


class Says:
    """Eyes that find the same everywhere."""

    def __init__(self, *finds: tuple[np.ndarray, int, float]) -> None:
        self.found = Detections(
            np.array([quad for quad, _, _ in finds], np.float32).reshape(-1, 4, 2),
            np.array([cls for _, cls, _ in finds], np.intp),
            np.array([score for _, _, score in finds], np.float32),
        )

    def detect(self, image: Image) -> Detections:
        assert image.shape == (100, 200, 3)
        return self.found


def view(folder: Path, *things: tuple[np.ndarray, int, bool], passed: np.ndarray | None = None) -> Seen:
    path = folder / "view.jpg"
    cv2.imwrite(str(path), np.zeros((100, 200, 3), np.uint8))
    return Seen(
        path,
        ("card_face", "hand"),
        np.array([quad for quad, _, _ in things], np.float32).reshape(-1, 4, 2),
        np.array([cls for _, cls, _ in things], np.int64),
        np.array([hull for _, _, hull in things], bool),
        np.zeros((0, 4, 2), np.float32) if passed is None else passed.astype(np.float32)[None],
    )


def figures_of(folder: Path, seen: Seen, old: Says, new: Says) -> Comparison:
    return compare(look(old, [seen]), look(new, [seen]))


def test_a_model_that_finds_half_has_half_the_average_precision(tmp_path: Path) -> None:
    first, second = turned_box((40, 40), (44, 32), 10), turned_box((120, 60), (44, 32), 80)
    seen = view(tmp_path, (first, CARD, False), (second, CARD, False))
    both = Says((first, CARD, 0.9), (second, CARD, 0.8))
    figures = figures_of(tmp_path, seen, Says((first, CARD, 0.9)), both)
    assert figures.classes == (ClassFigures("card_face", 2, 0.5, 1.0),)
    assert (figures.old, figures.new) == (0.5, 1.0)
    assert figures.told_old == Told(1, 0)
    assert figures.told_new == Told(2, 0)


def test_a_find_in_the_wrong_direction_is_right_only_where_no_more_than_a_hull_is_known(tmp_path: Path) -> None:
    label, find = straight_box(20, 20, 80, 40), turned_box((50, 30), (57, 12), 9)
    with_hull = figures_of(tmp_path, view(tmp_path, (label, CARD, True)), Says(), Says((find, CARD, 0.9)))
    without = figures_of(
        tmp_path, view(tmp_path, (turned_box((50, 30), (57, 30), -40), CARD, False)), Says(), Says((find, CARD, 0.9))
    )
    assert with_hull.new == 1.0
    assert without.new == 0.0


def test_what_is_passed_over_may_be_found_or_not(tmp_path: Path) -> None:
    card, guess = turned_box((40, 40), (44, 32), 10), turned_box((120, 60), (44, 32), 80)
    seen = view(tmp_path, (card, CARD, False), passed=guess)
    figures = figures_of(tmp_path, seen, Says((card, CARD, 0.5)), Says((guess, CARD, 0.9), (card, CARD, 0.5)))
    assert figures.old == figures.new == 1.0
    assert figures.told_new == Told(1, 0)


def test_a_false_find_that_scores_higher_costs_precision(tmp_path: Path) -> None:
    card, felt = turned_box((40, 40), (44, 32), 10), turned_box((120, 60), (44, 32), 80)
    seen = view(tmp_path, (card, CARD, False))
    figures = figures_of(tmp_path, seen, Says((card, CARD, 0.9)), Says((felt, CARD, 0.9), (card, CARD, 0.5)))
    assert (figures.old, figures.new) == (1.0, 0.5)
    assert figures.told_new == Told(1, 1)
    assert objections(replace(figures, classes=(ClassFigures("card_face", 25, 1.0, 0.5),)))


def test_what_the_old_model_knew_of_other_classes_is_looked_for_in_the_new_one(tmp_path: Path) -> None:
    card, die = turned_box((40, 40), (44, 32), 10), turned_box((120, 60), (12, 12), 20)
    seen = view(tmp_path, (card, CARD, False))
    forgets = figures_of(tmp_path, seen, Says((die, DIE, 0.8)), Says((card, CARD, 0.9)))
    keeps = figures_of(tmp_path, seen, Says((die, DIE, 0.8)), Says((die, DIE, 0.3)))
    assert (forgets.others, forgets.kept) == (1, 0)
    assert (keeps.others, keeps.kept) == (1, 1)


def test_the_interval_of_the_difference_narrows_on_models_that_agree() -> None:
    def finds(right: bool) -> Finds:
        return Finds({"card_face": (np.array([0.9], np.float32), np.array([right]), 1)}, Detections.none())

    rng = np.random.default_rng(3)
    old = [finds(bool(rng.random() < 0.7)) for _ in range(60)]
    same = compare(old, old)
    better = compare(old, [finds(True) for _ in old])
    assert (same.low, same.high) == (0.0, 0.0)
    assert 0 < better.low < better.new - better.old < better.high


def test_a_better_or_equal_model_is_promoted() -> None:
    assert objections(FIGURES) == ()
    assert objections(replace(FIGURES, new=0.9)) == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"new": 0.8999}, "below the old model's 0.9000"),
        ({"classes": (ClassFigures("hand", 25, 0.9, 0.84), *FIGURES.classes)}, "hand fell from 0.9000 to 0.8400"),
        ({"kept": 26}, "keeps only 26"),
        ({"classes": (ClassFigures("hand", 19, 0.5, 0.9),)}, "only 19 things were held back"),
    ],
)
def test_a_worse_model_is_refused_with_the_reason(change: dict[str, object], said: str) -> None:
    (reason,) = objections(replace(FIGURES, **change))  # type: ignore[arg-type] # fields of the dataclass
    assert said in reason


def test_a_class_of_few_things_may_fall_by_chance() -> None:
    few = (ClassFigures("hand", 5, 0.9, 0.7), *FIGURES.classes)
    assert objections(replace(FIGURES, classes=few)) == ()
