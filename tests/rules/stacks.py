"""Reads the scenario table of § 629a.5 (a) to (e): acts in, verdicts out."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import rules.packs
from rules.context import GameContext
from rules.event import Event
from rules.finding import Finding
from rules.judge import judge_events
from rules.pack import Pack
from tests.rules.scenarios import TABLES, us
from tests.rules.scenarios import event as made

load_pack = cache(rules.packs.load_pack)

#: Acts with no time of their own may be named alone; the facts that every event of the kind has.
FACTS: dict[str, dict[str, Any]] = {
    "stack.present": {"backs_away": True},
    "cover.insert": {"which": 2, "actor": "dealer"},
    "packet.move": {"actor": "dealer", "with_cover_card": True, "to": "bottom"},
    "shoe.load": {"by": "dealer"},
    "shuffle.end": {"method": "manual"},
}


@dataclass(frozen=True)
class Row:
    """One row of the table; `verdicts` names a clause's findings in order of time, `None` for none at all."""

    name: str
    acts: tuple[str, ...]
    raw: dict[str, Any] = field(compare=False, default_factory=dict)

    @property
    def events(self) -> list[Event]:
        """The events that the acts stand for, with ids by number."""
        return [replace(_event(act), id=f"E{number:03d}") for number, act in enumerate(self.acts, start=1)]

    @property
    def end_us(self) -> int:
        """The recording's end: that of the last event, unless the row tells."""
        return us(self.raw["ends"]) if "ends" in self.raw else max(event.end_us for event in self.events)

    @property
    def context(self) -> GameContext:
        """The table's game: seven seats, six decks or eight."""
        seats = tuple(self.raw.get("seats", (1, 2, 3, 4, 5, 6, 7)))
        return GameContext("midi-3", "pa58/629a", options=self.raw.get("options", {}), seats=seats)

    def judge(self, events: list[Event] | None = None, pack: Pack | None = None) -> list[Finding]:
        """The findings of (a) to (e) on the row's events, or on others."""
        told = self.events if events is None else events
        found = judge_events(told, self.context, pack or load_pack("pa58/629a"), end_us=self.end_us)
        return [finding for finding in found if "(f)" not in finding.clause]

    def departures(self, findings: list[Finding]) -> list[str]:
        """Where the findings depart from the row; empty if nowhere."""
        found: dict[str, list[Finding]] = {}
        for finding in findings:
            found.setdefault(short(finding), []).append(finding)
        return [*self._verdicts(found), *self._details(found)]

    def _verdicts(self, found: dict[str, list[Finding]]) -> Iterator[str]:
        for name, wanted in self.raw["verdicts"].items():
            got = [str(finding.verdict) for finding in found.get(name, [])]
            expected = [] if wanted == "none" else [wanted] if isinstance(wanted, str) else wanted
            if got != expected:
                yield f"{name}: {got}, expected {expected}"
        rest = {
            f"{name}: {f.verdict}" for name, each in found.items() for f in each if name not in self.raw["verdicts"]
        }
        breaches = [said for said in rest if said.endswith("violation")]
        yield from (f"{said}, expected none" for said in breaches)

    def _details(self, found: dict[str, list[Finding]]) -> Iterator[str]:
        corrected = [name for name, each in found.items() if any(finding.corrected for finding in each)]
        if corrected != self.raw.get("corrected", []):
            yield f"corrected: {corrected}"
        for name, numbers in self.raw.get("measured", {}).items():
            m = found[name][-1].measured if name in found else None
            if (None if m is None else [m.low, m.value, m.high, m.limit]) != numbers:
                yield f"{name}: measured {m}, expected {numbers}"
        for name, exception in self.raw.get("exceptions", {}).items():
            if name not in found or found[name][-1].exception != exception:
                yield f"{name}: exception {found.get(name)}"
        for name, severity in self.raw.get("severity", {}).items():
            if name not in found or found[name][-1].severity != severity:
                yield f"{name}: severity {found.get(name)}"
        for name, text in self.raw.get("says", {}).items():
            if name not in found or text not in found[name][-1].explanation:
                yield f"{name}: says {[f.explanation for f in found.get(name, [])]}"


def short(finding: Finding) -> str:
    """A clause's short name, such as "depth"."""
    return finding.clause.rsplit("-", 1)[1]


def rows() -> list[Row]:
    """The rows of the table."""
    raw = tomllib.loads((TABLES / "629a5ae.toml").read_text(encoding="utf-8"))
    usual: dict[str, list[str]] = raw["usual"]
    return [Row(row["name"], tuple(_acts(row["acts"], usual)), row) for row in raw["scenario"]]


def _acts(acts: list[str], usual: dict[str, list[str]]) -> Iterator[str]:
    """The acts, those that the table names for all its rows spelled out; "+30" moves what follows by 30 s."""
    for act in acts:
        name, _, moved = act.partition(" +")
        if name in usual:
            yield from (_moved(each, float(moved or 0)) for each in usual[name])
        else:
            yield act


def _moved(act: str, by: float) -> str:
    head, _, rest = act.partition(" ")
    return "-".join(f"{float(t) + by:g}" for t in head.split("-")) + " " + rest


def _event(act: str) -> Event:
    """One act: `T[-T] kind fact=value... ~confidence`; `depth_cards=8:10:12` gives a number with its bounds."""
    words = act.split()
    confidence = float(words.pop()[1:]) if words[-1].startswith("~") else 1.0
    start, _, end = words[0].partition("-")
    facts: dict[str, Any] = dict(FACTS.get(words[1], {}))
    for word in words[2:]:
        name, text = word.split("=", 1)
        parts = [_value(part) for part in text.split(":")] if not text.startswith("seat:") else [text]
        if len(parts) == 3:
            facts |= {f"{name}_low": parts[0], name: parts[1], f"{name}_high": parts[2]}
        else:
            facts[name] = parts[0]
    return made(words[1], float(start), float(end or start), confidence, **facts)


def _value(text: str) -> Any:
    if text.replace(".", "", 1).removeprefix("-").isdigit():
        return float(text) if "." in text else int(text)
    return {"true": True, "false": False, "null": None}.get(text, text)
