"""Which part of a frame shows a measurement, and that part enlarged."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np

from pitwatch.marks import Marks, Px
from pitwatch.ruler import Reading, ruler_of
from vision.frame import Image

#: Width to height of a picture that stands alone, at least and at most; of a whole stack, and of its end beside it.
ALONE, WHOLE, DETAIL = (1.7, 2.6), (0.8, 0.8), (1.62, 1.62)
ALONE_PX, WHOLE_PX, DETAIL_PX, WHERE_PX = 1240, 520, 1040, 300
MARGIN_SHARE, MARGIN_LEAST_PX, SIDE_LEAST_PX = 0.14, 6.0, 18.0
#: The end of a stack gets a picture of its own if the whole stack is so many times as long as what is shown there.
LONG = 2.0
#: Cards shown before the end and after the last thing that matters, and those that are shown in any case.
BEFORE_CARDS, AFTER_CARDS, LEAST_CARDS = 2.0, 3.0, 10.0
#: The margin of a picture that stands alone: cards reach beyond their marked points.
ALONE_SHARE = 0.24
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


def take_closeups(image: Image, marks: Marks, reading: Reading, mm_per_px: float | None) -> Closeups:
    """The pictures of a measurement: the whole of it and, for a cover card near an end, that end by itself."""
    height_px, width_px = image.shape[:2]
    size = (float(width_px), float(height_px))
    detail = end_corners(marks, reading)
    aspect, wide_px = (ALONE, ALONE_PX) if detail is None else (WHOLE, WHOLE_PX)
    margin = MARGIN_SHARE if detail else ALONE_SHARE
    views = [_view(image, around(*marks.extent(), size, aspect, margin=margin), wide_px)]
    if detail is not None:
        views.append(_view(image, around(*detail, size, DETAIL, margin=0.0), DETAIL_PX, detail=True))
    return Closeups(tuple(views), _jpeg(_to_width(image, WHERE_PX)), width_px, height_px, mm_per_px)


def _view(image: Image, window: Window, wide_px: int, *, detail: bool = False) -> CloseUp:
    return CloseUp(enlarged(image, window, wide_px), window, detail)


def end_corners(marks: Marks, reading: Reading) -> tuple[Px, Px] | None:
    """The corners of what the picture of a stack's end shows: the ruler, and as much of the stack as it is long.

    None if no cards can be counted there, or the whole stack is not much longer.
    """
    ruler = ruler_of(marks, reading)
    if ruler is None:
        return None
    last = max(reading.limit or 0.0, reading.high or 0.0, reading.value or 0.0, LEAST_CARDS) + AFTER_CARDS
    long_px = (last + BEFORE_CARDS) * ruler.px_per_card
    low, high = marks.extent()
    if math.dist(low, high) < LONG * long_px:
        return None
    ends = [ruler.at(-BEFORE_CARDS), ruler.at(last)]
    corners = [
        (x + way * long_px * ruler.side[0], y + way * long_px * ruler.side[1]) for x, y in ends for way in (-1.1, 0.45)
    ]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return (min(xs), min(ys)), (max(xs), max(ys))


def around(
    low: Px, high: Px, size: tuple[float, float], aspect: tuple[float, float], *, margin: float = MARGIN_SHARE
) -> Window:
    """The window around two corners with a margin (a share), of a shape within `aspect`, in a frame of `size`."""
    span = max(high[0] - low[0], high[1] - low[1])
    margin = max(margin * span, MARGIN_LEAST_PX) if margin else 0.0
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
