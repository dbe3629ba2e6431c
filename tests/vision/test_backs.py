"""Backs of one design and of two, drawn in patterns that nothing was fitted on."""

from __future__ import annotations

import numpy as np
import pytest

from models.back_pairs import Conditions, make_pair
from models.evaluate_backs import measure
from vision.backs import compare, look_at

BLUE, RED = (150, 60, 30), (40, 30, 160)


def plain(colour: tuple[int, int, int], light: float = 1.0, seed: int = 0) -> np.ndarray:
    """A back of one colour with fine rows, white border, green felt."""
    crop = np.full((128, 96, 3), (40, 90, 30), np.float64)
    crop[8:120, 6:90] = 235
    crop[14:114, 11:85] = colour
    crop[14:114:4, 11:85] = np.array(colour) * 0.6 + 90
    return np.clip(crop * light + np.random.default_rng(seed).normal(0, 3, crop.shape), 0, 255).astype(np.uint8)


def test_one_deck_under_other_light_is_the_same_and_another_colour_is_not() -> None:
    blue, dim, red = (look_at(plain(*args)) for args in ((BLUE, 1.0, 1), (BLUE, 0.85, 2), (RED, 1.0, 3)))
    assert compare(blue, dim).same is True
    assert compare(blue, red).same is False
    assert compare(red, blue).same is False


def test_a_back_is_like_itself_turned_by_half_a_circle() -> None:
    crop = plain(BLUE)
    assert compare(look_at(crop), look_at(np.ascontiguousarray(crop[::-1, ::-1]))).same is True


def test_what_shows_nothing_is_unsure_rather_than_different() -> None:
    rng = np.random.default_rng(4)
    dark = [np.clip(rng.normal(6, 5, (128, 96, 3)), 0, 255).astype(np.uint8) for _ in range(2)]
    assert compare(*(look_at(crop) for crop in dark)).same is not False


def test_pairs_never_fitted_on_are_told_with_few_mistakes() -> None:
    rng = np.random.default_rng(8)
    figure = measure(make_pair(rng, "eval", Conditions(short_px=(40, 100))) for _ in range(30))["together"]
    assert figure.same + figure.two == 30
    assert figure.same_answers + figure.two_answers >= 18
    assert figure.same_wrong + figure.two_wrong <= 1


def test_a_crop_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match=r"shape \(96, 128, 3\)"):
        look_at(np.zeros((96, 128, 3), np.uint8))
