"""Reviews recorded video. Several files form one timeline."""

from __future__ import annotations

import argparse
import os
import sys
from datetime import date, datetime
from pathlib import Path

from pitwatch.progress import progress
from pitwatch.review import Order, run_review
from pitwatch.stages import real_stages
from pitwatch.words import headline_of


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help="a recording; several are one shift")
    parser.add_argument("--table", required=True, type=Path, help="the table file")
    parser.add_argument("--out", required=True, type=Path, help="the folder for events, findings, clips and report")
    parser.add_argument("--signals", type=Path, help="what the camera cannot see (JSON lines)")
    parser.add_argument("--started-at", type=moment, metavar="ISO8601", help="when the recording began, with offset")
    parser.add_argument("--as-of", type=day, metavar="DATE", help="judge by the text in force on this day")
    parser.add_argument(
        "--jobs", type=positive, default=min(2, os.cpu_count() or 1), help="threads: one sees, others decode and cut"
    )
    parser.add_argument("--resume", action="store_true", help="keep a finished review of the same files as it is")
    parser.add_argument("--force", action="store_true", help="write into a folder that holds something else, beside it")
    parser.add_argument("--models", type=Path, help="a folder of models in place of the installed ones")


def moment(text: str) -> datetime:
    """A point in time with its offset."""
    try:
        value = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not ISO 8601, such as 2026-11-30T10:00:00-05:00") from None
    if value.tzinfo is None:
        raise argparse.ArgumentTypeError(f"{text!r} lacks its offset from UTC, such as -05:00")
    if not 1900 < value.year < 2200:
        raise argparse.ArgumentTypeError(f"{text!r} is in no year of a recording")
    return value


def day(text: str) -> date:
    """A calendar day."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date, such as 2026-11-30") from None


def positive(text: str) -> int:
    """A whole number above zero."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above zero")
    return int(text)


def above_zero(text: str) -> float:
    """A number above zero."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above zero")
    return value


def run(options: argparse.Namespace) -> int:
    """Reviews; says what was found and where it lies."""
    order = Order(
        tuple(options.sources),
        options.table,
        options.out,
        options.signals,
        options.started_at,
        options.as_of,
        options.jobs,
        options.resume,
        options.force,
    )
    with progress("review") as show:
        outcome = run_review(order, real_stages(options.models), show)
    for fault in outcome.incomplete:
        sys.stderr.write(f"pitwatch: not read to its end: {fault}\n")
    for damage in outcome.damaged:
        sys.stderr.write(f"pitwatch: {damage}\n")
    if outcome.resumed:
        sys.stdout.write("These files were reviewed already; nothing was done again.\n")
    sys.stdout.write(f"{headline_of(outcome.findings)}\nReport: {options.out / 'report.html'}\n")
    sys.stdout.write(f"Chain: {outcome.head}\n")
    return outcome.exit_code
