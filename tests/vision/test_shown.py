"""When the first card's rank is told."""

from __future__ import annotations

from tests.vision.acts import Act
from tests.vision.ledgers import burn, count, judge


def test_the_first_cards_rank_is_told_while_it_lies_there_and_only_once() -> None:
    act = Act()
    burn(act, 3, seconds=1.2)
    events = judge(act, read=True, rank="7", rank_s=2.5)
    told = [(k, f) for k, f in events if f.get("rank") is not None]
    assert [k for k, _ in told] == ["card.exposed"]
    shown = told[0][1]
    assert (shown["rank"], shown["source"], shown["zone"], shown["card"]) == ("7", "shoe", "shuffle", 1)
    laid_us = next(f["t_us"] for k, f in events if k == "card.place")
    assert shown["t_us"] == laid_us
    assert 1_000_000 < shown["duration_us"] < 3_000_000
    assert [k for k, _ in events].index("card.exposed") < [k for k, _ in events].index("card.burn")


def test_nothing_is_told_of_a_card_that_nobody_could_read() -> None:
    act = Act()
    burn(act, 3)
    assert count(judge(act, read=True), "card.exposed") == 0
