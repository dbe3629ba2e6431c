"""The fixed things of a scene as meshes: shoe, discard bucket, tray with chips, rail, people, odds and ends."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sample_videos.studio.meshes import Mesh, box, build, cylinder, flat_quads, join, place, tube, wedge
from sample_videos.studio.scene import CARD_LENGTH_MM, CARD_WIDTH_MM, ChipStack, Equipment, SceneSpec

CHIP_RADIUS_MM, CHIP_HEIGHT_MM = 19.5, 3.3
CARD_STOCK = (0.93, 0.92, 0.88)
CHIP_COLOURS: dict[str, tuple[float, float, float]] = {
    "white": (0.88, 0.87, 0.83), "red": (0.72, 0.1, 0.12), "blue": (0.12, 0.2, 0.6), "green": (0.06, 0.42, 0.2),
    "black": (0.08, 0.08, 0.09), "purple": (0.4, 0.12, 0.5), "yellow": (0.9, 0.78, 0.15), "orange": (0.9, 0.45, 0.1),
    "pink": (0.9, 0.5, 0.62), "grey": (0.5, 0.5, 0.52), "brown": (0.4, 0.25, 0.14), "cyan": (0.2, 0.6, 0.7),
}  # fmt: skip


def chip_colour(name: str) -> tuple[float, float, float]:
    """Display colour of a chip; a name outside the list gets a colour of its own."""
    if name in CHIP_COLOURS:
        return CHIP_COLOURS[name]
    rng = np.random.default_rng(sum(name.encode()))
    r, g, b = rng.uniform(0.1, 0.9, 3)
    return float(r), float(g), float(b)


def chip_stack(stack: ChipStack, turn: float = 0.0, sides: int = 24) -> Mesh:
    """A stack of chips with edge spots and an inlay on top."""
    base = np.asarray(chip_colour(stack.colour))
    spots = np.where((np.arange(sides) * 6 // sides * 2 + np.arange(sides) // max(1, sides // 12)) % 2, 0.0, 1.0)
    pale = np.array([0.92, 0.9, 0.85]) if base.mean() < 0.6 else np.array([0.2, 0.25, 0.6])
    rim = base + spots[:, None] * (pale - base)
    height = stack.count * CHIP_HEIGHT_MM
    body = cylinder(CHIP_RADIUS_MM, height, rim, sides=sides, gloss=0.25)
    inlay = cylinder(CHIP_RADIUS_MM * 0.66, 0.25, base, sides=sides, gloss=0.25)
    middle = cylinder(CHIP_RADIUS_MM * 0.5, 0.45, 0.35 * base + 0.62, sides=sides, gloss=0.25)
    top = [place(mesh, (0, 0, height)) for mesh in (inlay, middle)]
    return place(join([body, *top]), stack.centre, turn)


def shoe(equipment: Equipment, seed: int) -> Mesh:
    """The dealing shoe: base, side walls, lid, sloped faceplate at the exit (local +x)."""
    length, width, height = equipment.shoe_size_mm
    rng = np.random.default_rng(seed + 5)
    colour = np.asarray(equipment.shoe_colour)
    wall = 5.0
    face = min(70.0, 0.25 * length)
    body = length - face
    parts = [box((length, width, 4.0), colour * 0.8, 0.3)]
    for sign in (-1, 1):
        side = place(box((body, wall, height), colour, 0.4), (-face / 2, sign * (width - wall) / 2, 0))
        nose = place(wedge(face, wall, (height * 0.92, 12.0), colour, 0.4), (body / 2, sign * (width - wall) / 2, 0))
        parts += [side, nose]
    parts.append(place(box((wall, width, height), colour, 0.4), (-(length - wall) / 2, 0, 0)))
    parts += _shoe_lid(equipment, colour, body, face, rng)
    parts.append(_faceplate(equipment, face, body, width, height))
    return place(join(parts), (*equipment.shoe_centre, 0.0), equipment.shoe_yaw)


def _shoe_lid(
    equipment: Equipment, colour: NDArray[np.float64], body: float, face: float, rng: np.random.Generator
) -> list[Mesh]:
    _, width, height = equipment.shoe_size_mm
    if equipment.shoe_lid == "opaque":
        lid = place(box((body, width, 4.0), np.clip(colour * 1.12 + 0.02, 0, 1), 0.5), (-face / 2, 0, height))
        knob = place(box((body * 0.22, width * 0.3, 5.0), colour * 0.6, 0.5), (-face / 2 - body * 0.3, 0, height + 4))
        return [lid, knob]
    if equipment.shoe_lid == "smoke":
        return [place(box((body, width, 3.0), (0.13, 0.13, 0.15), 0.9), (-face / 2, 0, height))]
    weight = box((26.0, width - 14, 24.0), colour * 0.4 + 0.1, 0.4)
    roller = place(weight, (-body * rng.uniform(0.2, 0.45), 0, height * 0.5))
    return [roller]


def _faceplate(equipment: Equipment, face: float, body: float, width: float, height: float) -> Mesh:
    """The sloped plate over the exit, with a notch in the middle where a finger draws the card."""
    x0, x1 = body / 2 - face / 2, body / 2 + face / 2
    top, low = height * 0.92, 12.0

    def at(share: float, y: float) -> list[float]:
        return [x0 + (x1 - x0) * share, y, top + (low - top) * share - 1.0]

    half, notch = width / 2 - 5.0, width * 0.17
    quads = [
        [at(0.0, -half), at(0.0, half), at(0.38, half), at(0.38, -half)],
        [at(0.38, notch), at(0.38, half), at(0.93, half), at(0.93, notch)],
        [at(0.38, -half), at(0.38, -notch), at(0.93, -notch), at(0.93, -half)],
    ]
    return flat_quads(quads, equipment.shoe_faceplate, 0.5, (x0 - 40.0, 0.0, 0.0))


def shoe_cards(equipment: Equipment, count: int, thickness: float) -> Mesh:
    """The cards left in the shoe: a leaning block behind the faceplate, its front a card's back edge in the notch."""
    length, width, height = equipment.shoe_size_mm
    face = min(70.0, 0.25 * length)
    if count <= 0:
        return join([])
    depth = min(count * thickness * 1.02, length - face - 20)
    front = (length - face) / 2 + face / 2 - face * 0.62
    tall = min(CARD_WIDTH_MM, height - 14.0)
    block = box((depth, min(CARD_LENGTH_MM, width - 12), tall), CARD_STOCK, 0.05, 5.0)
    return place(place(block, (front - depth / 2 - 8.0, 0, 0)), (*equipment.shoe_centre, 0.0), equipment.shoe_yaw)


def shoe_front(equipment: Equipment) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Pose of the card that waits in the exit: rotation (3, 3) and centre (3,), its back towards the camera."""
    length, _, height = equipment.shoe_size_mm
    face = min(70.0, 0.25 * length)
    slope = np.arctan2(height * 0.92 - 12.0, face)
    # The card's width runs down the slope, its length across the shoe.
    lean = np.column_stack([[np.cos(slope), 0, -np.sin(slope)], [0, 1, 0], [np.sin(slope), 0, np.cos(slope)]])
    c, s = np.cos(equipment.shoe_yaw), np.sin(equipment.shoe_yaw)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    local = np.array([length / 2 - face * 0.5, 0.0, (height * 0.92 + 12.0) / 2 - 4.0])
    return np.asarray(turn @ lean), turn @ local + np.array([*equipment.shoe_centre, 0.0])


def bucket(equipment: Equipment) -> Mesh:
    """The discard bucket: four walls and a floor, open at the top."""
    length, width, height = equipment.bucket_size_mm
    wall = equipment.bucket_wall_mm
    colour = np.asarray(equipment.bucket_colour)
    inner = colour * 0.75
    parts = [box((length, width, 2.0), inner, 0.1)]
    for axis, span, across in ((0, length, width), (1, width, length)):
        for sign in (-1, 1):
            size = (wall, across, height) if axis == 0 else (across - 2 * wall, wall, height)
            centre = [0.0, 0.0, 0.0]
            centre[axis] = sign * (span - wall) / 2
            parts.append(place(box(size, colour, 0.35), centre))
    return place(join(parts), (*equipment.bucket_centre, 0.0), equipment.bucket_yaw)


def tray(equipment: Equipment, seed: int) -> Mesh:
    """The table inventory container: a rimmed trough with lying rows of chips."""
    (x0, y0), (x1, y1) = equipment.tray
    low, high = (min(x0, x1), min(y0, y1)), (max(x0, x1), max(y0, y1))
    size = (high[0] - low[0], high[1] - low[1])
    rng = np.random.default_rng(seed + 17)
    metal = np.array([0.16, 0.16, 0.17]) if rng.random() < 0.6 else np.array([0.45, 0.42, 0.36])
    parts = [box((size[0], size[1], 3.0), metal * 0.6, 0.2)]
    for sign in (-1, 1):
        parts.append(place(box((size[0], 6.0, 16.0), metal, 0.5), (0, sign * (size[1] - 6) / 2, 0)))
        parts.append(place(box((6.0, size[1], 16.0), metal, 0.5), (sign * (size[0] - 6) / 2, 0, 0)))
    rows = max(1, int((size[0] - 12) // 43))
    names = list(CHIP_COLOURS)[:7]
    for row in range(rows):
        x = -size[0] / 2 + 6 + (row + 0.5) * (size[0] - 12) / rows
        full = rng.uniform(0.4, 0.95) * (size[1] - 16)
        parts.append(_chip_row((x, -size[1] / 2 + 8), full, names[row * len(names) // rows], rng))
    return place(join(parts), ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, 0.0))


def _chip_row(foot: tuple[float, float], length: float, colour: str, rng: np.random.Generator) -> Mesh:
    """Chips lying on edge in a half-round trough, seen from above as a finely striped band."""
    count = max(1, int(length / CHIP_HEIGHT_MM))
    base, pale = np.asarray(chip_colour(colour)), np.array([0.92, 0.9, 0.85])
    angle = np.linspace(0, np.pi, 9)
    ring = np.stack([np.cos(angle) * CHIP_RADIUS_MM, np.sin(angle) * CHIP_RADIUS_MM], axis=1)
    points, normals, colours, faces = [], [], [], []
    for index in range(count):
        spots = (np.arange(9) + rng.integers(0, 8)) % 4 == 0
        tone = np.where(spots[:, None], pale, base) * rng.uniform(0.85, 1.0)
        start = 18 * index
        for y in (index * CHIP_HEIGHT_MM, (index + 1) * CHIP_HEIGHT_MM - 0.25):
            points.append(np.column_stack([foot[0] + ring[:, 0], np.full(9, foot[1] + y), 2.0 + ring[:, 1]]))
            normals.append(np.column_stack([ring[:, 0], np.zeros(9), ring[:, 1]]) / CHIP_RADIUS_MM)
            colours.append(tone)
        k = np.arange(8) + start
        faces.append(np.stack([k, k + 1, k + 10, k, k + 10, k + 9], axis=1).reshape(-1, 3))
    return build(np.concatenate(points), np.concatenate(normals), np.concatenate(faces), np.concatenate(colours), 0.2)


def rail(outline: NDArray[np.float64], colour: Sequence[float]) -> Mesh:
    """The padded arm rest along the players' side of the table's outline (open polyline, N x 2)."""
    path = np.column_stack([outline, np.full(len(outline), 12.0)])
    return tube(path, np.full(len(path), 62.0), colour, sides=14, gloss=0.35, flatten=0.62)


def people(spec: SceneSpec, dealer_y: float, seats: Sequence[tuple[float, float]]) -> Mesh:
    """Dark simple torsos: the dealer below y = 0, players outside the rail at the given places."""
    rng = np.random.default_rng(spec.seed + 23)
    parts = [_torso((rng.uniform(-30, 30), dealer_y), 0.0, np.asarray(_sleeve(spec, "dealer")), rng)]
    for x, y in seats:
        yaw = np.arctan2(-x, y) + np.pi
        parts.append(_torso((x, y), yaw, rng.uniform(0.05, 0.5, 3), rng))
    return join(parts)


def _sleeve(spec: SceneSpec, owner: str) -> tuple[float, float, float]:
    return spec.arms[owner].sleeve if owner in spec.arms else (0.08, 0.08, 0.1)


def _torso(at: tuple[float, float], yaw: float, cloth: NDArray[np.float64], rng: np.random.Generator) -> Mesh:
    turn = np.linspace(0, 1, 10)
    width = rng.uniform(195, 235)
    path = np.column_stack([np.zeros(10), np.zeros(10), -300 + 680 * turn])
    girth = width * np.array([0.8, 0.82, 0.85, 0.9, 0.95, 1.0, 1.02, 0.95, 0.75, 0.3])
    trunk = tube(path, girth, cloth, sides=22, gloss=0.02, flatten=0.55, up=(0, 1, 0))
    skull = np.column_stack([np.zeros(8), np.full(8, 25.0), 380 + np.linspace(0, 240, 8)])
    hair = np.array([0.12, 0.09, 0.07]) if rng.random() < 0.7 else np.array([0.45, 0.35, 0.25])
    girth = 88 * np.array([0.6, 0.62, 0.8, 0.97, 1.0, 0.92, 0.66, 0.05])
    head = tube(skull, girth, hair, sides=18, flatten=1.15, up=(0, 1, 0))
    return place(join([trunk, head]), (*at, 0.0), yaw)


def extras(spec: SceneSpec) -> Mesh:
    """Cup, paper, pen, lammer, sign, rack or shuffler beside the play, placed by the seed where no zone lies."""
    rng = np.random.default_rng(spec.seed + 31)
    return join([_EXTRAS[name](_free_place(spec, name, rng), rng) for name in spec.equipment.extras if name in _EXTRAS])


def _free_place(spec: SceneSpec, name: str, rng: np.random.Generator) -> tuple[float, float]:
    """A place on the table away from the dealer's work."""
    for _ in range(200):
        x = rng.uniform(-0.42, 0.42) * spec.table_width_mm
        y = rng.uniform(0.55, 0.86) * spec.table_depth_mm
        if all(not _inside(zone, x, y) for key, zone in spec.zones_mm.items() if not key.startswith("bet")):
            break
    return float(x), float(y)


def _inside(zone: Sequence[tuple[float, float]], x: float, y: float) -> bool:
    corners = np.asarray(zone, float)
    low, high = corners.min(0) - 40, corners.max(0) + 40
    return bool(low[0] < x < high[0] and low[1] < y < high[1])


def _cup(at: tuple[float, float], rng: np.random.Generator) -> Mesh:
    shell = cylinder(30, 105, rng.uniform(0.6, 0.98, 3), sides=28, gloss=0.5, top=40)
    liquid = rng.choice([[0.3, 0.15, 0.05], [0.8, 0.6, 0.2], [0.75, 0.8, 0.85]])
    drink = place(cylinder(36, 1.0, liquid, sides=28, gloss=0.8), (0, 0, 104.5))
    return place(join([shell, drink]), (*at, 0.0))


def _paper(at: tuple[float, float], rng: np.random.Generator) -> Mesh:
    sheet = box((95, 140, 0.5), (0.93, 0.93, 0.9), 0.05)
    lines = [place(box((75, 1.0, 0.2), (0.4, 0.45, 0.7)), (0, y, 0.5)) for y in np.arange(-55, 60, 11.0)]
    return place(join([sheet, *lines]), (*at, 0.0), float(rng.uniform(0, 6.28)))


def _pen(at: tuple[float, float], rng: np.random.Generator) -> Mesh:
    path = [[-65, 0, 4.5], [-30, 0, 4.5], [50, 0, 4.5], [70, 0, 4.5]]
    body = tube(path, [4.5, 4.8, 4.8, 1.0], rng.uniform(0, 0.8, 3), sides=10, gloss=0.5)
    return place(body, (*at, 0.0), float(rng.uniform(0, 6.28)))


def _lammer(at: tuple[float, float], rng: np.random.Generator) -> Mesh:
    return place(cylinder(13, 3.0, rng.choice([[0.9, 0.85, 0.2], [0.95, 0.95, 0.95]]), gloss=0.4), (*at, 0.0))


def _sign(at: tuple[float, float], rng: np.random.Generator) -> Mesh:
    foot = box((150, 60, 6), (0.1, 0.1, 0.1), 0.3)
    plate = place(box((150, 6, 110), rng.uniform(0.3, 0.9, 3), 0.5), (0, 10, 6))
    return place(join([foot, plate]), (*at, 0.0), float(rng.uniform(-0.5, 0.5)))


def _rack(at: tuple[float, float], rng: np.random.Generator) -> Mesh:
    wall = place(box((6, 80, 120), (0.2, 0.2, 0.22), 0.6), (52, 0, 0))
    return place(join([box((110, 80, 4), (0.1, 0.1, 0.1), 0.5), wall]), (*at, 0.0))


def _shuffler(at: tuple[float, float], rng: np.random.Generator) -> Mesh:
    body = box((260, 200, 90), (0.12, 0.12, 0.13), 0.4)
    slot = place(box((110, 80, 2), (0.03, 0.03, 0.03), 0.1), (30, 0, 90))
    lamp = place(cylinder(6, 3, (0.1, 0.85, 0.2), sides=16, gloss=0.5), (-100, 60, 90))
    return place(join([body, slot, lamp]), (*at, 0.0))


_EXTRAS = {
    "cup": _cup, "paper": _paper, "pen": _pen, "lammer": _lammer, "sign": _sign, "rack": _rack, "shuffler": _shuffler,
}  # fmt: skip
