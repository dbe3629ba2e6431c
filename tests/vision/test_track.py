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
