"""Dealing shoes and discard buckets and racks of several makes, each with the space that it takes on the table."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sample_videos.studio import props
from sample_videos.studio.meshes import box, join, place, wedge
from sample_videos.studio.scene import CARD_LENGTH_MM, CARD_THICKNESS_MM, CARD_WIDTH_MM, Equipment, StackPose, Vec2
from sample_videos.studio.stills.solids import lamp, lathe, pick, rounded_box, tilted
from sample_videos.studio.stills.still import Random, Thing

PLASTICS = (
    (0.07, 0.07, 0.08), (0.12, 0.12, 0.13), (0.55, 0.1, 0.1), (0.1, 0.16, 0.4), (0.75, 0.78, 0.8), (0.35, 0.22, 0.12),
    (0.5, 0.5, 0.5), (0.08, 0.25, 0.15),
)  # fmt: skip
METALS = ((0.6, 0.6, 0.62), (0.35, 0.35, 0.37), (0.72, 0.6, 0.32))


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A thing at the origin, the space that it takes (along x, along y, mm), and cards in it.

    `waiting` are poses (3, 4) of backs that show in it; `stacks` lie in it and are labelled.
    """

    thing: Thing
    size: Vec2
    waiting: tuple[NDArray[np.float64], ...] = ()
    stacks: tuple[StackPose, ...] = ()


def _equipment(rng: Random, length: float, wide: float, high: float) -> Equipment:
    dark = rng.random() < 0.4
    return Equipment(
        (0.0, 0.0), (length, wide, high), 0.0, (length / 2, 0.0), _colour(pick(rng, PLASTICS)),
        str(rng.choice(["opaque", "opaque", "smoke", "none"])), (0.0, 0.0), (140.0, 110.0, 80.0), 0.0, (0.1, 0.1, 0.1),
        ((-200.0, 8.0), (200.0, 100.0)),
        shoe_faceplate=_colour(pick(rng, ((0.12, 0.12, 0.12),) if dark else ((0.92, 0.92, 0.92), (0.7, 0.7, 0.72)))),
    )  # fmt: skip


def _colour(values: NDArray[np.float64]) -> tuple[float, float, float]:
    return float(values[0]), float(values[1]), float(values[2])


def shoe(rng: Random) -> Piece:
    """A dealing shoe for 1 to 8 decks, some with a lamp, a display or a metal trim."""
    length, wide, high = float(rng.uniform(190, 430)), float(rng.uniform(98, 155)), float(rng.uniform(70, 135))
    equipment = _equipment(rng, length, wide, high)
    parts = []
    if rng.random() < 0.3:
        at = (float(rng.uniform(-0.45, 0.1)) * length, float(rng.choice([-0.38, 0.38])) * wide, high + 4.5)
        parts.append(lamp(rng).moved(at))
    mesh = props.shoe(equipment, int(rng.integers(1 << 30)))
    if rng.random() < 0.25:  # a reading unit under the exit
        unit = rounded_box((60, wide + 24, float(rng.uniform(14, 40))), 8, pick(rng, PLASTICS))
        mesh = join([mesh, place(unit, (length / 2 - 30, 0, 0))])
    if rng.random() < 0.3:
        display = box((28, 0.4 * wide, 1.0), (0.1, 0.3, 0.15), 0.8)
        mesh = join([mesh, place(display, (-0.2 * length, 0, high + 4))])
    full = rng.random() < 0.85
    cards = props.shoe_cards(equipment, int(rng.integers(10, 400)) if full else 0, CARD_THICKNESS_MM)
    thing = Thing("shoe", mesh, (Thing(None, cards), *parts)) if len(cards.faces) else Thing("shoe", mesh, tuple(parts))
    turn, centre = props.shoe_front(equipment)
    waiting = (np.column_stack([turn, centre]),) if full else ()
    return Piece(thing, (length + 8, wide + 8), waiting)


def bucket(rng: Random) -> Piece:
    """A discard bucket, empty or with a stack of used cards in it."""
    length, wide, high = float(rng.uniform(100, 190)), float(rng.uniform(80, 150)), float(rng.uniform(45, 110))
    equipment = replace(
        _equipment(rng, 300, 120, 100),
        bucket_size_mm=(length, wide, high),
        bucket_colour=_colour(pick(rng, PLASTICS)),
        bucket_wall_mm=float(rng.uniform(3, 8)),
    )
    stacks: tuple[StackPose, ...] = ()
    if rng.random() < 0.6 and length > CARD_LENGTH_MM + 14 and wide > CARD_WIDTH_MM + 14:
        stacks = (_inner_stack(rng, np.pi / 2, min(int(high / CARD_THICKNESS_MM), 300)),)
    return Piece(Thing("discard", props.bucket(equipment)), (length, wide), (), stacks)


def tub(rng: Random) -> Piece:
    """A discard bucket that is round, oval or rounded, mostly dark, with or without cards dropped into it."""
    high, wall = float(rng.uniform(40, 150)), float(rng.uniform(2, 6))
    half = np.array([rng.uniform(56, 95), rng.uniform(56, 95)] if rng.random() < 0.4 else [rng.uniform(56, 90)] * 2)
    colour = pick(rng, (*PLASTICS[:2], *PLASTICS, *METALS))
    foot = float(rng.uniform(0.75, 1.0))
    inner = 1.0 - wall / float(half.min())
    profile = ((foot, 0.0), (1.0, high), (inner, high), (foot * inner, 3.0), (0.0, 3.0))
    mesh = lathe(profile, colour, sides=36, gloss=float(rng.uniform(0.1, 0.7)))
    squarer = float(rng.choice([2.0, 2.0, 4.0, 8.0]))
    vertices = mesh.vertices.copy()
    radius = np.maximum(np.hypot(vertices[:, 0], vertices[:, 1]), 1e-6)
    towards = np.abs(vertices[:, :2]) / radius[:, None] + 1e-9
    out = np.maximum((towards**squarer).sum(axis=1), 0.1) ** (-1 / squarer)
    vertices[:, :2] *= out[:, None] * half
    vertices[:, 6:9] *= np.where((radius < inner + 1e-3) & (vertices[:, 2] < high - 1e-3), 0.6, 1.0)[:, None]
    stacks: tuple[StackPose, ...] = ()
    if rng.random() < 0.3 and half.min() * foot > 62:
        stacks = (_inner_stack(rng, float(rng.uniform(0, np.pi)), min(int(high / CARD_THICKNESS_MM), 200)),)
    thing = Thing("discard", replace(mesh, vertices=vertices))
    return Piece(thing, (2 * float(half[0]), 2 * float(half[1])), (), stacks)


def rack(rng: Random) -> Piece:
    """A discard rack: a foot with walls on two or three sides, upright or leaning, with or without cards."""
    length, wide, high = float(rng.uniform(96, 130)), float(rng.uniform(72, 100)), float(rng.uniform(50, 140))
    colour, wall = pick(rng, ((0.15, 0.15, 0.17), (0.5, 0.1, 0.1), (0.7, 0.72, 0.75), (0.1, 0.1, 0.12))), 4.0
    parts = [box((length, wide, 4), colour, 0.5)]
    back = tilted(box((wall, wide, high), colour, 0.6), float(rng.choice([0.0, 0.25])))
    parts.append(place(back, (length / 2 - wall / 2, 0, 3)))
    cheek = wedge(length, wall, (high * 0.3, high), colour, 0.6)
    parts += [place(cheek, (0, side * (wide - wall) / 2, 3)) for side in ([-1, 1] if rng.random() < 0.6 else [1])]
    stacks = (_inner_stack(rng, np.pi / 2, int(high / CARD_THICKNESS_MM)),) if rng.random() < 0.6 else ()
    return Piece(Thing("discard", join(parts)), (length, wide), (), stacks)


def _inner_stack(rng: Random, yaw: float, most: int) -> StackPose:
    """Used cards lying in a bucket or rack."""
    count = int(np.exp(rng.uniform(np.log(8), np.log(max(most, 12)))))
    loose = float(rng.uniform(0.5, 4.0))
    return StackPose((0.0, 0.0, 4.5), count, yaw, deck=0, loose_mm=loose, seed=int(rng.integers(1 << 20)))


def tray(rng: Random) -> Piece:
    """The dealer's tray with rows of chips."""
    half, deep = float(rng.uniform(170, 280)), float(rng.uniform(75, 130))
    equipment = replace(_equipment(rng, 300, 120, 100), tray=((-half, -deep / 2), (half, deep / 2)))
    return Piece(Thing("chips", props.tray(equipment, int(rng.integers(1 << 30)))), (2 * half, deep))
