"""Lacing from aside, in glaring light and half covered; how two sides step."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.measure.draw import Camera, Strip, picture, stack_quad
from vision.measure.feather import Feathered, combine_feathered, read_feathered_strip
from vision.measure.sides import read_sides


def share_of(strip: Strip, camera: Camera, **light: float) -> Feathered:
    quad = stack_quad(strip, camera, np.random.default_rng(2))
    image = picture(strip, camera, rays=2, seed=strip.seed)
    if light:
        image = np.clip(image * light["gain"], 0, 255).astype(np.uint8)
    reading, why = read_feathered_strip(image, 0, camera.calibration(), quad, (0, 1))
    assert reading is not None, why
    return reading


@pytest.mark.parametrize(("azimuth", "lace", "truth"), [
    (-90.0, ((0.0, 0.4, 14.0),), 0.4),
    (180.0, ((0.55, 1.0, 10.0),), 0.45),
    (0.0, (), 0.0),
    (180.0, ((0.0, 1.0, 14.0),), 1.0),
])  # fmt: skip
def test_lacing_is_told_from_aside(azimuth: float, lace: tuple[tuple[float, float, float], ...], truth: float) -> None:
    found = share_of(Strip(seed=4, lace=lace), Camera(0.73, 20.0, azimuth, size_mm=(260, 260)))
    assert found.low <= truth <= found.high
    assert found.half_width < 0.12


def test_both_ends_are_marked_and_what_is_squared() -> None:
    found = share_of(Strip(seed=5, lace=((0.0, 0.5, 16.0),)), Camera(0.73, size_mm=(240, 240)))
    assert [line[4] for line in found.marks.lines_px] == ["end", "end"]
    assert len(found.marks.polygons_px) == 1
    assert len(found.laced) == 1
    both, _ = combine_feathered([found, found, found])
    assert both is not None
    assert (both.low, both.high, both.frames) == (found.low, found.high, 3)
    assert combine_feathered([], why="dark") == (None, "dark")


def stepped(left_mm: float, right_mm: float, at: int = 60) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    low, high = -44.0 + rng.normal(0, 0.2, 120), 44.0 + rng.normal(0, 0.2, 120)
    low[:at] -= left_mm
    high[:at] += right_mm
    return low, high


def test_both_sides_step_at_once_or_not_at_all() -> None:
    both = read_sides(*stepped(6.0, 6.0), step_mm=1.0, least_mm=3.5)
    assert both.split is not None
    assert abs(both.split - 0.5) < 0.02
    assert both.split_low <= 0.5 <= both.split_high
    assert both.wide_mm - both.narrow_mm == pytest.approx(12.0, abs=0.3)
    assert read_sides(*stepped(12.0, 0.0), step_mm=1.0, least_mm=3.5).split is None
    assert read_sides(*stepped(1.0, 1.0), step_mm=1.0, least_mm=3.5).split is None


def test_something_short_beside_one_side_is_no_step() -> None:
    low, high = stepped(0.0, 0.0)
    low[40:60] -= 20.0
    low[90:95] = np.nan
    sides = read_sides(low, high, step_mm=1.0, least_mm=3.5)
    assert sides.split is None
    assert sides.wide_mm == pytest.approx(88.0, abs=0.3)
