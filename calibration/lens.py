"""The lens: OpenCV's matrix and its five distortion coefficients, in vectorised numpy.

Own code rather than `cv2.undistortPoints`, because that stops after a few fixed-point steps, and because the
polynomial folds back far outside the picture: beyond the radius where it turns, the mapping here goes on in a
straight line, so that a place that the camera cannot see never lands inside the picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

Points = NDArray[np.float64]

#: No lens is believed beyond this normalised radius (83 degrees off the axis).
_WIDEST_RADIUS = 8.0
_NEWTON_STEPS = 30
_CLOSE_ENOUGH = 1e-13
_NEGLIGIBLE = 1e-9


@dataclass(frozen=True, eq=False)
class Lens:
    """A lens: `matrix` (3, 3) in pixels and `distortion` (k1, k2, p1, p2, k3)."""

    matrix: Points
    distortion: Points

    @classmethod
    def of(cls, matrix: ArrayLike, distortion: ArrayLike = ()) -> Lens:
        """A lens from plain numbers; fewer than five coefficients are filled up with zeros."""
        full = np.zeros(5)
        given = np.asarray(distortion, dtype=np.float64).ravel()
        full[: len(given)] = given
        return cls(np.array(matrix, dtype=np.float64), full)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Lens):
            return NotImplemented
        return np.array_equal(self.matrix, other.matrix) and np.array_equal(self.distortion, other.distortion)

    __hash__ = None  # type: ignore[assignment]

    @property
    def focal_px(self) -> Points:
        """(fx, fy) in pixels."""
        return np.array([self.matrix[0, 0], self.matrix[1, 1]])

    @property
    def principal_px(self) -> Points:
        """(cx, cy) in pixels."""
        return np.array([self.matrix[0, 2], self.matrix[1, 2]])

    @cached_property
    def turning_radius(self) -> float:
        """The undistorted, normalised radius up to which a larger angle lies farther from the picture's middle."""
        k1, k2, _, _, k3 = self.distortion
        # a coefficient too small to bend a ray by a billionth only upsets the search for roots
        terms = np.array([7 * k3, 5 * k2, 3 * k1, 1.0])
        squares = np.roots(np.where(np.abs(terms) < _NEGLIGIBLE, 0.0, terms))
        real = [float(root.real) for root in np.atleast_1d(squares) if abs(root.imag) < 1e-9 and root.real > 0]
        # Stop just short of the turn: there the slope is zero and the inverse has no single answer.
        return min([_WIDEST_RADIUS, *(0.999 * float(np.sqrt(root)) for root in real)])

    def distort(self, points_px: Points) -> Points:
        """Undistorted pixels (..., 2) to the pixels of the picture (..., 2)."""
        plain = (points_px - self.principal_px) / self.focal_px
        return self._distort_normalised(plain) * self.focal_px + self.principal_px

    def undistort(self, points_px: Points) -> Points:
        """Pixels of the picture (..., 2) to undistorted pixels (..., 2)."""
        bent = (points_px - self.principal_px) / self.focal_px
        return self._undistort_normalised(bent) * self.focal_px + self.principal_px

    def _distort_normalised(self, plain: Points) -> Points:
        """The lens polynomial on normalised points, continued in a straight line beyond the turning radius."""
        k1, k2, p1, p2, k3 = self.distortion
        x, y = plain[..., 0], plain[..., 1]
        true_square = x * x + y * y
        # Points outside are pulled in to the turning radius, bent there, and pushed out by the same factor.
        pull = np.sqrt(np.maximum(true_square / self.turning_radius**2, 1.0))
        x, y = x / pull, y / pull
        square = np.minimum(true_square, self.turning_radius**2)
        radial = 1 + square * (k1 + square * (k2 + square * k3))
        bent_x = x * radial + 2 * p1 * x * y + p2 * (square + 2 * x * x)
        bent_y = y * radial + p1 * (square + 2 * y * y) + 2 * p2 * x * y
        return np.stack([bent_x * pull, bent_y * pull], axis=-1)

    def _undistort_normalised(self, bent: Points) -> Points:
        """Inverts `_distort_normalised` by a quasi-Newton iteration on the radial slope."""
        if not np.any(self.distortion):
            return bent
        plain = bent.copy()
        for _ in range(_NEWTON_STEPS):
            miss = self._distort_normalised(plain) - bent
            step = self._divide_by_slope(plain, miss)
            plain = plain - step
            if not np.any(np.abs(step) > _CLOSE_ENOUGH):
                break
        return plain

    def _divide_by_slope(self, plain: Points, miss: Points) -> Points:
        """`miss` divided by the derivative of the radial part at `plain` (the tangential part is tiny)."""
        k1, k2, _, _, k3 = self.distortion
        square = np.minimum(np.sum(plain * plain, axis=-1), self.turning_radius**2)
        across = 1 + square * (k1 + square * (k2 + square * k3))
        along = np.maximum(1 + square * (3 * k1 + square * (5 * k2 + square * 7 * k3)), 0.05)
        length = np.maximum(np.sqrt(np.sum(plain * plain, axis=-1, keepdims=True)), 1e-12)
        outward = plain / length
        radial_miss = np.sum(miss * outward, axis=-1, keepdims=True)
        step: Points = radial_miss * outward / along[..., None] + (miss - radial_miss * outward) / across[..., None]
        return step

    def scaled(self, scale: Points, shift: Points) -> Lens:
        """The same lens on a picture whose pixels are `scale * pixel + shift`."""
        matrix = np.diag([scale[0], scale[1], 1.0])
        matrix[:2, 2] = shift
        return Lens(matrix @ self.matrix, self.distortion)
