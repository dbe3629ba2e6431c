"""The two ends of a strip: where its first and last cards' upper edges lie.

Between what is seen of a stack and its strip there may be an end card's own face. Light tells where that begins, where
it tells anything: a face has a white border like the cards' edges, and may be white itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from vision.measure.boundary import Boundary, Rows, Shown, bare, felt_begins, of_rows, solid
from vision.measure.stance import EDGE_HEIGHT_MM, Look
from vision.measure.steps import Known, Level, Weighed, bell, combinations, weigh

Floats = NDArray[np.float64]

#: The outermost card stands off the others: so far, give or take (1 sigma).
LAST_CARD_MM = (0.12, 0.16)
#: An end is off by so many pixels (1 sigma), whatever the fit says: blur, fringes and the recorder.
_OFF_PX = 0.25
#: A face seen at least so wide may be so dark that felt seems to begin before it.
_DARK_MM = 2.5
#: How far a quad's end is off (1 sigma).
_QUAD_SIGMA_MM = 3.5
#: Light alone does not decide more than this (logarithm) about whether a face is seen.
_LIGHT_SAYS = 2.5
#: How far the picture of an edge is from what is expected, as a share of its height.
_UNLIKE = 0.03
#: White borders of faces and backs are so wide, give or take (1 sigma).
_BORDER_MM = (3.0, 1.2)
#: A border seen narrower than this is not told from its face.
_NARROW_MM = 0.1
#: A face seen wider than this is not of one light beyond its border.
_WIDE_MM = 4.0
#: Light of a face's border and of a face, as a share of the card edges', with 1 sigma.
_BORDER_LIGHT = (0.85, 0.22)
_FACE_LIGHT = (0.6, 0.45)
#: How much the card edges' light changes along a strip (1 sigma).
TONE_SIGMA = 0.06
#: Light of card edges goes on for two cards: neighbours are worn and lit alike.
CARD_MM = 0.6


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


def find_boundary(shown: Shown, side: int) -> tuple[Boundary | None, str]:
    """Where the stack ends towards smaller (-1) or larger (+1) s, or None and why that is not seen."""
    boundary, why = felt_begins(shown, side)
    if boundary is not None and boundary.face_mm > _DARK_MM and _is_edge(shown, side, boundary):
        boundary = bare(boundary)
    return boundary, why


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

    It is the mean over the boundary's rows, or over `rows`.
    """
    look = shown.look
    middle = boundary.slope * (shown.u_mm[0] + shown.u_mm[1]) / 2
    face_mm = max(0.0, boundary.face_mm)
    inward, outward = face_mm + max(inward_mm, 14 * look.px_mm), max(3.0, 4 * look.px_mm)
    at_mm = boundary.at_mm
    reach = (at_mm - inward, at_mm + outward) if side > 0 else (at_mm - outward, at_mm + inward)
    patch = look.patch((reach[0] - middle, reach[1] - middle), shown.u_mm, boundary.slope)
    held = of_rows(patch, boundary.rows if rows is None else rows)
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
    if usual < _NARROW_MM:
        places = combinations(outer - faces[::-1], feet)
        prior = _face_prior(outer - places[:, 0], face_mm, spread, step) + bell(places[:, 1], outer, off)
        return Known(places, prior, [tone, face, felt]), np.inf
    border = Level(_BORDER_LIGHT[0] * profile.tone, _BORDER_LIGHT[1] * size)
    borders = usual * np.array([0.0, 0.3, 0.6, 0.8, 1.0, 1.2, 1.4, 1.7])
    grid = np.stack([g.ravel() for g in np.meshgrid(outer - faces[::-1], borders, indexing="ij")], axis=1)
    places = np.stack([grid[:, 0], grid.sum(axis=1), np.full(len(grid), outer)], axis=1)
    places = places[places[:, 1] <= outer]
    prior = _face_prior(outer - places[:, 0], face_mm, spread, step)
    prior = prior + bell(places[:, 1] - places[:, 0], usual, usual * _BORDER_MM[1] / _BORDER_MM[0])
    if face_mm > _WIDE_MM and not whole:
        limit = outer - face_mm + 2.2 * usual + max(1.0, 2 * look.px_mm)
        return Known(places[:, :2], prior, [tone, border, face]), limit
    return Known(places, prior, [tone, border, face, felt]), np.inf


def _face_prior(faces: Floats, face_mm: float, spread: float, step: float) -> Floats:
    """The weight of faces of some width, `step` apart: of none at all, that the upper edge overhangs."""
    seen = bell(np.maximum(faces, 1e-6), face_mm, spread)
    overhangs = np.log(float(ndtr(-face_mm / spread)) * spread * np.sqrt(2 * np.pi) / step + 1e-9)
    prior: Floats = np.where(faces <= 0.5 * step, np.logaddexp(seen, overhangs), seen)
    return prior


def weigh_profile(look: Look, profile: Profile, known: Known, within_mm: tuple[float, float]) -> Weighed:
    """The places weighed by what is seen between two of them."""
    held = (profile.s_mm > within_mm[0]) & (profile.s_mm < within_mm[1])
    alike_mm = max(CARD_MM, 1.5 * look.px_mm)
    return weigh(
        profile.s_mm[held], profile.light[held], known, px_mm=look.px_mm, noise=profile.noise, alike_mm=alike_mm
    )


__all__ = [
    "CARD_MM", "LAST_CARD_MM", "TONE_SIGMA", "EndLine", "Profile", "Shown", "end_line", "end_places", "end_profile",
    "find_boundary", "find_end", "solid", "strip_light", "weigh_profile",
]  # fmt: skip
