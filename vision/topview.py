"""The dealer's area seen from straight above, at one scale for every camera.

Everything after this sees the same picture whatever the lens, the height, the side the camera hangs on and the
number of pixels: the dealer at the bottom, his right on the right, `mm_per_px` millimetres to a pixel. So one
small network at one scale serves all tables, and a distance in pixels is a distance on the felt. Things above the
felt stand off by their parallax, as they do in the camera.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Calibration
from calibration.tablefile import Layout
from faults import Fault
from vision.frame import Frame, Image

#: The scale the detector is trained at.
DETECT_MM_PER_PX = 2.0
#: Sides of the detector's picture are multiples of this (its coarsest stride).
STRIDE_PX = 32
#: The dealer's working area; what the whole-table pass would add is not needed for a burn.
DEALER_ZONES = ("shoe", "discard", "shuffle", "player", "banker", "tray", "tray_front", "shuffler", "community")
MARGIN_MM = 60.0
#: A stack is offered so far beyond those zones, towards the players.
OFFER_MM = 100.0
GREY = (114, 114, 114)


@dataclass(frozen=True, slots=True)
class Bounds:
    """A rectangle on the felt, in table millimetres."""

    x0_mm: float
    y0_mm: float
    x1_mm: float
    y1_mm: float


def dealer_bounds(layout: Layout, mm_per_px: float = DETECT_MM_PER_PX) -> Bounds:
    """The rectangle around the dealer's zones with a margin, its sides whole multiples of the stride.

    Raises:
        Fault: the layout draws none of them.
    """
    drawn = [layout.zones_mm[name] for name in DEALER_ZONES if name in layout.zones_mm]
    if not drawn:
        raise Fault(
            "none of the dealer's zones is drawn",
            where="layout.zones_mm",
            why=f"the dealer works where {', '.join(DEALER_ZONES)} are",
            todo="Draw those that the table has.",
        )
    corners = np.concatenate(drawn)
    low, high = corners.min(axis=0) - MARGIN_MM, corners.max(axis=0) + MARGIN_MM + np.array([0.0, OFFER_MM])
    step_mm = STRIDE_PX * mm_per_px
    size = np.ceil((high - low) / step_mm) * step_mm
    middle = (low + high) / 2
    low = middle - size / 2
    return Bounds(float(low[0]), float(low[1]), float(low[0] + size[0]), float(low[1] + size[1]))


class TopView:
    """Turns camera pictures into top views of `bounds` at `mm_per_px`.

    `view(picture)` returns (height, width, 3) BGR. Where the camera does not reach, the view is grey. Pictures finer
    than the view are first averaged down, so that thin print does not alias. Of a decoded frame only the planes' part
    under the view is touched, and turned into BGR last, when it is small.
    """

    def __init__(self, calibration: Calibration, bounds: Bounds, mm_per_px: float = DETECT_MM_PER_PX) -> None:
        self.bounds = bounds
        self.mm_per_px = mm_per_px
        map_x, map_y = calibration.top_view_map(bounds.x0_mm, bounds.y0_mm, bounds.x1_mm, bounds.y1_mm, mm_per_px)
        self.shape = map_x.shape
        middle = ((bounds.x0_mm + bounds.x1_mm) / 2, (bounds.y0_mm + bounds.y1_mm) / 2)
        fine = float(calibration.mm_per_px(middle))
        self._shrink = max(1.0, mm_per_px / fine / 1.15)
        pad = 4
        self._left = max(0, math.floor(float(map_x.min())) - pad)
        self._top = max(0, math.floor(float(map_y.min())) - pad)
        self._right = math.ceil(float(map_x.max())) + pad
        self._bottom = math.ceil(float(map_y.max())) + pad
        #: Which of the view's pixels, (height, width), the camera's picture reaches.
        self.reached = (map_x >= -0.5) & (map_x <= calibration.width_px - 0.5)
        self.reached &= (map_y >= -0.5) & (map_y <= calibration.height_px - 0.5)
        self._maps: dict[tuple[int, int], tuple[NDArray[np.int16], NDArray[np.uint16]]] = {}
        self._map_x, self._map_y = map_x, map_y

    def view(self, picture: Image | Frame) -> Image:
        """The top view of a camera's picture."""
        planes = picture.planes if isinstance(picture, Frame) else None
        if planes is not None:
            height, width = planes.light.shape
        else:
            image = picture.image if isinstance(picture, Frame) else picture
            height, width = image.shape[:2]
        right, bottom = min(self._right, width), min(self._bottom, height)
        if right <= self._left or bottom <= self._top:
            return np.full((*self.shape, 3), GREY, np.uint8)  # nothing of it is in the picture
        whole = (right - self._left, bottom - self._top)
        size = self._shrunk(*whole)
        if planes is not None:
            part = planes.part(self._left, self._top, right, bottom, size)
            return planes.bgr(self._flat(part, whole, planes.yuv(GREY)))
        part = image[self._top : bottom, self._left : right]
        if size is not None:
            part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
        return self._flat(part, whole, GREY)

    def _shrunk(self, width: int, height: int) -> tuple[int, int] | None:
        """The size to which a part of the picture is averaged down; None if it is no finer than the view."""
        if self._shrink <= 1.0:
            return None
        return max(1, round(width / self._shrink)), max(1, round(height / self._shrink))

    def _flat(self, part: Image, whole: tuple[int, int], border: tuple[float, ...]) -> Image:
        """The (shrunk) part of the picture, `whole` pixels before, laid flat."""
        fixed = self._fixed_maps(whole, part.shape[:2])
        view = cv2.remap(part, fixed[0], fixed[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=border)
        return np.asarray(view, dtype=np.uint8)

    def _fixed_maps(
        self, whole: tuple[int, int], shrunk: tuple[int, ...]
    ) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
        """OpenCV's fixed-point maps into the (shrunk) part of the picture, made once for each size."""
        if whole not in self._maps:
            scale_x, scale_y = shrunk[1] / whole[0], shrunk[0] / whole[1]
            x = (self._map_x - self._left + 0.5) * scale_x - 0.5
            y = (self._map_y - self._top + 0.5) * scale_y - 0.5
            whole_px, part_px = cv2.convertMaps(x.astype(np.float32), y.astype(np.float32), cv2.CV_16SC2)
            self._maps[whole] = (np.asarray(whole_px, dtype=np.int16), np.asarray(part_px, dtype=np.uint16))
        return self._maps[whole]

    def to_mm(self, points_px: NDArray[np.floating]) -> NDArray[np.float64]:
        """View pixels (..., 2) to table millimetres."""
        points = np.asarray(points_px, dtype=np.float64)
        x = self.bounds.x0_mm + (points[..., 0] + 0.5) * self.mm_per_px
        y = self.bounds.y1_mm - (points[..., 1] + 0.5) * self.mm_per_px
        return np.stack([x, y], axis=-1)

    def to_px(self, points_mm: NDArray[np.floating]) -> NDArray[np.float64]:
        """Table millimetres (..., 2) to view pixels."""
        points = np.asarray(points_mm, dtype=np.float64)
        x = (points[..., 0] - self.bounds.x0_mm) / self.mm_per_px - 0.5
        y = (self.bounds.y1_mm - points[..., 1]) / self.mm_per_px - 0.5
        return np.stack([x, y], axis=-1)
