"""The ends of a row of cards, found beside the one card that is seen."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.geometry import Calibration
from vision.measure.laid import laid_row

PX_PER_MM = 1.4
WIDTH_PX, HEIGHT_PX = 1280, 560
#: Table mm with the origin in the middle of the picture, y up.
CALIBRATION = Calibration(
    np.array([[1, 0, -WIDTH_PX / 2], [0, -1, HEIGHT_PX / 2], [0, 0, PX_PER_MM]]) / PX_PER_MM,
    WIDTH_PX,
    HEIGHT_PX,
    0.3,
)


def px(x_mm: float, y_mm: float) -> tuple[int, int]:
    return round(WIDTH_PX / 2 + x_mm * PX_PER_MM), round(HEIGHT_PX / 2 - y_mm * PX_PER_MM)


def table(seed: int) -> NDArray[np.uint8]:
    """Felt with print on it."""
    rng = np.random.default_rng(seed)
    picture = np.full((HEIGHT_PX, WIDTH_PX, 3), (60, 95, 35), np.uint8)
    cv2.putText(picture, "BACCARAT", px(-250, 60), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (120, 210, 220), 3)
    cv2.line(picture, px(-300, -30), px(300, -30), (200, 220, 230), 3)
    noisy = picture.astype(np.float64) + rng.normal(0, 4, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def lay(picture: NDArray[np.uint8], x_mm: float) -> None:
    """A back with a white border."""
    cv2.rectangle(picture, px(x_mm - 31.75, 44.45), px(x_mm + 31.75, -44.45), (240, 245, 245), -1)
    cv2.rectangle(picture, px(x_mm - 28, 41), px(x_mm + 28, -41), (60, 50, 170), -1)


def card_at(x_mm: float, y_mm: float = 0.0) -> NDArray[np.float64]:
    corners = np.array([[-31.75, 44.45], [31.75, 44.45], [31.75, -44.45], [-31.75, -44.45]])
    return corners + np.array([x_mm, y_mm])


@pytest.mark.parametrize("pitch_mm", [7.0, 9.0, 12.0])
@pytest.mark.parametrize("side", [1, -1])
def test_a_row_that_runs_off_from_under_a_card_is_found_to_its_end(pitch_mm: float, side: int) -> None:
    picture = table(3)
    count = 22
    for k in range(count):  # the last one lies over all
        lay(picture, side * (count - 1 - k) * pitch_mm - side * 130)
    found = laid_row(picture, CALIBRATION, card_at(-side * 130.0))
    assert found is not None
    low, high = found[:, 0].min(), found[:, 0].max()
    ends = sorted((-side * 130.0 - side * 31.75, -side * 130.0 + side * ((count - 1) * pitch_mm + 31.75)))
    assert low == pytest.approx(ends[0], abs=5.0)
    assert high == pytest.approx(ends[1], abs=5.0)


def test_a_card_by_itself_has_no_row() -> None:
    picture = table(4)
    lay(picture, 0.0)
    assert laid_row(picture, CALIBRATION, card_at(0.0)) is None


def test_a_plain_thing_beside_a_card_is_no_row() -> None:
    picture = table(5)
    cv2.rectangle(picture, px(0, 50), px(260, -50), (235, 238, 240), -1)
    lay(picture, 0.0)
    assert laid_row(picture, CALIBRATION, card_at(0.0)) is None
