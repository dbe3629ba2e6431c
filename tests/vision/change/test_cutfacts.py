"""What boxes alone tell of a cut, and what a depth and a packet come to."""

from __future__ import annotations

import numpy as np
import pytest

from vision.change.box import Box
from vision.change.cutfacts import by_boxes, depth_facts, from_other_end, packet_facts
from vision.change.measures import Measured
from vision.change.pose import THICK_MM
from vision.change.unseen import Transfer

CARDS = 416
STACK = Box(np.zeros(2), np.array([0.0, 1.0]), CARDS * THICK_MM, 90.0)


def moved(length_cards: float | None, rest_cards: float | None) -> Transfer:
    length, rest = (None if cards is None else cards * THICK_MM for cards in (length_cards, rest_cards))
    return Transfer(0, 1_000_000, "dealer", "far", "near", length, rest, pieces=True, sure=True)


def at(cards: float) -> np.ndarray:
    """The place in the stack that has so many cards between it and the end `along` points to."""
    return np.array([(CARDS / 2 - cards) * THICK_MM, 0.0])


def test_the_places_of_a_cover_card_are_a_depth_with_wide_doubt() -> None:
    depth = by_boxes([at(100)] * 5, STACK, CARDS)
    assert depth.value == pytest.approx(100)
    assert depth.low is not None
    assert depth.high is not None
    assert depth.high - depth.low == pytest.approx(40)  # 14 cards and 6 % of the depth, either way


@pytest.mark.parametrize("places", [[], [at(100)] * 3, [at(100), at(150), at(60), at(190), at(20)]])
def test_few_or_scattered_places_are_none(places: list[np.ndarray]) -> None:
    assert not by_boxes(places, STACK, CARDS).known


def test_a_depth_is_told_from_the_nearer_end() -> None:
    deep = Measured(400.0, 395.0, 405.0)
    assert depth_facts(deep, CARDS, backs_away=True) == {
        "depth_cards": 16.0,
        "depth_cards_low": 11.0,
        "depth_cards_high": 21.0,
        "from": "bottom",
    }
    assert depth_facts(deep, CARDS, backs_away=False)["from"] == "top"
    assert depth_facts(deep, CARDS, backs_away="unsure")["from"] == "unsure"
    assert depth_facts(Measured(207.0, 200.0, 214.0), CARDS, backs_away=True)["from"] == "unsure"
    assert depth_facts(Measured(reason="hidden"), CARDS, backs_away=True) == {"from": "unsure"}


def test_what_is_not_known_from_one_end_is_not_known_from_the_other() -> None:
    assert from_other_end(Measured(reason="hidden"), CARDS) == Measured(reason="hidden")


def test_a_packet_is_what_was_above_the_cover_card_unless_it_was_shorter() -> None:
    above = Measured(100.0, 97.0, 103.0)
    assert packet_facts(moved(98, 318), above, CARDS) == {"cards": 100.0, "cards_low": 97.0, "cards_high": 103.0}
    short = packet_facts(moved(80, 336), above, CARDS)
    assert (short["left_behind_cards_low"], short["left_behind_cards_high"]) == (0.0, pytest.approx(48.0))
    assert "left_behind_cards" not in packet_facts(moved(40, 376), above, CARDS)  # boxes alone accuse nobody of that


def test_without_a_depth_its_length_beside_the_rest_tells() -> None:
    facts = packet_facts(moved(104, 312), Measured(), CARDS)
    assert facts["cards"] == pytest.approx(104)
    assert facts["cards_low"] < 80
    assert facts["cards_high"] > 130
    assert packet_facts(moved(None, 312), Measured(), CARDS) == {}
