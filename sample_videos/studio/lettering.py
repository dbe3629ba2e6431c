"""Letters and suit signs as polygons, and a small anti-aliased canvas in millimetres to draw them on."""

from __future__ import annotations

import functools
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

Polygon = NDArray[np.float64]
Colour = Sequence[float] | NDArray[np.float64]
GLYPHS = Path(__file__).parents[1] / "art" / "glyphs.json.gz"
FONTS = ("sans", "condensed", "serif", "grotesk", "roman", "lato", "slab", "narrow")
SHIFT = 4  # sub-pixel bits of cv2's polygon filler


@functools.cache
def _fonts() -> dict[str, dict[str, Any]]:
    return _baked(GLYPHS)


def _baked(path: Path) -> dict[str, dict[str, Any]]:
    fonts: dict[str, dict[str, Any]] = json.loads(gzip.decompress(path.read_bytes()))
    return fonts


def add_fonts(path: Path) -> tuple[str, ...]:
    """Makes the fonts of another file by `bake_glyphs` known as well; returns their names."""
    more = _baked(path)
    _fonts().update(more)
    return tuple(more)


def text_polygons(text: str, font: str, height: float, spacing: float = 0.0) -> tuple[list[Polygon], float]:
    """Outlines of `text` with capitals `height` high, baseline at y = 0, y up, from x = 0; and its width."""
    glyphs = _fonts()[font]
    polygons: list[Polygon] = []
    pen = 0.0
    for character in text:
        glyph = glyphs[character]
        polygons.extend((np.asarray(contour) + np.array([pen, 0.0])) * height for contour in glyph["c"])
        pen += glyph["w"] + spacing
    return polygons, (pen - spacing) * height


@functools.cache
def suit_polygons(suit: str) -> tuple[Polygon, ...]:
    """Outlines of C, D, H or S in a unit square about the origin, y up."""
    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    if suit == "D":
        t = np.linspace(-1, 1, 9)
        edge = np.stack([0.40 * (1 - np.abs(t)) ** 1.12, 0.5 * t], axis=1)
        return (np.concatenate([edge, (edge * [-1, 1])[::-1]]),)
    if suit == "H":
        return (_heart(turn),)
    stem = np.array([[-0.04, -0.1], [0.04, -0.1], [0.07, -0.32], [0.2, -0.5], [-0.2, -0.5], [-0.07, -0.32]])
    if suit == "S":
        leaf = _heart(turn) * [1.0, -0.86] + [0.0, 0.08]
        return leaf, stem
    disc = np.stack([np.cos(turn), np.sin(turn)], axis=1) * 0.235
    core = np.array([[-0.12, 0.1], [0.12, 0.1], [0.14, -0.12], [-0.14, -0.12]])
    return *(disc + np.array(place) for place in ((0, 0.26), (-0.255, -0.09), (0.255, -0.09))), core, stem


def _heart(turn: NDArray[np.float64]) -> Polygon:
    x = 16 * np.sin(turn) ** 3
    y = 13 * np.cos(turn) - 5 * np.cos(2 * turn) - 2 * np.cos(3 * turn) - np.cos(4 * turn)
    return np.stack([x / 34, (y + 2.5) / 29], axis=1)


class Canvas:
    """A picture `width` by `height` mm, y up, origin at the lower left; colours are display RGB 0..1."""

    def __init__(self, width: float, height: float, px_per_mm: float, ground: Colour, oversample: int = 2) -> None:
        self.scale = px_per_mm * oversample
        self.size = (round(width * px_per_mm), round(height * px_per_mm))
        self.height = height
        self.pixels = np.empty((self.size[1] * oversample, self.size[0] * oversample, 3), np.uint8)
        self.pixels[:] = _bytes(ground)

    def fill(self, polygons: Sequence[Polygon], colour: Colour, at: ArrayLike = (0.0, 0.0)) -> None:
        """Fills polygons by the even-odd rule (holes stay open)."""
        cv2.fillPoly(self.pixels, [self._fix(p + np.asarray(at)) for p in polygons], _bytes(colour), cv2.LINE_AA, SHIFT)

    def fill_each(self, polygons: Sequence[Polygon], colour: Colour, at: ArrayLike = (0.0, 0.0)) -> None:
        """Fills polygons one by one (overlaps stay filled)."""
        for polygon in polygons:
            self.fill([polygon], colour, at)

    def line(self, points: ArrayLike, colour: Colour, width: float, closed: bool = False) -> None:
        """A line `width` mm wide."""
        fixed = self._fix(np.asarray(points, float))
        thickness = max(1, round(width * self.scale))
        cv2.polylines(self.pixels, [fixed], closed, _bytes(colour), thickness, cv2.LINE_AA, SHIFT)

    def text(
        self,
        text: str,
        font: str,
        height: float,
        at: ArrayLike,
        colour: Colour,
        *,
        angle: float = 0.0,
        squeeze: float = 1.0,
    ) -> None:
        """Text centred at `at`, turned counter-clockwise by `angle`."""
        polygons, width = text_polygons(text, font, height)
        if not polygons:
            return
        c, s = np.cos(angle), np.sin(angle)
        turn = np.array([[c, s], [-s, c]])
        self.fill([((p - [width / 2, height / 2]) * [squeeze, 1.0]) @ turn for p in polygons], colour, at)

    def finish(self) -> NDArray[np.uint8]:
        """The picture (H, W, 3) RGB at its final size."""
        return np.asarray(cv2.resize(self.pixels, self.size, interpolation=cv2.INTER_AREA), np.uint8)

    def _fix(self, points: Polygon) -> NDArray[np.int32]:
        pixels = np.stack([points[:, 0], self.height - points[:, 1]], axis=1) * self.scale - 0.5
        return np.round(pixels * (1 << SHIFT)).astype(np.int32)


def _bytes(colour: Colour) -> tuple[int, int, int]:
    r, g, b = (round(min(max(float(c), 0.0), 1.0) * 255) for c in colour)
    return r, g, b
