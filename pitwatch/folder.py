"""A review's folder, or a truth folder of the same form: reading it back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from faults import InputFault
from pitwatch.jsonl import read_objects
from rules.event import Event, read_events

Plain = Any  # a JSON value
EVENTS, FINDINGS, RUN, REPORT, CLIPS = "events.jsonl", "findings.jsonl", "run.json", "report.html", "clips"


def events_of(folder: Path) -> list[Event]:
    """The events of a folder, in file order.

    Raises:
        InputFault: there are none, or a line cannot be read.
    """
    return list(read_events(folder / EVENTS))


def findings_of(folder: Path) -> list[Mapping[str, Plain]]:
    """The findings of a folder as plain objects. Of several lines with one id the last counts, in the first's place.

    Raises:
        InputFault: there is no such file, or a line is no finding.
    """
    latest: dict[str, Mapping[str, Plain]] = {}
    for place, raw in read_objects(folder / FINDINGS, "findings"):
        _refuse_no_finding(raw, place)
        latest[str(raw["id"])] = raw
    return list(latest.values())


def _refuse_no_finding(raw: Mapping[str, Plain], place: str) -> None:
    missing = [key for key in ("id", "clause", "verdict", "t_us", "end_us") if key not in raw]
    if missing:
        raise InputFault(
            "not a finding",
            where=place,
            why=f"it lacks {', '.join(missing)}",
            todo="Each line is one finding, as a review writes it.",
        )


def run_of(folder: Path) -> Mapping[str, Plain] | None:
    """What `run.json` says, or None if there is none or it is half written."""
    try:
        value = json.loads((folder / RUN).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return value if isinstance(value, dict) else None
