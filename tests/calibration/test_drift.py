"""A camera that was pushed is noticed; hands, cards and light are not taken for it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.drift import Drift, Image
from calibration.geometry import Calibration
from tests.calibration.views import view

SIZE = (1280, 720)
CALIBRATION = view(focal_px=2000.0, size=SIZE)


def felt(seed: int = 3) -> Image:
    """A felt with printed lines, circles and letters, a little noise on it."""
    random = np.random.default_rng(seed)
    picture = np.full((SIZE[1], SIZE[0], 3), (60, 110, 30), np.uint8)
    for number in range(14):
        x, y = (int(v) for v in random.uniform([60, 60], [1180, 660]))
        colour = tuple(int(v) for v in random.uniform(140, 240, 3))
        cv2.circle(picture, (x, y), int(random.uniform(20, 60)), colour, 3, cv2.LINE_AA)
        cv2.putText(picture, f"SEAT {number}", (x - 40, y), cv2.FONT_HERSHEY_SIMPLEX, 0.9, colour, 2, cv2.LINE_AA)
        cv2.rectangle(picture, (x + 20, y + 20), (x + 90, y + 70), colour, 2, cv2.LINE_AA)
    return noisy(picture, seed)


def noisy(picture: Image, seed: int) -> Image:
    """The picture with a camera's noise."""
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


def moved(picture: Image, dx: float, dy: float, degrees: float = 0.0, zoom: float = 1.0) -> Image:
    """The picture shifted, turned about its middle, and zoomed."""
    matrix = cv2.getRotationMatrix2D(((SIZE[0] - 1) / 2, (SIZE[1] - 1) / 2), -degrees, zoom)
    shifted = matrix.astype(np.float64) + np.array([[0, 0, dx], [0, 0, dy]])
    return noisy(np.asarray(cv2.warpAffine(picture, shifted, SIZE, borderMode=cv2.BORDER_REPLICATE), np.uint8), 7)


def with_hands(picture: Image) -> Image:
    """The picture with two arms and some cards in it."""
    busy = picture.copy()
    for x, y in ((300, 400), (850, 380)):
        cv2.ellipse(busy, (x, y + 150), (60, 260), 10, 0, 360, (120, 150, 200), -1, cv2.LINE_AA)
    for x in range(400, 800, 90):
        cv2.rectangle(busy, (x, 200), (x + 60, 285), (245, 245, 245), -1)
    return busy


@pytest.mark.parametrize(("dx", "dy"), [(12.8, 0.0), (-25.6, 7.2), (3.0, -14.4), (0.0, 2.0)])
def test_a_shift_of_the_picture_is_measured(dx: float, dy: float) -> None:
    picture = felt()
    shift = Drift(picture, CALIBRATION).step(moved(picture, dx, dy))
    assert shift is not None
    assert (shift.dx_px, shift.dy_px) == pytest.approx((dx, dy), abs=0.3)
    assert shift.off_mm == pytest.approx(np.hypot(dx, dy) * 1.65, rel=0.1, abs=0.5)
    assert shift.zoom == pytest.approx(1.0, abs=0.001)


def test_a_turn_and_a_zoom_are_measured() -> None:
    picture = felt()
    shift = Drift(picture, CALIBRATION).step(moved(picture, 0.0, 0.0, degrees=1.0, zoom=1.02))
    assert shift is not None
    assert shift.turn_deg == pytest.approx(1.0, abs=0.05)
    assert shift.zoom == pytest.approx(1.02, abs=0.001)
    assert shift.shift_px < 0.4
    assert shift.off_mm > 10


def test_hands_cards_and_light_are_no_drift() -> None:
    picture = felt()
    drift = Drift(picture, CALIBRATION)
    for gain in (1.0, 0.6, 1.2, 0.8):
        busy = noisy(np.clip(with_hands(picture) * gain, 0, 255).astype(np.uint8), 9)
        shift = drift.step(busy)
        assert shift is not None
        assert shift.shift_px < 0.5
        assert not shift.is_moved


def test_a_pushed_camera_counts_as_moved_after_three_looks() -> None:
    picture = felt()
    drift = Drift(picture, CALIBRATION)
    looks = [drift.step(moved(with_hands(picture), 15.0, 5.0)) for _ in range(3)]
    assert [look is not None and look.is_moved for look in looks] == [False, False, True]
    back = drift.step(picture)
    assert back is not None
    assert not back.is_moved


def test_nothing_is_said_of_pictures_that_cannot_be_recognised() -> None:
    drift = Drift(felt(), CALIBRATION)
    assert drift.step(np.zeros((720, 1280, 3), np.uint8)) is None
    assert drift.step(noisy(np.full((720, 1280, 3), 128, np.uint8), 4)) is None
    assert Drift(np.zeros((720, 1280, 3), np.uint8), CALIBRATION).step(felt()) is None


def test_the_limit_follows_the_calibrations_error() -> None:
    coarse = Calibration(CALIBRATION.homography, *SIZE, error_mm=8.0)
    assert Drift(felt(), coarse).limit_mm == pytest.approx(16.0)
    exact = Calibration(CALIBRATION.homography, *SIZE, error_mm=0.01)
    assert Drift(felt(), exact).limit_mm == pytest.approx(0.5 * 1.65, rel=0.05)
    with pytest.raises(ValueError, match="the reference is 1280x720"):
        Drift(felt(), coarse).step(np.zeros((360, 640, 3), np.uint8))
