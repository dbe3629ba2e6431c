"""Dice with pips, and the shakers in which Pai Gow's three dice lie: base and lid, together or apart."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from sample_videos.studio.meshes import Mesh, box, cylinder, join, place
from sample_videos.studio.stills.gear import METALS, Piece
from sample_videos.studio.stills.solids import lamp, lathe, pick, rounded_box, tilted
from sample_videos.studio.stills.still import Random, Thing

#: Bodies and pips: clear red, white, blue, green, ivory, black, amber, purple.
COLOURS = (
    ((0.72, 0.05, 0.08), (0.95, 0.95, 0.93)), ((0.95, 0.95, 0.93), (0.06, 0.06, 0.06)),
    ((0.08, 0.2, 0.65), (0.95, 0.95, 0.93)), ((0.06, 0.45, 0.2), (0.95, 0.95, 0.93)),
    ((0.93, 0.88, 0.75), (0.06, 0.06, 0.06)), ((0.07, 0.07, 0.08), (0.95, 0.95, 0.93)),
    ((0.9, 0.55, 0.1), (0.95, 0.95, 0.93)), ((0.4, 0.1, 0.5), (0.95, 0.95, 0.93)),
)  # fmt: skip
_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),), 2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)), 4: ((-1, -1), (1, 1), (-1, 1), (1, -1)),
    5: ((-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)), 6: ((-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0)),
}  # fmt: skip
#: How a face on top is turned to each of the six sides: axis and angle.
_SIDES = ((0, 0.0), (0, math.pi), (0, math.pi / 2), (0, -math.pi / 2), (1, math.pi / 2), (1, -math.pi / 2))
SHAKER_COLOURS = ((0.05, 0.05, 0.06), (0.12, 0.08, 0.06), (0.5, 0.08, 0.08), (0.72, 0.56, 0.2), (0.62, 0.62, 0.64))


def die(rng: Random, size: float, colours: tuple[tuple[float, ...], tuple[float, ...]]) -> Thing:
    """A die standing on z = 0, any of its faces up; opposite faces make seven."""
    body, ink = np.asarray(colours[0]), np.asarray(colours[1])
    chinese = ink.mean() < 0.5 and rng.random() < 0.4
    parts = [_cube(size, body)]
    first, second, third = (int(v) for v in rng.permutation(3) + 1)
    faces = (first, 7 - first, second, 7 - second, third, 7 - third)
    for value, (axis, angle) in zip(faces, _SIDES, strict=True):
        red = chinese and value in (1, 4)
        spots = _spots(
            value, size, np.array([0.75, 0.05, 0.08]) if red else ink, 1.5 if value == 1 and chinese else 1.0
        )
        parts.append(place(tilted(spots, angle, axis), (0, 0, size / 2)))
    return Thing("die", join(parts))


def _cube(size: float, body: NDArray[np.float64]) -> Mesh:
    """A cube with its edges taken off a little: three boxes through each other."""
    cut = size * 0.08
    sizes = [(size, size - cut, size - cut), (size - cut, size, size - cut), (size - cut, size - cut, size)]
    return join([box(s, body, 0.7, (size - s[2]) / 2) for s in sizes])


def _spots(value: int, size: float, ink: NDArray[np.float64], larger: float) -> Mesh:
    """The pips of a value on a face at z = size / 2."""
    pip = cylinder(size * 0.095 * larger, 0.15, ink, sides=10, gloss=0.2)
    step = size * 0.26
    return join([place(pip, (x * step, y * step, size / 2)) for x, y in _PIPS[value]])


def dice(rng: Random, count: int | None = None) -> list[Thing]:
    """Some dice of one make, beside each other about the origin."""
    number = count or int(rng.choice([1, 2, 3, 5], p=[0.25, 0.3, 0.35, 0.1]))
    size = float(rng.uniform(14, 25))
    colours = COLOURS[int(rng.integers(len(COLOURS)))]
    made: list[tuple[float, float]] = []
    spread = size * float(rng.uniform(1.3, 4.0))
    for _ in range(200):
        x, y = (float(v) for v in rng.normal(0, spread, 2))
        if all(math.hypot(x - a, y - b) > 1.45 * size for a, b in made):
            made.append((x, y))
        if len(made) == number:
            break
    return [die(rng, size, colours).moved((x, y, 0.0), float(rng.uniform(0, math.pi))) for x, y in made]


def _lid(rng: Random, radius: float, colour: NDArray[np.float64]) -> Thing:
    """The dome or cup that covers the dice, standing on z = 0."""
    high, gloss = float(rng.uniform(40, 85)), float(rng.uniform(0.3, 0.9))
    if rng.random() < 0.5:
        turn = np.linspace(0, math.pi / 2, 9)
        profile = [(radius, 0.0), *((radius * float(np.cos(t)) ** 0.6, high * float(np.sin(t))) for t in turn[1:])]
    else:
        top = radius * float(rng.uniform(0.7, 1.0))
        profile = [(radius, 0.0), (radius, 4.0), (top, high - 5), (top * 0.9, high), (0.0, high + 0.5)]
    parts = [lathe([(r, z) for r, z in profile], colour, gloss=gloss)]
    if rng.random() < 0.65:
        knob = float(rng.uniform(6, 14))
        parts.append(
            place(
                lathe(((knob * 0.6, 0), (knob, knob), (knob * 0.7, knob * 1.7), (0, knob * 1.9)), colour * 0.8),
                (0, 0, high),
            )
        )
    if rng.random() < 0.3:
        parts.append(cylinder(radius * 1.04, 5.0, pick(rng, METALS), sides=28, gloss=0.8))
    return Thing("shaker_lid", join(parts))


def shaker(rng: Random) -> tuple[Piece, Piece | None]:
    """A shaker with its lid on, or the open base with three dice in it, and the lid by itself where it is off."""
    colour = pick(rng, SHAKER_COLOURS)
    lid_colour = colour if rng.random() < 0.6 else pick(rng, SHAKER_COLOURS)
    radius = float(rng.uniform(38, 62))
    rim = radius + float(rng.uniform(1.5, 14))
    high = float(rng.uniform(5, 26))
    if rng.random() < 0.2:  # an electric one: the dice lie in a box
        rim = max(rim, radius + 12)
        base = rounded_box((2 * rim + 10, 2 * rim + float(rng.uniform(10, 50)), high + 14), 10, colour, 0.4)
        floor, size = high + 14.5, (2 * rim + 10, 2 * rim + 60)
    else:
        base = lathe(((rim, 0), (rim, high * 0.6), (rim - 2, high), (radius * 0.97, high), (0.0, high + 0.2)), colour)
        floor, size = high + 0.4, (2 * rim, 2 * rim)
    cloth = place(
        cylinder(radius * 0.92, 0.3, pick(rng, ((0.06, 0.3, 0.16), (0.4, 0.05, 0.07), colour * 0.7)), sides=28),
        (0, 0, floor),
    )
    base = join([base, cloth])
    lid = _lid(rng, radius, lid_colour)
    lamps = (lamp(rng, 4.0).moved((0, -rim - 6, floor)),) if size[1] > 2 * rim + 50 and rng.random() < 0.7 else ()
    if rng.random() < 0.5:
        return Piece(Thing("shaker", base, (lid.moved((0, 0, floor)), *lamps)), size), None
    inner = _inside(rng, radius * 0.62, floor)
    apart = Piece(lid, (2 * radius, 2 * radius)) if rng.random() < 0.75 else None
    return Piece(Thing("shaker", base, (*inner, *lamps)), size), apart


def _inside(rng: Random, reach: float, floor: float) -> tuple[Thing, ...]:
    """Three dice (now and then none) on the base's floor."""
    if rng.random() < 0.1:
        return ()
    size = float(rng.uniform(14, min(19, reach * 0.62)))
    colours = COLOURS[int(rng.integers(len(COLOURS)))]
    start = float(rng.uniform(0, 2 * math.pi))
    out = []
    for index in range(3):
        angle = start + index * 2.1 + float(rng.normal(0, 0.2))
        spot = (reach * 0.72 * math.cos(angle), reach * 0.72 * math.sin(angle), floor)
        out.append(die(rng, size, colours).moved(spot, float(rng.uniform(0, math.pi))))
    return tuple(out)
