"""The opening that a cover card makes between the cards of a strip: its two edges, and how far the nearer end is.

Where the cover card does not hide it, the opening is a stretch of shade from edge to edge. Close to an end both are
found together: a pixel or two apart, the one's blur lies over the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.measure.boundary import Rows, of_rows
from vision.measure.ends import (
    CARD_MM,
    LAST_CARD_MM,
    TONE_SIGMA,
    EndLine,
    end_places,
    end_profile,
    strip_light,
)
from vision.measure.steps import Known, Level, Weighed, bell, combinations, weigh
from vision.measure.strip import Strip

Floats = NDArray[np.float64]

#: An opening with a cover card in it is so wide at the strip's upper edge, give or take (1 sigma).
OPENING_MM = (1.5, 0.5)
_LEAST_MM = 0.3
#: Light of an opening, as a share of the card edges', with 1 sigma: dark where one looks straight in, or a face.
_SHADE = (0.5, 0.25)
#: So deep one sees into an opening from aside, before it is too narrow.
_DEEP_MM = 25.0
#: A cover card may stand so far off where it is expected in its opening (1 sigma).
_CARD_OFF_MM = 0.25
#: Closer to an end than this, or than so many pixels, an opening is found together with it.
_JOINT_MM, _JOINT_PX = 4.0, 6.0
#: Two lines' distance is off by so many pixels (1 sigma), whatever the fit says: blur, fringes and the recorder.
_OFF_PX = 0.3
#: An opening is seen in so much of the strip's width at least.
_LEAST_FREE_MM = 4.0


@dataclass(frozen=True, slots=True)
class Base:
    """Where a cover card's colour begins along the strip, on the side of the camera's foot: off by `sigma_mm`."""

    at_mm: float
    sigma_mm: float


@dataclass(frozen=True, slots=True)
class Slit:
    """An opening between `low_mm` and `high_mm` along, each with its 1 sigma; `seen` is False where it was not.

    `beyond_mm` and its sigma are how much of the strip is left beyond it, up to the end on `side`, where both were
    found together.
    """

    low_mm: float
    low_sigma_mm: float
    high_mm: float
    high_sigma_mm: float
    seen: bool
    side: int
    beyond_mm: tuple[float, float] | None = None


def fit_slit(strip: Strip, rows: Rows, base: Base | None, near_mm: tuple[float, float]) -> Slit | None:
    """The opening between two places along, seen in `rows` across; None where nothing tells where it is.

    `base` is where the cover card's own colour begins, if that was seen.
    """
    middle = base.at_mm if base is not None else sum(near_mm) / 2
    side = -1 if middle - strip.low.at_mm < strip.high.at_mm - middle else 1
    end = strip.low if side < 0 else strip.high
    free = sum(b - a for a, b in rows)
    places = _places(strip, side, base, near_mm)
    if not len(places):
        return None
    prior = _prior(strip, side, places, base)
    alone = _alone(strip, side, (places, prior), rows) if free >= _LEAST_FREE_MM else None
    seen = alone is not None
    if alone is None:
        if base is None:
            return None
        weights = np.exp(prior - prior.max())
        alone = Weighed(places, weights / weights.sum())
    inner, outer = alone.mean([1, 0]), alone.mean([0, 1])
    left = side * end.at_mm - outer[0]
    beyond = None
    if seen and left < max(_JOINT_MM, _JOINT_PX * strip.px_mm) + 2 * end.sigma_mm:
        together = _with_end(strip, end, rows, base, (inner, outer))
        if together is not None:
            rest = [0.0] * (together.places_mm.shape[1] - 3)
            inner, outer = together.mean([1, 0, 0, *rest]), together.mean([0, 1, 0, *rest])
            reach = together.mean([0, -1, 1, *rest])
            off = float(np.hypot(LAST_CARD_MM[1], _OFF_PX * strip.px_mm))
            beyond = reach[0] - LAST_CARD_MM[0], float(np.hypot(reach[1], off))
    low, high = (inner, outer) if side > 0 else ((-outer[0], outer[1]), (-inner[0], inner[1]))
    return Slit(low[0], low[1], high[0], high[1], seen, side, beyond)


def _places(strip: Strip, side: int, base: Base | None, near_mm: tuple[float, float]) -> Floats:
    """Both edges (N, 2) of all openings that may be, outward positive, the inner edge first."""
    step = min(max(0.15 * strip.px_mm, 0.08), 0.25)
    if base is not None:
        reach = 2.5 * OPENING_MM[0] * 0.6 + 3 * base.sigma_mm
        low, high = side * base.at_mm - reach, side * base.at_mm + reach
    else:
        low, high = sorted((side * near_mm[0], side * near_mm[1]))
    end = strip.low if side < 0 else strip.high
    nodes = np.arange(low, min(high, side * end.boundary.at_mm) + step, step)
    places = combinations(nodes, nodes)
    wide = places[:, 1] - places[:, 0]
    return places[(wide >= _LEAST_MM) & (wide <= OPENING_MM[0] + 3 * OPENING_MM[1])]


def _prior(strip: Strip, side: int, places: Floats, base: Base | None) -> Floats:
    """What is known beforehand of openings with their edges there: how wide they are, where the card's colour is."""
    wide = places[:, 1] - places[:, 0]
    prior = bell(wide, *OPENING_MM)
    if base is None:
        return prior
    away = side * np.sign(strip.lean[0]) * np.minimum(wide / 2, _DEEP_MM * abs(strip.lean[0]))
    begins = places.mean(axis=1) - away
    off: Floats = prior + bell(begins, side * base.at_mm, float(np.hypot(base.sigma_mm, _CARD_OFF_MM)))
    return off


def _alone(strip: Strip, side: int, known: tuple[Floats, Floats], rows: Rows) -> Weighed | None:
    """The opening by itself, weighed by the light in rows across."""
    places, prior = known
    look = strip.shown.look
    slope = (strip.low.slope + strip.high.slope) / 2
    middle = slope * sum(strip.u_mm) / 2
    wide = max(2.0, 4 * strip.px_mm)
    reach = sorted((side * (float(places.min()) - wide), side * (float(places.max()) + wide)))
    low = max(reach[0], strip.low.at_mm + 0.8 * strip.px_mm)
    high = min(reach[1], strip.high.at_mm - 0.8 * strip.px_mm)
    if high - low < 3 * strip.px_mm:
        return None
    patch = look.patch((low - middle, high - middle), strip.u_mm, slope)
    held = of_rows(patch, rows)
    if not held.any():
        return None
    light = patch.light[held].mean(axis=0)
    if not np.isfinite(light).all():
        return None
    s = patch.s_mm + middle
    s, light = (s, light) if side > 0 else (-s[::-1], light[::-1])
    tone, noise = strip_light(_usual(strip, rows, slope))
    return weigh(
        s, light, Known(places, prior, _levels(tone)), px_mm=strip.px_mm, noise=noise,
        alike_mm=max(CARD_MM, 1.5 * strip.px_mm),
    )  # fmt: skip


def _usual(strip: Strip, rows: Rows, slope: float) -> Floats:
    """Light (N, 3) of card edges all along the strip, in rows across."""
    patch = strip.shown.look.patch((strip.low.at_mm + 3, strip.high.at_mm - 3), strip.u_mm, slope)
    held = of_rows(patch, rows)
    light: Floats = np.nan_to_num(patch.light[held].mean(axis=0))
    return light


def _levels(tone: Floats) -> list[Level]:
    size = float(np.linalg.norm(tone))
    edges = Level(tone, TONE_SIGMA * size)
    return [edges, Level(_SHADE[0] * tone, _SHADE[1] * size), edges]


def _with_end(
    strip: Strip, end: EndLine, rows: Rows, base: Base | None,
    edges: tuple[tuple[float, float], tuple[float, float]],
) -> Weighed | None:  # fmt: skip
    """The opening together with the end next to it: places of its edges, of the end's line, and what else is there."""
    side = -1 if end is strip.low else 1
    profile = end_profile(strip.shown, side, end.boundary, rows)
    if profile is None:
        return None
    known, limit = end_places(strip.shown.look, side, end.boundary, profile)
    ends, end_prior = known.places_mm, known.prior
    near = [_around(at, sigma, strip.px_mm) for at, sigma in edges]
    slits = combinations(*near)
    slits = slits[slits[:, 1] - slits[:, 0] >= _LEAST_MM]
    if not len(slits):
        return None
    first = np.repeat(np.arange(len(slits)), len(ends))
    second = np.tile(np.arange(len(ends)), len(slits))
    places = np.concatenate([slits[first], ends[second]], axis=1)
    prior = _prior(strip, side, slits, base)[first] + end_prior[second]
    held = places[:, 2] - places[:, 1] >= 0.3
    places, prior = places[held], prior[held]
    if not len(places):
        return None
    tone, noise = strip_light(_usual(strip, rows, end.slope))
    noise = max(noise, profile.noise)
    shown = (profile.s_mm > float(places[:, 0].min()) - max(2.0, 4 * strip.px_mm)) & (profile.s_mm < limit)
    return weigh(
        profile.s_mm[shown], profile.light[shown], Known(places, prior, [*_levels(tone), *known.levels[1:]]),
        px_mm=strip.px_mm, noise=noise, alike_mm=max(CARD_MM, 1.5 * strip.px_mm),
    )  # fmt: skip


def _around(at_mm: float, sigma_mm: float, px_mm: float) -> Floats:
    """Places about one that is known to some doubt."""
    reach = max(2.5 * sigma_mm, 0.5 * px_mm, 0.15)
    places: Floats = at_mm + np.linspace(-reach, reach, 9)
    return places
