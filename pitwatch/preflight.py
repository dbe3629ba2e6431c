"""What a camera shows of its table, what each clause needs, and whether the one is enough for the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from calibration.tablefile import Table
from pitwatch.judging import clause_list
from rules.clause import Clause

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
ENOUGH, AT_LIMIT, TOO_COARSE = "yes", "at the limit", "no"


@dataclass(frozen=True, slots=True)
class Legible:
    """Whether what a clause looks at is big enough: the coarsest place it needs, and what it may be at most."""

    zone: str
    mm_per_px: float
    limit_mm_per_px: float
    enough: str


def preflight_lines(table: Table) -> Iterator[str]:
    """The tables of zones and of clauses, line by line."""
    calibration, camera = table.calibration, table.camera
    yield f"Table {table.table}, {table.game.pack}: {camera.width_px} x {camera.height_px} pixels"
    yield f"Places on the felt are known to {calibration.error_mm:.1f} mm (95 %)."
    yield ""
    yield f"{'zone':<16} {'mm/px':>6}  in the picture"
    for name in table.layout.zones_mm:
        yield f"{name:<16} {coarsest_mm_per_px(table, name):>6.2f}  {_in_picture(table, name)}"
    yield ""
    yield from _clause_table(table, clause_list(table.game.pack))
    yield ""
    yield f"A rank is read up to {RANK_SURE_MM_PER_PX} mm/px, and for most cards up to {RANK_AT_BEST_MM_PER_PX};"
    yield f"face, back and place are told up to {CARD_MM_PER_PX} mm/px. Both are for a sharp picture in good light."
    yield "The expected error of each measurement at this view is not worked out by this version."


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
        legible = legibility(table, clause) if clause.judged else None
        if legible is None:
            cells = f"{'-':>6} {'-':>6}  {'-':<12}"
        else:
            cells = f"{legible.mm_per_px:>6.2f} {legible.limit_mm_per_px:>6.2f}  {legible.enough:<12}"
        yield f"{clause.id:<28} {cells}  {_decidable(table, clause, legible)}"


def _decidable(table: Table, clause: Clause, legible: Legible | None) -> str:
    """Whether this clause can be decided with this table file at this view, and why not."""
    if not clause.judged:
        return "not judged by this version"
    lacking = _lacking(table, clause)
    if lacking:
        return "cannot be decided: " + "; ".join(lacking)
    if legible is not None and legible.enough == TOO_COARSE:
        return _too_coarse(clause, legible)
    if legible is not None and legible.enough == AT_LIMIT:
        return "for most cards; a rank that cannot be read leaves it not observed"
    return f"needs {clause.needs.text()}: given"


def _lacking(table: Table, clause: Clause) -> list[str]:
    """What the clause needs and the table file does not give."""
    missing = [zone for zone in clause.needs.zones if zone not in table.layout.zones_mm]
    outside = [zone for zone in clause.needs.zones if zone not in missing and _in_picture(table, zone) != "whole"]
    silent = [name for name in clause.needs.signals if name not in table.inputs.signals]
    return [
        *(f"no zone {zone} in the table file" for zone in missing),
        *(f"zone {zone} is not wholly in the picture" for zone in outside),
        *(f"nothing sends the signal {name}" for name in silent),
    ]


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
