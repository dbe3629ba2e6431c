"""Cards in a ribbon, counted one by one, and between which of them a cover card sits.

All backs are alike, and each card shows the same first millimetres beside its uncovered edge. So the ribbon is one
short pattern again and again: it is read off the topmost card, which shows all of itself, and looked for along the
rest. The best row of places, with gaps about alike, is the count; what one card more or less would cost is the doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.geometry import Calibration
from vision.frame import Image
from vision.measure.cover import Colour
from vision.measure.reading import Line, Marks, Measured
from vision.measure.strip import solid
from vision.measure.window import Axes, Patch, axes_of, px_per_mm, sample

Floats = NDArray[np.float64]

CARD_SHORT_MM = 63.5
#: Neighbouring cards of a ribbon lie so far apart.
PITCH_MM = (4.5, 24.0)
#: So much of the beginning of each card is compared; where the next card is nearer, less.
_PATTERN_MM = 6.0
#: A place that matches less than this (1 is perfect) is no card's edge; see `_best_rows`.
_LEAST_MATCH = 0.35
#: The cards of a row that is believed match at least this well, in the median.
_ALIKE = 0.6
_STEP_MM = 0.25


@dataclass(frozen=True, slots=True)
class RibbonReading:
    """One frame's ribbon: `count` cards, between `low` and `high`; `edges_mm` along, from the bottom card up.

    `below_cover` is how many lie under the cover card (with `below_low`, `below_high`), None if none was looked for.
    """

    t_us: int
    count: int
    low: int
    high: int
    edges_mm: tuple[float, ...]
    below_cover: int | None
    below_low: int
    below_high: int
    marks: Marks


@dataclass(frozen=True, slots=True, kw_only=True)
class Ribbon(Measured):
    """Cards in a ribbon; `below` how many lie under the cover card, with its interval, or None."""

    below: int | None
    below_low: int
    below_high: int


@dataclass(frozen=True, slots=True)
class _Row:
    """Places of cards' edges along, from the bottom card up, how well they match, and what one more or less loses."""

    places_mm: tuple[float, ...]
    match: float
    others: tuple[int, ...]


def read_ribbon(
    image: Image, t_us: int, calibration: Calibration, quad_mm: ArrayLike, along: ArrayLike, *,
    cover_quad_mm: ArrayLike | None = None, colour: Colour | None = None,
) -> tuple[RibbonReading | None, str]:  # fmt: skip
    """One frame's ribbon of cards with backs up, or None and why it could not be counted.

    `quad_mm` (4, 2) surrounds the ribbon, `along` (2,) is the direction it runs in; `cover_quad_mm` (4, 2) the cover
    card that sticks out of it, `colour` its colour where known.
    """
    axes = axes_of(quad_mm, along)
    fine, _ = px_per_mm(calibration, axes)
    if 1 / fine > PITCH_MM[0] / 2:
        return None, "a pixel is too wide to tell the ribbon's cards apart"
    reach = np.sort(axes.inside(quad_mm)[:, 0])
    half = float(reach[2:].mean() - reach[:2].mean()) / 2
    patch = sample(image, calibration, axes, (-half - 15, half + 15, _STEP_MM), (-34, 34, 1.0))
    light = np.nanmedian(patch.light[np.abs(patch.u_mm) < 30], axis=0) if np.isfinite(patch.light).any() else None
    if light is None or not np.isfinite(light).all():
        return None, "the ribbon is not wholly in the picture"
    ends = _ends(patch, half)
    if ends is None or ends[1] - ends[0] < CARD_SHORT_MM - 4:
        return None, "the ribbon's ends were not found"
    mask = _cover_columns(patch, axes, cover_quad_mm, colour)
    upward = _best_rows(patch.s_mm, light, mask, ends)
    downward = _mirrored(_best_rows(-patch.s_mm[::-1], light[::-1], mask[::-1], (-ends[1], -ends[0])))
    found = [row for row in (upward, downward) if row is not None and row.match >= _ALIKE]
    if not found:
        return None, "the ribbon's cards do not repeat one pattern"
    row = max(found, key=lambda r: r.match)
    return _reading(row, patch, axes, mask, calibration, t_us=t_us, cover_quad_mm=cover_quad_mm), ""


def _ends(patch: Patch, half_mm: float) -> tuple[float, float] | None:
    """Where along the ribbon begins and ends against the felt around it."""
    profile = np.nanmedian(patch.light, axis=0)
    outside = np.abs(patch.s_mm) > half_mm + 8
    felt = np.median(profile[outside], axis=0)
    core = profile[np.abs(patch.s_mm) < half_mm - 5]
    brightest = core[np.argsort(core.sum(axis=1))[-max(3, len(core) // 10) :]].mean(axis=0)
    stuff = np.nan_to_num(solid(profile, brightest, felt)) > 0.35
    held = np.flatnonzero(stuff)
    if len(held) < 10:
        return None
    return float(patch.s_mm[held[0]]) - _STEP_MM / 2, float(patch.s_mm[held[-1]]) + _STEP_MM / 2


def _cover_columns(patch: Patch, axes: Axes, quad_mm: ArrayLike | None, colour: Colour | None) -> NDArray[np.bool_]:
    """Columns of the ribbon in which the cover card's colour is seen."""
    if quad_mm is None:
        return np.zeros(len(patch.s_mm), bool)
    places = axes.inside(quad_mm)
    low, high = float(places[:, 0].min()) - 6, float(places[:, 0].max()) + 6
    near = (patch.s_mm > low) & (patch.s_mm < high)
    if colour is None:
        return np.zeros(len(patch.s_mm), bool)
    own = colour.light / float(np.linalg.norm(colour.light))
    profile = np.nanmedian(patch.light, axis=0)
    size = np.linalg.norm(profile, axis=1)
    alike = (profile @ own) / np.maximum(size, 1e-6) > 0.985
    strong = size > 0.4 * float(np.linalg.norm(colour.light))
    masked: NDArray[np.bool_] = near & alike & strong
    return masked


def _best_rows(s_mm: Floats, light: Floats, mask: NDArray[np.bool_], ends: tuple[float, float]) -> _Row | None:
    """The best row of edges if the topmost card is the one at the larger s: its whole width is seen there."""
    top = ends[1] - CARD_SHORT_MM
    if top < ends[0] - 3:
        return None
    size = round(_PATTERN_MM / _STEP_MM)
    at = int(np.argmin(np.abs(s_mm - top)))
    best: _Row | None = None
    for shift in range(-6, 7, 2):  # the card may be a little narrower, and its end is known to a millimetre or so
        first = at + shift
        if first < 0 or first + size > len(s_mm):
            continue
        match = _matches(light, light[first : first + size], mask)
        row = _row(s_mm, match, ends[0], first)
        if row is not None and (best is None or row.match > best.match):
            best = row
    return best


def _matches(light: Floats, pattern: Floats, mask: NDArray[np.bool_]) -> Floats:
    """How well the pattern fits from each place on: 1 perfectly, 0 or less not at all."""
    size = len(pattern)
    spread = float(((pattern - pattern.mean(axis=0)) ** 2).sum()) / size
    windows = np.lib.stride_tricks.sliding_window_view(light, size, axis=0).transpose(0, 2, 1)
    free = ~np.lib.stride_tricks.sliding_window_view(mask, size)
    off = ((windows - pattern) ** 2).sum(axis=2) * free
    # The first millimetres count most: a near neighbour covers the last ones.
    weight = np.linspace(1.5, 0.5, size) * free
    cost = (off * np.linspace(1.5, 0.5, size)).sum(axis=1) / np.maximum(weight.sum(axis=1), 1e-6)
    match = np.full(len(light), -1.0)
    match[: len(cost)] = 1 - cost / max(spread, 1e-5)
    limited: Floats = np.clip(match, -1.0, 1.0)
    return limited


def _row(s_mm: Floats, match: Floats, start_mm: float, last: int) -> _Row | None:
    """The chain of places from the ribbon's beginning to the topmost card's edge that matches best, by its length."""
    first = int(np.argmin(np.abs(s_mm - start_mm)))
    if last - first < 2:
        return _Row((float(s_mm[last]),), float(match[last]), ())
    near, far = round(PITCH_MM[0] / _STEP_MM), round(PITCH_MM[1] / _STEP_MM)
    pitch = _usual_gap(match[first : last + 1], near, far)
    least, most = max(near, round(0.45 * pitch)), min(far, round(1.75 * pitch))
    gain = match - _LEAST_MATCH
    slack = round(1.5 / _STEP_MM)
    count = min(80, (last - first) // least + 2)
    total = np.full((count + 1, last + 1), -np.inf)
    back = np.zeros((count + 1, last + 1), int)
    total[1, max(0, first - slack) : first + slack + 1] = gain[max(0, first - slack) : first + slack + 1].clip(min=0)
    gaps = np.arange(least, most + 1)
    odd = -0.35 * (np.log(gaps / pitch) / np.log(1.5)) ** 2
    before = np.arange(last + 1)[:, None] - gaps[None, :]
    usable = before >= 0
    for k in range(2, count + 1):
        values = np.where(usable, total[k - 1, np.maximum(before, 0)], -np.inf) + odd
        pick = np.argmax(values, axis=1)
        total[k] = values[np.arange(last + 1), pick] + gain[: last + 1]
        back[k] = before[np.arange(last + 1), pick]
    scores = total[:, last]
    if not np.isfinite(scores).any():
        return None
    n = int(np.argmax(scores))
    places, j = [], last
    for k in range(n, 0, -1):
        places.append(float(s_mm[j]))
        j = int(back[k, j])
    others = tuple(k for k in range(1, count + 1) if k != n and scores[k] > scores[n] - 0.35)
    inner = [float(match[int(np.argmin(np.abs(s_mm - p)))]) for p in places]
    return _Row(tuple(places[::-1]), float(np.median(inner)) + 0.02 * float(scores[n]) / n, others)


def _usual_gap(match: Floats, near: int, far: int) -> float:
    """The usual distance of cards, in steps: where the match repeats itself most."""
    even = np.clip(match, 0, 1) - np.clip(match, 0, 1).mean()
    longest = min(far, len(even) - 1)
    if longest <= near:
        return float(len(even))
    lags = np.arange(near, longest + 1)
    alike = np.array([float((even[lag:] * even[:-lag]).sum()) / (len(even) - 0.5 * lag) for lag in lags])
    # Twice the distance repeats as well: the smallest one that is nearly the best.
    least = 0.75 * alike.max()
    peaks = [k for k in range(len(lags)) if alike[k] >= least and alike[k] == alike[max(0, k - 4) : k + 5].max()]
    return float(lags[peaks[0]] if peaks else lags[int(np.argmax(alike))])


def _mirrored(row: _Row | None) -> _Row | None:
    return None if row is None else _Row(tuple(-p for p in row.places_mm), row.match, row.others)


def _reading(
    row: _Row, patch: Patch, axes: Axes, mask: NDArray[np.bool_], calibration: Calibration, *,
    t_us: int, cover_quad_mm: ArrayLike | None,
) -> RibbonReading:  # fmt: skip
    count = len(row.places_mm)
    low, high = min((count, *row.others)), max((count, *row.others))
    below = below_low = below_high = None
    if cover_quad_mm is not None:
        below, below_low, below_high = _below(
            row, patch, axes, mask, cover_quad_mm=cover_quad_mm, doubt=(low - count, high - count)
        )
    lines = []
    for index, at in enumerate(row.places_mm, 1):
        ends = calibration.to_pixels(axes.places([at, at], [-40, 40]))
        lines.append(_labelled(ends, str(index)))
    marks = Marks(t_us, tuple(lines))
    return RibbonReading(
        t_us, count, low, high, row.places_mm, below, below_low or 0, below_high or 0, marks
    )  # fmt: skip


def _labelled(ends: Floats, label: str) -> Line:
    """A labelled line from two places (2, 2) in pixels."""
    return (float(ends[0, 0]), float(ends[0, 1]), float(ends[1, 0]), float(ends[1, 1]), label)


def _below(
    row: _Row, patch: Patch, axes: Axes, mask: NDArray[np.bool_], *, cover_quad_mm: ArrayLike, doubt: tuple[int, int]
) -> tuple[int, int, int]:
    """Cards under the cover card, from its uncovered edge's place among the cards' edges, with an interval."""
    places = np.array(row.places_mm)
    upward = places[-1] >= places[0]
    along = axes.inside(cover_quad_mm)[:, 0]
    edge, off = (float(np.sort(along)[:2].mean()), 3.0) if upward else (float(np.sort(along)[2:].mean()), 3.0)
    seen = patch.s_mm[mask]
    if len(seen) >= 4:
        edge, off = (float(np.percentile(seen, 5)), 1.0) if upward else (float(np.percentile(seen, 95)), 1.0)
    sign = 1 if upward else -1
    rank = [int((sign * places < sign * (edge + shift)).sum()) for shift in (-off, 0.0, off)]
    return rank[1], min(rank) + min(0, doubt[0]), max(rank) + max(0, doubt[1])


#: On some backs one edge too many is counted, in every frame alike; so the count is believed to a card.
SLIP_CARDS = 1


def combine_ribbon(
    readings: Sequence[RibbonReading], *, why: str = "no frame could be counted"
) -> tuple[Ribbon | None, str]:
    """The ribbon's count over frames: the commonest; each count that a fifth of the frames gave is in the interval."""
    if not readings:
        return None, why
    counts = [r.count for r in readings]
    value = max(set(counts), key=counts.count)
    kept = [r for r in readings if r.count == value]
    often = [c for c in counts if counts.count(c) >= 0.2 * len(counts)]
    if len(kept) < 0.5 * len(readings):
        often = counts
    sure = len(kept) >= 0.8 * len(readings)
    low = min(often) if sure else min([*often, *(r.low for r in kept)])
    high = max(often) if sure else max([*often, *(r.high for r in kept)])
    below = [r.below_cover for r in kept if r.below_cover is not None]
    middle = max(set(below), key=below.count) if below else None
    fair = [b for b in below if below.count(b) >= 0.2 * len(below)]
    return Ribbon(
        value=value, low=low, high=high, unit="cards", marks=kept[0].marks, frames=len(readings), below=middle,
        below_low=max(min(fair, default=0) - SLIP_CARDS, 0), below_high=max(fair, default=0) + SLIP_CARDS,
    ), ""  # fmt: skip
