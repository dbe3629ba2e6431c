"""Whose hue is in a strip: card edges have one, a cover card has another, and felt shines in at the ends."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.geometry import Calibration
from vision.frame import Image
from vision.measure.strip import Look, Strip
from vision.measure.window import axes_of, sample

Floats = NDArray[np.float64]

#: A cover card sticks out of the strip by at most so much.
PROUD_MM = 35.0
#: The strip is looked at in stretches across of this.
BLOCK_MM = 6.0
#: So many times as far from the edges' hue as other places of the strip scatter.
_CLEAR = 6.0
#: ... and by so much of their light at least: a recorder's hues are rough.
_LEAST_HUE = 0.025
#: So many pixels off the ends, and then so many times as clear: at the ends other things' hues shine into the strip.
_MARGINS = ((3.0, 1.0), (1.3, 1.5), (0.8, 2.5))
#: A cover card's colour is at least so far from the strip's, as a share of its light.
_LEAST_CHROMA = 0.12


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
    rows = max(2, round(BLOCK_MM / float(raw.u_mm[1] - raw.u_mm[0])))
    blocks = _binned(hue_of(np.nan_to_num(raw.light), strip), rows)
    blocks = blocks - np.median(blocks, axis=1, keepdims=True)
    step = raw.step_mm
    wide = np.ones(max(1, round(0.7 * strip.px_mm / step))) / max(1, round(0.7 * strip.px_mm / step))
    size = np.linalg.norm(np.apply_along_axis(np.convolve, 1, blocks, wide, mode="same"), axis=2)
    # A cover card is in one stretch of the width, of half of it at least; beyond it are felt's and a back's hues.
    seen = np.sort(size, axis=0)[-max(1, round(0.45 * len(size))) :].mean(axis=0)
    reach = abs(strip.lean[0]) * PROUD_MM + 2.5 * strip.px_mm + 1.0
    near = expected(strip, quad_mm)
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


def hue_of(light: Floats, strip: Strip) -> Floats:
    """The part of light (..., 3) that no shade of the card edges has."""
    edge = strip.tone / float(np.linalg.norm(strip.tone))
    off: Floats = light - (light @ edge)[..., None] * edge
    return off


def colour_share(light: Floats, strip: Strip, colour: Colour) -> Floats | None:
    """How much of each light (..., 3) is the cover card's: 0 for card edges in any shade, 1 for the cover card."""
    cover = colour.light
    own = hue_of(cover, strip)
    if colour.pure and float(np.linalg.norm(own)) < _LEAST_CHROMA * float(np.linalg.norm(cover)):
        way = cover - strip.tone  # a cover card without a hue: told by how light it is
        if float(np.linalg.norm(way)) < 0.4 * float(np.linalg.norm(strip.tone)):
            return None
        dark: Floats = (light - strip.tone) @ way / float(way @ way)
        return dark
    share: Floats = light @ own / float(own @ own)
    return share


def reach_of(strip: Strip) -> tuple[float, float]:
    """Between which places along the strip lies, cards that stand upright taken for granted."""
    low, high = strip.low.boundary, strip.high.boundary
    return low.at_mm + max(0.0, low.face_mm), high.at_mm - max(0.0, high.face_mm)


def expected(strip: Strip, quad_mm: ArrayLike | None) -> tuple[float, float]:
    """Between which places along the strip the cover card's line is looked for."""
    if quad_mm is None:
        return strip.low.at_mm, strip.high.at_mm
    s = strip.axes.inside(quad_mm)[:, 0]
    low, high = float(s.min()) - 5.0, float(s.max()) + 5.0
    return max(low, strip.low.at_mm), min(high, strip.high.at_mm)
