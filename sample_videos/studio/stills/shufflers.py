"""Shufflers of several makes, from simple solids: on the table, sunk into it, or with a shoe of their own."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from sample_videos.studio.meshes import Mesh, box, cylinder, join, place, wedge
from sample_videos.studio.scene import CARD_LENGTH_MM, CARD_WIDTH_MM, StackPose
from sample_videos.studio.stills.gear import METALS, PLASTICS, Piece
from sample_videos.studio.stills.solids import lamp, pick, rounded_box, shining, tilted
from sample_videos.studio.stills.still import Random, Thing


def _panel(rng: Random, length: float, wide: float) -> tuple[list[Mesh], list[Thing]]:
    """A control panel `length` by `wide`: display, buttons, one to three lamps."""
    parts = [box((length, wide, 1.2), pick(rng, PLASTICS, 0.4), 0.4)]
    if rng.random() < 0.75:
        glow = pick(rng, ((0.15, 0.5, 0.25), (0.1, 0.25, 0.6), (0.55, 0.75, 0.75), (0.75, 0.2, 0.1), (0.1, 0.12, 0.1)))
        screen = box((length * float(rng.uniform(0.3, 0.7)), wide * 0.55, 0.6), glow, 0.7, 1.2)
        parts.append(shining(screen, float(rng.uniform(0.8, 1.6))))
    for index in range(int(rng.integers(0, 5))):
        button = cylinder(4.0, 2.0, pick(rng, ((0.7, 0.7, 0.7), (0.1, 0.5, 0.2), (0.6, 0.1, 0.1))), sides=12)
        parts.append(place(button, (-length / 2 + 8 + index * 11, wide * 0.36, 1.2)))
    count = int(rng.choice([1, 1, 2, 3]))
    lamps = [lamp(rng).moved((length / 2 - 9 - 22 * index, -wide * 0.3, 1.2)) for index in range(count)]
    return parts, lamps


def _lid(rng: Random, length: float, wide: float, colour: np.ndarray) -> Mesh:
    """A lid hinged at its far side (local +y), shut, ajar or open."""
    angle = float(rng.choice([0.0, 0.0, 0.35, 1.4, 1.9]))
    plate = rounded_box((length, wide, 4.0), 5.0, np.clip(colour * 1.15 + 0.02, 0, 1), 0.5)
    return place(tilted(place(plate, (0, -wide / 2, 0)), -angle, axis=0), (0, wide / 2, 0))


def _flat_stack(rng: Random, x: float, y: float, z: float) -> StackPose:
    return StackPose(
        (x, y, z), int(rng.integers(20, 210)), math.pi / 2 * int(rng.integers(2)), deck=0,
        loose_mm=float(rng.uniform(0.3, 1.5)), seed=int(rng.integers(1 << 20)),
    )  # fmt: skip


def table_top(rng: Random) -> Piece:
    """A box on the table with a hopper behind, a lid, and a tray in front in which the shuffled cards lie."""
    length, wide, high = float(rng.uniform(280, 430)), float(rng.uniform(170, 240)), float(rng.uniform(90, 230))
    colour = pick(rng, PLASTICS)
    body = rounded_box((wide, length * 0.72, high), float(rng.uniform(4, 40)), colour, 0.4)
    parts = [place(body, (0, length * 0.14, 0))]
    nose = tilted(wedge(length * 0.32, wide * 0.94, (high * 0.85, 26.0), colour, 0.4), 0.0)
    parts.append(place(_quarter(nose), (0, -length * 0.36, 0)))
    slot = box((CARD_LENGTH_MM + 16, CARD_WIDTH_MM + 16, 1.0), (0.03, 0.03, 0.03), 0.1)
    parts.append(place(slot, (0, length * 0.22, high + 0.2)))
    if rng.random() < 0.7:
        lid = _lid(rng, wide * 0.8, length * 0.32, colour)
        parts.append(place(lid, (0, length * 0.24, high + 1.0)))
    panel, lamps = _panel(rng, wide * 0.7, length * 0.16)
    shift = (0.0, -length * 0.08, high + 0.5)
    parts += [place(mesh, shift) for mesh in panel]
    exit_ = box((CARD_LENGTH_MM + 14, 60.0, 3.0), colour * 0.6, 0.3)
    parts.append(place(exit_, (0, -length / 2 - 24, 0)))
    thing = Thing("shuffler", join(parts), tuple(part.moved(shift) for part in lamps))
    return Piece(thing, (wide + 10, length + 110))


def _quarter(mesh: Mesh) -> Mesh:
    """A wedge that falls off along x made to fall off along -y."""
    return place(mesh, (0, 0, 0), -math.pi / 2)


def flush(rng: Random) -> Piece:
    """A shuffler sunk into the table: a plate with a lid, or with its elevator and the cards on it."""
    length, wide = float(rng.uniform(150, 290)), float(rng.uniform(120, 210))
    metal = pick(rng, (*METALS, (0.1, 0.1, 0.11)))
    plate = rounded_box((length, wide, float(rng.uniform(2, 7))), float(rng.uniform(3, 30)), metal, 0.7)
    lids, stacks = [], []
    for side in (-1, 1) if rng.random() < 0.6 else (0,):
        x = side * length * 0.24
        well = box((CARD_WIDTH_MM + 8, CARD_LENGTH_MM + 8, 1.0), (0.02, 0.02, 0.02), 0.1)
        if rng.random() < 0.5:
            lids.append(place(well, (x, 0, 7)))
            if rng.random() < 0.6:
                stacks.append(StackPose((x, 0, 7.5), int(rng.integers(12, 60)), 0.0, seed=int(rng.integers(1 << 20))))
        else:
            lid = rounded_box((CARD_WIDTH_MM + 14, CARD_LENGTH_MM + 14, 4.0), 4, metal * 0.85, 0.6)
            lids.append(place(lid, (x, 0, 6)))
    shift = (0.0, -wide / 2 + 12, 6.5)
    lamps = [lamp(rng).moved((float(x), *shift[1:])) for x in rng.uniform(-0.4, 0.4, int(rng.integers(1, 3))) * length]
    return Piece(Thing("shuffler", join([plate, *lids]), tuple(lamps)), (length, wide), (), tuple(stacks))


def continuous(rng: Random) -> Piece:
    """A continuous shuffler: a high hood behind, a sloping shoe in front."""
    length, wide, high = float(rng.uniform(330, 440)), float(rng.uniform(200, 280)), float(rng.uniform(160, 260))
    colour = pick(rng, PLASTICS)
    hood = place(rounded_box((wide, length * 0.6, high), float(rng.uniform(10, 60)), colour, 0.5), (0, length * 0.2, 0))
    drum = tilted(cylinder(high * 0.45, wide * 0.8, colour * 0.8, sides=28, gloss=0.5), math.pi / 2)
    top = place(drum, (-wide * 0.4, length * 0.24, high * 0.8))
    front = place(_quarter(wedge(length * 0.4, wide * 0.62, (high * 0.7, 12.0), colour, 0.5)), (0, -length * 0.3, 0))
    plate = place(box((wide * 0.6, 36, 8), pick(rng, METALS), 0.6), (0, -length * 0.5, 0))
    panel, lamps = _panel(rng, wide * 0.5, 40.0)
    shift = (0.0, length * 0.02 - 40.0, high + 1.0)
    mesh = join([hood, top, front, plate, *(place(part, shift) for part in panel)])
    return Piece(Thing("shuffler", mesh, tuple(part.moved(shift) for part in lamps)), (wide + 10, length + 40))


def small(rng: Random) -> Piece:
    """A desk-top shuffler for one or two decks: two hoppers and a drawer between them."""
    length, wide, high = float(rng.uniform(200, 280)), float(rng.uniform(100, 150)), float(rng.uniform(70, 120))
    colour = pick(rng, PLASTICS)
    body = rounded_box((length, wide, high), 12.0, colour, 0.4)
    wells, stacks = [], []
    for x in (-length * 0.3, length * 0.3):
        wells.append(place(box((CARD_WIDTH_MM + 8, CARD_LENGTH_MM + 6, 1), (0.03, 0.03, 0.03)), (x, 0, high)))
        if rng.random() < 0.4:
            stacks.append(StackPose((x, 0, high + 1), int(rng.integers(10, 70)), 0.0, seed=int(rng.integers(1 << 20))))
    lamps = tuple(lamp(rng).moved((0, float(rng.uniform(-0.4, 0.4)) * wide, high)) for _ in range(1))
    return Piece(Thing("shuffler", join([body, *wells]), lamps), (length, wide), (), tuple(stacks))


MAKES: tuple[Callable[[Random], Piece], ...] = (table_top, flush, continuous, small)


def shuffler(rng: Random) -> Piece:
    """A shuffler of one of the makes."""
    return MAKES[int(rng.integers(len(MAKES)))](rng)
