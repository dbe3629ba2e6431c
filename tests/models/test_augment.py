"""Training canvases keep their labels on the things."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.train.augment import PHOTOGRAPH, TOP_VIEW, join, oriented, place
from models.train.samples import Sample, read_samples, write_samples


def card_sample(hull: bool = False) -> tuple[Sample, np.ndarray]:
    """A dark picture with one white card on it."""
    quad = cv2.boxPoints(((150.0, 120.0), (60.0, 84.0), 25.0)).astype(np.float32)
    picture = np.full((240, 300, 3), 40, np.uint8)
    cv2.fillPoly(picture, [np.rint(quad).astype(np.int32)], (250, 250, 250))
    if hull:
        (x0, y0), (x1, y1) = quad.min(axis=0), quad.max(axis=0)
        quad = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)
    sample = Sample(Path("card.png"), "cards", ("card_face",), quad[None], np.zeros(1, np.int64), np.array([hull]))
    return sample, picture


@pytest.mark.parametrize("placing", [PHOTOGRAPH, TOP_VIEW])
@pytest.mark.parametrize("seed", range(12))
def test_the_card_is_white_inside_its_moved_quad(placing: object, seed: int) -> None:
    sample, picture = card_sample()
    canvas = place(np.random.default_rng(seed), sample, picture, placing, (320, 256))  # type: ignore[arg-type]
    for quad in canvas.quads:
        middle = quad.mean(axis=0)
        inner = np.rint(middle + (quad - middle) * 0.7).astype(int)
        assert all(canvas.image[y, x].min() > 200 for x, y in inner)


@pytest.mark.parametrize("seed", range(12))
def test_a_box_stays_around_its_card_because_it_is_only_turned_by_right_angles(seed: int) -> None:
    sample, picture = card_sample(hull=True)
    canvas = place(np.random.default_rng(seed), sample, picture, PHOTOGRAPH, (320, 256))
    for quad in canvas.quads:
        (x0, y0), (x1, y1) = quad.min(axis=0), quad.max(axis=0)
        assert abs(abs(cv2.contourArea(quad)) - (x1 - x0) * (y1 - y0)) < 2


def test_cards_of_joined_canvases_are_moved_with_them() -> None:
    sample, picture = card_sample()
    parts = [place(np.random.default_rng(seed), sample, picture, TOP_VIEW, (160, 128)) for seed in range(2)]
    whole = join(parts, [(0, 0), (160, 0)], (320, 128))
    assert whole.image.shape == (128, 320, 3)
    assert np.allclose(whole.quads[-1] - [160, 0], parts[1].quads[-1])


@pytest.mark.parametrize("angle_deg", [-40.0, -10.0, 0.0, 30.0, 89.0, 130.0])
def test_a_quad_is_told_by_its_long_side(angle_deg: float) -> None:
    quad = cv2.boxPoints(((50.0, 60.0), (44.0, 32.0), angle_deg)).astype(np.float32)
    x, y, long, short, angle = oriented(quad, hull=False)
    assert (x, y, long, short) == pytest.approx((50, 60, 44, 32), abs=0.01)
    assert np.sin(angle - np.radians(angle_deg)) == pytest.approx(0, abs=1e-3)
    assert -np.pi / 4 - 1e-6 <= angle <= 3 * np.pi / 4 + 1e-6


def test_samples_are_read_as_they_were_written(tmp_path: Path) -> None:
    sample, _ = card_sample()
    write_samples(tmp_path / "samples.jsonl", [sample])
    (again,) = read_samples(tmp_path / "samples.jsonl")
    assert again.image == tmp_path / "card.png"
    assert again.known == ("card_face",)
    assert np.allclose(again.quads, sample.quads, atol=0.01)
