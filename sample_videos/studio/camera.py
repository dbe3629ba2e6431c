"""The pinhole with a Brown lens: table millimetres to pixels, and back for the plane of the felt.

Camera axes are OpenCV's: x to the image's right, y down, z away from the camera.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sample_videos.studio.scene import CameraSpec

Array = NDArray[np.float64]


def view_axes(spec: CameraSpec) -> tuple[Array, Array]:
    """The rotation (3, 3) and translation (3,) that take table millimetres to camera millimetres.

    Image up is the table's +y as far as the view allows; `roll` then turns the camera counter-clockwise seen
    from above.
    """
    position = np.asarray(spec.position_mm, float)
    forward = np.asarray(spec.look_at_mm, float) - position
    forward /= np.linalg.norm(forward)
    hint = np.array([0.0, 1.0, 0.0]) if abs(forward[1]) < 0.999 else np.array([0.0, 0.0, 1.0])
    down = -(hint - (hint @ forward) * forward)
    down /= np.linalg.norm(down)
    right = np.cross(down, forward)
    cos, sin = np.cos(spec.roll), np.sin(spec.roll)
    rotation = np.stack([cos * right - sin * down, sin * right + cos * down, forward])
    return rotation, -rotation @ position


def camera_matrix(spec: CameraSpec) -> Array:
    """OpenCV's camera matrix K (3, 3)."""
    cx, cy = spec.principal_px
    return np.array([[spec.focal_px, 0.0, cx], [0.0, spec.focal_px, cy], [0.0, 0.0, 1.0]])


def project(spec: CameraSpec, points_mm: ArrayLike) -> Array:
    """Pixels (N, 2) of table points (N, 3), lens distortion included. Points behind the camera give nan."""
    rotation, translation = view_axes(spec)
    points = np.asarray(points_mm, float).reshape(-1, 3) @ rotation.T + translation
    depth = np.where(points[:, 2] > 1e-6, points[:, 2], np.nan)
    x, y = points[:, 0] / depth, points[:, 1] / depth
    xd, yd = _distort(x, y, spec.distortion)
    return np.stack([spec.focal_px * xd + spec.principal_px[0], spec.focal_px * yd + spec.principal_px[1]], axis=1)


def _distort(x: Array, y: Array, distortion: Sequence[float]) -> tuple[Array, Array]:
    k1, k2, p1, p2, k3 = distortion
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    return (
        x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x),
        y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y,
    )


def homography_and_lens(spec: CameraSpec) -> tuple[Array, Array, Array]:
    """What a table file holds: the homography (3, 3) from undistorted pixels to table mm at z = 0, K and (k1..k3)."""
    rotation, translation = view_axes(spec)
    matrix = camera_matrix(spec)
    to_pixels = matrix @ np.column_stack([rotation[:, 0], rotation[:, 1], translation])
    to_table = np.linalg.inv(to_pixels)
    return to_table / to_table[2, 2], matrix, np.asarray(spec.distortion, float)


def mm_per_px(spec: CameraSpec) -> float:
    """Table millimetres per pixel where the camera looks."""
    reach = np.linalg.norm(np.asarray(spec.look_at_mm, float) - np.asarray(spec.position_mm, float))
    return float(reach / spec.focal_px)


def lens_limit(spec: CameraSpec) -> float:
    """Squared normalised radius beyond which the lens polynomial turns back; the renderer holds it there."""
    k1, k2, _, _, k3 = spec.distortion
    radius = np.linspace(0.0, 3.0, 601)
    r2 = radius * radius
    slope = 1 + r2 * (3 * k1 + r2 * (5 * k2 + r2 * 7 * k3))
    folded = np.nonzero(slope < 0.05)[0]
    return float(r2[folded[0]] if folded.size else r2[-1])
