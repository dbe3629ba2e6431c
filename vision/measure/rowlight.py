"""The light along a row of cards, made comparable from end to end: the lamp's fall-off, the felt, what is no card."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import percentile_filter

from vision.measure.row import Row
from vision.measure.strip import solid
from vision.measure.window import Patch

Floats = NDArray[np.float64]

BANDS = 7
BAND_MM = 10.5
#: The row's middle lies within this of the detector's.
_MIDDLE_OFF_MM = 6.0
#: A hue so far from the cards' (share of their contrast) is something else's, 1 sigma.
_HUE_OFF = 0.35
_FALL_OFF_MM = 26.0
#: Where the felt is told from the row's ends, and cards from its inside.
_OUTSIDE_MM, _INSIDE_MM = 9.0, 8.0
_LEAST_CONTRAST = 0.03
#: A back with a border is so much darker inside it; without one, nothing tells its cards apart.
_LEAST_DARKER = 0.35


def row_light(patch: Patch, half_mm: float, px_mm: float) -> tuple[Row | None, float]:
    """The row in a patch along it whose middle is about 0, None without contrast; and its middle across, mm."""
    light, s, u = np.nan_to_num(patch.light), patch.s_mm, patch.u_mm
    beyond = np.abs(s) > half_mm + _OUTSIDE_MM
    core = light[np.abs(u) < 30][:, np.abs(s) < half_mm - _INSIDE_MM].reshape(-1, 3)
    if not beyond.any() or len(core) < 50:
        return None, 0.0
    felt = np.median(light[:, beyond].reshape(-1, 3), axis=0)
    white = core[np.argsort(core.sum(axis=1))[-len(core) // 8 :]].mean(axis=0)
    if float(np.linalg.norm(white - felt)) < _LEAST_CONTRAST:
        return None, 0.0
    middle = _middle(solid(light, white, felt) > 0.4, s, u, half_mm)
    bands: Floats = (np.arange(BANDS, dtype=np.float64) - (BANDS - 1) / 2) * BAND_MM
    means = [light[np.abs(u - middle - band) < BAND_MM / 2].mean(axis=0) for band in bands]
    mean = np.asarray(np.stack(means, axis=1), np.float64)
    mean = mean / _fall_off(mean, s, half_mm)[:, None, None]
    return _row(mean, s, bands, half_mm, px_mm), middle


def _middle(stuff: NDArray[np.bool_], s: Floats, u: Floats, half_mm: float) -> float:
    """Where across the row lies: cards are there nearly all along it."""
    rows = stuff[:, np.abs(s) < half_mm - 5].mean(axis=1) > 0.75
    first = last = len(u) // 2
    while first > 0 and rows[first - 1]:
        first -= 1
    while last < len(u) - 1 and rows[last + 1]:
        last += 1
    return float(np.clip((u[first] + u[last]) / 2, -_MIDDLE_OFF_MM, _MIDDLE_OFF_MM))


def _fall_off(mean: Floats, s: Floats, half_mm: float) -> Floats:
    """How the light of the cards' light parts goes along the row (columns,): a parabola in the logarithm, by most."""
    inside = np.abs(s) < half_mm
    size = max(3, round(_FALL_OFF_MM / float(s[1] - s[0])))
    top = percentile_filter(mean[inside].sum(axis=2), 88, size=(size, 1), mode="nearest")
    top = np.sort(top, axis=1)[:, -2]  # hands darken some bands, never all of them
    along = s / max(half_mm, 1.0)
    x, y = along[inside], np.log(np.maximum(top, 1e-3))
    terms, weight = np.stack([np.ones_like(x), x, x**2], axis=1), np.ones(len(y))
    for _ in range(8):
        fit = np.linalg.lstsq(terms * weight[:, None], y * weight, rcond=None)[0]
        off = y - terms @ fit
        weight = 1 / (1 + (off / (2 * max(1.4826 * float(np.median(np.abs(off))), 0.01))) ** 2)
    way: Floats = np.exp(fit[1] * along + fit[2] * along**2)
    return way


def _row(mean: Floats, s: Floats, bands: Floats, half_mm: float, px_mm: float) -> Row | None:
    flat = mean[np.abs(s) < half_mm].reshape(-1, 3)
    size = flat.sum(axis=1)
    dark = np.median(flat[size < np.percentile(size, 35)], axis=0)
    bright = flat[size > np.percentile(size, 85)].mean(axis=0)
    contrast = float(np.linalg.norm(bright - dark))
    if contrast < max(_LEAST_CONTRAST, _LEAST_DARKER * float(np.linalg.norm(bright))):
        return None
    axis = (bright - dark) / contrast
    shine = (mean - dark) @ axis / contrast
    hue = np.linalg.norm(mean - dark - ((mean - dark) @ axis)[..., None] * axis, axis=-1) / contrast
    odd = np.minimum((hue / _HUE_OFF) ** 2, 4.0)
    felt = np.median(mean[np.abs(s) > half_mm + _OUTSIDE_MM], axis=0)
    felt_like = np.linalg.norm(mean - felt, axis=-1) / contrast < 0.2
    as_card = np.clip((shine - 0.4) / 0.3, 0.0, 1.0) * (odd < 1.0) * ~felt_like
    outside = 0.5 + 3.0 * np.sort(as_card, axis=1)[:, -2]
    lights = (part.astype(np.float32) for part in (shine, odd, outside))
    shine32, odd32, outside32 = lights
    return Row(shine32, odd32, outside32, s, bands, half_mm, px_mm)
