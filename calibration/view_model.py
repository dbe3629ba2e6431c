"""How a camera shows the felt, as a function of a few numbers that a fit can turn.

The numbers are the eight of a homography from the felt to the picture and one of the lens: how far, as a share of
its distance from the middle, the lens moves the picture's corner outwards (barrel: negative). All are of order one.
The lens bends around the picture's middle. (Millimetres to pixels, because the error of a point pair is in its
pixels: the felt is measured with a ruler, the picture is clicked.)
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.lens import Lens, Points
from calibration.pairs import PointPairs

#: Numbers of the view: eight of the homography, one of the lens.
COUNT = 9
BEND = 8


@dataclass(frozen=True, eq=False)
class ViewModel:
    """The fixed part: the picture's size, the felt's middle and size, and the lens where it is known already."""

    width_px: int
    height_px: int
    felt_middle_mm: Points
    felt_size_mm: float
    lens: Lens | None

    @classmethod
    def around(cls, pairs: PointPairs, width_px: int, height_px: int, lens: Lens | None) -> ViewModel:
        """A model whose units fit these pairs."""
        middle = pairs.mm.mean(axis=0)
        size = float(np.sqrt(np.mean(np.sum((pairs.mm - middle) ** 2, axis=1))))
        return cls(width_px, height_px, middle, size, lens)

    @property
    def centre_px(self) -> Points:
        """The picture's middle."""
        return np.array([(self.width_px - 1) / 2, (self.height_px - 1) / 2])

    @property
    def radius_px(self) -> float:
        """Half of the picture's diagonal."""
        return float(np.hypot(self.width_px, self.height_px)) / 2

    def first_guess(self, pairs: PointPairs) -> Points:
        """The numbers of a plain homography through the pairs (a normalised direct linear transform)."""
        flat = self.lens.undistort(pairs.px) if self.lens else pairs.px
        matrix, _ = cv2.findHomography(self._felt(pairs.mm), self._picture(flat), 0)
        if matrix is None or not np.isfinite(matrix).all() or abs(matrix[2, 2]) < 1e-9:
            return np.full(COUNT, np.nan)
        return np.append((matrix / matrix[2, 2]).ravel()[:8], 0.0)

    def pixels(self, numbers: Points, mm: Points) -> Points:
        """Where views (..., COUNT) show places (n, 2) on the felt: pixels (..., n, 2)."""
        matrix = np.concatenate([numbers[..., :8], np.ones_like(numbers[..., :1])], axis=-1)
        matrix = matrix.reshape(*numbers.shape[:-1], 3, 3)
        lifted = self._felt(mm) @ np.swapaxes(matrix[..., :2], -1, -2) + matrix[..., None, :, 2]
        flat = lifted[..., :2] / lifted[..., 2:]
        if self.lens:
            return self.lens.distort(flat * self.radius_px + self.centre_px)
        bent = flat * (1 + numbers[..., BEND, None, None] * np.sum(flat * flat, axis=-1, keepdims=True))
        placed: Points = bent * self.radius_px + self.centre_px
        return placed

    def depths(self, numbers: Points, mm: Points) -> Points:
        """The homography's denominator at places (n, 2): one sign for everything before the camera."""
        depths: Points = self._felt(mm) @ numbers[6:8] + 1.0
        return depths

    def to_picture(self, numbers: Points) -> Points:
        """The homography (3, 3) from table millimetres to undistorted pixels."""
        felt = np.diag([1 / self.felt_size_mm, 1 / self.felt_size_mm, 1.0])
        felt[:2, 2] = -self.felt_middle_mm / self.felt_size_mm
        picture = np.diag([self.radius_px, self.radius_px, 1.0])
        picture[:2, 2] = self.centre_px
        matrix: Points = picture @ np.append(numbers[:8], 1.0).reshape(3, 3) @ felt
        return matrix

    def lens_of(self, numbers: Points, focal_px: float) -> Lens:
        """The lens as OpenCV writes it, for a focal length (which only sets its unit)."""
        if self.lens:
            return self.lens
        x, y = self.centre_px
        k1 = float(numbers[BEND]) * (focal_px / self.radius_px) ** 2
        return Lens.of([[focal_px, 0, x], [0, focal_px, y], [0, 0, 1]], [k1])

    def slopes(self, numbers: Points, mm: Points) -> Points:
        """How the pixels of places (n, 2) turn with the numbers: (n, 2, COUNT), by central differences."""
        steps = 1e-5 * np.eye(COUNT)
        turned = (self.pixels(numbers + steps, mm) - self.pixels(numbers - steps, mm)) / 2e-5
        slopes: Points = np.moveaxis(turned, 0, -1)
        return slopes

    def felt_slopes(self, numbers: Points, mm: Points) -> Points:
        """How the pixels of places (n, 2) turn with the place: (n, 2, 2), px per mm."""
        step = 1e-4 * self.felt_size_mm
        along = [np.array([step, 0.0]), np.array([0.0, step])]
        columns = [(self.pixels(numbers, mm + s) - self.pixels(numbers, mm - s)) / (2 * step) for s in along]
        return np.stack(columns, axis=-1)

    def _felt(self, mm: Points) -> Points:
        felt: Points = (mm - self.felt_middle_mm) / self.felt_size_mm
        return felt

    def _picture(self, px: Points) -> Points:
        picture: Points = (px - self.centre_px) / self.radius_px
        return picture
