"""Simple solids that the things of a still life are put together from, beyond those of `meshes.py`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sample_videos.studio.meshes import Mesh, box, build, cylinder, join, place
from sample_videos.studio.stills.still import Random, Thing

Colour = tuple[float, float, float]
#: Display colours of small lamps that are lit, and of one that is off.
LAMP_COLOURS: dict[str, Colour] = {
    "red": (1.0, 0.10, 0.08), "green": (0.12, 1.0, 0.25), "amber": (1.0, 0.62, 0.08), "blue": (0.2, 0.45, 1.0),
    "off": (0.22, 0.2, 0.2),
}  # fmt: skip
GLOW = 2.2
SHARP = 0.6


def lathe(profile: Sequence[tuple[float, float]], colour: ArrayLike, *, sides: int = 28, gloss: float = 0.3) -> Mesh:
    """What a profile of (radius, height) sweeps out about the z axis; its outside lies to the right of its way.

    Where the profile bends by more than SHARP, the edge is sharp; else it is round.
    """
    line = np.array(profile, float)
    along = np.diff(line, axis=0)
    flat = np.stack([along[:, 1], -along[:, 0]], axis=1)
    flat /= np.linalg.norm(flat, axis=1, keepdims=True) + 1e-9
    before, after = np.roll(flat, 1, axis=0), np.roll(flat, -1, axis=0)
    soft_before, soft_after = ((flat * other).sum(axis=1) > math.cos(SHARP) for other in (before, after))
    soft_before[0] = soft_after[-1] = False
    first = np.where(soft_before[:, None], flat + before, flat)
    last = np.where(soft_after[:, None], flat + after, flat)
    points = np.stack([line[:-1], line[1:]], axis=1).reshape(-1, 2)
    normals = np.stack([first, last], axis=1).reshape(-1, 2)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-9
    angle = np.linspace(0, 2 * math.pi, sides, endpoint=False)
    turn = np.stack([np.cos(angle), np.sin(angle)], axis=1)

    def swept(values: NDArray[np.float64]) -> NDArray[np.float64]:
        rings = values[:, None, :1] * turn
        return np.concatenate([rings, np.broadcast_to(values[:, None, 1:], (*rings.shape[:2], 1))], axis=2)

    index = np.arange(sides)
    following = (index + 1) % sides
    quad = np.stack([index, following, following + sides, index, following + sides, index + sides], axis=1)
    rows = (2 * np.arange(len(along)) * sides)[:, None, None]
    return build(swept(points), swept(normals), (rows + quad[None]).reshape(-1, 3), colour, gloss)


def tilted(mesh: Mesh, angle: float, axis: int = 1) -> Mesh:
    """The mesh turned about the x axis (0) or the y axis (1) through its origin."""
    c, s = math.cos(angle), math.sin(angle)
    turn = np.array([[1, 0, 0], [0, c, -s], [0, s, c]]) if axis == 0 else np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
    vertices = mesh.vertices.copy()
    vertices[:, :3] = vertices[:, :3] @ turn.T.astype(np.float32)
    vertices[:, 3:6] = vertices[:, 3:6] @ turn.T.astype(np.float32)
    return Mesh(vertices, mesh.faces)


def rounded_box(size: Sequence[float], radius: float, colour: ArrayLike, gloss: float = 0.3, foot: float = 0.0) -> Mesh:
    """A box with upright edges rounded by `radius`."""
    length, wide, high = size
    radius = min(radius, 0.49 * min(length, wide))
    bars = [
        box((length - 2 * radius, wide, high), colour, gloss),
        box((length, wide - 2 * radius, high), colour, gloss),
    ]
    posts = [
        place(
            cylinder(radius, high, colour, sides=20, gloss=gloss),
            (sx * (length / 2 - radius), sy * (wide / 2 - radius), 0),
        )
        for sx in (-1, 1)
        for sy in (-1, 1)
    ]
    return place(join([*bars, *posts]), (0.0, 0.0, foot))


def shade(rng: Random, colour: ArrayLike, spread: float = 0.25) -> NDArray[np.float64]:
    """A colour near a given one."""
    factor = rng.uniform(1 - spread, 1 + spread) * rng.uniform(1 - spread / 3, 1 + spread / 3, 3)
    return np.asarray(np.clip(np.asarray(colour) * factor, 0.01, 0.98))


def pick(rng: Random, colours: Sequence[ArrayLike], spread: float = 0.25) -> NDArray[np.float64]:
    """One of the colours, a little changed."""
    return shade(rng, np.asarray(colours[int(rng.integers(len(colours)))]), spread)


def shining(mesh: Mesh, factor: float = GLOW) -> Mesh:
    """The mesh as bright as if it shone."""
    vertices = mesh.vertices.copy()
    vertices[:, 6:9] *= factor
    return replace(mesh, vertices=vertices)


def lamp(rng: Random, radius: float | None = None) -> Thing:
    """A small indicator lamp, lit red or green more often than not, in a dark or bright bezel; on z = 0."""
    size = float(rng.uniform(3.5, 11.0)) if radius is None else radius
    name = str(rng.choice(list(LAMP_COLOURS), p=[0.32, 0.32, 0.08, 0.06, 0.22]))
    colour = np.asarray(LAMP_COLOURS[name]) if name != "off" else pick(rng, (LAMP_COLOURS["off"], (0.3, 0.06, 0.06)))
    high = float(rng.uniform(1.0, 5.0))
    if rng.random() < 0.2:
        glass = box((2 * size, float(rng.uniform(0.8, 2.0)) * size, high), colour, 0.6)
    elif rng.random() < 0.5:
        glass = lathe(
            ((size, 0), (size, high * 0.4), (size * 0.75, high), (0.0, high * 1.25)), colour, sides=16, gloss=0.8
        )
    else:
        glass = cylinder(size, high, colour, sides=16, gloss=0.7)
    if name != "off":
        glass = shining(glass, float(rng.uniform(1.2, 3.0)))
    bezel = cylinder(
        size * float(rng.uniform(1.1, 1.4)), 0.6, pick(rng, ((0.08, 0.08, 0.08), (0.6, 0.6, 0.6))), sides=16
    )
    return Thing(None, bezel, (Thing("lamp", glass),))
