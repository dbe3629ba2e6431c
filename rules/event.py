"""Procedure events: what the dealer did, in the words of the regulation.

This is the one module of `rules` that `vision` may import. Events are frozen plain values; each is one line of
JSON. Times are integer microseconds of the source's timeline, places are zone names.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from faults import Fault, InputFault

Plain = Any  # a JSON value: str, int, float, bool, None, or lists and objects of them

#: Every kind of event, with the facts it may carry (a fact `x` may come with `x_low` and `x_high`, 95 %).
KINDS: Mapping[str, frozenset[str]] = {
    kind: frozenset(facts.split())
    for kind, facts in {
        "shuffle.wash": "packets device",
        "shuffle.riffle": "packets device",
        "shuffle.strip": "packets device",
        "shuffle.device": "packets device",
        "shuffle.end": "method feathered stacks unmixed_cards",
        "stack.square": "on_cover zone",
        "stack.place": "on_cover zone",
        "stack.present": "seat backs_away outcome",
        "cut.insert": "actor depth_cards from",
        "packet.move": "actor cards with_cover_card to left_behind_cards",
        "cover.insert": "which actor from to above_bottom_cards cards_since cards_left",
        "cover.move": "which actor from to above_bottom_cards cards_since cards_left",
        "cover.remove": "which actor from to above_bottom_cards cards_since cards_left",
        "cover.surface": "which actor from to above_bottom_cards cards_since cards_left",
        "shoe.load": "by seen_share",
        "shoe.empty": "by seen_share",
        "shuffler.load": "back lamp colour",
        "shuffler.eject": "back lamp colour",
        "lamp.read": "back lamp colour",
        "card.draw": "source hand cards card",
        "card.place": "zone hand face rank suit seat cards card",
        "card.burn": "zone face rank suit index cards card hand",
        "card.exposed": "source zone duration_us card rank suit",
        "deck.hold": "hand zone",
        "hand.switch": "hand zone",
        "deck.leave_zone": "hand zone",
        "deck.spread": "back face zone",
        "deck.gather": "back face zone",
        "deck.change": "back face zone",
        "deck.remove": "back face zone",
        "shaker.cycles": "cycles actor covered",
        "shaker.lid": "state actor zone covered",
        "shaker.place": "state actor zone covered",
        "dice.read": "pips total",
        "stack.deliver": "seat order",
        "stub.remove": "cards exposed zone",
        "stub.count": "cards exposed zone",
        "stub.rack": "cards exposed zone",
        "rack.empty": "cards exposed zone",
        "hand.collect": "seat to",
        "bet.change": "seat spot delta from to chips",
        "chips.move": "seat spot delta from to chips",
        "seat.occupy": "seat",
        "seat.leave": "seat",
        "equipment.pose": "what x_mm y_mm angle_deg",
        "round.start": "round",
        "round.end": "round",
        "dealer.change": "round",
        "signal": "name value",
        "view.lost": "zone cause",
        "view.back": "zone cause",
        "camera.moved": "zone cause",
    }.items()
}


@dataclass(frozen=True, slots=True)
class Event:
    """One act or state at the table.

    `t_us`..`end_us` is the whole motion; a state has both equal. `facts` holds plain JSON values only.
    """

    id: str
    table: str
    kind: str
    t_us: int
    end_us: int
    facts: Mapping[str, Plain] = field(default_factory=dict, hash=False)
    confidence: float = 1.0

    def to_json(self) -> str:
        """One line of JSON, keys in the contract's order."""
        return json.dumps(
            {
                "id": self.id,
                "table": self.table,
                "kind": self.kind,
                "t_us": self.t_us,
                "end_us": self.end_us,
                "facts": dict(self.facts),
                "confidence": round(self.confidence, 4),
            },
            ensure_ascii=False,
        )


def _is_fact(kind: str, name: str) -> bool:
    """True if `name` is a fact of `kind`, or the bound of one."""
    return name in KINDS[kind] or name.removesuffix("_low").removesuffix("_high") in KINDS[kind]


def event_from_json(text: str, where: str) -> Event:
    """The event on one line of JSON.

    Raises:
        InputFault: the line is not a JSON object, or lacks a required key, or has a time that is no integer.
        Fault: its kind is unknown.
    """
    try:
        raw = json.loads(text)
        event = Event(
            id=str(raw["id"]),
            table=str(raw["table"]),
            kind=str(raw["kind"]),
            t_us=_whole(raw["t_us"]),
            end_us=_whole(raw.get("end_us", raw["t_us"])),
            facts=dict(raw.get("facts") or {}),
            confidence=float(raw.get("confidence", 1.0)),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise InputFault(
            "not an event",
            where=where,
            why=f"{type(error).__name__}: {error}",
            todo='Each line is {"id", "table", "kind", "t_us", "end_us", "facts", "confidence"}.',
        ) from error
    if event.kind not in KINDS:
        raise Fault(
            f"unknown kind of event {event.kind!r}",
            where=where,
            why="the rules know the kinds listed by 'pitwatch clauses --events'",
            todo="Correct the name, or leave the line out.",
        )
    return event


def _whole(value: object) -> int:
    """`value` as an integer of microseconds; refuses booleans and fractions."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"a time is an integer of microseconds, found {value!r}")
    return value


def read_events(path: Path) -> Iterator[Event]:
    """The events of a JSON-lines file, in file order; blank lines are skipped."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputFault(
            "cannot read the events", where=str(path), why=str(error), todo="Check the path and that it is UTF-8 text."
        ) from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield event_from_json(line, f"{path}:{number}")


def write_events(path: Path, events: Iterable[Event]) -> None:
    """Writes events as JSON lines."""
    path.write_text("".join(event.to_json() + "\n" for event in events), encoding="utf-8")
