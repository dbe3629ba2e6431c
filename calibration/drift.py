"""Whether the camera has moved since it was calibrated.

Corners of what is printed and standing on the felt are followed from a reference picture into a new one; what
most of them did in common (shift, turn, zoom) is the camera's doing. Hands and cards that came or went are the
minority that disagrees. Where too few corners can be followed, nothing is known, and nothing is said.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Calibration
from calibration.lens import Points

Image = NDArray[np.uint8]

#: Pictures are compared at no more than this width: finer ones only cost time.
_WIDTH_PX = 960
_CORNERS = 400
_FEWEST_CORNERS = 15
#: At least this share of the followed corners must agree.
_AGREEING = 0.4
#: A corner that does not come back to where it started, followed there and back, was lost.
_RETURN_PX = 0.7
_AGREE_PX = 1.0
#: So many looks in a row must say so before the camera counts as moved: a passing sleeve may fool one.
_LOOKS = 3
#: A shift below this many pixels cannot be told from none.
_FINEST_PX = 0.5
_GRID = 9


@dataclass(frozen=True, slots=True)
class Shift:
    """What one look found: where the picture's middle went, and how far places on the felt are off.

    `dx_px`, `dy_px` and `turn_deg` (clockwise in the picture) say how the picture moved against the reference; `zoom`
    is 1 if it did not change size. `agreeing` is the share of followed corners that moved so. `is_moved` is True if
    this and the looks before it all lie beyond the limit: the calibration no longer holds.
    """

    dx_px: float
    dy_px: float
    turn_deg: float
    zoom: float
    off_mm: float
    agreeing: float
    is_moved: bool

    @property
    def shift_px(self) -> float:
        """How far the picture's middle went."""
        return float(np.hypot(self.dx_px, self.dy_px))


class Drift:
    """Compares pictures of one camera with a reference picture from the time of its calibration.

    `reference` is (H, W, 3) BGR or (H, W) grey. A camera counts as moved beyond `limit_mm`; by default twice the
    calibration's own error, and no less than half a pixel. How far off it is goes by places spread over the picture
    (95 % of them are off by less), or, where `places_px` (n, 2) are given, by the one of these that went farthest.
    """

    def __init__(
        self,
        reference: Image,
        calibration: Calibration,
        limit_mm: float | None = None,
        places_px: Points | None = None,
    ) -> None:
        height_px, width_px = reference.shape[:2]
        self._calibration = calibration.scaled(width_px, height_px)
        self._size = (height_px, width_px)
        self._scale = min(1.0, _WIDTH_PX / width_px)
        self._reference = self._prepared(reference)
        found = cv2.goodFeaturesToTrack(self._reference, _CORNERS, 0.01, 6)
        self._corners = np.zeros((0, 1, 2), np.float32) if found is None else found.astype(np.float32)
        self._places, self._percent = (self._grid(), 95) if places_px is None else (places_px, 100)
        finest_mm = _FINEST_PX * float(np.nanmedian(self._calibration.scales_mm_per_px(self._felt(self._places))))
        self.limit_mm = max(2 * calibration.error_mm, finest_mm) if limit_mm is None else limit_mm
        self._looks = 0

    def step(self, image: Image) -> Shift | None:
        """How a picture of the same size lies against the reference; None if too little of it can be recognised."""
        if image.shape[:2] != self._size:
            raise ValueError(f"the reference is {self._size[1]}x{self._size[0]}, this is {image.shape[1::-1]}")
        then, now = self._followed(self._prepared(image))
        if len(then) < _FEWEST_CORNERS:
            return None
        moved, agreeing = cv2.estimateAffinePartial2D(then, now, ransacReprojThreshold=_AGREE_PX, maxIters=2000)
        if moved is None:
            return None
        share = float(agreeing.mean())
        if share < _AGREEING or agreeing.sum() < _FEWEST_CORNERS:
            return None
        return self._shift(moved.astype(np.float64), share)

    def _shift(self, moved: Points, share: float) -> Shift:
        """The look's finding, from the similarity (2, 3) between the two shrunk pictures."""
        turn, step = moved[:, :2], moved[:, 2] / self._scale
        # The shrunk pictures' (0, 0) is not the full ones': take that into account along with the scale.
        corner = (1 / self._scale - 1) / 2
        step = step + corner - turn @ np.array([corner, corner])
        places = self._places @ turn.T + step
        middle = np.array([(self._size[1] - 1) / 2, (self._size[0] - 1) / 2])
        dx, dy = turn @ middle + step - middle
        off = np.linalg.norm(self._felt(places) - self._felt(self._places), axis=1)
        off_mm = float(np.nanpercentile(off, self._percent))
        self._looks = self._looks + 1 if off_mm > self.limit_mm else 0
        angle = float(np.degrees(np.arctan2(turn[1, 0], turn[0, 0])))
        zoom = float(np.hypot(turn[0, 0], turn[1, 0]))
        return Shift(float(dx), float(dy), angle, zoom, off_mm, share, self._looks >= _LOOKS)

    def _followed(self, now: Image) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The corners (n, 2) that can be followed into a picture and back, there and here."""
        if len(self._corners) < _FEWEST_CORNERS:
            return self._corners[:0, 0], self._corners[:0, 0]
        there, seen = _follow(self._reference, now, self._corners)
        back, again = _follow(now, self._reference, there)
        returned = np.linalg.norm(back - self._corners, axis=-1)[:, 0] < _RETURN_PX
        good = (seen[:, 0] == 1) & (again[:, 0] == 1) & returned
        return self._corners[good, 0], there[good, 0]

    def _prepared(self, image: Image) -> Image:
        """Grey, shrunk, and freed of slow changes of light."""
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
        if self._scale < 1:
            size = (round(image.shape[1] * self._scale), round(image.shape[0] * self._scale))
            grey = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        light = grey.astype(np.float32)
        around = cv2.GaussianBlur(light, (0, 0), 15)
        even: Image = np.clip(128 + 64 * (light - around) / (around + 16) * 2, 0, 255).astype(np.uint8)
        return even

    def _grid(self) -> Points:
        """Places (n, 2) spread over the picture, in pixels."""
        height_px, width_px = self._size
        axes = ((np.arange(_GRID) + 0.5) / _GRID * width_px, (np.arange(_GRID) + 0.5) / _GRID * height_px)
        return np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)

    def _felt(self, places_px: Points) -> Points:
        return self._calibration.to_table(places_px)


def _follow(one: Image, other: Image, corners: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    """Where corners (n, 1, 2) of one picture lie in another, and (n, 1) whether each was found."""
    nowhere = np.zeros_like(corners)
    there, seen, _ = cv2.calcOpticalFlowPyrLK(one, other, corners, nowhere, winSize=(21, 21), maxLevel=4)
    return np.asarray(there, dtype=np.float32), np.asarray(seen, dtype=np.uint8)
