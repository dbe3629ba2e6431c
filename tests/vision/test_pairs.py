"""Whether what was burned as one card was two."""

from __future__ import annotations

import pytest

from tests.vision.acts import along, quad
from vision.card import Card
from vision.pairs import Pairs
from vision.sighting import Sighting
from vision.vote import RankVote

WAY = [(0.0, 210.0), (430.0, 65.0)]


def carried(sizes: list[tuple[float, float]], looks: float = 0.02) -> Card:
    """A card seen as a back with these sizes on its way, and read as two with probability `looks`."""
    card = Card(1, "shoe", 0, "left", None, RankVote())
    for i, (short_mm, long_mm) in enumerate(sizes):
        at = along(WAY, i / len(sizes))
        card.sightings.append(Sighting(i * 66_667, "card_back", quad(at, short_mm, long_mm), 0.9))
    card.pair_reads = [looks] * 4
    return card


def after_singles(card: Card, sizes: tuple[float, float] = (64.0, 88.0)) -> tuple[int, int]:
    pairs = Pairs()
    for _ in range(3):
        assert pairs.amount(carried([sizes] * 8), None) == (1, 1)
    return pairs.amount(card, None)


@pytest.mark.parametrize(
    ("size", "looks", "amount"),
    [
        ((64.5, 89.0), 0.02, (1, 1)),
        ((66.0, 97.0), 0.02, (2, 2)),  # shifted along the card
        ((70.5, 91.0), 0.02, (2, 2)),  # along and across
        ((68.5, 90.0), 0.02, (1, 2)),
        ((66.5, 91.0), 0.15, (2, 2)),  # somewhat larger, and looks it
        ((65.5, 90.5), 0.15, (1, 2)),
        ((65.5, 88.9), 0.05, (1, 1)),
        ((64.5, 88.9), 0.05, (1, 1)),
        ((67.0, 91.0), 0.02, (1, 2)),  # a fourteenth more than the others cover
        ((64.0, 88.0), 0.95, (1, 1)),  # two that are squared cannot be told from one
    ],
)
def test_two_cards_are_told_by_size_and_look(size: tuple[float, float], looks: float, amount: tuple[int, int]) -> None:
    assert after_singles(carried([size] * 8, looks)) == amount


def test_a_card_that_was_blurred_in_most_looks_is_no_pair() -> None:
    assert after_singles(carried([(64.0, 88.0)] * 3 + [(74.0, 95.0)] * 5)) == (1, 2)


def test_two_cards_under_fingers_that_hide_a_part_of_every_card_may_be_two() -> None:
    # neither is larger than a card, but one is much larger than the others of its shoe
    assert after_singles(carried([(66.0, 88.0)] * 8), (62.5, 82.0)) == (1, 2)


def test_a_camera_that_makes_all_cards_larger_makes_no_pairs() -> None:
    pairs = Pairs()
    shown = carried([(66.0, 91.5)] * 8)
    shown.sightings = [Sighting(s.t_us, "card_face", s.quad_mm, s.score) for s in shown.sightings]
    amounts = [pairs.amount(carried([(66.5, 92.0)] * 8), shown) for _ in range(4)]
    assert amounts == [(1, 1)] * 4


def test_a_back_that_always_looks_like_two_makes_no_pairs() -> None:
    pairs = Pairs()
    amounts = [pairs.amount(carried([(66.0, 90.5)] * 8, 0.6), None) for _ in range(4)]
    assert amounts[1:] == [(1, 1)] * 3


@pytest.mark.parametrize("looks", [0, 2])
def test_what_was_hardly_seen_may_be_two(looks: int) -> None:
    assert after_singles(carried([(64.0, 88.0)] * looks)) == (1, 2)
    assert Pairs().amount(carried([(64.0, 88.0)] * looks), None) == (1, 2)
