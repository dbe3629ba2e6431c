"""Several changes of light along a line at once: where each of them is, and how sure that is.

The light is level between the changes and blurred; what the levels may be and where the changes may be is known
beforehand, more or less. All combinations of places are weighed, so that two changes within a pixel or two of each
other, or one that hardly shows, come out as unsure as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.measure.edge import rise

Floats = NDArray[np.float64]

#: What cameras do to an edge: blur (1 sigma, pixels), and how much of it they sharpen away again, with its fringes.
SOFT = ((0.75, 0.0), (0.65, 0.35), (0.6, 0.7))


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """What light (3,) there may be between two changes: about `light`, give or take `sigma` (1 sigma, each channel)."""

    light: Floats
    sigma: float


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """All combinations of places (N, k) with their weights (N,), which add up to 1.

    `evidence` is the logarithm of how well they fit altogether, to be compared for the same light only.
    """

    places_mm: Floats
    weights: Floats
    evidence: float = 0.0

    def mean(self, of: Sequence[float]) -> tuple[float, float]:
        """Mean and 1 sigma of a sum of the places, each times its share in `of` (k,)."""
        values = self.places_mm @ np.asarray(of, float)
        middle = float(self.weights @ values)
        return middle, float(np.sqrt(max(0.0, self.weights @ (values - middle) ** 2)))


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What is known beforehand: places (N, k) of k changes, the logarithm of their weights (N,), the k + 1 levels."""

    places_mm: Floats
    prior: Floats
    levels: Sequence[Level]


def weigh(s_mm: Floats, light: Floats, known: Known, *, px_mm: float, noise: float, alike_mm: float) -> Weighed:
    """Weighs combinations of places by light (M, 3) at `s_mm` (M,), of a camera with pixels of `px_mm`.

    `noise` is the 1 sigma of light about its level, the same within `alike_mm`. How much the camera blurs and sharpens
    is weighed as well.
    """
    held = np.isfinite(light).all(axis=1)
    s, values = s_mm[held], light[held]
    each = float(s_mm[1] - s_mm[0]) / max(alike_mm, float(s_mm[1] - s_mm[0])) / noise**2
    nodes, index = np.unique(known.places_mm, return_inverse=True)
    chosen = np.concatenate([
        np.zeros((len(known.places_mm), 1), int), index.reshape(known.places_mm.shape) + 1
    ], axis=1)  # fmt: skip
    scores = np.stack([_scores(_risen(s, nodes, px_mm, soft), values, chosen, known.levels, each) for soft in SOFT])
    scores += known.prior - np.log(np.exp(known.prior - known.prior.max()).sum()) - known.prior.max()
    best = float(scores.max())
    weights = np.exp(scores - best).sum(axis=0)
    return Weighed(known.places_mm, weights / weights.sum(), best + float(np.log(weights.sum())))


def _risen(s_mm: Floats, nodes_mm: Floats, px_mm: float, soft: tuple[float, float]) -> Floats:
    """Steps (M, 1 + nodes) at the nodes as the camera shows them, after a column of ones."""
    blur, sharp = soft
    steps = [np.ones_like(s_mm)]
    for at in nodes_mm:
        plain = rise(s_mm, at, blur * px_mm)
        steps.append(plain if not sharp else (1 + sharp) * plain - sharp * rise(s_mm, at, np.hypot(blur, 1.0) * px_mm))
    return np.column_stack(steps)


def _scores(risen: Floats, values: Floats, chosen: NDArray[np.intp], levels: Sequence[Level], each: float) -> Floats:
    """How well each combination fits (N,), its levels whatever they are: logarithms up to one constant."""
    gram, answer = risen.T @ risen * each, risen.T @ values * each
    count = chosen.shape[1]
    # Levels are sums of the steps before them: what is known of levels is put in terms of steps.
    sums = np.tril(np.ones((count, count)))
    weight = np.diag([1 / level.sigma**2 for level in levels])
    usual = np.array([level.light for level in levels])
    matrix = gram[chosen[:, :, None], chosen[:, None, :]] + sums.T @ weight @ sums
    right = answer[chosen] + sums.T @ weight @ usual
    explained = (np.linalg.solve(matrix, right) * right).sum(axis=(1, 2))
    _, spread = np.linalg.slogdet(matrix)
    beforehand = float((np.diag(weight)[:, None] * usual**2).sum()) - 3 * float(np.log(np.diag(weight)).sum())
    scores: Floats = 0.5 * explained - 1.5 * spread - 0.5 * beforehand
    return scores


def combinations(*choices: Floats) -> Floats:
    """All combinations (N, k) of places, one from each of `choices`, that do not decrease."""
    grid = np.stack([g.ravel() for g in np.meshgrid(*choices, indexing="ij")], axis=-1)
    ordered: Floats = grid[np.all(np.diff(grid, axis=1) >= -1e-9, axis=1)]
    return ordered


def bell(values: Floats, mean: float, sigma: float) -> Floats:
    """The logarithm of a normal weight, up to a constant."""
    out: Floats = -0.5 * ((values - mean) / sigma) ** 2
    return out
