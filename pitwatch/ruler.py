"""A ruler of cards along a stack's side, from the end at which a cover card was measured."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pitwatch.marks import COVER, END, Line, Marks, Px

CARDS = "cards"
#: The ruler stands this far beside the lines, as a share of their length.
BESIDE_SHARE = 0.06


@dataclass(frozen=True, slots=True)
class Reading:
    """What a picture shows: in words, and as a number with its interval (95 %) beside its limit; None: not known.

    `outline` names what outlines enclose. `cards` is the size of the whole stack.
    """

    what: str
    unit: str = ""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    limit: float | None = None
    outline: str = ""
    cards: int | None = None


@dataclass(frozen=True, slots=True)
class Ruler:
    """`origin` is nought cards; `along` points to more of them, `side` away from the stack; both are unit vectors."""

    origin: Px
    along: Px
    side: Px
    px_per_card: float

    def at(self, cards: float) -> Px:
        """The pixel at so many cards."""
        way = cards * self.px_per_card
        return self.origin[0] + way * self.along[0], self.origin[1] + way * self.along[1]


def ruler_of(marks: Marks, reading: Reading) -> Ruler | None:
    """The ruler; None where there are no ends, no cover card, or nothing that says how thick a card is."""
    covers, ends = marks.of_role(COVER), marks.of_role(END)
    if reading.unit != CARDS or not covers or not ends:
        return None
    cover = covers[0]
    near = min(ends, key=lambda end: math.dist(end.middle, cover.middle))
    side = _direction(near)
    along = _towards(side, near.middle, cover.middle)
    px_per_card = _px_per_card(ends, near, cover, along, reading)
    if px_per_card is None:
        return None
    corner = max((cover.start, cover.stop, near.start, near.stop), key=lambda px: _dot(px, side))
    beyond = _dot(corner, side) - _dot(near.middle, side) + BESIDE_SHARE * near.length_px
    origin = near.middle[0] + beyond * side[0], near.middle[1] + beyond * side[1]
    return Ruler(origin, along, side, px_per_card)


def cards_px(marks: Marks, reading: Reading) -> float | None:
    """How many pixels of the frame one card takes up along the stack, if that can be told."""
    ruler = ruler_of(marks, reading)
    return None if ruler is None else ruler.px_per_card


def _px_per_card(ends: list[Line], near: Line, cover: Line, along: Px, reading: Reading) -> float | None:
    """From what was measured, so that ruler and value agree; from the whole stack where that is next to nothing."""
    depth_px = _dot(cover.middle, along) - _dot(near.middle, along)
    if reading.value is not None and reading.value >= 1 and depth_px > 0:
        return depth_px / reading.value
    whole_px = max(abs(_dot(end.middle, along) - _dot(near.middle, along)) for end in ends)
    return whole_px / reading.cards if reading.cards and whole_px > 0 else None


def _direction(line: Line) -> Px:
    """A line's unit direction, to the right, or down if it is upright."""
    dx, dy = line.stop[0] - line.start[0], line.stop[1] - line.start[1]
    length = math.hypot(dx, dy) or 1.0
    way = -1.0 if dx < -1e-9 or (abs(dx) <= 1e-9 and dy < 0) else 1.0
    return way * dx / length, way * dy / length


def _towards(side: Px, start: Px, stop: Px) -> Px:
    """The unit vector across `side` on which `stop` lies ahead of `start`."""
    across = (-side[1], side[0])
    ahead = _dot(stop, across) - _dot(start, across)
    return across if ahead >= 0 else (-across[0], -across[1])


def _dot(one: Px, other: Px) -> float:
    return one[0] * other[0] + one[1] * other[1]
