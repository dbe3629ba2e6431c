"""Where light changes along a line, to a fraction of a pixel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Step:
    """A change of light at `at_mm`, its 1 sigma from the residual, and the light `inside` and `outside` it (3,)."""

    at_mm: float
    sigma_mm: float
    inside: Floats
    outside: Floats
    residual: float


def rise(s_mm: Floats, at_mm: float | Floats, blur_mm: float) -> Floats:
    """A blurred step from 0 to 1 at `at_mm`."""
    risen: Floats = ndtr((s_mm - at_mm) / blur_mm)
    return risen


def fit_steps(
    s_mm: Floats, light: Floats, starts: tuple[Floats, ...], blur_mm: float
) -> tuple[list[float], Floats, float]:
    """The best of all combinations of step places: (places, levels (k + 1, 3), sum of squares)."""
    best: tuple[float, list[float], Floats] = (np.inf, [], np.zeros((0, 3)))
    ones = np.ones_like(s_mm)
    grids = np.stack([g.ravel() for g in np.meshgrid(*starts, indexing="ij")], axis=-1)
    for places in grids[np.all(np.diff(grids, axis=1) > 0.6 * blur_mm, axis=1)] if len(starts) > 1 else grids:
        basis = np.column_stack([ones, *(rise(s_mm, at, blur_mm) for at in places)])
        gain = np.linalg.lstsq(basis, light, rcond=None)[0]
        left = float(((light - basis @ gain) ** 2).sum())
        if left < best[0]:
            best = (left, [float(p) for p in places], np.cumsum(gain, axis=0))
    return best[1], best[2], best[0]


def refine(
    s_mm: Floats, light: Floats, near_mm: float, blur_mm: float, *, reach_mm: float, step_mm: float
) -> Step | None:
    """The single step within `reach_mm` of `near_mm`, or None where there is too little light to fit it."""
    held = np.isfinite(light).all(axis=1)
    if held.sum() < 6:
        return None
    s, values = s_mm[held], light[held]
    width = reach_mm
    place = near_mm
    levels, left = np.zeros((2, 3)), 0.0
    while width > 0.02 * blur_mm:
        starts = np.linspace(place - width, place + width, 9)
        found, levels, left = fit_steps(s, values, (starts,), blur_mm)
        place = found[0]
        width /= 3.0
    contrast = float(((levels[1] - levels[0]) ** 2).sum())
    if contrast <= 0:
        return None
    # How the place answers to light that is not a step: the slope of the model is contrast / (sqrt(2 pi) blur).
    free = max(1, len(s) - 3)
    slope = contrast / (2 * np.sqrt(np.pi) * blur_mm * step_mm)
    sigma = float(np.sqrt(left / free / slope))
    return Step(place, sigma, levels[0], levels[1], left / free)


def crossing(s_mm: Floats, share: Floats, near_mm: float, reach_mm: float) -> float:
    """Where `share` falls or rises through one half, nearest to `near_mm`; NaN if nowhere within `reach_mm`."""
    above = share > 0.5
    turns = np.flatnonzero(above[1:] != above[:-1])
    if not len(turns):
        return float("nan")
    places = s_mm[turns] + (0.5 - share[turns]) / (share[turns + 1] - share[turns]) * (s_mm[turns + 1] - s_mm[turns])
    best = float(places[np.argmin(np.abs(places - near_mm))])
    return best if abs(best - near_mm) <= reach_mm else float("nan")


def robust_line(u_mm: Floats, at_mm: Floats, tolerance_mm: float) -> tuple[float, float, NDArray[np.bool_]]:
    """(offset at u = 0, slope, which points lie on it): the line that most points agree on, then least squares."""
    best = np.zeros(len(u_mm), bool)
    held = np.flatnonzero(np.isfinite(at_mm))
    for i in held:
        for j in held[held > i]:
            slope = (at_mm[j] - at_mm[i]) / (u_mm[j] - u_mm[i])
            if abs(slope) > 0.12:
                continue
            off = np.abs(at_mm - at_mm[i] - slope * (u_mm - u_mm[i]))
            agree = np.nan_to_num(off, nan=np.inf) <= tolerance_mm
            if agree.sum() > best.sum():
                best = agree
    if best.sum() < 2:
        return float("nan"), 0.0, best
    slope, offset = np.polyfit(u_mm[best], at_mm[best], 1)
    return float(offset), float(slope), best
