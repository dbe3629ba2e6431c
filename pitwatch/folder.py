"""A review's folder, or a truth folder of the same form: reading it back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from faults import InputFault
from pitwatch.jsonl import read_objects
from rules.event import Event, read_events
from rules.facts import is_number, is_text, is_time
from rules.finding import State, Verdict

Plain = Any  # a JSON value
#: What was done at an occasion, in a truth folder.
ACTS = ("obeyed", "breached", "none")
VERDICTS = tuple(verdict.value for verdict in Verdict)
EVENTS, FINDINGS, RUN, REPORT, CLIPS = "events.jsonl", "findings.jsonl", "run.json", "report.html", "clips"


def _measured(value: Plain) -> bool:
    """An object whose numbers are numbers, or not known."""
    if not isinstance(value, dict):
        return False
    return all(value.get(key) is None or is_number(value[key]) for key in ("value", "low", "high", "limit"))


def _or_none(fits: Callable[[Plain], bool]) -> Callable[[Plain], bool]:
    return lambda value: value is None or fits(value)


#: What is expected of a finding's keys, in words, and whether a value is that; None stands for a key that is not there.
KEYS: tuple[tuple[str, str, Callable[[Plain], bool]], ...] = (
    ("id", "a text", _or_none(is_text)),
    ("clause", "a text", _or_none(is_text)),
    ("verdict", f"one of {', '.join(VERDICTS)}", _or_none(lambda value: value in VERDICTS)),
    ("t_us", "an integer of microseconds", _or_none(is_time)),
    ("end_us", "an integer of microseconds", _or_none(is_time)),
    ("measured", 'an object {"value", "low", "high", "unit", "limit"} or null', _or_none(_measured)),
    ("coverage", "a number from 0 to 1", _or_none(lambda value: is_number(value) and 0 <= value <= 1)),
    ("events", "a list of ids", _or_none(lambda value: isinstance(value, list) and all(map(is_text, value)))),
    ("state", "pending, closed or withdrawn", _or_none(lambda value: value in tuple(State))),
    ("clip", "a text or null", _or_none(is_text)),
    ("act", f"one of {', '.join(ACTS)}", _or_none(lambda value: value in ACTS)),
    (
        "accept",
        "a list of verdicts",
        _or_none(lambda value: isinstance(value, list) and bool(value) and all(one in VERDICTS for one in value)),
    ),
)


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
    missing = [key for key in ("id", "clause", "verdict", "t_us", "end_us") if raw.get(key) is None]
    wrong = [f"{key}: found {raw[key]!r:.40}, expected {what}" for key, what, fits in KEYS if not fits(raw.get(key))]
    if missing or wrong:
        raise InputFault(
            "not a finding",
            where=place,
            why=f"it lacks {', '.join(missing)}" if missing else "; ".join(wrong),
            todo="Each line is one finding, as a review writes it.",
        )


def run_of(folder: Path) -> Mapping[str, Plain] | None:
    """What `run.json` says, or None if there is none or it is half written."""
    try:
        value = json.loads((folder / RUN).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
