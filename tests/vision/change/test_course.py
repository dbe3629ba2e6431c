"""The course of a cut, from the offer to the shoe, on scripted sightings: noise, lost boxes, 15 and 30 looks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.vision.change.script import CARD_MM, HOME, STRIP_MM, Script, of
from vision.change.box import Box
from vision.change.measures import Gauge, Measured, NoMeasures
from vision.measure.hue import Colour
from vision.sighting import Points

OFFERED = (-88.0, 340.0)  # towards seat 4
PIECE_MM = 49.0  # 160 cards


def offered(script: Script) -> tuple[Any, Any, Any]:
    """The stack stands before the dealer, is pushed to seat 4 at 1.5 s and let go; hands and stack."""
    script.chips(2, 4)
    left, right = script.dealer()
    stack = script.thing("stack", HOME, (CARD_MM, STRIP_MM))
    for hand, side in ((left, -1), (right, 1)):
        hand.to(0.9, (HOME[0] + side * 85, 160), 0.4)
        hand.to(1.5, (OFFERED[0] + side * 85, 240), 0.6)
        hand.to(2.2, (side * 150, 70), 0.4)
    stack.to(1.5, OFFERED, 0.6)
    return left, right, stack


def cut(script: Script) -> tuple[Any, Any, Any]:
    """... the player of seat 4 takes the cover card and puts it in, 160 cards from the top; the stack comes back."""
    left, right, stack = offered(script)
    player = script.thing("hand", (-560, 660), (95, 175), 0.7)
    cover = script.thing("cover_card", (60.0, 400.0), (63.5, 89))
    player.to(4.0, (20, 460), 0.7).to(5.0, (-70, 430), 0.8).to(6.6, (-560, 660), 0.8)
    cover.to(5.0, (OFFERED[0] + 20, OFFERED[1] + 14.0), 0.8, size=(89.0, 5.0))
    for hand, side in ((left, -1), (right, 1)):
        hand.to(8.0, (OFFERED[0] + side * 85, 240), 0.4).to(8.5, (HOME[0] + side * 85, 160), 0.6)
    stack.to(8.5, HOME, 0.6)
    cover.to(8.5, (HOME[0] + 20, HOME[1] + 14.0), 0.6)
    return left, right, stack


def moved(script: Script) -> None:
    """... and the packet above it goes to the back at 10.2 s; then all goes into the shoe at 14 s."""
    left, right, stack = cut(script)
    stack.until_s = 10.0
    rest_mm = STRIP_MM - PIECE_MM
    low = HOME[1] - STRIP_MM / 2
    rest = script.thing("stack", (0, low + rest_mm / 2), (CARD_MM, rest_mm), from_s=10.0, until_s=11.7)
    packet = script.thing(
        "stack", (0, low + rest_mm + PIECE_MM / 2 + 12), (CARD_MM, PIECE_MM), from_s=10.0, until_s=11.7
    )
    packet.to(10.4, (0, low - PIECE_MM / 2), 1.2)
    assert rest.until_s == packet.until_s
    for hand, side in ((left, -1), (right, 1)):
        hand.to(9.3, (side * 85, 230), 0.4).to(10.4, (side * 85, 110), 1.2).to(14.0, (-450 + side * 60, 100), 1.5)
        hand.to(16.2, (side * 150, 70), 0.5)
    whole = script.thing("stack", (0, HOME[1] - PIECE_MM), (CARD_MM, STRIP_MM), from_s=11.7, until_s=16.0)
    whole.to(14.0, (-470, 175), 1.5, angle=1.57)


@pytest.mark.parametrize(("seed", "fps"), [(1, 15.0), (2, 15.0), (3, 30.0)])
def test_an_offer_is_told_with_its_seat_and_outcome(seed: int, fps: float) -> None:
    script = Script(seed, fps=fps)
    cut(script)
    presents = of(script.play(11.0), "stack.present")
    assert [(f["seat"], f["outcome"]) for _, f in presents] == [("seat:4", "accepted")]
    assert presents[0][0] == pytest.approx(1.5, abs=0.4)


@pytest.mark.parametrize(("seed", "fps"), [(1, 15.0), (2, 15.0), (3, 30.0)])
def test_the_one_who_puts_the_cover_card_in_has_cut(seed: int, fps: float) -> None:
    script = Script(seed, fps=fps)
    cut(script)
    cuts = of(script.play(11.0), "cut.insert")
    assert [f["actor"] for _, f in cuts] == ["seat:4"]
    assert cuts[0][0] == pytest.approx(5.7, abs=0.6)
    assert cuts[0][1]["depth_cards_low"] <= 162 <= cuts[0][1]["depth_cards_high"]
    assert cuts[0][1]["from"] == "unsure"  # the stack stood there from the start: nobody saw which way its backs face


@pytest.mark.parametrize(("seed", "fps"), [(1, 15.0), (2, 15.0), (3, 30.0)])
def test_the_packet_goes_to_the_bottom_and_the_stack_into_the_shoe(seed: int, fps: float) -> None:
    script = Script(seed, fps=fps)
    moved(script)
    events = script.play(18.0)
    moves = of(events, "packet.move")
    assert [(f["actor"], f["to"], f["with_cover_card"]) for _, f in moves] == [("dealer", "bottom", True)]
    assert moves[0][0] == pytest.approx(10.4, abs=0.5)
    loads = of(events, "shoe.load")
    assert len(loads) == 1
    assert loads[0][0] == pytest.approx(14.0, abs=0.5)
    assert loads[0][1]["seen_share"] > 0.9


def test_a_stack_out_of_view_lowers_the_share_seen() -> None:
    script = Script(4)
    moved(script)
    for thing in script.things:
        if thing.cls == "stack":
            thing.hidden.append((12.0, 13.6))
    loads = of(script.play(18.0), "shoe.load")
    assert len(loads) == 1
    assert loads[0][1]["seen_share"] < 0.9


def test_an_offer_that_nobody_takes_is_refused_when_the_stack_is_drawn_back() -> None:
    script = Script(5)
    left, right, stack = offered(script)
    for hand, side in ((left, -1), (right, 1)):
        hand.to(4.0, (OFFERED[0] + side * 85, 240), 0.4).to(4.5, (HOME[0] + side * 85, 160), 0.6)
    stack.to(4.5, HOME, 0.6)
    presents = of(script.play(7.0), "stack.present")
    assert [(f["seat"], f["outcome"]) for _, f in presents] == [("seat:4", "refused")]


def test_a_stack_that_only_stands_there_is_not_offered() -> None:
    script = Script(6, lost=0.15, jitter_mm=2.5)
    script.chips(1, 2)
    script.dealer()
    script.thing("stack", HOME, (CARD_MM, STRIP_MM))
    events = script.play(8.0)
    assert {kind for kind, _, _ in events} == {"seat.occupy"}


def test_seats_are_occupied_by_chips_and_empty_ones_are_not() -> None:
    script = Script(7)
    script.chips(1, 3)
    script.dealer()
    occupied = of(script.play(4.0), "seat.occupy")
    assert {f["seat"] for _, f in occupied} == {"seat:1", "seat:3"}


class _Tells(NoMeasures):
    """Measures every depth as 158 cards from the top."""

    def depth(self, colours: Sequence[Colour] = ()) -> Gauge:
        return _Fixed()


class _Fixed:
    def __init__(self) -> None:
        self.looks = 0

    def add(self, t_us: int, frame: Any, stack: Box, cover_mm: Points | None) -> None:
        self.looks += 1

    def result(self) -> Measured:
        if self.looks < 5:
            return Measured(reason="too few looks")
        return Measured(158.0, 155.0, 161.0, {"lines_px": []})


class _Sees(NoMeasures):
    """Knows a cover card's colour by where it lies: left is blue, right is yellow; keeps what a depth is asked with."""

    def __init__(self) -> None:
        self.asked: list[list[float]] = []

    def colour(self, frame: Any, quad_mm: Points) -> Colour | None:
        return Colour(np.array([0.9, 0.2, 0.1] if quad_mm[:, 0].mean() < 0 else [0.1, 0.8, 0.9]))

    def depth(self, colours: Sequence[Colour] = ()) -> Gauge:
        self.asked += [c.light.tolist() for c in colours]
        return _Fixed()


@pytest.mark.parametrize("seed", [8, 9, 10])
def test_a_cover_card_that_lies_there_is_not_looked_for_in_the_stack(seed: int) -> None:
    script, measures = Script(seed), _Sees()
    cut(script)
    script.thing("cover_card", (-280.0, 340.0), (63.5, 89))
    assert len(of(script.play(11.0, measures=measures), "cut.insert")) == 1
    assert measures.asked == [[0.1, 0.8, 0.9]]


def test_the_measured_depth_and_its_marks_are_the_events() -> None:
    script = Script(8)
    cut(script)
    facts = of(script.play(11.0, measures=_Tells()), "cut.insert")[0][1]
    assert (facts["depth_cards"], facts["depth_cards_low"], facts["depth_cards_high"]) == (158.0, 155.0, 161.0)
    assert facts["marks"] == {"lines_px": []}
