"""Measures the speed of a review, stage by stage, on a recording of one's own; with --live, how long alerts take."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pitwatch.bench import bench_lines
from pitwatch.bench_live import live_lines
from pitwatch.commands.review import positive
from pitwatch.stages import real_stages


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("source", metavar="SOURCE", help="a recording")
    parser.add_argument("--table", required=True, type=Path, help="its table file")
    parser.add_argument("--live", action="store_true", help="how long alerts take, from a film at its own pace")
    parser.add_argument("--times", type=positive, default=4, help="with --live: how often the film is played")


def run(options: argparse.Namespace) -> int:
    """Prints frames a second: decoding alone, then with eyes and judge; or how long alerts take."""
    if options.live:
        lines = live_lines(options.source, options.table, real_stages(), options.times)
    else:
        lines = bench_lines(options.source, options.table)
    for line in lines:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return 0
