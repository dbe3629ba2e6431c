"""One finding in plain sentences: what was seen, what the clause asks, how far off, which exception applied."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pitwatch.explaining import explanation


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder of a review")
    parser.add_argument("finding", metavar="FINDING", help="the finding's id, or the beginning of it, or its clause")


def run(options: argparse.Namespace) -> int:
    """Prints the explanation."""
    sys.stdout.write(explanation(options.folder, options.finding) + "\n")
    return 0
