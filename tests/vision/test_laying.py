"""A card at rest is laid down once no hand can hold it any more, and told once for each place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.vision.acts import card, hand
from vision.card import Card
from vision.carrier import HandLog
from vision.hands import Hand
from vision.laying import LAID_BESIDE_HAND_US, LAID_UNDER_HAND_US, LAID_US, lies_as_before, waits_us
from vision.vote import RankVote

AT = (0.0, 200.0)


def make(cls: str = "card_face", at: tuple[float, float] = AT, angle: float = 0.0) -> Card:
    made = Card(1, "shoe", 0, "left", None, RankVote())
    made.sightings.append(card(0, at, cls, angle))
    return made


def waits(spells: list[dict[str, tuple[float, float]]]) -> int:
    """The wait after these looks, of a card that came to rest at the first of them, brought by the left hand."""
    log, last = HandLog(), []
    made = make()
    made.sightings.clear()
    for number, spots in enumerate(spells):
        t_us = number * 66_000
        last = [Hand(side, hand(t_us, at)) for side, at in spots.items()]
        log.step(t_us, last)
        made.sightings.append(card(t_us, AT, "card_face"))
    return waits_us(made, 0, last, log)


UPON, BESIDE, AWAY = (-30.0, 130.0), (110.0, 200.0), (330.0, 60.0)


def test_it_must_lie_longer_while_the_hand_that_brought_it_is_there() -> None:
    assert waits([{"left": UPON, "right": AWAY}] * 5) == LAID_UNDER_HAND_US


def test_it_lies_once_that_hand_has_gone() -> None:
    gone = {"left": (-300.0, 60.0), "right": AWAY}
    assert waits([{"left": UPON, "right": AWAY}] * 3 + [gone]) == LAID_US
    assert waits([{"left": UPON, "right": BESIDE}] * 3 + [{"left": (-300.0, 60.0), "right": BESIDE}]) == LAID_US


def test_a_hand_that_was_upon_it_when_the_other_left_may_hold_it() -> None:
    both, one = {"left": UPON, "right": (60.0, 150.0)}, {"left": (-300.0, 60.0), "right": (60.0, 150.0)}
    assert waits([{"left": UPON, "right": AWAY}, both, both, one, one]) == LAID_UNDER_HAND_US


def test_a_hand_that_came_later_takes_it_up_at_most() -> None:
    one = {"left": (-300.0, 60.0), "right": (60.0, 150.0)}
    gone = {"left": (-300.0, 60.0), "right": AWAY}
    assert waits([{"left": UPON, "right": AWAY}] * 3 + [gone, one, one]) == LAID_BESIDE_HAND_US


def test_any_hand_may_hold_it_while_nobody_knows_who_brought_it() -> None:
    log, there = HandLog(), Hand("right", hand(0, UPON))
    assert waits_us(make(), 0, [there], log) == LAID_UNDER_HAND_US


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
