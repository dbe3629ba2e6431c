"""What an event measured in the picture: lines, points and outlines, in pixels of the frame that they belong to."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rules.event import Event, Plain

Px = tuple[float, float]
END, COVER, CARD, OTHER = "end", "cover", "card", "other"
#: A measured depth, which is what the line of a cover card may bear.
DEPTH = re.compile(r"[\d.]+ cards?$")


@dataclass(frozen=True, slots=True)
class Line:
    """A line from one pixel to another, with its label."""

    start: Px
    stop: Px
    label: str

    @property
    def middle(self) -> Px:
        """Half-way."""
        return (self.start[0] + self.stop[0]) / 2, (self.start[1] + self.stop[1]) / 2

    @property
    def length_px(self) -> float:
        """How long it is."""
        return math.dist(self.start, self.stop)

    @property
    def role(self) -> str:
        """What it stands for, by its label: a cover card, an end of a stack, a numbered card, or something else."""
        if self.label.isdigit():
            return CARD
        if DEPTH.match(self.label):
            return COVER
        words = self.label.lower().replace("_", " ").split()
        if "cover" in words:
            return COVER
        return END if {"end", "near", "far", "top", "bottom"} & set(words) else OTHER


@dataclass(frozen=True, slots=True)
class Spot:
    """A marked pixel, with its label; on a ribbon the card's number."""

    at: Px
    label: str


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of one event, in the frame at `t_us`."""

    t_us: int
    lines: tuple[Line, ...] = ()
    points: tuple[Spot, ...] = ()
    polygons: tuple[tuple[Px, ...], ...] = ()

    def extent(self) -> tuple[Px, Px]:
        """The corners, smallest and largest, of what they cover."""
        every = [*(p for line in self.lines for p in (line.start, line.stop)), *(spot.at for spot in self.points)]
        every += [corner for polygon in self.polygons for corner in polygon]
        xs, ys = [x for x, _ in every], [y for _, y in every]
        return (min(xs), min(ys)), (max(xs), max(ys))

    @property
    def numbered(self) -> int:
        """How many cards bear a number."""
        return len(self.points) + len(self.of_role(CARD))

    def of_role(self, role: str) -> list[Line]:
        """The lines that stand for one thing."""
        return [line for line in self.lines if line.role == role]


def marks_of(event: Event) -> Marks | None:
    """The marks of an event; None if it has none, or none that can be drawn.

    Marks that are no numbers are left out: a picture that cannot be drawn must not cost the report.
    """
    raw = event.facts.get("marks")
    if not isinstance(raw, Mapping) or isinstance(raw.get("t_us"), bool) or not isinstance(raw.get("t_us"), int):
        return None
    marks = Marks(
        raw["t_us"],
        tuple(_lines(raw.get("lines_px"))),
        tuple(_points(raw.get("points_px"))),
        tuple(_polygons(raw.get("polygons_px"))),
    )
    return marks if marks.lines or marks.points or marks.polygons else None


def _lines(raw: Plain) -> Iterator[Line]:
    for row in _rows(raw):
        numbers = _numbers(row[:4])
        if len(numbers) == 4:
            yield Line((numbers[0], numbers[1]), (numbers[2], numbers[3]), _label(row, 4))


def _points(raw: Plain) -> Iterator[Spot]:
    for row in _rows(raw):
        numbers = _numbers(row[:2])
        if len(numbers) == 2:
            yield Spot((numbers[0], numbers[1]), _label(row, 2))


def _polygons(raw: Plain) -> Iterator[tuple[Px, ...]]:
    for row in _rows(raw):
        corners = [_numbers(corner[:2]) for corner in _rows(row)]
        if len(corners) >= 3 and all(len(corner) == 2 for corner in corners):
            yield tuple((corner[0], corner[1]) for corner in corners)


def _rows(raw: Plain) -> list[Sequence[Plain]]:
    rows = raw if isinstance(raw, list | tuple) else []
    return [row for row in rows if isinstance(row, list | tuple)]


def _numbers(row: Sequence[Plain]) -> list[float]:
    """The row as numbers; empty if one is none, or not finite."""
    good = all(isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) for v in row)
    return [float(v) for v in row] if good else []


def _label(row: Sequence[Plain], place: int) -> str:
    return str(row[place]) if len(row) > place and row[place] is not None else ""
