"""The words of the table file that are fixed by the contract: zones and signals."""

from __future__ import annotations

import re

#: Zones with a name of their own; seats and bets are numbered.
ZONES = (
    "tray",
    "tray_front",
    "discard",
    "shoe",
    "shuffler",
    "shuffle",
    "community",
    "bonus",
    "pot",
    "dealer_hand",
    "player",
    "banker",
    "shaker",
    "shaker_right",
)
#: What lies in no zone is here; it has no outline.
ELSEWHERE = "elsewhere"

SIGNALS = (
    "shuffle_method",
    "shuffler",
    "preshuffled",
    "bank",
    "table",
    "announced",
    "offered",
    "progressive.locked",
    "progressive.accepted",
    "rng",
    "floor.recut",
    "floor.shuffle",
    "floor.count_result",
    "player_request",
    "dealer",
)

_SEATED = re.compile(r"(?:seat:([1-9]\d*)|bet:([1-9]\d*):[A-Za-z0-9_-]+)")


def seat_of_zone(name: str) -> int | None:
    """The seat that `seat:N` or `bet:N:SPOT` belongs to; None for any other name."""
    match = _SEATED.fullmatch(name)
    return int(match[1] or match[2]) if match else None


def is_zone(name: str) -> bool:
    """True if a zone of the table may have this name."""
    return name in ZONES or seat_of_zone(name) is not None
