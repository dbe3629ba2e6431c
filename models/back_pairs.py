"""Pairs of card backs drawn by the studio, as a camera sees them; of one design or of two."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_videos.studio import art
from vision.crops import MARGIN, crop_px
from vision.frame import Image

Random = np.random.Generator
#: Two colours nearer than this (CIE Lab) are too alike to be asked about.
CLEARLY_APART = 30.0
#: A card's corners on the drawn table in its own texture's pixels, and the table's size.
TABLE_PX = (440, 540)


@dataclass(frozen=True, slots=True)
class Conditions:
    """How both cards are seen: short side in pixels, blur in pixels (standard deviation), noise in grey levels."""

    short_px: tuple[float, float] = (24.0, 100.0)
    blur_px: tuple[float, float] = (0.0, 1.2)
    noise: tuple[float, float] = (0.0, 6.0)


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two upright crops (128, 96, 3) BGR, whether they are of one design, and in what the designs differ."""

    first: Image
    second: Image
    same: bool
    differ: str


def make_pair(rng: Random, split: art.Split, conditions: Conditions) -> Pair:
    """A pair by chance, half of them of one design; of the others half differ in colour, half in pattern."""
    names = art.back_names(split)
    pattern, colour = str(rng.choice(names)), _colour(rng)
    chance = rng.random()
    other, shade, differ = pattern, colour, "nothing"
    if chance >= 0.75:
        other, differ = str(rng.choice([name for name in names if name != pattern])), "pattern"
    elif chance >= 0.5:
        shade, differ = _apart(rng, colour), "colour"
    short_px = float(np.exp(rng.uniform(*np.log(conditions.short_px))))
    blur_px, noise = float(rng.uniform(*conditions.blur_px)), float(rng.uniform(*conditions.noise))
    light, felt = float(rng.uniform(0.35, 1.1)), rng.uniform(10, 140, 3)
    crops = [
        _seen(rng, art.back(name, tone)[..., 2::-1], felt, _View(short_px, blur_px, noise, light))
        for name, tone in ((pattern, colour), (other, shade))
    ]
    return Pair(crops[0], crops[1], differ == "nothing", differ)


@dataclass(frozen=True, slots=True)
class _View:
    short_px: float
    blur_px: float
    noise: float
    light: float


def _colour(rng: Random) -> tuple[float, float, float]:
    r, g, b = np.round(rng.uniform(0.03, 0.85, 3), 2).tolist()
    return r, g, b


def _apart(rng: Random, colour: tuple[float, float, float]) -> tuple[float, float, float]:
    """A colour clearly apart from another."""
    while True:
        other = _colour(rng)
        lab = cv2.cvtColor(np.array([[colour, other]], np.float32), cv2.COLOR_RGB2LAB)[0]
        if float(np.linalg.norm(lab[0] - lab[1])) >= CLEARLY_APART:
            return other


def _glare(rng: Random, size: int) -> NDArray[np.float64]:
    """A lamp's soft reflection, (size, size, 1) grey levels."""
    y, x = np.mgrid[0:size, 0:size]
    at, reach = rng.uniform(0, size, 2), size * rng.uniform(0.1, 0.5)
    shine = np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * reach**2))
    return np.asarray(rng.uniform(5, 60) * shine[..., None])


def _seen(rng: Random, texture: Image, felt: NDArray[np.float64], view: _View) -> Image:
    """A back on felt as a camera sees it, cut out as by a detector that is a little off."""
    width, height = TABLE_PX
    rows, columns = texture.shape[:2]
    left, above = (width - columns) // 2, (height - rows) // 2
    table = np.full((height, width, 3), felt, np.uint8)
    table[above : above + rows, left : left + columns] = texture
    scale = view.short_px / columns
    # shrunk by area to twice as fine as the picture first, because bilinear samples alone would skip pixels
    once = min(1.0, 2 * scale)
    fine = cv2.resize(table, None, fx=once, fy=once, interpolation=cv2.INTER_AREA)
    turn = np.radians(rng.uniform(0, 360))
    size = round(float(np.hypot(width, height)) * scale) + 4
    cos, sin = np.cos(turn) * scale, np.sin(turn) * scale
    middle = np.array([width, height]) / 2
    matrix = np.array([[cos, -sin, 0.0], [sin, cos, 0.0]])
    matrix[:, 2] = size / 2 - matrix[:, :2] @ middle
    shrunk = matrix.copy()
    shrunk[:, :2] /= once
    small = cv2.warpAffine(
        fine.astype(np.float32), shrunk, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if view.blur_px > 0.2:
        small = cv2.GaussianBlur(small, (0, 0), view.blur_px)
    gain = view.light * np.exp(rng.normal(0, 0.2)) * np.exp(rng.normal(0, 0.03, 3))
    lit = small * gain + (_glare(rng, size) if rng.random() < 0.3 else 0.0)
    shown = np.clip(lit + rng.normal(0, view.noise, small.shape), 0, 255).astype(np.uint8)
    if rng.random() < 0.08:  # specks of light, on a glossy or a dusty card
        shown[rng.random(shown.shape[:2]) < 0.01] = 255
    corners = np.array([[left, above], [left + columns, above], [left + columns, above + rows], [left, above + rows]])
    quad = corners @ matrix[:, :2].T + matrix[:, 2]
    quad = quad + rng.normal(0, 0.02, quad.shape) * view.short_px
    quad = quad.mean(axis=0) + (quad - quad.mean(axis=0)) * (1 + 2 * MARGIN)
    return crop_px(shown, np.roll(quad, 2, axis=0) if rng.random() < 0.5 else quad)
