"""Findings: one clause at one occasion, with its verdict and the evidence for it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from faults import InputFault


class Verdict(StrEnum):
    """What can be said of a clause at one occasion."""

    COMPLIANT = "compliant"
    VIOLATION = "violation"
    INDETERMINATE = "indeterminate"
    NOT_OBSERVED = "not_observed"
    NOT_APPLICABLE = "not_applicable"


class State(StrEnum):
    """Whether later evidence can still change a finding."""

    PENDING = "pending"
    CLOSED = "closed"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Measured:
    """A number with its interval (95 %), and the limit it is compared with; all in `unit`. Null: not known."""

    value: float | None
    low: float | None
    high: float | None
    unit: str
    limit: float | None

    def plain(self) -> dict[str, Any]:
        """The contract's object."""
        return {"value": self.value, "low": self.low, "high": self.high, "unit": self.unit, "limit": self.limit}


@dataclass(frozen=True, slots=True)
class Finding:
    """One clause at one occasion.

    `t_us` is the trigger, `end_us` the earliest moment at which the clause could be decided. `coverage` is the share of
    the time between them, 0..1, in which the zones that the clause needs were in view. `events` are event ids.
    """

    id: str
    table: str
    pack: str
    clause: str
    citation: str
    verdict: Verdict
    t_us: int
    end_us: int
    measured: Measured | None = None
    coverage: float = 1.0
    exception: str | None = None
    corrected: bool = False
    state: State = State.CLOSED
    events: tuple[str, ...] = field(default=())
    explanation: str = ""
    severity: str = "major"
    clip: str | None = None

    def plain(self) -> dict[str, Any]:
        """The contract's object, keys in its order."""
        return {
            "id": self.id,
            "table": self.table,
            "pack": self.pack,
            "clause": self.clause,
            "citation": self.citation,
            "verdict": self.verdict.value,
            "t_us": self.t_us,
            "end_us": self.end_us,
            "measured": self.measured.plain() if self.measured else None,
            "coverage": round(self.coverage, 4),
            "exception": self.exception,
            "corrected": self.corrected,
            "state": self.state.value,
            "events": list(self.events),
            "explanation": self.explanation,
            "severity": self.severity,
            "clip": self.clip,
        }

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(self.plain(), ensure_ascii=False)


def from_json(text: str, where: str) -> Finding:
    """The finding on one line of JSON; `where` names the file and line for the fault.

    Raises:
        InputFault: the line is not a finding.
    """
    try:
        return _from_plain(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputFault(
            "not a finding",
            where=where,
            why=f"{type(error).__name__}: {error}",
            todo="Each line is one finding as 'pitwatch review' writes it.",
        ) from error


def _from_plain(raw: Mapping[str, Any]) -> Finding:
    measured = raw.get("measured")
    return Finding(
        id=str(raw["id"]),
        table=str(raw["table"]),
        pack=str(raw["pack"]),
        clause=str(raw["clause"]),
        citation=str(raw["citation"]),
        verdict=Verdict(raw["verdict"]),
        t_us=int(raw["t_us"]),
        end_us=int(raw["end_us"]),
        measured=Measured(**measured) if measured else None,
        coverage=float(raw.get("coverage", 1.0)),
        exception=raw.get("exception"),
        corrected=bool(raw.get("corrected", False)),
        state=State(raw.get("state", "closed")),
        events=tuple(str(event) for event in raw.get("events", ())),
        explanation=str(raw.get("explanation", "")),
        severity=str(raw.get("severity", "major")),
        clip=raw.get("clip"),
    )


def finding_id(table: str, clause: str, trigger: str) -> str:
    """An id of 16 hexadecimal digits, the same whenever table, clause and trigger are."""
    return hashlib.sha256("\n".join((table, clause, trigger)).encode()).hexdigest()[:16]
