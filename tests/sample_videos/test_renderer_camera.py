"""The studio's camera against OpenCV's."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from sample_videos.studio.camera import homography_and_lens, mm_per_px, project, view_axes
from tests.sample_videos.studio_scene import camera


@pytest.mark.parametrize("roll", [0.0, np.pi, 0.4])
@pytest.mark.parametrize("tilt_deg", [0.0, 25.0, -20.0])
def test_projects_as_opencv_does(tilt_deg: float, roll: float) -> None:
    spec = camera(tilt_deg, roll)
    points = np.random.default_rng(3).uniform((-600, 0, 0), (600, 900, 200), (50, 3))
    rotation, translation = view_axes(spec)
    _, matrix, distortion = homography_and_lens(spec)
    expected, _ = cv2.projectPoints(points, cv2.Rodrigues(rotation)[0], translation, matrix, distortion)
    np.testing.assert_allclose(project(spec, points), np.asarray(expected).reshape(-1, 2), atol=1e-6)


def test_homography_and_lens_lead_back_to_the_table() -> None:
    spec = camera(18.0, 0.2)
    table = np.random.default_rng(5).uniform((-500, 50), (500, 800), (30, 2))
    pixels = project(spec, np.column_stack([table, np.zeros(len(table))]))
    homography, matrix, distortion = homography_and_lens(spec)
    straight = cv2.undistortPoints(
        pixels[:, None], matrix, distortion, P=matrix, criteria=(cv2.TERM_CRITERIA_COUNT, 60, 0.0)
    )
    back = cv2.perspectiveTransform(np.asarray(straight, np.float64), homography).reshape(-1, 2)
    np.testing.assert_allclose(back, table, atol=0.05)


def test_without_roll_the_dealer_is_at_the_bottom_and_his_right_on_the_right() -> None:
    spec = camera(10.0)
    dealer, players, right = project(spec, [(0, 100, 0), (0, 700, 0), (300, 380, 0)])
    assert dealer[1] > players[1]
    assert right[0] > spec.width_px / 2
    turned = camera(10.0, np.pi)
    assert project(turned, [(0, 100, 0)])[0, 1] < project(turned, [(0, 700, 0)])[0, 1]


def test_scale_where_the_camera_looks() -> None:
    spec = camera(0.0, mm_per_px=1.5)
    left, right = project(spec, [(-5, 380, 0), (5, 380, 0)])
    assert mm_per_px(spec) == pytest.approx(1.5, rel=1e-3)
    assert np.linalg.norm(right - left) == pytest.approx(10 / 1.5, rel=0.01)


def test_a_point_behind_the_camera_is_nowhere() -> None:
    assert np.isnan(project(camera(), [(0, 400, 9000)])).all()
