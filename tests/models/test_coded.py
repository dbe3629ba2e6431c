"""Cards of photographs as a camera records them: its size, its corners, and what the coding costs."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.coded import Recording, recorded, resampled, through_h264
from models.real_cards import RealCard


def card(scale: float = 1.0) -> RealCard:
    """A white card with a red patch near one corner, on a green table."""
    image = np.full((400, 600, 3), (40, 90, 30), np.uint8)
    quad = cv2.boxPoints(((300.0, 200.0), (100.0 * scale, 140.0 * scale), 20.0)).astype(np.float64)
    cv2.fillPoly(image, [np.rint(quad).astype(np.int32)], (240, 240, 240), cv2.LINE_AA)
    at = quad[1] + 0.25 * (quad.mean(axis=0) - quad[1])
    cv2.circle(image, (round(at[0]), round(at[1])), 12, (30, 30, 200), -1, cv2.LINE_AA)
    return RealCard(image, quad, "A", "H", "drawn")


@pytest.mark.parametrize("short_px", [150.0, 60.0, 24.0])
def test_the_card_has_the_size_asked_for_and_its_corners_stay_on_it(short_px: float) -> None:
    window, quad = resampled(card(), short_px)
    assert window.shape[0] % 2 == window.shape[1] % 2 == 0
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    assert min(sides) == pytest.approx(short_px, rel=0.03)
    mask = np.zeros(window.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.rint(quad).astype(np.int32)], 1)
    white = window[..., 1] > 160
    assert (white & (mask > 0)).sum() >= 0.9 * white.sum()


def test_a_card_at_the_border_of_its_photograph_has_surroundings_all_the_same() -> None:
    whole = card()
    cut = RealCard(whole.image[60:340, 200:400], whole.quad - [200, 60], "A", "H", "drawn")
    window, quad = resampled(cut, 40.0)
    other, same = resampled(whole, 40.0)
    assert window.shape == other.shape
    assert np.allclose(quad, same, atol=0.6)


def test_fewer_bits_show_and_the_same_recording_comes_out_twice() -> None:
    window, _ = resampled(card(), 60.0)
    rng = np.random.default_rng(1)
    detailed = np.clip(window + rng.normal(0, 25, window.shape), 0, 255).astype(np.uint8)

    def loss(mbit_s: float) -> float:
        return float(np.abs(through_h264(detailed, mbit_s, 3).astype(float) - detailed).mean())

    assert loss(20.0) < loss(1.0)
    assert np.array_equal(through_h264(detailed, 2.0, 3), through_h264(detailed, 2.0, 3))


def test_the_crop_is_upright_and_holds_the_patch() -> None:
    for how in (Recording(60.0, None), Recording(60.0, 4.0), Recording(60.0, None, blur_px=1.0)):
        crop = recorded(card(), how, 0)
        assert crop.shape == (128, 96, 3)
        red = (crop[..., 2].astype(int) - crop[..., 1]) > 60
        y, x = np.argwhere(red).mean(axis=0)
        assert red.sum() > 100
        assert abs(y - 64) > 20
        assert abs(x - 48) > 10
