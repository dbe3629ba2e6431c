"""Which part of a frame shows a measurement, and that part enlarged."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from pitwatch.marks import COVER, END, Line, Marks, Px
from vision.frame import Image

#: Width to height of a picture that stands alone, at least and at most, and of two side by side.
ALONE, BESIDE = (1.7, 2.6), (1.3, 1.3)
ALONE_PX, BESIDE_PX, WHERE_PX = 1240, 760, 300
MARGIN_SHARE, MARGIN_LEAST_PX, SIDE_LEAST_PX = 0.3, 6.0, 24.0
#: The end of a stack gets a picture of its own if the whole stack is so many times as long as what was measured.
LONG = 2.5
QUALITY = 88


@dataclass(frozen=True, slots=True)
class Window:
    """A rectangle of a frame in pixels; pixel (i, j) covers i - 0.5 to i + 0.5, so that edges lie at halves."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """Across."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """Down."""
        return self.y1 - self.y0

    @property
    def middle(self) -> Px:
        """Its centre."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2


@dataclass(frozen=True, slots=True)
class CloseUp:
    """An enlarged part of a frame as JPEG. `detail` if it shows only the end at which something was measured."""

    jpeg: bytes
    window: Window
    detail: bool = False


@dataclass(frozen=True, slots=True)
class Closeups:
    """All pictures of one measurement, and the whole frame, small, with its size."""

    views: tuple[CloseUp, ...]
    where: bytes
    width_px: int
    height_px: int
    mm_per_px: float | None


def take_closeups(image: Image, marks: Marks, mm_per_px: float | None) -> Closeups:
    """The pictures of a measurement: the whole of it and, for a cover card near an end, that end by itself."""
    height_px, width_px = image.shape[:2]
    size = (float(width_px), float(height_px))
    near = near_end(marks)
    aspect, wide_px = (ALONE, ALONE_PX) if near is None else (BESIDE, BESIDE_PX)
    windows = [(around(*marks.extent(), size, aspect), False)]
    if near is not None:
        windows.append((around(*_ends_of(*near), size, aspect), True))
    views = tuple(CloseUp(enlarged(image, window, wide_px), window, detail) for window, detail in windows)
    return Closeups(views, _jpeg(_to_width(image, WHERE_PX)), width_px, height_px, mm_per_px)


def near_end(marks: Marks) -> tuple[Line, Line] | None:
    """The cover card's line and the nearer end's, if the stack is much longer than the way between them."""
    covers, ends = marks.of_role(COVER), marks.of_role(END)
    if not covers or len(ends) < 2:
        return None
    cover = covers[0]
    near = min(ends, key=lambda end: math.dist(end.middle, cover.middle))
    longest = max(math.dist(end.middle, near.middle) for end in ends)
    return (cover, near) if longest > LONG * math.dist(near.middle, cover.middle) else None


def _ends_of(cover: Line, near: Line) -> tuple[Px, Px]:
    """What the picture of an end has to show: both lines, and a few cards beyond the cover card."""
    corners = [cover.start, cover.stop, near.start, near.stop]
    away = [2 * c - n for c, n in zip(cover.middle, near.middle, strict=True)]
    xs, ys = [x for x, _ in corners] + [away[0]], [y for _, y in corners] + [away[1]]
    return (min(xs), min(ys)), (max(xs), max(ys))


def around(low: Px, high: Px, size: tuple[float, float], aspect: tuple[float, float]) -> Window:
    """The window around two corners with a margin, of a shape within `aspect`, inside a frame of `size`."""
    span = max(high[0] - low[0], high[1] - low[1])
    margin = max(MARGIN_SHARE * span, MARGIN_LEAST_PX)
    width = max(high[0] - low[0] + 2 * margin, SIDE_LEAST_PX)
    height = max(high[1] - low[1] + 2 * margin, SIDE_LEAST_PX)
    width, height = max(width, height * aspect[0]), max(height, width / aspect[1])
    shrink = min(1.0, size[0] / width, size[1] / height)
    width, height = round(width * shrink), round(height * shrink)
    x0 = _inside((low[0] + high[0]) / 2 - width / 2, width, size[0])
    y0 = _inside((low[1] + high[1]) / 2 - height / 2, height, size[1])
    return Window(x0 - 0.5, y0 - 0.5, x0 + width - 0.5, y0 + height - 0.5)


def _inside(start: float, length: float, whole: float) -> int:
    """The start, moved so that the length lies inside the whole."""
    return round(min(max(start, 0.0), max(whole - length, 0.0)))


def enlarged(image: Image, window: Window, wide_px: int) -> bytes:
    """The part of a picture inside a window, so many pixels wide, as JPEG."""
    x0, y0 = round(window.x0 + 0.5), round(window.y0 + 0.5)
    part = image[y0 : y0 + round(window.height), x0 : x0 + round(window.width)]
    return _jpeg(_to_width(part, wide_px))


def _to_width(image: Image, wide_px: int) -> Image:
    height, width = image.shape[:2]
    size = (wide_px, max(1, round(height * wide_px / width)))
    how = cv2.INTER_AREA if wide_px < width else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, size, interpolation=how), np.uint8)


def _jpeg(image: Image) -> bytes:
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return bytes(data) if done else b""
