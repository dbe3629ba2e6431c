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
from rules.facts import LONGEST_US, YEAR_US, fact_fault, signal_fault

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
        InputFault: the line is not a JSON object, lacks a required key, or holds a value of another kind.
        Fault: its kind is unknown.
    """
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _no_event(where, f"no JSON: {error}") from error
    if not isinstance(raw, dict):
        raise _no_event(where, f"found {text[:40]}")
    event = Event(
        id=_text(raw, "id", where),
        table=_text(raw, "table", where),
        kind=_text(raw, "kind", where),
        t_us=_time(raw, "t_us", where),
        end_us=_time(raw, "end_us" if "end_us" in raw else "t_us", where),
        facts=_facts(raw, where),
        confidence=_confidence(raw, where),
    )
    if event.end_us < event.t_us:
        raise _no_event(where, f"end_us {event.end_us} is before t_us {event.t_us}")
    if event.kind not in KINDS:
        raise Fault(
            f"unknown kind of event {event.kind!r}",
            where=where,
            why="the rules know the kinds listed by 'pitwatch clauses --events'",
            todo="Correct the name, or leave the line out.",
        )
    return event


def _no_event(where: str, why: str) -> InputFault:
    return InputFault(
        "not an event",
        where=where,
        why=why,
        todo='Each line is {"id", "table", "kind", "t_us", "end_us", "facts", "confidence"}.',
    )


def _text(raw: Mapping[str, Plain], key: str, where: str) -> str:
    value = raw.get(key)
    if not isinstance(value, str) or not value:
        raise _no_event(where, f"{key}: found {value!r}, expected a text" if key in raw else f"it lacks {key!r}")
    return value


def _time(raw: Mapping[str, Plain], key: str, where: str) -> int:
    """A time as an integer of microseconds; refuses booleans, fractions, and what no recording reaches."""
    value = raw.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        found = f"{key}: found {value!r}" if key in raw else f"it lacks {key!r}"
        raise _no_event(where, f"{found}, expected an integer of microseconds")
    if abs(value) > LONGEST_US:
        raise _no_event(where, f"{key}: {value} is {abs(value) / YEAR_US:.0f} years from the start")
    return value


def _facts(raw: Mapping[str, Plain], where: str) -> dict[str, Plain]:
    """The facts, each of the kind that its name asks for."""
    facts = {} if raw.get("facts") is None else raw["facts"]
    if not isinstance(facts, dict):
        raise _no_event(where, f"facts: found {facts!r:.40}, expected an object")
    for name, value in facts.items():
        expected = fact_fault(name, value)
        if expected is not None:
            raise _no_event(where, f"facts.{name}: found {value!r:.40}, expected {expected}")
    if raw.get("kind") == "signal":
        expected = signal_fault(str(facts.get("name")), facts.get("value"))
        if expected is not None:
            raise _no_event(where, f"signal {facts['name']}: found {facts['value']!r:.40}, expected {expected}")
    return facts


def _confidence(raw: Mapping[str, Plain], where: str) -> float:
    value = raw.get("confidence", 1.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise _no_event(where, f"confidence: found {value!r:.40}, expected a number from 0 to 1")
    return float(value)


def read_events(path: Path) -> Iterator[Event]:
    """The events of a JSON-lines file, in file order; blank lines are skipped.

    Raises:
        InputFault: the file cannot be read, or a line is no event, or its id stands on a line before it.
        Fault: the kind of an event is unknown.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputFault(
            "cannot read the events", where=str(path), why=str(error), todo="Check the path and that it is UTF-8 text."
        ) from error
    lines: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        event = event_from_json(line, f"{path}:{number}")
        if event.id in lines:
            raise InputFault(
                f"the event {event.id!r} twice",
                where=f"{path}:{number}",
                why=f"line {lines[event.id]} has the same id; one act would count as two",
                todo="Leave one of them out, or give it an id of its own.",
            )
        lines[event.id] = number
        yield event


def write_events(path: Path, events: Iterable[Event]) -> None:
    """Writes events as JSON lines."""
    path.write_text("".join(event.to_json() + "\n" for event in events), encoding="utf-8")
