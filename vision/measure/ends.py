"""The two ends of a strip: where its first and last cards' upper edges lie.

What is seen of a stack ends where felt begins. Seen from aside, the end card's own face lies between that and its upper
edge, as wide as the camera's place says, give or take what the cards lean. Light tells the rest, where it tells
anything: a face has a white border like the cards' edges, and may be white itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.measure.edge import Step, crossing, refine, robust_line
from vision.measure.stance import EDGE_HEIGHT_MM, Look
from vision.measure.steps import Known, Level, Weighed, bell, combinations, weigh
from vision.measure.window import Patch

Floats = NDArray[np.float64]
Rows = list[tuple[float, float]]

#: Blur of a camera, in pixels: optics, sensor and codec together.
BLUR_PX = 0.75
#: How far a detector's quad may be off, and how far off a hand or shadow may still be taken for felt.
QUAD_OFF_MM = 8.0
#: Cards of a stack on edge lean so much, as a tangent (1 sigma): its ends' faces seem wider or narrower by it.
LEAN = 0.012
#: The outermost card stands off the others: so far, give or take (1 sigma).
LAST_CARD_MM = (0.1, 0.24)
#: How far a quad's end is off (1 sigma).
_QUAD_SIGMA_MM = 3.5
#: An end is off by so many pixels (1 sigma), whatever the fit says: blur, fringes and the recorder.
_OFF_PX = 0.25
#: An end without a face overhangs its foot by so many times what it might lean.
_NO_FACE = -9.0
#: Light alone does not decide more than this (logarithm) about whether a face is seen.
_LIGHT_SAYS = 2.5
#: How far the picture of an edge is from what is expected, as a share of its height.
_UNLIKE = 0.03
#: White borders of faces and backs are so wide, give or take (1 sigma).
_BORDER_MM = (3.0, 1.2)
#: A face seen wider than this shows its border by itself; a narrower one is taken for one level of light.
_SPLIT_MM = 0.9
#: Light of a face's border and of a face, as a share of the card edges', with 1 sigma.
_BORDER_LIGHT = (0.85, 0.22)
_FACE_LIGHT = (0.6, 0.45)
#: How much the card edges' light changes along a strip (1 sigma).
TONE_SIGMA = 0.06
#: Cards' own tones go on for a card's thickness.
CARD_MM = 0.3
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
class EndLine:
    """One end of a strip: `at_mm` along (mid-width) with `slope`, off by `sigma_mm` (1 sigma, in each frame alike).

    `u_mm` is where across it was seen; `kind` says by what: 'edge' where the strip itself ends what is seen, 'face'
    where the end card's own face is seen beyond the line. `boundary` is where what is seen of the stack ends.
    """

    at_mm: float
    slope: float
    sigma_mm: float
    u_mm: tuple[float, float]
    kind: str
    boundary: Boundary


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


def find_boundary(shown: Shown, side: int) -> tuple[Boundary | None, str]:
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
    boundary = Boundary(at_mm, slope, sigma_mm, rows, face_mm, spread)
    if face_mm > 2.5 and _is_edge(shown, side, boundary):
        boundary = bare(boundary)
    return boundary, ""


def _is_edge(shown: Shown, side: int, boundary: Boundary) -> bool:
    """Whether the strip reaches to where felt seems to begin: a face as dark as felt lies beyond, not within."""
    profile = end_profile(shown, side, boundary)
    if profile is None:
        return False
    within = side * boundary.at_mm - boundary.face_mm - 3 * boundary.face_sigma_mm - 4 * shown.look.px_mm, np.inf
    face, edge = (
        weigh_profile(shown.look, profile, end_places(shown.look, side, case, profile, whole=True)[0], within).evidence
        for case in (boundary, bare(boundary))
    )
    foot = side * boundary.at_mm - shown.look.half_mm
    by_quad = 0.5 * ((foot + boundary.face_mm) ** 2 - foot**2) / _QUAD_SIGMA_MM**2
    return bool(np.clip(face - edge, -_LIGHT_SAYS, _LIGHT_SAYS) + by_quad < 0.0)


def bare(boundary: Boundary) -> Boundary:
    """The same end, known to show no face: the strip reaches to where what is seen of the stack ends."""
    return replace(boundary, face_mm=_NO_FACE * boundary.face_sigma_mm)


def find_end(shown: Shown, side: int, boundary: Boundary) -> EndLine:
    """The end's line, from where the stack ends."""
    weighed = None
    profile = None if boundary.overhangs else end_profile(shown, side, boundary)
    if profile is not None:
        known, limit = end_places(shown.look, side, boundary, profile)
        first = float(known.places_mm[:, 0].min()) - max(2.5, 4 * shown.look.px_mm)
        weighed = weigh_profile(shown.look, profile, known, (first, limit))
    if weighed is None:
        out, doubt = side * boundary.at_mm, boundary.sigma_mm
    else:
        out, doubt = weighed.mean([1.0] + [0.0] * (weighed.places_mm.shape[1] - 1))
    return end_line(shown.look, side, boundary, (out, doubt))


def end_line(look: Look, side: int, boundary: Boundary, outward: tuple[float, float]) -> EndLine:
    """The end whose line lies so far outward (and 1 sigma), the last card's own standing off allowed for."""
    off = float(np.hypot(LAST_CARD_MM[1], _OFF_PX * look.px_mm))
    out, doubt = outward[0] - LAST_CARD_MM[0], float(np.hypot(outward[1], off))
    kind = "face" if side * boundary.at_mm - outward[0] > max(0.5 * look.px_mm, 0.2) else "edge"
    return EndLine(side * out, boundary.slope, doubt, boundary.u_mm, kind, boundary)


def face_of(look: Look, side: int) -> float:
    """How much is seen of the end card's own face, from its upper edge to its foot, where the cards stand upright.

    Negative where the upper edge overhangs the foot by so much.
    """
    seen = 0.0
    for _ in range(2):  # it leans as its upper edge does, and that lies so far inward
        seen = -side * look.lean(side * (look.half_mm - max(0.0, seen)))[0] * EDGE_HEIGHT_MM
    return seen


# -- where felt begins ------------------------------------------------------------------------------------------------


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
        light = patch.light[_of_rows(patch, kept)].mean(axis=0)
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


def _of_rows(patch: Patch, rows: Rows) -> NDArray[np.bool_]:
    held = np.zeros(len(patch.u_mm), bool)
    for low, high in rows:
        held |= (patch.u_mm >= low) & (patch.u_mm < high)
    return held


def _block_places(patch: Patch, rows: Rows, near_mm: float, lights: tuple[Floats, Floats]) -> Floats:
    """Where each block's light is half way between two lights, NaN where nowhere near."""
    inside, way = lights[0], lights[1] - lights[0]
    places = []
    for row in rows:
        light = patch.light[_of_rows(patch, [row])].mean(axis=0)
        share = (light - inside) @ way / float(way @ way)
        places.append(crossing(patch.s_mm, share, near_mm, max(5 * patch.step_mm, 0.8)))
    return np.array(places)


# -- where the strip ends ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """Mean light (N, 3) along, outward from inside the strip on; the card edges' own light there, and its noise."""

    s_mm: Floats
    light: Floats
    tone: Floats
    noise: float
    felt: Floats


def end_profile(
    shown: Shown, side: int, boundary: Boundary, rows: Rows | None = None, *, inward_mm: float = 20.0
) -> Profile | None:
    """Light along an end, from inside of it to beyond it; None if that is out of the picture.

    It is the mean over the boundary's rows, or over those of them that lie within `rows`.
    """
    look = shown.look
    middle = boundary.slope * (shown.u_mm[0] + shown.u_mm[1]) / 2
    face_mm = max(0.0, boundary.face_mm)
    inward, outward = face_mm + max(inward_mm, 14 * look.px_mm), max(3.0, 4 * look.px_mm)
    at_mm = boundary.at_mm
    reach = (at_mm - inward, at_mm + outward) if side > 0 else (at_mm - outward, at_mm + inward)
    patch = look.patch((reach[0] - middle, reach[1] - middle), shown.u_mm, boundary.slope)
    held = _of_rows(patch, boundary.rows)
    if rows is not None:
        held = _of_rows(patch, rows)
    if not held.any():
        return None
    light = patch.light[held].mean(axis=0)
    s = patch.s_mm + middle
    s, light = (s, light) if side > 0 else (-s[::-1], light[::-1])
    tone, noise = strip_light(light[s < side * at_mm - face_mm - 2.0])
    beyond = light[s > side * at_mm + max(0.8, 1.5 * look.px_mm)]
    if not np.isfinite(light).all() or not len(beyond):
        return None
    felt = np.median(beyond, axis=0)
    # Neither the blur nor felt is known exactly: an edge is never met better than to some of its height.
    noise = float(np.hypot(noise, _UNLIKE * np.linalg.norm(tone - felt)))
    return Profile(s, light, tone, noise, felt)


def strip_light(light: Floats) -> tuple[Floats, float]:
    """The usual light (3,) of card edges in some light (N, 3) of theirs, and how single ones scatter about it."""
    tone: Floats = np.median(light, axis=0)
    off = np.abs(light - tone)
    noise = 1.48 * float(np.sqrt((np.median(off, axis=0) ** 2).mean()))
    return tone, max(noise, 0.012 * float(np.linalg.norm(tone)))


def end_places(
    look: Look, side: int, boundary: Boundary, profile: Profile, *, whole: bool = False
) -> tuple[Known, float]:
    """All places of an end's line, of its face's border and of its foot, outward positive; levels from the strip's on.

    Also beyond which place along nothing is known: a wide face is not of one light, unless the `whole` is asked for.
    """
    outer, face_mm, spread = side * boundary.at_mm, boundary.face_mm, boundary.face_sigma_mm
    size = float(np.linalg.norm(profile.tone))
    tone, felt = Level(profile.tone, TONE_SIGMA * size), Level(profile.felt, 0.1 * size)
    face = Level(_FACE_LIGHT[0] * profile.tone, _FACE_LIGHT[1] * size)
    feet = outer + np.linspace(-2, 2, 5) * max(boundary.sigma_mm, 0.15 * look.px_mm)
    off = boundary.sigma_mm + 0.1 * look.px_mm
    if boundary.overhangs:
        return Known(feet[:, None], bell(feet, outer, off), [tone, felt]), np.inf
    step = min(max(0.15 * look.px_mm, 0.06), 0.18)
    faces = np.arange(max(0.0, face_mm - 3 * spread), max(0.0, face_mm + 3 * spread) + step, step)
    usual = _BORDER_MM[0] * max(0.0, face_mm) / EDGE_HEIGHT_MM
    if usual < 0.1:
        places = combinations(outer - faces[::-1], feet)
        prior = _face_prior(outer - places[:, 0], face_mm, spread) + bell(places[:, 1], outer, off)
        return Known(places, prior, [tone, face, felt]), np.inf
    border = Level(_BORDER_LIGHT[0] * profile.tone, _BORDER_LIGHT[1] * size)
    borders = usual * np.array([0.0, 0.3, 0.6, 0.8, 1.0, 1.2, 1.4, 1.7])
    grid = np.stack([g.ravel() for g in np.meshgrid(outer - faces[::-1], borders, indexing="ij")], axis=1)
    places = np.stack([grid[:, 0], grid.sum(axis=1), np.full(len(grid), outer)], axis=1)
    places = places[places[:, 1] <= outer]
    prior = _face_prior(outer - places[:, 0], face_mm, spread)
    prior = prior + bell(places[:, 1] - places[:, 0], usual, usual * _BORDER_MM[1] / _BORDER_MM[0])
    if face_mm > 4.0 and not whole:
        limit = outer - face_mm + 2.2 * usual + max(1.0, 2 * look.px_mm)
        return Known(places[:, :2], prior, [tone, border, face]), limit
    return Known(places, prior, [tone, border, face, felt]), np.inf


def _face_prior(faces: Floats, face_mm: float, spread: float) -> Floats:
    """The weight of faces of some width: none at all where the upper edge overhangs."""
    seen = bell(np.maximum(faces, 1e-6), face_mm, spread)
    none: Floats = np.where(faces <= 1e-6, np.log(1e-6 + np.clip(0.5 - face_mm / spread / 2.5, 0, 1) * 12), 0.0)
    return seen + none


def weigh_profile(look: Look, profile: Profile, known: Known, within_mm: tuple[float, float]) -> Weighed:
    """The places weighed by what is seen between two of them."""
    held = (profile.s_mm > within_mm[0]) & (profile.s_mm < within_mm[1])
    alike_mm = max(CARD_MM, 1.5 * look.px_mm)
    return weigh(
        profile.s_mm[held], profile.light[held], known, px_mm=look.px_mm, noise=profile.noise, alike_mm=alike_mm
    )
