"""From point pairs to a calibration with its error in millimetres.

The view is a homography (a direct linear transform, then Levenberg and Marquardt's descent on the pixels left)
and one number for the lens, unless the lens is known. The error is stated from the covariance of the fit: over
the layout, 95 % of places are off by less, if the clicks scatter as the pairs say they do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

import cv2
import numpy as np

from calibration.adjust import Adjusted, adjust
from calibration.geometry import Calibration
from calibration.lens import Lens, Points
from calibration.outliers import refuse_outliers
from calibration.pairs import PointPairs, PointsFault, refuse_degenerate
from calibration.pinhole import camera_of, focal_px_of
from calibration.polygon import contains
from calibration.view_model import ViewModel

__all__ = ["Fit", "PointPairs", "PointsFault", "fit", "fit_pairs"]

#: Above this stated error no measurement on a table means anything: a card is 63 mm wide.
WORST_ERROR_MM = 50.0
_SHARE = 95.0
_SAMPLES = 300
_SEED = 20040601
_GRID = 12
#: The lens' focal length only sets the unit of its coefficients where the points cannot tell it.
_NOMINAL_FOCAL = 1.5
#: The camera's place is stated if its height is known at least this well (one standard deviation).
_HEIGHT_SURE = 0.1


@dataclass(frozen=True, eq=False)
class Fit:
    """A calibration and how the pairs agree with it: `off_mm` (n,) by pair, `sigma_px` the clicks' scatter."""

    calibration: Calibration
    pairs: PointPairs
    off_mm: Points
    sigma_px: float


def fit(
    pairs: PointPairs,
    width_px: int,
    height_px: int,
    *,
    lens: Lens | None = None,
    area_mm: Points | None = None,
    camera_mm: tuple[float, float, float] | None = None,
    taken_at: datetime | None = None,
) -> Calibration:
    """The calibration of a camera whose picture is `width_px` x `height_px`; see `fit_pairs`."""
    found = fit_pairs(pairs, width_px, height_px, lens=lens, area_mm=area_mm)
    camera = camera_mm or found.calibration.camera_mm
    return replace(found.calibration, camera_mm=camera, taken_at=taken_at)


def fit_pairs(
    pairs: PointPairs, width_px: int, height_px: int, *, lens: Lens | None = None, area_mm: Points | None = None
) -> Fit:
    """The calibration from four or more pairs, with its error over `area_mm` (n, 2; default: the points' hull).

    `lens` is used as it is if given; else one coefficient is estimated, held back by what lenses are usually like.

    Raises:
        PointsFault: too few pairs, points repeated or on a line, pairs that do not fit (by name), or pairs that
            leave the view too uncertain.
    """
    refuse_degenerate(pairs)
    _refuse_outside(pairs, width_px, height_px)
    model = ViewModel.around(pairs, width_px, height_px, lens)
    fitted = adjust(model, pairs)
    refuse_outliers(model, pairs, fitted)
    if fitted is None:
        raise PointsFault(
            "no view of a flat felt fits the point pairs",
            why="pixels and millimetres do not belong together, or three of four points lie on one line",
            todo="Check the pairs one by one, and spread the points over the whole layout.",
        )
    samples = fitted.samples(_SAMPLES, _SEED)
    error_mm = _error_mm(fitted, samples, pairs.mm if area_mm is None else area_mm)
    if not error_mm < WORST_ERROR_MM:
        raise PointsFault(
            f"the felt is only known to {error_mm:.0f} mm",
            why="the points lie too close together, or nearly on a line, for the layout around them",
            todo="Spread the points over the whole layout, and add more.",
        )
    return Fit(_calibration(fitted, samples, error_mm), pairs, fitted.off_mm(), fitted.sigma_px)


def _refuse_outside(pairs: PointPairs, width_px: int, height_px: int) -> None:
    """Refuses pixels that the picture does not have."""
    outside = np.any((pairs.px < -0.5) | (pairs.px > np.array([width_px, height_px]) - 0.5), axis=1)
    if outside.any():
        number = int(np.argmax(outside))
        x, y = pairs.px[number]
        raise PointsFault(
            f"point {pairs.names[number]} at ({x:g}, {y:g}) px is outside the picture",
            why=f"the picture is {width_px}x{height_px}",
            todo="Take the pixels from a picture of this size.",
        )


def _calibration(fitted: Adjusted, samples: Points, error_mm: float) -> Calibration:
    """The fitted numbers in the table file's form."""
    model = fitted.model
    to_picture = model.to_picture(fitted.numbers)
    focal = _sure_focal(fitted, samples)
    lens = model.lens_of(fitted.numbers, focal or _NOMINAL_FOCAL * model.width_px)
    camera_mm = camera_of(to_picture, lens) if focal else None
    homography: Points = np.linalg.inv(to_picture).astype(np.float64)
    middle = homography @ np.append(model.centre_px, 1.0)
    return Calibration(homography / middle[2], model.width_px, model.height_px, error_mm, lens, camera_mm)


def _sure_focal(fitted: Adjusted, samples: Points) -> float | None:
    """The focal length in pixels; None if the view, straight down as it may be, does not tell it well enough."""
    model = fitted.model
    if model.lens:
        return float(model.lens.focal_px.mean())
    focals = np.array([focal_px_of(model.to_picture(numbers), model.centre_px) or np.inf for numbers in samples])
    focal = focal_px_of(model.to_picture(fitted.numbers), model.centre_px)
    if focal is None:
        return None
    # The height is proportional to the focal length. (No percentile between two samples: some may be infinite.)
    low, high = np.percentile(focals, [16, 84], method="nearest")
    return focal if np.isfinite(high) and (high - low) / 2 < _HEIGHT_SURE * focal else None


def _error_mm(fitted: Adjusted, samples: Points, area_mm: Points) -> float:
    """How far off, at most, are 95 % of the places in the area, over all views that fit the pairs about as well."""
    places = _grid_in(fitted, area_mm)
    turns = fitted.model.slopes(fitted.numbers, places)
    felt = fitted.model.felt_slopes(fitted.numbers, places)
    # A pixel stays where it is while the view turns: the place moves so as to make up for it.
    per_number = -np.linalg.solve(felt, turns)
    moved = np.einsum("pxn,sn->spx", per_number, samples - fitted.numbers)
    return float(np.percentile(np.linalg.norm(moved, axis=-1), _SHARE))


def _grid_in(fitted: Adjusted, area_mm: Points) -> Points:
    """Places (n, 2) spread over the hull of the area, those that the picture shows if there are any."""
    hull = cv2.convexHull(area_mm.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    low, high = hull.min(axis=0), hull.max(axis=0)
    axes = [low[i] + (np.arange(_GRID) + 0.5) / _GRID * (high[i] - low[i]) for i in range(2)]
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)
    grid = grid[contains(grid, hull)]
    px = fitted.model.pixels(fitted.numbers, grid)
    size = np.array([fitted.model.width_px, fitted.model.height_px])
    ahead = fitted.model.depths(fitted.numbers, grid) * fitted.model.depths(fitted.numbers, fitted.pairs.mm)[0] > 0
    seen = np.all((px >= 0) & (px < size), axis=1) & ahead
    return grid[seen] if seen.any() else fitted.pairs.mm
