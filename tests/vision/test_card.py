"""What is kept of a card."""

from __future__ import annotations

from tests.vision.acts import EXIT_MM, SHOWN_MM, card
from vision.card import Card
from vision.vote import RankVote

STEP_US = 66_667


def test_of_a_card_that_lies_for_hours_the_beginning_and_the_latest_are_kept() -> None:
    lying = Card(1, "shoe", 0, "left", None, RankVote())
    for i in range(20_000):
        lying.see(card(i * STEP_US, EXIT_MM if i < 5 else SHOWN_MM, "card_back" if i < 5 else "card_face"))
        lying.placed_us = lying.placed_us or (i * STEP_US if i > 8 else None)
    assert len(lying.sightings) <= 1200
    assert [s.t_us for s in lying.sightings[:100]] == [i * STEP_US for i in range(100)]
    assert lying.last.t_us == 19_999 * STEP_US
    assert lying.turned_us == 5 * STEP_US
