"""Which way the backs face, told from how the stack was tipped up."""

from __future__ import annotations

import pytest

from tests.vision.change.script import CARD_MM, HOME, STRIP_MM, Script, of


def tipped(script: Script, side: int, *, back: bool = True) -> object:
    """A stack that lies flat is tipped up at 2 s, its back showing on one side (+1: the players'); offered at 5 s."""
    script.chips(2, 4)
    left, right = script.dealer()
    stack = script.thing("stack", HOME, (CARD_MM, 64.0))
    stack.to(2.0, HOME, 0.9, size=(CARD_MM, STRIP_MM)).to(5.0, (-88.0, 340.0), 0.6)
    if back:
        top = script.thing("card_back", HOME, (CARD_MM, 63.0), until_s=2.85)
        top.to(2.0, (HOME[0], HOME[1] + side * 50.0), 0.9, size=(CARD_MM, 20.0))
    for hand, x in ((left, -1), (right, 1)):
        hand.to(1.4, (x * 85, 200), 0.4).to(3.1, (x * 150, 70), 0.4)
        hand.to(4.4, (x * 85, 180), 0.4).to(5.0, (-88 + x * 85, 240), 0.6).to(5.7, (x * 150, 70), 0.4)
    presents = of(script.play(9.0), "stack.present")
    assert len(presents) == 1
    return presents[0][1]["backs_away"]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_back_on_the_players_side_faces_them(seed: int) -> None:
    assert tipped(Script(seed), 1) is True


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_back_on_the_dealers_side_is_never_said_to_face_the_players(seed: int) -> None:
    assert tipped(Script(seed), -1) is not True


def test_without_a_look_at_the_back_nothing_is_said() -> None:
    assert tipped(Script(4), 1, back=False) == "unsure"
