"""Backs of cards in any number: a motif, its size, its inks and its border, all drawn from one seed.

A casino's back is mostly a fine pattern in one or two inks around a medallion, with or without a pale border; a few
patterns drawn by hand teach a network those patterns and no other. Lengths are in mm.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_videos.studio.lettering import Colour
from sample_videos.studio.scene import CARD_LENGTH_MM, CARD_WIDTH_MM

Random = np.random.Generator
Field = NDArray[np.float64]
PX_PER_MM = 4.0
INKS: tuple[Colour, ...] = (
    (0.6, 0.08, 0.1), (0.08, 0.15, 0.5), (0.06, 0.06, 0.07), (0.05, 0.35, 0.18), (0.35, 0.12, 0.45), (0.75, 0.4, 0.1),
    (0.4, 0.25, 0.15), (0.1, 0.42, 0.48), (0.78, 0.63, 0.25), (0.7, 0.35, 0.48), (0.42, 0.42, 0.44), (0.85, 0.85, 0.83),
)  # fmt: skip
PAPERS: tuple[Colour, ...] = ((0.97, 0.97, 0.96), (0.95, 0.93, 0.86), (0.9, 0.9, 0.9))
EDGE_MM = 0.18  # how soft an ink's edge is
#: A back of one colour would be a cover card: one that varies less than PLAIN has a border, no nearer to it than ALIKE.
PLAIN, ALIKE = 0.04, 0.2
#: Seeds of the backs of training are below this, those of evaluation are not.
EVAL_SEED = 1_000_000


def any_seed(rng: Random, *, training: bool) -> int:
    """The seed of one of the million backs of training, or of evaluation."""
    return int(rng.integers(EVAL_SEED)) + (0 if training else EVAL_SEED)


def draw_back(seed: int) -> NDArray[np.uint8]:
    """One back (356, 254, 3) RGB, the same upright and turned."""
    rng = np.random.default_rng([seed, 53])
    height, width = round(CARD_LENGTH_MM * PX_PER_MM), round(CARD_WIDTH_MM * PX_PER_MM)
    y, x = np.mgrid[0:height, 0:width] / PX_PER_MM + 0.5 / PX_PER_MM
    x, y = x - width / PX_PER_MM / 2, y - height / PX_PER_MM / 2
    first, second, paper = _inks(rng)
    picture = _mix(np.broadcast_to(first, (height, width, 3)), second, _motif(rng, x, y))
    if rng.random() < 0.3:
        third = _near(rng, INKS[int(rng.integers(len(INKS)))])
        picture = _mix(picture, third, 0.8 * _motif(rng, x, y))
    if rng.random() < 0.45:
        picture = _medallion(rng, picture, x, y, (first, second, paper))
    picture = _border(rng, picture, x, y, (first, second, paper))
    half = height // 2
    picture[half:] = picture[:half][::-1, ::-1]
    return np.asarray(np.round(255 * np.clip(picture, 0, 1)), np.uint8)


def _inks(rng: Random) -> tuple[Field, Field, Field]:
    """Two inks and the paper; the second ink is often the first one thinned, or the paper itself."""
    first = _near(rng, INKS[int(rng.integers(len(INKS)))])
    paper = np.asarray(PAPERS[int(rng.integers(len(PAPERS)))])
    kind = rng.random()
    if kind < 0.45:
        second = first + (paper - first) * rng.uniform(0.25, 0.95)
    elif kind < 0.7:
        second = paper
    else:
        second = _near(rng, INKS[int(rng.integers(len(INKS)))])
    return (second, first, paper) if rng.random() < 0.3 else (first, second, paper)


def _near(rng: Random, colour: Colour) -> Field:
    """A colour near a given one."""
    return np.asarray(np.clip(np.asarray(colour) * rng.uniform(0.7, 1.25) * rng.uniform(0.9, 1.1, 3), 0.02, 0.98))


def _mix(under: Field, ink: Field, share: Field) -> Field:
    """Ink over a picture, as much of it as `share` (H, W) says."""
    return np.asarray(under + (ink - under) * share[..., None])


def _bars(phase: Field, period: float, filled: float) -> Field:
    """How much of each place a row of bars covers: `phase` in mm across them."""
    away = np.abs((phase / period + 0.5) % 1.0 - 0.5) * period  # from the middle of the nearest bar
    return np.asarray(np.clip((filled * period / 2 - away) / EDGE_MM + 0.5, 0, 1))


def _lines(rng: Random, x: Field, y: Field) -> Field:
    """Parallel lines, mostly fine; straight or waved."""
    turn = float(rng.choice([0.0, math.pi / 2, math.pi / 4, float(rng.uniform(0, math.pi))]))
    across, along = x * math.cos(turn) + y * math.sin(turn), y * math.cos(turn) - x * math.sin(turn)
    if rng.random() < 0.35:
        across = across + rng.uniform(0.5, 4) * np.sin(along * 2 * math.pi / rng.uniform(6, 30))
    return _bars(across, float(np.exp(rng.uniform(math.log(0.8), math.log(7.0)))), float(rng.uniform(0.25, 0.6)))


def _crossed(rng: Random, x: Field, y: Field) -> Field:
    """Two sets of lines: a lattice or a plaid."""
    turn, period = float(rng.choice([0.0, math.pi / 4, 1.0])), float(rng.uniform(1.6, 8.0))
    filled, other = float(rng.uniform(0.15, 0.4)), period * float(rng.uniform(0.8, 1.5))
    first, second = x * math.cos(turn) + y * math.sin(turn), x * math.cos(turn) - y * math.sin(turn)
    if turn == 0.0:
        second = y
    return np.maximum(_bars(first, period, filled), _bars(second, other, filled))


def _checks(rng: Random, x: Field, y: Field) -> Field:
    """Checks or lozenges."""
    u, v = (x, y) if rng.random() < 0.5 else (x + y * rng.uniform(0.5, 1.0), x - y * rng.uniform(0.5, 1.0))
    wave = np.sin(u * math.pi / rng.uniform(1.5, 5.5)) * np.sin(v * math.pi / rng.uniform(1.5, 5.5))
    return np.asarray(np.clip(wave * 6 + 0.5, 0, 1))


def _rosettes(rng: Random, x: Field, y: Field) -> Field:
    """Small round ornaments in rows: dots, rings or flowers."""
    step, row = float(rng.uniform(2.5, 14)), float(rng.uniform(0.8, 1.3))
    line = np.round(y / (step * row))
    dx = (x + (line % 2) * step / 2 + step / 2) % step - step / 2
    dy = y - line * step * row
    radius, angle = np.hypot(dx, dy), np.arctan2(dy, dx)
    petals = int(rng.integers(3, 9))
    reach = step * rng.uniform(0.25, 0.48) * (1 + float(rng.choice([0.0, 0.35])) * np.cos(petals * angle))
    filled = np.clip((reach - radius) / EDGE_MM + 0.5, 0, 1)
    if rng.random() < 0.5:
        filled = filled * np.clip((radius - 0.55 * reach) / EDGE_MM + 0.5, 0, 1)
    return np.asarray(filled)


def _rings(rng: Random, x: Field, y: Field) -> Field:
    """Rings, ovals or rays about the middle."""
    radius, angle = np.hypot(x, y * rng.uniform(0.6, 1.0)), np.arctan2(y, x)
    if rng.random() < 0.3:
        return np.asarray(np.clip(np.cos(angle * int(rng.integers(6, 60))) * (0.3 + radius / 4) + 0.5, 0, 1))
    wave = rng.uniform(0, 2.5) * np.cos(angle * int(rng.integers(4, 25)))
    return _bars(radius + wave, float(rng.uniform(1.2, 8)), float(rng.uniform(0.25, 0.6)))


def _engraved(rng: Random, x: Field, y: Field) -> Field:
    """A guilloche: fine lines that swing against each other."""
    out = np.zeros_like(x)
    length, swing, period = float(rng.uniform(8, 30)), float(rng.uniform(2, 9)), float(rng.uniform(1.5, 4.5))
    for k in range(int(rng.integers(2, 5))):
        bent = y + swing * np.sin(x * 2 * math.pi / length + k * math.pi * rng.uniform(0.4, 1.0))
        out = np.maximum(out, _bars(bent, period * (1 + 0.2 * k), 0.22))
    return out


def _grained(rng: Random, x: Field, y: Field) -> Field:
    """Blotches or fine grain, as of marble or leather; speckles of one size."""
    noise = cv2.GaussianBlur(rng.normal(size=x.shape), (0, 0), float(rng.uniform(0.8, 14)))
    noise = noise / (noise.std() + 1e-9)
    return np.asarray(np.clip(noise * rng.uniform(0.4, 2.5) + rng.uniform(0.2, 0.6), 0, 1))


def _plain(rng: Random, x: Field, y: Field) -> Field:
    """Nothing, or a shade that grows towards the middle."""
    fall = float(rng.choice([0.0, 0.0, 0.5]))
    return np.asarray(fall * np.clip(1 - np.hypot(x / 32, y / 45), 0, 1))


MOTIFS: tuple[tuple[Callable[[Random, Field, Field], Field], float], ...] = (
    (_lines, 0.22), (_crossed, 0.16), (_checks, 0.12), (_rosettes, 0.14), (_rings, 0.10), (_engraved, 0.10),
    (_grained, 0.08), (_plain, 0.08),
)  # fmt: skip


def _motif(rng: Random, x: Field, y: Field) -> Field:
    """How much of each place (H, W) the second ink covers."""
    odds = [share for _, share in MOTIFS]
    return MOTIFS[int(rng.choice(len(MOTIFS), p=odds))][0](rng, x, y)


def _medallion(rng: Random, picture: Field, x: Field, y: Field, inks: tuple[Field, Field, Field]) -> Field:
    """Something large in the middle: a disc, an oval, a lozenge or a star with a rim, and an ornament in it."""
    size, long = float(rng.uniform(7, 24)), float(rng.uniform(0.7, 1.6))
    radius, angle = np.hypot(x, y / long), np.arctan2(y / long, x)
    kind = int(rng.integers(3))
    points = int(rng.integers(4, 13))
    reach = (size, size * (1 + 0.25 * np.cos(points * angle)), size * np.hypot(x, y / long) / (
        np.abs(x) + np.abs(y / long) + 1e-6) * 1.2)[kind]  # fmt: skip
    ground, ink = inks[int(rng.integers(3))], inks[int(rng.integers(3))]
    picture = _mix(picture, ground, np.clip((reach - radius) / EDGE_MM + 0.5, 0, 1))
    inner = np.clip((reach - 1.8 - radius) / EDGE_MM + 0.5, 0, 1)
    return _mix(picture, ink, inner * _motif(rng, x, y) if rng.random() < 0.7 else inner)


def _border(rng: Random, picture: Field, x: Field, y: Field, inks: tuple[Field, Field, Field]) -> Field:
    """The border: paper, one of the inks, or none; lines inside it."""
    from_rim = np.minimum(CARD_WIDTH_MM / 2 - np.abs(x), CARD_LENGTH_MM / 2 - np.abs(y))
    kind = rng.random()
    if kind < 0.3 and picture.std(axis=(0, 1)).max() > PLAIN:
        return np.array(picture)
    margin = float(rng.uniform(1.2, 7.0))
    colour = inks[2] if kind < 0.85 else inks[int(rng.integers(2))]
    if np.abs(colour - picture.mean(axis=(0, 1))).max() < ALIKE:
        colour = 0.2 * inks[2] if picture.mean() > 0.5 else inks[2]
    out = _mix(picture, colour, np.clip((margin - from_rim) / EDGE_MM + 0.5, 0, 1))
    for _ in range(int(rng.integers(0, 3))):
        at, wide = float(rng.uniform(0.5, margin + 3)), float(rng.uniform(0.3, 1.2))
        line = np.clip((wide / 2 - np.abs(from_rim - at)) / EDGE_MM + 0.5, 0, 1)
        out = _mix(out, inks[int(rng.integers(3))], line)
    return out
