"""How the reader fares by a card's size, by bit rate and by blur, and which ranks it confuses; as one picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np
import resvg_py
from numpy.typing import NDArray

from models.coded import Recording
from models.evaluate_photos import FIXTURE
from models.evaluate_reader import MBIT_S, SHORT_PX, Recorded, Recordings
from vision.read import RANKS

CARD_MM = 63.5
#: Bit rate and blur are varied for cards of this size; ranks confused are counted at the second, the smallest.
VARIED_PX, CONFUSED_PX = 60.0, 24.0
RATES_MBIT_S = (8.0, 4.0, 2.0, 1.0, 0.5)
BLURS_PX = (0.0, 0.7, 1.4, 2.1, 2.8)
#: Every so many cards of the fixture are recorded again for each rate and blur.
EVERY = 6


@dataclass(frozen=True, slots=True)
class Curve:
    """Figures along one condition: its name, its values, and the figure at each."""

    name: str
    values: tuple[float, ...]
    figures: tuple[Recorded, ...]

    @property
    def table(self) -> str:
        """The curve as a table in Markdown."""
        head = f"| {self.name} | cards | likeliest right | answers | wrong, of answers |\n|---|---|---|---|---|\n"
        return head + "".join(
            f"| {value:g} | {f.cards} | {f.likeliest / f.cards:.1%} | {f.answers / f.cards:.1%} | {_wrong(f)} |\n"
            for value, f in zip(self.values, self.figures, strict=True)
        )


def _wrong(figure: Recorded) -> str:
    return f"{figure.wrong / figure.answers:.2%} ({figure.wrong})" if figure.answers else "-"


def measure(recordings: Recordings) -> tuple[list[Curve], NDArray[np.int64]]:
    """The curves, and how often each rank (row) was taken for each (column), the likeliest counting, (13, 13)."""
    sizes = [recordings.figure(Recording(size, MBIT_S)) for size in SHORT_PX]
    some = Recordings(recordings.reader, [card for card in recordings.cards if card.source == FIXTURE][::EVERY])
    rates = [some.figure(Recording(VARIED_PX, rate)) for rate in RATES_MBIT_S]
    blurs = [some.figure(Recording(VARIED_PX, MBIT_S, blur)) for blur in BLURS_PX]
    confusion = np.zeros((len(RANKS), len(RANKS)), np.int64)
    readings = recordings.readings(Recording(CONFUSED_PX, MBIT_S))
    for reading, card in zip(readings, recordings.cards, strict=True):
        confusion[RANKS.index(card.rank), int(reading.ranks.argmax())] += 1
    return [
        Curve("mm/px", tuple(round(CARD_MM / size, 2) for size in SHORT_PX), tuple(sizes)),
        Curve(f"Mb/s at {VARIED_PX:g} px", RATES_MBIT_S, tuple(rates)),
        Curve(f"blur in px at {VARIED_PX:g} px", BLURS_PX, tuple(blurs)),
    ], confusion


WIDTH, HEIGHT = 1240, 860
INK, GREY, LIKELIEST, ANSWERS, WRONG = "#222", "#bbb", "#7a7a7a", "#1f6fb2", "#c23b22"
#: Of a panel: its plot's width and height.
PLOT = (320, 250)


def draw(curves: Sequence[Curve], confusion: NDArray[np.int64], path: Path) -> None:
    """Draws the curves and the confusion and writes them to `path`, a PNG."""
    parts = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    parts.append(_text(40, 38, "The reader on real photographs, recorded: single readings, no vote", 20, weight="bold"))
    for index, curve in enumerate(curves):
        parts.append(_panel(curve, 80 + index * 400, 96))
    for index, (colour, words) in enumerate(
        ((LIKELIEST, "likeliest rank right, of cards"), (ANSWERS, "answers, of cards"), (WRONG, "wrong, of answers"))
    ):
        x = 80 + index * 300
        parts.append(f'<line x1="{x}" y1="418" x2="{x + 28}" y2="418" stroke="{colour}" stroke-width="3"/>')
        parts.append(_text(x + 36, 423, words, 14))
    parts.append(_matrix(confusion, 130, 510))
    most, least = (min(curve.figures[0].cards for curve in own) for own in (curves[:1], curves))
    notes = ("True rank down, likeliest rank across.", f"By size: {most} cards, at {MBIT_S:g} Mb/s of 1080p25.")
    for index, words in enumerate((*notes, f"By bit rate and blur: {least} cards of the fixture.")):
        parts.append(_text(760, 530 + 24 * index, words, 14))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="DejaVu Sans, sans-serif">{"".join(parts)}</svg>'
    )
    path.write_bytes(bytes(resvg_py.svg_to_bytes(svg_string=svg)))


def _text(x: float, y: float, words: str, size: int, *, anchor: str = "start", weight: str = "normal") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" text-anchor="{anchor}" font-weight="{weight}" '
        f'fill="{INK}">{escape(words)}</text>'
    )


def _panel(curve: Curve, left: float, top: float) -> str:
    """One curve: shares by equally spaced values."""
    width, height = PLOT
    parts = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = top + height * (1 - share)
        parts.append(f'<line x1="{left}" y1="{y}" x2="{left + width}" y2="{y}" stroke="{GREY}" stroke-width="0.7"/>')
        parts.append(_text(left - 8, y + 5, f"{share:.0%}", 13, anchor="end"))
    at = [left + 14 + (width - 28) * index / (len(curve.values) - 1) for index in range(len(curve.values))]
    for x, value in zip(at, curve.values, strict=True):
        parts.append(_text(x, top + height + 20, f"{value:g}", 13, anchor="middle"))
    parts.append(_text(left + width / 2, top + height + 42, curve.name, 14, anchor="middle", weight="bold"))
    for colour, shares in (
        (LIKELIEST, [f.likeliest / f.cards for f in curve.figures]),
        (ANSWERS, [f.answers / f.cards for f in curve.figures]),
        (WRONG, [f.wrong / f.answers if f.answers else None for f in curve.figures]),
    ):
        points = [(x, top + height * (1 - share)) for x, share in zip(at, shares, strict=True) if share is not None]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>' for x, y in points]
    return "".join(parts)


def _matrix(confusion: NDArray[np.int64], left: float, top: float) -> str:
    """True ranks down, likeliest ones across; counts off the diagonal stand out."""
    cell_x, cell_y = 44, 23
    parts = [_text(left - 90, top - 34, f"Taken for, at {CONFUSED_PX:g} px and {MBIT_S:g} Mb/s", 14, weight="bold")]
    for index, rank in enumerate(RANKS):
        parts.append(_text(left + (index + 0.5) * cell_x, top - 8, rank, 14, anchor="middle", weight="bold"))
        parts.append(_text(left - 12, top + (index + 0.7) * cell_y, rank, 14, anchor="end", weight="bold"))
        for other in range(len(RANKS)):
            count = int(confusion[index, other])
            share = count / max(int(confusion[index].sum()), 1)
            colour = "31,111,178" if index == other else "194,59,34"
            fill = f"rgba({colour},{min(1.0, share if index == other else 4 * share) * 0.75:.2f})"
            x, y = left + other * cell_x, top + index * cell_y
            parts.append(f'<rect x="{x}" y="{y}" width="{cell_x}" height="{cell_y}" fill="{fill}" stroke="{GREY}"/>')
            if count:
                parts.append(_text(x + cell_x / 2, y + cell_y * 0.7, str(count), 13, anchor="middle"))
    return "".join(parts)
