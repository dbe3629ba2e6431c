"""Measures the speed of a review, stage by stage, on a recording of one's own."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pitwatch.bench import bench_lines


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("source", metavar="SOURCE", help="a recording")
    parser.add_argument("--table", required=True, type=Path, help="its table file")


def run(options: argparse.Namespace) -> int:
    """Prints frames a second: decoding alone, then with eyes and judge."""
    for line in bench_lines(options.source, options.table):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0
