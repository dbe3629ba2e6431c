"""A stack's own axes in the picture: light sampled along it and across it, and where the camera stands.

Places are as they *seem* on the felt (`Calibration.to_table`): what lies at one height above the felt is then a
similar, only larger and shifted copy of itself, so shares of lengths along the top edge of a stack need no camera.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.geometry import Calibration
from vision.frame import Image

Floats = NDArray[np.float64]

#: The camera's tone curve is unknown, between none and 2.2; edges placed with this one are off by 0.1 px at most.
TONE_CURVE = 1.6
_LIT = ((np.arange(256) / 255) ** TONE_CURVE).astype(np.float32)
_NODE_MM = 8.0
#: Where nothing says how high the camera hangs: a ceiling's range above a table.
_HEIGHT_MM = 3000.0


@dataclass(frozen=True, slots=True)
class Axes:
    """An origin on the felt with a direction along (s) and one across (u), unit vectors, as seeming table mm."""

    origin_mm: tuple[float, float]
    along: tuple[float, float]

    @property
    def across(self) -> tuple[float, float]:
        """The direction across: `along` turned counter-clockwise by a quarter, seen from above."""
        return (-self.along[1], self.along[0])

    def places(self, s_mm: ArrayLike, u_mm: ArrayLike) -> Floats:
        """Seeming table mm (..., 2) of places along and across (...)."""
        s, u = np.broadcast_arrays(np.asarray(s_mm, float), np.asarray(u_mm, float))
        origin, along, across = (np.array(v) for v in (self.origin_mm, self.along, self.across))
        placed: Floats = origin + s[..., None] * along + u[..., None] * across
        return placed

    def inside(self, places_mm: ArrayLike) -> Floats:
        """Along and across (..., 2) of seeming places in table mm (..., 2)."""
        away = np.asarray(places_mm, float) - np.array(self.origin_mm)
        turned: Floats = np.stack([away @ np.array(self.along), away @ np.array(self.across)], axis=-1)
        return turned


@dataclass(frozen=True, slots=True)
class Patch:
    """Light sampled over a window: `light` (rows across, columns along, 3) at `u_mm` (rows,) and `s_mm` (columns,)."""

    light: Floats
    s_mm: Floats
    u_mm: Floats

    @property
    def step_mm(self) -> float:
        """Distance of neighbouring samples along."""
        return float(self.s_mm[1] - self.s_mm[0])


def axes_of(quad_mm: ArrayLike, along: ArrayLike) -> Axes:
    """Axes through the middle of a quad (4, 2), along the one of its two directions that is nearest to `along`."""
    quad, hint = np.asarray(quad_mm, float), np.asarray(along, float)
    sides = (quad[1] - quad[0] + quad[2] - quad[3], quad[2] - quad[1] + quad[3] - quad[0])
    units = [side / max(float(np.linalg.norm(side)), 1e-9) for side in sides]
    best = max(units, key=lambda unit: abs(float(unit @ hint)))
    best = best if float(best @ hint) >= 0 else -best
    middle = quad.mean(axis=0)
    return Axes((float(middle[0]), float(middle[1])), (float(best[0]), float(best[1])))


def px_per_mm(calibration: Calibration, axes: Axes) -> tuple[float, float]:
    """Pixels that one millimetre is long at the origin, along and across."""
    ends = calibration.to_pixels(axes.places([-5, 5, 0, 0], [0, 0, -5, 5]))
    return float(np.linalg.norm(ends[1] - ends[0]) / 10), float(np.linalg.norm(ends[3] - ends[2]) / 10)


def sample(
    image: Image, calibration: Calibration, axes: Axes,
    s_mm: tuple[float, float, float], u_mm: tuple[float, float, float], *, slope: float = 0.0,
) -> Patch:  # fmt: skip
    """Light over (from, to, step) along and across; columns follow lines s + `slope` * u. Outside the picture: NaN."""
    s, u = np.arange(*s_mm), np.arange(*u_mm)
    pixels = _pixels(calibration, axes, s, u, slope)
    rim = np.concatenate([pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]])
    low = np.floor(np.nanmin(rim, axis=0)).astype(int) - 4
    high = np.ceil(np.nanmax(rim, axis=0)).astype(int) + 5
    (x0, y0), (x1, y1) = np.maximum(low, 0), np.minimum(high, [image.shape[1], image.shape[0]])
    if x1 <= x0 or y1 <= y0:
        return Patch(np.full((len(u), len(s), 3), np.nan), s, u)
    lit = cv2.LUT(np.ascontiguousarray(image[y0:y1, x0:x1]), _LIT)
    map_x, map_y = pixels[..., 0] - np.float32(x0), pixels[..., 1] - np.float32(y0)
    light = np.asarray(cv2.remap(lit, map_x, map_y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE), np.float64)
    beyond = (map_x < 0) | (map_y < 0) | (map_x > x1 - x0 - 1) | (map_y > y1 - y0 - 1)
    light[beyond] = np.nan
    return Patch(light, s, u)


def _pixels(calibration: Calibration, axes: Axes, s: Floats, u: Floats, slope: float) -> NDArray[np.float32]:
    """Pixels (rows, columns, 2) of a window, exact every few millimetres and interpolated: off by less than 0.01 px."""
    (nodes_s, share_s), (nodes_u, share_u) = _between(s), _between(u)
    exact = calibration.to_pixels(axes.places(nodes_s[None, :] + slope * nodes_u[:, None], nodes_u[:, None]))
    rows = np.tensordot(share_u, exact.astype(np.float32), axes=(1, 0))  # (rows, nodes along, 2)
    return np.ascontiguousarray(np.einsum("cn,rnk->rck", share_s, rows, optimize=True))


def _between(places: Floats) -> tuple[Floats, NDArray[np.float32]]:
    """Nodes (M,) over the places (N,), and each place's shares (N, M) of the two nodes around it."""
    count = max(2, int(np.ceil((places[-1] - places[0]) / _NODE_MM)) + 1) if len(places) > 1 else 2
    last = float(places[-1]) if len(places) > 1 else float(places[0]) + 1.0
    nodes = np.linspace(float(places[0]), last, count)
    at = (places - nodes[0]) / (nodes[1] - nodes[0])
    shares: NDArray[np.float32] = np.maximum(0, 1 - np.abs(at[:, None] - np.arange(count)[None, :])).astype(np.float32)
    return nodes, shares


@dataclass(frozen=True, slots=True)
class Eye:
    """Where the camera stands, table mm; its distance sideways over its height may be off by `doubt` (1 sigma)."""

    place_mm: tuple[float, float, float]
    doubt: float

    def lean(self, seeming_mm: ArrayLike) -> Floats:
        """How far a thing seen at `seeming_mm` (2,) seems shifted for each mm that it is above the felt, (2,)."""
        foot, height = np.array(self.place_mm[:2]), self.place_mm[2]
        shift: Floats = (np.asarray(seeming_mm, float) - foot) / height
        return shift


def eye_of(calibration: Calibration) -> Eye:
    """Where the camera stands: as calibrated, else from the homography of a camera with square, centred pixels."""
    if calibration.camera_mm is not None:
        return Eye(calibration.camera_mm, 0.02)
    middle = np.array([(calibration.width_px - 1) / 2, (calibration.height_px - 1) / 2])
    outward = np.linalg.inv(calibration.homography)
    if calibration.lens is not None:
        middle = np.asarray(calibration.lens.principal_px, float)
    centred = np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1]]) @ outward
    first, second = centred[:, 0], centred[:, 1]
    # Two columns of a rotation are orthogonal and equally long: f^2 solves both, if the view has perspective at all.
    share = np.array([first[2] * second[2], first[2] ** 2 - second[2] ** 2])
    flat = np.array([first[:2] @ second[:2], first[:2] @ first[:2] - second[:2] @ second[:2]])
    scale = float(np.linalg.norm(np.concatenate([first[:2], second[:2]])))
    if calibration.lens is not None:
        square = float(np.mean(calibration.lens.focal_px)) ** 2
    else:
        weight = float(share @ share)
        square = -float(share @ flat) / weight if weight > 0 else -1.0
    tilted = float(np.linalg.norm([first[2], second[2]])) / scale * np.sqrt(max(square, 0.0))
    if square <= 0 or (calibration.lens is None and tilted < 0.1):
        foot = calibration.to_table(middle)
        return Eye((float(foot[0]), float(foot[1]), _HEIGHT_MM), 0.3)
    turned = np.diag([1 / np.sqrt(square), 1 / np.sqrt(square), 1.0]) @ centred
    turned /= np.sqrt(np.linalg.norm(turned[:, 0]) * np.linalg.norm(turned[:, 1]))
    rotation = np.column_stack([turned[:, 0], turned[:, 1], np.cross(turned[:, 0], turned[:, 1])])
    place = -rotation.T @ turned[:, 2]
    return Eye((float(place[0]), float(place[1]), abs(float(place[2]))), 0.1)
