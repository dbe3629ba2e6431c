"""What this camera's picture shows of the table, and what each clause needs.

It states millimetres per pixel where the clauses look, which zones are missing or outside the picture, the error to be
expected of each measurement, and which depths can be decided with it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from calibration.tablefile import load_table
from pitwatch.preflight import preflight_lines


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("table", type=Path, metavar="TABLE.toml", help="the table file")


def run(options: argparse.Namespace) -> int:
    """Prints the list."""
    sys.stdout.write("\n".join(preflight_lines(load_table(options.table))) + "\n")
    return 0
