"""Training canvases: pictures placed at random scales and turns, with what a camera does to them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.samples import Sample

Image = NDArray[np.uint8]
Random = np.random.Generator
#: Things of which less than this share is on the canvas are not labelled.
LEAST_SEEN = 0.3
#: A long side's direction is told in [-45, 135) degrees, so that cards lying straight are far from the jump.
FIRST_ANGLE = -np.pi / 4


@dataclass(slots=True)
class Canvas:
    """A training picture and what is in it: quads (N, 4, 2), classes (N,), hull flags (N,), known class names."""

    image: Image
    quads: NDArray[np.float32]
    cls: NDArray[np.int64]
    hull: NDArray[np.bool_]
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Placing:
    """How pictures of one kind are put on the canvas: scale relative to fitting, turning, share of mosaics."""

    scale: tuple[float, float]
    turn_deg: float
    any_turn: float  # share of pictures turned by any angle
    mosaic: float
    tilt: float = 0.0  # perspective


PHOTOGRAPH = Placing(scale=(0.75, 1.8), turn_deg=20, any_turn=0.4, mosaic=0.6, tilt=0.15)
TOP_VIEW = Placing(scale=(0.85, 1.18), turn_deg=5, any_turn=0.05, mosaic=0.0)
STILL = Placing(scale=(0.8, 1.35), turn_deg=8, any_turn=0.15, mosaic=0.0)


def oriented(quad: NDArray[np.floating], hull: bool) -> NDArray[np.float32]:
    """Centre, long side, short side and direction of the long side of a quad, (5,), for the loss."""
    if hull:
        (x0, y0), (x1, y1) = quad.min(axis=0), quad.max(axis=0)
        return np.array([(x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0, 0.0], np.float32)
    (x, y), _, _ = cv2.minAreaRect(np.asarray(quad, np.float32))
    corners = cv2.boxPoints(cv2.minAreaRect(np.asarray(quad, np.float32)))
    first, second = corners[1] - corners[0], corners[2] - corners[1]
    if np.hypot(*first) < np.hypot(*second):
        first, second = second, first
    long, short = float(np.hypot(*first)), float(np.hypot(*second))
    span = np.pi / 2 if short > 0.93 * long else np.pi  # a square has no long side
    angle = (float(np.arctan2(first[1], first[0])) - FIRST_ANGLE) % span + FIRST_ANGLE
    return np.array([x, y, long, short, angle], np.float32)


def _matrix(rng: Random, placing: Placing, shape: tuple[int, ...], cell: tuple[int, int], free: bool) -> NDArray:
    """A 3x3 map from a picture of `shape` into a cell (width, height), by chance."""
    height, width = shape[:2]
    low, high = placing.scale
    fit = min(cell[0] / width, cell[1] / height)
    scale = fit * float(np.exp(rng.uniform(np.log(low), np.log(high))))
    turn = rng.uniform(-placing.turn_deg, placing.turn_deg) if free else 0.0
    turn = rng.uniform(-180, 180) if free and rng.random() < placing.any_turn else turn
    if not free:
        turn = float(rng.choice([0, 0, 0, 90, 180, 270]))
    mirror = -1.0 if rng.random() < 0.3 else 1.0
    cos, sin = np.cos(np.radians(turn)) * scale, np.sin(np.radians(turn)) * scale
    centre = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]])
    middle = np.array([[cos * mirror, -sin, 0], [sin * mirror, cos, 0], [0, 0, 1]])
    if free and placing.tilt:
        middle[2, :2] = rng.uniform(-placing.tilt, placing.tilt, 2) / max(width, height)
    spare = np.maximum(0, np.array(cell) - scale * np.array([width, height])) / 2 + 0.1 * np.array(cell)
    shift = np.array(cell) / 2 + rng.uniform(-1, 1, 2) * spare
    out: NDArray = np.array([[1, 0, shift[0]], [0, 1, shift[1]], [0, 0, 1.0]]) @ middle @ centre
    return out


def _clip(quad: NDArray[np.floating], cell: tuple[int, int]) -> tuple[NDArray[np.float32], float]:
    """The part of a quad inside the cell as the four corners of its smallest rectangle, and its share."""
    frame = np.array([[0, 0], [cell[0], 0], [cell[0], cell[1]], [0, cell[1]]], np.float32)
    quad = np.asarray(quad, np.float32)
    if (quad >= 0).all() and (quad <= frame[2]).all():
        return quad, 1.0
    area, part = cv2.intersectConvexConvex(cv2.convexHull(quad)[:, 0], frame)
    whole = max(abs(cv2.contourArea(quad)), 1e-6)
    if part is None or len(part) < 3 or area <= 0:
        return quad, 0.0
    return cv2.boxPoints(cv2.minAreaRect(part)).astype(np.float32), float(area / whole)


def place(rng: Random, sample: Sample, image: Image, placing: Placing, cell: tuple[int, int]) -> Canvas:
    """One picture on a canvas of (width, height) `cell`."""
    free = not sample.hull.any()
    matrix = _matrix(rng, placing, image.shape, cell, free)
    scale = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))
    if scale < 0.75:  # average first, so that small things look as a camera sees them
        image = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        matrix = matrix @ np.diag([1 / scale, 1 / scale, 1.0])
        before = np.diag([scale, scale, 1.0])
    else:
        before = np.eye(3)
    grey = tuple(int(v) for v in (rng.integers(0, 255, 3) if rng.random() < 0.5 else (114, 114, 114)))
    out = cv2.warpPerspective(image, matrix, cell, flags=cv2.INTER_LINEAR, borderValue=grey)
    quads, cls, hull = [], [], []
    for quad, c, h in zip(sample.quads, sample.cls, sample.hull, strict=True):
        moved = cv2.perspectiveTransform(quad[None].astype(np.float64), matrix @ before)[0]
        part, share = _clip(moved, cell)
        if share >= LEAST_SEEN:
            quads.append(part)
            cls.append(c)
            hull.append(h)
    return Canvas(
        out, np.array(quads, np.float32).reshape(-1, 4, 2), np.array(cls, np.int64), np.array(hull, bool), sample.known
    )


def join(parts: list[Canvas], corners: list[tuple[int, int]], size: tuple[int, int]) -> Canvas:
    """Puts canvases of one source side by side; `corners` are their top left corners."""
    image = np.full((size[1], size[0], 3), 114, np.uint8)
    for part, (x, y) in zip(parts, corners, strict=True):
        height, width = part.image.shape[:2]
        image[y : y + height, x : x + width] = part.image
    quads = [part.quads + np.array(corner, np.float32) for part, corner in zip(parts, corners, strict=True)]
    return Canvas(
        image,
        np.concatenate(quads),
        np.concatenate([part.cls for part in parts]),
        np.concatenate([part.hull for part in parts]),
        parts[0].known,
    )


def disturb(rng: Random, image: Image) -> Image:
    """Light, colour, blur, noise and compression, each now and then."""
    out = image.astype(np.float32)
    if rng.random() < 0.7:
        out *= rng.uniform(0.55, 1.4) * rng.uniform(0.88, 1.12, 3).astype(np.float32)
    if rng.random() < 0.3:
        out = 255 * (np.clip(out, 0, 255) / 255) ** float(rng.uniform(0.7, 1.5))
    if rng.random() < 0.15:
        out = out.mean(axis=2, keepdims=True) * 0.8 + out * 0.2
    if rng.random() < 0.25:
        out = _blur(rng, out)
    if rng.random() < 0.35:
        rough = cv2.resize(
            rng.normal(0, 1, (out.shape[0] // 2, out.shape[1] // 2, 1)).astype(np.float32), (out.shape[1], out.shape[0])
        )
        out = out + rough[..., None] * float(rng.uniform(1, 9))
    out8 = np.clip(out, 0, 255).astype(np.uint8)
    if rng.random() < 0.3:
        _, data = cv2.imencode(".jpg", out8, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(25, 85))])
        out8 = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return out8


def _blur(rng: Random, image: NDArray[np.float32]) -> NDArray[np.float32]:
    """Out of focus, or moved while the shutter was open."""
    if rng.random() < 0.5:
        return cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.5, 1.4)))
    size = int(rng.choice([3, 5, 7]))
    kernel = np.zeros((size, size), np.float32)
    angle = rng.uniform(0, np.pi)
    reach = np.array([np.cos(angle), np.sin(angle)]) * (size // 2)
    middle = np.array([size // 2, size // 2])
    cv2.line(
        kernel,
        tuple(np.rint(middle - reach).astype(int).tolist()),
        tuple(np.rint(middle + reach).astype(int).tolist()),
        1.0,
    )
    return cv2.filter2D(image, -1, kernel / kernel.sum())
