"""Readings of a card and what they say together."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.vision.readings import reading
from vision.network import ModelFault
from vision.read import CardReader, Reading
from vision.vote import RankVote

READER = Path(__file__).parents[2] / "models" / "reader.onnx"


def vote(*readings: Reading) -> RankVote:
    out = RankVote()
    for one in readings:
        out.add(one)
    return out


def test_a_clear_rank_is_answered_after_three_frames() -> None:
    assert vote(reading("7"), reading("7")).rank is None
    assert vote(reading("7"), reading("7"), reading("7")).facts() == {"rank": "7", "suit": "H"}


def test_one_wrong_frame_among_many_does_not_decide() -> None:
    assert vote(reading("9", 0.99), *[reading("6", 0.95)] * 8).rank == "6"


def test_frames_that_contradict_each_other_leave_it_unsure() -> None:
    assert vote(*[reading("6", 0.9, other="9")] * 4, *[reading("9", 0.9, other="6")] * 4).facts() == {}


def test_a_doubt_between_court_cards_is_no_doubt_about_the_value() -> None:
    doubtful = vote(*[reading("K", 0.55, other="J")] * 5)
    assert doubtful.value == 10
    assert doubtful.rank == "K"


def test_a_doubt_about_the_value_is_one() -> None:
    assert vote(*[reading("A", 0.55, other="4")] * 3).value is None


def test_a_single_frame_cannot_decide_however_sure_it_is() -> None:
    assert vote(reading("5", 1.0 - 1e-9)).value is None


def test_backs_and_hands_say_nothing_about_the_rank() -> None:
    hidden = vote(*[reading("5", face=0.2)] * 9)
    assert hidden.rank is None


def test_nothing_read_is_unsure() -> None:
    assert RankVote().facts() == {}


def test_a_reading_answers_only_when_confident_and_only_of_a_face() -> None:
    assert reading("Q", 0.9).rank == "Q"
    assert reading("Q", 0.7).rank is None
    assert reading("Q", 0.9, face=0.5).rank is None
    assert reading("Q", 0.9, face=0.1).side == "back"


def test_a_suit_is_answered_only_when_sure_and_only_of_a_face() -> None:
    suits = np.array([0.99, 0.01, 0.0, 0.0])
    assert Reading(np.full(13, 1 / 13), suits, np.array([1.0, 0.0, 0.0]), 0.0, 0.9).suit == "C"
    assert Reading(np.full(13, 1 / 13), suits, np.array([0.9, 0.1, 0.0]), 0.0, 0.9).suit is None
    assert reading("Q", suit="S", suit_sure=0.97).suit is None


def test_a_doubtful_suit_in_every_frame_adds_up_to_no_certainty() -> None:
    assert vote(*[reading("K", suit="S", suit_sure=0.9)] * 30).facts() == {"rank": "K"}


def test_a_sure_suit_here_and_there_is_chance() -> None:
    doubtful, sure = [reading("K", suit="S", suit_sure=0.9)] * 20, [reading("K", suit="S", suit_sure=0.995)]
    assert vote(*doubtful, *sure * 6).facts() == {"rank": "K"}
    assert vote(*doubtful, *sure * 7).facts() == {"rank": "K", "suit": "S"}


def test_frames_sure_of_two_suits_tell_neither() -> None:
    clubs, spades = reading("9", suit="C", suit_sure=0.995), reading("9", suit="S", suit_sure=0.995)
    assert vote(*[clubs] * 18, *[spades] * 2).facts() == {"rank": "9"}
    assert vote(*[clubs] * 19, spades).facts() == {"rank": "9", "suit": "C"}


def test_the_suits_of_two_votes_count_together() -> None:
    one, other = (vote(*[reading("9", suit="C", suit_sure=0.995)] * count) for count in (2, 1))
    assert "suit" not in one.facts()
    one.take_in(other)
    assert one.facts() == {"rank": "9", "suit": "C"}


def test_a_reader_beside_the_card_of_another_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "reader.onnx"
    path.symlink_to(READER)
    path.with_suffix(".json").write_text(json.dumps({"sha256": "0" * 64}), encoding="utf-8")
    with pytest.raises(ModelFault, match="not the one that its card describes"):
        CardReader(path)


def test_a_reading_of_the_wrong_shape_is_refused() -> None:
    with pytest.raises(ValueError, match=r"ranks has shape \(4,\)"):
        Reading(np.zeros(4), np.zeros(4), np.zeros(3), 0.0, 0.5)


def test_a_sure_frame_here_and_there_among_doubtful_ones_is_chance() -> None:
    doubtful, sure = [reading("10", 0.78, other="9")] * 30, [reading("10", 0.99)]
    assert vote(*doubtful, *sure * 3).rank is None
    assert vote(*doubtful, *sure * 10).rank == "10"


def test_two_votes_on_one_card_count_together() -> None:
    one, other = vote(reading("7"), reading("7")), vote(reading("7"))
    one.take_in(other)
    assert one.rank == "7"


def test_a_card_just_laid_down_is_not_settled_by_its_first_frames() -> None:
    first = vote(*[reading("10", 0.99)] * 3)
    assert first.rank == "10"
    assert not first.settled
    assert vote(*[reading("10", 0.99)] * 8).settled
    assert not vote(*[reading("10", 0.99)] * 3, *[reading("10", 0.78, other="9")] * 9).settled


def test_readings_under_a_hand_count_only_where_there_are_no_others() -> None:
    mixed = vote(*[reading("A")] * 3)
    for _ in range(20):
        mixed.add(reading("8", 0.5, other="A"), covered=True)
    assert mixed.rank == "A"
    hidden = RankVote()
    for _ in range(4):
        hidden.add(reading("4"), covered=True)
    assert hidden.rank == "4"
    hidden.add(reading("9"))
    assert hidden.rank is None
