"""What was in view: losses from reports, in any order, and what they leave."""

from __future__ import annotations

from itertools import permutations

import pytest

from rules.coverage import Coverage, Loss, losses, merged, within
from rules.event import Event


def view(kind: str, t_us: int, end_us: int | None = None, zone: str = "shoe", cause: str = "hand") -> Event:
    facts = {"zone": zone} | ({"cause": cause} if cause else {})
    return Event(f"{kind}@{t_us}", "t", f"view.{kind}", t_us, t_us if end_us is None else end_us, facts)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_loss_ends_with_its_own_return_whatever_the_order(order: tuple[int, ...]) -> None:
    events = [view("lost", 10), view("back", 20), view("lost", 40)]
    assert losses([events[i] for i in order]) == [Loss("shoe", "hand", 10, 20), Loss("shoe", "hand", 40, None)]


def test_a_loss_that_lasts_ends_with_itself_unless_a_return_is_told() -> None:
    assert losses([view("lost", 10, 20)]) == [Loss("shoe", "hand", 10, 20)]
    assert losses([view("lost", 10, 20), view("back", 30)]) == [Loss("shoe", "hand", 10, 30)]
    told = [view("lost", 10, 20), view("lost", 40), view("back", 50)]
    assert losses(told) == [Loss("shoe", "hand", 10, 20), Loss("shoe", "hand", 40, 50)]


def test_a_return_of_another_cause_ends_nothing_and_one_without_a_cause_everything() -> None:
    assert losses([view("lost", 10), view("back", 20, cause="dark")]) == [Loss("shoe", "hand", 10, None)]
    assert losses([view("lost", 10), view("back", 20, cause="")]) == [Loss("shoe", "hand", 10, 20)]
    assert losses([view("lost", 10), view("back", 20, zone="discard")]) == [Loss("shoe", "hand", 10, None)]


def test_without_losses_everything_was_seen() -> None:
    assert Coverage().share(0, 100, ["shoe"]) == 1.0
    assert Coverage().whole(0, 100, ["shoe"])


def test_shares_gaps_and_the_longest_gap() -> None:
    seen = Coverage([Loss("shoe", "", 10, 30), Loss("table", "", 20, 40), Loss("discard", "", 60, None)])
    assert seen.gaps(0, 100, ["shoe"]) == [(10, 40)]
    assert seen.gaps(0, 100, ["shoe", "discard"]) == [(10, 40), (60, 100)]
    assert seen.share(0, 100, ["shoe"]) == pytest.approx(0.7)
    assert seen.longest_us(0, 100, ["shoe", "discard"]) == 40
    assert seen.longest_us(41, 59, ["shoe", "discard"]) == 0
    assert not seen.whole(40, 50, ["shoe"])
    assert seen.whole(41, 59, ["shoe", "discard"])
    assert seen.share(15, 15, ["shoe"]) == 0.0
    assert seen.share(50, 50, ["shoe"]) == 1.0


def test_what_ended_long_ago_is_let_go() -> None:
    told = [view("lost", 10), view("back", 20), view("lost", 30), view("lost", 50, zone="table")]
    assert losses(within(told, [(25, None)])) == [Loss("shoe", "hand", 30, None), Loss("table", "hand", 50, None)]
    assert within(told[:2], [(25, None)]) == []
    ended = [*told[:3], view("back", 40), view("lost", 50), view("back", 60)]
    assert losses(within(ended, [(0, 15), (55, None)])) == [
        Loss("shoe", "hand", 10, 20),
        Loss("shoe", "hand", 50, 60),
    ]


def test_merged_times_do_not_overlap() -> None:
    assert merged([(5, 6), (1, 3), (2, 4), (4, 5)]) == [(1, 6)]
