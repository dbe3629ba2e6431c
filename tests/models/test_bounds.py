"""The least confidence that keeps wrong answers under a share."""

from __future__ import annotations

import numpy as np
import pytest

from models.train.bounds import bound, drawn_cards
from models.train.textures import Textures


def test_where_nothing_is_wrong_enough_answers_prove_it_and_few_do_not() -> None:
    sure = np.linspace(1.0, 0.5, 400)
    assert bound(sure, np.ones(400, bool), 0.005) == pytest.approx(0.5)
    assert bound(sure[:50], np.ones(50, bool), 0.005) == 1.0


def test_the_bound_lies_above_where_the_mistakes_are() -> None:
    sure = np.linspace(1.0, 0.5, 400)
    right = sure > 0.7
    least = bound(sure, right, 0.01)
    assert 0.69 < least < 0.71
    assert bound(sure, np.arange(400) % 2 == 0, 0.01) == 1.0


def test_drawn_cards_lie_inside_their_corners() -> None:
    faces = np.full((3, 224, 160, 3), 255, np.uint8)
    textures = Textures(faces, np.array([[0, 1], [5, -1], [12, 3]]), faces[:0])
    cards = drawn_cards(textures, 3)
    assert {card.rank for card in cards} == {"A", "6", "K"}
    assert {card.suit for card in cards} == {"D", None, "S"}
    for card in cards:
        x, y = card.quad.mean(axis=0).astype(int)
        outside = card.quad.mean(axis=0) + 1.3 * (card.quad[0] - card.quad.mean(axis=0))
        assert int(card.image[y, x].min()) > int(card.image[int(outside[1]), int(outside[0])].max())
        assert card.short_px > 110
