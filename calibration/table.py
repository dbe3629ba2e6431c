"""One table: its cameras, layout, game and inputs, as frozen values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import numpy as np

from calibration.geometry import Calibration
from calibration.polygon import Polygon


@dataclass(frozen=True, slots=True)
class Camera:
    """One camera's picture. `source` is what `watch` opens; `calibration` how it sees the felt, if known."""

    width_px: int
    height_px: int
    source: str | None = None
    calibration: Calibration | None = None


@dataclass(frozen=True, eq=False)
class Layout:
    """What is printed and standing on the felt.

    `shoe_side` is the dealer's 'left' or 'right'; `seats` are numbered as printed, in order from the dealer's
    right, counter-clockwise; `zones_mm` are outlines, (n, 2) each.
    """

    shoe_side: str
    seats: tuple[int, ...]
    zones_mm: Mapping[str, Polygon]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Layout):
            return NotImplemented
        return (
            (self.shoe_side, self.seats) == (other.shoe_side, other.seats)
            and self.zones_mm.keys() == other.zones_mm.keys()
            and all(np.array_equal(zone, other.zones_mm[name]) for name, zone in self.zones_mm.items())
        )

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Game:
    """Which rules apply: `pack` by name, the pack of cards, and what the licensee selected, by the pack's names."""

    pack: str
    decks: int
    cards: int
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Inputs:
    """The signals that something really sends."""

    signals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """One table. `calibration` is that of the first camera."""

    table: str
    cameras: tuple[Camera, ...]
    calibration: Calibration
    layout: Layout
    game: Game
    inputs: Inputs = Inputs()
    started_at: datetime | None = None

    @property
    def camera(self) -> Camera:
        """The first camera."""
        return self.cameras[0]
