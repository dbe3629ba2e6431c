"""The cover card in a strip: where along the strip it parts the cards.

The card stands up out of the strip, so off the vertical its face is seen leaning away from the camera's foot. Where it
leaves the cards is the edge of its colour on the foot's side. Beside it, the opening it made is a dark line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.geometry import Calibration
from vision.frame import Image
from vision.measure.boundary import BLUR_PX, Rows, of_rows
from vision.measure.edge import crossing, rise, robust_line
from vision.measure.ends import CARD_MM, TONE_SIGMA, strip_light
from vision.measure.slit import Base, Slit, fit_slit
from vision.measure.steps import Known, Level, bell, weigh
from vision.measure.strip import Look, Strip
from vision.measure.window import Patch, axes_of, sample

Floats = NDArray[np.float64]

#: A cover card's own thickness.
COVER_THICK_MM = 0.4
#: A cover card sticks out of the strip by at most so much.
PROUD_MM = 35.0
_BLOCK_MM = 6.0
_LEAST_LINE_MM = 12.0
#: So many times as far from the edges' hue as other places of the strip scatter.
_CLEAR = 6.0
#: ... and by so much of their light at least: a recorder's hues are rough.
_LEAST_HUE = 0.025
#: ... and is believed against anything else from so many times that.
_STRONG = 4.0
#: So many pixels off the ends, and then so many times as clear: at the ends other things' hues shine into the strip.
_MARGINS = ((3.0, 1.0), (1.3, 1.5), (0.8, 2.5))
#: A cover card's colour is at least so far from the strip's, as a share of its light.
_LEAST_CHROMA = 0.12


@dataclass(frozen=True, slots=True)
class CoverLine:
    """Where the cover card parts the strip: its opening (mid-width, along), which has `slope`.

    `kind` is 'opening' where the opening itself was seen, else 'card'; `u_mm` where across the card was seen.
    """

    slit: Slit
    slope: float
    u_mm: tuple[float, float]
    kind: str

    @property
    def at_mm(self) -> float:
        """The middle of the opening."""
        return (self.slit.low_mm + self.slit.high_mm) / 2


@dataclass(frozen=True, slots=True, eq=False)
class Colour:
    """A cover card's light (3,). `pure` is False where it was only seen mixed with that of the cards beside it."""

    light: Floats
    pure: bool = True


def cover_colour(image: Image, calibration: Calibration, quad_mm: ArrayLike) -> Colour | None:
    """The colour of a cover card that lies free on the felt in the quad (4, 2); None if it is out of the picture.

    The middle of it is looked at: a card is of one solid colour, and whatever lies over its rim does not matter.
    """
    axes = axes_of(quad_mm, (0.0, 1.0))
    patch = sample(image, calibration, axes, (-18.0, 18.0, 1.5), (-18.0, 18.0, 1.5))
    light = patch.light[np.isfinite(patch.light).all(axis=2)]
    return Colour(np.median(light, axis=0)) if len(light) > 20 else None


@dataclass(frozen=True, slots=True, eq=False)
class Hint:
    """A hue in the strip that is not the card edges': whose `colour`, between which places along, how strong.

    `strong` is 1 where it hardly stands out from the picture's own roughness.
    """

    colour: Colour
    within_mm: tuple[float, float]
    strong: float


def strip_colour(look: Look, strip: Strip, quad_mm: ArrayLike | None) -> Hint | None:
    """The cover card's colour where no other was seen: what in the strip is not of the edges' hue; None if nothing is.

    It is looked for in a detector's quad (4, 2), if there is one.
    """
    raw = look.patch((strip.low.at_mm, strip.high.at_mm), (strip.u_mm[0] + 3, strip.u_mm[1] - 3))
    rows = max(2, round(_BLOCK_MM / float(raw.u_mm[1] - raw.u_mm[0])))
    blocks = _binned(_hue(np.nan_to_num(raw.light), strip), rows)
    blocks = blocks - np.median(blocks, axis=1, keepdims=True)
    step = raw.step_mm
    wide = np.ones(max(1, round(0.7 * strip.px_mm / step))) / max(1, round(0.7 * strip.px_mm / step))
    size = np.linalg.norm(np.apply_along_axis(np.convolve, 1, blocks, wide, mode="same"), axis=2)
    # A cover card is in one stretch of the width, of half of it at least; beyond it are felt's and a back's hues.
    seen = np.sort(size, axis=0)[-max(1, round(0.45 * len(size))) :].mean(axis=0)
    reach = abs(strip.lean[0]) * PROUD_MM + 2.5 * strip.px_mm + 1.0
    near = _expected(strip, quad_mm)
    peak = None
    for margin, times in _MARGINS:
        sure = times if quad_mm is None else 1.0
        peak = _clear_peak(raw.s_mm, seen, strip, (near, margin * strip.px_mm + 0.6, reach, sure))
        if peak is not None:
            break
    if peak is None:
        return None
    band = slice(max(0, peak - 1), peak + 2)
    count = max(1, round(0.45 * len(size)))
    held = np.argsort(size[:, peak])[-count:]
    light = _binned(np.nan_to_num(raw.light), rows)[held, band].mean(axis=(0, 1))
    strong = float(seen[peak]) / (_LEAST_HUE * float(np.linalg.norm(strip.tone)))
    return Hint(Colour(light, pure=False), (float(raw.s_mm[peak]) - reach, float(raw.s_mm[peak]) + reach), strong)


def _clear_peak(
    s_mm: Floats, seen: Floats, strip: Strip, where: tuple[tuple[float, float], float, float, float]
) -> int | None:
    """Where most colour is (an index), between two places and off the ends by a margin, if that is clearly a card's."""
    near, margin, reach, times = where
    low, high = reach_of(strip)
    inside = (s_mm > low + margin) & (s_mm < high - margin)
    here = inside & (s_mm >= near[0]) & (s_mm <= near[1])
    if not here.any():
        return None
    peak = int(np.argmax(np.where(here, seen, -np.inf)))
    far = inside & (np.abs(s_mm - s_mm[peak]) > reach)
    if far.sum() < 10:
        return None
    usual = float(np.median(seen[far]))
    rough = 1.48 * float(np.median(np.abs(seen[far] - usual)))
    least = max(_CLEAR * rough, 0.3 * usual, _LEAST_HUE * float(np.linalg.norm(strip.tone)))
    return peak if seen[peak] > usual + times * least else None


def _binned(light: Floats, rows: int) -> Floats:
    """Means (M, columns, 3) of every `rows` rows of light (N, columns, 3)."""
    count = len(light) // rows
    binned: Floats = light[: count * rows].reshape(count, rows, *light.shape[1:]).mean(axis=1)
    return binned


def _hue(light: Floats, strip: Strip) -> Floats:
    """The part of light (..., 3) that no shade of the card edges has."""
    edge = strip.tone / float(np.linalg.norm(strip.tone))
    off: Floats = light - (light @ edge)[..., None] * edge
    return off


def find_cover(
    look: Look, strip: Strip, quad_mm: ArrayLike | None, colours: Sequence[Colour] = ()
) -> tuple[CoverLine | None, str]:
    """Where the cover card parts `strip`, or None and why not.

    `quad_mm` (4, 2) is the detector's cover card, if it found one; `colours` those that cover cards had where they were
    seen before (`cover_colour`); else what is not of the edges' hue is taken for it.
    """
    slope = (strip.low.slope + strip.high.slope) / 2
    middle = (strip.u_mm[0] + strip.u_mm[1]) / 2
    raw = look.patch((strip.low.at_mm - 5, strip.high.at_mm + 5), strip.u_mm, slope)
    patch = Patch(raw.light, raw.s_mm + slope * middle, raw.u_mm)  # along as it is in the middle of the strip's width
    near = _expected(strip, quad_mm)
    card = _card(look, strip, patch, quad_mm, colours)
    rows = _free_rows(strip, card[1] if card is not None else None, quad_mm)
    base = card[0] if card is not None else None
    if base is None:
        dark = _darkest(strip, patch, near, rows)
        if dark is None:
            return None, "no cover card was seen in the strip"
        near = dark - 3.0, dark + 3.0
    slit = fit_slit(strip, rows, base, near)
    if slit is None:
        return None, "no cover card was seen in the strip"
    u_mm = (card[1][0][0], card[1][-1][1]) if card is not None else strip.u_mm
    return CoverLine(slit, slope, u_mm, "opening" if slit.seen else "card"), ""


def _card(
    look: Look, strip: Strip, patch: Patch, quad_mm: ArrayLike | None, colours: Sequence[Colour]
) -> tuple[Base, Rows] | None:
    """Where the card's colour begins, and the rows across in which it is seen."""
    near = _expected(strip, quad_mm)
    found = [(card, colour) for colour in colours if (card := _card_line(strip, patch, near, colour)) is not None]
    if not found:
        hint = strip_colour(look, strip, quad_mm)
        if hint is None or _rather_dark(strip, patch, near, hint):
            return None
        within = max(near[0], hint.within_mm[0]), min(near[1], hint.within_mm[1])
        line = _card_line(strip, patch, within, hint.colour)
        found = [(line, hint.colour)] if line is not None else []
    if not found:
        return None
    (base, rows), colour = min(found, key=lambda item: item[0][0].sigma_mm)
    return _by_light(strip, patch, rows, base, colour), rows


def _rather_dark(strip: Strip, patch: Patch, near: tuple[float, float], hint: Hint) -> bool:
    """Whether a dark line elsewhere says more than a weak hue: a card seen edge-on hardly shows its colour."""
    if hint.strong > _STRONG:
        return False
    dark = _darkest(strip, patch, near, [strip.u_mm])
    return dark is not None and not hint.within_mm[0] < dark < hint.within_mm[1]


def _by_light(strip: Strip, patch: Patch, rows: Rows, base: Base, colour: Colour) -> Base:
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


def _card_line(strip: Strip, patch: Patch, near: tuple[float, float], colour: Colour) -> tuple[Base, Rows] | None:
    """The line where the card's colour begins, and the rows across in which that colour is seen."""
    coloured = _colour_share(patch.light, strip, colour)
    if coloured is None:
        return None
    # At the ends the felt's own hue shines into the strip.
    felt = float(_colour_share(strip.felt[None], strip, colour)[0])  # type: ignore[index]
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


def reach_of(strip: Strip) -> tuple[float, float]:
    """Between which places along the strip lies, cards that stand upright taken for granted."""
    low, high = strip.low.boundary, strip.high.boundary
    return low.at_mm + max(0.0, low.face_mm), high.at_mm - max(0.0, high.face_mm)


def _free_rows(strip: Strip, held: Rows | None, quad_mm: ArrayLike | None) -> Rows:
    """The rows across in which the card does not stand before its opening: all of them, seen from straight above."""
    low, high = strip.u_mm[0] + 4.0, strip.u_mm[1] - 4.0
    if abs(strip.lean[0]) * PROUD_MM < max(0.8, 0.8 * strip.px_mm):
        return [(low, high)]
    if held is not None:
        first, last = held[0][0], held[-1][1]
    elif quad_mm is not None:
        across = strip.axes.inside(quad_mm)[:, 1]
        first, last = float(across.min()), float(across.max())
    else:
        return [(low, high)]
    return [(a, b) for a, b in ((low, min(high, first - 2.0)), (max(low, last + 2.0), high)) if b - a > 2.0]


def _darkest(strip: Strip, patch: Patch, near: tuple[float, float], rows: Rows) -> float | None:
    """Where a dark line is between two places, without any colour beside it; None unless it is clearly one."""
    blur = BLUR_PX * strip.px_mm
    held = of_rows(patch, rows)
    if not held.any():
        return None
    s_mm, light = patch.s_mm, np.median(np.nan_to_num(patch.light[held]), axis=0)
    lit = light @ strip.tone / float(strip.tone @ strip.tone)
    low, high = reach_of(strip)
    inside = (s_mm > low + 1.5 * strip.px_mm + 0.8) & (s_mm < high - 1.5 * strip.px_mm - 0.8)
    kernel = np.exp(-0.5 * (np.arange(-12, 13) * (s_mm[1] - s_mm[0]) / np.hypot(blur, 0.5)) ** 2)
    kernel -= kernel.mean()
    found = np.convolve(1 - lit, kernel / float((kernel**2).sum()), mode="same")
    here = inside & (s_mm >= near[0]) & (s_mm <= near[1])
    if not here.any():
        return None
    peak = int(np.argmax(np.where(here, found, -np.inf)))
    elsewhere = inside & (np.abs(s_mm - s_mm[peak]) > 3.0)
    if elsewhere.sum() < 10:
        return None
    usual, second = found[elsewhere], float(found[elsewhere].max())
    rough = 1.48 * float(np.median(np.abs(usual - np.median(usual))))
    return float(s_mm[peak]) if found[peak] > max(3.0 * rough, 1.6 * second, 0.06) else None


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
