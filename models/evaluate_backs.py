"""Whether two backs are told to be of one design or of two: on drawn backs of patterns that nothing was fitted on.

    python -m models.evaluate_backs                 # the figures, by size and by what differs
    python -m models.evaluate_backs --data DATA     # also on photographs: pairs of one real deck
    python -m models.evaluate_backs --fit           # fits the weights of vision/backs.py on the training patterns

Everything but the last figure is drawn: the patterns and their colours are the studio's.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from models.back_pairs import Conditions, Pair, make_pair
from models.real_cards import outlined_backs
from vision.backs import FEATURES, BackLook, compare, features, look_at
from vision.crops import crop_px, upright, widened

PAIRS, FITTED = 120, 500
SIZES_PX = (100.0, 60.0, 40.0, 24.0)
#: Share of wrong answers that the bounds may let through.
WRONG = 0.005


@dataclass(frozen=True, slots=True)
class Figure:
    """Of pairs of one design and of two: answers, and wrong ones."""

    same: int
    same_answers: int
    same_wrong: int
    two: int
    two_answers: int
    two_wrong: int

    @property
    def line(self) -> str:
        """The counts in words."""
        return (
            f"of {self.same} pairs of one design answered {self.same_answers}, wrong {self.same_wrong}; "
            f"of {self.two} of two designs answered {self.two_answers}, wrong {self.two_wrong}"
        )


def measure(pairs: Iterable[Pair]) -> dict[str, Figure]:
    """The figures of pairs, together and by what the designs differ in."""
    said = [(pair, compare(look_at(pair.first), look_at(pair.second)).same) for pair in pairs]
    out = {}
    for name in ("together", "colour", "pattern"):
        same = [answer for pair, answer in said if pair.same]
        two = [answer for pair, answer in said if not pair.same and name in ("together", pair.differ)]
        out[name] = Figure(
            len(same), sum(a is not None for a in same), sum(a is False for a in same),
            len(two), sum(a is not None for a in two), sum(a is True for a in two),
        )  # fmt: skip
    return out


def fit() -> tuple[NDArray[np.float64], float, float, float]:
    """Weights, constant, and the bounds of same and different, on pairs of the training patterns."""
    rng = np.random.default_rng(21)
    pairs = [make_pair(rng, "train", Conditions()) for _ in range(FITTED)]
    x = np.array([features(look_at(pair.first), look_at(pair.second)) for pair in pairs])
    y = np.array([1.0 if pair.same else -1.0 for pair in pairs])
    half = len(pairs) // 2

    def loss(w: NDArray[np.float64]) -> float:
        margin = y[:half] * (x[:half] @ w[:-1] + w[-1])
        return float(np.logaddexp(0, -margin).mean() + 1e-4 * (w[:-1] ** 2).sum())

    found = minimize(loss, np.zeros(len(FEATURES) + 1), method="BFGS").x
    share = 1 / (1 + np.exp(-(x[half:] @ found[:-1] + found[-1])))
    truth = y[half:] > 0
    return found[:-1], float(found[-1]), _bound(share, truth), 1 - _bound(1 - share, ~truth)


def _bound(share: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """The least probability from which on no more than `WRONG` of the answers are wrong; at least 0.9."""
    order = np.argsort(-share)
    precision = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    good = np.flatnonzero(precision >= 1 - WRONG)
    return max(float(share[order][good.max()]) if len(good) else 1.0, 0.9)


def real_pairs(data: Path) -> tuple[int, int, int]:
    """Backs of the one photographed deck: pairs from two photographs, answers, wrong ones (called two designs)."""
    looks: list[tuple[str, BackLook]] = []
    for name, image, quad in outlined_backs(data):
        looks.append((name, look_at(crop_px(image, widened(upright(quad * [1, -1]) * [1, -1])))))
    said = [compare(a, b).same for (one, a), (other, b) in combinations(looks, 2) if one != other]
    return len(said), sum(answer is not None for answer in said), sum(answer is False for answer in said)


def main(arguments: list[str] | None = None) -> int:
    """Prints the figures, or the fitted weights; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m models.evaluate_backs", description="Same back or not")
    parser.add_argument("--fit", action="store_true", help="fit the weights on the training patterns instead")
    parser.add_argument("--data", type=Path, default=os.environ.get("PITWATCH_DATA"), help="folder of the photographs")
    options = parser.parse_args(arguments)
    if options.fit:
        weights, constant, same, different = fit()
        rounded = ", ".join(f"{value:.3g}" for value in weights)
        sys.stdout.write(f"WEIGHTS = ({rounded})\nCONSTANT = {constant:.3g}\n")
        sys.stdout.write(f"SAME, DIFFERENT = {same:.4f}, {different:.4f}\n")
        return 0
    for size in SIZES_PX:
        rng = np.random.default_rng(22)
        pairs = [make_pair(rng, "eval", Conditions(short_px=(size, size))) for _ in range(PAIRS)]
        for name, figure in measure(pairs).items():
            sys.stdout.write(f"short side {size:g} px, differing in {name}: {figure.line}\n")
    if options.data is not None:
        pairs_, answers, wrong = real_pairs(Path(options.data))
        sys.stdout.write(f"photographs of one deck: {pairs_} pairs, answered {answers}, wrong {wrong}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
