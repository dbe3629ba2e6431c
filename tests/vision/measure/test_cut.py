"""The cut's depth: no bias, intervals that hold the truth, and none where nothing can be seen."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from tests.vision.measure.draw import Camera, Strip, cover_quad, expose, ideal, stack_quad
from vision.measure.cut import Depth, DepthReading, combine_depth, read_depth

#: 1 sigma in cards that pixels and loose ends alone allow at a scale.
SIGMA_CARDS = {1.46: 3.5, 0.73: 1.8, 0.42: 1.15}


def cut_stack(depth: int, seed: int, cards: int = 416, **more: object) -> Strip:
    rng = np.random.default_rng(seed)
    out = float(rng.uniform(12, 34) * rng.choice([-1, 1]))
    return Strip(
        cards=cards, seed=seed, yaw_deg=90 + float(rng.normal(0, 2)), end_looseness=float(rng.uniform(0, 0.1)),
        cover_after=depth, cover_u_mm=(-44.45 + out, 44.45 + out), cover_z_mm=(12.0, 75.0),
        gap_mm=float(rng.uniform(0.1, 0.7)), cover_off_mm=float(rng.normal(0, 0.2)), **more,  # type: ignore[arg-type]
    )  # fmt: skip


def depth_at(strip: Strip, camera: Camera, seed: int, frames: int = 2) -> tuple[Depth | None, str]:
    rng = np.random.default_rng([seed, 5])
    light = ideal(strip, camera, seed=seed, rays=2)
    calibration = camera.calibration()
    readings: list[DepthReading] = []
    reason = ""
    for index in range(frames):
        image = expose(light, noise=2.0, blur_px=0.6, gamma=2.2, quality=85, seed=seed * 10 + index)
        quads = stack_quad(strip, camera, rng), cover_quad(strip, camera, rng)
        reading, why = read_depth(
            image, index * 33_000, calibration, quads[0], (0, 1), cover_quad_mm=quads[1], cards=strip.cards
        )
        reason = why or reason
        readings += [reading] if reading is not None else []
    return combine_depth(readings, "high", why=reason)


@cache
def vertical_cuts(mm_per_px: float, count: int) -> tuple[tuple[int, Depth], ...]:
    """Cuts 3 to 60 cards from the low end, seen from straight above."""
    found = []
    for seed in range(count):
        depth = 3 + round(57 * seed / (count - 1))
        result, why = depth_at(cut_stack(depth, seed), Camera(mm_per_px), seed)
        assert result is not None, why
        found.append((depth, result))
    return tuple(found)


@pytest.mark.parametrize(("mm_per_px", "count"), [(1.46, 16), (0.73, 4)])
def test_depths_carry_no_bias(mm_per_px: float, count: int) -> None:
    errors = np.array([result.value - depth for depth, result in vertical_cuts(mm_per_px, count)])
    limit = 0.8 + 2.5 * SIGMA_CARDS[mm_per_px] / 2 / math.sqrt(count)
    assert abs(errors.mean()) < limit
    assert np.abs(errors).max() < 3 * SIGMA_CARDS[mm_per_px]


@pytest.mark.parametrize(("mm_per_px", "count", "least"), [(1.46, 16, 13), (0.73, 4, 3)])
def test_intervals_hold_the_truth(mm_per_px: float, count: int, least: int) -> None:
    # fewer than `least` of `count` has a chance below 1 % if 95 % of all intervals hold the truth
    held = sum(result.low <= depth <= result.high for depth, result in vertical_cuts(mm_per_px, count))
    assert held >= least


@pytest.mark.parametrize(("mm_per_px", "count"), [(1.46, 16), (0.73, 4)])
def test_intervals_are_no_wider_than_the_scale_allows(mm_per_px: float, count: int) -> None:
    widths = [result.half_width for _, result in vertical_cuts(mm_per_px, count)]
    assert np.median(widths) <= 1.25 * 1.96 * SIGMA_CARDS[mm_per_px]


def test_deeper_cuts_read_deeper() -> None:
    depths = [result.value for depth, result in vertical_cuts(1.46, 16) if depth > 8]
    steps = np.diff(depths[::3])
    assert (steps > 0).all()


def test_finer_pictures_are_surer() -> None:
    coarse, fine = (np.median([r.half_width for _, r in vertical_cuts(*at)]) for at in ((1.46, 16), (0.73, 4)))
    assert fine < coarse


@pytest.mark.parametrize("depth", [30, 120])
def test_the_end_that_hides_nothing_is_read_from_aside(depth: int) -> None:
    strip = cut_stack(416 - depth, 3)
    result, why = depth_at(strip, Camera(0.73, 25.0), 3)
    assert result is not None, why
    assert result.low <= depth <= result.high
    assert result.from_end == "top"


def test_the_nearer_end_is_named_by_where_the_top_is() -> None:
    _, result = vertical_cuts(1.46, 16)[5]
    assert result.from_end == "bottom"  # the top was said to be at the high end


def test_without_a_cover_card_there_is_no_depth() -> None:
    strip, camera = Strip(seed=4), Camera(1.46)
    image = expose(ideal(strip, camera, rays=2), noise=2.0, blur_px=0.6, gamma=2.2, quality=85, seed=4)
    quad = stack_quad(strip, camera, np.random.default_rng(4))
    reading, why = read_depth(image, 0, camera.calibration(), quad, (0, 1), cover_quad_mm=None, cards=416)
    assert reading is None
    assert "cover card" in why


def test_a_hand_over_an_end_leaves_no_depth() -> None:
    strip = cut_stack(40, 5)
    strip.fingers = [(-5.0, -60.0, -5.0, 60.0, 45.0)]
    result, why = depth_at(strip, Camera(1.46), 5)
    if result is not None:  # what is left free may do, if the doubt says so
        assert result.low <= 40 <= result.high
    else:
        assert why


def test_frames_that_disagree_give_no_depth() -> None:
    _, result = vertical_cuts(1.46, 16)[3]
    readings = [
        DepthReading(t, "low", d, d, 416, 1.0, 125.0, result.marks) for t, d in enumerate([10.0, 40.0, 90.0, 160.0])
    ]
    assert combine_depth(readings, "low")[0] is None


def test_no_reading_gives_the_reason() -> None:
    assert combine_depth([], "low", why="a hand lies over it") == (None, "a hand lies over it")


def test_marks_are_plain_data_with_both_ends_and_the_card() -> None:
    _, result = vertical_cuts(1.46, 16)[8]
    plain = result.marks.as_dict()
    lines = plain["lines_px"]
    assert isinstance(lines, list)
    assert [line[4] for line in lines[:2]] == ["end", "end"]
    assert lines[2][4].endswith("cards")
