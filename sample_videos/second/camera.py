"""A pinhole camera with a bent lens over the table, in OpenCV's conventions; a pixel's centre is at a whole number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens

Points = NDArray[np.float64]
Image = NDArray[np.uint8]

#: The page draws so much more on every side than a bent lens could need.
OVERSCAN = 1.1
#: The lens is worked out for every so many pixels, and between them drawn straight.
GRID_PX = 16


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """A camera that hangs at `place_mm` (table mm).

    `axes` (3, 3) has the directions of the picture's right, down and ahead in its rows, in table axes; `focal_px` is
    the same both ways, the principal point is the picture's middle, `bend` the lens's first radial coefficient.
    """

    width_px: int
    height_px: int
    focal_px: float
    place_mm: Points
    axes: Points
    bend: float = 0.0

    @staticmethod
    def over(
        aim_mm: Points,
        *,
        size_px: tuple[int, int],
        mm_per_px: float,
        height_mm: float,
        tilt_deg: float,
        azimuth_deg: float,
        roll_deg: float,
        bend: float = 0.0,
    ) -> Camera:
        """A camera `height_mm` over the felt that sees `aim_mm` (2,) in its middle at `mm_per_px`.

        It leans `tilt_deg` off the vertical, from the direction `azimuth_deg` (0: from the dealer's right). At a roll
        of 0 the dealer is at the bottom of the picture.
        """
        tilt, azimuth, roll = np.radians([tilt_deg, azimuth_deg, roll_deg])
        far = height_mm * np.tan(tilt)
        place = np.array([aim_mm[0] + far * np.cos(azimuth), aim_mm[1] + far * np.sin(azimuth), height_mm])
        ahead: Points = np.array([aim_mm[0], aim_mm[1], 0.0]) - place
        distance = float(np.linalg.norm(ahead))
        ahead /= distance
        up = np.array([np.sin(roll), np.cos(roll), 0.0])
        up -= ahead * float(up @ ahead)
        down = -up / np.linalg.norm(up)
        axes = np.stack([np.cross(down, ahead), down, ahead])
        return Camera(*size_px, distance / mm_per_px, place, axes, bend)

    @property
    def matrix(self) -> Points:
        """OpenCV's camera matrix (3, 3)."""
        middle = ((self.width_px - 1) / 2, (self.height_px - 1) / 2)
        return np.array([[self.focal_px, 0, middle[0]], [0, self.focal_px, middle[1]], [0, 0, 1.0]])

    @property
    def lens(self) -> Lens:
        """The lens, as the table file has it."""
        return Lens.of(self.matrix, [self.bend, 0, 0, 0, 0])

    @property
    def homography(self) -> Points:
        """Undistorted pixels to table mm, (3, 3)."""
        turn = self.axes
        shift = -turn @ self.place_mm
        to_px: Points = self.matrix @ np.column_stack([turn[:, 0], turn[:, 1], shift])
        back = np.asarray(np.linalg.inv(to_px), np.float64)
        out: Points = back / back[2, 2]
        return out

    def plain(self, points_mm: Points) -> Points:
        """Table points (..., 3) in undistorted pixels (..., 2)."""
        seen = (points_mm - self.place_mm) @ self.axes.T
        out: Points = seen[..., :2] / seen[..., 2:] * self.focal_px + self.matrix[:2, 2]
        return out

    def see(self, points_mm: Points) -> Points:
        """Table points (..., 3) in the picture's pixels (..., 2)."""
        return self.lens.distort(self.plain(points_mm))

    # -- what the page draws ---------------------------------------------------------------------------------------

    @property
    def drawn_px(self) -> tuple[int, int]:
        """Width and height of the page's picture: larger by an even number, for the lens to bend."""
        if self.bend == 0:
            return self.width_px, self.height_px
        half = [round(side * (OVERSCAN - 1) / 2) for side in (self.width_px, self.height_px)]
        return self.width_px + 2 * half[0], self.height_px + 2 * half[1]

    @property
    def border_px(self) -> tuple[int, int]:
        """How far the picture's corner lies inside the drawn one."""
        width, height = self.drawn_px
        return (width - self.width_px) // 2, (height - self.height_px) // 2

    def bent(self, drawn: Image) -> Image:
        """The page's picture as the lens shows it."""
        if self.bend == 0:
            return drawn
        columns, rows = (np.arange(0, side + GRID_PX, GRID_PX) for side in (self.width_px, self.height_px))
        grid = np.stack(np.meshgrid(columns, rows), axis=-1).astype(np.float64)
        straight = (self.lens.undistort(grid) + self.border_px).astype(np.float32)
        y, x = np.mgrid[0 : self.height_px, 0 : self.width_px].astype(np.float32) / GRID_PX
        maps = cv2.remap(straight, x, y, cv2.INTER_LINEAR)
        return np.asarray(cv2.remap(drawn, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR), np.uint8)

    def for_page(self) -> dict[str, Any]:
        """The camera as the page wants it."""
        return {"place_mm": self.place_mm.tolist(), "axes": self.axes.tolist(), "focal_px": self.focal_px}

    def keys(self) -> dict[str, Any]:
        """The table file's `calibration`."""
        return {
            "homography": self.homography.tolist(),
            "lens": {"matrix": self.matrix.tolist(), "distortion": [self.bend, 0.0, 0.0, 0.0, 0.0]},
            "camera_mm": [round(float(v), 3) for v in self.place_mm],
            "error_mm": 0.5,
        }
