"""The findings of a shoe change: hand-written rows of its variant's table at the choreography's moments."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sample_videos.studio.choreography.change_plan import ChangePlan

TABLES_DIR = Path(__file__).parent / "variants" / "change"
#: The rows of 629a.5 that are not about the burn, in the order of the text.
CHANGE_CLAUSES = tuple(
    f"PA-629a.5{part}"
    for part in (
        "(a)-shuffle", "(a)-intermix", "(a)-feather", "(b)-offer", "(b)-backs", "(b)-first", "(b)-rotation",
        "(b)-dealercut", "(c)-covercard", "(c)-depth", "(d)-movepacket", "(d)-movecover", "(d)-second",
        "(d)-seconddepth", "(d)-order", "(d)-shoe", "(e)-recut", "(e)-who", "(e)-load",
    )
)  # fmt: skip
#: Which of them an episode reaches; a whole shoe change reaches all whose occasion comes up.
REACHED = {
    "shuffle_end": ("feather",),
    "cut": ("offer", "backs", "first", "rotation", "dealercut", "covercard", "depth", "movepacket", "movecover"),
    "second_cover": ("movepacket", "movecover", "second", "seconddepth", "order"),
    "load": ("shoe",),
    "shoe_change": tuple(clause.rsplit("-", 1)[1] for clause in CHANGE_CLAUSES),
}
Row = dict[str, Any]
Event = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reach:
    """What of a shoe change the scene shows, and how."""

    change: ChangePlan
    mm_per_px: float
    seats_in_view: bool


def change_table(reach: Reach) -> dict[str, Row]:
    """The rows of the variant's table that the scene reaches, by clause, each with `act`, `accept` and `why`."""
    rows = {k: dict(v) for k, v in _read("in_order").items() if isinstance(v, dict)}
    for part in reach.change.variant.split("+"):
        table = _read(part)
        rows |= {k: dict(v) for k, v in table.items() if isinstance(v, dict)}
        for clause in table.get("without", ()):
            rows.pop(clause, None)
    reached = {c: rows[c] for c in CHANGE_CLAUSES if c in rows and c.rsplit("-", 1)[1] in REACHED[reach.change.kind]}
    if not reach.seats_in_view:
        _widen(reached, _read("seats_out_of_view"))
    for row in reached.values():
        _band(row, reach)
    return reached


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((TABLES_DIR / f"{name}.toml").read_text(encoding="utf-8"))


def _widen(rows: dict[str, Row], by: dict[str, Any]) -> None:
    for clause, change in by.items():
        if isinstance(change, dict) and clause in rows:
            have = rows[clause]["accept"]
            rows[clause]["accept"] = [*have, *(verdict for verdict in change["also"] if verdict not in have)]


def _band(row: Row, reach: Reach) -> None:
    """Where the view cannot tell the number from the limit, "indeterminate" is right as well."""
    name = row.pop("bands", None)
    change = reach.change
    if name is None:
        return
    if name == "depth":
        assert change.cut is not None
        cards = min(change.depth(cut)[0] for cut in (change.cut, change.recut) if cut is not None)
    else:
        assert change.second is not None
        cards = change.second.below
    band = next(b for b in _read("bands")[name] if b["mm_per_px"] >= reach.mm_per_px * 0.98)
    certain = cards >= band["compliant_from"] if row["act"] == "obeyed" else cards <= band["violation_to"]
    if not certain and "indeterminate" not in row["accept"]:
        row["accept"] = [*row["accept"], "indeterminate"]


# -- occasions --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Occasion:
    """One time that a clause can be obeyed or breached."""

    clause: str
    t_us: int
    end_us: int
    events: tuple[str, ...] = ()
    measured: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Course:
    """The truth's events by kind, the moments, and when the scene ends."""

    events: tuple[Event, ...]
    moments: dict[str, int]
    end_us: int

    def of(self, kind: str) -> list[Event]:
        """The events of a kind, in order."""
        return [event for event in self.events if event["kind"] == kind]

    def moment(self, *names: str) -> int:
        """The first of the moments that came."""
        return next((self.moments[name] for name in names if name in self.moments), self.end_us)


def occasions(course: Course) -> list[Occasion]:
    """All occasions of the nineteen clauses that come up, in the order of the text."""
    found: list[Occasion] = []
    for clause in CHANGE_CLAUSES:
        found += [
            Occasion(clause, start, max(start, end), tuple(e["id"] for e in events), measured)
            for start, end, events, measured in FIND[clause.rsplit("-", 1)[1]](course)
        ]
    return found


Found = list[tuple[int, int, list[Event], dict[str, Any] | None]]


def _shuffle(c: Course) -> Found:
    done = [e for e in c.events if e["kind"].startswith("shuffle.")]
    offered = c.of("stack.present")
    end = c.moment("shuffled") if done else offered[0]["t_us"] if offered else c.moment("cut", "open")
    return [(0, end, done, None)]


def _feather(c: Course) -> Found:
    ends, squared = c.of("shuffle.end"), c.of("stack.square")
    if not ends or "feathered" not in ends[0]["facts"]:
        return _shuffle(c)
    end = next((e["t_us"] for e in squared if e["t_us"] >= ends[0]["end_us"]), c.moment("looked"))
    share = ends[0]["facts"]["feathered"]
    return [(ends[0]["t_us"], end, ends, _measured(share, "fraction of the stack", 1.0))]


def _measured(value: float, unit: str, limit: float) -> dict[str, Any]:
    return {"value": value, "low": value, "high": value, "unit": unit, "limit": limit}


def _offer(c: Course) -> Found:
    offers, start = c.of("stack.present"), c.moments.get("shuffled", 0)
    end = offers[0]["end_us"] if offers else c.moment("cut", "open")
    return [(offers[0]["t_us"] if offers else start, end, offers[:1], None)]


def _first(c: Course) -> Found:
    return [(e["t_us"], e["end_us"], [e], None) for e in c.of("stack.present")[:1]]


def _rotation(c: Course) -> Found:
    offers = [e for e in c.of("stack.present") if e["end_us"] <= c.moment("cut", "open")]
    if len(offers) < 2:
        return []
    return [(offers[0]["t_us"], offers[-1]["end_us"], offers, None)]


def _dealercut(c: Course) -> Found:
    offers, cuts = c.of("stack.present"), c.of("cut.insert")[:1]
    start = offers[-1]["end_us"] if offers else c.moments.get("shuffled", 0)
    return [(start, cuts[0]["end_us"] if cuts else c.moment("open"), cuts, None)]


def _cuts(c: Course) -> Found:
    by_hand = [e for e in c.of("packet.move") if e["facts"]["actor"] != "dealer"]
    return [(e["t_us"], e["end_us"], [e], None) for e in (*c.of("cut.insert"), *by_hand)]


def _depth(c: Course) -> Found:
    return [
        (e["t_us"], e["end_us"], [e], _measured(e["facts"]["depth_cards"], "cards", 10)) for e in c.of("cut.insert")
    ]


def _moved(c: Course) -> Found:
    moves = c.of("packet.move")
    if moves:
        return [(e["t_us"], e["end_us"], [e], None) for e in moves]
    return [(c.moment("cut"), c.moment("open"), c.of("cut.insert"), None)]


def _second(c: Course) -> Found:
    seconds = c.of("cover.insert")
    if seconds:
        return [(e["t_us"], e["end_us"], [e], None) for e in seconds]
    return [(c.moment("packet", "cut"), c.moment("open"), [], None)]


def _seconddepth(c: Course) -> Found:
    return [
        (e["t_us"], e["end_us"], [e], _measured(e["facts"]["above_bottom_cards"], "cards", 14))
        for e in c.of("cover.insert")
    ]


def _order(c: Course) -> Found:
    both = sorted([*c.of("packet.move")[-1:], *c.of("cover.insert")], key=lambda e: e["t_us"])
    return [(both[0]["t_us"], both[-1]["end_us"], both, None)] if both else []


def _shoe(c: Course) -> Found:
    return [(c.moment("second", "packet", "cut") if "cut" in c.moments else e["t_us"], e["end_us"], [e], None)
            for e in c.of("shoe.load")]  # fmt: skip


def _recut(c: Course) -> Found:
    again = c.of("cut.insert")[1:]
    end = again[0]["end_us"] if again else c.moment("open")
    return [(c.moments["recut_ordered"], end, again, None)] if "recut_ordered" in c.moments else []


def _who(c: Course) -> Found:
    return [(e["t_us"], e["end_us"], [e], None) for e in c.of("cut.insert")[1:2]]


def _load(c: Course) -> Found:
    again = c.of("cut.insert")[1:]
    return [(again[0]["end_us"], e["end_us"], [e], None) for e in c.of("shoe.load")] if again else []


FIND: dict[str, Callable[[Course], Found]] = {
    "shuffle": _shuffle, "intermix": _shuffle, "feather": _feather, "offer": _offer, "backs": _first,
    "first": _first, "rotation": _rotation, "dealercut": _dealercut, "covercard": _cuts, "depth": _depth,
    "movepacket": _moved, "movecover": _moved, "second": _second, "seconddepth": _seconddepth, "order": _order,
    "shoe": _shoe, "recut": _recut, "who": _who, "load": _load,
}  # fmt: skip


def change_findings(reach: Reach, course: Course) -> list[dict[str, Any]]:
    """The findings in the contract's form, without table and pack, in the order of the text."""
    rows = change_table(reach)
    return [
        {
            "clause": found.clause,
            "citation": f"58 Pa. Code § {found.clause[3:].rsplit('-', 1)[0]}",
            "verdict": rows[found.clause]["accept"][0],
            "t_us": found.t_us,
            "end_us": found.end_us,
            "measured": found.measured,
            "exception": None,
            "corrected": bool(rows[found.clause].get("corrected", False)),
            "events": list(found.events),
            "act": rows[found.clause]["act"],
            "accept": rows[found.clause]["accept"],
            "explanation": rows[found.clause]["why"],
        }
        for found in occasions(course)
        if found.clause in rows
    ]
