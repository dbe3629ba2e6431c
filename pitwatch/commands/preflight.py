"""What this camera's picture shows of the table, and what each clause needs.

It states millimetres per pixel where the clauses look, and which zones are missing or outside the picture. The expected
error of each measurement is not worked out by this version.
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
