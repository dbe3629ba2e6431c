"""A shoe whose cards stand on the table gives no card."""

from __future__ import annotations

import pytest

from tests.vision.acts import BUCKET_MM, quad
from tests.vision.ledgers import LAYOUT
from vision.places import Places
from vision.sighting import Sighting
from vision.stackout import StackOut

STEP_US = 66_667


def run(at: tuple[float, float], length_mm: float, looks: int, empty: int = 0) -> bool:
    out = StackOut(Places(LAYOUT))
    said = False
    for i in range(looks):
        said = out.step(i * STEP_US, [Sighting(i * STEP_US, "stack", quad(at, 89.0, length_mm), 0.9)])
    for i in range(looks, looks + empty):
        said = out.step(i * STEP_US, [])
    return said


@pytest.mark.parametrize(
    ("at", "length_mm", "looks", "empty", "out"),
    [
        ((0.0, 250.0), 125.0, 40, 0, True),
        ((0.0, 250.0), 125.0, 40, 10, True),  # a hand is over it
        ((0.0, 250.0), 125.0, 40, 30, True),  # it is carried to the shoe
        ((0.0, 250.0), 125.0, 40, 140, False),  # nobody saw it go in
        ((0.0, 250.0), 125.0, 10, 0, True),  # it was there when the looking began
        ((0.0, 250.0), 12.0, 40, 0, False),  # a packet, or a few cards
        (BUCKET_MM, 125.0, 40, 0, False),
        ((-470.0, 175.0), 125.0, 40, 0, False),  # in the shoe
    ],
)
def test_only_a_whole_stack_on_the_felt_counts(
    at: tuple[float, float], length_mm: float, looks: int, empty: int, out: bool
) -> None:
    assert run(at, length_mm, looks, empty) is out


def test_what_has_gone_into_the_shoe_is_not_out() -> None:
    out = StackOut(Places(LAYOUT))
    for i in range(40):
        out.step(i * STEP_US, [Sighting(i * STEP_US, "stack", quad((0.0, 250.0), 89.0, 125.0), 0.9)])
    assert out.step(40 * STEP_US, [])
    out.loaded()
    assert not out.step(41 * STEP_US, [])


def test_a_stack_that_shows_for_a_moment_later_on_is_none() -> None:
    out = StackOut(Places(LAYOUT))
    for i in range(60):
        out.step(i * STEP_US, [])
    seen = [Sighting(0, "stack", quad((0.0, 250.0), 89.0, 125.0), 0.9)]
    assert not any(out.step((60 + i) * STEP_US, seen) for i in range(10))


def test_more_loose_cards_than_play_ever_has_are_a_wash() -> None:
    out = StackOut(Places(LAYOUT))
    assert not out.step(0, [], 8)
    assert out.step(STEP_US, [], 9)
