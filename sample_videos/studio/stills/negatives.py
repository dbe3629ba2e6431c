"""What lies about on a table and is nothing to the detector: telephones, drinks, ash trays, keys, pens, paper."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from sample_videos.studio.meshes import Mesh, box, cylinder, join, place, tube
from sample_videos.studio.scene import Vec2
from sample_videos.studio.stills.places import Places, rectangle
from sample_videos.studio.stills.sheets import BRIGHT, KINDS, WHITES, size_of
from sample_videos.studio.stills.solids import lathe, pick, rounded_box
from sample_videos.studio.stills.still import Random, Sheet, Thing

DRINKS = ((0.3, 0.15, 0.05), (0.8, 0.6, 0.2), (0.75, 0.8, 0.85), (0.55, 0.08, 0.1), (0.85, 0.8, 0.7), (0.9, 0.45, 0.1))
Made = tuple[Mesh, Vec2, float]  # the mesh, its size on the table, its height


def _phone(rng: Random) -> Made:
    """A telephone's body; half of them get a lit screen as a sheet on top."""
    size = (float(rng.uniform(64, 80)), float(rng.uniform(135, 168)))
    colour = pick(rng, ((0.03, 0.03, 0.04), (0.03, 0.03, 0.04), (0.8, 0.8, 0.82), (0.6, 0.45, 0.4)), 0.3)
    parts = [rounded_box((*size, 8.0), 9.0, colour, 0.9)]
    if rng.random() < 0.3:  # its back, with lenses
        lens = cylinder(7, 2, (0.02, 0.02, 0.02), gloss=0.9)
        parts += [place(lens, (-size[0] * 0.28, size[1] * 0.4 - y, 8)) for y in (0, 18)]
    return join(parts), size, 8.0


def _drink(rng: Random) -> Made:
    low, top, high = float(rng.uniform(22, 36)), float(rng.uniform(28, 44)), float(rng.uniform(60, 170))
    glass = pick(rng, ((0.75, 0.8, 0.82), (0.92, 0.92, 0.92), (0.6, 0.65, 0.7), (0.7, 0.1, 0.1)))
    shell = lathe(((low, 0), (low, 2), (top, high), (top - 3, high), (top - 4, high - 6)), glass, gloss=0.9)
    parts = [shell, place(cylinder(top - 4, 1, pick(rng, DRINKS), sides=28, gloss=0.9), (0, 0, high - 12))]
    for _ in range(int(rng.integers(0, 4))):
        ice = box((15, 15, 8), (0.85, 0.9, 0.92), 0.9)
        parts.append(place(ice, (*(float(v) for v in rng.uniform(-14, 14, 2)), high - 14), float(rng.uniform(0, 3))))
    if rng.random() < 0.3:
        x, y = (float(v) for v in rng.uniform(-25, 25, 2))
        parts.append(tube([[0, 0, high - 12], [x, y, high + 60]], [3, 3], pick(rng, BRIGHT), sides=8))
    return join(parts), (2 * top, 2 * top), high


def _bottle(rng: Random) -> Made:
    radius, high = float(rng.uniform(28, 36)), float(rng.uniform(170, 230))
    colour = pick(rng, ((0.2, 0.12, 0.05), (0.1, 0.3, 0.12), (0.75, 0.85, 0.9)))
    profile = ((radius, 0), (radius, high * 0.6), (radius * 0.4, high * 0.8), (radius * 0.4, high), (0, high))
    cap = place(cylinder(radius * 0.42, 12, pick(rng, BRIGHT), sides=20), (0, 0, high))
    return join([lathe(profile, colour, gloss=0.9), cap]), (2 * radius, 2 * radius), high


def _ash_tray(rng: Random) -> Made:
    radius = float(rng.uniform(45, 70))
    colour = pick(rng, ((0.08, 0.08, 0.09), (0.75, 0.78, 0.8), (0.4, 0.25, 0.15)))
    bowl = ((radius, 0), (radius, 22), (radius * 0.8, 22), (radius * 0.65, 8), (0, 6))
    parts = [lathe(bowl, colour, gloss=0.7)]
    for _ in range(int(rng.integers(0, 4))):
        x, y, angle = float(rng.uniform(-20, 20)), float(rng.uniform(-20, 20)), float(rng.uniform(0, 6))
        butt = tube([[0, 0, 0], [30, 0, 2]], [4, 4], (0.92, 0.88, 0.8), sides=8)
        parts.append(place(butt, (x, y, 12), angle))
    return join(parts), (2 * radius, 2 * radius), 22.0


def _cigarettes(rng: Random) -> Made:
    colour = pick(rng, BRIGHT)
    parts = [
        box((56, 88, 22), colour, 0.5),
        place(box((57, 26, 22.6), np.clip(colour * 0.3 + 0.65, 0, 1), 0.5), (0, 30, 0)),
    ]
    return join(parts), (57.0, 88.0), 22.0


def _lighter(rng: Random) -> Made:
    body = box((25, 62, 11), pick(rng, BRIGHT), 0.7)
    return join([body, place(box((25, 14, 11.5), (0.7, 0.7, 0.72), 0.9), (0, 34, 0))]), (25.0, 78.0), 11.0


def _keys(rng: Random) -> Made:
    metal = (0.62, 0.6, 0.55)
    parts = [tube(_circle(14.0), np.full(17, 1.6), metal, sides=6, gloss=0.9)]
    for _ in range(int(rng.integers(2, 5))):
        key = join(
            [
                cylinder(11, 2.5, pick(rng, (metal, (0.1, 0.1, 0.1), (0.75, 0.6, 0.25)))),
                place(box((8, 34, 2), metal, 0.9), (0, 24, 0)),
            ]
        )
        angle = float(rng.uniform(0, 2 * math.pi))
        parts.append(
            place(key, (20 * math.cos(angle), 20 * math.sin(angle), float(rng.uniform(0, 6))), angle - math.pi / 2)
        )
    if rng.random() < 0.5:
        parts.append(place(rounded_box((36, 60, 12), 14, (0.05, 0.05, 0.06)), (0, -50, 0)))
    return join(parts), (120.0, 120.0), 12.0


def _circle(radius: float) -> np.ndarray:
    turn = np.linspace(0, 2 * math.pi, 17)
    return np.stack([radius * np.cos(turn), radius * np.sin(turn), np.full(17, 2.0)], axis=1)


def _pen(rng: Random) -> Made:
    path = [[0, -65, 4.5], [0, -30, 4.5], [0, 50, 4.5], [0, 70, 4.5]]
    return tube(path, [4.5, 4.8, 4.8, 1.0], pick(rng, BRIGHT), sides=10, gloss=0.5), (10.0, 140.0), 9.0


def _wallet(rng: Random) -> Made:
    leather = pick(rng, ((0.25, 0.14, 0.08), (0.07, 0.06, 0.06), (0.45, 0.28, 0.15)))
    seam = place(box((88, 104, 1), leather * 0.8), (0, 0, 14))
    return join([rounded_box((95, 112, 14), 8, leather, 0.3), seam]), (95.0, 112.0), 15.0


def _button(rng: Random) -> Made:
    """A dealer button or a lammer: a disc, often white."""
    radius, colour = float(rng.uniform(12, 38)), pick(rng, (*WHITES, (0.9, 0.8, 0.2)), 0.1)
    disc = cylinder(radius, 5, colour, sides=32, gloss=0.5)
    ring = place(cylinder(radius * 0.7, 0.3, np.clip(1 - colour, 0, 1), sides=28), (0, 0, 5))
    return (
        join([disc, ring, place(cylinder(radius * 0.6, 0.5, colour, sides=28), (0, 0, 5))]),
        (2 * radius, 2 * radius),
        5.0,
    )


def _glasses(rng: Random) -> Made:
    frame = pick(rng, ((0.05, 0.05, 0.05), (0.5, 0.35, 0.15)))
    parts = []
    for side in (-1, 1):
        parts.append(place(tube(_circle(23.0), np.full(17, 2.5), frame, sides=6), (side * 28, 0, 15)))
        parts.append(
            tube([[side * 50, 0, 17], [side * 52, -70, 15], [side * 44, -130, 6]], [2.5, 2.5, 2.5], frame, sides=6)
        )
    parts.append(tube([[-6, 2, 17], [6, 2, 17]], [2.5, 2.5], frame, sides=6))
    return join(parts), (130.0, 170.0), 20.0


def _box(rng: Random) -> Made:
    """A box of any kind: a deck's carton, a sweet box, a remote control, a display."""
    size = (float(rng.uniform(35, 120)), float(rng.uniform(50, 190)))
    high = float(rng.uniform(8, 60))
    return rounded_box((*size, high), float(rng.uniform(1, 9)), pick(rng, (*BRIGHT, *WHITES)), 0.4), size, high


SOLIDS: tuple[Callable[[Random], Made], ...] = (
    _phone, _phone, _drink, _drink, _bottle, _ash_tray, _cigarettes, _lighter, _keys, _pen, _wallet, _button, _glasses,
    _box,
)  # fmt: skip
#: Kinds of sheets that lie about; a screen lies on its telephone only.
LOOSE = tuple(kind for kind in KINDS if kind != "screen")


def solid(rng: Random, places: Places) -> tuple[Thing | None, Sheet | None]:
    """One of the solid things where there is room, and its lit screen if it is a telephone that has one."""
    make = SOLIDS[int(rng.integers(len(SOLIDS)))]
    mesh, size, high = make(rng)
    found = places.find((size[0] + 6, size[1] + 6), below_mm=0.6)
    if found is None:
        return None, None
    (x, y), yaw = found
    places.raise_to(rectangle((x, y), size, yaw), high)
    screen = None
    if make is _phone and rng.random() < 0.5:
        inner = (size[0] - 6, size[1] - 8)
        screen = Sheet("screen", int(rng.integers(1 << 30)), inner, (x, y, 8.4), yaw, gloss=0.9)
    return Thing(None, mesh).moved((x, y, 0.0), yaw), screen


def sheet(rng: Random, places: Places) -> Sheet | None:
    """A flat thing somewhere, on top of what is flat there."""
    kind = LOOSE[int(rng.integers(len(LOOSE)))]
    size = size_of(rng, kind)
    found = places.find(size, below_mm=2.0)
    if found is None:
        return None
    (x, y), yaw = found
    corners = rectangle((x, y), size, yaw)
    z = places.top_mm(corners)
    places.raise_to(corners, z + 0.4)
    gloss = 0.5 if kind == "club_card" else 0.08
    bend = float(abs(rng.normal(0, 1.5))) if kind in ("paper", "note", "ticket") else 0.0
    return Sheet(kind, int(rng.integers(1 << 30)), size, (x, y, z + 0.25), yaw, 0.0, bend, gloss)
