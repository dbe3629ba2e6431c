"""What a view of the flat felt says about the camera itself: its focal length and where it hangs."""

from __future__ import annotations

import numpy as np

from calibration.lens import Lens, Points


def focal_px_of(to_picture: Points, principal_px: Points) -> float | None:
    """The focal length in pixels for which the felt's axes are square and equally long.

    `to_picture` (3, 3) takes millimetres to undistorted pixels. None if the camera looks (almost) straight down,
    where a long lens high up shows the same as a short one low down.
    """
    shift = np.eye(3)
    shift[:2, 2] = -principal_px
    matrix = shift @ to_picture
    one, other = matrix[:, 0], matrix[:, 1]
    # Two equations for 1 / f², from square axes and from equal lengths: take them together.
    flat = np.array([one[0] * other[0] + one[1] * other[1], one[0] ** 2 + one[1] ** 2 - other[0] ** 2 - other[1] ** 2])
    deep = np.array([one[2] * other[2], one[2] ** 2 - other[2] ** 2])
    weight = float(flat @ flat)
    if weight <= 0:
        return None
    square = -float(flat @ deep) / weight  # 1 / f², from flat / f² + deep = 0
    return float(1 / np.sqrt(square)) if square > 0 else None


def camera_of(to_picture: Points, lens: Lens) -> tuple[float, float, float] | None:
    """Where the camera hangs, in table mm, from the homography (mm to undistorted pixels) and its lens."""
    matrix = np.linalg.inv(lens.matrix) @ to_picture
    matrix /= (np.linalg.norm(matrix[:, 0]) + np.linalg.norm(matrix[:, 1])) / 2
    turn = np.column_stack([matrix[:, 0], matrix[:, 1], np.cross(matrix[:, 0], matrix[:, 1])])
    left, _, right = np.linalg.svd(turn)
    place = -(left @ right).T @ matrix[:, 2]
    if not np.isfinite(place).all() or place[2] == 0:
        return None
    # The sign of the height is lost with the homography's own sign and with mirrors; cameras hang above.
    return float(place[0]), float(place[1]), float(abs(place[2]))
