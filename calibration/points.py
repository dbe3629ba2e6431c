"""The points file of `pitwatch calibrate SOURCE --points FILE --out TABLE.toml`.

TOML, or JSON with the same keys; unknown keys are refused with the nearest known one:

    table = "midi-3"
    camera_mm = [120.0, 480.0, 2900.0]   # optional: where the camera hangs, if somebody measured it
    taken_at = "2026-11-30T10:00:00-05:00"          # optional
    lens = { matrix = [[...], [...], [...]], distortion = [k1, k2, p1, p2, k3] }   # optional: a known lens

    [[points]]                           # four or more, better eight, spread over the whole layout
    px = [412.5, 880.0]                  # in the camera's picture; (0, 0) is the middle of its first pixel
    mm = [-300.0, 0.0]                   # on the felt; origin in the middle of the dealer's edge, +x to his right
    name = "left end of the tray"        # optional, for messages

    [camera]                             # optional; the picture's size is taken from SOURCE
    source = "rtsp://..."

    [layout]                             # as in the table file
    [game]
    [inputs]

`layout`, `game`, `inputs`, `camera.source` and `table` are copied into the table file. Those that the points file
leaves out are kept from the table file that is there already: so a camera that was moved is calibrated again with
nothing but new points.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np

from calibration.fit import fit
from calibration.lens import Lens, Points
from calibration.pairs import PointPairs, PointsFault
from calibration.schema import Document, FileFault, Node, read_document
from calibration.table import Camera, Game, Inputs, Layout, Table
from calibration.table_reader import (
    read_camera_mm,
    read_game,
    read_inputs,
    read_layout,
    read_lens,
    read_table_name,
)
from calibration.tablefile import load_table, save_table


class PointsFileFault(FileFault):
    """A points file that cannot be used; `problems` lists everything that is wrong with it."""

    kind = "points file"


@dataclass(frozen=True, eq=False)
class PointsFile:
    """What a points file says; None is what it leaves out."""

    pairs: PointPairs
    table: str | None
    source: str | None
    layout: Layout | None
    game: Game | None
    inputs: Inputs | None
    lens: Lens | None
    camera_mm: tuple[float, float, float] | None
    taken_at: datetime | None


def calibrate(points_path: Path | str, width_px: int, height_px: int, out: Path | str) -> Table:
    """Calibrates a camera whose picture is `width_px` x `height_px`, and writes the table file `out`.

    Raises:
        PointsFileFault: the points file is wrong, with every problem in it.
        PointsFault: the points do not make a calibration; it names the pair at fault where it can.
        TableFileFault: `out` exists and is needed, but is wrong, or it cannot be written.
    """
    path, out = Path(points_path), Path(out)
    points = read_points(path)
    old = _old_table(points, path, out)
    table = _calibrated(points, old, path, width_px, height_px)
    save_table(table, out)
    return table


def read_points(path: Path | str) -> PointsFile:
    """The points file at `path`.

    Raises:
        PointsFileFault: it cannot be read or is wrong; it holds every problem found.
    """
    document = read_document(Path(path), PointsFileFault)
    points = _points_file(document.root)
    if document.problems or points is None:
        raise PointsFileFault(sorted(document.problems, key=lambda problem: problem.line or 0))
    return points


def _old_table(points: PointsFile, path: Path, out: Path) -> Table | None:
    """The table file that supplies what the points file leaves out; None if nothing is missing or nothing is there."""
    needed = {"table": points.table, "layout": points.layout, "game": points.game}
    missing = [key for key, value in needed.items() if value is None]
    if out.exists() and (missing or points.inputs is None or points.source is None):
        try:
            return load_table(out)
        except FileFault:
            if missing:
                raise
            return None
    if missing:
        document = Document(str(path), {}, {})
        for key in missing:
            document.problem((key,), "nothing", f"this key, since {out} does not exist yet to take it from")
        raise PointsFileFault(document.problems)
    return None


def _calibrated(points: PointsFile, old: Table | None, path: Path, width_px: int, height_px: int) -> Table:
    """The new table: what the points file says, else what the old table said."""
    name = points.table or (old.table if old else None)
    layout = points.layout or (old.layout if old else None)
    game = points.game or (old.game if old else None)
    assert name is not None and layout is not None and game is not None  # noqa: PT018 - `_old_table` saw to it
    try:
        calibration = fit(
            points.pairs,
            width_px,
            height_px,
            lens=points.lens,
            area_mm=_area(points.pairs, layout),
            camera_mm=points.camera_mm,
            taken_at=points.taken_at,
        )
    except PointsFault as fault:
        raise PointsFault(fault.what, why=fault.why, todo=fault.todo, where=str(path)) from fault
    first = Camera(width_px, height_px, points.source or (old.camera.source if old else None), calibration)
    cameras = (first, *(old.cameras[1:] if old else ()))
    inputs = points.inputs or (old.inputs if old else Inputs())
    return Table(name, cameras, calibration, layout, game, inputs, old.started_at if old else None)


def _area(pairs: PointPairs, layout: Layout) -> Points:
    """The corners of all zones (n, 2); the points themselves where none is drawn."""
    return np.concatenate(list(layout.zones_mm.values())) if layout.zones_mm else pairs.mm


def _points_file(root: Node) -> PointsFile | None:
    """The whole file."""
    optional = ("table", "camera", "camera_mm", "taken_at", "lens", "layout", "game", "inputs")
    if not root.is_table(("points",), optional):
        return None
    points, camera, lens, hangs, taken, inputs = (
        root.get(key) for key in ("points", "camera", "lens", "camera_mm", "taken_at", "inputs")
    )
    source = camera.get("source") if camera and camera.is_table((), ("source",)) else None
    pairs = _pairs(points) if points else None
    file = (
        read_table_name(root.get("table")),
        source.text() if source else None,
        read_layout(root.get("layout")),
        read_game(root.get("game")),
        read_inputs(inputs) if inputs else None,
        read_lens(lens) if lens else None,
        read_camera_mm(hangs) if hangs else None,
        taken.moment() if taken else None,
    )
    return PointsFile(pairs, *file) if pairs else None


def _pairs(node: Node) -> PointPairs | None:
    """`[[points]]`; each name once."""
    px, mm, names = [], [], []
    if node.raw == []:
        node.bad("four or more points")
    for number, entry in enumerate(node.entries("a list of points"), start=1):
        if not entry.is_table(("px", "mm"), ("name",)):
            continue
        pixel, place, name = (entry.get(key) for key in ("px", "mm", "name"))
        pixel_numbers = pixel.numbers((2,)) if pixel else None
        place_numbers = place.numbers((2,)) if place else None
        name_text = (name.text() if name else None) or str(number)
        if name and name_text in names:
            name.bad("each name once", f"{name_text!r} again")
        if pixel_numbers and place_numbers:
            px.append(pixel_numbers)
            mm.append(place_numbers)
            names.append(name_text)
    return PointPairs.of(px, mm, names) if px else None
