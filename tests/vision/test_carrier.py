"""The hand that moves as the card does carried it, not the one that waits where it comes to lie."""

from __future__ import annotations

import pytest

from tests.vision.acts import card, hand
from vision.carrier import HandLog
from vision.hands import Hand
from vision.sighting import Sighting

STEP_US = 66_000
Place = tuple[float, float]


def walk(
    way: list[Place], left: list[Place], right: list[Place], cls: list[str] | None = None
) -> tuple[HandLog, list[Sighting]]:
    """One look for each place of the card and of the two hands."""
    log, seen = HandLog(), []
    for number, (at, one, other) in enumerate(zip(way, left, right, strict=True)):
        t_us = number * STEP_US
        log.step(t_us, [Hand("left", hand(t_us, one)), Hand("right", hand(t_us, other))])
        seen.append(card(t_us, at, cls[number] if cls else "card_back"))
    return log, seen


def line(a: Place, b: Place, looks: int) -> list[Place]:
    return [(a[0] + (b[0] - a[0]) * i / (looks - 1), a[1] + (b[1] - a[1]) * i / (looks - 1)) for i in range(looks)]


def below(way: list[Place]) -> list[Place]:
    return [(x - 30.0, y - 70.0) for x, y in way]


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_hand_that_goes_along_carried_it_though_the_other_waits_nearer(side: str) -> None:
    way = line((-250.0, 200.0), (60.0, 200.0), 8)
    waiting = [(90.0, 170.0)] * 8
    log, seen = walk(way, below(way), waiting) if side == "left" else walk(way, waiting, below(way))
    assert log.carrier(seen, seen[-1].t_us) == side


def test_after_a_handing_over_the_second_hand_laid_it() -> None:
    first, second = line((-250.0, 200.0), (0.0, 200.0), 7), line((0.0, 200.0), (30.0, 180.0), 4)
    left = below(first) + line((-100.0, 80.0), (-200.0, 20.0), 4)
    right = [(60.0, 140.0)] * 7 + line((60.0, 140.0), (88.0, 122.0), 4)
    log, seen = walk(first + second, left, right)
    assert log.carrier(seen, seen[-1].t_us) == "right"


def test_the_hand_that_turns_a_card_over_holds_it() -> None:
    way = [*line((-250.0, 200.0), (0.0, 200.0), 7), (0.0, 200.0), (0.0, 200.0), (0.0, 200.0)]
    left = below(way[:7]) + line((-120.0, 60.0), (-250.0, 0.0), 3)
    right = [(50.0, 140.0)] * 10
    log, seen = walk(way, left, right, ["card_back"] * 9 + ["card_face"])
    assert log.carrier(seen, seen[-1].t_us) == "right"


def test_a_box_that_wavers_where_the_card_lies_is_no_movement() -> None:
    way = [*line((-250.0, 200.0), (0.0, 200.0), 7), (9.0, 206.0), (0.0, 200.0), (0.0, 200.0), (0.0, 200.0)]
    left = below(way[:7]) + line((-30.0, 130.0), (-200.0, 30.0), 4)
    right = [(250.0, 90.0)] * 11
    log, seen = walk(way, left, right)
    assert log.carrier(seen, seen[7].t_us) == "left"


def test_of_a_card_first_seen_where_it_lies_the_hand_that_was_nearest_laid_it() -> None:
    log, seen = walk([(0.0, 200.0)] * 4, [(-30.0, 130.0)] * 4, [(260.0, 60.0)] * 4)
    assert log.carrier(seen, 0) == "left"


def test_where_no_hand_was_near_nobody_can_say() -> None:
    log, seen = walk([(0.0, 200.0)] * 4, [(-330.0, 130.0)] * 4, [(260.0, 60.0)] * 4)
    assert log.carrier(seen, 0) == "unsure"
    assert log.carrier([], 0) == "unsure"
