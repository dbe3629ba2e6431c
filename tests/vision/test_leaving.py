"""Cards leaving the shoe that show little of it: a back in the window, two looks in the fingers, a place close by."""

from __future__ import annotations

import pytest

from tests.vision.acts import BUCKET_MM, EXIT_MM, SHOWN_MM, Act
from tests.vision.ledgers import PATH, burn, count, judge

WINDOW_MM, DEEP_MM = (-325.0, 175.0), (-372.0, 175.0)
HANDED_MM = (60.0, 130.0)


def _from_window(act: Act) -> None:
    """A card whose back shows in the shoe's window is drawn and burned."""
    act.lying.append((WINDOW_MM, "card_back"))
    act.carry([EXIT_MM, EXIT_MM], 0.1, hidden=(0.0, 1.0), lies=False)
    act.lying.pop()
    act.carry(PATH, 0.7, lies=False)


def test_a_card_seen_twice_in_the_fingers_that_came_from_the_shoe_was_drawn() -> None:
    act = Act(15.0)
    burn(act, 2)
    act.lying = act.lying[:1]
    act.carry([EXIT_MM, (-120.0, 200.0)], 0.4, hidden=(0.0, 1.0), lies=False)
    act.look((-25.0, 150.0))
    act.look(HANDED_MM)
    act.carry([HANDED_MM, (250.0, 150.0), BUCKET_MM], 0.6, hidden=(0.0, 1.0), lies=False)
    act.wait(3.5)
    events = judge(act)
    assert count(events, "card.draw") == 4
    assert count(events, "card.burn") == 3
    assert [f["confidence"] < 1.0 for k, f in events if k == "card.draw"] == [False, False, False, True]


def test_a_card_that_comes_as_little_from_elsewhere_was_not() -> None:
    act = Act(15.0)
    act.wait(3.0)
    act.carry([(0.0, 330.0), (90.0, 330.0)], 0.3, lies=False)
    act.wait(1.0)
    assert judge(act) == []


def test_what_shows_twice_in_the_fingers_before_the_shoe_gave_a_card_may_be_of_the_shuffle() -> None:
    act = Act(15.0)
    act.wait(1.0)
    act.carry([EXIT_MM, (-120.0, 200.0)], 0.4, hidden=(0.0, 1.0), lies=False)
    act.look((-25.0, 150.0))
    act.look(HANDED_MM)
    act.carry([HANDED_MM, (250.0, 150.0), (200.0, 250.0)], 0.6, hidden=(0.0, 1.0), lies=False)
    act.wait(3.5)
    assert judge(act) == []


def test_a_card_laid_close_to_the_shoe_under_the_hand_was_drawn() -> None:
    act = Act(15.0)
    burn(act, 0)
    act.carry([EXIT_MM, (-190.0, 215.0)], 0.6, hidden=(0.0, 0.8))
    act.wait(2.0)
    events = judge(act)
    assert [f["zone"] for k, f in events if k == "card.place"] == ["shuffle", "banker"]
    assert count(events, "card.draw") == 2


def test_a_back_that_stays_in_the_mouth_of_the_shoe_is_not_drawn() -> None:
    act = Act(15.0)
    burn(act, 0)
    act.lying.append(((-262.0, 175.0), "card_back"))
    act.carry([EXIT_MM, EXIT_MM], 0.3, hidden=(0.0, 1.0), lies=False)
    act.wait(2.0)
    assert count(judge(act), "card.draw") == 1


def test_a_draw_out_of_the_window_takes_up_the_hands_visit() -> None:
    act = Act(15.0)
    burn(act, 0)
    _from_window(act)
    act.carry([(0.0, 330.0), (200.0, 330.0)], 0.5)  # no hand has been at the shoe for this one
    act.wait(1.0)
    events = judge(act)
    assert count(events, "card.draw") == 2


@pytest.mark.parametrize("slowly", [False, True])
def test_a_back_long_in_the_window_is_drawn_when_it_leaves_it(slowly: bool) -> None:
    """... or, seen on its way out of the shoe, when it moves."""
    act = Act(15.0)
    act.lying.append((DEEP_MM if slowly else WINDOW_MM, "card_back"))
    act.wait(5.0)
    act.carry([EXIT_MM, EXIT_MM], 0.1, hidden=(0.0, 1.0), lies=False)
    act.lying.pop()
    if slowly:
        act.carry([(-350.0, 175.0), (-300.0, 175.0)], 0.3, lies=False)
    act.carry([EXIT_MM, (-120.0, 200.0), SHOWN_MM], 0.6)
    act.wait(1.0)
    drawn = [f for k, f in judge(act) if k == "card.draw"]
    assert len(drawn) == 1
    assert 4.5e6 < drawn[0]["t_us"] < 5.6e6


def test_the_next_card_is_not_the_one_that_was_lost_on_its_way_into_the_bucket() -> None:
    act = Act(15.0)
    burn(act, 0)
    act.carry([EXIT_MM, HANDED_MM, (250.0, 100.0)], 0.5, lies=False)
    act.carry([EXIT_MM, (-120.0, 200.0)], 0.1, hidden=(0.0, 1.0), lies=False)
    act.look((-25.0, 150.0))
    act.look(HANDED_MM)
    act.look((200.0, 110.0))
    act.carry([(250.0, 100.0), BUCKET_MM], 0.3, hidden=(0.0, 1.0), lies=False)
    act.wait(3.5)
    drawn = [f["confidence"] for k, f in judge(act) if k == "card.draw"]
    assert drawn == [1.0, 1.0, pytest.approx(0.65)]


def test_a_card_lost_on_its_way_into_the_bucket_shows_again_if_no_hand_was_at_the_shoe() -> None:
    act = Act(15.0)
    burn(act, 0)
    act.carry([EXIT_MM, HANDED_MM, (250.0, 100.0)], 0.5, lies=False)
    act.carry([(250.0, 100.0), HANDED_MM], 0.2, hidden=(0.0, 1.0), lies=False)
    act.look((50.0, 150.0))
    act.look((-20.0, 170.0))
    act.carry([(-25.0, 170.0), BUCKET_MM], 0.5, lies=False)
    act.wait(3.5)
    assert count(judge(act), "card.draw") == 2
