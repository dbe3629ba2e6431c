"""How much of a stack is laced: neighbouring cards stick out at both short ends, so there it is longer than a card.

A stack on its long edge shows all of its length from above. A stack that lies flat shows its widest outline only:
enough to say that nothing sticks out, or that something does, but not over how much of its height.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.geometry import Calibration
from vision.frame import Image
from vision.measure.reading import Z95, Marks, Measured, Polygon
from vision.measure.strip import CARD_LONG_MM, EDGE_HEIGHT_MM, find_strip, look_at, solid
from vision.measure.window import Axes, axes_of, eye_of, px_per_mm, sample

Floats = NDArray[np.float64]

CARD_SHORT_MM = 63.5
CARD_THICK_MM = 0.30
#: A stack is laced where it is longer than a card by at least this (both ends together); squared cards scatter by less.
LACED_MM = 4.0
#: Where less than this share of the stack seems laced or squared by itself, something beside it was taken for cards.
_LEAST_RUN = 0.05
#: Card edges in any light have a hue closer than this to that of the stack's middle (cosine).
_PAPER_HUE = 0.96
#: Between laced cards, stretches as dark as felt are shorter than this.
_SHADOW_MM = 3.0
#: Where so much of a standing stack's side is seen, what sticks out cannot be told from it.
_ASIDE_MM = 9.0
#: A back's pattern has no dark parts wider than this.
_PATTERN_MM = 9.0
#: A stack may be higher or lower than so many cards are, by this share.
_TALL_DOUBT = 0.04


@dataclass(frozen=True, slots=True, kw_only=True)
class Feathered(Measured):
    """The laced fraction of a stack's length. `laced` are the laced parts, shares (from, to) from the bottom card up.

    For a stack on edge, shares count from its low end along the axis that was given. `told_by` is 'strip' or 'outline'.
    """

    laced: tuple[tuple[float, float], ...]
    told_by: str


def read_feathered_strip(
    image: Image, t_us: int, calibration: Calibration, quad_mm: ArrayLike, along: ArrayLike
) -> tuple[Feathered | None, str]:
    """The laced fraction of a stack on its long edge, in one frame, or None and why not."""
    strip, why = find_strip(image, t_us, calibration, quad_mm, along)
    if strip is None:
        return None, why
    look = look_at(image, calibration, quad_mm, along)
    slope = (strip.low.slope + strip.high.slope) / 2
    patch = look.patch((strip.low.at_mm, strip.high.at_mm), (-105.0, 105.0), slope)
    light = np.nan_to_num(patch.light).transpose(1, 0, 2)
    low, high = _reach(_paper(light, strip.tone, strip.felt), patch.u_mm, sum(strip.u_mm) / 2)
    scale = look.eye.place_mm[2] / (look.eye.place_mm[2] - EDGE_HEIGHT_MM)
    more = (high - low - abs(strip.lean[1]) * EDGE_HEIGHT_MM) / scale - CARD_LONG_MM
    share = (np.arange(len(more)) + 0.5) / len(more)
    blur = 1.2 * look.px_mm / max(strip.length_mm, 1e-6)
    ends = [calibration.to_pixels(strip.axes.places([s, s], strip.u_mm)) for s in (strip.low.at_mm, strip.high.at_mm)]
    aside_mm = abs(strip.lean[1]) * EDGE_HEIGHT_MM
    return _told(share, more, blur, t_us, ends=(ends[0], ends[1]), told_by="strip", aside_mm=aside_mm)


def read_feathered_flat(
    image: Image, t_us: int, calibration: Calibration, quad_mm: ArrayLike, along: ArrayLike, *, cards: int
) -> tuple[Feathered | None, str]:
    """The laced fraction of a stack of `cards` that lies flat, in one frame, or None and why not.

    `quad_mm` (4, 2) is the detector's stack, `along` (2,) the direction of its cards' long sides. It is 0, or somewhere
    between a little and all of it: from above nobody can tell how much of the height is laced.
    """
    axes, eye = axes_of(quad_mm, along), eye_of(calibration)
    px_along, px_across = px_per_mm(calibration, axes)
    step = 0.5 / max(px_along, px_across)
    patch = sample(image, calibration, axes, (-125, 125, step), (-24, 24, 2 * step))
    ring = sample(image, calibration, axes, (-130, 130, 2.0), (-115, 115, 2.0))
    around = (np.abs(ring.u_mm)[:, None] > 90) | (np.abs(ring.s_mm)[None, :] > 105)
    light = np.nan_to_num(patch.light)
    felt = np.nanmedian(ring.light[around], axis=0)
    # A back's pattern may be as dark as felt, so a card's border, its lightest part, says how light a card is.
    core = light[:, np.abs(patch.s_mm) < 42].reshape(-1, 3)
    white = core[np.argsort(core.sum(axis=1))[-max(20, len(core) // 20) :]].mean(axis=0)
    if not np.isfinite(felt).all() or float(np.linalg.norm(white - felt)) < 0.08:
        return None, "the stack does not stand out from what lies around it"
    low, high = _reach(_closed(solid(light, white, felt) > 0.5, step), patch.s_mm, 0.0)
    if np.isfinite(low).mean() < 0.6:
        return None, "the stack's outline was not found"
    tall = cards * CARD_THICK_MM
    lean = eye.lean(axes.places([0.0], [0.0])[0])
    lean_s = float(lean @ np.array(axes.along))
    more = _longer_mm(low, high, lean_s, tall, eye.place_mm[2])
    doubt = 1.0 + 1.5 / px_along + abs(lean_s) * tall * (eye.doubt + _TALL_DOUBT)
    return _by_outline(low, high, more, t_us, doubt=doubt, calibration=calibration, axes=axes, u_mm=patch.u_mm)


def _paper(light: Floats, tone: Floats, felt: Floats) -> NDArray[np.bool_]:
    """Where light (..., 3) is that of card edges in whatever shade: not of felt, nor of what is printed on it."""
    size = np.linalg.norm(light, axis=-1) * float(np.linalg.norm(tone))
    alike = light @ tone > _PAPER_HUE * np.maximum(size, 1e-9)
    paper: NDArray[np.bool_] = alike & (solid(light, tone, felt) > 0.5)
    return paper


def _reach(paper: NDArray[np.bool_], places: Floats, middle: float) -> tuple[Floats, Floats]:
    """First and last place (N,) of the paper about the middle in each row (N, M), NaN where there is none there.

    What lies apart from it by more than a card's own shadow is something else.
    """
    step = float(places[1] - places[0])
    gap = max(1, round(_SHADOW_MM / step))
    closed = cv2.morphologyEx(paper.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((1, 2 * (gap // 2) + 1), np.uint8)) > 0
    at = int(np.argmin(np.abs(places - middle)))
    half = round(15.0 / step)
    known = closed[:, at - half : at + half].mean(axis=1) > 0.8
    after, before = closed[:, at + half :], closed[:, : at - half][:, ::-1]
    last = np.where(after.all(axis=1), after.shape[1], after.argmin(axis=1))
    first = np.where(before.all(axis=1), before.shape[1], before.argmin(axis=1))
    high = np.where(known, places[at + half] + (last - 0.5) * step, np.nan)
    low = np.where(known, places[at - half] - (first + 0.5) * step, np.nan)
    return low, high


def _closed(hard: NDArray[np.bool_], step: float) -> NDArray[np.bool_]:
    """The same with the dark parts of a back's pattern closed, across and along."""
    size = 2 * round(_PATTERN_MM / step / 2) + 1
    kernel = np.ones((max(3, size // 2), size), np.uint8)
    padded = cv2.copyMakeBorder(hard.astype(np.uint8), size, size, size, size, cv2.BORDER_REPLICATE)
    closed: NDArray[np.bool_] = cv2.morphologyEx(padded, cv2.MORPH_CLOSE, kernel)[size:-size, size:-size] > 0
    return closed


def _longer_mm(low: Floats, high: Floats, lean_s: float, tall: float, eye_mm: float) -> float:
    """By how much the stack is longer than a card, from its outline, off the vertical with its end's side."""
    width = float(np.nanmedian(high - low)) - abs(lean_s) * tall
    return width * (eye_mm - tall) / eye_mm - CARD_LONG_MM


def _told(
    share: Floats, more: Floats, blur: float, t_us: int, *, ends: tuple[Floats, Floats], told_by: str, aside_mm: float
) -> tuple[Feathered | None, str]:
    """The laced fraction from how much longer than a card the stack is at each share of it."""
    known = np.isfinite(more)
    if known.mean() < 0.6:
        return None, "too much of the stack's edge is covered"
    filled = np.interp(share, share[known], more[known])
    window = max(1, round(blur * len(share)))
    smooth = np.array([np.median(filled[max(0, k - window) : k + window + 1]) for k in range(len(filled))])
    seen = smooth > LACED_MM
    laced = _without_specks(seen, max(3, round(_LEAST_RUN * len(seen))))
    value = float(laced.mean())
    turns = int((laced[1:] != laced[:-1]).sum())
    doubtful = float((np.abs(smooth - LACED_MM) < 1.5).mean())
    if turns > 1 or aside_mm > _ASIDE_MM:
        # Laced here and there is not how a stack is left: things beside it, or its own side, were taken for cards.
        unknown = 2.0
    else:
        unknown = doubtful + float((seen != laced).mean()) + float(1 - known.mean())
    half = Z95 * float(np.sqrt(turns) * max(blur, 0.01) * 0.7 + 0.01) + 0.5 * unknown
    parts = _runs(laced)
    squared = _runs(~laced)
    marks = Marks(t_us, polygons_px=tuple(_between(ends, part) for part in squared))
    return Feathered(
        value=value, low=max(0.0, value - half), high=min(1.0, value + half), unit="of the length", marks=marks,
        laced=parts, told_by=told_by,
    ), ""  # fmt: skip


def _without_specks(held: NDArray[np.bool_], least: int) -> NDArray[np.bool_]:
    """The stretches without those shorter than `least`: a printed line beside the stack, a card askew."""
    kept = held.copy()
    for value in (True, False):
        padded = np.concatenate([[not value], kept, [not value]])
        turns = np.flatnonzero(padded[1:] != padded[:-1])
        for start, end in zip(turns[::2], turns[1::2], strict=True):
            if end - start < least and end - start < len(held):
                kept[start:end] = not value
    return kept


def _runs(held: NDArray[np.bool_]) -> tuple[tuple[float, float], ...]:
    """The stretches where something holds, as shares (from, to)."""
    padded = np.concatenate([[False], held, [False]])
    turns = np.flatnonzero(padded[1:] != padded[:-1])
    return tuple((float(a) / len(held), float(b) / len(held)) for a, b in zip(turns[::2], turns[1::2], strict=True))


def _between(ends: tuple[Floats, Floats], part: tuple[float, float]) -> Polygon:
    """The part of a band between two lines (2, 2) px, as a polygon."""
    low, high = (ends[0] + (ends[1] - ends[0]) * share for share in part)
    return tuple((float(x), float(y)) for x, y in (low[0], low[1], high[1], high[0]))


def _by_outline(
    low: Floats, high: Floats, more: float, t_us: int, *,
    doubt: float, calibration: Calibration, axes: Axes, u_mm: Floats,
) -> tuple[Feathered | None, str]:  # fmt: skip
    """What the widest outline alone says: nothing is laced, or something is, nobody knows how much."""
    first, last = float(np.nanmedian(low)), float(np.nanmedian(high))
    outline = calibration.to_pixels(
        axes.places([first, last, last, first], [float(u_mm[0])] * 2 + [float(u_mm[-1])] * 2)
    )
    marks = Marks(t_us, polygons_px=(tuple((float(x), float(y)) for x, y in outline),))
    value, least, most = (0.0, 0.0, 0.05) if more < LACED_MM else (0.75, 0.05, 1.0)
    if abs(more - LACED_MM) < doubt:
        value, least, most = 0.5, 0.0, 1.0
    return Feathered(
        value=value, low=least, high=most, unit="of the length", marks=marks, laced=(), told_by="outline"
    ), ""


def combine_feathered(
    readings: Sequence[Feathered], *, why: str = "no frame could be measured"
) -> tuple[Feathered | None, str]:
    """The laced fraction over settled frames: the median, with the wider doubt of most frames."""
    if not readings:
        return None, why
    values = np.array([r.value for r in readings])
    middle = float(np.median(values))
    best = min(readings, key=lambda r: abs(r.value - middle))
    low = min(best.value, float(np.percentile([r.low for r in readings], 25)))
    high = max(best.value, float(np.percentile([r.high for r in readings], 75)))
    return Feathered(
        value=best.value, low=low, high=high, unit=best.unit, marks=best.marks, frames=len(readings), laced=best.laced,
        told_by=best.told_by,
    ), ""  # fmt: skip
