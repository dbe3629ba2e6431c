"""A measured number and its interval, held against a limit of whole cards or a share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.finding import Measured, Verdict

#: Cards are whole: ten of them lie on the right side of nine and a half.
HALF_CARD = 0.5


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its bounds (95 %, both sides); None: not told."""

    value: float | None
    low: float | None
    high: float | None

    def shifted(self, by: float) -> Estimate:
        """The same, some more."""
        value, low, high = (None if x is None else x + by for x in (self.value, self.low, self.high))
        return Estimate(value, low, high)

    def one_sided(self, share: float) -> tuple[float, float] | None:
        """The bounds that hold with the same confidence each on its own side; None without bounds.

        Args:
            share: how far they lie from the value, as a share of the distance of the bounds that hold together.
        """
        if self.low is None or self.high is None:
            return None
        value = (self.low + self.high) / 2 if self.value is None else self.value
        return value - (value - self.low) * share, value + (self.high - value) * share

    def measured(self, unit: str, limit: float) -> Measured:
        """The finding's object."""
        return Measured(self.value, self.low, self.high, unit, limit)


def estimate(facts: Mapping[str, Any], name: str) -> Estimate | None:
    """The fact `name` with its bounds; None if it is not told. Bounds in the wrong order are put right."""
    value, low, high = (_number(facts.get(key)) for key in (name, f"{name}_low", f"{name}_high"))
    if value is None and low is None and high is None:
        return None
    if low is not None and high is not None and low > high:
        low, high = high, low
    return Estimate(value, low, high)


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def at_least(found: Estimate | None, limit: float, share: float, margin: float = HALF_CARD) -> Verdict:
    """Whether a number reaches a limit less a margin (half a card for whole cards): surely, surely not, or neither."""
    bounds = None if found is None else found.one_sided(share)
    if bounds is None:
        return Verdict.INDETERMINATE
    if bounds[0] >= limit - margin:
        return Verdict.COMPLIANT
    return Verdict.VIOLATION if bounds[1] < limit - margin else Verdict.INDETERMINATE


def at_most(found: Estimate | None, limit: float, share: float, margin: float = HALF_CARD) -> Verdict:
    """Whether a number stays within a limit."""
    bounds = None if found is None else found.one_sided(share)
    if bounds is None:
        return Verdict.INDETERMINATE
    if bounds[1] <= limit + margin:
        return Verdict.COMPLIANT
    return Verdict.VIOLATION if bounds[0] > limit + margin else Verdict.INDETERMINATE
