"""Two finds of one hand are one hand; two hands side by side are two."""

from __future__ import annotations

import numpy as np

from vision.once import told_once
from vision.sighting import Sighting


def hand(x_mm: float, y_mm: float, width_mm: float = 100.0, length_mm: float = 170.0, score: float = 0.8) -> Sighting:
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array([width_mm, length_mm]) / 2
    return Sighting(0, "hand", half + np.array([x_mm, y_mm]), score)


def test_the_part_of_a_hand_that_is_found_again_is_dropped() -> None:
    whole, part = hand(-165, 69, 105, 190), hand(-158, 105, 103, 122, score=0.31)
    assert told_once([part, whole]) == [whole]


def test_hands_that_touch_are_two() -> None:
    both = [hand(-60, 200), hand(40, 200)]
    assert told_once(both) == both


def test_a_card_on_a_hand_stays() -> None:
    card = Sighting(0, "card_back", hand(0, 200, 63, 89).quad_mm, 0.5)
    assert card in told_once([card, hand(0, 200)])


def card(cls: str, x_mm: float, y_mm: float, width_mm: float = 63.5, length_mm: float = 88.9) -> Sighting:
    return Sighting(0, cls, hand(x_mm, y_mm, width_mm, length_mm).quad_mm, 0.8)


def test_two_cover_cards_side_by_side_are_no_stack() -> None:
    covers = [card("cover_card", -160, 325), card("cover_card", -118, 322)]
    assert told_once([card("stack", -138, 325, 111, 117), *covers]) == covers


def test_one_cover_card_on_a_lying_stack_leaves_the_stack() -> None:
    stack, cover = card("stack", 0, 200, 70, 96), card("cover_card", 0, 200)
    assert stack in told_once([stack, cover])


def test_a_part_of_a_stack_is_dropped() -> None:
    whole = card("stack", 0, 260, 95, 138)
    assert told_once([card("stack", 0, 290, 95, 71), whole]) == [whole]


def test_two_packets_found_as_one_as_well_are_two() -> None:
    packets = [card("stack", 0, 225, 95, 60), card("stack", 0, 295, 95, 66)]
    assert told_once([card("stack", 0, 260, 97, 136), *packets]) == packets
