"""Was anybody looking: gaps, sparse looks, darkness and arms over a zone are said, and nothing else."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest

from calibration.geometry import Calibration
from tests.vision.acts import quad
from vision.topview import Bounds, TopView
from vision.view import ViewWatch, ZoneView

BUCKET = quad((100.0, 60.0), 140, 120)


def make(left_out_mm: float = 0.0) -> tuple[ViewWatch, list[tuple[str, int, dict[str, Any]]]]:
    """A watch of the bucket; the camera's picture begins so far to the right of the view's left edge."""
    told: list[tuple[str, int, dict[str, Any]]] = []

    def emit(kind: str, t_us: int, end_us: int, facts: dict[str, Any], confidence: float) -> None:
        told.append((kind, t_us, facts))

    homography = np.array([[1.0, 0, -320.0 + left_out_mm], [0, -1.0, 240.0], [0, 0, 1.0]])
    calibration = Calibration(homography, 640, 480, 1.0)
    top = TopView(calibration, Bounds(-128.0, -64.0, 256.0, 192.0))
    return ViewWatch(top, [ZoneView("discard", BUCKET)], emit), told


def picture(watch: ViewWatch, level: int = 90) -> Any:
    noise = np.random.default_rng(level).integers(-4, 5, (*watch.top.shape, 3))
    return (np.full((*watch.top.shape, 3), level) + noise).astype(np.uint8)


def run(watch: ViewWatch, hands: list[tuple[float, float]], step_us: int = 66_000) -> None:
    """Ten seconds, a hand over the bucket within the given spells (seconds)."""
    for t_us in range(0, 10_000_000, step_us):
        watch.time(t_us)
        watch.look(t_us)
        view = picture(watch, 90 + t_us // 66_000 % 3)
        covered = any(a <= t_us / 1e6 < b for a, b in hands)
        watch.step(t_us, view, [quad((100.0, 60.0), 150, 180)] if covered else [])


def test_a_hand_that_lays_a_card_hides_nothing() -> None:
    watch, told = make()
    run(watch, [(2.0, 2.5), (4.0, 4.8), (6.0, 6.9)])
    assert told == []


@pytest.mark.parametrize("length", [1.6, 2.0, 5.0])
def test_a_hand_that_stays_over_the_bucket_hides_it_from_the_beginning(length: float) -> None:
    watch, told = make()
    run(watch, [(2.0, 2.0 + length)])
    assert [kind for kind, _, _ in told] == ["view.lost", "view.back"]
    assert told[0][1] == pytest.approx(2_000_000, abs=70_000)
    assert told[1][1] == pytest.approx((2 + length) * 1e6, abs=70_000)
    assert told[0][2] == {"zone": "discard", "cause": "hand"}


def test_five_seconds_of_missing_frames_are_a_gap() -> None:
    watch, told = make()
    for t_us in (0, 33_000, 66_000, 5_066_000, 5_100_000):
        watch.time(t_us)
    assert [(kind, t_us) for kind, t_us, _ in told] == [("view.lost", 66_000), ("view.back", 5_066_000)]


def test_looks_too_far_apart_prove_nothing() -> None:
    watch, told = make()
    for t_us in (0, 66_000, 132_000, 432_000, 732_000, 798_000):
        watch.look(t_us)
    assert [(kind, t_us) for kind, t_us, _ in told] == [("view.lost", 132_000), ("view.back", 798_000)]


@pytest.mark.parametrize("fps", [10, 15, 30])
def test_an_ordinary_frame_rate_is_no_gap(fps: int) -> None:
    watch, told = make()
    for t_us in range(0, 3_000_000, 1_000_000 // fps):
        watch.time(t_us)
        watch.look(t_us)
    assert told == []


def test_a_dark_picture_is_lost_for_the_whole_table() -> None:
    watch, told = make()
    for t_us, level in ((0, 90), (66_000, 4), (132_000, 4), (198_000, 90)):
        watch.step(t_us, picture(watch, level), [])
    assert [(kind, facts["cause"]) for kind, _, facts in told] == [("view.lost", "dark"), ("view.back", "dark")]


@pytest.mark.parametrize(("shift_mm", "lost"), [(60.0, True), (95.0, False)])
def test_an_arm_over_half_of_the_bucket_hides_what_falls_into_it(shift_mm: float, lost: bool) -> None:
    watch, told = make()
    for t_us in range(0, 6_000_000, 66_000):
        watch.time(t_us)
        arm = [quad((100.0 + shift_mm, 60.0), 150, 180)] if 2_000_000 <= t_us < 4_000_000 else []
        watch.step(t_us, picture(watch), arm)
        if 3_500_000 <= t_us < 4_000_000:
            assert (watch.covered_us("discard") is not None) is lost
    assert [kind for kind, _, _ in told] == (["view.lost", "view.back"] if lost else [])
    assert watch.covered_us("discard") is None


def stretch(watch: ViewWatch, from_s: float, until_s: float, what: Any, hands: list[Any]) -> None:
    for t_us in range(round(from_s * 1e6), round(until_s * 1e6), 66_000):
        watch.step(t_us, what, hands)


def over_bucket(watch: ViewWatch, level: int) -> Any:
    view = picture(watch)
    x0, y0, x1, y1 = watch.zones[0].box
    view[y0:y1, x0:x1] = level
    return view


def test_what_lay_there_when_the_looking_began_and_was_gathered_hides_nothing_afterwards() -> None:
    watch, told = make()
    stretch(watch, 0.0, 2.0, over_bucket(watch, 200), [])
    stretch(watch, 2.0, 12.0, picture(watch), [])
    assert [kind for kind, _, _ in told] in ([], ["view.lost", "view.back"])
    assert watch.shares["discard"] < 0.05
    assert watch.covered_us("discard") is None


def test_a_sleeve_that_rests_there_with_its_hand_beside_hides_it_all_the_while() -> None:
    watch, told = make()
    beside = [quad((100.0, 250.0), 110, 180)]
    stretch(watch, 0.0, 2.0, picture(watch), [])
    stretch(watch, 2.0, 8.0, over_bucket(watch, 200), beside)
    assert [kind for kind, _, _ in told] == ["view.lost"]


def test_a_hand_that_rests_beside_does_not_keep_a_zone_from_being_learnt_anew() -> None:
    watch, _ = make()
    stretch(watch, 0.0, 2.0, over_bucket(watch, 200), [])
    corner = [quad((170.0, 120.0), 40, 40)]
    stretch(watch, 2.0, 14.0, picture(watch), corner)
    assert watch.shares["discard"] < 0.2


def test_a_bucket_outside_the_picture_is_never_in_view() -> None:
    watch, told = make(left_out_mm=600.0)
    run(watch, [(2.0, 4.0)])
    assert told == [("view.lost", 0, {"zone": "discard", "cause": "frame"})]


def test_of_a_bucket_that_the_picture_cuts_off_less_needs_to_be_covered() -> None:
    watch, told = make(left_out_mm=385.0)  # a quarter of it is cut off
    assert 0.2 < watch.zones[0].outside < 0.3
    run(watch, [])
    assert told == []


def test_hours_of_looking_take_no_memory() -> None:
    watch, told = make()
    pictures = [picture(watch, level) for level in (90, 91)]

    def looked(first: int, last: int) -> int:
        """Looks for so long; the memory in use afterwards, in bytes."""
        for number in range(first, last):
            watch.step(150_000 * number, pictures[number % 2], [])
        return tracemalloc.get_traced_memory()[0]

    looked(0, 40)
    tracemalloc.start()
    grown = -looked(40, 80) + looked(80, 330)
    tracemalloc.stop()
    assert told == []
    assert grown < 5_000  # under a megabyte an hour
