"""The cover card in a strip: where along the strip it parts the cards.

The card stands up out of the strip, so off the vertical its face is seen leaning away from the camera's foot. Where it
leaves the cards is the edge of its colour on the foot's side. Beside it, the opening it made is a dark line.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.geometry import Calibration
from vision.frame import Image
from vision.measure.edge import crossing, fit_groove, rise, robust_line
from vision.measure.strip import BLUR_PX, EndLine, Look, Strip
from vision.measure.window import Patch, axes_of, sample

Floats = NDArray[np.float64]

#: An opening with a cover card in it, before it has been seen: as wide as this, give or take (1 sigma).
OPENING_MM = (1.1, 0.4)
#: A cover card's own thickness, and how far a leaning one may stand from the middle of its opening (1 sigma).
COVER_THICK_MM = 0.4
COVER_LEAN_MM = 0.6
#: A cover card sticks out of the strip by at most so much.
PROUD_MM = 35.0
_BLOCK_MM = 6.0
_LEAST_LINE_MM = 12.0
#: A cover card's colour is at least so far from the strip's, as a share of its light.
_LEAST_CHROMA = 0.12


@dataclass(frozen=True, slots=True)
class CoverLine:
    """Where the cover card parts the strip: at `at_mm` along (mid-width) with `slope`, off by `sigma_mm` (1 sigma).

    `opening_mm` is the width that it takes from the strip, with its sigma; `u_mm` where across its line was seen;
    `kind` is 'opening' where the dark line beside the card was seen too, else 'card'.
    """

    at_mm: float
    slope: float
    sigma_mm: float
    opening_mm: float
    opening_sigma_mm: float
    u_mm: tuple[float, float]
    kind: str
    end_at_mm: float | None = None  # the nearer end, found anew together with a line close to it


@dataclass(frozen=True, slots=True, eq=False)
class Colour:
    """A cover card's light (3,). `pure` is False where it was only seen mixed with that of the cards beside it."""

    light: Floats
    pure: bool = True


def lying_colour(image: Image, calibration: Calibration, quad_mm: ArrayLike) -> Colour | None:
    """The colour of a cover card that lies free on the felt in the quad (4, 2); None if it is out of the picture."""
    axes = axes_of(quad_mm, (0.0, 1.0))
    patch = sample(image, calibration, axes, (-18.0, 18.0, 1.5), (-18.0, 18.0, 1.5))
    light = patch.light[np.isfinite(patch.light).all(axis=2)]
    return Colour(np.median(light, axis=0)) if len(light) > 20 else None


def cover_colour(look: Look, strip: Strip, quad_mm: ArrayLike) -> Colour | None:
    """The cover card's colour in a detector's quad (4, 2): what in the strip is not of the edges' hue; None if none."""
    reach = strip.axes.inside(quad_mm)[:, 0]
    low, high = max(float(reach.min()) - 3, strip.low.at_mm), min(float(reach.max()) + 3, strip.high.at_mm)
    if high - low < 2 * strip.px_mm:
        return None
    u_mm = (strip.u_mm[0] + 3, strip.u_mm[1] - 3)
    here = look.patch((low, high), u_mm).light.reshape(-1, 3)
    there = look.patch((strip.low.at_mm, strip.high.at_mm), u_mm)
    beside = (there.s_mm < low) | (there.s_mm > high)
    size = np.nan_to_num(np.linalg.norm(_hue(here, strip), axis=1))
    usual = np.nan_to_num(np.linalg.norm(_hue(there.light[:, beside].reshape(-1, 3), strip), axis=1))
    count = max(12, len(size) // 60)
    strongest = np.argsort(size)[-count:]
    typical = float(np.sort(usual)[-max(3, len(usual) // 200) :].min()) if len(usual) > 50 else 0.02
    if float(np.median(size[strongest])) < max(1.5 * typical, 0.015):
        return None
    colour: Floats = np.median(here[strongest], axis=0)
    return Colour(colour, pure=False)


def _hue(light: Floats, strip: Strip) -> Floats:
    """The part of light (..., 3) that no shade of the card edges has."""
    edge = strip.tone / float(np.linalg.norm(strip.tone))
    off: Floats = light - (light @ edge)[..., None] * edge
    return off


def find_cover(
    look: Look, strip: Strip, quad_mm: ArrayLike | None, colour: Colour | None = None
) -> tuple[CoverLine | None, str]:
    """Where the cover card parts `strip`, or None and why not.

    `quad_mm` (4, 2) is the detector's cover card, if it found one; `colour` the card's, if it was seen before
    (`lying_colour`); else it is taken from the quad.
    """
    if colour is None and quad_mm is not None:
        colour = cover_colour(look, strip, quad_mm)
    if colour is None and quad_mm is None:
        return None, "no cover card was seen in the strip"
    slope = (strip.low.slope + strip.high.slope) / 2
    middle = (strip.u_mm[0] + strip.u_mm[1]) / 2
    raw = look.patch((strip.low.at_mm - 5, strip.high.at_mm + 5), strip.u_mm, slope)
    patch = Patch(raw.light, raw.s_mm + slope * middle, raw.u_mm)  # along as it is in the middle of the strip's width
    near = _expected(strip, quad_mm)
    card = _card_line(strip, patch, near, colour, slope) if colour is not None else None
    line = _opening_line(strip, patch, near, card, quad_mm=quad_mm, slope=slope)
    if line is None:
        return None, "the cover card's line was not seen in the strip"
    return line, ""


def _card_line(
    strip: Strip, patch: Patch, near: tuple[float, float], colour: Colour, slope: float
) -> tuple[CoverLine, list[tuple[float, float]]] | None:
    """The line where the card's colour begins, and the rows across in which that colour is seen."""
    coloured = _colour_share(patch.light, strip, colour)
    if coloured is None:
        return None
    # At the ends the felt's own hue shines into the strip.
    felt = float(_colour_share(strip.felt[None], strip, colour)[0])  # type: ignore[index]
    coloured = coloured - felt * (1 - _held(strip, patch.s_mm))
    rows = _rows(strip, patch)
    profiles = [np.nanmean(coloured[(patch.u_mm >= a) & (patch.u_mm < b)], axis=0) for a, b in rows]
    within = (max(near[0], strip.low.at_mm + 0.6 * strip.px_mm), min(near[1], strip.high.at_mm - 0.6 * strip.px_mm))
    found = [_base(patch.s_mm, p, within, strip) for p in profiles]
    places = np.array([at if at is not None else np.nan for at in found])
    centres = np.array([(a + b) / 2 for a, b in rows])
    offset, extra, agree = robust_line(centres, places, max(0.5 * strip.px_mm, 0.25))
    held = [row for row, ok in zip(rows, agree, strict=True) if ok]
    width = sum(b - a for a, b in held)
    if not np.isfinite(offset) or width < _LEAST_LINE_MM:
        return None
    extra = extra if width > 40 else 0.0  # a short line says nothing about its direction
    middle = (strip.u_mm[0] + strip.u_mm[1]) / 2
    away = places[agree] - extra * (centres[agree] - middle)
    spread = float(np.std(away)) / np.sqrt(max(1, int(agree.sum()) - 1))
    sigma = float(np.sqrt(spread**2 + (0.15 * strip.px_mm) ** 2 + COVER_LEAN_MM**2))
    seen = (held[0][0], held[-1][1])
    return CoverLine(float(np.mean(away)), slope + extra, sigma, *OPENING_MM, seen, "card"), held


def _opening_line(
    strip: Strip, patch: Patch, near: tuple[float, float], card: tuple[CoverLine, list[tuple[float, float]]] | None,
    *, quad_mm: ArrayLike | None, slope: float,
) -> CoverLine | None:  # fmt: skip
    """The dark line of the opening, where it is seen; else the card's own line, which may be None."""
    only = card[0] if card is not None else None
    rows = _free_rows(strip, patch, card[1] if card is not None else None, quad_mm)
    light = np.nanmedian(patch.light[rows], axis=0)
    if rows.sum() * float(patch.u_mm[1] - patch.u_mm[0]) < 5.0 or not np.isfinite(light).all():
        return only
    near = near if only is None else (max(near[0], only.at_mm - 2.5), min(near[1], only.at_mm + 2.5))
    start = _darkest(strip, patch.s_mm, light, near, sure=only is not None)
    if start is None:
        return only
    end, side = _nearest_end(strip, start)
    reach = max(4.0, 5 * strip.px_mm)
    change = None if end is None else end.at_mm + side * end.hidden_mm
    limit = reach if end is None else max(2.5 * strip.px_mm, 1.5)
    low = start - reach if side >= 0 or change is None else change - limit
    high = start + reach if side <= 0 or change is None else change + limit
    held = (patch.s_mm >= max(low, strip.low.at_mm - limit)) & (patch.s_mm <= min(high, strip.high.at_mm + limit))
    groove = fit_groove(
        patch.s_mm[held], light[held], start, BLUR_PX * strip.px_mm,
        reach_mm=1.2 * strip.px_mm, end_mm=change, wide_mm=1.0,
    )  # fmt: skip
    if groove is None or groove.width_mm < 0.08:
        return only
    # An opening is not wholly dark, and the card in it hides some of it: 0.5 to 0.9 of the light is missing.
    width = float(np.clip(groove.width_mm / 0.7, 0.45, 2.4))
    sigma = float(np.sqrt(groove.sigma_mm**2 + (0.1 * strip.px_mm) ** 2 + 0.1**2))
    moved = None if groove.end_mm is None or end is None else groove.end_mm - side * end.hidden_mm
    seen = only.u_mm if only is not None else strip.u_mm
    return CoverLine(groove.at_mm, slope, sigma, width, 0.25 * width, seen, "opening", moved)


def _free_rows(
    strip: Strip, patch: Patch, held: list[tuple[float, float]] | None, quad_mm: ArrayLike | None
) -> NDArray[np.bool_]:
    """The rows in which the card does not lean over its opening: all of them, seen from straight above."""
    rows = (patch.u_mm > strip.u_mm[0] + 3) & (patch.u_mm < strip.u_mm[1] - 3)
    if abs(strip.lean[0]) * PROUD_MM < max(1.0, 1.2 * strip.px_mm):
        return rows
    if held is not None:
        low, high = held[0][0], held[-1][1]
    elif quad_mm is not None:
        across = strip.axes.inside(quad_mm)[:, 1]
        low, high = float(across.min()), float(across.max())
    else:
        return rows
    return rows & ((patch.u_mm < low - 2) | (patch.u_mm > high + 2))


def _nearest_end(strip: Strip, at_mm: float) -> tuple[EndLine | None, int]:
    """The end so near to a place that both have to be found together, and on which side it is (0: none)."""
    close = max(4.0, 5 * strip.px_mm)
    if at_mm - strip.low.at_mm < close:
        return strip.low, -1
    return (strip.high, 1) if strip.high.at_mm - at_mm < close else (None, 0)


def _darkest(strip: Strip, s_mm: Floats, light: Floats, near: tuple[float, float], *, sure: bool) -> float | None:
    """Where a dark line is most likely between two places; None if nothing there is darker than edges elsewhere are."""
    blur = BLUR_PX * strip.px_mm
    held = _held(strip, s_mm)
    lit = light @ strip.tone / float(strip.tone @ strip.tone)
    dim = float(strip.felt @ strip.tone) / float(strip.tone @ strip.tone)
    missing = dim + (np.median(lit[held > 0.9]) - dim) * held - lit
    kernel = np.exp(-0.5 * (np.arange(-12, 13) * (s_mm[1] - s_mm[0]) / np.hypot(blur, 0.3)) ** 2)
    kernel -= kernel.mean()
    found = np.convolve(missing, kernel / float((kernel**2).sum()), mode="same")
    inside = (s_mm > strip.low.at_mm + 0.7 * strip.px_mm) & (s_mm < strip.high.at_mm - 0.7 * strip.px_mm)
    here = inside & (s_mm >= near[0]) & (s_mm <= near[1])
    deep = (s_mm > strip.low.at_mm + 4 * strip.px_mm) & (s_mm < strip.high.at_mm - 4 * strip.px_mm)
    elsewhere = deep & ((s_mm < near[0] - 2) | (s_mm > near[1] + 2))
    if not here.any():
        return None
    peak = int(np.argmax(np.where(here, found, -np.inf)))
    rough = float(np.std(found[elsewhere])) if elsewhere.sum() > 10 else 0.02
    least = (2.5 if sure else 4.0) * rough
    return float(s_mm[peak]) if found[peak] > max(least, 0.03) else None


def _held(strip: Strip, s_mm: Floats) -> Floats:
    """How much of what is seen along the strip is strip: 1 within its ends, 0 beyond."""
    blur = BLUR_PX * strip.px_mm
    held: Floats = rise(s_mm, strip.low.at_mm, blur) * (1 - rise(s_mm, strip.high.at_mm, blur))
    return held


def _expected(strip: Strip, quad_mm: ArrayLike | None) -> tuple[float, float]:
    """Between which places along the strip the cover card's line is looked for."""
    if quad_mm is None:
        return strip.low.at_mm, strip.high.at_mm
    s = strip.axes.inside(quad_mm)[:, 0]
    low, high = float(s.min()) - 5.0, float(s.max()) + 5.0
    return max(low, strip.low.at_mm), min(high, strip.high.at_mm)


def _rows(strip: Strip, patch: Patch) -> list[tuple[float, float]]:
    low, high = strip.u_mm[0] + 3.0, strip.u_mm[1] - 3.0
    row = float(patch.u_mm[1] - patch.u_mm[0])
    count = max(2, round((high - low) / max(_BLOCK_MM, 2.5 * row)))
    edges = np.linspace(low, high, count + 1)
    return [(float(a), float(b)) for a, b in pairwise(edges)]


def _colour_share(light: Floats, strip: Strip, colour: Colour) -> Floats | None:
    """How much of each light (..., 3) is the cover card's: 0 for card edges in any shade, 1 for the cover card."""
    cover = colour.light
    own = _hue(cover, strip)
    if colour.pure and float(np.linalg.norm(own)) < _LEAST_CHROMA * float(np.linalg.norm(cover)):
        way = cover - strip.tone  # a cover card without a hue: told by how light it is
        if float(np.linalg.norm(way)) < 0.4 * float(np.linalg.norm(strip.tone)):
            return None
        dark: Floats = (light - strip.tone) @ way / float(way @ way)
        return dark
    share: Floats = light @ own / float(own @ own)
    return share


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
    floor = max(0.05, 2 * usual)
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
        return at + away * COVER_THICK_MM / 2 if np.isfinite(at) else None
    return centroid - away * max(0.0, area - COVER_THICK_MM) / 2
