"""What the rules know of a game besides its events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any


@dataclass(frozen=True, slots=True)
class GameContext:
    """One table's game as its table file states it.

    Args:
        table: the table's name.
        pack: the pack's name, such as "pa58/629a".
        options: what the licensee selected, by the pack's names.
        decks, cards: the size of the full shoe.
        seats: seat numbers as printed, from the dealer's right, counter-clockwise.
        shoe_side: "left" or "right", the dealer's.
        signals: names of the signals that something really sends.
        as_of: judge by the law of this day; None judges by the pack's text whatever the day.
        recorded_on: the day of the recording, None if unknown.
    """

    table: str
    pack: str
    options: Mapping[str, Any] = field(default_factory=dict)
    decks: int = 8
    cards: int = 416
    seats: tuple[int, ...] = ()
    shoe_side: str = "left"
    signals: tuple[str, ...] = ()
    as_of: date | None = None
    recorded_on: date | None = None
