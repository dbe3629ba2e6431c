"""The gauges of the recognisers, made of `vision.measure`: settled frames in, one number with its interval out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from calibration.geometry import Calibration
from vision.change.box import Box
from vision.change.measures import Gauge, Measured
from vision.measure import reading
from vision.measure.cover import cover_colour
from vision.measure.cut import DepthReading, combine_depth, read_depth
from vision.measure.feather import Feathered, combine_feathered, read_feathered_flat, read_feathered_strip
from vision.measure.hue import Colour
from vision.measure.laid import laid_row
from vision.measure.ribbon import RibbonReading, combine_ribbon, read_ribbon
from vision.sighting import Points

#: More frames than this tell nothing new: what is left is the same error in every one.
MOST_FRAMES = 12
#: A ribbon's reading costs more than half a second.
RIBBON_FRAMES, RIBBON_TRIES = 4, 12
#: The cover card's place in it is believed if so many frames tell it, no further apart than this.
RIBBON_LEAST, RIBBON_SPREAD = 2, 1
#: ... and so large a share of those that tell any.
RIBBON_MOST = 0.6
#: Few whole scenes have been counted so far: what a reading says is widened by a card.
RIBBON_DOUBT = 1.0
#: A depth that may be this little may be the end card's own edge, unless nothing there is of the cover card's colour.
AT_END_CARDS = 1.0


@dataclass(frozen=True, slots=True)
class FrameMeasures:
    """Opens gauges on frames (`vision.frame.Frame`) of a camera with this `calibration`; `cards` are in the stack."""

    calibration: Calibration
    cards: int

    def depth(self, colours: Sequence[Colour] = ()) -> Gauge:
        """Cards between the cover card and the end `along` of a stack on edge.

        `colours` are those of cover cards where they were seen lying (`vision.measure.cover.cover_colour`).
        """
        return _Depth(self.calibration, self.cards, tuple(colours))

    def colour(self, frame: Any, quad_mm: Points) -> Colour | None:
        """The colour of a cover card that lies at `quad_mm` (4, 2)."""
        return None if frame is None else cover_colour(frame.image, self.calibration, quad_mm)

    def feathered(self, *, on_edge: bool) -> Gauge:
        """Share of the stack's length that is laced, 0..1: read well where it stands, hardly where it lies."""
        return _Feathered(self.calibration, self.cards, on_edge)

    def ribbon(self) -> Gauge:
        """Cards of a ribbon under the cover card."""
        return _Ribbon(self.calibration)

    def laid(self, frame: Any, card_quad_mm: Points) -> Points | None:
        """The outline (4, 2) of the row of cards that runs off from under the card (4, 2); None if none does."""
        return None if frame is None else laid_row(frame.image, self.calibration, card_quad_mm)


@dataclass(slots=True)
class _Depth:
    calibration: Calibration
    cards: int
    colours: tuple[Colour, ...] = ()
    readings: list[DepthReading] = field(default_factory=list)
    why: str = "no frame could be measured"

    def add(self, t_us: int, frame: Any, stack: Box, cover_mm: Points | None) -> None:
        if frame is None or len(self.readings) >= MOST_FRAMES:
            return
        found, why = read_depth(
            frame.image, t_us, self.calibration, stack.quad_mm, stack.along, cover_quad_mm=cover_mm,
            cards=self.cards, colours=self.colours,
        )  # fmt: skip
        if found is None:
            self.why = why
        else:
            self.readings.append(found)

    def result(self) -> Measured:
        depth, why = combine_depth(self.readings, "high", why=self.why)
        if depth is None:
            return Measured(reason=why)
        if depth.low <= AT_END_CARDS and not depth.distinct:
            return Measured(reason="the cover card cannot be told from the stack's end")
        if depth.from_end == "top":
            return _plain(depth)
        n = float(self.cards)
        return Measured(n - depth.value, n - depth.high, n - depth.low, depth.marks.as_dict())


@dataclass(slots=True)
class _Feathered:
    calibration: Calibration
    cards: int
    on_edge: bool
    readings: list[Feathered] = field(default_factory=list)
    why: str = "no frame could be measured"

    def add(self, t_us: int, frame: Any, stack: Box, cover_mm: Points | None) -> None:
        if frame is None or len(self.readings) >= MOST_FRAMES:
            return
        where = (frame.image, t_us, self.calibration, stack.quad_mm, stack.along)
        found, why = read_feathered_strip(*where) if self.on_edge else read_feathered_flat(*where, cards=self.cards)
        if found is None:
            self.why = why
        else:
            self.readings.append(found)

    def result(self) -> Measured:
        share, why = combine_feathered(self.readings, why=self.why)
        return Measured(reason=why) if share is None else _plain(share)


@dataclass(slots=True)
class _Ribbon:
    calibration: Calibration
    readings: list[RibbonReading] = field(default_factory=list)
    why: str = "no frame could be counted"
    tried: int = 0

    def _with_cover(self) -> list[RibbonReading]:
        return [r for r in self.readings if r.below_cover is not None]

    def add(self, t_us: int, frame: Any, stack: Box, cover_mm: Points | None) -> None:
        if frame is None or self.tried >= RIBBON_TRIES or len(self._with_cover()) >= RIBBON_FRAMES:
            return
        self.tried += 1
        found, why = read_ribbon(
            frame.image, t_us, self.calibration, stack.quad_mm, stack.along, cover_quad_mm=cover_mm
        )
        if found is None:
            self.why = why
        else:
            self.readings.append(found)

    def result(self) -> Measured:
        readings = self._agreeing()
        if self._with_cover() and readings is None:
            return Measured(reason="the frames do not agree where in the ribbon the cover card is")
        row, why = combine_ribbon(self.readings if readings is None else readings, why=self.why)
        if row is None or row.below is None:
            return Measured(reason=why or "no cover card was found in the ribbon")
        low, high = float(row.below_low) - RIBBON_DOUBT, float(row.below_high) + RIBBON_DOUBT
        return Measured(float(row.below), max(low, 0.0), high, row.marks.as_dict())

    def _agreeing(self) -> list[RibbonReading] | None:
        """The readings that most of them agree with; None if they do not. Some may be of a ribbon being gathered."""
        whole = self._as_laid()
        told = [r for r in self._with_cover() if r.count == whole]
        best: list[RibbonReading] = []
        for one in told:
            near = [r for r in told if abs(_below(r) - _below(one)) <= RIBBON_SPREAD]
            best = near if len(near) > len(best) else best
        return best if len(best) >= max(RIBBON_LEAST, RIBBON_MOST * len(told)) else None

    def _as_laid(self) -> int:
        """How many cards most frames count in all: of a ribbon that is being gathered the last ones count fewer."""
        counts = [r.count for r in self.readings]
        return max(counts, key=lambda n: (counts.count(n), -counts.index(n)), default=0)


def _below(reading: RibbonReading) -> int:
    return -1 if reading.below_cover is None else reading.below_cover


def _plain(measured: reading.Measured) -> Measured:
    return Measured(measured.value, measured.low, measured.high, measured.marks.as_dict())


__all__: Sequence[str] = ("FrameMeasures",)
