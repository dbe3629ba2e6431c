"""What a camera shows of its table, what each clause needs, and whether the one is enough for the other.

Clauses are read by their headers: also those that this version does not judge yet are told whether the view would do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.tablefile import Table
from faults import Fault
from pitwatch.judging import clause_list, pack_limit
from pitwatch.precision import LACE, Measure, decides_text, error_text, lace_is_seen, measure_of
from rules.clause import Clause
from vision.fits import refuse_unfit

#: An index is 6 to 12 mm high and is read from 8 pixels on: sure up to here, ...
RANK_SURE_MM_PER_PX = 0.8
#: ... and, over many frames of one card, for most cards up to here. Beyond, the reader mostly says "unsure".
RANK_AT_BEST_MM_PER_PX = 0.9
#: Face or back, and in which zone, takes 15 to 20 pixels across a card's 63 mm.
CARD_MM_PER_PX = 3.0
#: Clauses whose verdict rests on the first card's rank; the others ask only for face, back and place.
NEED_RANK = frozenset({"PA-629a.5(f)-value", "PA-629a.5(f)-count"})
#: Between these the first card is shown; a rank is looked for there whatever zones the clause itself names.
READ_AT = ("shoe", "discard")
#: Where a stack is worked on, for a clause whose header names no zone.
WORKED_AT = "shuffle"
#: Kinds of event that tell who sits where.
SEATS = {"seat.occupy"}
ENOUGH, AT_LIMIT, TOO_COARSE = "yes", "at the limit", "no"


@dataclass(frozen=True, slots=True)
class Legible:
    """Whether what a clause looks at is big enough: the coarsest place it needs, and what it may be at most."""

    zone: str
    mm_per_px: float
    limit_mm_per_px: float
    enough: str


def cautions(table: Table) -> Iterator[str]:
    """What somebody should look at before he relies on this table file."""
    if table.calibration.is_mirrored:
        yield (
            "Careful: by the calibration, the picture shows the table as in a mirror. Unless the camera is set to flip "
            "its picture, left and right were taken from the players' side."
        )
    try:
        refuse_unfit(table)
    except Fault as fault:
        yield f"Careful: no recording can be reviewed with this table file. {fault}"


def preflight_lines(table: Table) -> Iterator[str]:
    """The tables of zones and of clauses, line by line."""
    calibration, camera = table.calibration, table.camera
    yield f"Table {table.table}, {table.game.pack}: {camera.width_px} x {camera.height_px} pixels"
    yield f"Places on the felt are known to {calibration.error_mm:.1f} mm (95 %)."
    yield from cautions(table)
    yield ""
    yield f"{'zone':<16} {'mm/px':>6}  in the picture"
    for name in table.layout.zones_mm:
        yield f"{name:<16} {coarsest_mm_per_px(table, name):>6.2f}  {_in_picture(table, name)}"
    yield ""
    yield from _clause_table(table, clause_list(table.game.pack))
    yield ""
    yield f"A rank is read up to {RANK_SURE_MM_PER_PX} mm/px, and for most cards up to {RANK_AT_BEST_MM_PER_PX};"
    yield f"face, back and place are told up to {CARD_MM_PER_PX} mm/px. Both are for a sharp picture in good light."
    yield ""
    yield from _error_table(table, clause_list(table.game.pack))


def coarsest_mm_per_px(table: Table, zone: str) -> float:
    """Millimetres of felt under one pixel where the zone is seen worst; NaN if the camera sees none of it."""
    scales = table.calibration.scales_mm_per_px(table.layout.zones_mm[zone])
    return float("nan") if np.isnan(scales).all() else float(np.nanmax(scales))


def legibility(table: Table, clause: Clause) -> Legible | None:
    """Whether this view is fine enough for the clause; None if it needs no zone that the table file has."""
    zones = dict.fromkeys((*clause.needs.zones, *(READ_AT if clause.id in NEED_RANK else ())))
    scales = {zone: coarsest_mm_per_px(table, zone) for zone in zones if zone in table.layout.zones_mm}
    seen = {zone: scale for zone, scale in scales.items() if not np.isnan(scale)}
    if not seen:
        return None
    zone = max(seen, key=lambda name: seen[name])
    sure, at_best = (
        (RANK_SURE_MM_PER_PX, RANK_AT_BEST_MM_PER_PX) if clause.id in NEED_RANK else (CARD_MM_PER_PX, CARD_MM_PER_PX)
    )
    enough = ENOUGH if seen[zone] <= sure else AT_LIMIT if seen[zone] <= at_best else TOO_COARSE
    return Legible(zone, seen[zone], at_best, enough)


def _clause_table(table: Table, clauses: Sequence[Clause]) -> Iterator[str]:
    yield f"{'clause':<28} {'mm/px':>6} {'limit':>6}  {'fine enough':<12}  decidable"
    for clause in clauses:
        legible = legibility(table, clause)
        if legible is None:
            cells = f"{'-':>6} {'-':>6}  {'-':<12}"
        else:
            cells = f"{legible.mm_per_px:>6.2f} {legible.limit_mm_per_px:>6.2f}  {legible.enough:<12}"
        yield f"{clause.id:<28} {cells}  {_decidable(table, clause, legible)}"


def _error_table(table: Table, clauses: Sequence[Clause]) -> Iterator[str]:
    """What is measured, how well at this view, and what that decides."""
    yield "The error to be expected of each measurement, where the stack is worked on:"
    for clause in clauses:
        measure, scale = measure_of(clause.id), _measured_at(table, clause)
        if measure is None:
            continue
        if scale is None:
            yield f"{clause.id:<28} {measure.what}: its zone is not in the picture"
            continue
        yield f"{clause.id:<28} {measure.what}: {error_text(measure, scale)}"
        decides = decides_text(measure, scale, _limit(table, measure))
        if decides:
            yield f"{'':<28} {decides}"
    yield "For the edge of a standing stack in a sharp picture; blur and looseness widen a review's own interval."


def _measured_at(table: Table, clause: Clause) -> float | None:
    """Millimetres per pixel where a clause's stack is worked on; None if that is not seen."""
    zones = [zone for zone in clause.needs.zones or (WORKED_AT,) if zone in table.layout.zones_mm]
    scales = [coarsest_mm_per_px(table, zone) for zone in zones]
    seen = [scale for scale in scales if not np.isnan(scale)]
    return max(seen) if seen else None


def _limit(table: Table, measure: Measure) -> float | None:
    return None if measure.limit is None else pack_limit(table.game.pack, measure.limit)


def _decidable(table: Table, clause: Clause, legible: Legible | None) -> str:
    """Whether this clause can be decided with this table file at this view, and why not."""
    said = _by_view(table, clause, legible)
    return said if clause.judged else f"not judged by this version; the view: {said}"


def _by_view(table: Table, clause: Clause, legible: Legible | None) -> str:
    """Whether view and inputs are enough for this clause, and why not."""
    lacking = _lacking(table, clause)
    if lacking:
        return "cannot be decided: " + "; ".join(lacking)
    if legible is not None and legible.enough == TOO_COARSE:
        return _too_coarse(clause, legible)
    if legible is not None and legible.enough == AT_LIMIT:
        return "for most cards; a rank that cannot be read leaves it not observed"
    return _by_measure(table, clause) or f"needs {clause.needs.text()}: given"


def _by_measure(table: Table, clause: Clause) -> str:
    """What the measurement that a clause rests on can decide; "" if it rests on none, or on one without a limit."""
    measure, scale = measure_of(clause.id), _measured_at(table, clause)
    if measure is None or scale is None:
        return ""
    if measure.how == LACE:
        return "" if lace_is_seen(scale) else "not to be relied on: lacing is too fine to be told from a squared edge"
    return decides_text(measure, scale, _limit(table, measure))


def _lacking(table: Table, clause: Clause) -> list[str]:
    """What the clause needs and the table file does not give."""
    missing = [zone for zone in clause.needs.zones if zone not in table.layout.zones_mm]
    outside = [zone for zone in clause.needs.zones if zone not in missing and _in_picture(table, zone) != "whole"]
    silent = [name for name in clause.needs.signals if name not in table.inputs.signals]
    unseen = _unseen_seats(table) if set(clause.needs.events) >= SEATS else []
    return [
        *(f"no zone {zone} in the table file" for zone in missing),
        *([f"who sits at {', '.join(unseen)} is not seen"] if unseen else []),
        *(f"zone {zone} is not wholly in the picture" for zone in outside),
        *(f"nothing sends the signal {name}" for name in silent),
    ]


def _unseen_seats(table: Table) -> list[str]:
    """The seats that are not in the picture at all, or not in the table file."""
    seats = [f"seat:{number}" for number in table.layout.seats]
    return [seat for seat in seats if seat not in table.layout.zones_mm or _in_picture(table, seat) == "no"]


def _too_coarse(clause: Clause, legible: Legible) -> str:
    """A card may still be read by luck: the review goes by what it read, and this view gives no right to expect it."""
    what = "the rank of the first card" if clause.id in NEED_RANK else "face or back of a card"
    return f"not to be relied on: {what} is too small to be read surely at {legible.zone}"


def _in_picture(table: Table, zone: str) -> str:
    """Whether a zone's corners lie in the picture."""
    px = table.calibration.to_pixels(table.layout.zones_mm[zone])
    size = np.array([table.camera.width_px, table.camera.height_px])
    inside = np.all((px >= 0) & (px < size), axis=1)
    return "whole" if inside.all() else "in part" if inside.any() else "no"
