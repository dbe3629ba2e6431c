"""How much of a stack is laced: neighbouring cards stick out at both short ends.

A stack on its long edge shows all of its length from above (`vision.measure.lacing`). A stack that lies flat shows its
widest outline only: enough to say that nothing sticks out, or that something does, but not over how much of its height.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.geometry import Calibration
from vision.frame import Image
from vision.measure.ends import solid
from vision.measure.lacing import ASIDE_MM, LACED_MM, find_laced, lacing, reach
from vision.measure.reading import Z95, Marks, Measured, Polygon
from vision.measure.sides import Sides
from vision.measure.stance import CARD_LONG_MM, EDGE_HEIGHT_MM
from vision.measure.strip import Strip
from vision.measure.window import Axes, axes_of, eye_of, px_per_mm, sample

Floats = NDArray[np.float64]

CARD_SHORT_MM = 63.5
CARD_THICK_MM = 0.30
#: How far off a stack's width may be (1 sigma, beside half a pixel), and the place along where it changes: px, share.
_WIDTH_OFF_MM = 0.7
_SPLIT_OFF_PX, _SPLIT_OFF = 0.7, 0.008
#: A laced or squared part shorter than this share of the stack is not told from what scatters there.
_LEAST_RUN = 0.05
#: Full light is seen so much less wide than a card is long: by its round corners and less than half a lacing, against
#: that and more; and blur takes some more.
_SHORT_MM, _BLUR_PX = 7.0, 1.2
#: Full light is never wider than a card is long by more than this, unless its cards lie the other way.
_WIDER_MM = 6.0
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
    for turned in (False, True):
        strip, why = find_laced(image, t_us, calibration, quad_mm, along, turned=turned)
        if strip is None:
            return None, why
        inner, outer, known = lacing(strip)
        if inner is None:
            return None, "too much of the stack's edge is covered"
        widest_mm = CARD_LONG_MM + abs(strip.lean[1]) * EDGE_HEIGHT_MM + _WIDER_MM
        if inner.wide_mm < widest_mm * (1 + strip.grown):
            ends = [strip.axes.places([s, s], strip.u_mm) for s in (strip.low.at_mm, strip.high.at_mm)]
            low, high = (calibration.to_pixels(end) for end in ends)
            return _feathered(_told(inner, outer, strip), strip, ends=(low, high), known=known), ""
    return None, "which way the stack's cards lie is not seen"


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
    low, high = reach(_closed(solid(light, white, felt) > 0.5, step), patch.s_mm, 0.0)
    if np.isfinite(low).mean() < 0.6:
        return None, "the stack's outline was not found"
    tall = cards * CARD_THICK_MM
    lean = eye.lean(axes.places([0.0], [0.0])[0])
    lean_s = float(lean @ np.array(axes.along))
    more = _longer_mm(low, high, lean_s, tall, eye.place_mm[2])
    doubt = 1.0 + 1.5 / px_along + abs(lean_s) * tall * (eye.doubt + _TALL_DOUBT)
    return _by_outline(low, high, more, t_us, doubt=doubt, calibration=calibration, axes=axes, u_mm=patch.u_mm)


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


@dataclass(frozen=True, slots=True)
class _Told:
    """Which part is laced (none or one, at either end or all), and between which shares the truth lies."""

    laced: tuple[tuple[float, float], ...]
    low: float
    high: float


def _told(inner: Sides, outer: Sides | None, strip: Strip) -> _Told:
    """What the full light (`inner`) and the outline (`outer`) say together.

    Laced cards narrow the full light and widen the outline. Either may fail: dark gaps may be taken for felt, and
    a back's light hardly dims where single cards are seen.
    """
    doubt = _WIDTH_OFF_MM + 0.4 * strip.px_mm
    steps = [
        step for step in (_step(inner, strip, outline=False), _step(outer, strip, outline=True)) if step is not None
    ]
    short = CARD_LONG_MM - (inner.wide_mm + _BLUR_PX * strip.px_mm) / (1 + strip.grown)
    laced = short > _SHORT_MM
    if steps and short < _SHORT_MM + doubt:
        told = _stepped(steps)
        return told if short < _SHORT_MM - doubt else _Told(told.laced, told.low, 1.0)
    if abs(short - _SHORT_MM) < doubt:
        return _Told(((0.0, 1.0),) if laced else (), 0.0, 1.0)
    if laced:
        return _Told(((0.0, 1.0),), 1.0 - _LEAST_RUN, 1.0)
    if outer is not None and abs(strip.lean[1]) * EDGE_HEIGHT_MM <= ASIDE_MM:
        longer = (outer.wide_mm - abs(strip.lean[1]) * EDGE_HEIGHT_MM) / (1 + strip.grown) - CARD_LONG_MM
        if longer > LACED_MM + doubt:
            return _Told((), 0.0, 1.0)  # longer than a card, though its light is full
    return _Told((), 0.0, _LEAST_RUN)


@dataclass(frozen=True, slots=True)
class _Step:
    """The end of a laced part: at `value` of the length, between `low` and `high`; `first` if that part comes first."""

    value: float
    low: float
    high: float
    first: bool


def _step(sides: Sides | None, strip: Strip, *, outline: bool) -> _Step | None:
    """Where the sides step: inwards after laced cards that narrow the full light, outwards in the outline.

    What sticks out ends in a card's face; where the camera sees it, the outline steps only at that face's foot.
    """
    if sides is None or sides.split is None:
        return None
    first = (sides.before_mm > sides.after_mm) == outline
    half = Z95 * float(np.hypot(_SPLIT_OFF_PX * strip.px_mm / strip.length_mm, _SPLIT_OFF))
    face = strip.lean[0] * EDGE_HEIGHT_MM / strip.length_mm if outline else 0.0
    low = sides.split_low - half + (min(0.0, face) if first else 0.0)
    high = sides.split_high + half + (0.0 if first else max(0.0, face))
    return _Step(sides.split, max(0.0, low), min(1.0, high), first)


def _stepped(steps: list[_Step]) -> _Told:
    """The laced part where its end is seen: by the full light, else by the outline; unsure where they disagree."""
    step = steps[0]
    laced = ((0.0, step.value),) if step.first else ((step.value, 1.0),)
    if any(s.first != step.first or s.low > step.high or s.high < step.low for s in steps[1:]):
        return _Told(laced, 0.0, 1.0)
    return _Told(laced, step.low, step.high) if step.first else _Told(laced, 1.0 - step.high, 1.0 - step.low)


def _feathered(told: _Told, strip: Strip, *, ends: tuple[Floats, Floats], known: float) -> Feathered:
    """The same as a measurement; `known` is the share of the length that is seen."""
    value = sum(b - a for a, b in told.laced)
    low, high = max(0.0, told.low - 0.5 * (1 - known)), min(1.0, told.high + 0.5 * (1 - known))
    lines = tuple((float(a[0]), float(a[1]), float(b[0]), float(b[1]), "end") for a, b in ends)
    marks = Marks(strip.t_us, lines, polygons_px=tuple(_between(ends, part) for part in _others(told.laced)))
    return Feathered(
        value=value, low=min(low, value), high=max(high, value), unit="of the length", marks=marks, laced=told.laced,
        told_by="strip",
    )  # fmt: skip


def _others(parts: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    """What of 0..1 is in no part; the parts are none, or one that begins or ends there."""
    if not parts:
        return ((0.0, 1.0),)
    (start, end), *_ = parts
    return tuple(part for part in ((0.0, start), (end, 1.0)) if part[1] > part[0])


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
