"""Prepared pictures as training samples of one size, so that the detector's scale is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from models.labels.looks import save_picture
from models.labels.prepare import LEAST_SEEN, QUALITY, Seen
from models.labels.shapes import part_inside
from models.train.samples import Sample

#: Width and height of a training canvas (`models/train/feed.py`): a picture that fits it is not rescaled.
CANVAS = (640, 384)
#: A picture that is larger by no more than this is learned from whole.
WHOLE = 1.35
#: Samples of this name are placed as top views are: nearly at their own scale and direction.
TOP_VIEW = "studio"
GREY = (114, 114, 114)


def samples_of(seen: Seen) -> Iterator[Sample]:
    """The training samples of one view: itself, or parts of it that overlap, each in a file of its own."""
    image = np.asarray(cv2.imread(str(seen.image)), np.uint8)
    height, width = image.shape[:2]
    if max(width / CANVAS[0], height / CANVAS[1]) <= WHOLE:
        below, right = max(0, CANVAS[1] - height), max(0, CANVAS[0] - width)
        if below or right:
            padded = cv2.copyMakeBorder(image, 0, below, 0, right, cv2.BORDER_CONSTANT, value=GREY)
            save_picture(seen.image, padded, QUALITY)
        yield Sample(seen.image, TOP_VIEW, seen.known, seen.quads, seen.cls, seen.hull)
        return
    for y in _starts(height, CANVAS[1]):
        for x in _starts(width, CANVAS[0]):
            part = image[y : y + CANVAS[1], x : x + CANVAS[0]]
            path = seen.image.with_name(f"{seen.image.stem}_{x}_{y}.jpg")
            yield _part(seen, part, path, np.array([x, y], np.float64))


def _starts(length: int, window: int) -> list[int]:
    """Where windows begin that cover a length, overlapping by a quarter or more."""
    if length <= window:
        return [0]
    count = int(np.ceil((length - window) / (0.75 * window))) + 1
    return [round(start) for start in np.linspace(0, length - window, count)]


def _part(seen: Seen, part: np.ndarray, path: Path, corner: np.ndarray) -> Sample:
    """A window of a view as a sample."""
    height, width = part.shape[:2]
    below, right = CANVAS[1] - height, CANVAS[0] - width
    save_picture(path, cv2.copyMakeBorder(part, 0, below, 0, right, cv2.BORDER_CONSTANT, value=GREY), QUALITY)
    quads, kept = [], []
    for index, quad in enumerate(seen.quads):
        inside, share = part_inside(quad.astype(np.float64) - corner, width, height)
        if share >= LEAST_SEEN:
            quads.append(inside)
            kept.append(index)
    return Sample(
        path,
        TOP_VIEW,
        seen.known,
        np.array(quads, np.float32).reshape(-1, 4, 2),
        seen.cls[kept],
        seen.hull[kept],
    )
