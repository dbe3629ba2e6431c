"""A card at rest is laid down once no hand can hold it any more, and told once for each place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.acts import card, hand
from vision.card import Card
from vision.hands import Hand
from vision.laying import LAID_BESIDE_HAND_US, LAID_UNDER_HAND_US, LAID_US, lies_as_before, waits_us
from vision.read import RankVote

AT = (0.0, 200.0)


def make(cls: str = "card_face", at: tuple[float, float] = AT, angle: float = 0.0) -> Card:
    made = Card(1, "shoe", 0, "left", None, RankVote())
    made.sightings.append(card(0, at, cls, angle))
    return made


@pytest.mark.parametrize(
    ("side", "at", "wait_us"),
    [
        ("left", (-30.0, 130.0), LAID_UNDER_HAND_US),
        ("right", (-30.0, 130.0), LAID_BESIDE_HAND_US),
        ("right", (120.0, 200.0), LAID_US),
        ("left", (300.0, 60.0), LAID_US),
    ],
)
def test_it_must_lie_longer_while_a_hand_is_there(side: str, at: tuple[float, float], wait_us: int) -> None:
    assert waits_us(make(), [Hand(side, hand(0, at))], "left") == wait_us


def test_any_hand_may_hold_it_while_nobody_knows_who_brought_it() -> None:
    assert waits_us(make(), [Hand("right", hand(0, (-30.0, 130.0)))], "unsure") == LAID_UNDER_HAND_US


@pytest.mark.parametrize(
    ("at", "angle", "cls", "same"),
    [
        ((15.0, 205.0), 0.1, "card_face", True),
        ((9.0, 205.0), 1.2, "card_face", True),
        ((15.0, 210.0), 1.2, "card_face", False),
        ((25.0, 200.0), 0.0, "card_face", False),
        (AT, 0.0, "card_back", False),
    ],
)
def test_the_same_place_the_same_side_up_is_not_told_again(
    at: tuple[float, float], angle: float, cls: str, same: bool
) -> None:
    seen = make(cls, at, angle)
    seen.lay, seen.placed_zone = card(0, AT, "card_face"), "shuffle"
    assert lies_as_before(seen) is same


def test_a_card_that_was_given_up_is_told_again_where_it_is_found() -> None:
    seen = replace(make(), lay=card(0, AT, "card_face"), placed_zone="unsure")
    assert not lies_as_before(seen)
