"""What counts as having read the first card's rank."""

from __future__ import annotations

from pitwatch.evaluation_burn import first_rank
from rules.event import Event

SHOWN = Event("1", "t", "card.burn", 1, 2, {"zone": "discard", "face": "up", "index": 0}, 1.0)
PLAY = Event("2", "t", "round.start", 5, 5, {"round": 1}, 1.0)


def test_the_rank_of_a_dealt_card_is_not_the_first_cards() -> None:
    dealt = Event("3", "t", "card.place", 6, 7, {"zone": "player", "face": "up", "rank": "9"}, 1.0)
    assert first_rank([SHOWN, PLAY, dealt]) is None


def test_the_first_cards_rank_may_be_read_when_it_is_laid_down() -> None:
    laid = Event("0", "t", "card.place", 0, 1, {"zone": "elsewhere", "face": "up", "rank": "K"}, 1.0)
    assert first_rank([SHOWN, laid, PLAY]) == "K"


def test_an_additional_card_that_shows_its_face_is_not_the_first() -> None:
    another = Event("x", "t", "card.burn", 9, 9, {"zone": "discard", "face": "up", "index": 3, "rank": "6"}, 1.0)
    assert first_rank([another, PLAY]) is None
