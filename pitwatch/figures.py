"""Shares and measurement errors with what is needed to judge them: counts and intervals."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.stats import beta

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Share:
    """`count` of `of`, with the Clopper-Pearson interval at 95 %; without a single case, 0 to 1 and no value."""

    count: int
    of: int
    low: float
    high: float

    @property
    def value(self) -> float | None:
        """The share, or None of nothing."""
        return self.count / self.of if self.of else None

    def to_plain(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"count": self.count, "of": self.of, "share": self.value, "low": self.low, "high": self.high}


def share(count: int, of: int, level: float = LEVEL) -> Share:
    """`count` successes of `of` trials with their exact (Clopper-Pearson) interval."""
    tail = (1 - level) / 2
    low = float(beta.ppf(tail, count, of - count + 1)) if count else 0.0
    high = float(beta.ppf(1 - tail, count + 1, of - count)) if count < of else 1.0
    return Share(count, of, low, high)


@dataclass(slots=True)
class Quantity:
    """The errors of one measured quantity, case by case."""

    errors: list[float] = field(default_factory=list)
    held: int = 0  # intervals that hold the truth
    half_widths: list[float] = field(default_factory=list)

    def measure(self, true: float, value: float, low: float, high: float) -> None:
        """Adds one case."""
        self.errors.append(value - true)
        self.held += low <= true <= high
        self.half_widths.append((high - low) / 2)

    def add(self, other: Quantity) -> None:
        """Adds another's cases."""
        self.errors += other.errors
        self.held += other.held
        self.half_widths += other.half_widths

    def to_plain(self) -> dict[str, Any]:
        """Count, bias, absolute error (median, 95th percentile), exact cases, coverage and width of the intervals."""
        count = len(self.errors)
        if not count:
            return {"count": 0}
        absolute = np.abs(self.errors)
        return {
            "count": count,
            "bias": float(np.mean(self.errors)),
            "median_error": float(np.median(absolute)),
            "p95_error": float(np.percentile(absolute, 95)),
            "exact": int(np.sum(absolute == 0)),
            "held": self.held / count,
            "median_half_width": float(np.median(self.half_widths)),
        }
