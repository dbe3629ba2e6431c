"""Renders one scenario: video, table file, truth, and, on request, labelled frames."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from faults import Fault
from pitwatch.commands.review import above_zero
from pitwatch.extras import optional
from pitwatch.progress import progress


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("scenario", type=Path, metavar="SCENARIO.toml", help="the scenario file")
    parser.add_argument("--out", required=True, type=Path, help="the folder to write")
    parser.add_argument("--frames", action="store_true", help="labelled frames as well")
    parser.add_argument(
        "--every", type=above_zero, default=1 / 3, metavar="SECONDS", help="how often a frame is labelled"
    )


#: What a rendering writes over; beside a truth, it is an earlier rendering.
WRITTEN, OURS = ("video.mp4", "table.toml", "signals.jsonl", "frames"), "truth"


def _refuse_strange(out: Path) -> None:
    """Refuses a folder with somebody's recording or table file in it."""
    there = [name for name in WRITTEN if (out / name).exists()]
    if there and not (out / OURS).is_dir():
        raise Fault(
            f"{', '.join(there)} would be overwritten",
            where=str(out),
            why="no rendering lies there, so they are somebody's own",
            todo="Give another folder with --out.",
        )


def run(options: argparse.Namespace) -> int:
    """Renders; says what was written."""
    _refuse_strange(options.out)
    render_file = optional("sample_videos.studio.render", "studio").render_file
    with progress("render", unit="frames") as show:

        def shown(done: int, total: int) -> None:
            show.of(total)
            show.at(done)

        result = render_file(
            options.scenario, options.out, frames=options.frames, every_us=round(options.every * 1e6), progress=shown
        )
    sys.stdout.write(f"{result.out}: {result.frames} frames, {result.seconds:.1f} s\n")
    return 0
