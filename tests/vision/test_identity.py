"""A passing card does not walk off with a lying one's name."""

from __future__ import annotations

from tests.vision.acts import SHOWN_MM, card
from vision.card import Card
from vision.identity import exchange, mixed_up, passed_over, whose_place
from vision.vote import RankVote

STEP_US = 66_667


def lying_and_passing() -> tuple[Card, Card]:
    """The shown card lies for 10 looks and then seems to move off; the other comes along and seems to stop there."""
    shown, passing = (Card(n, "shoe", 0, "left", None, RankVote()) for n in (1, 2))
    for i in range(10):
        shown.sightings.append(card(i * STEP_US, SHOWN_MM, "card_face"))
        shown.face_reads.append((i * STEP_US, 0.95))
    shown.lay = shown.last
    for i in range(6, 10):
        passing.sightings.append(card(i * STEP_US, (SHOWN_MM[0] - 60.0 * (10 - i), SHOWN_MM[1]), "card_back"))
    for i in range(10, 14):
        shown.sightings.append(card(i * STEP_US, (SHOWN_MM[0] + 60.0 * (i - 9), SHOWN_MM[1]), "card_back"))
        passing.sightings.append(card(i * STEP_US, (SHOWN_MM[0] + 3.0, SHOWN_MM[1]), "card_face"))
        passing.face_reads.append((i * STEP_US, 0.95))
    return shown, passing


def test_the_two_are_exchanged_back() -> None:
    shown, passing = lying_and_passing()
    assert mixed_up([shown, passing]) == [(shown, passing)]
    exchange(shown, passing)
    assert {s.cls for s in shown.sightings} == {"card_face"}
    assert {s.cls for s in passing.sightings} == {"card_back"}
    assert len(shown.sightings) == 14
    assert passing.face_reads == []
    assert mixed_up([shown, passing]) == []


def test_a_card_laid_down_elsewhere_is_no_mix_up() -> None:
    shown, passing = lying_and_passing()
    passing.sightings = [type(s)(s.t_us, s.cls, s.quad_mm + 30.0, s.score) for s in passing.sightings]
    assert mixed_up([shown, passing]) == []


def test_a_card_with_its_back_up_is_not_the_shown_one() -> None:
    shown, passing = lying_and_passing()
    passing.sightings = [type(s)(s.t_us, "card_back", s.quad_mm, s.score) for s in passing.sightings]
    assert mixed_up([shown, passing]) == []


def test_an_unknown_track_in_its_place_shows_the_mix_up_too() -> None:
    shown, passing = lying_and_passing()
    unknown = passing.sightings[-4:]
    passing.sightings = passing.sightings[:-4]
    assert whose_place([shown, passing], unknown) is shown
    assert passed_over([shown, passing], shown) is passing
    assert whose_place([passing], unknown) is None
