"""What scenes close to the stack showed: cover cards mixed up, cuts made before, offers to seats out of the picture."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from tests.vision.change.script import CARD_MM, HOME, STRIP_MM, Script, of, quad
from tests.vision.change.test_course import _Tells, moved
from vision.change.before import Before
from vision.change.box import Box
from vision.change.covercard import CoverCard, stay
from vision.change.covers import Covers
from vision.change.gauges import _Ribbon
from vision.change.look import Look
from vision.change.pose import Poses
from vision.change.putting import into_stack
from vision.change.stand import Stand
from vision.measure.reading import Marks
from vision.measure.ribbon import RibbonReading
from vision.sighting import Sighting

FLAT = (63.5, 89.0)
STANDING = Box(np.array(HOME), np.array([0.0, 1.0]), STRIP_MM, CARD_MM)


def seen(t_us: int, *covers: tuple[tuple[float, float], tuple[float, float], float]) -> Look:
    """A look at cover cards (place, size, score)."""
    return Look(t_us, covers=[Sighting(t_us, "cover_card", quad(at, size, 0.0), score) for at, size, score in covers])


def lying(covers: Covers, *places: tuple[float, float]) -> int:
    """Cover cards that lie there for a second; returns the time."""
    for t_us in range(0, 1_000_000, 66_000):
        covers.step(seen(t_us, *((at, FLAT, 0.9) for at in places)), STANDING, None)
    return 1_000_000


def test_what_is_hardly_seen_elsewhere_is_not_the_cover_card_that_lies_there() -> None:
    covers = Covers()
    t_us = lying(covers, (250.0, 330.0), (295.0, 340.0))
    near_end = (HOME[0], HOME[1] - STRIP_MM / 2)
    covers.step(seen(t_us, (near_end, (88.0, 22.0), 0.28)), STANDING, None)
    assert [covers.seen_at(card, t_us) for card in covers.known] == [None, None]
    covers.step(seen(t_us + 66_000, ((250.0, 330.0), FLAT, 0.9), (near_end, (88.0, 22.0), 0.28)), STANDING, None)
    again = [covers.seen_at(card, t_us + 66_000) for card in covers.known]
    assert [None if s is None else round(float(s.centre_mm[0])) for s in again] == [250, None]


def test_a_part_of_a_cover_card_and_the_whole_are_one() -> None:
    covers = Covers()
    covers.step(seen(0, ((250.0, 330.0), FLAT, 0.5), ((250.0, 310.0), (60.0, 45.0), 0.8)), STANDING, None)
    assert len(covers.known) == 1


def test_what_an_arm_leaves_of_the_standing_stack_is_no_cover_card() -> None:
    covers = Covers()
    covers.step(seen(0, ((HOME[0] + 10, HOME[1]), (60.0, 90.0), 0.6)), STANDING, None)
    assert covers.known == []


def test_a_cover_card_that_lies_where_it_lay_was_hidden_and_not_put_in() -> None:
    covers = Covers()
    begun_us = lying(covers, (250.0, 330.0), (295.0, 340.0))
    covers._covers[0].place = "stack"  # as after a hand that hid it and went to the stack
    removed = []
    for t_us in range(begun_us, begun_us + 1_500_000, 66_000):
        covers.step(seen(t_us, ((250.0, 330.0), FLAT, 0.9), ((295.0, 340.0), FLAT, 0.9)), STANDING, None)
        removed += covers.removed
    assert [removal.back for removal in removed] == [True]


@pytest.mark.parametrize(("scores", "put"), [((), True), ((0.4,), True), ((0.4, 0.4), False), ((0.7,), False)])
def test_a_cuff_that_looks_like_a_cover_card_once_does_not_undo_a_cut(scores: tuple[float, ...], put: bool) -> None:
    """The hand worked at the stack for a second and is gone; meanwhile something was seen 150 mm from it."""
    cover = CoverCard(1, Sighting(0, "cover_card", quad((250.0, 330.0), FLAT, 0.0), 0.9), "hand", taken=True)
    cover.lay_mm = np.array([250.0, 330.0])
    cover.work = [(t_us, np.array([40.0, 270.0])) for t_us in range(400_000, 1_400_000, 66_000)]
    for number, score in enumerate(scores):
        at_us = 1_000_000 + 66_000 * number
        cover.add(Sighting(at_us, "cover_card", quad((150.0, 300.0), (64.0, 76.0), 0.0), score))
    told = into_stack(Look(2_200_000), cover, STANDING, stay(cover.work, 14.0), beside_ribbon=False)
    assert (told is not None) == put


def test_a_cover_card_carried_over_a_ribbon_is_not_the_one_that_lies_in_it() -> None:
    covers = Covers()
    ribbon = Box(np.array([0.0, 181.0]), np.array([1.0, 0.0]), 434.0, 106.0)
    end, way = (186.0, 187.0), ((285.0, 349.0), (253.0, 321.0), (215.0, 285.0), (162.0, 240.0), (105.0, 190.0))
    for t_us in range(0, 1_000_000, 66_000):
        covers.step(seen(t_us, (way[0], FLAT, 0.9), (end, FLAT, 0.6)), None, ribbon, 0)
    carried = next(c for c in covers._covers if c.last.centre_mm[0] > 250.0)
    lies = next(c for c in covers._covers if c is not carried)
    carried.place, carried.rest_us, lies.place = "hand", None, "ribbon"
    for number, place in enumerate(way[1:], start=16):
        covers.step(seen(number * 66_000, (place, FLAT, 0.9)), None, ribbon, 0)
    assert carried.last.centre_mm[0] == pytest.approx(105.0)
    assert lies.last.centre_mm[0] == pytest.approx(186.0)


def reading(count: int, below: int | None) -> RibbonReading:
    """One frame's, quite sure of itself."""
    doubt = {} if below is None else {below: 0.0, below + 1: 15.0}
    return RibbonReading(0, count, count, count, (), below, below or 0, below or 0, Marks(0, ()), {count: 0.0}, doubt)


def test_frames_of_a_ribbon_that_is_being_gathered_do_not_count() -> None:
    gauge = _Ribbon(cast(Any, None))
    gauge.readings = [reading(27, None), reading(27, 24), reading(27, 24), reading(26, 22), reading(25, 22)]
    assert gauge.result().value == 24.0


def test_frames_that_disagree_on_the_ribbon_as_it_lay_tell_nothing() -> None:
    gauge = _Ribbon(cast(Any, None))
    gauge.readings = [reading(27, 24), reading(27, 12), reading(27, 5)]
    assert not gauge.result().known


def stand(*, tipped_us: int | None = None) -> Stand:
    """A stack that rests on edge."""
    packet = SimpleNamespace(rest_us=0)
    return cast(Stand, SimpleNamespace(rest=STANDING, packet=packet, moved=None, tipped_us=tipped_us))


@pytest.mark.parametrize(("tipped_us", "found"), [(None, True), (400_000, False)])
def test_a_cover_card_in_a_stack_that_stood_there_is_measured_unless_it_was_tipped_up(
    tipped_us: int | None, found: bool
) -> None:
    before = Before(_Tells())
    for t_us in range(0, 600_000, 66_000):
        before.step(Look(t_us, frame=object()), stand(tipped_us=tipped_us), Covers())
    assert before.found is found
    assert before.depth().known is found


def test_a_whole_stack_that_lies_is_told_from_one_on_edge() -> None:
    poses = Poses(416)
    assert poses.lies(Box(np.zeros(2), np.array([1.0, 0.0]), 88.9, 63.5))
    assert not poses.lies(STANDING)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_packet_as_long_as_it_should_be_leaves_no_doubt_of_cards_left_behind(seed: int) -> None:
    script = Script(seed)
    moved(script)
    moves = of(script.play(13.0, measures=_Tells()), "packet.move")
    assert [f["cards"] for _, f in moves] == [158.0]
    assert "left_behind_cards" not in moves[0][1]


def regripped(script: Script) -> None:
    """A stack is tipped up, pushed between seats 1 and 2, let go, gripped anew in its place, and drawn back."""
    hands = script.dealer()
    script.thing("stack", HOME, (CARD_MM, 63.5), until_s=1.2)
    stack = script.thing("stack", HOME, (CARD_MM, STRIP_MM), from_s=1.2)
    there = (HOME[0] + 105.0, HOME[1] + 57.0)
    for hand, side in zip(hands, (-1, 1), strict=True):
        hand.to(1.9, (HOME[0] + side * 85, 160), 0.4).to(2.5, (there[0] + side * 85, 220), 0.6)
        hand.to(3.2, (side * 150, 70), 0.4).to(4.6, (there[0] + side * 85, 220), 0.4)
        hand.to(5.8, (side * 150, 70), 0.4).to(7.2, (there[0] + side * 85, 220), 0.4)
        hand.to(7.8, (HOME[0] + side * 85, 160), 0.6).to(8.6, (side * 150, 70), 0.4)
    stack.to(2.5, there, 0.6).to(7.8, HOME, 0.6)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_where_nobody_is_seen_to_sit_a_stack_gripped_anew_is_offered_anew(seed: int) -> None:
    script = Script(seed)
    regripped(script)
    offers = of(script.play(10.0), "stack.present")
    assert [f["seat"] for _, f in offers] == ["unsure", "unsure"]
    assert offers[0][1]["tipped_us"] == pytest.approx(1_250_000, abs=350_000)
    assert "tipped_us" not in offers[1][1]
