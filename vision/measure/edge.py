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


def inner_of_two(s_mm: Floats, light: Floats, second_mm: float, apart_mm: float, blur_mm: float) -> Step | None:
    """The first of two steps, at most `apart_mm` before the strong one at `second_mm`; None if one does as well."""
    near = (s_mm > second_mm - apart_mm - 5 * blur_mm) & (s_mm < second_mm + 2.5 * blur_mm)
    s, values = s_mm[near], light[near]
    if len(s) < 8 or apart_mm < 0.8 * blur_mm:
        return None
    seconds = second_mm + np.linspace(-1.0, 1.0, 9) * blur_mm
    _, _, alone = fit_steps(s, values, (seconds,), blur_mm)
    gaps = second_mm - np.arange(0.6 * blur_mm, apart_mm + blur_mm, 0.2 * blur_mm)
    places, levels, left = fit_steps(s, values, (gaps, seconds), blur_mm)
    if left > 0.6 * alone:
        return None
    by_place = {at: fit_steps(s, values, (np.array([at]), seconds), blur_mm)[2] for at in gaps}
    # The places that fit about as well, one unit of residual worse for each degree of freedom, are the doubt.
    limit = left * (1 + 4.0 / max(1, len(s) // 2))
    alike = [at for at, rest in by_place.items() if rest <= limit]
    sigma = max((max(alike) - min(alike)) / 4, 0.1 * blur_mm) if alike else blur_mm
    return Step(places[0], float(sigma), levels[0], levels[1], left)


@dataclass(frozen=True, slots=True)
class Groove:
    """A narrow line at `at_mm` in otherwise even light, and the step near it, if any, at `end_mm`.

    `width_mm` is how wide a wholly dark line of the same missing light would be.
    """

    at_mm: float
    sigma_mm: float
    width_mm: float
    end_mm: float | None


def fit_groove(s_mm: Floats, light: Floats, near_mm: float, blur_mm: float, *, reach_mm: float,
               end_mm: float | None, wide_mm: float) -> Groove | None:  # fmt: skip
    """The line near `near_mm` (within `reach_mm`), about `wide_mm` wide, fitted together with the step at `end_mm`.

    Light (N, 3) may hold one step only, at `end_mm`, which then is fitted anew. None where there is too little of it.
    """
    held = np.isfinite(light).all(axis=1)
    s, values = s_mm[held], light[held]
    if len(s) < 8:
        return None
    spread = float(np.hypot(blur_mm, wide_mm / np.sqrt(12)))

    def fitted(at: float, end: float | None) -> tuple[float, Floats]:
        line = np.exp(-0.5 * ((s - at) / spread) ** 2)
        basis = [np.ones_like(s), line] if end is None else [np.ones_like(s), line, rise(s, end, blur_mm)]
        matrix = np.column_stack(basis)
        gain = np.linalg.lstsq(matrix, values, rcond=None)[0]
        return float(((values - matrix @ gain) ** 2).sum()), gain

    at, end, width, turn = near_mm, end_mm, reach_mm, 1.2 * blur_mm
    while width > 0.05 * blur_mm:
        places = np.linspace(at - width, at + width, 9)
        ends = [None] if end is None else list(np.linspace(end - turn, end + turn, 7))
        _, at, end = min(((fitted(a, e)[0], a, e) for a in places for e in ends), key=lambda item: item[0])
        width, turn = width / 3, turn / 3
    left, gain = fitted(at, end)
    plain = gain[0] if end is None else gain[0] + (gain[2] if at > end else 0.0)
    around = float(np.linalg.norm(plain))
    missing = -float(gain[1] @ plain) / max(around**2, 1e-9)
    steep = float((gain[1] ** 2).sum()) * np.sqrt(np.pi) / (2 * spread * float(s[1] - s[0]))
    sigma = float(np.sqrt(left / max(1, len(s) - 4) / max(steep, 1e-12)))
    return Groove(float(at), sigma, missing * spread * float(np.sqrt(2 * np.pi)), None if end is None else float(end))
