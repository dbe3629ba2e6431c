"""A measurement drawn over its enlarged picture, as SVG: sharp at any size, and legible in black and white."""

from __future__ import annotations

import base64
import math
from collections.abc import Iterator, Sequence
from html import escape

from pitwatch.closeup import CloseUp
from pitwatch.ink import INK, Sheet, badge, stroke, word
from pitwatch.marks import CARD, COVER, END, Line, Marks, Px, Spot
from pitwatch.ruler import Reading, ruler_of
from pitwatch.rulerdrawing import RED, RulerDrawing

#: Ink for an end of a stack, for a cover card, and for the rest; all stand on a white halo.
COLOURS = {END: "#0b4f9e", COVER: RED}
#: A dash for each, since colour is lost in print.
DASH = {END: "", COVER: "7 4"}
TICK, LETTER_WIDTH, LINE_HEIGHT = 14.0, 7.4, 15.0
#: Spans of the scale bar, in millimetres.
BARS_MM = (1, 2, 5, 10, 20, 50, 100, 200, 500)


def drawing(
    view: CloseUp, width: float, marks: Marks, reading: Reading, mm_per_px: float | None, *, counted: bool
) -> str:
    """The picture with its marks, `width` units wide, and with a ruler of cards if `counted`: SVG text."""
    sheet = Sheet(view.window, width)
    named = [line for line in marks.lines if line.role != CARD]
    parts = [
        f'<svg viewBox="0 0 {width:.0f} {sheet.height:.0f}" class="closeup" role="img" '
        f'aria-label="{escape(reading.what)}">',
        _hatch(),
        f'<image href="data:image/jpeg;base64,{base64.b64encode(view.jpeg).decode()}" width="{width:.0f}" '
        f'height="{sheet.height:.1f}" preserveAspectRatio="none"/>',
        *(part for polygon in marks.polygons for part in _polygon(sheet, polygon, reading.outline)),
        *(part for line in named for part in _line(sheet, line)),
        *_labels(sheet, named),
        *_numbered(sheet, marks.of_role(CARD), reading.limit),
        *_spots(sheet, marks.points, reading.limit),
    ]
    ruler = ruler_of(marks, reading) if counted else None
    if ruler is not None:
        parts += RulerDrawing(sheet, ruler, reading).parts()
    if mm_per_px is not None:
        parts += _scale_bar(sheet, mm_per_px)
    return "".join([*parts, "</svg>"])


def _hatch() -> str:
    return (
        '<defs><pattern id="squared" width="8" height="8" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><line x1="0" y1="0" x2="0" y2="8" stroke="#fff" stroke-width="3.4"/>'
        f'<line x1="0" y1="0" x2="0" y2="8" stroke="{INK}" stroke-width="1.6"/></pattern></defs>'
    )


def _polygon(sheet: Sheet, corners: Sequence[Px], name: str) -> Iterator[str]:
    places = [sheet.at(corner) for corner in corners]
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    yield f'<polygon points="{points}" fill="none" stroke="#fff" stroke-width="5"/>'
    yield f'<polygon points="{points}" fill="url(#squared)" fill-opacity="0.55" stroke="{INK}" stroke-width="2"/>'
    if name:
        at = max(x for x, _ in places) + 8, sum(y for _, y in places) / len(places) + 5
        yield word(at, name)


def _line(sheet: Sheet, line: Line) -> Iterator[str]:
    """Thin across the thing itself, which must stay visible, and thick beyond both its ends."""
    start, stop = sheet.at(line.start), sheet.at(line.stop)
    length = math.dist(start, stop) or 1.0
    ux, uy = (stop[0] - start[0]) / length, (stop[1] - start[1]) / length
    colour, dash = COLOURS.get(line.role, INK), DASH.get(line.role, "2 4")
    yield stroke(start, stop, "#fff", 3.0, opacity=0.55)
    yield stroke(start, stop, colour, 1.2, dash=dash)
    for end, way in ((start, -1.0), (stop, 1.0)):
        out = end[0] + way * ux * TICK, end[1] + way * uy * TICK
        yield stroke(end, out, "#fff", 6.0)
        yield stroke(end, out, colour, 3.2)


def _labels(sheet: Sheet, lines: Sequence[Line]) -> Iterator[str]:
    """The lines' labels at their left or upper ends, the ruler standing on the other side; none over another."""
    last_y = float("-inf")
    for line in sorted(lines, key=lambda each: sheet.at(each.middle)[1]):
        start, stop = sheet.at(line.start), sheet.at(line.stop)
        level = abs(start[0] - stop[0]) >= abs(start[1] - stop[1])
        x, y = min(start, stop, key=lambda place: place[0] if level else place[1])
        if not line.label or not -TICK < y < sheet.height + TICK:
            continue
        colour = COLOURS.get(line.role, INK)
        if not level:
            yield word((x, max(y - TICK - 6, 16)), line.label, colour, anchor="middle")
            continue
        room = x - TICK - 6
        outside = room >= LETTER_WIDTH * len(line.label)
        place_y = max(y + (5 if outside else -6), last_y + LINE_HEIGHT)
        last_y = place_y
        yield word((room if outside else 8.0, place_y), line.label, colour, anchor="end" if outside else "start")


def _numbered(sheet: Sheet, lines: Sequence[Line], limit: float | None) -> Iterator[str]:
    """The edges of cards of a ribbon, thin, their numbers by turns at either end."""
    for number, line in enumerate(lines):
        start, stop = sheet.at(line.start), sheet.at(line.stop)
        yield stroke(start, stop, "#fff", 2.6, opacity=0.6)
        yield stroke(start, stop, INK, 0.9)
        yield badge(stop if number % 2 else start, line.label, dark=limit is not None and line.label == f"{limit:g}")


def _spots(sheet: Sheet, spots: Sequence[Spot], limit: float | None) -> Iterator[str]:
    """Numbered points, their numbers by turns on either side of the row that they form."""
    places = [sheet.at(spot.at) for spot in spots]
    sideways = _across(places)
    for number, (spot, (x, y)) in enumerate(zip(spots, places, strict=True)):
        asked = limit is not None and spot.label == f"{limit:g}"
        way = 19.0 if number % 2 else -19.0
        at = x + way * sideways[0], y + way * sideways[1]
        yield stroke((x, y), at, "#fff", 2.4)
        yield stroke((x, y), at, INK, 1.0)
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{INK}" stroke="#fff" stroke-width="1.2"/>'
        if spot.label:
            yield badge(at, spot.label, dark=asked)


def _across(places: Sequence[Px]) -> Px:
    """The unit direction across a row of places."""
    if len(places) < 2:
        return 0.0, 1.0
    dx, dy = places[-1][0] - places[0][0], places[-1][1] - places[0][1]
    length = math.hypot(dx, dy)
    return (-dy / length, dx / length) if length else (0.0, 1.0)


def _scale_bar(sheet: Sheet, mm_per_px: float) -> Iterator[str]:
    """A bar of a round length on the felt, in the lower right corner."""
    unit_mm = sheet.scale / mm_per_px
    length_mm = max((mm for mm in BARS_MM if mm * unit_mm <= sheet.width * 0.25), default=BARS_MM[0])
    x1, y = sheet.width - 14, sheet.height - 14
    x0 = x1 - length_mm * unit_mm
    for colour, wide in (("#fff", 6.0), (INK, 2.4)):
        yield stroke((x0, y), (x1, y), colour, wide)
    for x in (x0, x1):
        yield stroke((x, y - 5), (x, y + 5), INK, 2.0)
    yield word(((x0 + x1) / 2, y - 8), f"{length_mm} mm", anchor="middle")
