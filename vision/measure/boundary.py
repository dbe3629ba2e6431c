"""Where a stack on its long edge gives way to felt at its two ends, and how much of the end cards' faces is seen there.

What is seen of a stack ends where felt begins. Seen from aside, the end card's own face lies between that and its upper
edge, as wide as the camera's place says, give or take what the cards lean.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.measure.edge import Step, crossing, refine, robust_line
from vision.measure.stance import EDGE_HEIGHT_MM, Look
from vision.measure.window import Patch

Floats = NDArray[np.float64]
Rows = list[tuple[float, float]]

#: Blur of a camera, in pixels: optics, sensor and codec together.
BLUR_PX = 0.75
#: How far a detector's quad may be off, and how far off a hand or shadow may still be taken for felt.
QUAD_OFF_MM = 8.0
#: Cards of a stack on edge lean so much, as a tangent (1 sigma): its ends' faces seem wider or narrower by it.
LEAN = 0.012
#: An end without a face overhangs its foot by so many times what it might lean.
_NO_FACE = -9.0
_BLOCK_MM = 6.0
_MARGIN_MM = 5.0
#: The line of an end is fitted over at least so much of the strip's width; less where something stands before it.
_LEAST_LINE_MM = 20.0
_LEAST_FREE_MM = 9.0


@dataclass(frozen=True, slots=True, eq=False)
class Boundary:
    """Where the stack gives way to something else at an end: `at_mm` along (mid-width) with `slope`, in `rows` across.

    `face_mm` is how much of the end card's own face lies inward of it, give or take `face_sigma_mm`, where the cards
    stand upright; negative where their upper edges overhang it.
    """

    at_mm: float
    slope: float
    sigma_mm: float
    rows: Rows
    face_mm: float
    face_sigma_mm: float

    @property
    def u_mm(self) -> tuple[float, float]:
        """Between which places across it was seen."""
        return min(a for a, _ in self.rows), max(b for _, b in self.rows)

    @property
    def overhangs(self) -> bool:
        """Whether no face can be seen, however the cards lean."""
        return self.face_mm < -2.5 * self.face_sigma_mm


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What is known of a strip when its ends are looked for: light of its edges and of felt, and where it lies."""

    look: Look
    tone: Floats
    felt: Floats
    u_mm: tuple[float, float]
    covered_u_mm: tuple[float, float] | None = None

    @property
    def least_line_mm(self) -> float:
        """Over so much of its width an end is seen at least: less where something is known to stand before it."""
        return _LEAST_LINE_MM if self.covered_u_mm is None else _LEAST_FREE_MM


def solid(light: Floats, tone: Floats, felt: Floats) -> Floats:
    """How far light (..., 3) is from felt in whatever shadow: 0 felt, about 1 and more a thing on it."""
    share = np.clip((light @ felt) / float(felt @ felt), 0.35, 1.15)
    off: Floats = np.linalg.norm(light - share[..., None] * felt, axis=-1) / (0.5 * float(np.linalg.norm(tone - felt)))
    return off


def felt_begins(shown: Shown, side: int) -> tuple[Boundary | None, str]:
    """Where the stack ends towards smaller (-1) or larger (+1) s, or None and why that is not seen."""
    name = "near" if side < 0 else "far"
    face_mm = face_of(shown.look, side)
    outer = _outer(shown, side, max(0.0, face_mm))
    if outer is None:
        return None, f"the {name} end of the stack is covered or runs into something"
    line, why = _line(shown, side, *outer)
    if line is None:
        return None, why
    at_mm, slope, sigma_mm, rows = line
    spread = float(np.hypot(LEAN * EDGE_HEIGHT_MM, max(0.0, face_mm) * shown.look.eye.doubt))
    return Boundary(at_mm, slope, sigma_mm, rows, face_mm, spread), ""


def bare(boundary: Boundary) -> Boundary:
    """The same end, known to show no face: the strip reaches to where what is seen of the stack ends."""
    return replace(boundary, face_mm=_NO_FACE * boundary.face_sigma_mm)


def face_of(look: Look, side: int) -> float:
    """How much is seen of the end card's own face, from its upper edge to its foot, where the cards stand upright.

    Negative where the upper edge overhangs the foot by so much.
    """
    seen = 0.0
    for _ in range(2):  # it leans as its upper edge does, and that lies so far inward
        seen = -side * look.lean(side * (look.half_mm - max(0.0, seen)))[0] * EDGE_HEIGHT_MM
    return seen


def _blocks(shown: Shown) -> Rows:
    low, high = shown.u_mm[0] + _MARGIN_MM, shown.u_mm[1] - _MARGIN_MM
    count = max(2, round((high - low) / max(_BLOCK_MM, 2.5 * shown.look.across_px_mm)))
    edges = np.linspace(low, high, count + 1)
    blocks = [(float(a), float(b)) for a, b in pairwise(edges)]
    if shown.covered_u_mm is None:
        return blocks
    return [(a, b) for a, b in blocks if b < shown.covered_u_mm[0] or a > shown.covered_u_mm[1]]


def _outer(shown: Shown, side: int, face_mm: float) -> tuple[float, Rows] | None:
    """Where the stack gives way to felt (along, mm), and in which blocks across that is seen."""
    look = shown.look
    end = side * look.half_mm
    reach = (end - QUAD_OFF_MM - face_mm - 6, end + QUAD_OFF_MM + face_mm + 12)
    patch = look.patch(reach, shown.u_mm)
    gap = max(2, round(max(2.0, 1.5 * look.px_mm, 0.85 * face_mm) / patch.step_mm))
    found, rows = [], []
    for low, high in _blocks(shown):
        held = (patch.u_mm >= low) & (patch.u_mm < high)
        if not held.any():
            continue
        stuff = solid(patch.light[held].mean(axis=0), shown.tone, shown.felt)
        order = stuff if side > 0 else stuff[::-1]
        places = patch.s_mm if side > 0 else patch.s_mm[::-1]
        last = _last_solid(order > 0.5, gap, int((side * places < look.half_mm - QUAD_OFF_MM / 2).sum()))
        if last is None:
            continue
        found.append(float(places[last]))
        rows.append((low, high))
    if len(rows) * _BLOCK_MM < shown.least_line_mm or not rows:
        return None
    offset, _, agree = robust_line(np.array([(a + b) / 2 for a, b in rows]), np.array(found), max(1.0, look.px_mm))
    kept = [row for row, ok in zip(rows, agree, strict=True) if ok]
    if not np.isfinite(offset) or sum(b - a for a, b in kept) < shown.least_line_mm:
        return None
    return offset, kept


def _last_solid(hard: NDArray[np.bool_], gap: int, inner: int) -> int | None:
    """The last solid sample before `gap` samples of felt: what comes after them is something else. None if covered.

    The first `inner` samples are the stack's anyway: what is like felt among them is a cover card or an opening.
    """
    held = np.flatnonzero(hard)
    if not len(held) or held[0] > len(hard) // 2:
        return None
    apart = np.flatnonzero((np.diff(held) > gap) & (held[:-1] >= inner))
    last = int(held[apart[0]] if len(apart) else held[-1])
    return None if last >= len(hard) - 3 else last


def _line(shown: Shown, side: int, near_mm: float, rows: Rows) -> tuple[tuple[float, float, float, Rows] | None, str]:
    """(at mid-width, slope, sigma, in which rows) of the line where felt begins, near a place; None and why not."""
    look = shown.look
    inner, outer = max(4 * look.px_mm, 3.0), max(3.5 * look.px_mm, 2.0)
    reach = (near_mm - inner, near_mm + outer) if side > 0 else (near_mm - outer, near_mm + inner)
    slope, kept = 0.0, rows
    step: Step | None = None
    for _ in range(2):
        patch = look.patch(reach, shown.u_mm, slope)
        light = patch.light[of_rows(patch, kept)].mean(axis=0)
        blur, reach_mm = BLUR_PX * look.px_mm, 1.6 * look.px_mm
        step = refine(patch.s_mm, light, near_mm, blur, reach_mm=reach_mm, step_mm=patch.step_mm)
        if step is None:
            return None, "an end of the stack is out of the picture"
        places = _block_places(patch, kept, step.at_mm, (step.inside, step.outside))
        middles = np.array([(a + b) / 2 for a, b in kept])
        offset, extra, agree = robust_line(middles, places, max(0.45 * look.px_mm, 0.3))
        fewer = [row for row, ok in zip(kept, agree, strict=True) if ok]
        if not np.isfinite(offset) or sum(b - a for a, b in fewer) < shown.least_line_mm:
            return None, "too little of an end line is free"
        kept, slope = fewer, slope + extra
    assert step is not None
    spread = float(np.nanstd(places[agree])) / np.sqrt(max(1, int(agree.sum()) - 1))
    sigma = float(np.sqrt(step.sigma_mm**2 + spread**2 + (0.1 * look.px_mm) ** 2))
    middle = slope * (shown.u_mm[0] + shown.u_mm[1]) / 2
    return (step.at_mm + middle, slope, sigma, kept), ""


def of_rows(patch: Patch, rows: Rows) -> NDArray[np.bool_]:
    """Which rows (N,) of a patch lie within some stretches across."""
    held = np.zeros(len(patch.u_mm), bool)
    for low, high in rows:
        held |= (patch.u_mm >= low) & (patch.u_mm < high)
    return held


def _block_places(patch: Patch, rows: Rows, near_mm: float, lights: tuple[Floats, Floats]) -> Floats:
    """Where each block's light is half way between two lights, NaN where nowhere near."""
    inside, way = lights[0], lights[1] - lights[0]
    places = []
    for row in rows:
        light = patch.light[of_rows(patch, [row])].mean(axis=0)
        share = (light - inside) @ way / float(way @ way)
        places.append(crossing(patch.s_mm, share, near_mm, max(5 * patch.step_mm, 0.8)))
    return np.array(places)
