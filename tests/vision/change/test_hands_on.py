"""What real detections showed: riffles under still hands, ribbons drawn out, hands that swap, covers that are none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.vision.change.script import CARD_MM, HOME, STRIP_MM, Script, of
from tests.vision.change.test_course import OFFERED, cut, offered
from vision.change.box import Box
from vision.change.pose import Poses
from vision.change.unseen import unbroken

LEFT, RIGHT = (-45.0, 250.0), (45.0, 250.0)


def riffled(script: Script, *, sliding: bool = False) -> None:
    """Two packets side by side from 1 s to 2.4 s, a still hand at each, then one stack; `sliding`: pushed together."""
    hands = script.dealer()
    until_s = 2.0 if sliding else 2.45
    packets = [script.thing("stack", place, (64.0, 89.0), until_s=until_s) for place in (LEFT, RIGHT)]
    script.thing("stack", (0.0, 250.0), (89.0, 92.0), from_s=until_s)
    for hand, packet, (x, y), side in zip(hands, packets, (LEFT, RIGHT), (-1, 1), strict=True):
        hand.to(0.6, (x + side * 35, y - 70), 0.4)
        if sliding:
            hand.to(1.3, (side * 40, y - 70), 0.7)
            packet.to(1.3, (side * 12.0, y), 0.7)
        hand.to(2.7, (side * 150, 70), 0.4)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_still_hands_at_two_packets_that_become_one_riffle(seed: int) -> None:
    script = Script(seed)
    riffled(script)
    riffles = of(script.play(6.0), "shuffle.riffle")
    assert len(riffles) == 1
    assert riffles[0][0] == pytest.approx(1.0, abs=0.4)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_hands_that_slide_halves_together_do_not(seed: int) -> None:
    script = Script(seed)
    riffled(script, sliding=True)
    assert of(script.play(6.0), "shuffle.riffle") == []


@pytest.mark.parametrize("pushed", [False, True])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_back_drawn_out_along_a_line_lays_a_ribbon_into_which_a_cover_card_goes(seed: int, pushed: bool) -> None:
    """Whatever is done with the stack meanwhile: as `pushed`, it is on its way when the cover card goes in."""
    script = Script(seed)
    script.chips(2, 4)
    left, right = script.dealer()
    stack = script.thing("stack", (0.0, 390.0), (CARD_MM, STRIP_MM))
    if pushed:
        stack.to(5.2, (0.0, 450.0), 1.6)
        right.to(4.8, (40.0, 400.0), 0.4).to(5.2, (40.0, 460.0), 1.6)
    top = script.thing("card_back", (120.0, 190.0), (63.5, 89.0), from_s=2.0)
    top.to(2.5, (-110.0, 190.0), 1.2)
    cover = script.thing("cover_card", (260.0, 300.0), (63.5, 89.0))
    cover.to(5.0, (-20.0, 150.0), 0.9)
    left.to(1.8, (120, 120), 0.5).to(2.5, (-110, 120), 1.2).to(4.2, (250, 250), 0.6).to(5.0, (-20, 90), 0.9)
    left.to(6.5, (-150, 70), 0.5)
    inserts = of(script.play(9.0), "cover.insert")
    assert [f["which"] for _, f in inserts] == [2]
    assert inserts[0][0] == pytest.approx(5.6, abs=0.7)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_looks_like_a_third_cover_card_is_never_put_in(seed: int) -> None:
    script = Script(seed)
    offered(script)
    for place in ((-280.0, 340.0), (-190.0, 340.0)):
        script.thing("cover_card", place, (63.5, 89.0))
    bogus = script.thing("cover_card", (0.0, 200.0), (60.0, 80.0), from_s=0.9, until_s=2.6)
    bogus.to(1.5, (OFFERED[0], OFFERED[1] - 60), 0.6)
    assert of(script.play(9.0), "cut.insert") == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_cut_is_told_though_the_hand_was_lost_and_found_on_its_way(seed: int) -> None:
    script = Script(seed)
    cut(script)
    player = next(t for t in script.things if t.cls == "hand" and t.keys[0].centre == (-560, 660))
    player.hidden.append((5.1, 5.45))
    script.thing("hand", (-10.0, 400.0), (95.0, 150.0), 0.7, from_s=5.0, until_s=5.15)
    assert [f["actor"] for _, f in of(script.play(11.0), "cut.insert")] == ["seat:4"]


def test_a_stack_that_is_only_tipped_up_is_not_squared() -> None:
    script = Script(5)
    left, right = script.dealer()
    stack = script.thing("stack", HOME, (CARD_MM, 64.0))
    for hand, side in ((left, -1), (right, 1)):
        hand.to(1.0, (side * 55, 220), 0.3).to(4.0, (side * 150, 70), 0.4)
    stack.to(2.4, HOME, 0.5, size=(CARD_MM, STRIP_MM))
    assert of(script.play(7.0), "stack.square") == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_stack_under_a_players_hand_has_not_moved(seed: int) -> None:
    script = Script(seed)
    _, _, stack = offered(script)
    player = script.thing("hand", (-560, 660), (95, 175), 0.7)
    player.to(4.0, (OFFERED[0], OFFERED[1] + 90), 0.7).to(6.6, (-560, 660), 0.8)
    stack.hidden.append((4.7, 6.7))
    script.thing("stack", (OFFERED[0], OFFERED[1] - 32), (CARD_MM, STRIP_MM - 64), from_s=4.7, until_s=6.7)
    assert len(of(script.play(9.0), "stack.present")) == 1


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_cards_all_over_the_table_are_washed_and_no_stack_stands_among_them(seed: int) -> None:
    script = Script(seed)
    left, right = script.dealer()
    places = [(-180, 200), (-90, 330), (0, 180), (90, 320), (180, 210), (120, 140), (-120, 150)]
    for x, y in places:
        script.thing("card_back", (x, y), (63.5, 89.0), 0.3 * x / 90, until_s=4.5)
    script.thing("stack", (0.0, 250.0), (STRIP_MM, CARD_MM), until_s=4.5)
    for hand, side in ((left, -1), (right, 1)):
        for k in range(8):
            hand.to(0.6 + 0.45 * k, (side * (60 + 60 * (k % 2)), 190 + 60 * (k % 2)), 0.4)
        hand.to(4.6, (side * 150, 70), 0.4)
    events = script.play(8.0)
    assert len(of(events, "shuffle.wash")) == 1
    assert of(events, "stack.present") == []
    assert of(events, "packet.move") == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_hands_that_push_a_standing_laced_stack_in_line_square_it(seed: int) -> None:
    script = Script(seed)
    left, right = riffled_stack(script)
    for hand, side in ((left, -1), (right, 1)):
        hand.to(8.2, (side * 85, 200), 0.35).to(9.4, (side * 150, 70), 0.4)
    squares = of(script.play(12.0), "stack.square")
    assert len(squares) == 1
    assert squares[0][0] == pytest.approx(8.4, abs=0.5)


def riffled_stack(script: Script) -> tuple[Any, Any]:
    """Two packets are riffled; the laced stack is tipped up and stands, as wide as its lacing, until 8.6 s."""
    riffled(script)
    left, right = (t for t in script.things if t.cls == "hand")
    for hand, side in ((left, -1), (right, 1)):
        hand.to(4.0, (side * 70, 190), 0.4).to(5.6, (side * 150, 70), 0.4)
    for thing in script.things:
        if thing.cls == "stack":
            thing.until_s = min(thing.until_s, 4.9)
    stack = script.thing("stack", HOME, (CARD_MM + 20, STRIP_MM), from_s=4.9)
    stack.to(8.6, HOME, 0.5, size=(CARD_MM, STRIP_MM))
    return left, right


@pytest.mark.parametrize(("size", "known"), [((97.0, 95.0), False), ((95.0, 97.0), True)])
def test_the_strip_of_six_decks_runs_up_the_table_though_its_outline_is_square(
    size: tuple[float, float], known: bool
) -> None:
    box = Box(np.array([0.0, 260.0]), np.array([1.0, 0.0]), *size)
    found = Poses(312).stands(box, known=known)
    assert found is not None
    assert abs(float(found.along[1])) > 0.9


def test_hands_that_came_from_elsewhere_have_not_gone_along_the_strip() -> None:
    way = [(0, 206.0), (1_800_000, -53.0), (1_870_000, -27.0), (1_930_000, -23.0)]
    assert unbroken(way) == way[1:]
    assert unbroken(way[1:]) == way[1:]
