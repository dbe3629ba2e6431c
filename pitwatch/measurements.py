"""The report's figures of measurements: which finding shows which, and what stands under each."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from calibration.tablefile import Table
from pitwatch.closeup import Closeups
from pitwatch.drawings import clock_text
from pitwatch.marks import Marks, marks_of
from pitwatch.overlays import drawing
from pitwatch.ruler import CARDS, Reading, cards_px
from pitwatch.stages import Finding
from rules.event import Event

SHARE = "share"
WIDE, WHOLE, DETAIL = 928.0, 300.0, 608.0
#: A stack that is offered stands on its long edge: what is seen of it from above lies a card's width above the felt.
EDGE_MM = 63.5


@dataclass(frozen=True, slots=True)
class Kind:
    """What an event of a kind measures: the fact, its unit, what it is in words, and what its outlines enclose."""

    fact: str
    unit: str
    what: str
    outline: str = ""


KINDS: Mapping[str, Kind] = {
    "cut.insert": Kind("depth_cards", CARDS, "the depth of the cut: the cards from the cover card to the nearer end"),
    "packet.move": Kind("cards", CARDS, "the packet that was moved: its length against that of the whole stack"),
    "cover.insert": Kind("above_bottom_cards", CARDS, "the cards below the second cover card, counted from the bottom"),
    "cover.surface": Kind("cards_left", CARDS, "the cards left in the shoe when the cover card came out of it"),
    "shuffle.end": Kind("feathered", SHARE, "the share of the stack's length that was left laced", "squared"),
    "stack.square": Kind("feathered", SHARE, "the part of the stack that was squared", "squared"),
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One measurement as the page shows it."""

    id: str
    views: tuple[Markup, ...]
    where: str
    box: tuple[float, float, float, float]  # left, top, width, height of the close-up in the whole frame, in per cent
    title: str
    caption: str


def owners(findings: Sequence[Finding], events: Sequence[Event]) -> dict[str, str]:
    """For each event that carries marks the id of the finding that shows it: the first that measured, or the first.

    An event that no finding rests on is shown nowhere.
    """
    marked = {event.id for event in events if marks_of(event) is not None}
    shown: dict[str, str] = {}
    for finding in sorted(findings, key=lambda f: not f.get("measured")):
        for event_id in finding.get("events") or ():
            if event_id in marked:
                shown.setdefault(str(event_id), str(finding["id"]))
    return shown


def reading_of(event: Event, finding: Finding | None, cards: int) -> Reading:
    """What an event's picture shows, with the limit of the finding that rests on it if it is of the same unit."""
    kind = KINDS.get(event.kind, Kind("", "", f"what '{event.kind}' was told from"))
    facts = event.facts
    value, low, high = (_number(facts.get(f"{kind.fact}{end}")) for end in ("", "_low", "_high"))
    measured = (finding or {}).get("measured") or {}
    fits = measured.get("unit") == kind.unit or (kind.unit == SHARE and measured.get("unit") in ("", "share", None))
    limit = _number(measured.get("limit")) if measured and fits else None
    return Reading(kind.what, kind.unit, value, low, high, limit, kind.outline, cards)


def figure(event: Event, closeups: Closeups | None, finding: Finding | None, table: Table) -> Figure | None:
    """The figure of one event; None if it carries no marks, or its frame could not be read again."""
    marks = marks_of(event)
    if marks is None or closeups is None:
        return None
    reading = reading_of(event, finding, table.game.cards)
    several = len(closeups.views) > 1
    views = [
        drawing(
            view,
            DETAIL if view.detail else WHOLE if several else WIDE,
            marks,
            reading,
            closeups.mm_per_px,
            counted=view.detail or not several,
        )
        for view in closeups.views
    ]
    window = closeups.views[0].window
    box = (
        100 * (window.x0 + 0.5) / closeups.width_px,
        100 * (window.y0 + 0.5) / closeups.height_px,
        100 * window.width / closeups.width_px,
        100 * window.height / closeups.height_px,
    )
    where = "data:image/jpeg;base64," + base64.b64encode(closeups.where).decode()
    caption = " ".join(_caption(marks, reading, closeups, table, several))
    drawn = tuple(Markup(view) for view in views)  # overlays escapes every word of the events
    return Figure(event.id, drawn, where, box, f"Measured: {reading.what}", caption)


def _caption(marks: Marks, reading: Reading, closeups: Closeups, table: Table, several: bool) -> Iterator[str]:
    """What was measured, how much it is, and how fine the picture is."""
    yield f"Frame at {clock_text(marks.t_us)} ({marks.t_us / 1e6:.2f} s)."
    yield number_text(reading)
    if several:
        yield "Left: the whole of it; right: the end at which it was measured, with a ruler of cards beside it."
    if marks.numbered:
        yield f"{marks.numbered} cards are numbered" + (", the one asked for on black." if reading.limit else ".")
    if marks.polygons and reading.outline:
        yield f"Hatched: what is {reading.outline}."
    card_px = cards_px(marks, reading)
    if card_px is not None:
        yield f"One card is {card_px:.2g} pixels of the recording."
    if closeups.mm_per_px is not None:
        yield f"Scale on the felt: {closeups.mm_per_px:.2f} mm to a pixel; {_higher(table)}."


def _higher(table: Table) -> str:
    """What the scale of the felt is worth for what stands above it."""
    camera = table.calibration.camera_mm
    if camera is None or camera[2] <= 2 * EDGE_MM:
        return "what stands higher appears larger"
    larger = 100 * (camera[2] / (camera[2] - EDGE_MM) - 1)
    return f"the edge of a standing stack, {EDGE_MM:g} mm higher, appears {larger:.1f} % larger"


def number_text(reading: Reading) -> str:
    """The number with its interval beside its limit, in words."""
    if reading.value is None and (reading.low is None or reading.high is None):
        return "No number was measured."
    if reading.low is None or reading.high is None or reading.low == reading.high:
        said = f"Measured {_amount(reading.value if reading.value is not None else reading.low, reading.unit)}"
    elif reading.value is None:
        said = f"Measured {_amount(reading.low, '')} to {_amount(reading.high, reading.unit)}"
    else:
        span = f"{_amount(reading.low, '', reading.unit)} to {_amount(reading.high, '', reading.unit)}"
        said = f"Measured {_amount(reading.value, reading.unit)} (95 %: {span})"
    return said + (f"; the Code asks for {_amount(reading.limit, reading.unit)}." if reading.limit is not None else ".")


def _amount(number: float | None, unit: str, scale: str = "") -> str:
    if number is None:
        return "?"
    if SHARE in (unit, scale):
        return f"{100 * number:.0f}{' %' if unit else ''}"
    return f"{round(number, 1):g}{' ' + unit if unit else ''}"


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
