"""Where a cover card's colour begins along a strip: the edge of its opening on the side of the camera's foot.

The card stands up out of the strip, so off the vertical its face is seen leaning away from the camera's foot.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.measure.boundary import BLUR_PX, Rows, of_rows
from vision.measure.edge import crossing, rise, robust_line
from vision.measure.ends import CARD_MM, TONE_SIGMA, strip_light
from vision.measure.hue import BLOCK_MM, PROUD_MM, Colour, colour_share, reach_of
from vision.measure.slit import Base
from vision.measure.steps import Known, Level, bell, weigh
from vision.measure.strip import Strip
from vision.measure.window import Patch

Floats = NDArray[np.float64]

#: A cover card's own thickness.
COVER_THICK_MM = 0.4
#: A cover card's colour is seen in so much of the width at least.
_LEAST_LINE_MM = 12.0


def card_line(strip: Strip, patch: Patch, near: tuple[float, float], colour: Colour) -> tuple[Base, Rows] | None:
    """The line where the card's colour begins, and the rows across in which that colour is seen."""
    coloured = colour_share(patch.light, strip, colour)
    if coloured is None:
        return None
    # At the ends the felt's own hue shines into the strip.
    felt = float(colour_share(strip.felt[None], strip, colour)[0])  # type: ignore[index]
    coloured = coloured - felt * (1 - _held(strip, patch.s_mm))
    rows = _rows(strip, patch)
    profiles = [np.nanmean(coloured[(patch.u_mm >= a) & (patch.u_mm < b)], axis=0) for a, b in rows]
    low, high = reach_of(strip)
    within = (max(near[0], low + 0.6 * strip.px_mm), min(near[1], high - 0.6 * strip.px_mm))
    found = [_base(patch.s_mm, p, within, strip) for p in profiles]
    places = np.array([at if at is not None else np.nan for at in found])
    centres = np.array([(a + b) / 2 for a, b in rows])
    offset, extra, agree = robust_line(centres, places, max(0.5 * strip.px_mm, 0.4))
    held = [row for row, ok in zip(rows, agree, strict=True) if ok]
    width = sum(b - a for a, b in held)
    if not np.isfinite(offset) or width < _LEAST_LINE_MM:
        return None
    extra = extra if width > 40 else 0.0  # a short line says nothing about its direction
    middle = (strip.u_mm[0] + strip.u_mm[1]) / 2
    away = places[agree] - extra * (centres[agree] - middle)
    spread = float(np.std(away)) / np.sqrt(max(1, int(agree.sum()) - 1))
    return Base(float(np.mean(away)), float(np.hypot(spread, 0.2 * strip.px_mm))), held


def by_light(strip: Strip, patch: Patch, rows: Rows, base: Base, colour: Colour) -> Base:
    """Where the card begins by its light: a recorder keeps hues at half of the picture's sharpness only."""
    away = 1 if strip.lean[0] >= 0 else -1
    held = of_rows(patch, rows)
    light = np.nan_to_num(patch.light[held].mean(axis=0))
    s, light = (patch.s_mm, light) if away > 0 else (-patch.s_mm[::-1], light[::-1])
    low, high = sorted(away * at for at in reach_of(strip))
    clear = (s > low + 2) & (s < high - 2) & (np.abs(s - away * base.at_mm) > 8)
    if clear.sum() < 10:
        return base
    tone, noise = strip_light(light[clear])
    size, step = float(np.linalg.norm(tone)), max(0.15 * strip.px_mm, 0.08)
    off = 1.6 * strip.px_mm + 0.8
    starts = np.arange(away * base.at_mm - off, away * base.at_mm + off, step)
    wide = np.linspace(0.2, abs(strip.lean[0]) * PROUD_MM + 1.5, 12)
    places = np.stack([g.ravel() for g in np.meshgrid(starts, wide, indexing="ij")], axis=1).cumsum(axis=1)
    edge = Level(tone, TONE_SIGMA * size)
    of_card = Level(colour.light, (0.15 if colour.pure else 0.35) * size)
    known = Known(places, bell(places[:, 0], away * base.at_mm, 0.8 * strip.px_mm + 0.3), [edge, of_card, edge])
    seen = (s > max(low + 0.8 * strip.px_mm, starts[0] - max(2.0, 4 * strip.px_mm))) & (s < high - strip.px_mm)
    seen &= s < places[:, 1].max() + max(2.0, 4 * strip.px_mm)
    if seen.sum() < 8:
        return base
    weighed = weigh(
        s[seen], light[seen], known, px_mm=strip.px_mm, noise=noise, alike_mm=max(CARD_MM, 1.5 * strip.px_mm)
    )
    at_mm, sigma_mm = weighed.mean([1, 0])
    return Base(away * at_mm, float(np.hypot(sigma_mm, 0.15 * strip.px_mm)))


def _base(s_mm: Floats, share: Floats, near: tuple[float, float], strip: Strip) -> float | None:
    """Where the card's plane cuts the strip's upper edge in one block, None where its colour is not seen."""
    within = (s_mm >= near[0]) & (s_mm <= near[1])
    if within.sum() < 3:
        return None
    off = share[~within & (s_mm > strip.low.at_mm + 2) & (s_mm < strip.high.at_mm - 2)]
    usual = float(np.median(np.abs(off - np.median(off)))) * 1.48 if len(off) > 10 else 0.02
    peak = int(np.argmax(np.where(within, share, -np.inf)))
    if share[peak] < max(0.10, 6 * usual):
        return None
    low = high = peak
    floor = max(0.05, 2 * usual, 0.3 * float(share[peak]))
    while low > 0 and share[low - 1] > floor:
        low -= 1
    while high < len(share) - 1 and share[high + 1] > floor:
        high += 1
    step = float(s_mm[1] - s_mm[0])
    away = 1.0 if strip.lean[0] >= 0 else -1.0
    band = slice(max(0, low - 2), high + 3)
    area = float(share[band].sum()) * step
    centroid = float((share[band] * s_mm[band]).sum() * step / area)
    area = min(area, COVER_THICK_MM + abs(strip.lean[0]) * PROUD_MM)
    if area > 3.0 * strip.px_mm:
        level = float(np.median(share[low : high + 1][share[low : high + 1] > 0.5 * share[peak]]))
        edge = s_mm[low] if away > 0 else s_mm[high]
        at = crossing(s_mm, share / level, float(edge), 3 * strip.px_mm)
        return at if np.isfinite(at) else None
    return centroid - away * max(0.0, area - COVER_THICK_MM) / 2


def _held(strip: Strip, s_mm: Floats) -> Floats:
    """How much of what is seen along the strip is strip: 1 within its ends, 0 beyond."""
    blur = BLUR_PX * strip.px_mm
    held: Floats = rise(s_mm, strip.low.at_mm, blur) * (1 - rise(s_mm, strip.high.at_mm, blur))
    return held


def _rows(strip: Strip, patch: Patch) -> list[tuple[float, float]]:
    low, high = strip.u_mm[0] + 3.0, strip.u_mm[1] - 3.0
    row = float(patch.u_mm[1] - patch.u_mm[0])
    count = max(2, round((high - low) / max(BLOCK_MM, 2.5 * row)))
    edges = np.linspace(low, high, count + 1)
    return [(float(a), float(b)) for a, b in pairwise(edges)]
