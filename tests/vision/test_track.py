"""Which sighting belongs to which card."""

from __future__ import annotations

import pytest

from tests.vision.acts import card
from vision.track import MOST_SIGHTINGS, CardTracker, Track

STEP_US = 80_000


def lying(tracker: CardTracker) -> Track:
    return next(track for track in tracker.tracks if track.rest_us is not None)


def test_a_back_that_passes_turned_over_a_lying_face_is_not_that_card() -> None:
    tracker = CardTracker()
    for i in range(8):
        passing = [card(i * STEP_US, (400.0 - 45.0 * i, 192.0), angle=0.6)] if i > 1 else []
        tracker.step(i * STEP_US, [card(i * STEP_US, (10.0, 192.0), "card_face"), *passing])
    face = lying(tracker)
    tracker.step(8 * STEP_US, [card(8 * STEP_US, (14.0, 192.0), angle=0.6)])
    for i in range(9, 14):
        now = [card(i * STEP_US, (10.0, 192.0), "card_face"), card(i * STEP_US, (-80.0 * (i - 8), 192.0), angle=0.6)]
        tracker.step(i * STEP_US, now)
    assert lying(tracker) is face
    assert {s.cls for s in face.sightings} == {"card_face"}
    assert len(tracker.tracks) == 2


def test_a_back_that_passes_close_over_a_lying_face_out_of_sight_is_not_that_card() -> None:
    # the hand waits over the lying card, then goes on
    step_us, way = 66_667, [(237.0, 136.0), (155.0, 136.0), (121.0, 135.0), (99.0, 163.0), (60.0, 193.0), (58.0, 195.0)]
    way += [
        (48.0, 196.0),
        (4.0, 193.0),
        (-98.0, 194.0),
        (-233.0, 189.0),
        (-366.0, 179.0),
    ]
    tracker = CardTracker()
    for i in range(10):
        tracker.step(i * step_us, [card(i * step_us, (8.0, 186.0), "card_face")])
    face = lying(tracker)
    for i, at in enumerate(way, start=10):
        hidden = 50.0 > at[0] > -50.0 or at == (58.0, 195.0)
        shown = [] if hidden else [card(i * step_us, (8.0, 186.0), "card_face")]
        tracker.step(i * step_us, [card(i * step_us, at), *shown])
    assert lying(tracker) is face
    assert {s.cls for s in face.sightings} == {"card_face"}
    (passing,) = (track for track in tracker.tracks if track is not face)
    assert len(passing.sightings) == len(way)


def test_a_lying_card_that_the_detector_takes_for_the_other_side_is_still_that_card() -> None:
    tracker = CardTracker()
    for i in range(12):
        tracker.step(i * STEP_US, [card(i * STEP_US, (10.0, 192.0), "card_back" if i == 8 else "card_face")])
    assert len(tracker.tracks) == 1
    assert len(lying(tracker).sightings) == 12


def test_what_lies_there_for_hours_keeps_its_beginning_and_its_latest_minute() -> None:
    tracker = CardTracker()
    for i in range(2500):
        tracker.step(i * STEP_US, [card(i * STEP_US, (10.0, 192.0))])
    sightings = lying(tracker).sightings
    assert len(sightings) <= MOST_SIGHTINGS
    assert sightings[0].t_us == 0
    assert {s.t_us for s in sightings[-600:]} == {i * STEP_US for i in range(1900, 2500)}


@pytest.mark.parametrize("apart_mm", [0.0, 30.0])
def test_two_cards_that_cross_keep_their_own_tracks(apart_mm: float) -> None:
    tracker, step_us = CardTracker(), 40_000
    for i in range(16):
        t_us = i * step_us
        tracker.step(t_us, [card(t_us, (30.0 * i, 200.0)), card(t_us, (450.0 - 30.0 * i, 200.0 + apart_mm))])
    assert len(tracker.tracks) == 2
    ways = sorted(float(track.last.centre_mm[0] - track.sightings[0].centre_mm[0]) for track in tracker.tracks)
    assert ways == [-450.0, 450.0]
    shared = {id(s) for s in tracker.tracks[0].sightings} & {id(s) for s in tracker.tracks[1].sightings}
    assert not shared


def covered_face() -> tuple[CardTracker, Track, Track, int]:
    """A face lies, and then a back upon the better part of it: the tracker, both tracks, and the next look."""
    tracker = CardTracker()
    for i in range(8):
        tracker.step(i * STEP_US, [card(i * STEP_US, (10.0, 192.0), "card_face")])
    face = lying(tracker)
    for i in range(8, 20):
        back = card(i * STEP_US, (25.0 + 60.0 * max(0, 13 - i), 212.0))
        over = [] if i >= 13 else [card(i * STEP_US, (10.0, 192.0), "card_face")]
        tracker.step(i * STEP_US, [back, *over])
    return tracker, face, next(t for t in tracker.tracks if t is not face), 20


def test_what_shows_of_a_card_under_another_does_not_move_it() -> None:
    tracker, face, back, look = covered_face()
    strip = card(look * STEP_US, (10.0, 168.0), "card_face")
    strip.quad_mm[:] = [[-21.0, 168.0], [41.0, 168.0], [41.0, 148.0], [-21.0, 148.0]]
    tracker.step(look * STEP_US, [card(look * STEP_US, (25.0, 212.0)), strip])
    assert face.rest_us is not None
    assert face.last.centre_mm.tolist() == [10.0, 192.0]
    assert back.last.cls == "card_back"
    assert len(tracker.tracks) == 2


def test_a_face_pulled_out_from_under_a_back_is_the_one_that_lay_there() -> None:
    tracker, face, back, look = covered_face()
    for i, y_mm in enumerate((200.0, 180.0, 120.0, 55.0)):
        t_us = (look + i) * STEP_US
        under = card(t_us, (22.0, y_mm), "card_face")
        tracker.step(t_us, [under] if i < 2 else [under, card(t_us, (25.0, 212.0))])
    assert {s.cls for s in back.sightings} == {"card_back"}
    assert face.last.centre_mm.tolist() == [22.0, 55.0]
