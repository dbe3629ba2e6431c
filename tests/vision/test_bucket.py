"""What is said of a card in the bucket where another lies face up already."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.acts import BUCKET_MM, along, card, quad
from vision.bucket import Bucket
from vision.card import Card
from vision.read import RANKS, Reading
from vision.sighting import Sighting
from vision.vote import RankVote

STEP_US = 66_667
WAY = [(0.0, 210.0), BUCKET_MM]


def carried(number: int, cls: str, *, seen_as_in_bucket: str = "card_back", reads: bool = True) -> Card:
    """A card seen 8 times on its way and 4 times in the bucket."""
    new = Card(number, "shoe", 0, "left", None, RankVote())
    start_us = number * 2_000_000
    for i in range(12):
        at = along(WAY, min(i / 8, 1.0))
        kind = cls if i < 8 else seen_as_in_bucket
        new.sightings.append(card(start_us + i * STEP_US, at, kind))
        if reads:
            new.face_reads.append((start_us + i * STEP_US, 0.97 if kind == "card_face" else 0.03))
    return new


def with_a_face_in_it() -> Bucket:
    bucket = Bucket()
    first = carried(1, "card_face", seen_as_in_bucket="card_face")
    first.exposed_us = first.sightings[0].t_us
    assert bucket.put(first, first=True)["face"] == "up"
    return bucket


def test_a_back_on_the_way_and_in_the_bucket_is_a_back() -> None:
    facts = with_a_face_in_it().put(carried(2, "card_back"), first=False)
    assert (facts["face"], facts["index"]) == ("down", 1)


def ranked(card_: Card, rank: str) -> Card:
    ranks = np.full(13, 1e-4)
    ranks[RANKS.index(rank)] = 1 - 12e-4
    for _ in range(5):
        card_.vote.add(Reading(ranks, np.full(4, 0.25), np.array([0.999, 0.0005, 0.0005]), 0.0, 0.9))
    return card_


@pytest.mark.parametrize(("first", "shown", "face"), [("6", "A", "up"), ("6", "6", "down")])
def test_turned_over_in_the_fall_its_rank_tells(first: str, shown: str, face: str) -> None:
    bucket = Bucket()
    six = ranked(carried(1, "card_face", seen_as_in_bucket="card_face"), first)
    six.exposed_us = six.sightings[0].t_us
    bucket.put(six, first=True)
    assert (
        bucket.put(ranked(carried(2, "card_back", seen_as_in_bucket="card_face"), shown), first=False)["face"] == face
    )


@pytest.mark.parametrize(("aside_mm", "face"), [(0.0, "down"), (20.0, "unsure")])
def test_a_face_of_unknown_rank_is_the_old_one_only_in_its_very_place(aside_mm: float, face: str) -> None:
    new = carried(2, "card_back", seen_as_in_bucket="card_face")
    moved = [type(s)(s.t_us, s.cls, s.quad_mm + np.array([0.0, aside_mm]), s.score) for s in new.sightings[-4:]]
    new.sightings[-4:] = moved
    assert with_a_face_in_it().put(new, first=False)["face"] == face


def test_a_face_on_the_way_is_a_face() -> None:
    facts = with_a_face_in_it().put(carried(2, "card_face", seen_as_in_bucket="card_face"), first=False)
    assert facts["face"] == "up"


@pytest.mark.parametrize("reads", [True, False])
def test_a_card_seen_in_the_bucket_alone_is_unsure(reads: bool) -> None:
    card_ = carried(2, "card_back", seen_as_in_bucket="card_face", reads=reads)
    card_.sightings = card_.sightings[-4:]
    moved = [type(s)(s.t_us, s.cls, s.quad_mm + 20.0, s.score) for s in card_.sightings]
    card_.sightings = moved
    assert with_a_face_in_it().put(card_, first=False)["face"] == "unsure"


def test_an_empty_bucket_goes_by_what_the_card_shows() -> None:
    assert Bucket().put(carried(1, "card_back"), first=False)["face"] == "down"
    assert Bucket().put(carried(1, "card_face", seen_as_in_bucket="card_face"), first=False)["face"] == "up"


@pytest.mark.parametrize(("wider_mm", "cards_high"), [(0.0, 1), (2.0, 1), (9.0, 2)])
def test_a_card_wider_than_the_others_may_be_two(wider_mm: float, cards_high: int) -> None:
    bucket = Bucket()
    for number in (1, 2, 3):
        assert bucket.put(carried(number, "card_back"), first=False)["cards_high"] == 1
    wide = carried(4, "card_back")
    wide.sightings = [
        Sighting(s.t_us, s.cls, quad((0.0, 0.0), 63.5 + wider_mm, 88.9) + s.centre_mm, s.score) for s in wide.sightings
    ]
    assert bucket.put(wide, first=False)["cards_high"] == cards_high


@pytest.mark.parametrize(
    ("wider_mm", "cls", "cards_high"), [(0.0, "card_back", 1), (3.5, "card_back", 2), (0.0, "", 2)]
)
def test_what_looks_like_two_must_not_be_just_the_size_of_one(wider_mm: float, cls: str, cards_high: int) -> None:
    """Its size is known from its back; with none seen well (`cls` empty), its looks alone decide."""
    bucket = Bucket()
    for number in (1, 2, 3):
        single = carried(number, "card_back")
        single.pair_reads = [0.1, 0.2, 0.1]
        bucket.put(single, first=False)
    two = carried(4, "card_back")
    two.pair_reads = [0.9, 0.8, 0.9]
    two.sightings = [
        Sighting(s.t_us, s.cls, quad((0.0, 0.0), 63.5 + wider_mm, 88.9) + s.centre_mm, s.score if cls else 0.3)
        for s in two.sightings
    ]
    assert bucket.put(two, first=False)["cards_high"] == cards_high


def test_what_lies_in_the_bucket_does_not_change_the_size_of_the_card_that_fell() -> None:
    fell = carried(1, "card_back")
    fell.entered_us = fell.sightings[8].t_us
    fell.sightings[8:] = [Sighting(s.t_us, s.cls, quad(BUCKET_MM, 40.0, 60.0), s.score) for s in fell.sightings[8:]]
    assert fell.back_sides_mm == pytest.approx((63.5, 88.9))


@pytest.mark.parametrize(("wider_mm", "cards_high"), [(2.0, 1), (6.5, 2)])
def test_the_first_burned_card_is_held_against_the_shown_one(wider_mm: float, cards_high: int) -> None:
    shown, burned = carried(1, "card_face"), carried(2, "card_back")
    burned.sightings = [
        Sighting(s.t_us, s.cls, quad((0.0, 0.0), 63.5 + wider_mm, 88.9) + s.centre_mm, s.score)
        for s in burned.sightings
    ]
    assert Bucket().put(burned, first=False, shown=shown)["cards_high"] == cards_high


def lies_whole(number: int, aside_mm: float = 0.0, *, height_mm: float = 89.0) -> Card:
    """A card that was carried with its back up, and shows a face in the bucket, `height_mm` of it."""
    new = carried(number, "card_back", seen_as_in_bucket="card_face")
    at = (BUCKET_MM[0] + aside_mm, BUCKET_MM[1])
    shape = quad(at, 63.0, height_mm)
    new.sightings[-4:] = [Sighting(s.t_us, s.cls, shape, s.score) for s in new.sightings[-4:]]
    return new


def test_a_whole_face_where_a_back_lay_over_the_old_one_is_a_new_face() -> None:
    bucket = with_a_face_in_it()
    assert bucket.put(carried(2, "card_back"), first=False)["face"] == "down"
    assert bucket.put(lies_whole(3), first=False)["face"] == "up"


def test_what_shows_of_the_old_face_beside_a_back_accuses_nobody() -> None:
    bucket = with_a_face_in_it()
    bucket.put(carried(2, "card_back"), first=False)
    assert bucket.put(lies_whole(3, height_mm=40.0), first=False)["face"] != "up"


def test_a_back_that_lies_beside_the_old_face_does_not_hide_it() -> None:
    bucket = with_a_face_in_it()
    beside = carried(2, "card_back")
    beside.sightings = [Sighting(s.t_us, s.cls, s.quad_mm + np.array([45.0, 0.0]), s.score) for s in beside.sightings]
    bucket.put(beside, first=False)
    assert bucket.put(lies_whole(3), first=False)["face"] != "up"
