"""Checks a review's hash chain and every line and file that it names."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pitwatch.chain import verify


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder of a review")


def run(options: argparse.Namespace) -> int:
    """Says whether everything holds; if not, names the first entry that does not."""
    check = verify(options.folder)
    if check.broken is not None:
        sys.stderr.write(f"pitwatch: {options.folder} does not hold: {check.broken}\n")
        return 3
    for path in check.absent_inputs:
        sys.stdout.write(f"The input {path} is not here any more; it was not checked.\n")
    if not check.finished:
        sys.stdout.write("The review was not finished; what was written until it stopped holds.\n")
    sys.stdout.write(f"{check.entries} entries hold. Last hash: {check.head}\n")
    return 0
