"""Checks site, table, points, signals and rule-pack files.

All faults are told at once, each with its file, line and key, what was found and what is expected; and installed
packages that overwrite one another.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pitwatch.checking import check_file
from pitwatch.installation import conflicts


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="what kind it is, its keys tell")


def run(options: argparse.Namespace) -> int:
    """Prints what each file is, or all its faults. The exit code is the worst one's."""
    code = 0
    for path in options.files:
        result = check_file(path)
        (sys.stderr if result.exit_code else sys.stdout).write(result.text + "\n")
        code = max(code, result.exit_code)
    for fault in conflicts():
        sys.stderr.write(f"{fault}\n")
        code = max(code, fault.exit_code)
    return code
