"""A stack on edge as its lacing shows from above: how wide its light is full, and how far its outline reaches.

Where every other card sticks out at either short end, the full light of cards side by side is narrower than a card is
long, by the lacing, and the outline is wider, by as much.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.geometry import Calibration
from vision.frame import Image
from vision.measure.ends import Shown, find_boundary, find_end, solid
from vision.measure.sides import Sides, read_sides
from vision.measure.stance import CARD_LONG_MM, EDGE_HEIGHT_MM, Look, look_at
from vision.measure.strip import Strip
from vision.measure.window import Axes

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: A stack is laced where it is longer than a card by at least this (both ends together); squared cards scatter by less.
LACED_MM = 3.5
#: Where more of a standing stack's side is seen, only its other side's outline is believed.
ASIDE_MM = 4.0
#: So much of the sides must be seen.
_LEAST_SEEN = 0.6
#: Where light falls below this share of the middle's, not every card is there; blended over some cards.
_FULL, _BLEND_MM, _MIDDLE_MM = 0.91, 2.5, 24.0
#: The middle of the light is where the median along the stack is at least this share of its brightest.
_CORE = 0.85
#: Card edges in any light have a hue closer than this to that of the stack's middle (cosine).
_PAPER_HUE = 0.96
#: Between laced cards, stretches as dark as felt are shorter than this.
_SHADOW_MM = 3.0
#: The light is looked at so far to both sides.
_ACROSS_MM = 105.0


def find_laced(
    image: Image, t_us: int, calibration: Calibration, quad_mm: ArrayLike, along: ArrayLike, *, turned: bool = False
) -> tuple[Strip | None, str]:
    """The strip of a stack on edge whose cards may stick out at both their ends, or None and why it was not found.

    As `vision.measure.strip.find_strip`, but for where the top edges lie across: about the middle of the full light.
    `turned` takes its cards to lie the other way than the picture seems to say.
    """
    look = look_at(image, calibration, quad_mm, along)
    look = _turned(look, quad_mm) if turned else look
    if look.half_mm * 2 < 3 * look.px_mm:
        return None, "the stack is shorter than three pixels"
    wide = look.patch((-look.half_mm - 45, look.half_mm + 45), (-95, 95), coarsest_mm=0.5)
    if np.isnan(wide.light).mean() > 0.5:
        return None, "the stack is at the edge of the picture"
    core = np.abs(wide.s_mm) < 0.7 * look.half_mm
    light = np.nan_to_num(wide.light)
    tone: Floats = np.median(light[np.abs(wide.u_mm) < 30][:, core].reshape(-1, 3), axis=0)
    ring = (np.abs(wide.u_mm)[:, None] > 75) | (np.abs(wide.s_mm)[None, :] > look.half_mm + 25)
    felt: Floats = np.nanmedian(wide.light[ring], axis=0)
    if not np.isfinite(felt).all() or float(np.linalg.norm(tone - felt)) < 0.08:
        return None, "the stack does not stand out from what lies around it"
    grown = EDGE_HEIGHT_MM / (look.eye.place_mm[2] - EDGE_HEIGHT_MM)
    middle, half = _middle(light[:, core].transpose(1, 0, 2), wide.u_mm), CARD_LONG_MM * (1 + grown) / 2
    shown = Shown(look, tone, felt, (middle - half, middle + half))
    low, why_low = find_boundary(shown, -1)
    high, why_high = find_boundary(shown, +1)
    if low is None or high is None:
        return None, why_low or why_high
    return Strip(
        t_us, look.axes, find_end(shown, -1, low), find_end(shown, 1, high), shown.u_mm, tone, felt, look.lean(0.0),
        look.eye.doubt, look.px_mm, grown, shown,
    ), ""  # fmt: skip


def _turned(look: Look, quad_mm: ArrayLike) -> Look:
    """The same with along for across."""
    axes = Axes(look.axes.origin_mm, look.axes.across)
    reach = np.sort(axes.inside(quad_mm)[:, 0])
    half = float(reach[2:].mean() - reach[:2].mean()) / 2
    return replace(look, axes=axes, px_mm=look.across_px_mm, across_px_mm=look.px_mm, half_mm=half)


def lacing(strip: Strip) -> tuple[Sides | None, Sides | None, float]:
    """How wide the strip's light is full, how far its outline reaches, and which share of its length is seen.

    The first is None where too little is seen, the second where the outline is not.
    """
    look, slope = strip.shown.look, (strip.low.slope + strip.high.slope) / 2
    patch = look.patch((strip.low.at_mm, strip.high.at_mm), (-_ACROSS_MM, _ACROSS_MM), slope)
    light = np.nan_to_num(patch.light).transpose(1, 0, 2)
    u_mm, least_mm = patch.u_mm - sum(strip.u_mm) / 2, LACED_MM * (1 + strip.grown)
    low, high = reach(_full(light, u_mm, patch.step_mm), u_mm, 0.0)
    known = np.isfinite(low) & np.isfinite(high)
    if known.mean() < _LEAST_SEEN:
        return None, None, float(known.mean())
    inner = read_sides(low, high, patch.step_mm, least_mm)
    return inner, _outer(light, strip, u_mm, patch.step_mm, least_mm), float(known.mean())


def _middle(light: Floats, u_mm: Floats) -> float:
    """Where the stack's middle lies across: that of its full light, which laced cards narrow alike from both sides."""
    profile = np.median(light.sum(axis=2), axis=0)
    near = np.flatnonzero(np.abs(u_mm) < _MIDDLE_MM)
    full = profile > _CORE * float(np.percentile(profile[near], 75))
    first = last = near[int(np.argmax(profile[near]))]
    while first > 0 and full[first - 1]:
        first -= 1
    while last < len(full) - 1 and full[last + 1]:
        last += 1
    return float(u_mm[first] + u_mm[last]) / 2


def _full(light: Floats, u_mm: Floats, step_mm: float) -> Flags:
    """Where light (N, M, 3) is as full as in the middle of the stack at that place along it, M across at `u_mm`.

    Where every other card sticks out, some of the light is missing.
    """
    cards = max(1, 2 * round(_BLEND_MM / step_mm / 2) + 1)
    mean = cv2.blur(light.sum(axis=2), (3, cards), borderType=cv2.BORDER_REPLICATE)
    inside = np.abs(u_mm) < _MIDDLE_MM
    mean = mean / np.maximum(np.median(mean[:, inside], axis=1), 1e-6)[:, None]
    lamp = np.polyfit(u_mm[inside], np.median(mean[:, inside], axis=0), 1)
    full: Flags = mean > _FULL * np.polyval(lamp, u_mm)
    return full


def _outer(light: Floats, strip: Strip, u_mm: Floats, step_mm: float, least_mm: float) -> Sides | None:
    """How far the stack reaches to both sides; from aside, by the side that hides nothing below its edge alone."""
    low, high = reach(_paper(light, strip.tone, strip.felt), u_mm, 0.0)
    if (np.isfinite(low) & np.isfinite(high)).mean() < _LEAST_SEEN:
        return None
    if abs(strip.lean[1]) * EDGE_HEIGHT_MM > ASIDE_MM:
        low, high = (low, -low) if strip.lean[1] < 0 else (-high, high)
    return read_sides(low, high, step_mm, least_mm)


def _paper(light: Floats, tone: Floats, felt: Floats) -> Flags:
    """Where light (..., 3) is that of card edges in whatever shade: not of felt, nor of what is printed on it."""
    size = np.linalg.norm(light, axis=-1) * float(np.linalg.norm(tone))
    alike = light @ tone > _PAPER_HUE * np.maximum(size, 1e-9)
    paper: Flags = alike & (solid(light, tone, felt) > 0.5)
    return paper


def reach(paper: Flags, places: Floats, middle: float) -> tuple[Floats, Floats]:
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
