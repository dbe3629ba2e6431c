"""From point pairs to a table file with lens, homography and its error in millimetres."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from calibration.points import calibrate
from calibration.schema import FileFault, read_document
from faults import Fault
from pitwatch.preflight import cautions
from vision.source import open_source


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("source", metavar="SOURCE", help="a recording of this camera, or the camera itself")
    parser.add_argument("--points", required=True, type=Path, help="pairs of pixels and millimetres (TOML or JSON)")
    parser.add_argument("--out", required=True, type=Path, help="the table file to write")


def _refuse_strange(out: Path) -> None:
    """Refuses to write over something that is no table file, such as the recording itself after a slip."""
    if not out.exists():
        return
    try:
        ours = read_document(out, FileFault).root.get("table") is not None
    except FileFault:
        ours = out.is_file() and out.suffix.lower() in (".toml", ".json")
    if not ours:
        raise Fault(
            "it would be overwritten",
            where=str(out),
            why="it is there already, and no table file",
            todo="Give another place with --out.",
        )


def run(options: argparse.Namespace) -> int:
    """Calibrates; says how well."""
    _refuse_strange(options.out)
    with open_source(options.source) as source:
        size = source.report.width_px, source.report.height_px
    table = calibrate(options.points, *size, options.out)
    calibration = table.calibration
    lines = [
        f"{options.out}: table {table.table}, picture {size[0]} x {size[1]}",
        f"error: 95 % of places on the layout are known to {calibration.error_mm:.1f} mm or better",
    ]
    if calibration.camera_mm is None:
        lines.append("where the camera hangs could not be told from these points; camera_mm may be written by hand")
    lines += cautions(table)
    sys.stdout.write("\n".join(lines) + "\n")
    return 0
