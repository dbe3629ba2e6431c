"""Reads the scenario tables that stand beside the clauses: acts in, verdicts out."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import rules
from rules.context import GameContext
from rules.event import Event
from rules.finding import Finding
from rules.judge import judge_events
from rules.pack import Pack
from rules.packs import load_pack

TABLES = Path(rules.__file__).parent / "pa58" / "tables"
US = 1_000_000
PREFIX = "PA-629a.5(f)-"


@dataclass(frozen=True)
class Scenario:
    """One row of a table."""

    name: str
    acts: tuple[str, ...]
    raw: dict[str, Any] = field(compare=False, default_factory=dict)

    @property
    def events(self) -> list[Event]:
        """The events that the acts stand for, in the order of the acts, with ids by number."""
        made: list[Event] = []
        for act in self.acts:
            made += _events(act, made)
        return [replace(event, id=f"E{number:03d}") for number, event in enumerate(made, start=1)]

    @property
    def end_us(self) -> int:
        """The recording's end: that of the last event, unless the row tells."""
        last_us = max(event.end_us for event in self.events)
        return us(self.raw["ends"]) if "ends" in self.raw else last_us

    @property
    def context(self) -> GameContext:
        """The table's game."""
        days = {key: self.raw[key] for key in ("as_of", "recorded_on") if key in self.raw}
        return GameContext("midi-3", "pa58/629a", options=self.raw.get("options", {}), **days)

    @property
    def pack(self) -> Pack:
        """The pack, with the row's first day if it tells one."""
        pack = load_pack("pa58/629a")
        return replace(pack, in_force_from=self.raw["in_force_from"]) if "in_force_from" in self.raw else pack

    def judge(self, events: list[Event] | None = None, pack: Pack | None = None) -> list[Finding]:
        """The findings on the row's events, or on others."""
        return judge_events(
            self.events if events is None else events, self.context, pack or self.pack, end_us=self.end_us
        )

    def of_its_shoe(self, findings: list[Finding]) -> dict[str, Finding]:
        """The findings of the shoe that the row is about, by the clause's short name."""
        loads = sorted(event.end_us for event in self.events if event.kind == "shoe.load")
        loads = loads[:1] if self.raw.get("one_shoe") else loads
        which = self.raw.get("which", 1)
        start_us = loads[which - 1] if len(loads) > 1 else 0
        end_us = loads[which] if which < len(loads) else 10**15
        mine = [f for f in findings if f.clause.startswith(PREFIX) and start_us <= f.t_us < end_us]
        return {f.clause.removeprefix(PREFIX): f for f in mine}

    def departures(self, findings: list[Finding]) -> list[str]:
        """Where the findings depart from the row; empty if nowhere."""
        found = self.of_its_shoe(findings)
        verdicts = self.raw.get("verdicts", {})
        if not verdicts:
            return [f"{name}: {f.verdict}, expected no finding" for name, f in found.items()]
        wrong = [
            f"{name}: {found[name].verdict if name in found else 'no finding'}, expected {verdict}"
            for name, verdict in verdicts.items()
            if name not in found or found[name].verdict != verdict
        ]
        return wrong + list(self._details(found))

    def _details(self, found: dict[str, Finding]) -> Iterator[str]:
        if "count" in self.raw:
            m = found["count"].measured
            numbers = [m.low, m.value, m.high, m.limit] if m else None
            if numbers != self.raw["count"]:
                yield f"count: {numbers}, expected {self.raw['count']}"
        corrected = [name for name, f in found.items() if f.corrected]
        if corrected != self.raw.get("corrected", []):
            yield f"corrected: {corrected}"
        for name, exception in self.raw.get("exceptions", {}).items():
            if found[name].exception != exception:
                yield f"{name}: exception {found[name].exception}"
        for name, text in self.raw.get("says", {}).items():
            if text not in found[name].explanation:
                yield f"{name}: says {found[name].explanation!r}"


def scenarios(file: str) -> list[Scenario]:
    """The rows of a table."""
    rows = tomllib.loads((TABLES / file).read_text(encoding="utf-8"))["scenario"]
    return [Scenario(row["name"], tuple(row["acts"]), row) for row in rows]


def us(seconds: float | str) -> int:
    """Seconds as whole microseconds."""
    return round(float(seconds) * US)


def event(kind: str, start_s: float, end_s: float | None = None, confidence: float = 1.0, **facts: Any) -> Event:
    """An event of the table that the scenarios play at."""
    return Event("", "midi-3", kind, us(start_s), us(start_s if end_s is None else end_s), facts, confidence)


def _events(act: str, before: list[Event]) -> list[Event]:
    words = act.split()
    if words[0][0].isdigit():
        return [_raw(words)]
    at = float(words[-1])
    made: dict[str, Callable[[], list[Event]]] = {
        "load": lambda: [event("shoe.load", at - 2, at, by="dealer")],
        "empty": lambda: [event("rack.empty", at - 1, at, zone="discard", cards=0)],
        "first": lambda: _first(words[1], at),
        "away": lambda: [_away(at, before)],
        "burn": lambda: [e for n in range(int(words[1])) for e in _burn(at + 1.1 * n, n + 1)],
        "hand": lambda: _hand(at),
    }
    return made[words[0]]()


def _first(rank: str, at: float) -> list[Event]:
    facts: dict[str, Any] = {} if rank == "?" else {"rank": rank}
    draw = event("card.draw", at, at + 0.5, source="shoe", hand="left")
    return [draw, event("card.place", at + 1.1, zone="shuffle", face="up", **facts)]


def _away(at: float, before: list[Event]) -> Event:
    lain = [e for e in before if e.kind == "card.place" and e.facts.get("face") == "up"][-1]
    rank: dict[str, Any] = {"rank": lain.facts["rank"]} if "rank" in lain.facts else {}
    return event("card.burn", lain.t_us / US, at, zone="discard", face="up", index=0, **rank)


def _hand(at: float) -> list[Event]:
    return [
        event("round.start", at, round=1),
        event("card.draw", at + 0.25, at + 0.75, source="shoe", hand="left"),
        event("card.place", at + 1.3, zone="player", face="down"),
    ]


def _burn(at: float, index: int) -> list[Event]:
    draw = event("card.draw", at, at + 0.5, source="shoe", hand="left")
    return [draw, event("card.burn", at + 1.0, zone="discard", face="down", index=index)]


def _raw(words: list[str]) -> Event:
    confidence = float(words.pop()[1:]) if words[-1].startswith("~") else 1.0
    start, _, end = words[0].partition("-")
    facts = dict(word.split("=", 1) for word in words[2:])
    typed: dict[str, Any] = {key: _value(key, value) for key, value in facts.items()}
    if words[1] == "card.burn":
        typed.setdefault("zone", "discard")
    return event(words[1], float(start), float(end or start), confidence, **typed)


def _value(key: str, text: str) -> Any:
    """A fact's value as the event has it: ranks stay text."""
    if text.isdigit() and key != "rank":
        return int(text)
    return {"true": True, "false": False}.get(text, text)
