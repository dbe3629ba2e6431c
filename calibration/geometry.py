"""One camera's view of one table: pixels to table millimetres and back.

Pixels count from the centre of the picture's first pixel, (0, 0), as OpenCV's do. Millimetres are the table
file's: origin in the middle of the dealer's edge, +x to the dealer's right, +y towards the players, z up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.lens import Lens, Points
from faults import Fault

#: Sizes whose aspect ratios differ by more than this show different parts of the table.
_SAME_ASPECT = 0.01
_KEPT_MAPS = 8


class CalibrationFault(Fault):
    """A calibration that cannot do what is asked of it."""


@dataclass(frozen=True, eq=False)
class Calibration:
    """How the picture of one camera maps to the felt.

    `homography` (3, 3) takes undistorted pixels to table millimetres; `width_px` x `height_px` is the picture it
    was made for. `error_mm` is how far a place may be off (95 %). `camera_mm` is where the camera hangs.
    """

    homography: Points
    width_px: int
    height_px: int
    error_mm: float
    lens: Lens | None = None
    camera_mm: tuple[float, float, float] | None = None
    taken_at: datetime | None = None
    _maps: dict[tuple[float, ...], tuple[NDArray[np.float32], NDArray[np.float32]]] = field(
        default_factory=dict, init=False, repr=False
    )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Calibration):
            return NotImplemented
        return np.array_equal(self.homography, other.homography) and self._rest() == other._rest()

    __hash__ = None  # type: ignore[assignment]

    def _rest(self) -> tuple[object, ...]:
        return (self.width_px, self.height_px, self.error_mm, self.lens, self.camera_mm, self.taken_at)

    def to_table(self, points_px: ArrayLike) -> Points:
        """Pixels (..., 2) to table millimetres (..., 2); NaN for pixels at or above the felt's horizon."""
        points = np.asarray(points_px, dtype=np.float64)
        flat = self.lens.undistort(points) if self.lens else points
        return _project(self.homography, flat, self._facing)

    def to_pixels(self, points_mm: ArrayLike) -> Points:
        """Table millimetres on the felt (..., 2) to pixels (..., 2); NaN for places behind the camera."""
        points = np.asarray(points_mm, dtype=np.float64)
        inverse: Points = np.linalg.inv(self.homography).astype(np.float64)
        flat = _project(inverse, points, self._facing)
        return self.lens.distort(flat) if self.lens else flat

    def at_height(self, points_px: ArrayLike, z_mm: ArrayLike) -> Points:
        """Where a thing seen at pixels (..., 2) is (..., 2), in mm, if it is `z_mm` above the felt.

        Raises:
            CalibrationFault: the table file does not say where the camera hangs.
        """
        felt = self.to_table(points_px)
        camera = self._camera()
        share = (np.asarray(z_mm, dtype=np.float64) / camera[2])[..., None]
        placed: Points = felt + (camera[:2] - felt) * share
        return placed

    def to_pixels_at_height(self, points_mm: ArrayLike, z_mm: ArrayLike) -> Points:
        """The pixels (..., 2) of things at `points_mm` (..., 2) and `z_mm` above the felt.

        Raises:
            CalibrationFault: the table file does not say where the camera hangs.
        """
        camera = self._camera()
        share = (np.asarray(z_mm, dtype=np.float64) / camera[2])[..., None]
        points = np.asarray(points_mm, dtype=np.float64)
        return self.to_pixels((points - camera[:2] * share) / (1 - share))

    def scales_mm_per_px(self, points_mm: ArrayLike) -> Points:
        """Millimetres of felt that one pixel covers at each of the places (..., 2): the root of its area."""
        pixels = self.to_pixels(points_mm)
        # Central differences over one pixel: exact enough, since the lens bends little within a pixel.
        across, along = np.array([0.5, 0.0]), np.array([0.0, 0.5])
        right = self.to_table(pixels + across) - self.to_table(pixels - across)
        down = self.to_table(pixels + along) - self.to_table(pixels - along)
        scale: Points = np.sqrt(np.abs(right[..., 0] * down[..., 1] - right[..., 1] * down[..., 0]))
        return scale

    def mm_per_px(self, at_mm: ArrayLike) -> float:
        """Millimetres of felt that one pixel covers at one place (x, y)."""
        return float(self.scales_mm_per_px(at_mm))

    @property
    def is_mirrored(self) -> bool:
        """True if the picture shows the table as in a mirror.

        Seen from above, pixel rows grow towards where millimetres shrink, so an honest view turns left-handed into
        right-handed axes: its determinant is negative.
        """
        return float(np.linalg.det(self.homography)) * self._facing > 0

    def scaled(self, width_px: int, height_px: int) -> Calibration:
        """The same camera delivering another size, for instance its second stream.

        Raises:
            CalibrationFault: the size has another aspect ratio, so that it shows another part of the table.
        """
        if (width_px, height_px) == (self.width_px, self.height_px):
            return self
        stretch = (width_px * self.height_px) / (height_px * self.width_px)
        if abs(stretch - 1) > _SAME_ASPECT:
            raise CalibrationFault(
                f"the picture is {width_px}x{height_px}",
                where="calibration",
                why=f"it was calibrated at {self.width_px}x{self.height_px}, which has another aspect ratio",
                todo="Use the table file of this camera, or calibrate it at this size.",
            )
        scale = np.array([width_px / self.width_px, height_px / self.height_px])
        shift = (scale - 1) / 2  # because (0, 0) is the middle of a pixel, not its corner
        shrink = np.diag([*(1 / scale), 1.0])
        shrink[:2, 2] = -shift / scale
        return Calibration(
            self.homography @ shrink,
            width_px,
            height_px,
            self.error_mm,
            self.lens.scaled(scale, shift) if self.lens else None,
            self.camera_mm,
            self.taken_at,
        )

    def top_view_map(
        self, x0_mm: float, y0_mm: float, x1_mm: float, y1_mm: float, mm_per_px: float
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Maps for `cv2.remap` that rectify the felt between two corners: +x right, +y up, the dealer at the bottom.

        Both are (height, width) float32. The view's pixel (column, row) is centred on
        x0 + (column + 0.5) * mm_per_px and y1 - (row + 0.5) * mm_per_px. Places behind the camera map to (-1e4, -1e4).
        The maps are kept and shared: do not write into them.
        """
        key = (x0_mm, y0_mm, x1_mm, y1_mm, mm_per_px)
        if key not in self._maps:
            if len(self._maps) >= _KEPT_MAPS:
                self._maps.pop(next(iter(self._maps)))
            self._maps[key] = self._new_map(*key)
        return self._maps[key]

    def _new_map(
        self, x0_mm: float, y0_mm: float, x1_mm: float, y1_mm: float, mm_per_px: float
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        columns = max(1, round((x1_mm - x0_mm) / mm_per_px))
        rows = max(1, round((y1_mm - y0_mm) / mm_per_px))
        x = x0_mm + (np.arange(columns) + 0.5) * mm_per_px
        y = y1_mm - (np.arange(rows) + 0.5) * mm_per_px
        pixels = self.to_pixels(np.stack(np.meshgrid(x, y), axis=-1))
        pixels = np.nan_to_num(pixels, nan=-1e4).clip(-1e4, 1e5)
        map_x: NDArray[np.float32] = np.ascontiguousarray(pixels[..., 0], dtype=np.float32)
        map_y: NDArray[np.float32] = np.ascontiguousarray(pixels[..., 1], dtype=np.float32)
        map_x.flags.writeable = map_y.flags.writeable = False
        return map_x, map_y

    @property
    def _facing(self) -> float:
        """The sign of the homography's denominator in the picture's middle: a homography's own sign is arbitrary."""
        middle = np.array([(self.width_px - 1) / 2, (self.height_px - 1) / 2, 1.0])
        return float(np.sign(self.homography[2] @ middle))

    def _camera(self) -> Points:
        if self.camera_mm is None:
            raise CalibrationFault(
                "the height of a thing cannot be used",
                where="calibration.camera_mm",
                why="the table file does not say where the camera hangs",
                todo="Calibrate again with eight or more points, or measure the camera's place.",
            )
        return np.array(self.camera_mm)


def _project(matrix: Points, points: Points, facing: float) -> Points:
    """Points (..., 2) through a homography; NaN where its denominator has not the sign of `facing`."""
    lifted = points @ matrix[:, :2].T + matrix[:, 2]
    below = lifted[..., 2:]
    ahead = below * facing > 0
    placed: Points = np.where(ahead, lifted[..., :2] / np.where(ahead, below, 1.0), np.nan)
    return placed
