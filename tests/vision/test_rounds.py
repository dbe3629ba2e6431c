"""When cards dealt start a round, and when one laid before a player is yet a card of the burn."""

from __future__ import annotations

from tests.vision.acts import BUCKET_MM, EXIT_MM, Act
from tests.vision.ledgers import burn, count, judge

PLAYER_MM, BANKER_MM = (130.0, 195.0), (-130.0, 195.0)


def deal_two(act: Act) -> None:
    """A card before the player and one before the banker."""
    for spot in (PLAYER_MM, BANKER_MM):
        act.carry([EXIT_MM, (-60.0, 215.0), spot], 0.7)
        act.wait(0.5)
    act.wait(1.0)


def clear_player(act: Act) -> None:
    """The player's card goes into the bucket."""
    act.lying = [card for card in act.lying if card[0] != PLAYER_MM]
    act.carry([PLAYER_MM, (250.0, 150.0), BUCKET_MM], 0.6)
    act.wait(1.5)


def test_two_cards_dealt_start_one_round() -> None:
    act = Act()
    act.wait(1.0)
    deal_two(act)
    events = judge(act)
    assert count(events, "round.start") == 1
    assert [f["zone"] for k, f in events if k == "card.place"] == ["player", "banker"]
    started = next(f["t_us"] for k, f in events if k == "round.start")
    drawn = next(f["t_us"] for k, f in events if k == "card.draw")
    assert abs(started - drawn) < 1_000_000


def test_a_card_laid_before_a_player_and_then_put_into_the_bucket_is_burned_and_starts_no_round() -> None:
    act = Act()
    burn(act, 1)
    act.carry([EXIT_MM, (-60.0, 215.0), PLAYER_MM], 0.7)
    act.wait(2.0)
    clear_player(act)
    events = judge(act)
    assert [f["index"] for k, f in events if k == "card.burn"][-1] == 2
    assert count(events, "round.start") == 0


def test_a_card_dealt_and_cleared_after_others_were_dealt_is_no_burn() -> None:
    act = Act()
    act.wait(1.0)
    deal_two(act)
    clear_player(act)
    events = judge(act)
    assert count(events, "card.burn") == 0
    assert count(events, "round.start") == 1
