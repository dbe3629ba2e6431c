"""Judges recorded events again, for instance under a changed pack; touches no pixel."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pitwatch.commands.review import day, moment
from pitwatch.rejudge import Rejudge, rejudge
from pitwatch.words import headline_of


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("events", type=Path, metavar="EVENTS", help="events.jsonl, or the folder of a review")
    parser.add_argument("--table", required=True, type=Path, help="the table file")
    parser.add_argument("--out", required=True, type=Path, help="the folder for events, findings and report")
    parser.add_argument("--started-at", type=moment, metavar="ISO8601", help="when the recording began, with offset")
    parser.add_argument("--as-of", type=day, metavar="DATE", help="judge by the text in force on this day")


def run(options: argparse.Namespace) -> int:
    """Judges; says what was found."""
    order = Rejudge(options.events, options.table, options.out, options.started_at, options.as_of)
    code, findings = rejudge(order)
    sys.stdout.write(f"{headline_of(findings)}\nReport: {options.out / 'report.html'}\n")
    return code
