"""Whose hand was at the shoe's exit, and which visit a card belongs to."""

from __future__ import annotations

from tests.vision.acts import EXIT_MM, hand
from tests.vision.ledgers import LAYOUT
from vision.hands import Hand
from vision.places import Places
from vision.visits import Visits

AT = (EXIT_MM[0] + 20.0, EXIT_MM[1] - 60.0)
AWAY = (100.0, 120.0)


def watch(spells: list[tuple[int, int]], until_us: int = 3_000_000) -> Visits:
    visits = Visits(Places(LAYOUT))
    for t_us in range(0, until_us, 50_000):
        there = any(a <= t_us < b for a, b in spells)
        visits.step(t_us, [Hand("left", hand(t_us, AT if there else AWAY))])
    return visits


def test_a_hand_that_comes_back_for_the_next_card_did_not_bring_this_one() -> None:
    visit = watch([(500_000, 1_100_000), (1_350_000, 1_800_000)], 1_450_000).of_draw(1_350_000)
    assert visit is not None
    assert (visit.from_us, visit.until_us, visit.side) == (500_000, 1_050_000, "left")


def test_a_visit_serves_one_draw() -> None:
    visits = watch([(500_000, 1_000_000)], 1_100_000)
    visit = visits.of_draw(1_000_000)
    assert visit is not None
    visit.used = True
    assert visits.of_draw(1_050_000) is None
    assert visits.before(1_050_000) is None


def test_a_visit_long_ago_explains_no_card() -> None:
    assert watch([(500_000, 1_000_000)]).of_draw(2_900_000) is None
    assert watch([(500_000, 1_000_000)]).before(2_900_000) is None


def test_a_hand_back_at_the_shoe_when_a_draw_is_known_late_is_there_for_another_card() -> None:
    visits = watch([(500_000, 2_500_000)], 2_600_000)
    visit = visits.before(1_000_000)
    assert visit is not None
    visits.take(visit, 1_200_000)
    assert (visit.from_us, visit.until_us, visit.used) == (500_000, 1_200_000, True)
    later = visits.before(2_500_000)
    assert later is not None
    assert (later.from_us, later.until_us, later.side) == (1_200_000, 2_450_000, "left")


def test_a_hand_that_leaves_with_its_card_was_not_there_for_another() -> None:
    visits = watch([(500_000, 1_000_000)], 1_100_000)
    visit = visits.before(1_000_000)
    assert visit is not None
    visits.take(visit, 900_000)
    assert visits.before(1_050_000) is None
