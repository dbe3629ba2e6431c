"""How the detector is made to see a picture: laid flat through the table file, or scaled as it is."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from cv2.typing import MatLike

from calibration.geometry import Calibration
from calibration.tablefile import Table
from models.labels.labelled import Corners, Problems
from vision.frame import Image
from vision.topview import DETECT_MM_PER_PX, TopView, dealer_bounds
from vision.wide import wide_view


class View(Protocol):
    """One picture as the detector sees it, and the way from its pixels to the camera's and back."""

    @property
    def image(self) -> Image:
        """The view, (H, W, 3) BGR."""
        ...

    def to_view(self, points_px: Corners) -> Corners:
        """Pixels (..., 2) of the camera's picture to pixels of the view; not finite where there is no way."""
        ...

    def to_picture(self, points_px: Corners) -> Corners:
        """Pixels (..., 2) of the view to pixels of the camera's picture."""
        ...


class Look(Protocol):
    """Makes views of a picture."""

    about: str

    def views(self, image: Image) -> list[View]:
        """The views of a picture (H, W, 3), the finest first."""
        ...


@dataclass(frozen=True, slots=True)
class _Flat:
    """A top view of a picture."""

    image: Image
    top: TopView
    calibration: Calibration

    def to_view(self, points_px: Corners) -> Corners:
        return self.top.to_px(self.calibration.to_table(points_px))

    def to_picture(self, points_px: Corners) -> Corners:
        return self.calibration.to_pixels(self.top.to_mm(points_px))


class FlatLook:
    """Top views as the program makes them: the dealer's area, and the whole table more coarsely."""

    def __init__(self, table: Table) -> None:
        self.about = f"laid flat through the table file of {table.table}"
        self._table = table
        self._made: dict[tuple[int, int], tuple[Calibration, list[TopView]]] = {}

    def views(self, image: Image) -> list[View]:
        """The dealer's area and the whole table.

        Raises:
            CalibrationFault: the picture has another shape than the table file's camera.
        """
        height, width = image.shape[:2]
        if (width, height) not in self._made:
            calibration = self._table.calibration.scaled(width, height)
            layout = self._table.layout
            tops = [TopView(calibration, dealer_bounds(layout)), wide_view(calibration, layout)]
            self._made[width, height] = calibration, tops
        calibration, tops = self._made[width, height]
        return [_Flat(top.view(image), top, calibration) for top in tops]


@dataclass(frozen=True, slots=True)
class _Scaled:
    """A picture at the detector's scale."""

    image: Image
    factor: float

    def to_view(self, points_px: Corners) -> Corners:
        return points_px * self.factor

    def to_picture(self, points_px: Corners) -> Corners:
        return points_px / self.factor


class ScaledLook:
    """Pictures as they are, only brought to the detector's scale."""

    def __init__(self, mm_per_px: float) -> None:
        self.about = f"as they are, at {mm_per_px:g} mm for each pixel"
        self._factor = mm_per_px / DETECT_MM_PER_PX

    def views(self, image: Image) -> list[View]:
        """The one view."""
        height, width = image.shape[:2]
        size = max(1, round(width * self._factor)), max(1, round(height * self._factor))
        method = cv2.INTER_AREA if self._factor < 1 else cv2.INTER_LINEAR
        return [_Scaled(np.asarray(cv2.resize(image, size, interpolation=method), np.uint8), self._factor)]


def open_picture(path: Path, problems: Problems, place: str) -> Image | None:
    """The picture, (H, W, 3) BGR, or None after its fault was noted.

    Turned as its file stands: label tools differ in whether they follow a photograph's mark for turning, so a picture
    that needs it is told by its size.
    """
    image = cv2.imread(str(path), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    if image is None:
        problems.add(path, None, place, "no picture that can be decoded", "a JPEG, PNG, BMP, WebP or TIFF file")
        return None
    return np.asarray(image, np.uint8)


def save_picture(path: Path, image: MatLike, flags: Sequence[int] = ()) -> None:
    """Writes a picture (H, W, 3), BGR; the ending of its name tells the format.

    Raises:
        OSError: it could not be written, as on a full disk; OpenCV tells that by a value only.
    """
    if not cv2.imwrite(str(path), image, flags):
        raise OSError(errno.EIO, "the picture could not be written", str(path))
