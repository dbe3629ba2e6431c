"""A face in the bucket belongs to the card that fell last, not to the one that has lain there all along."""

from __future__ import annotations

from tests.vision.acts import BUCKET_MM, card
from tests.vision.ledgers import LAYOUT
from vision.card import Card
from vision.fallen import fallen_there, fell_upon
from vision.places import Places
from vision.track import CardTracker, Track
from vision.vote import RankVote

PLACES = Places(LAYOUT)
STEP_US = 66_000


def track(number: int, from_us: int, until_us: int, cls: str, at: tuple[float, float] = BUCKET_MM) -> Track:
    made = Track(number)
    for t_us in range(from_us, until_us, STEP_US):
        made.add(card(t_us, at, cls))
    return made


def lost(until_us: int, cls: str = "card_face", at: tuple[float, float] = BUCKET_MM) -> Card:
    """A card that was seen until then, and not since."""
    of = track(1, 0, until_us, cls, at)
    of.missed_us = until_us
    made = Card(1, "shoe", 0, "left", of, RankVote())
    made.sightings.extend(of.sightings)
    return made


def test_a_face_that_shows_where_a_card_fell_is_that_card() -> None:
    fell = lost(400_000)
    assert fallen_there([fell], track(2, 300_000, 700_000, "card_face"), PLACES) is fell
    assert fallen_there([fell], track(2, 300_000, 700_000, "card_back"), PLACES) is None
    assert fallen_there([fell], track(2, 300_000, 700_000, "card_face", (100.0, 200.0)), PLACES) is None


def test_a_face_that_was_gone_before_the_card_fell_is_another() -> None:
    assert fallen_there([lost(700_000)], track(2, 0, 300_000, "card_face"), PLACES) is None


def test_a_face_that_fell_upon_a_face_takes_its_place() -> None:
    old = track(2, 0, 800_000, "card_face", (BUCKET_MM[0] + 8.0, BUCKET_MM[1]))
    old.buried = True
    t_us = old.last.t_us
    assert fell_upon(lost(600_000), t_us, [old], PLACES) is old
    assert fell_upon(lost(600_000, "card_back"), t_us, [old], PLACES) is None
    old.buried = False
    assert fell_upon(lost(600_000), t_us, [old], PLACES) is None


def test_what_lies_in_the_bucket_is_neither_taken_up_nor_turned_over() -> None:
    tracker = CardTracker()
    for t_us in range(0, 600_000, STEP_US):
        tracker.step(t_us, [card(t_us, BUCKET_MM)])
    old = tracker.tracks[0]
    old.buried = True
    for t_us in range(600_000, 900_000, STEP_US):
        tracker.step(t_us, [card(t_us, (BUCKET_MM[0] + 5.0, BUCKET_MM[1]), "card_face")])
    assert {s.cls for s in old.sightings} == {"card_back"}
    assert any(t is not old and t.last.cls == "card_face" for t in tracker.tracks)


def test_a_back_upon_a_back_is_believed_once_it_cannot_turn_over_any_more() -> None:
    old = track(2, 0, 800_000, "card_back")
    old.buried = True
    t_us = old.last.t_us
    assert fell_upon(lost(500_000, "card_back"), t_us, [old], PLACES) is old
    assert fell_upon(lost(700_000, "card_back"), t_us, [old], PLACES) is None
