"""The table file: one table's cameras, calibration, layout, game and inputs (TOML, or JSON with the same keys).

`load_table` finds all faults of a file at once, each with its line, key, what was found and what is expected.
`dump_table` writes the same file again. The keys are those of the contract.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from calibration.geometry import Calibration
from calibration.schema import Problem
from calibration.table import Camera, Game, Inputs, Layout, Table
from calibration.table_reader import TableFileFault, read_table
from calibration.toml_text import document_text, without_none

__all__ = [
    "Camera",
    "Game",
    "Inputs",
    "Layout",
    "Table",
    "TableFileFault",
    "dump_table",
    "load_table",
    "save_table",
]


def load_table(path: Path | str) -> Table:
    """The table of a TOML or JSON file.

    Raises:
        TableFileFault: the file cannot be read or is wrong; it holds every problem found.
    """
    return read_table(Path(path))


def dump_table(table: Table) -> str:
    """The TOML text of a table file; `load_table` of it gives an equal table."""
    return document_text(_table_keys(table))


def save_table(table: Table, path: Path | str) -> None:
    """Writes the table file: JSON if `path` ends in .json, else TOML.

    Raises:
        TableFileFault: the file cannot be written.
    """
    path = Path(path)
    as_json = path.suffix.lower() == ".json"
    text = json.dumps(without_none(_table_keys(table)), indent=1) + "\n" if as_json else dump_table(table)
    try:
        part = path.with_name(path.name + ".part")  # in one step: a full disk must not leave half a file
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        why = (error.strerror or "it failed").lower()
        raise TableFileFault([Problem(str(path), None, "the file", why, "a place that can be written to")]) from error


def _table_keys(table: Table) -> dict[str, Any]:
    """The table as the file's keys; what is not known is None."""
    several = len(table.cameras) > 1
    cameras = [_camera_keys(camera, with_calibration=several) for camera in table.cameras]
    keys: dict[str, Any] = {"table": table.table, "started_at": _moment_text(table.started_at)}
    if several:
        keys["cameras"] = cameras
    else:
        keys |= {"camera": cameras[0], "calibration": _calibration_keys(table.calibration)}
    layout, game = table.layout, table.game
    keys["layout"] = {
        "shoe_side": layout.shoe_side,
        "seats": list(layout.seats),
        "zones_mm": {name: zone.tolist() for name, zone in layout.zones_mm.items()},
    }
    keys["game"] = {"pack": game.pack, "decks": game.decks, "cards": game.cards, "options": dict(game.options)}
    keys["inputs"] = {"signals": list(table.inputs.signals)}
    return keys


def _camera_keys(camera: Camera, with_calibration: bool) -> dict[str, Any]:
    keys: dict[str, Any] = {"width_px": camera.width_px, "height_px": camera.height_px, "source": camera.source}
    if with_calibration and camera.calibration is not None:
        keys["calibration"] = _calibration_keys(camera.calibration)
    return keys


def _calibration_keys(calibration: Calibration) -> dict[str, Any]:
    lens = calibration.lens
    return {
        "homography": calibration.homography.tolist(),
        "lens": None if lens is None else {"matrix": lens.matrix.tolist(), "distortion": lens.distortion.tolist()},
        "camera_mm": None if calibration.camera_mm is None else list(calibration.camera_mm),
        "error_mm": calibration.error_mm,
        "taken_at": _moment_text(calibration.taken_at),
    }


def _moment_text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
