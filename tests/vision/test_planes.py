"""Parts taken from a decoded picture's planes show what the whole picture shows."""

from __future__ import annotations

import av
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.geometry import Calibration
from vision.frame import Frame
from vision.planes import planes_of
from vision.topview import Bounds, TopView


def smooth(height: int, width: int) -> NDArray[np.uint8]:
    coarse = np.random.default_rng(3).integers(20, 235, (height // 40, width // 40, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def decoded(image: NDArray[np.uint8], form: str = "yuv420p") -> av.VideoFrame:
    return av.VideoFrame.from_ndarray(image, format="bgr24").reformat(format=form)


def frame_of(picture: av.VideoFrame) -> Frame:
    def load() -> NDArray[np.uint8]:
        return np.asarray(picture.to_ndarray(format="bgr24"), np.uint8)

    return Frame(0, picture.width, picture.height, load, planes_of(picture))


@pytest.mark.parametrize("box", [(100, 60, 300, 200), (101, 61, 300, 199), (0, 0, 640, 360), (638, 357, 640, 360)])
def test_a_part_is_that_part_of_the_picture(box: tuple[int, int, int, int]) -> None:
    image = smooth(360, 640)
    x0, y0, x1, y1 = box
    part = frame_of(decoded(image)).part(x0, y0, x1, y1)
    assert part.shape == (y1 - y0, x1 - x0, 3)
    assert np.abs(part.astype(int) - image[y0:y1, x0:x1]).mean() < 3.0


def test_a_part_averaged_down_is_the_average() -> None:
    image = smooth(360, 640)
    planes = planes_of(decoded(image))
    assert planes is not None
    small = planes.bgr(planes.part(0, 0, 640, 360, (160, 90)))
    wanted = cv2.resize(image, (160, 90), interpolation=cv2.INTER_AREA)
    assert np.abs(small.astype(int) - wanted).mean() < 3.0


def test_the_colours_of_the_full_range_are_not_stretched() -> None:
    image = np.full((64, 64, 3), (40, 200, 120), np.uint8)
    part = frame_of(decoded(image, "yuvj420p")).part(10, 10, 50, 50)
    assert np.abs(part.astype(int) - image[10:50, 10:50]).max() <= 3


@pytest.mark.parametrize("beside_mm", [(5000.0, 0.0), (-5000.0, 0.0), (0.0, 5000.0), (0.0, -5000.0)])
def test_a_top_view_of_what_lies_beside_the_picture_is_grey(beside_mm: tuple[float, float]) -> None:
    image = smooth(360, 640)
    calibration = Calibration(np.array([[2.0, 0, -640.0], [0, -2.0, 360.0], [0, 0, 1.0]]), 640, 360, 1.0)
    x, y = beside_mm
    top = TopView(calibration, Bounds(x - 128, y - 64, x + 128, y + 64))
    for picture in (image, frame_of(decoded(image))):
        view = top.view(picture)
        assert view.shape == (64, 128, 3)
        assert np.unique(view).tolist() == [114]
    assert not top.reached.any()


def test_the_border_is_as_grey_as_it_was_asked_for() -> None:
    planes = planes_of(decoded(smooth(64, 64)))
    assert planes is not None
    grey = np.array([[planes.yuv((114, 114, 114))]], np.uint8)
    assert np.abs(planes.bgr(grey).astype(int) - 114).max() <= 1


def test_another_format_is_converted_whole() -> None:
    image = smooth(360, 640)
    picture = decoded(image, "yuv444p")
    assert planes_of(picture) is None
    part = frame_of(picture).part(100, 60, 300, 200)
    assert np.abs(part.astype(int) - image[60:200, 100:300]).mean() < 3.0
