"""One card on two tracks is one card; two cards are two."""

from __future__ import annotations

import pytest

from tests.vision.acts import card
from vision.card import Card
from vision.sighting import Sighting
from vision.track import CardTracker, Track
from vision.twins import seen_apart, twins
from vision.vote import RankVote

STEP_US = 66_000


def followed(number: int, places: dict[int, tuple[float, float]], *, score: float = 0.9, sure: float = 1.0) -> Card:
    """A card seen at these looks, drawn when it was seen first."""
    sightings = [
        Sighting(k * STEP_US, "card_back", card(k * STEP_US, at).quad_mm, score) for k, at in sorted(places.items())
    ]
    track = Track(number, list(sightings))
    found = Card(number, "shoe", sightings[0].t_us, "left", track, RankVote(), confidence=sure)
    found.sightings = sightings
    found.drawn, found.drawn_us = True, sightings[0].t_us
    return found


def way(first: int, last: int) -> dict[int, tuple[float, float]]:
    """A card on its way across the table, 60 mm a look."""
    return {k: (-200.0 + 60.0 * k, 190.0) for k in range(first, last + 1)}


def test_two_tracks_that_take_turns_are_one_card() -> None:
    elder, younger = followed(1, way(0, 4)), followed(2, way(2, 3) | way(5, 8))
    assert twins([elder, younger]) == [(elder, younger)]


def test_two_cards_that_are_both_seen_all_the_way_are_two() -> None:
    elder = followed(1, way(0, 6))
    younger = followed(2, {k: (x + 25.0, y) for k, (x, y) in way(1, 8).items()})
    assert twins([elder, younger]) == []


def test_a_second_card_drawn_after_the_first_was_lost_from_sight_is_a_second_card() -> None:
    elder = followed(1, way(0, 6))
    younger = followed(2, {k: (-200.0 + 60.0 * (k - 14), 190.0) for k in range(14, 20)})
    assert twins([elder, younger]) == []


@pytest.mark.parametrize("far_mm", [400.0, 900.0])
def test_a_card_that_goes_on_where_no_hand_can_have_brought_it_is_another(far_mm: float) -> None:
    elder = followed(1, way(0, 4))
    younger = followed(2, way(2, 3) | {k: (x + far_mm, y) for k, (x, y) in way(5, 8).items()})
    assert twins([elder, younger]) == []


def test_a_card_that_was_laid_down_is_no_twin() -> None:
    elder, younger = followed(1, way(0, 4)), followed(2, way(2, 3) | way(5, 8))
    elder.placed_us = 0
    assert twins([elder, younger]) == []


def test_a_box_over_a_card_on_the_move_starts_no_track() -> None:
    tracker = CardTracker()
    for k in range(8):
        at = (-200.0 + 40.0 * k, 190.0)
        seen = [card(k * STEP_US, at)]
        if k in (4, 5):
            seen.append(card(k * STEP_US, (at[0] + 35.0, at[1] - 8.0)))
        tracker.step(k * STEP_US, seen)
    assert len(tracker.tracks) == 1
    assert len(tracker.tracks[0].sightings) == 8


def test_a_stray_box_does_not_wait_for_the_next_card() -> None:
    tracker = CardTracker()
    tracker.step(0, [card(0, (50.0, 200.0))])
    for k in range(1, 10):
        tracker.step(k * STEP_US, [])
    tracker.step(10 * STEP_US, [card(10 * STEP_US, (-150.0, 170.0))])
    assert [len(t.sightings) for t in tracker.tracks] == [1]
    assert tracker.tracks[0].last.t_us == 10 * STEP_US


def test_a_stray_box_does_not_take_a_card_that_is_taken_up() -> None:
    tracker = CardTracker()
    for k in range(12):
        seen = [card(k * STEP_US, (79.0, 192.0))]
        if k == 9:
            seen.append(card(k * STEP_US, (-120.0, 175.0)))
        tracker.step(k * STEP_US, seen)
    lay = tracker.tracks[0]
    for k in range(12, 16):
        tracker.step(k * STEP_US, [card(k * STEP_US, (57.0 - 80.0 * (k - 12), 188.0))])
    assert lay.last.t_us == 15 * STEP_US


def test_two_seen_at_once_far_from_each_other_cannot_be_one_however_doubtful_their_boxes() -> None:
    lies = followed(1, dict.fromkeys(range(10, 16), (-100.0, 65.0)), score=0.3)
    assert seen_apart(lies, followed(2, way(8, 11), score=0.3))
    assert not seen_apart(lies, followed(2, way(8, 10)))  # one look may be a slip
    assert not seen_apart(lies, followed(2, way(0, 9)))


def test_a_card_boxed_twice_is_not_seen_apart() -> None:
    boxed = followed(1, way(0, 6))
    assert not seen_apart(boxed, followed(2, {k: (x + 40.0, y) for k, (x, y) in way(0, 6).items()}))
