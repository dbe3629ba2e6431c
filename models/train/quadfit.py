"""Corners of a card on a photograph whose label is only an axis-aligned box.

A card that is wholly visible touches each side of its box with one corner. So its outline has four unknowns: where
along each side the corner lies. Parallelograms are searched on a grid, the best of them are refined corner by
corner, and the outline is taken only if every one of its four edges lies on an edge of the picture.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

#: Grey levels for each pixel at which an edge of the picture counts as full: so many times the median around the
#: card (a white card on a white desk has faint edges, and nothing else has any), within these bounds.
FULL_GRADIENT, FULL_GRADIENT_LEAST, FULL_GRADIENT_MOST = 6.0, 2.5, 10.0
#: Samples along an edge; the outer parts are left out, a card's corners are round.
SAMPLES = np.linspace(0.12, 0.88, 25)
#: The share of each edge, and of all four, that must lie on an edge of the picture.
LEAST_EDGE, LEAST_MEAN = 0.62, 0.75
#: A poker card's short to long side is 0.714 (bridge 0.64); seen aslant it may be anything between.
ASPECT = (0.48, 1.0)


@dataclass(frozen=True, slots=True)
class Fit:
    """A card's outline: corners (4, 2) clockwise in pixels from the top one, and each edge's support 0..1."""

    quad: Array
    support: Array

    @property
    def accepted(self) -> bool:
        """True where all four edges were found."""
        return bool(self.support.min() >= LEAST_EDGE and self.support.mean() >= LEAST_MEAN)


def gradients(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The strongest colour channel's gradient, (H, W, 2) in grey levels for each pixel."""
    blurred = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2LAB).astype(np.float32), (0, 0), 1.2)
    x = cv2.Sobel(blurred, cv2.CV_32F, 1, 0, ksize=3) / 8
    y = cv2.Sobel(blurred, cv2.CV_32F, 0, 1, ksize=3) / 8
    best = (x * x + y * y).argmax(axis=2)[..., None]
    return np.concatenate([np.take_along_axis(x, best, 2), np.take_along_axis(y, best, 2)], axis=2)


def _full(field: NDArray[np.float32], box: Array) -> float:
    """The gradient that counts as a full edge around `box`."""
    x0, y0, x1, y1 = box.astype(int)
    margin = max(4, (x1 - x0 + y1 - y0) // 8)
    part = field[max(0, y0 - margin) : y1 + margin, max(0, x0 - margin) : x1 + margin]
    median = float(np.median(np.hypot(part[..., 0], part[..., 1])))
    return float(np.clip(FULL_GRADIENT * median, FULL_GRADIENT_LEAST, FULL_GRADIENT_MOST))


def _quads(fractions: Array, box: Array) -> Array:
    """Outlines (N, 4, 2) of corners at `fractions` (N, 4) along the top, right, bottom and left side."""
    x0, y0, x1, y1 = box
    width, height = x1 - x0, y1 - y0
    a, b, c, d = fractions.T
    corners = [(x0 + a * width, y0 + 0 * a), (x1 + 0 * a, y0 + b * height)]
    corners += [(x1 - c * width, y1 + 0 * a), (x0 + 0 * a, y1 - d * height)]
    return np.stack([np.stack(corner, axis=-1) for corner in corners], axis=1)


def _support(quads: Array, field: NDArray[np.float32]) -> Array:
    """For each outline (N, 4, 2) the share 0..1 of each edge that lies on an edge of the picture, (N, 4)."""
    height, width = field.shape[:2]
    start, end = quads, np.roll(quads, -1, axis=1)
    along = end - start
    length = np.maximum(np.linalg.norm(along, axis=2, keepdims=True), 1e-6)
    normal = np.stack([along[..., 1], -along[..., 0]], axis=-1) / length
    points = start[:, :, None] + along[:, :, None] * SAMPLES[None, None, :, None]
    best = np.zeros(points.shape[:3])
    for offset in (-1.5, 0.0, 1.5):
        at = np.rint(points + offset * normal[:, :, None]).astype(int)
        x, y = np.clip(at[..., 0], 0, width - 1), np.clip(at[..., 1], 0, height - 1)
        across = np.abs((field[y, x] * normal[:, :, None]).sum(axis=3))
        best = np.maximum(best, np.minimum(across, 1.0))
    return np.asarray(best.mean(axis=2))


def _plausible(quads: Array) -> NDArray[np.bool_]:
    """Outlines whose sides and angles a card on a table can have."""
    sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    first, second = (sides[:, 0] + sides[:, 2]) / 2, (sides[:, 1] + sides[:, 3]) / 2
    aspect = np.minimum(first, second) / np.maximum(np.maximum(first, second), 1e-6)
    unit = (np.roll(quads, -1, axis=1) - quads) / np.maximum(sides, 1e-6)[..., None]
    slant = np.abs((unit * np.roll(unit, -1, axis=1)).sum(axis=2)).max(axis=1)
    opposite = np.minimum(sides[:, :2], sides[:, 2:]) / np.maximum(np.maximum(sides[:, :2], sides[:, 2:]), 1e-6)
    return np.asarray((aspect > ASPECT[0]) & (aspect < ASPECT[1]) & (slant < 0.5) & (opposite.min(axis=1) > 0.7))


def _score(fractions: Array, box: Array, field: NDArray[np.float32]) -> Array:
    """How well each outline fits, (N,): mean and least support, less where it is no card's shape."""
    quads = _quads(fractions, box)
    support = _support(quads, field)
    return np.asarray(support.mean(axis=1) + 0.5 * support.min(axis=1) - 2.0 * ~_plausible(quads))


def fit_card(field: NDArray[np.float32], box: Array) -> Fit:
    """The best outline of a whole card inside `box` (x0, y0, x1, y1); ask `accepted` before using it."""
    field = field / np.float32(_full(field, box))
    grid = np.linspace(0, 1, 31)
    a, b = (axis.ravel() for axis in np.meshgrid(grid, grid))
    start = np.stack([a, b, a, b], axis=1)
    scores = _score(start, box, field)
    best, best_score = start[0], -9.0
    for index in np.argsort(scores)[::-1][:6]:
        fractions, score = _refine(start[index], box, field)
        if score > best_score:
            best, best_score = fractions, score
    quad = _quads(best[None], box)
    return Fit(quad[0], _support(quad, field)[0])


def _refine(fractions: Array, box: Array, field: NDArray[np.float32]) -> tuple[Array, float]:
    """Moves one corner, or two opposite ones, at a time while the fit improves."""
    moves = np.concatenate([np.eye(4), [[1, 0, 1, 0], [0, 1, 0, 1], [1, 0, -1, 0], [0, 1, 0, -1]]])
    score = float(_score(fractions[None], box, field)[0])
    for step in (0.03, 0.015, 0.007):
        for _ in range(8):
            tries = np.clip(fractions + step * np.concatenate([moves, -moves]), 0, 1)
            scores = _score(tries, box, field)
            if scores.max() <= score + 1e-6:
                break
            fractions, score = tries[scores.argmax()], float(scores.max())
    return fractions, score
