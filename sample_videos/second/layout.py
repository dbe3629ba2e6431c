"""A midibaccarat table: where its zones lie, and what is printed on its felt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Points = NDArray[np.float64]

FELTS = ("#0d5c3a", "#124a2f", "#0f3f7a", "#1d2f66", "#7a1420", "#5a1030", "#3d1f5c", "#2a2d33", "#0b6a6a", "#8a6a2a")
INKS = ("#f3f0e4", "#e3c35a", "#f2e6b0", "#c8d4e8", "#ffffff", "#d9453d")
FONTS = ("bold SIZE serif", "bold SIZE sans-serif", "SIZE serif", "italic bold SIZE serif")
RAILS = ("#1a1410", "#2b1a12", "#0c0c0e", "#3a2418", "#402020")
#: The felt's picture reaches so far.
BOX = {"x0": -1150, "y0": -60, "x1": 1150, "y1": 1060}


@dataclass(frozen=True, slots=True)
class Layout:
    """A table: its zones (outlines in mm), the side of the shoe, the seats, and how the page is to draw it."""

    zones_mm: dict[str, list[list[float]]]
    shoe_side: str
    seats: tuple[int, ...]
    page: dict[str, Any]

    def middle(self, zone: str) -> tuple[float, float]:
        """The middle of a zone."""
        x, y = np.mean(self.zones_mm[zone], axis=0)
        return float(x), float(y)

    def keys(self) -> dict[str, Any]:
        """The table file's `layout`."""
        return {"shoe_side": self.shoe_side, "seats": list(self.seats), "zones_mm": self.zones_mm}


def box(x0: float, y0: float, x1: float, y1: float) -> list[list[float]]:
    """A rectangle's outline, counter-clockwise from above."""
    low_x, high_x, low_y, high_y = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
    return [[low_x, low_y], [high_x, low_y], [high_x, high_y], [low_x, high_y]]


def layout(random: Generator, shoe_side: str | None = None) -> Layout:
    """A table with its measures, colours and print drawn from `random`."""
    side = shoe_side or str(random.choice(["left", "left", "right"]))
    sign = 1.0 if side == "right" else -1.0
    tray = 225 + 25 * random.random()
    near = 140 + 25 * random.random()
    zones = {
        "tray": box(-tray, 8, tray, 108),
        "shuffle": box(-255, 118, 255, 390),
        "player": box(22, near, 250, near + 110),
        "banker": box(-250, near, -22, near + 110),
        "discard": box(-sign * (tray + 60), 6, -sign * (tray + 225), 190),
        "shoe": box(sign * (tray + 50), 75, sign * (tray + 430), 275),
    }
    seats = _seats(random)
    for number, angle in zip(seats, np.linspace(12, 168, len(seats)), strict=True):
        zones |= _seat(number, float(np.radians(angle)), 1040.0, 900.0)
    return Layout(zones, side, seats, _page(zones, seats, random))


def _seats(random: Generator) -> tuple[int, ...]:
    """Numbers as printed; a table of luck leaves out the four."""
    numbers = [1, 2, 3, 5, 6, 7, 8, 9] if random.random() < 0.5 else [1, 2, 3, 4, 5, 6, 7]
    return tuple(numbers[: int(random.integers(6, len(numbers) + 1))])


def _on_arc(angle: float, share: float, half_mm: float, deep_mm: float) -> tuple[float, float]:
    return half_mm * share * float(np.cos(angle)), 40 + deep_mm * share * float(np.sin(angle))


def _seat(number: int, angle: float, half: float, deep: float) -> dict[str, list[list[float]]]:
    """A seat's area and its bet spot."""
    wide = 0.15
    corners = [(angle - wide, 0.7), (angle - wide, 0.93), (angle + wide, 0.93), (angle + wide, 0.7)]
    area = [[round(v, 1) for v in _on_arc(a, share, half, deep)] for a, share in corners]
    x, y = _on_arc(angle, 0.76, half, deep)
    return {f"seat:{number}": area, f"bet:{number}:main": box(x - 42, y - 42, x + 42, y + 42)}


def _page(zones: dict[str, list[list[float]]], seats: tuple[int, ...], random: Generator) -> dict[str, Any]:
    """How the page draws the table."""
    ink, second = (str(v) for v in random.choice(INKS, 2, replace=False))
    font = str(random.choice(FONTS))
    line = 2.5 + 3 * random.random()
    arc = np.radians(np.linspace(-4, 184, 60))
    printed: list[dict[str, Any]] = []
    for name, text in (("player", "PLAYER"), ("banker", "BANKER")):
        x, y = np.mean(zones[name], axis=0)
        printed += [
            {"polygon": zones[name], "colour": ink, "line": line},
            {"text": text, "at": [float(x), float(y)], "size": 40, "font": font, "colour": second, "strength": 0.8},
        ]
    for share in (0.64, 0.955):
        way = [_on_arc(float(a), share, 1040.0, 900.0) for a in arc]
        printed.append({"way": way, "colour": ink, "line": line})
    for number in seats:
        spot = np.mean(zones[f"bet:{number}:main"], axis=0)
        angle = float(np.arctan2(spot[1] - 40, spot[0]))
        x, y = _on_arc(angle, 0.9, 1040.0, 900.0)
        printed += [
            {"circle": [float(spot[0]), float(spot[1]), 42.0], "colour": second, "line": line},
            {"text": str(number), "at": [x, y], "size": 54, "font": font, "colour": ink, "turn": angle - 1.5708},
        ]
    name = str(random.choice(["BACCARAT", "MIDI BACCARAT", "PUNTO BANCO", "TIE PAYS 8 TO 1", "LUCKY NINE"]))
    lettering = {"text": name, "centre": [0, 40], "radius": 520, "middle": 1.5708, "size": 58, "font": font}
    printed.append({"arc": lettering, "colour": second, "strength": 0.75})
    inner = [list(_on_arc(float(a), 1.0, 1060.0, 960.0)) for a in np.radians(np.linspace(0, 180, 72))]
    inner = [[1060.0, -32.0], *inner, [-1060.0, -32.0]]
    outer = [list(_on_arc(float(a), 1.0, 1190.0, 1090.0)) for a in np.radians(np.linspace(0, 180, 72))]
    outer = [[1190.0, -70.0], *outer, [-1190.0, -70.0]]
    felt = {
        "box": BOX,
        "seed": int(random.integers(1 << 30)),
        "colour": str(random.choice(FELTS)),
        "wear": float(0.02 + 0.1 * random.random()),
        "print": printed,
    }
    rail = {"outer": outer, "inner": inner, "height": 20, "colour": str(random.choice(RAILS))}
    floor = {"seed": int(random.integers(1 << 30)), "colour": str(random.choice(["#3a1f1c", "#20242f", "#2f2a1c"]))}
    return {"felt": felt, "outline": inner, "rail": rail, "floor": floor}
