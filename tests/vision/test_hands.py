"""Which hands are the dealer's, and which are none."""

from __future__ import annotations

from tests.vision.acts import quad
from vision.hands import Hands, believed
from vision.sighting import Sighting


def hand(centre: tuple[float, float], score: float) -> Sighting:
    return Sighting(0, "hand", quad(centre, 110, 180), score)


LEFT, RIGHT = hand((-350.0, -10.0), 0.76), hand((310.0, 20.0), 0.88)
PLAYER, FALSE = hand((490.0, 410.0), 0.79), hand((-370.0, 60.0), 0.5)


def test_a_players_hand_in_reach_that_is_seen_better_is_not_the_dealers() -> None:
    named = Hands().step(0, [LEFT, RIGHT, PLAYER])
    assert [(h.side, h.sighting) for h in named] == [("left", LEFT), ("right", RIGHT)]


def test_a_hand_that_reaches_far_is_the_dealers_rather_than_a_doubtful_one_near_him() -> None:
    far = hand((0.0, 330.0), 0.85)
    named = Hands().step(0, [RIGHT, far, hand((-370.0, 60.0), 0.45)])
    assert [h.sighting for h in named] == [far, RIGHT]


def test_a_third_hand_seen_much_worse_is_none() -> None:
    assert believed([LEFT, FALSE, RIGHT, PLAYER]) == [LEFT, RIGHT, PLAYER]


def test_the_only_hands_in_reach_are_believed_however_doubtful() -> None:
    assert believed([RIGHT, FALSE]) == [RIGHT, FALSE]
    assert believed([]) == []


def test_hands_out_of_the_dealers_reach_are_not_judged() -> None:
    away = hand((100.0, 700.0), 0.3)
    assert believed([LEFT, RIGHT, away]) == [LEFT, RIGHT, away]
