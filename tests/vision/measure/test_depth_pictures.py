"""What pictures of real recorders and detectors do to a depth: each once made it wrong or made it refused."""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.measure.draw import (
    HALF_MM,
    HEIGHT_MM,
    Camera,
    Strip,
    cover_quad,
    expose,
    ideal,
    seeming,
    stack_quad,
)
from vision.measure.cover import Colour, cover_colour
from vision.measure.cut import DepthReading, read_depth
from vision.measure.stance import look_at
from vision.measure.steps import Known, Level, bell, combinations, weigh

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]
MM_PER_PX = 0.73


@cache
def six_decks(depth: int = 14, tilt_deg: float = 0.0, **more: Any) -> tuple[Strip, Camera, Image]:
    """A nearly square stack of 312 cards, cut `depth` cards from the far end, and its picture."""
    strip = Strip(
        cards=312, seed=7, yaw_deg=93.0, cover_after=312 - depth, cover_u_mm=(-20.0, 69.0), cover_z_mm=(12.0, 75.0),
        gap_mm=0.5, **more,
    )  # fmt: skip
    camera = Camera(MM_PER_PX, tilt_deg)
    image = expose(ideal(strip, camera, seed=7, rays=2), noise=2.0, blur_px=0.6, gamma=2.2, quality=85, seed=7)
    return strip, camera, image


def read(strip: Strip, camera: Camera, image: Image, **more: Any) -> DepthReading:
    quad = more.pop("quad", stack_quad(strip, camera, np.random.default_rng(3), 2.0))
    along = more.pop("along", (0.0, 1.0))
    cover = more.pop("cover_quad_mm", None)
    reading, why = read_depth(
        image, 0, camera.calibration(), quad, along, cover_quad_mm=cover, cards=strip.cards, **more
    )
    assert reading is not None, why
    return reading


def whole_quad(strip: Strip, camera: Camera) -> Floats:
    """The rectangle (4, 2) round all that is seen of the stack, its sides included, as a detector has it."""
    across = np.array([-strip.axis[1], strip.axis[0]])
    places = np.array([strip.table_mm(s, u) for s in (0.0, strip.length_mm) for u in (-HALF_MM, HALF_MM)])
    seen = np.concatenate([seeming(places, z, camera) for z in (0.0, HEIGHT_MM)])
    (s0, s1), (u0, u1) = ((float(np.min(seen @ way)), float(np.max(seen @ way))) for way in (strip.axis, across))
    return np.array([strip.axis * s + across * u for s, u in ((s0, u0), (s1, u0), (s1, u1), (s0, u1))])


def holds(reading: DepthReading, depth: float) -> bool:
    return abs(reading.depth_cards - depth) <= 1.96 * reading.fixed_cards and reading.fixed_cards < 2.3


def test_a_cover_card_that_no_detector_saw_is_found_by_its_hue() -> None:
    assert holds(read(*six_decks()), 14)


def test_the_other_side_of_a_nearly_square_stack_is_not_taken_for_its_strip() -> None:
    reading = read(*six_decks(), along=(1.0, 0.0))
    assert holds(reading, 14)
    assert reading.end == "high"  # nearer to the players


def test_a_box_that_is_turned_is_turned_back() -> None:
    strip, camera, image = six_decks()
    turn = np.radians(4.0)
    quad = stack_quad(strip, camera, np.random.default_rng(3), 2.0)
    turned = (quad - quad.mean(axis=0)) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    quad = turned + quad.mean(axis=0) + (3.0, -3.0)
    look = look_at(image, camera.calibration(), quad, (0.0, 1.0))
    assert abs(np.degrees(np.arctan2(look.axes.along[1], look.axes.along[0])) - strip.yaw_deg) < 0.6
    assert holds(read(strip, camera, image, quad=quad), 14)


@pytest.mark.parametrize("depth", [9, 30])
def test_a_camera_that_sharpens_makes_no_faces_out_of_fringes(depth: int) -> None:
    strip, camera, image = six_decks(depth)
    sharp = np.asarray(cv2.addWeighted(image, 1.7, cv2.GaussianBlur(image, (5, 5), 1.0), -0.7, 0), np.uint8)
    assert holds(read(strip, camera, sharp), depth)


@pytest.mark.parametrize("depth", [9, 30])
def test_from_aside_the_colour_begins_at_the_opening_and_not_at_its_middle(depth: int) -> None:
    assert holds(read(*six_decks(depth, 20.0)), depth)


def test_a_back_as_dark_as_felt_is_no_felt() -> None:
    strip, camera, image = six_decks(30, 20.0, felt_bgr=(0.07, 0.07, 0.07), back_bgr=(0.06, 0.06, 0.06))
    assert holds(read(strip, camera, image, quad=whole_quad(strip, camera)), 30)


def test_a_card_seen_edge_on_is_told_by_its_opening() -> None:
    grey = tuple(0.05 * np.array([0.80, 0.82, 0.83]))
    assert holds(read(*six_decks(40, cover_bgr=grey, cover_thick_mm=0.9)), 40)


def test_a_colour_seen_before_finds_its_card() -> None:
    strip, camera, image = six_decks()
    quad = cover_quad(strip, camera, np.random.default_rng(1), 0.5)
    lying = np.zeros_like(image)
    lying[:] = (expose(np.broadcast_to(strip.cover_bgr, (8, 8, 3)).copy(), noise=0, blur_px=0, gamma=2.2,
                       quality=None, seed=1)[0, 0])  # fmt: skip
    colour = cover_colour(lying, camera.calibration(), quad)
    assert colour is not None
    assert colour.pure
    assert holds(read(strip, camera, image, colours=(colour,)), 14)


def test_a_colour_out_of_the_picture_is_none() -> None:
    _, camera, image = six_decks()
    far = np.array([(5000.0, 0.0), (5060.0, 0.0), (5060.0, 90.0), (5000.0, 90.0)])
    assert cover_colour(image, camera.calibration(), far) is None


def test_two_changes_a_pixel_apart_are_told_apart_with_their_doubt() -> None:
    s = np.arange(-8.0, 8.0, 0.5)
    levels = [Level(np.full(3, 1.0), 0.05), Level(np.full(3, 0.4), 0.3), Level(np.full(3, 0.1), 0.05)]
    places = combinations(np.arange(-2.0, 2.0, 0.1), np.arange(-2.0, 3.0, 0.1))
    known = Known(places, bell(places[:, 1] - places[:, 0], 1.5, 1.0), levels)
    rng = np.random.default_rng(2)
    inner, outer = -0.35, 0.85
    light = 1.0 - 0.6 * _risen(s, inner) - 0.3 * _risen(s, outer)
    weighed = weigh(s, light[:, None] + rng.normal(0, 0.01, (len(s), 3)), known, px_mm=1.0, noise=0.01, alike_mm=0.5)
    for at, of in ((inner, [1, 0]), (outer, [0, 1])):
        mean, sigma = weighed.mean(of)
        assert abs(mean - at) < max(3 * sigma, 0.1)
        assert sigma < 0.5
    assert weighed.weights.sum() == pytest.approx(1.0)


def _risen(s: Floats, at: float) -> Floats:
    return np.asarray(1 / (1 + np.exp(-(s - at) * 1.702 / 0.75)))


@pytest.mark.parametrize(("felt", "distinct"), [((0.07, 0.16, 0.05), True), ((0.02, 0.20, 0.28), False)])
def test_a_shallow_cut_is_told_from_the_end_only_where_nothing_else_has_the_cover_cards_colour(
    felt: tuple[float, float, float], distinct: bool
) -> None:
    strip, camera, image = six_decks(4, felt_bgr=felt)
    colour = Colour(np.array(strip.cover_bgr))
    reading = read(strip, camera, image, colours=(colour,))
    assert reading.distinct is distinct
    assert reading.depth_cards == pytest.approx(4, abs=3)
    assert not read(strip, camera, image).distinct  # of a colour that was not seen before nothing is known
