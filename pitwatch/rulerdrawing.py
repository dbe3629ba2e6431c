"""The ruler of cards beside a stack, drawn: a tick for each card, the interval as a bar, the limit as a long line."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from pitwatch.ink import INK, Sheet, stroke, word
from pitwatch.marks import Px
from pitwatch.ruler import Reading, Ruler

RED = "#b3261e"
STEPS = (1, 2, 5, 10, 20, 50, 100, 200)
#: Cards beyond the last thing shown.
BEYOND_CARDS = 3


@dataclass(frozen=True, slots=True)
class RulerDrawing:
    """The ruler on a sheet."""

    sheet: Sheet
    ruler: Ruler
    reading: Reading

    def parts(self) -> Iterator[str]:
        """Its pieces of SVG."""
        reading = self.reading
        last = max(reading.limit or 0.0, reading.high or 0.0, reading.value or 0.0) + BEYOND_CARDS
        start, stop = self._at(0.0), self._at(last)
        yield stroke(start, stop, "#fff", 5.0)
        yield stroke(start, stop, INK, 1.4)
        yield from self._scale(last)
        yield from self._interval()
        if reading.limit is not None:
            yield from self._tick(reading.limit, -6.0, 34.0, 2.6)
            yield self._number(reading.limit, 39.0, f"{reading.limit:g} asked", "font-weight:700")

    def _scale(self, last: float) -> Iterator[str]:
        """Ticks as fine as they can be told apart, and numbers where they have room."""
        unit, limit = self.ruler.px_per_card * self.sheet.scale, self.reading.limit
        step = next((cards for cards in STEPS if cards * unit >= 5), STEPS[-1])
        numbered = next((cards for cards in STEPS if cards >= step and cards * unit >= 16), STEPS[-1])
        for cards in range(0, math.floor(last) + 1, step):
            long = cards % numbered == 0
            yield from self._tick(cards, 0.0, 9.0 if long else 5.0, 1.2)
            if long and (limit is None or abs(cards - limit) * unit >= 14):
                yield self._number(cards, 13.0, f"{cards}")

    def _interval(self) -> Iterator[str]:
        reading = self.reading
        if reading.low is not None and reading.high is not None:
            low, high = self._at(reading.low, -7.0), self._at(reading.high, -7.0)
            yield stroke(low, high, "#fff", 10.0)
            yield stroke(low, high, RED, 6.0)
        if reading.value is not None:
            x, y = self._at(reading.value, -7.0)
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.6" fill="#fff" stroke="{RED}" stroke-width="2.6"/>'

    def _at(self, cards: float, units: float = 0.0) -> Px:
        """The place of so many cards, and so many units beside the ruler, away from the stack."""
        x, y = self.sheet.at(self.ruler.at(cards))
        return x + units * self.ruler.side[0], y + units * self.ruler.side[1]

    def _tick(self, cards: float, start: float, stop: float, wide: float) -> Iterator[str]:
        ends = self._at(cards, start), self._at(cards, stop)
        yield stroke(*ends, "#fff", wide + 2.2)
        yield stroke(*ends, INK, wide)

    def _number(self, cards: float, units: float, text: str, style: str = "") -> str:
        x, y = self._at(cards, units)
        lying = abs(self.ruler.side[0]) < abs(self.ruler.side[1])  # the stack lies across: numbers stand below it
        anchor = "middle" if lying else "start" if self.ruler.side[0] > 0 else "end"
        return word((x, y + (12 if lying else 4)), text, anchor=anchor, style=style)
