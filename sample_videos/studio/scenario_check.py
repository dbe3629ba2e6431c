"""Values of a scenario file that no scene can have: they would end in an error, or in a film without end."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

#: From and to, by key; a key that ends in `_s` has `SECONDS`.
LIMITS: Mapping[str, tuple[float, float]] = {
    "seed": (0, 2**63 - 1),
    "mm_per_px": (0.1, 10.0),
    "fps": (1.0, 240.0),
    "bit_rate": (10_000, 1_000_000_000),
    "width_px": (64, 8192),
    "height_px": (64, 8192),
}
SECONDS = (0.0, 120.0)
TABLES = ("sensor", "camera", "style", "change")


def impossible(raw: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the values of a scenario, in words."""
    if not isinstance(raw.get("name", ""), str):
        yield f"name = {raw['name']!r:.40} is no text"
    if isinstance(raw.get("seed", 0), bool) or not isinstance(raw.get("seed", 0), int):
        yield f"seed = {raw['seed']!r:.40} is no whole number"
    if not isinstance(raw.get("distractors", []), list):
        yield "distractors is no list"
    for name in TABLES:
        if not isinstance(raw.get(name, {}), dict):
            yield f"{name} is no table"
    for name, value in raw.items():
        if isinstance(value, dict):
            for key, one in value.items():
                yield from _number(f"{name}.{key}", key, one)
        else:
            yield from _number(name, name, value)


def _number(place: str, key: str, value: Any) -> Iterator[str]:
    """What is wrong with a value that is, or has to be, a number."""
    low, high = LIMITS.get(key, SECONDS if key.endswith("_s") else (-math.inf, math.inf))
    if isinstance(value, bool) or not isinstance(value, int | float):
        if high < math.inf:
            yield f"{place} = {value!r:.40} is no number"
    elif not -1e300 < value < 1e300 or not low <= value <= high:
        yield f"{place} = {value!r:.40} is not " + (
            f"from {low:g} to {high:g}" if high < math.inf else "a finite number"
        )
