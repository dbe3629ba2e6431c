"""Finds the point pairs that do not belong: a swapped number, a click on the wrong corner."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
from scipy import stats

from calibration.adjust import CLICK_PX, CLICK_WEIGHT, Adjusted, adjust
from calibration.pairs import PointPairs, PointsFault
from calibration.view_model import ViewModel

#: A pair is not named below this distance: careless clicks are noise, which the error in mm tells.
_CLEARLY_OFF_PX = 6.0
#: Chance of naming a pair of a set in which all are right.
_CHANCE = 1e-4
#: Scatter above which the pairs as a whole do not agree, in pixels and as a share of the picture's width.
_SCATTER_PX = 3.0
_SCATTER_SHARE = 1 / 400
#: With fewer pairs left than this, any of them could be the wrong one.
_FEWEST_LEFT = 5
_MOST_TRIALS = 300


def refuse_outliers(model: ViewModel, pairs: PointPairs, fitted: Adjusted | None) -> None:
    """Raises PointsFault that names the pairs which do not fit, and how many millimetres they are off.

    `fitted` is the view that fits all pairs best, or None if there is none.
    """
    for count in range(1, len(pairs) - _FEWEST_LEFT + 1):
        if comb(len(pairs), count) > _MOST_TRIALS or (count > 1 and fitted and fitted.rms_px < _SCATTER_PX):
            break
        found = _best_without(model, pairs, count)
        if found and _explains(pairs, fitted.squares if fitted else np.inf, found[1], found[0]):
            _name(found[0], found[1], pairs)
    if fitted is None:
        return
    limit = max(_SCATTER_PX, model.width_px * _SCATTER_SHARE)
    if fitted.rms_px > limit:
        worst = int(np.argmax(fitted.off_mm()))
        raise PointsFault(
            "the point pairs do not fit one view of a flat felt",
            why=f"they scatter by {fitted.rms_px:.1f} px; point {pairs.names[worst]} is farthest off, by "
            f"{fitted.off_mm()[worst]:.0f} mm, but with {len(pairs)} pairs it is not certain which one is wrong",
            todo="Check that pixels and millimetres belong together, and add points.",
        )


def _best_without(model: ViewModel, pairs: PointPairs, count: int) -> tuple[tuple[int, ...], Adjusted] | None:
    """The `count` pairs without which the rest fits best, and the rest's fit."""
    trials = [(left_out, adjust(model, pairs.without(left_out))) for left_out in combinations(range(len(pairs)), count)]
    fits = [(left_out, rest) for left_out, rest in trials if rest is not None]
    return min(fits, key=lambda trial: trial[1].squares) if fits else None


def _explains(pairs: PointPairs, squares: float, rest: Adjusted, left_out: tuple[int, ...]) -> bool:
    """True if leaving these pairs out mends the fit far better than chance would, and they are clearly off.

    `squares` is what all pairs together leave, px².
    """
    if rest.rms_px > _SCATTER_PX:
        return False
    spare = 2 * len(rest.pairs) - 8 + CLICK_WEIGHT
    noise = (rest.squares + CLICK_WEIGHT * CLICK_PX**2) / spare
    ratio = (squares - rest.squares) / (2 * len(left_out)) / noise
    trials = comb(len(pairs), len(left_out))
    if stats.f.sf(ratio, 2 * len(left_out), spare) * trials > _CHANCE:
        return False
    off = np.linalg.norm(rest.model.pixels(rest.numbers, pairs.mm) - pairs.px, axis=1)[list(left_out)]
    return bool(off.min() > _CLEARLY_OFF_PX)


def _name(left_out: tuple[int, ...], rest: Adjusted, pairs: PointPairs) -> None:
    """Raises the fault that names the wrong pairs."""
    numbers = list(left_out)
    off_px = rest.model.pixels(rest.numbers, pairs.mm) - pairs.px
    slopes = rest.model.felt_slopes(rest.numbers, pairs.mm)
    off_mm = np.linalg.norm(np.linalg.solve(slopes, off_px[..., None])[..., 0], axis=1)
    named = ", ".join(f"point {pairs.names[number]} is {off_mm[number]:.0f} mm off" for number in numbers)
    raise PointsFault(
        named,
        why=f"the other {len(pairs) - len(numbers)} pairs agree within {max(rest.rms_px, 0.1):.1f} px",
        todo="Correct or leave out " + ("that pair." if len(numbers) == 1 else "those pairs."),
    )
