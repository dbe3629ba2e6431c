"""Parts of a decoded picture, converted to BGR only where and as finely as somebody looks.

A camera's picture comes as one plane of light and two of colour at half the resolution. Converting all of it, and
averaging that down, costs more than the tracker and the ledger together; the planes are smaller, and only a part of
them is wanted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sighting import Points

Plane = NDArray[np.uint8]
Image = NDArray[np.uint8]
#: Weights of red and blue in the light (ITU-R BT.601, BT.709, BT.2020), by the number in the stream (ITU-T H.273).
WEIGHTS = {1: (0.2126, 0.0722), 9: (0.2627, 0.0593)}
BT601 = (0.299, 0.114)
FULL_RANGE = 2
FORMATS = ("yuv420p", "yuvj420p")


@dataclass(frozen=True, slots=True, eq=False)
class Planes:
    """A picture's planes: `light` (H, W), `blue` and `red` differences (about H/2, W/2), and the way to BGR (3, 4)."""

    light: Plane
    blue: Plane
    red: Plane
    to_bgr: Points

    def part(self, x0: int, y0: int, x1: int, y1: int, size: tuple[int, int] | None = None) -> Image:
        """The pixels from (x0, y0) up to (x1, y1), (height, width, 3) in YUV, averaged down to `size` (width, height).

        The colours are brought to the light's resolution; `bgr` converts what comes out.
        """
        left, top = x0 - x0 % 2, y0 - y0 % 2
        right, bottom = x1 + x1 % 2, y1 + y1 % 2
        light = self.light[y0:y1, x0:x1]
        wide = size if size is not None else (right - left, bottom - top)
        planes = [light if size is None else _resized(light, wide)]
        for colour in (self.blue, self.red):
            half = _resized(colour[top // 2 : bottom // 2, left // 2 : right // 2], wide)
            planes.append(half if size is not None else half[y0 - top : y1 - top, x0 - left : x1 - left])
        return np.asarray(cv2.merge(planes), dtype=np.uint8)

    def bgr(self, yuv: Image) -> Image:
        """YUV (H, W, 3) of these planes as BGR."""
        return np.asarray(cv2.transform(yuv, self.to_bgr), dtype=np.uint8)

    def yuv(self, bgr: tuple[int, int, int]) -> tuple[float, ...]:
        """One BGR colour as YUV."""
        colour = np.linalg.solve(self.to_bgr[:, :3], np.array(bgr) - self.to_bgr[:, 3])
        return tuple(float(v) for v in np.round(colour))


def planes_of(picture: Any) -> Planes | None:
    """The planes of a decoded PyAV picture, without a copy; None if it is of another format than 4:2:0 with 8 bits."""
    if picture.format.name not in FORMATS or picture.width % 2 or picture.height % 2:
        return None
    width, height = picture.width, picture.height
    sizes = ((width, height), (width // 2, height // 2), (width // 2, height // 2))
    light, blue, red = (_plane(plane, *size) for plane, size in zip(picture.planes, sizes, strict=True))
    full = picture.format.name == "yuvj420p" or int(picture.color_range) == FULL_RANGE
    return Planes(light, blue, red, _to_bgr(int(picture.colorspace), full))


def _plane(plane: Any, width: int, height: int) -> Plane:
    rows = np.frombuffer(plane, np.uint8)
    return rows[: plane.line_size * height].reshape(height, plane.line_size)[:, :width]


def _to_bgr(space: int, full: bool) -> Points:
    """The matrix (3, 4) from light, blue and red difference (0..255 each) to BGR."""
    r, b = WEIGHTS.get(space, BT601)
    g = 1 - r - b
    scale, colours, black = (1.0, 1.0, 0.0) if full else (255 / 219, 255 / 224, 16.0)
    to_red, to_blue = 2 * (1 - r) * colours, 2 * (1 - b) * colours
    rows = np.array([[scale, to_blue, 0.0], [scale, -to_blue * b / g, -to_red * r / g], [scale, 0.0, to_red]])
    offset = -rows @ np.array([black, 128.0, 128.0])
    return np.hstack([rows, offset[:, None]])


def _resized(plane: Plane, size: tuple[int, int]) -> Plane:
    if plane.shape[::-1] == size:
        return plane
    method = cv2.INTER_AREA if plane.shape[1] > size[0] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(plane, size, interpolation=method), dtype=np.uint8)
