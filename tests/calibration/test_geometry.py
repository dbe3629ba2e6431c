"""Pixels to millimetres and back."""

from __future__ import annotations

import pickle

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.geometry import Calibration, CalibrationFault
from calibration.lens import Lens
from tests.calibration.views import pixels_over, view

tangential = st.floats(-0.002, 0.002)
lenses = st.tuples(st.floats(-0.3, 0.3), st.floats(-0.1, 0.1), tangential, tangential, st.floats(-0.03, 0.03))
feet = st.tuples(st.floats(-600, 600), st.floats(-900, 1500))


@settings(max_examples=60, deadline=None)
@given(lenses, feet, st.floats(2000, 5000), st.booleans(), st.booleans())
def test_pixels_come_back_from_the_table(
    distortion: tuple[float, ...], foot: tuple[float, float], focal: float, on_top: bool, mirrored: bool
) -> None:
    place = (*foot, 3300.0)
    calibration = view(place, focal_px=focal, distortion=distortion, dealer_on_top=on_top, mirrored=mirrored)
    pixels = pixels_over(calibration)
    back = calibration.to_pixels(calibration.to_table(pixels))
    assert np.abs(back - pixels).max() < 0.01


def test_agrees_with_opencvs_lens() -> None:
    calibration = view(distortion=(-0.21, 0.05, 0.001, -0.0005, 0.01))
    lens = calibration.lens
    assert lens is not None
    flat = pixels_over(calibration)
    rays = np.column_stack([(flat - lens.principal_px) / lens.focal_px, np.ones(len(flat))])
    bent, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), lens.matrix, lens.distortion)
    assert np.abs(lens.distort(flat) - bent[:, 0]).max() < 1e-6


def test_places_far_outside_do_not_fold_into_the_picture() -> None:
    calibration = view(focal_px=900.0, distortion=(-0.3, 0.02))
    far = calibration.to_pixels(np.array([[30_000.0, 400.0], [0.0, 40_000.0], [-30_000.0, -30_000.0]]))
    outside = np.any((far < 0) | (far > [1919, 1079]), axis=1)
    assert outside.all()


def test_nothing_on_the_felt_lies_above_the_horizon() -> None:
    calibration = view((0.0, -2000.0, 500.0), (0.0, 1500.0), focal_px=800.0)
    assert np.isnan(calibration.to_table([960.0, 0.0])).all()
    assert np.isfinite(calibration.to_table([960.0, 1000.0])).all()
    assert np.isnan(calibration.to_pixels([0.0, -9000.0])).all()


def test_the_homographys_own_sign_does_not_matter() -> None:
    calibration = view()
    turned = Calibration(-calibration.homography, 1920, 1080, 1.0)
    assert np.allclose(turned.to_table([[3.0, 4.0]]), calibration.to_table([[3.0, 4.0]]))
    assert turned.is_mirrored is calibration.is_mirrored is False


@pytest.mark.parametrize("on_top", [False, True])
def test_a_mirror_image_is_recognised(on_top: bool) -> None:
    assert not view(dealer_on_top=on_top).is_mirrored
    assert view(dealer_on_top=on_top, mirrored=True).is_mirrored


def test_scale_of_a_camera_straight_above_is_height_over_focal_length() -> None:
    calibration = view((0.0, 400.0, 3000.0), (0.0, 400.0), focal_px=2000.0)
    assert calibration.mm_per_px((200.0, 300.0)) == pytest.approx(1.5, rel=1e-6)
    assert calibration.scales_mm_per_px(np.zeros((5, 2))).shape == (5,)


def test_another_size_shows_the_same_table() -> None:
    calibration = view(distortion=(-0.1, 0.01, 0.001, 0.0, 0.0))
    small = calibration.scaled(960, 540)
    pixels = pixels_over(calibration)
    assert np.allclose(small.to_table((pixels + 0.5) / 2 - 0.5), calibration.to_table(pixels), atol=1e-6)
    assert calibration.scaled(1920, 1080) is calibration


def test_another_aspect_ratio_is_refused() -> None:
    with pytest.raises(CalibrationFault, match="another aspect ratio"):
        view().scaled(640, 480)


def test_a_thing_above_the_felt_is_put_where_it_is() -> None:
    calibration = view((100.0, 600.0, 2800.0), (0.0, 300.0), distortion=(-0.05,))
    places = np.array([[-300.0, 150.0], [420.0, 60.0]])
    heights = np.array([120.0, 63.5])
    pixels = calibration.to_pixels_at_height(places, heights)
    assert np.allclose(calibration.at_height(pixels, heights), places, atol=1e-6)
    # Away from the camera's foot point, higher things look farther out.
    seen = calibration.to_table(pixels)
    assert np.all(np.linalg.norm(seen - [100, 600], axis=1) > np.linalg.norm(places - [100, 600], axis=1))


def test_height_needs_the_cameras_place() -> None:
    calibration = Calibration(view().homography, 1920, 1080, 1.0)
    with pytest.raises(CalibrationFault, match="camera hangs"):
        calibration.at_height([[0.0, 0.0]], 10.0)


@pytest.mark.parametrize("on_top", [False, True])
def test_top_view_has_the_dealer_at_the_bottom_and_his_right_on_the_right(on_top: bool) -> None:
    calibration = view(distortion=(-0.08,), dealer_on_top=on_top)
    picture = np.zeros((1080, 1920), np.uint8)
    x, y = calibration.to_pixels([250.0, 120.0])
    cv2.circle(picture, (round(float(x)), round(float(y))), 8, 255, -1)
    map_x, map_y = calibration.top_view_map(-500.0, 0.0, 500.0, 500.0, 2.0)
    assert map_x.shape == map_y.shape == (250, 500)
    assert map_x.dtype == map_y.dtype == np.float32
    top = cv2.remap(picture, map_x, map_y, cv2.INTER_LINEAR)
    row, column = (np.mean(axis) for axis in np.nonzero(top > 128))
    assert (-500 + (column + 0.5) * 2, 500 - (row + 0.5) * 2) == pytest.approx((250, 120), abs=1.5)


def test_maps_are_made_once_and_kept_few() -> None:
    calibration = view()
    first = calibration.top_view_map(0, 0, 100, 100, 1.0)
    assert calibration.top_view_map(0, 0, 100, 100, 1.0) is first
    for number in range(20):
        calibration.top_view_map(0, 0, 100 + number, 100, 5.0)
    again = calibration.top_view_map(0, 0, 100, 100, 1.0)
    assert again is not first
    assert np.array_equal(again[0], first[0])


def test_travels_to_another_process() -> None:
    calibration = view(distortion=(-0.1,))
    assert pickle.loads(pickle.dumps(calibration)) == calibration
    assert calibration != Calibration(calibration.homography, 1920, 1080, 2.0)


def test_a_straight_lens_changes_nothing() -> None:
    lens = Lens.of(np.diag([1000.0, 1000.0, 1.0]))
    assert np.array_equal(lens.undistort(np.array([[3.0, 4.0]])), [[3.0, 4.0]])


def test_a_vanishing_distortion_coefficient_upsets_nothing() -> None:
    lens = Lens.of([[2000.0, 0, 960], [0, 2000.0, 540], [0, 0, 1]], [0, 0, 0, 0, 2.2250738585e-313])
    points = np.array([[0.0, 0.0], [1919.0, 1079.0]])
    assert np.allclose(lens.distort(lens.undistort(points)), points)
