"""A stack on its long edge, seen from above as a strip.

Every card shows its long edge, an 89 mm line across the strip, so an end is fitted over 60 mm and more of line.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.geometry import Calibration
from vision.frame import Image
from vision.measure.boundary import BLUR_PX, QUAD_OFF_MM, Shown, bare, solid
from vision.measure.ends import EndLine, find_boundary, find_end
from vision.measure.stance import CARD_LONG_MM, EDGE_HEIGHT_MM, Look, look_at
from vision.measure.window import Axes, Patch

Floats = NDArray[np.float64]

#: A strip lies within this of the middle of its quad, across; and what lies beside it is looked at so far.
_ASIDE_MM = 10.0
_BESIDE_MM = 9.0


@dataclass(frozen=True, slots=True, eq=False)
class Strip:
    """A strip found in one frame, in seeming mm along its `axes`; `low` is the end at smaller s.

    `tone` and `felt` are the light of the card edges and of what lies around (3,); `lean` how far things seem shifted
    (along, across) for each mm of height; `u_mm` where the top edges lie across; `px_mm` one pixel along, in mm.
    """

    t_us: int
    axes: Axes
    low: EndLine
    high: EndLine
    u_mm: tuple[float, float]
    tone: Floats
    felt: Floats
    lean: tuple[float, float]
    lean_doubt: float
    px_mm: float
    grown: float  # how much longer it seems, since its upper edge is nearer to the camera
    shown: Shown

    @property
    def length_mm(self) -> float:
        """Length of the strip as it seems on the felt: larger than it is by the height of the edge."""
        return self.high.at_mm - self.low.at_mm

    @property
    def sigma_mm(self) -> float:
        """1 sigma of the length."""
        return float(np.hypot(self.low.sigma_mm, self.high.sigma_mm))


def find_strip(
    image: Image, t_us: int, calibration: Calibration, quad_mm: ArrayLike, along: ArrayLike, *,
    covered_u_mm: tuple[float, float] | None = None,
) -> tuple[Strip | None, str]:  # fmt: skip
    """The strip in one frame, or None and why it could not be measured.

    `quad_mm` (4, 2) is the detector's stack; `along` (2,) roughly the direction in which its cards follow one another
    (a stack at the offer: the dealer-player axis). Between `covered_u_mm` across, something stands before the ends.
    """
    look = look_at(image, calibration, quad_mm, along)
    if look.half_mm * 2 < 3 * look.px_mm:
        return None, "the stack is shorter than three pixels"
    lean_s, lean_u = look.lean(0.0)
    wide = look.patch((-look.half_mm - 45, look.half_mm + 45), (-95, 95), coarsest_mm=0.5)
    if np.isnan(wide.light).mean() > 0.5:
        return None, "the stack is at the edge of the picture"
    tone, felt = _tones(wide, look.half_mm)
    if float(np.linalg.norm(tone - felt)) < 0.08:
        return None, "the stack does not stand out from what lies around it"
    u_mm = _top_edges(wide, look, tone, felt, lean_u)
    if u_mm is None:
        return None, "the stack's sides are covered"
    shown = Shown(look, tone, felt, u_mm, covered_u_mm)
    low, why_low = find_boundary(shown, -1)
    high, why_high = find_boundary(shown, +1)
    if low is None or high is None:
        return None, why_low or why_high
    return Strip(
        t_us, look.axes, find_end(shown, -1, low), find_end(shown, 1, high), u_mm, tone, felt, (lean_s, lean_u),
        look.eye.doubt, look.px_mm, EDGE_HEIGHT_MM / (look.eye.place_mm[2] - EDGE_HEIGHT_MM), shown,
    ), ""  # fmt: skip


def with_bare_end(strip: Strip, side: int) -> Strip:
    """The same strip, its end on that side known to show no face."""
    end = find_end(strip.shown, side, bare((strip.low if side < 0 else strip.high).boundary))
    return replace(strip, low=end) if side < 0 else replace(strip, high=end)


def _tones(wide: Patch, half_mm: float) -> tuple[Floats, Floats]:
    """Light of the card edges in the middle of the stack, and of what lies around it."""
    core = wide.light[np.abs(wide.u_mm) < 30][:, np.abs(wide.s_mm) < 0.7 * half_mm]
    ring = (np.abs(wide.u_mm)[:, None] > 70) | (np.abs(wide.s_mm)[None, :] > half_mm + 25)
    tone: Floats = np.nanmedian(core.reshape(-1, 3), axis=0)
    felt: Floats = np.nanmedian(wide.light[ring], axis=0)
    return tone, felt


def _top_edges(wide: Patch, look: Look, tone: Floats, felt: Floats, lean_u: float) -> tuple[float, float] | None:
    """Where across the strip its cards' upper edges lie: from the side that hides nothing below it."""
    core = np.abs(wide.s_mm) < 0.6 * look.half_mm
    stuff = np.clip(np.median(np.nan_to_num(solid(wide.light[:, core], tone, felt)), axis=1), 0.0, 1.0)
    width = CARD_LONG_MM * look.eye.place_mm[2] / (look.eye.place_mm[2] - EDGE_HEIGHT_MM)
    side = EDGE_HEIGHT_MM * lean_u
    seen = width + abs(side)
    starts = np.arange(-seen / 2 - _ASIDE_MM, -seen / 2 + _ASIDE_MM, 0.5)
    held = [_stands_out(wide.u_mm, stuff, float(start), seen) for start in starts]
    best = int(np.argmax(held))
    if held[best] < 0.3:
        return None
    low, high = float(starts[best]), float(starts[best]) + seen
    return (high - width, high) if side > 0 else (low, low + width)


def _stands_out(u_mm: Floats, stuff: Floats, low: float, width: float) -> float:
    """How much more is within a stretch than beside it."""
    inside = (u_mm >= low) & (u_mm <= low + width)
    beside = (u_mm >= low - _BESIDE_MM) & (u_mm <= low + width + _BESIDE_MM) & ~inside
    if not inside.any() or not beside.any():
        return -1.0
    return float(stuff[inside].mean() - stuff[beside].mean())


__all__ = [
    "BLUR_PX", "CARD_LONG_MM", "EDGE_HEIGHT_MM", "QUAD_OFF_MM", "EndLine", "Look", "Strip", "find_strip", "look_at",
    "solid", "with_bare_end",
]  # fmt: skip
