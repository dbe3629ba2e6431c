"""`pitwatch judge`: recorded events to findings again; the video, if it is still there, is only shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from calibration.tablefile import Table, load_table
from faults import Fault, InputFault
from pitwatch.chain import sha256_of_file
from pitwatch.folder import EVENTS, REPORT, RUN, run_of
from pitwatch.judging import Finding, Judges, clause_list, judge_for, pack_record
from pitwatch.provenance import verdict_counts, versions
from pitwatch.record import Record, set_aside
from pitwatch.report import ReportInputs, write_report
from pitwatch.review import BREACHED, FINE
from pitwatch.revisit import pictures_of
from pitwatch.store import now_text
from rules.event import Event, read_events


@dataclass(frozen=True, slots=True)
class Rejudge:
    """Which events to judge again, against which table, into which folder.

    `events` is a file of events or the folder of a review; what that review says of the recording is kept.
    """

    events: Path
    table: Path
    out: Path
    started_at: datetime | None = None
    as_of: date | None = None


def rejudge(order: Rejudge) -> tuple[int, list[Finding]]:
    """Judges recorded events again. Returns the exit code and the findings.

    Raises:
        Fault: the events or the table file cannot be read or do not belong together, the pack is not known, or the
            folder cannot be written.
    """
    path = order.events / EVENTS if order.events.is_dir() else order.events
    table, events = load_table(order.table), list(read_events(path))
    _refuse_other_table(path, events, table, order.table)
    before = run_of(path.parent) or {}
    try:
        started_at = order.started_at or _moment(before.get("started_at"))
        end_us = max([_end_of(before), *(event.end_us for event in events)])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputFault(
            "not a run record",
            where=str(path.parent / RUN),
            why=f"{type(error).__name__}: {error}",
            todo="Give the events in a folder of their own, without it.",
        ) from error
    findings = _judged(judge_for(table, started_at, order.as_of), events, end_us)
    code = BREACHED if any(f["verdict"] == "violation" and f.get("state") != "withdrawn" for f in findings) else FINE
    run = _run_record(order, path, before, end_us, table) | {
        "started_at": None if started_at is None else started_at.isoformat(),
        "started_at_from": "the option --started-at" if order.started_at else before.get("started_at_from", "unknown"),
        "verdicts": verdict_counts(findings),
        "exit_code": code,
    }
    _write(order.out, run, table, events, findings)
    return code, findings


def _refuse_other_table(path: Path, events: Sequence[Event], table: Table, table_path: Path) -> None:
    """Seats, zones and cards are those of one table; another's would be judged by them without a word."""
    other = next((event for event in events if event.table != table.table), None)
    if other is not None:
        raise Fault(
            f"event {other.id} is of the table {other.table!r}",
            where=str(path),
            why=f"{table_path} is of the table {table.table!r}",
            todo="Give the table file that belongs to the events.",
        )


def _judged(judge: Judges, events: Sequence[Event], end_us: int) -> list[Finding]:
    """The findings as they stand in the end; a later one of the same id replaces an earlier one."""
    findings: list[Finding] = []
    for event in events:
        findings += judge.step(event)
    findings += judge.finish(end_us)
    # Its clips lie in the folder of the review; this one has none.
    return list({str(f["id"]): dict(f) | {"clip": None} for f in findings}.values())


def _moment(text: object) -> datetime | None:
    """A time of a run record.

    Raises:
        ValueError: it is none, or lacks its offset.
    """
    moment = datetime.fromisoformat(text) if isinstance(text, str) else None
    if moment is not None and moment.tzinfo is None:
        raise ValueError(f"started_at {text!r} lacks its offset from UTC")
    return moment


def _end_of(run: Mapping[str, Any]) -> int:
    """The end of the recording that the events came from; 0 if it is not known."""
    return max((int(part["last_us"]) for part in run.get("inputs", []) if part.get("last_us")), default=0)


def _run_record(order: Rejudge, path: Path, before: Mapping[str, Any], end_us: int, table: Table) -> dict[str, Any]:
    """`run.json`: what is known of the recording is taken over, the judging is new."""
    unknown: dict[str, Any] = {"length_us": end_us, "looked_us": None, "share": None, "overlap_frames": 0, "gaps": []}
    return {
        "state": "finished",
        "written_at": now_text(),
        "judged_again_from": {"path": str(path), "sha256": sha256_of_file(path)},
        "table": {"name": table.table, "path": str(order.table), "sha256": sha256_of_file(order.table)},
        "inputs": before.get("inputs", []),
        "coverage": before.get("coverage", unknown),
        "as_of": None if order.as_of is None else order.as_of.isoformat(),
        "versions": versions(),
        "models": before.get("models", {}),
        "pack": pack_record(table.game.pack),
    }


def _write(
    out: Path,
    run: Mapping[str, Any],
    table: Table,
    events: Sequence[Event],
    findings: Sequence[Finding],
) -> None:
    """The folder, in the form of a review's."""
    started_at = _moment(run["started_at"])

    def moment(t_us: int) -> datetime | None:
        return None if started_at is None else started_at + timedelta(microseconds=t_us)

    set_aside(out)
    record = Record(out)
    try:
        for event in events:
            record.event(event)
        for finding in findings:
            record.finding(finding)
        record.run(run, final=True)
        clauses = clause_list(table.game.pack)
        stills, no_pictures = pictures_of(run, table, events, findings)
        inputs = ReportInputs(run, table, events, findings, stills, moment, record.head, clauses, no_pictures)
        write_report(out / REPORT, inputs)
        record.file(REPORT)
        record.end()
    except OSError as error:
        error.filename = error.filename or str(out)  # a write that fails does not say where
        record.abandon()
        raise
    except BaseException:
        record.abandon()
        raise
