"""A stack on its long edge, seen from above as a strip: its two end lines.

Every card shows its long edge, an 89 mm line across the strip, so an end is fitted over 60 mm and more of line.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.geometry import Calibration
from vision.frame import Image
from vision.measure.edge import crossing, inner_of_two, refine, robust_line
from vision.measure.window import Axes, Eye, Patch, axes_of, eye_of, px_per_mm, sample

Floats = NDArray[np.float64]

#: A card on its long edge: how high its upper edge is, and how long it is.
EDGE_HEIGHT_MM = 63.5
CARD_LONG_MM = 88.9
#: How far a detector's quad may be off, and how far off a hand or shadow may still be taken for felt.
QUAD_OFF_MM = 8.0
_BLOCK_MM = 6.0
_MARGIN_MM = 5.0
#: Cards of a stack stand within this of upright; a stack's end face may seem longer or shorter by it.
_LEAN_DEG = 2.0
#: White borders of card backs are at most so wide.
_BORDER_MM = 5.0
#: A border that could not be told from the card edges is so wide, give or take (1 sigma): a back may have none.
_USUAL_BORDER_MM = (2.2, 1.1)
#: The line of an end is fitted over at least so much of the strip's width.
_LEAST_LINE_MM = 20.0
_LEAST_FREE_MM = 9.0
#: The last card of a stack stands off it by so much more or less than the others (1 sigma).
LAST_CARD_MM = 0.15
#: How far the foot of an end's face is off below its upper edge, for a stack that leans a little (1 sigma).
_FOOT_DEG = 0.8
#: An end whose face is seen less wide than this has its line somewhere within it, if light does not tell where.
_NARROW_FACE_MM = 10.0
#: Blur of a camera, in pixels: optics, sensor and codec together.
BLUR_PX = 0.75


@dataclass(frozen=True, slots=True)
class EndLine:
    """One end of a strip: `at_mm` along (mid-width) with `slope`, off by `sigma_mm` (1 sigma, in each frame alike).

    `u_mm` is where across it was seen; `kind` says by what: 'edge' against what lies behind, 'face' against the end
    card's own face, 'border' where that face's white border could not be told from the strip, 'foot' where only the
    face's lower edge was seen.
    """

    at_mm: float
    slope: float
    sigma_mm: float
    u_mm: tuple[float, float]
    kind: str
    hidden_mm: float = 0.0  # the light changes so far outside of the line


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
    grown: float = 0.0  # how much longer it seems, since its upper edge is nearer to the camera

    @property
    def length_mm(self) -> float:
        """Length of the strip as it seems on the felt: larger than it is by the height of the edge."""
        return self.high.at_mm - self.low.at_mm

    @property
    def sigma_mm(self) -> float:
        """1 sigma of the length."""
        return float(np.hypot(self.low.sigma_mm, self.high.sigma_mm))


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What finding the ends of one strip needs: the picture, the axes, light, and the camera's place."""

    image: Image
    calibration: Calibration
    axes: Axes
    eye: Eye
    px_mm: float
    across_px_mm: float
    half_mm: float  # of the quad, along

    def patch(self, s_mm: tuple[float, float], u_mm: tuple[float, float], slope: float = 0.0) -> Patch:
        """Light between two places along and across, at half a pixel along and a whole one across."""
        s, u = (*s_mm, self.px_mm / 2), (*u_mm, self.across_px_mm)
        return sample(self.image, self.calibration, self.axes, s, u, slope=slope)


def look_at(image: Image, calibration: Calibration, quad_mm: ArrayLike, along: ArrayLike) -> Look:
    """A look at the strip in a detector's quad (4, 2), whose cards lie one after the other along `along`."""
    axes = axes_of(quad_mm, along)
    fine, across = px_per_mm(calibration, axes)
    reach = axes.inside(quad_mm)[:, 0]
    half = float(np.sort(reach)[2:].mean() - np.sort(reach)[:2].mean()) / 2
    return Look(image, calibration, axes, eye_of(calibration), 1 / fine, 1 / across, half)


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
    lean = look.eye.lean(look.axes.origin_mm)
    lean_s, lean_u = float(lean @ np.array(look.axes.along)), float(lean @ np.array(look.axes.across))
    wide = look.patch((-look.half_mm - 45, look.half_mm + 45), (-95, 95))
    if np.isnan(wide.light).mean() > 0.5:
        return None, "the stack is at the edge of the picture"
    tone, felt = _tones(wide, look.half_mm)
    if float(np.linalg.norm(tone - felt)) < 0.08:
        return None, "the stack does not stand out from what lies around it"
    u_mm = _top_edges(wide, look, tone, felt, lean_u)
    if u_mm is None:
        return None, "the stack's sides are covered"
    shown = _Shown(look, tone, felt, u_mm, lean_s, covered_u_mm)
    low, why_low = _find_end(shown, -1)
    high, why_high = _find_end(shown, +1)
    if low is None or high is None:
        return None, why_low or why_high
    return Strip(
        t_us, look.axes, low, high, u_mm, tone, felt, (lean_s, lean_u), look.eye.doubt, look.px_mm,
        EDGE_HEIGHT_MM / (look.eye.place_mm[2] - EDGE_HEIGHT_MM),
    ), ""  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _Shown:
    look: Look
    tone: Floats
    felt: Floats
    u_mm: tuple[float, float]
    lean_s: float
    covered_u_mm: tuple[float, float] | None = None

    @property
    def least_line_mm(self) -> float:
        """Over so much of its width an end is seen at least: less where something is known to stand before it."""
        return _LEAST_LINE_MM if self.covered_u_mm is None else _LEAST_FREE_MM


def _tones(wide: Patch, half_mm: float) -> tuple[Floats, Floats]:
    """Light of the card edges in the middle of the stack, and of what lies around it."""
    core = wide.light[np.abs(wide.u_mm) < 30][:, np.abs(wide.s_mm) < 0.7 * half_mm]
    ring = (np.abs(wide.u_mm)[:, None] > 70) | (np.abs(wide.s_mm)[None, :] > half_mm + 25)
    tone: Floats = np.nanmedian(core.reshape(-1, 3), axis=0)
    felt: Floats = np.nanmedian(wide.light[ring], axis=0)
    return tone, felt


def solid(light: Floats, tone: Floats, felt: Floats) -> Floats:
    """How far light (..., 3) is from felt in whatever shadow: 0 felt, about 1 and more a thing on it."""
    share = np.clip((light @ felt) / float(felt @ felt), 0.35, 1.15)
    off: Floats = np.linalg.norm(light - share[..., None] * felt, axis=-1) / (0.5 * float(np.linalg.norm(tone - felt)))
    return off


def _top_edges(wide: Patch, look: Look, tone: Floats, felt: Floats, lean_u: float) -> tuple[float, float] | None:
    """Where across the strip its cards' upper edges lie: from the side that hides nothing below it."""
    core = np.abs(wide.s_mm) < 0.7 * look.half_mm
    stuff = np.median(np.nan_to_num(solid(wide.light[:, core], tone, felt)), axis=1)
    inside = np.flatnonzero(stuff > 0.5)
    middle = np.flatnonzero((stuff > 0.5) & (np.abs(wide.u_mm) < 25))
    if len(inside) < 5 or not len(middle):
        return None
    first = last = int(middle[len(middle) // 2])
    while first > 0 and stuff[first - 1] > 0.5:
        first -= 1
    while last < len(stuff) - 1 and stuff[last + 1] > 0.5:
        last += 1
    low, high = float(wide.u_mm[first]), float(wide.u_mm[last])
    width = CARD_LONG_MM * look.eye.place_mm[2] / (look.eye.place_mm[2] - EDGE_HEIGHT_MM)
    side = EDGE_HEIGHT_MM * lean_u
    if abs(side) < 2.0:
        centre = (low + high) / 2
        return (centre - width / 2, centre + width / 2)
    return (high - width, high) if side > 0 else (low, low + width)


def _find_end(shown: _Shown, side: int) -> tuple[EndLine | None, str]:
    """The end towards smaller (-1) or larger (+1) s."""
    name = "near" if side < 0 else "far"
    face_mm = max(0.0, -side * shown.lean_s * EDGE_HEIGHT_MM)
    outer = _outer(shown, side, face_mm)
    if outer is None:
        return None, f"the {name} end of the stack is covered or runs into something"
    at_mm, rows = outer
    px_mm = shown.look.px_mm
    if face_mm < 1.2 * px_mm:
        # A sliver of the end card's face belongs to neither side: between a half and all of it is taken for strip.
        return _line(shown, side, at_mm - side * 0.7 * face_mm, 0.7 * face_mm, rows, kind="edge", more_mm=0.3 * face_mm)
    return _against_face(shown, side, at_mm, face_mm, rows)


def _blocks(shown: _Shown) -> list[tuple[float, float]]:
    low, high = shown.u_mm[0] + _MARGIN_MM, shown.u_mm[1] - _MARGIN_MM
    count = max(2, round((high - low) / max(_BLOCK_MM, 2.5 * shown.look.across_px_mm)))
    edges = np.linspace(low, high, count + 1)
    blocks = [(float(a), float(b)) for a, b in pairwise(edges)]
    if shown.covered_u_mm is None:
        return blocks
    return [(a, b) for a, b in blocks if b < shown.covered_u_mm[0] or a > shown.covered_u_mm[1]]


def _outer(shown: _Shown, side: int, face_mm: float) -> tuple[float, list[tuple[float, float]]] | None:
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
        stuff = solid(np.nanmean(patch.light[held], axis=0), shown.tone, shown.felt)
        order = stuff if side > 0 else stuff[::-1]
        places = patch.s_mm if side > 0 else patch.s_mm[::-1]
        last = _last_solid(order > 0.5, gap, int((side * places < look.half_mm - QUAD_OFF_MM / 2).sum()))
        if last is None:
            continue
        found.append(float(places[last]))
        rows.append((low, high))
    if len(rows) * _BLOCK_MM < shown.least_line_mm or not rows:
        return None
    offset, slope, agree = robust_line(np.array([(a + b) / 2 for a, b in rows]), np.array(found), max(1.0, look.px_mm))
    del slope
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


def _line(
    shown: _Shown, side: int, near_mm: float, shift_mm: float, rows: list[tuple[float, float]], *,
    kind: str, more_mm: float,
) -> tuple[EndLine | None, str]:  # fmt: skip
    """The end's line where the light changes near `near_mm` + side * `shift_mm`, moved back by that shift."""
    look = shown.look
    blur = BLUR_PX * look.px_mm
    centre = near_mm + side * shift_mm
    inner, outer = max(4 * look.px_mm, 3.0), max(3.5 * look.px_mm, 2.0)
    reach = (centre - inner, centre + outer) if side > 0 else (centre - outer, centre + inner)
    slope, kept = 0.0, rows
    step = None
    for _ in range(2):
        patch = look.patch(reach, shown.u_mm, slope)
        held = _of_rows(patch, kept)
        light = np.nanmean(patch.light[held], axis=0)
        step = refine(patch.s_mm, light, centre, blur, reach_mm=1.6 * look.px_mm, step_mm=patch.step_mm)
        if step is None:
            return None, "an end of the stack is out of the picture"
        places = _block_places(patch, kept, step.at_mm, (step.inside, step.outside))
        offset, extra, agree = robust_line(
            np.array([(a + b) / 2 for a, b in kept]), places, max(0.45 * look.px_mm, 0.15)
        )  # fmt: skip
        fewer = [row for row, ok in zip(kept, agree, strict=True) if ok]
        if not np.isfinite(offset) or sum(b - a for a, b in fewer) < shown.least_line_mm:
            return None, "too little of an end line is free"
        kept, slope = fewer, slope + extra
    assert step is not None
    spread = float(np.nanstd(places[agree])) / np.sqrt(max(1, int(agree.sum()) - 1))
    sigma = float(np.sqrt(step.sigma_mm**2 + spread**2 + more_mm**2 + (0.1 * look.px_mm) ** 2 + LAST_CARD_MM**2))
    u_mm = (min(a for a, _ in kept), max(b for _, b in kept))
    middle = slope * (shown.u_mm[0] + shown.u_mm[1]) / 2
    return EndLine(step.at_mm - side * shift_mm + middle, slope, sigma, u_mm, kind, shift_mm), ""


def _of_rows(patch: Patch, rows: list[tuple[float, float]]) -> NDArray[np.bool_]:
    held = np.zeros(len(patch.u_mm), bool)
    for low, high in rows:
        held |= (patch.u_mm >= low) & (patch.u_mm < high)
    return held


def _block_places(
    patch: Patch, rows: list[tuple[float, float]], near_mm: float, lights: tuple[Floats, Floats]
) -> Floats:
    """Where each block's light is half way between two lights, NaN where nowhere near."""
    inside, way = lights[0], lights[1] - lights[0]
    places = []
    for row in rows:
        light = np.nanmean(patch.light[_of_rows(patch, [row])], axis=0)
        share = (light - inside) @ way / float(way @ way)
        places.append(crossing(patch.s_mm, share, near_mm, 5 * patch.step_mm))
    return np.array(places)


def _against_face(
    shown: _Shown, side: int, foot_mm: float, face_mm: float, rows: list[tuple[float, float]]
) -> tuple[EndLine | None, str]:
    """The end's line where the end card's own face is seen below it, down to its foot at `foot_mm`.

    There are two estimates of one line, by its light and by the face's foot: it is off by half of what they differ.
    """
    by_light, why = _by_light(shown, side, foot_mm, face_mm, rows)
    if by_light is None:
        return None, why
    inward = side * foot_mm - face_mm  # outward is positive
    doubt = float(np.hypot(EDGE_HEIGHT_MM * np.radians(_FOOT_DEG), face_mm * shown.look.eye.doubt))
    if face_mm < _NARROW_FACE_MM and not _face_seen(shown, side, foot_mm, face_mm, rows):
        # Light says nothing: the face may be as white as the edges, or as dark as the felt.
        at, sigma = inward + face_mm / 2, float(np.hypot(face_mm / np.sqrt(12), doubt / 2))
        return EndLine(side * at, by_light.slope, sigma, by_light.u_mm, "foot"), ""
    if by_light.kind == "foot":
        return by_light, ""
    apart = side * by_light.at_mm - inward
    beyond = max(0.0, abs(apart) - doubt)
    moved = float(np.sign(apart)) * beyond / 2 if face_mm < _NARROW_FACE_MM else 0.0
    sigma = float(np.hypot(by_light.sigma_mm, beyond / 2))
    at_mm, hidden = by_light.at_mm - side * moved, by_light.hidden_mm + moved
    return replace(by_light, at_mm=at_mm, sigma_mm=sigma, hidden_mm=hidden), ""


def _face_seen(shown: _Shown, side: int, foot_mm: float, face_mm: float, rows: list[tuple[float, float]]) -> bool:
    """Whether before the foot there is light that is not the card edges'."""
    px_mm = shown.look.px_mm
    ends = side * (foot_mm - side * (0.8 * face_mm)), side * (foot_mm - side * min(0.2 * face_mm, px_mm))
    patch = shown.look.patch((min(side * ends[0], side * ends[1]), max(side * ends[0], side * ends[1])), shown.u_mm)
    light = np.nanmean(patch.light[_of_rows(patch, rows)], axis=0)
    off = np.linalg.norm(light - shown.tone, axis=1) / float(np.linalg.norm(shown.tone))
    return bool(len(off)) and float(np.median(off)) > 0.25


def _by_light(
    shown: _Shown, side: int, foot_mm: float, face_mm: float, rows: list[tuple[float, float]]
) -> tuple[EndLine | None, str]:
    """The end's line where light changes before its face, else by the face's foot."""
    look = shown.look
    expected = side * foot_mm - face_mm  # from here on outward is positive
    slack = min(EDGE_HEIGHT_MM * np.radians(2 * _LEAN_DEG) + 0.05 * face_mm, 0.6 * face_mm)
    border_mm = _BORDER_MM * face_mm / EDGE_HEIGHT_MM
    inner = expected - slack - max(3.0, 4 * look.px_mm)
    outer = expected + min(slack + border_mm, 0.8 * face_mm - look.px_mm)
    patch = look.patch((min(side * inner, side * outer), max(side * inner, side * outer)), shown.u_mm)
    light = np.nanmean(patch.light[_of_rows(patch, rows)], axis=0)
    s, values = (patch.s_mm, light) if side > 0 else (-patch.s_mm[::-1], light[::-1])
    jump_mm = _jump(s, values, (expected - slack, outer), shown)
    if jump_mm is None:
        doubt = float(np.hypot(EDGE_HEIGHT_MM * np.radians(_FOOT_DEG), face_mm * look.eye.doubt))
        return EndLine(side * expected, 0.0, doubt, shown.u_mm, "foot"), ""
    after = values[(s > jump_mm + look.px_mm) & (s < jump_mm + 2.5 * look.px_mm)]
    if len(after) and is_white(after.mean(axis=0), shown.tone):
        return _line(shown, side, side * jump_mm, 0.0, rows, kind="face", more_mm=0.0)
    inner_step = inner_of_two(s, values, jump_mm, border_mm, BLUR_PX * look.px_mm)
    if inner_step is not None and is_white(inner_step.outside, shown.tone):
        hidden, doubt = jump_mm - inner_step.at_mm, inner_step.sigma_mm
        return _line(shown, side, side * (jump_mm - hidden), hidden, rows, kind="face", more_mm=doubt)
    # A coloured face right behind the line: a white border before it may have gone unseen.
    hidden = _USUAL_BORDER_MM[0] * face_mm / EDGE_HEIGHT_MM
    doubt = _USUAL_BORDER_MM[1] * face_mm / EDGE_HEIGHT_MM
    return _line(shown, side, side * (jump_mm - hidden), hidden, rows, kind="border", more_mm=doubt)


def _jump(s: Floats, values: Floats, within: tuple[float, float], shown: _Shown) -> float | None:
    """Where light changes most (along, outward), if by more than card edges differ among themselves."""
    width = max(0.7, 2 * shown.look.px_mm)
    places = np.arange(within[0], within[1], s[1] - s[0])
    jumps = np.array([_difference(s, values, at, width) for at in places])
    usual = [_difference(s, values, at, width) for at in np.arange(s[0] + width, within[0], width / 2)]
    least = max(0.05 * float(np.linalg.norm(shown.tone)), 2.0 * max(usual, default=0.0))
    if not len(places) or float(jumps.max()) < least:
        return None
    # The outermost of the strong ones: farther in, an opening or a cover card changes the light as well.
    peaks = [k for k in range(1, len(jumps) - 1) if jumps[k - 1] <= jumps[k] >= jumps[k + 1]]
    strong = [k for k in peaks if jumps[k] >= max(least, 0.4 * float(jumps.max()))]
    return float(places[strong[-1] if strong else int(np.argmax(jumps))])


def _difference(s: Floats, values: Floats, at: float, width: float) -> float:
    before, after = values[(s >= at - width) & (s < at)], values[(s >= at) & (s <= at + width)]
    if not len(before) or not len(after):
        return 0.0
    return float(np.linalg.norm(after.mean(axis=0) - before.mean(axis=0)))


def is_white(light: Floats, tone: Floats) -> bool:
    """Whether light is that of white card in some shade: of the strip's own hue."""
    cosine = float(light @ tone) / (float(np.linalg.norm(light)) * float(np.linalg.norm(tone)) + 1e-9)
    return cosine > 0.985 and float(np.linalg.norm(light)) > 0.45 * float(np.linalg.norm(tone))
