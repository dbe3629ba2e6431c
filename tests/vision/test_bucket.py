"""What is said of a card in the bucket where another lies face up already."""

from __future__ import annotations

import pytest

from tests.vision.acts import BUCKET_MM, along, card
from vision.bucket import Bucket
from vision.card import Card
from vision.read import RankVote

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


def test_a_back_on_the_way_is_a_back_although_a_face_shows_in_the_bucket() -> None:
    facts = with_a_face_in_it().put(carried(2, "card_back", seen_as_in_bucket="card_face"), first=False)
    assert (facts["face"], facts["index"]) == ("down", 1)


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
