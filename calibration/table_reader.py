"""Reads the keys of a table file into a `Table`, noting every fault on the way."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from calibration.geometry import Calibration
from calibration.lens import Lens, Points
from calibration.polygon import Polygon, crossing_edges, signed_area
from calibration.schema import FileFault, Node, Problem, nearest_text, read_document
from calibration.table import Camera, Game, Inputs, Layout, Table
from calibration.words import ELSEWHERE, SIGNALS, ZONES, is_zone, seat_of_zone

_LONGEST_SIDE_PX = 16384
_FARTHEST_MM = 20_000.0
_MOST_SEATS = 99
_MOST_DECKS = 12
_MOST_CARDS = 1000
_FEWEST_A_DECK, _MOST_A_DECK = 32, 56
_SMALLEST_ZONE_MM2 = 1.0
#: A homography whose singular values, with both ends scaled to one, differ by more than this squashes the felt.
_SINGULAR = 1e7


class TableFileFault(FileFault):
    """A table file that cannot be used; `problems` lists everything that is wrong with it."""

    kind = "table file"


def read_table(path: Path) -> Table:
    """The table of a TOML or JSON file.

    Raises:
        TableFileFault: the file cannot be read or is wrong; it holds every problem found.
    """
    document = read_document(path, TableFileFault)
    table = _table(document.root)
    if document.problems or table is None:
        raise TableFileFault(sorted(document.problems, key=_place))
    return table


def _place(problem: Problem) -> int:
    return problem.line or 0


def _table(root: Node) -> Table | None:
    """The whole file."""
    optional = ("camera", "cameras", "calibration", "inputs", "started_at")
    if not root.is_table(("table", "layout", "game"), optional):
        return None
    name = read_table_name(root.get("table"))
    cameras = _cameras(root)
    layout = read_layout(root.get("layout"))
    game = read_game(root.get("game"))
    inputs = read_inputs(root.get("inputs"))
    started = root.get("started_at")
    started_at = started.moment() if started else None
    if name is None or not cameras or cameras[0].calibration is None or layout is None or game is None:
        return None
    return Table(name, cameras, cameras[0].calibration, layout, game, inputs or Inputs(), started_at)


def read_table_name(node: Node | None) -> str | None:
    """The table's name, which also stands in file names and alert topics."""
    name = node.text() if node else None
    if node and name is not None and ("/" in name or "\\" in name or not name.isprintable()):
        node.bad("a name without slashes and control signs, since it becomes part of topics and file names")
        return None
    return name


def _cameras(root: Node) -> tuple[Camera, ...]:
    """`[camera]` or `[[cameras]]`; the first one's calibration may stand in `[calibration]`."""
    single, several, shared = root.get("camera"), root.get("cameras"), root.get("calibration")
    if (single is None) == (several is None):
        found = "nothing" if single is None else "both"
        root.document.problem(("camera",), found, "either [camera] or [[cameras]]")
    nodes = [single] if single else several.entries("a list of cameras") if several else []
    if several and several.raw == []:
        several.bad("at least one camera")
    cameras = [_camera(node, shared if number == 0 else None) for number, node in enumerate(nodes)]
    if not nodes and shared:
        read_calibration(shared, 1, 1)  # its own keys are checked though there is no camera for it
    return tuple(camera for camera in cameras if camera is not None)


def _camera(node: Node, shared: Node | None) -> Camera | None:
    """One camera; its calibration is its own or the file's."""
    if not node.is_table(("width_px", "height_px"), ("source", "calibration")):
        return None
    width, height, source, own = (node.get(key) for key in ("width_px", "height_px", "source", "calibration"))
    width_px = width.whole(1, _LONGEST_SIDE_PX) if width else None
    height_px = height.whole(1, _LONGEST_SIDE_PX) if height else None
    source_text = source.text() if source else None
    if own and shared:
        shared.bad("one calibration of this camera, here or inside it", "a second one")
    where = own or shared
    if where is None:
        node.document.problem((*node.path, "calibration"), "nothing", "the calibration of this camera")
        return None
    calibration = read_calibration(where, width_px or 1, height_px or 1)
    if width_px is None or height_px is None:
        return None
    return Camera(width_px, height_px, source_text, calibration)


def read_calibration(node: Node, width_px: int, height_px: int) -> Calibration | None:
    """The calibration of a camera whose picture has this size."""
    if not node.is_table(("homography", "error_mm"), ("lens", "camera_mm", "taken_at")):
        return None
    matrix, error, lens_node, camera, taken = (
        node.get(key) for key in ("homography", "error_mm", "lens", "camera_mm", "taken_at")
    )
    homography = _homography(matrix, width_px, height_px) if matrix else None
    error_mm = error.number(0.0, _FARTHEST_MM) if error else None
    lens = read_lens(lens_node) if lens_node else None
    camera_mm = read_camera_mm(camera) if camera else None
    taken_at = taken.moment() if taken else None
    if homography is None or error_mm is None:
        return None
    return Calibration(homography, width_px, height_px, error_mm, lens, camera_mm, taken_at)


def _homography(node: Node, width_px: int, height_px: int) -> Points | None:
    """An invertible 3 x 3 matrix that puts the picture's middle on the felt."""
    rows = node.matrix()
    if rows is None:
        return None
    homography = np.array(rows)
    # Scaled so that the picture and the felt both measure about one: then the ratio says whether it can be inverted.
    picture = np.array([[width_px, 0, width_px / 2], [0, height_px, height_px / 2], [0, 0, 1.0]])
    middle = homography @ picture
    if not abs(middle[2, 2]) > 1e-9 * float(np.abs(middle).max()):
        node.bad("a homography that puts the picture's middle on the felt", "one whose horizon runs through it")
        return None
    middle /= middle[2, 2]
    felt_mm = float(np.abs(middle[:2, :2] - middle[:2, 2:] * middle[2, :2]).max()) or 1.0
    centred = np.array([[1, 0, -middle[0, 2]], [0, 1, -middle[1, 2]], [0, 0, felt_mm]]) / felt_mm @ middle
    large, *_, small = np.linalg.svd(centred, compute_uv=False)
    if not small * _SINGULAR > large:
        node.bad("a homography that can be inverted", "a singular matrix")
        return None
    return homography


def read_lens(node: Node) -> Lens | None:
    """OpenCV's lens: matrix and four or five coefficients."""
    if not node.is_table(("matrix", "distortion"), ()):
        return None
    matrix_node, distortion_node = node.get("matrix"), node.get("distortion")
    matrix = matrix_node.matrix() if matrix_node else None
    distortion = distortion_node.numbers((4, 5)) if distortion_node else None
    if matrix_node and matrix is not None and not _is_lens_matrix(matrix):
        matrix_node.bad("[[fx, 0, cx], [0, fy, cy], [0, 0, 1]] with fx and fy above zero")
        return None
    return None if matrix is None or distortion is None else Lens.of(matrix, distortion)


def _is_lens_matrix(rows: list[list[float]]) -> bool:
    (fx, skew, _), (low, fy, _), last = rows
    return fx > 0 and fy > 0 and skew == 0 and low == 0 and last == [0, 0, 1]


def read_camera_mm(node: Node) -> tuple[float, float, float] | None:
    """Where the camera hangs: above the felt."""
    place = node.numbers((3,))
    if place is None:
        return None
    if place[2] <= 0:
        node.bad("[x, y, z] with z above the felt")
        return None
    return place[0], place[1], place[2]


def read_layout(node: Node | None) -> Layout | None:
    """`[layout]`."""
    if node is None or not node.is_table(("shoe_side", "seats", "zones_mm"), ()):
        return None
    side_node, seats_node, zones_node = (node.get(key) for key in ("shoe_side", "seats", "zones_mm"))
    side = side_node.text(("left", "right", "none")) if side_node else None
    seats = _seats(seats_node) if seats_node else None
    zones = _zones(zones_node, seats) if zones_node else None
    if side is None or seats is None or zones is None:
        return None
    if side_node and "shoe" in zones:
        _check_side(side_node, side, zones["shoe"])
    return Layout(side, seats, zones)


def _check_side(node: Node, side: str, shoe: Polygon) -> None:
    """Where the shoe stands tells which way cards leave it: side and outline must not contradict each other."""
    lies = "left" if float(shoe[:, 0].max()) < 0 else "right" if float(shoe[:, 0].min()) > 0 else side
    if side not in (lies, "none"):
        node.bad(f"{lies!r}, the dealer's, where layout.zones_mm.shoe is (x grows to his right)")


def _seats(node: Node) -> tuple[int, ...] | None:
    """The seats' numbers, each once."""
    if not isinstance(node.raw, list):
        node.bad("a list of seat numbers")
        return None
    seats: list[int] = []
    for entry in node.entries():
        seat = entry.whole(1, _MOST_SEATS)
        if seat in seats:
            entry.bad("each seat's number once", f"seat {seat} again")
        elif seat is not None:
            seats.append(seat)
    return tuple(seats)


def _zones(node: Node, seats: tuple[int, ...] | None) -> dict[str, Polygon] | None:
    """The outlines by name; None if this is no table."""
    if not node.is_table():
        return None
    zones: dict[str, Polygon] = {}
    for name, zone in node.items():
        _check_zone_name(name, zone, seats)
        outline = _outline(zone)
        if outline is not None:
            zones[name] = outline
    return zones


def _check_zone_name(name: str, zone: Node, seats: tuple[int, ...] | None) -> None:
    if name == ELSEWHERE:
        zone.bad("no outline: 'elsewhere' is what lies in no zone", "an outline")
    elif not is_zone(name):
        zone.bad(nearest_text(name, (*ZONES, "seat:N", "bet:N:SPOT")), f"the unknown zone {name!r}")
    elif seats is not None and seat_of_zone(name) not in (None, *seats):
        known = ", ".join(map(str, seats)) or "none"
        zone.bad(f"a seat of layout.seats ({known})", f"a zone of the unknown seat {seat_of_zone(name)}")


def _outline(node: Node) -> Polygon | None:
    """A simple polygon of three or more corners."""
    entries = node.entries("a list of corners, [x, y] each")
    corners = [entry.numbers((2,)) for entry in entries]
    if not entries or any(corner is None for corner in corners):
        if isinstance(node.raw, list) and not entries:
            node.bad("three or more corners, [x, y] each")
        return None
    outline = np.array(corners, dtype=np.float64)
    if len(outline) > 3 and np.array_equal(outline[0], outline[-1]):
        outline = outline[:-1]  # some drawing programs repeat the first corner to close the outline
    fault = _fault_of_outline(outline)
    if fault:
        node.bad("a simple outline of three or more corners within 20 m", fault)
        return None
    outline.flags.writeable = False
    return outline


def _fault_of_outline(outline: Polygon) -> str | None:
    """What is wrong with an outline, in words."""
    if len(outline) < 3:
        return f"{len(outline)} corners"
    if float(np.abs(outline).max()) > _FARTHEST_MM:
        return "a corner farther off"
    repeated = np.flatnonzero(np.all(outline == np.roll(outline, -1, axis=0), axis=1))
    if len(repeated):
        return f"corner {repeated[0] + 1} twice in a row"
    crossing = crossing_edges(outline)
    if crossing:
        return f"an outline whose edges {crossing[0] + 1} and {crossing[1] + 1} meet"
    if abs(signed_area(outline)) < _SMALLEST_ZONE_MM2:
        return "an outline without area"
    return None


def read_game(node: Node | None) -> Game | None:
    """`[game]`. Whether the pack and its options exist is for the rules to say."""
    if node is None or not node.is_table(("pack", "decks", "cards"), ("options",)):
        return None
    pack_node, decks_node, cards_node, options = (node.get(key) for key in ("pack", "decks", "cards", "options"))
    pack = pack_node.text() if pack_node else None
    decks = decks_node.whole(1, _MOST_DECKS) if decks_node else None
    cards = cards_node.whole(1, _MOST_CARDS) if cards_node else None
    if options and not options.is_table():
        return None
    if cards_node and cards and decks and not _FEWEST_A_DECK <= cards / decks <= _MOST_A_DECK:
        cards_node.bad(f"the cards of all {decks} decks, such as {52 * decks}")
    if pack is None or decks is None or cards is None:
        return None
    return Game(pack, decks, cards, dict(options.raw) if options else {})


def read_inputs(node: Node | None) -> Inputs | None:
    """`[inputs]`."""
    if node is None or not node.is_table((), ("signals",)):
        return None
    signals = node.get("signals")
    names = [entry.text(SIGNALS) for entry in signals.entries("a list of signal names")] if signals else []
    return Inputs(tuple(dict.fromkeys(name for name in names if name is not None)))
