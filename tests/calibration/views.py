"""Cameras above a felt, made from their place and aim, for the tests of this room."""

from __future__ import annotations

import numpy as np

from calibration.geometry import Calibration
from calibration.lens import Lens, Points


def view(
    camera_mm: tuple[float, float, float] = (30.0, 420.0, 3300.0),
    look_at_mm: tuple[float, float] = (0.0, 400.0),
    *,
    focal_px: float = 3000.0,
    distortion: tuple[float, ...] = (),
    size: tuple[int, int] = (1920, 1080),
    dealer_on_top: bool = False,
    mirrored: bool = False,
) -> Calibration:
    """A pinhole at `camera_mm`, upright, aimed at a place on the felt; the true calibration."""
    centre = np.array(camera_mm)
    forward = np.array([*look_at_mm, 0.0]) - centre
    forward /= np.linalg.norm(forward)
    right = np.cross(forward, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    turn = np.vstack([right, down, forward])
    if dealer_on_top:
        turn[:2] *= -1
    if mirrored:
        turn[0] *= -1
    matrix = np.array([[focal_px, 0, (size[0] - 1) / 2], [0, focal_px, (size[1] - 1) / 2], [0, 0, 1]])
    to_picture = matrix @ np.column_stack([turn[:, 0], turn[:, 1], -turn @ centre])
    homography: Points = np.linalg.inv(to_picture).astype(np.float64)
    lens = Lens.of(matrix, distortion) if distortion else None
    return Calibration(homography / homography[2, 2], *size, 1.0, lens, camera_mm)


def pixels_over(calibration: Calibration, columns: int = 24, rows: int = 14) -> Points:
    """Pixels (n, 2) all over the picture."""
    axes = np.linspace(0, calibration.width_px - 1, columns), np.linspace(0, calibration.height_px - 1, rows)
    return np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
