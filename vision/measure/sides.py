"""The two sides of a stack on edge, seen from above: how far they reach along it, and where both of them step.

Where the laced part of a stack ends, both sides step at once and by about as much. What is on one side only, or only
for a short way, a finger or a shadow, is something else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

#: A side that is off by more than this is something else's.
_ODD_MM = 2.5
#: A step is looked for no nearer to the ends than this share of the length.
_LEAST_SHARE = 0.05
#: Both sides step by about as much: the smaller one by at least this share of both together.
_EVEN = 0.22
#: A step must explain so much of what one level for each side leaves.
_BETTER = 0.75
#: Splits that explain the sides about as well as the best one are possible too, in mm of each sample.
_AS_WELL_MM = 0.04
_RISE_MM = 8.0


@dataclass(frozen=True, slots=True)
class Sides:
    """How far apart the sides are, mm: before and after `split` (a share of the length), None where they do not step.

    The split lies between `split_low` and `split_high`; `left_mm` is how far a sample is off the levels.
    """

    before_mm: float
    after_mm: float
    split: float | None
    split_low: float
    split_high: float
    left_mm: float

    @property
    def wide_mm(self) -> float:
        """Where they are farther apart."""
        return max(self.before_mm, self.after_mm)

    @property
    def narrow_mm(self) -> float:
        """Where they are nearer."""
        return min(self.before_mm, self.after_mm)


def read_sides(low: Floats, high: Floats, step_mm: float, least_mm: float) -> Sides:
    """The sides' levels, from their places across (N,) at steps of `step_mm` along, NaN where not seen.

    Steps of less than `least_mm`, both sides together, are none.
    """
    known = np.isfinite(low) & np.isfinite(high)
    tilt = (_tilt(low[known], step_mm) + _tilt(high[known], step_mm)) / 2
    along: Floats = np.arange(len(low), dtype=np.float64) * step_mm
    sides: Floats = np.stack([-(low - tilt * along), high - tilt * along])[:, known]
    along = along[known]
    whole = np.median(sides, axis=1)
    plain = _off(sides, whole)
    level = float(whole.sum())
    best = Sides(level, level, None, 0.0, 1.0, plain)
    length = len(low) * step_mm
    tried = [
        found
        for at in np.arange(_LEAST_SHARE * length, (1 - _LEAST_SHARE) * length, max(step_mm, length / 200))
        if (found := _split(sides, along, float(at), length, least_mm)) is not None
    ]
    if not tried:
        return best
    found = min(tried, key=lambda s: s.left_mm)
    if found.left_mm > _BETTER * plain:
        return best
    first = found.before_mm > found.after_mm
    same = [s for s in tried if (s.before_mm > s.after_mm) == first and s.left_mm <= found.left_mm + _AS_WELL_MM]
    shares = [s.split for s in same if s.split is not None]
    middle = (min(shares) + max(shares)) / 2
    return Sides(found.before_mm, found.after_mm, middle, min(shares), max(shares), found.left_mm)


def _split(sides: Floats, along: Floats, at: float, length: float, least_mm: float) -> Sides | None:
    """Both sides (2, N) with a step at one place, or None if they do not step there, both and evenly."""
    before, after = sides[:, along < at], sides[:, along >= at]
    if min(before.shape[1], after.shape[1]) < 3:
        return None
    levels = np.median(before, axis=1), np.median(after, axis=1)
    steps = levels[0] - levels[1]
    steps = steps if float(steps.sum()) > 0 else -steps
    both = float(steps.sum())
    if both < least_mm or float(steps.min()) < _EVEN * both:
        return None
    left = _off(before, levels[0]) * before.shape[1] + _off(after, levels[1]) * after.shape[1]
    share = at / length
    return Sides(float(levels[0].sum()), float(levels[1].sum()), share, share, share, left / sides.shape[1])


def _off(sides: Floats, levels: Floats) -> float:
    """How far the samples of both sides are off their levels, in the mean, those of something else not counting."""
    return float(np.minimum(np.abs(sides - levels[:, None]), _ODD_MM).mean())


def _tilt(side: Floats, step_mm: float) -> float:
    """How much a side moves across for each mm along: steps and what lies beside it are few and count little."""
    apart = max(1, round(_RISE_MM / step_mm))
    if len(side) < 3 * apart:
        return 0.0
    return float(np.median((side[apart:] - side[:-apart]) / (apart * step_mm)))
