"""The ledger counts cards by evidence."""

from __future__ import annotations

from typing import Any

import pytest

from tests.vision.acts import BUCKET_MM, EXIT_MM, SHOWN_MM, Act
from tests.vision.ledgers import LAYOUT, PATH, Kinds, burn, count, judge
from vision.hands import Hands
from vision.ledger import Ledger
from vision.places import Places
from vision.track import CardTracker


@pytest.mark.parametrize("fps", [10.0, 12.5, 15.0, 30.0])
@pytest.mark.parametrize("additional", [0, 1, 6, 10])
def test_each_card_is_drawn_and_burned_once_at_any_frame_rate(fps: float, additional: int) -> None:
    act = Act(fps)
    burn(act, additional)
    events = judge(act)
    assert count(events, "card.draw") == additional + 1
    assert count(events, "card.burn") == additional
    assert [f["index"] for k, f in events if k == "card.burn"] == list(range(1, additional + 1))


@pytest.mark.parametrize("hidden", [(0.3, 0.6), (0.0, 0.25), (0.75, 1.0), (0.55, 0.85)])
def test_a_hand_over_part_of_the_way_changes_no_count(hidden: tuple[float, float]) -> None:
    act = Act()
    burn(act, 5, hidden=hidden)
    events = judge(act)
    assert count(events, "card.burn") == 5
    assert count(events, "card.draw") == 6


def test_the_first_card_is_placed_face_up() -> None:
    act = Act()
    burn(act, 1)
    place = next(f for k, f in judge(act) if k == "card.place")
    assert (place["zone"], place["face"]) == ("shuffle", "up")


def test_the_first_card_burned_last_keeps_index_0() -> None:
    act = Act()
    burn(act, 2)
    act.lying = act.lying[1:]
    act.carry([SHOWN_MM, (250.0, 150.0), BUCKET_MM], 0.6, cls="card_face")
    act.wait(1.0)
    burns = [f for k, f in judge(act) if k == "card.burn"]
    assert [(b["index"], b["face"]) for b in burns] == [(1, "down"), (2, "down"), (0, "up")]


def test_an_empty_hand_draws_nothing() -> None:
    act = Act()
    act.wait(1.0)
    act.carry([EXIT_MM, (0.0, 210.0), BUCKET_MM], 0.8, hidden=(0.0, 1.0), lies=False)
    act.wait(2.0)
    assert judge(act) == []


def test_a_card_dropped_and_picked_up_is_one_card() -> None:
    act = Act()
    act.wait(1.0)
    act.carry([EXIT_MM, (100.0, 320.0)], 0.6)
    act.wait(1.0)
    act.lying = []
    act.carry([(100.0, 320.0), (250.0, 150.0), BUCKET_MM], 0.6)
    act.wait(1.0)
    events = judge(act)
    assert [k for k, _ in events] == ["card.draw", "card.place", "card.burn"]


def test_a_card_beside_the_bucket_is_placed_not_burned() -> None:
    act = Act()
    act.wait(1.0)
    act.carry([EXIT_MM, (0.0, 210.0), (300.0, 200.0)], 0.8)
    act.wait(1.5)
    events = judge(act)
    assert count(events, "card.burn") == 0
    assert [f["zone"] for k, f in events if k == "card.place"] == ["elsewhere"]


@pytest.mark.parametrize("place", [BUCKET_MM, EXIT_MM, (0.0, 300.0)])
@pytest.mark.parametrize("beside", [False, True])
def test_a_box_that_is_elsewhere_in_one_look_is_no_act(place: tuple[float, float], beside: bool) -> None:
    act = Act()
    act.wait(1.0)
    act.carry([EXIT_MM, (100.0, 320.0)], 0.6)
    act.wait(1.0)
    for _ in range(3):
        there = act.lying
        act.lying = [*there, (place, "card_back")] if beside else [(place, "card_back")]
        act.wait(act.step_us / 1e6)
        act.lying = there
        act.wait(1.0)
    assert [k for k, _ in judge(act)] == ["card.draw", "card.place"]


def test_a_card_snatched_up_from_the_felt_is_no_new_draw() -> None:
    act = Act()
    burn(act, 0)
    act.lying = []
    act.carry([SHOWN_MM, (250.0, 150.0), BUCKET_MM], 0.6, cls="card_face", hidden=(0.0, 0.4))
    act.wait(1.0)
    events = judge(act)
    assert [k for k, _ in events] == ["card.draw", "card.place", "card.burn"]
    assert events[-1][1]["index"] == 0


def test_a_card_picked_up_under_the_hand_and_put_in_the_bucket_is_burned() -> None:
    act = Act()
    act.wait(1.0)
    act.carry([EXIT_MM, (300.0, 200.0)], 0.8)
    act.wait(1.5)
    act.lying = []
    act.carry([(300.0, 200.0), BUCKET_MM], 0.6, hidden=(0.0, 1.0), lies=False)
    act.wait(3.5)
    events = judge(act)
    assert [k for k, _ in events] == ["card.draw", "card.place", "card.burn"]


def test_of_a_card_that_vanishes_from_the_felt_nobody_knows_where_it_is() -> None:
    act = Act()
    act.wait(1.0)
    act.carry([EXIT_MM, (100.0, 320.0)], 0.8)
    act.wait(1.5)
    act.lying = []
    act.wait(5.0)
    places = [f for k, f in judge(act) if k == "card.place"]
    assert [p["zone"] for p in places] == ["shuffle", "unsure"]
    assert places[1]["confidence"] < 0.5


@pytest.mark.parametrize("apart_mm", [0.0, 20.0, 40.0])
def test_a_pile_on_the_felt_is_burned_whole_when_it_is_cleared(apart_mm: float) -> None:
    act = Act()
    act.wait(1.0)
    spots = [(80.0 + apart_mm * i, 330.0) for i in range(4)]
    for spot in spots:
        act.carry([EXIT_MM, (0.0, 260.0), spot], 0.8)
        act.lying = act.lying[-1:]  # only the uppermost can be seen
        act.wait(0.8)
    act.wait(6.5)
    act.lying = []
    act.carry([spots[-1], (300.0, 150.0), BUCKET_MM], 0.6, hidden=(0.0, 0.5))
    act.wait(2.0)
    events = judge(act)
    assert count(events, "card.draw") == 4
    assert count(events, "card.burn") == 4
    assert {f["zone"] for k, f in events if k == "card.place"} == {"shuffle"}


def test_only_the_uppermost_of_a_pile_is_burned_if_the_rest_shows_again() -> None:
    act = Act()
    act.wait(1.0)
    act.carry([EXIT_MM, (0.0, 260.0), (200.0, 330.0)], 0.8)
    act.wait(0.8)
    below = act.lying[-1]
    act.carry([EXIT_MM, (0.0, 260.0), (225.0, 330.0)], 0.8)
    act.lying = act.lying[-1:]
    act.wait(1.5)
    act.lying = [below]
    act.carry([(225.0, 330.0), (300.0, 150.0), BUCKET_MM], 0.8)
    act.wait(3.0)
    events = judge(act)
    assert count(events, "card.burn") == 1
    assert count(events, "card.draw") == 2


def test_a_card_that_a_hand_covers_all_the_way_is_drawn_where_it_comes_to_lie() -> None:
    act = Act()
    act.wait(1.0)
    act.carry([EXIT_MM, (-120.0, 200.0), SHOWN_MM], 0.8, cls="card_face", hidden=(0.0, 1.0))
    act.wait(2.5)
    events = judge(act)
    assert [(k, f.get("zone")) for k, f in events] == [("card.draw", None), ("card.place", "shuffle")]
    assert events[1][1]["face"] == "up"


def test_a_card_that_lies_there_from_the_start_was_not_drawn() -> None:
    act = Act()
    act.lying = [((100.0, 300.0), "card_face")]
    act.wait(1.0)
    act.carry([EXIT_MM, (0.0, 210.0)], 0.8, hidden=(0.0, 1.0), lies=False)
    act.wait(3.0)
    assert judge(act) == []


def test_nothing_is_drawn_from_a_shoe_whose_cards_are_on_the_table() -> None:
    events: Kinds = []

    def emit(kind: str, t_us: int, end_us: int, facts: dict[str, Any], confidence: float) -> None:
        events.append((kind, facts))

    act = Act()
    burn(act, 2)
    tracker, hands, ledger = CardTracker(), Hands(), Ledger(Places(LAYOUT), emit)
    for t_us, cards, hand_sightings in act.moments:
        tracker.step(t_us, cards, [h.quad_mm for h in hand_sightings])
        ledger.step(t_us, tracker.tracks, hands.step(t_us, hand_sightings), held=True)
    ledger.finish(act.t_us)
    assert events == []


def test_a_track_that_a_card_has_left_is_no_new_card() -> None:
    act = Act()
    act.wait(1.0)
    act.carry([EXIT_MM, (0.0, 210.0), (300.0, 150.0)], 0.7, lies=False)
    for i in range(12):  # one look the box is gone, then there are two, near each other
        spots = [((392.0, 75.0), "card_back"), ((428.0, 60.0), "card_back")][: 1 if i % 3 else 2]
        act._moment(spots if i else [], (300.0, 150.0))
    act.wait(2.0)
    events = judge(act)
    assert count(events, "card.draw") == 1
    assert count(events, "card.burn") == 1


def test_a_card_pulled_out_from_under_another_is_not_drawn_once_more() -> None:
    act = Act()
    burn(act, 0)
    act.lying = []  # the second card is laid upon the first, which is out of sight then
    act.carry([EXIT_MM, (-120.0, 200.0), SHOWN_MM], 0.7)
    act.wait(4.0)
    lies = act.lying.pop()
    for off_mm in (10.0, 30.0, 60.0, 110.0, 180.0, 260.0):
        under = ((SHOWN_MM[0] + off_mm, SHOWN_MM[1] - 0.3 * off_mm), "card_face")
        act._moment([under] if off_mm < 60.0 else [under, lies], under[0])
    act.lying = [lies, (BUCKET_MM, "card_face")]
    act.wait(2.0)
    events = judge(act, read=True)
    assert count(events, "card.draw") == 2
    assert [f["face"] for k, f in events if k == "card.burn"] in ([], ["up"])
    assert [f["index"] for k, f in events if k == "card.burn"] in ([], [0])


@pytest.mark.parametrize(("seconds", "sure"), [(2.0, False), (0.9, True)])
def test_what_goes_into_a_covered_bucket_is_not_surely_burned(seconds: float, sure: bool) -> None:
    act = Act()
    burn(act, 1)
    since_s = act.t_us / 1e6 + 0.4
    act.carry(PATH, 0.7)
    act.lying = act.lying[:1]
    act.wait(2.0)
    act.carry(PATH, 0.7)
    act.wait(1.0)
    burns = [f for k, f in judge(act, (since_s, since_s + seconds)) if k == "card.burn"]
    assert [f["confidence"] >= 0.5 for f in burns] == [True, sure, True]


def test_a_card_that_was_covered_for_a_while_is_told_once() -> None:
    act = Act()
    act.wait(1.0)
    act.carry([EXIT_MM, (0.0, 300.0)], 0.8)
    act.wait(1.0)
    for _ in range(2):
        lying, act.lying = act.lying, []
        act.wait(0.6)
        act.lying = lying
        act.wait(1.0)
    assert [k for k, _ in judge(act)] == ["card.draw", "card.place"]


@pytest.mark.parametrize("off_mm", [8.0, 25.0])
def test_a_face_that_falls_upon_a_back_in_the_bucket_is_seen(off_mm: float) -> None:
    act = Act()
    burn(act, 1)
    spot = (BUCKET_MM[0] + off_mm, BUCKET_MM[1])
    act.carry([EXIT_MM, (0.0, 210.0), spot], 0.7, cls="card_face")
    act.lying = [act.lying[0], (spot, "card_face")]
    act.wait(1.5)
    burns = [f for k, f in judge(act, read=True) if k == "card.burn"]
    assert [f["face"] for f in burns] == ["down", "up"]
    assert burns[1]["t_us"] < act.t_us - 1_000_000


def test_a_card_drawn_under_the_hand_is_drawn_when_the_hand_leaves_the_shoe() -> None:
    act = Act()
    for _ in range(45):  # a hand rests at the exit
        act._moment([], EXIT_MM)
    leaves_us = act.t_us
    act.carry([EXIT_MM, (-120.0, 200.0), SHOWN_MM], 0.8, cls="card_face", hidden=(0.0, 1.0))
    act.wait(2.5)
    draw = next(f for k, f in judge(act) if k == "card.draw")
    assert draw["t_us"] == pytest.approx(leaves_us, abs=600_000)
    assert draw["hand"] == "left"


def test_a_card_found_twice_on_its_way_goes_on_where_it_was_first() -> None:
    act = Act()
    act.wait(1.0)
    act.carry([EXIT_MM, (-120.0, 200.0), (0.0, 210.0)], 0.8, lies=False)
    here, there = ((0.0, 210.0), "card_back"), ((24.0, 198.0), "card_back")
    for seen in ([here, there], [here, there], [there], [there, here], [here], [here]):
        act._moment(seen, (-30.0, 140.0))
    act.lying = [here]
    act.wait(3.0)
    events = judge(act)
    assert [k for k, _ in events] == ["card.draw", "card.place"]
