"""Compares a review with the truth: events, verdicts, measurements.

TRUTH and DIR may also hold many folders of the same names; then their counts are added up.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pitwatch.jsonl import json_text, write_json
from pitwatch.score import alone, pairs_of, score_folders
from pitwatch.score_text import text_of


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("truth", type=Path, metavar="TRUTH", help="the truth's folder")
    parser.add_argument("review", type=Path, metavar="DIR", help="the review's folder")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here as well ('-': print them)")


def run(options: argparse.Namespace) -> int:
    """Prints the figures."""
    missing = alone(options.truth, options.review)
    if missing:
        sys.stderr.write(f"pitwatch: not compared, since {options.review} has no review of it: {', '.join(missing)}\n")
    score = score_folders(pairs_of(options.truth, options.review))
    if options.json == Path("-"):
        sys.stdout.write(json_text(score.to_plain()))
        return 0
    if options.json is not None:
        write_json(options.json, score.to_plain())
    sys.stdout.write(text_of(score) + "\n")
    return 0
