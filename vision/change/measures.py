"""What the recognisers ask of measuring: numbers with their doubt, taken over several settled looks.

A gauge is opened for one measurement, is shown looks while the thing lies still and free of hands, and is asked once.
`NoMeasures` measures nothing, so that sightings alone still give events with wide intervals.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from vision.change.box import Box
from vision.measure.cover import Colour
from vision.sighting import Points


@dataclass(frozen=True, slots=True)
class Measured:
    """A number with its 95 % interval; `reason` says why there is none. `marks` are plain values for the report."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    marks: dict[str, Any] = field(default_factory=dict, hash=False)
    reason: str = ""

    @property
    def known(self) -> bool:
        """Whether there is a number."""
        return self.value is not None and self.low is not None and self.high is not None


class Gauge(Protocol):
    """One measurement over several looks."""

    def add(self, t_us: int, frame: Any, stack: Box, cover_mm: Points | None) -> None:
        """Takes one settled look in; `cover_mm` is the cover card's quad (4, 2) where it was seen."""
        ...

    def result(self) -> Measured:
        """What the looks so far say."""
        ...


class Measures(Protocol):
    """Opens gauges. Depths are counted in cards from the end that `Box.along` points to."""

    def depth(self, colours: Sequence[Colour] = ()) -> Gauge:
        """Cards between the cover card and the end `along` of a stack on edge.

        `colours` are those of cover cards where they were seen lying (`vision.measure.cover.cover_colour`).
        """
        ...

    def colour(self, frame: Any, quad_mm: Points) -> Colour | None:
        """The colour of a cover card that lies at `quad_mm` (4, 2), free of hands; None where it tells nothing."""
        ...

    def feathered(self, *, on_edge: bool) -> Gauge:
        """Share of the stack's length that is laced, 0..1; `on_edge`: it stands, `Box.along` on its strip."""
        ...

    def ribbon(self) -> Gauge:
        """Cards of a ribbon that lie under the cover card, counted from its bottom card."""
        ...

    def laid(self, frame: Any, card_quad_mm: Points) -> Points | None:
        """The outline (4, 2) of the row of cards that runs off from under the card (4, 2); None if none does."""
        ...


class _Nothing:
    def add(self, t_us: int, frame: Any, stack: Box, cover_mm: Points | None) -> None:
        """Looks at nothing."""

    def result(self) -> Measured:
        return Measured(reason="nothing measures here")


class NoMeasures:
    """Measures nothing."""

    def colour(self, frame: Any, quad_mm: Points) -> Colour | None:
        """No colour."""
        return None

    def laid(self, frame: Any, card_quad_mm: Points) -> Points | None:
        """No row."""
        return None

    def depth(self, colours: Sequence[Colour] = ()) -> Gauge:
        """No depth."""
        return _Nothing()

    def feathered(self, *, on_edge: bool) -> Gauge:
        """No share."""
        return _Nothing()

    def ribbon(self) -> Gauge:
        """No count."""
        return _Nothing()


def facts_of(name: str, measured: Measured, *, lowest: float = 0.0, highest: float | None = None) -> dict[str, Any]:
    """The fact `name` with its bounds and marks, kept within what is possible; empty if nothing was measured."""
    if measured.value is None or measured.low is None or measured.high is None:
        return {}
    top = float("inf") if highest is None else highest
    value, low, high = (min(max(x, lowest), top) for x in (measured.value, measured.low, measured.high))
    facts: dict[str, Any] = {name: round(value, 2), f"{name}_low": round(low, 2), f"{name}_high": round(high, 2)}
    if measured.marks:
        facts["marks"] = measured.marks
    return facts
