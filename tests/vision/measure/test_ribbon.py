"""Ribbons: hands over them, other backs, two cover cards, frames that disagree."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.measure.draw import Camera
from tests.vision.measure.draw_ribbon import Spread, rectangle, ribbon_picture
from vision.measure.reading import Marks
from vision.measure.ribbon import RibbonReading, combine_ribbon, read_ribbon

CAMERA = Camera(0.73, size_mm=(500, 230))


def reading_of(
    spread: Spread, camera: Camera = CAMERA, beyond_mm: tuple[float, float] = (0.0, 0.0)
) -> tuple[RibbonReading | None, str]:
    image = ribbon_picture(spread, camera, seed=spread.seed, fine=2)
    covers = None
    if spread.cover_after is not None:
        covers = [spread.cover_quad_mm]
        if spread.first_cover:
            x = float(spread.x_mm[0]) + 4.0
            covers.insert(0, rectangle(x - 31.75, x + 31.75, 400 + spread.out_mm))
    quad = spread.quad_mm + np.array([2.0, -2.0])
    x = quad[:, 0] > quad[:, 0].mean()
    quad[:, 0] += np.where(x, beyond_mm[1], -beyond_mm[0])
    return read_ribbon(
        image, 0, camera.calibration(), quad, (1, 0), cover_quad_mm=None if covers is None else np.array(covers)
    )


@pytest.mark.parametrize("spread", [
    Spread(31, 8.0, 0.15, True, 1, pattern="dots"),
    Spread(30, 9.0, 0.12, False, 2, hand_from=2),
    Spread(29, 8.5, 0.12, True, 3, hand_from=20, cover_after=13),
    Spread(33, 8.0, 0.17, False, 4, cover_after=25, first_cover=True),
])  # fmt: skip
def test_a_ribbon_is_counted_beside_hands_whatever_its_back(spread: Spread) -> None:
    reading, why = reading_of(spread)
    assert reading is not None, why
    assert (reading.count, reading.low, reading.high) == (spread.cards,) * 3
    assert reading.below_cover == spread.cover_after
    rising = np.diff(reading.edges_mm) > 0
    assert rising.all() == spread.to_right
    assert rising.any() == spread.to_right


@pytest.mark.parametrize("beyond_mm", [(70.0, 0.0), (0.0, 90.0), (60.0, 40.0)])
@pytest.mark.parametrize("to_right", [True, False])
def test_bare_felt_in_the_box_makes_no_cards(beyond_mm: tuple[float, float], to_right: bool) -> None:
    spread = Spread(24, 8.0, 0.12, to_right, 7, cover_after=15)
    reading, why = reading_of(spread, beyond_mm=beyond_mm)
    assert reading is not None, why
    assert (reading.count, reading.low, reading.high, reading.below_cover) == (24, 24, 24, 15)


def test_a_coarse_view_still_counts_wide_pitches_and_refuses_what_it_cannot_see() -> None:
    spread = Spread(28, 11.0, 0.1, True, 5, cover_after=14)
    reading, why = reading_of(spread, Camera(1.46, size_mm=(500, 230)))
    assert reading is not None, why
    assert (reading.count, reading.below_cover) == (28, 14)
    reading, why = reading_of(spread, Camera(3.0, size_mm=(500, 230)))
    assert reading is None
    assert "too wide" in why


def test_backs_without_a_border_are_refused_rather_than_miscounted() -> None:
    reading, why = reading_of(Spread(30, 9.0, 0.1, True, 6, border_mm=0.0, back_bgr=(0.5, 0.45, 0.45)))
    assert reading is None
    assert why


def said(doubt: dict[int, float], below: dict[int, float] | None = None) -> RibbonReading:
    count = min(doubt, key=lambda n: doubt[n])
    return RibbonReading(0, count, count, count, (), None, 0, 0, Marks(0), doubt, below or {})


def test_doubts_add_up_over_frames() -> None:
    one, other = said({30: 0.0, 31: 1.0}, {14: 0.0, 13: 2.0}), said({30: 3.0, 31: 0.0}, {14: 0.0})
    result, _ = combine_ribbon([one, one, one, other])
    assert result is not None
    assert (result.value, result.low, result.high) == (30, 30, 31)
    assert (result.below, result.below_low, result.below_high) == (14, 14, 14)
    many, _ = combine_ribbon([one] * 9)
    assert many is not None
    assert (many.low, many.high) == (30, 30)
    assert combine_ribbon([], why="no light") == (None, "no light")
