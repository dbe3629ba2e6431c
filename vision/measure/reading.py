"""A number with its interval, and what to draw so that a reader can see where it came from."""

from __future__ import annotations

from dataclasses import dataclass

#: Half of a 95 % interval, in standard deviations of a normal error.
Z95 = 1.96

Line = tuple[float, float, float, float, str]
Point = tuple[float, float, str]
Polygon = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Marks:
    """What to draw in one frame: lines (x0, y0, x1, y1, label), points (x, y, label), polygons ((x, y), ...).

    All in pixels of the source's frame at `t_us`.
    """

    t_us: int
    lines_px: tuple[Line, ...] = ()
    points_px: tuple[Point, ...] = ()
    polygons_px: tuple[Polygon, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """The same as lists in a dict, ready for one line of JSON."""
        return {
            "t_us": self.t_us,
            "lines_px": [list(line) for line in self.lines_px],
            "points_px": [list(point) for point in self.points_px],
            "polygons_px": [[list(corner) for corner in polygon] for polygon in self.polygons_px],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A measured number: `value` in `unit`, true with 95 % between `low` and `high`; `marks` show it in the frame.

    `frames` is how many frames the number rests on. A function that measures returns (Measured, "") or (None, why
    nothing could be measured).
    """

    value: float
    low: float
    high: float
    unit: str
    marks: Marks
    frames: int = 1

    def __post_init__(self) -> None:
        if not self.low <= self.value <= self.high:
            raise ValueError(f"{self.value} {self.unit} is not within [{self.low}, {self.high}]")

    @property
    def half_width(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2
