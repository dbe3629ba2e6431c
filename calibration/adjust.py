"""Turns the numbers of a view until it fits the point pairs, and says how sure they are.

The lens' one number has a prior, so that few pairs leave the lens straight but its doubt in the stated error,
instead of a choice between two models that would hide that doubt. The clicks' scatter has a weak prior too,
because four pairs fit exactly whatever their error.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import least_squares

from calibration.lens import Points
from calibration.pairs import PointPairs
from calibration.view_model import BEND, COUNT, ViewModel

#: How far surveillance lenses move the picture's corner, as a share: one standard deviation.
LENS_PRIOR = 0.02
#: A careful click is off by this much, each way.
CLICK_PX = 1.0
#: That guess about clicks weighs as much as this many measured coordinates.
CLICK_WEIGHT = 2.0


@dataclass(frozen=True, eq=False)
class Adjusted:
    """A view fitted to pairs: `numbers` (COUNT,), what is left in pixels (n, 2), and the clicks' scatter."""

    model: ViewModel
    pairs: PointPairs
    numbers: Points
    left_px: Points
    sigma_px: float
    freedom: float

    @property
    def squares(self) -> float:
        """The sum of squares of what is left, px²."""
        return float(np.sum(self.left_px**2))

    @property
    def rms_px(self) -> float:
        """The scatter that the pairs alone show; 0 if they fit exactly because they are too few."""
        spare = 2 * len(self.pairs) - 8
        return float(np.sqrt(self.squares / spare)) if spare > 0 else 0.0

    @cached_property
    def covariance(self) -> Points:
        """The covariance of the numbers (COUNT, COUNT)."""
        inverse: Points = np.linalg.pinv(
            _information(self.model, self.numbers, self.pairs, self.sigma_px), hermitian=True
        ).astype(np.float64)
        return inverse

    def off_mm(self) -> Points:
        """How far each pair is from where the view has it, on the felt: (n,) mm."""
        slopes = self.model.felt_slopes(self.numbers, self.pairs.mm)
        off: Points = np.linalg.norm(np.linalg.solve(slopes, self.left_px[..., None])[..., 0], axis=1)
        return off

    def samples(self, count: int, seed: int) -> Points:
        """Numbers (count, COUNT) that fit the pairs about as well, drawn as probable as they are (Student's t)."""
        random = np.random.default_rng(seed)
        values, vectors = np.linalg.eigh(self.covariance)
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        widen = np.sqrt(self.freedom / random.chisquare(self.freedom, count))
        drawn: Points = self.numbers + (random.standard_normal((count, COUNT)) @ root.T) * widen[:, None]
        return drawn


def adjust(model: ViewModel, pairs: PointPairs) -> Adjusted | None:
    """The view that fits the pairs best; None if there is none, as for points without a common plane."""
    numbers = model.first_guess(pairs)
    if not np.isfinite(numbers).all():
        return None
    sigma = CLICK_PX
    # Twice, because the prior's weight depends on the scatter, which the first round finds.
    for _ in range(2):
        numbers = _turn(model, pairs, numbers, sigma)
        left = model.pixels(numbers, pairs.mm) - pairs.px
        spare = max(0.0, 2 * len(pairs) - _used(model, numbers, pairs, sigma))
        freedom = spare + CLICK_WEIGHT
        sigma = float(np.sqrt((np.sum(left**2) + CLICK_WEIGHT * CLICK_PX**2) / freedom))
    if not np.isfinite(left).all() or np.ptp(np.sign(model.depths(numbers, pairs.mm))) > 0:
        return None
    return Adjusted(model, pairs, numbers, left, sigma, freedom)


def _turn(model: ViewModel, pairs: PointPairs, start: Points, sigma_px: float) -> Points:
    """Levenberg and Marquardt's descent on the pixels left and the lens' prior."""

    def left(numbers: Points) -> Points:
        pixels = (model.pixels(numbers, pairs.mm) - pairs.px) / sigma_px
        return np.append(pixels.ravel(), numbers[BEND] / LENS_PRIOR)

    def slopes(numbers: Points) -> Points:
        rows = model.slopes(numbers, pairs.mm).reshape(-1, COUNT) / sigma_px
        return np.vstack([rows, np.eye(COUNT)[BEND] / LENS_PRIOR])

    found: Points = least_squares(left, start, jac=slopes, method="lm", max_nfev=200).x
    return found


def _information(model: ViewModel, numbers: Points, pairs: PointPairs, sigma_px: float) -> Points:
    """What pairs and prior say about the numbers: the inverse of their covariance (COUNT, COUNT)."""
    rows = model.slopes(numbers, pairs.mm).reshape(-1, COUNT) / sigma_px
    information: Points = rows.T @ rows
    information[BEND, BEND] += 1 / LENS_PRIOR**2
    return information


def _used(model: ViewModel, numbers: Points, pairs: PointPairs, sigma_px: float) -> float:
    """How many of the pairs' coordinates the fit uses up: eight, and a part of one for the lens."""
    whole = _information(model, numbers, pairs, sigma_px)
    data = whole.copy()
    data[BEND, BEND] -= 1 / LENS_PRIOR**2
    return float(np.trace(np.linalg.pinv(whole, hermitian=True) @ data))
