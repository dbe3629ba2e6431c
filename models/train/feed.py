"""Batches for the detector, made in a thread of their own while the network learns from the last one."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from models.train.augment import PHOTOGRAPH, STILL, TOP_VIEW, Canvas, Placing, disturb, join, oriented, place
from models.train.loss import Targets
from models.train.samples import Sample
from vision.detections import CLASSES

#: Width and height of a training canvas.
CANVAS = (640, 384)
#: Columns and rows of a mosaic; the many make the small cards that a camera over a table sees.
MOSAICS = ((2, 1), (2, 1), (2, 2), (3, 2), (3, 2), (4, 3), (5, 3))
#: How the pictures of the studio's sources are placed; everything else is a photograph.
PLACINGS = {"studio": TOP_VIEW, "still": STILL}


@lru_cache(maxsize=12_500)
def _encoded(path: Path) -> NDArray[np.uint8]:
    """A picture file's bytes, kept in memory."""
    return np.fromfile(path, np.uint8)


def load(path: Path) -> NDArray[np.uint8]:
    """The picture, (H, W, 3) BGR."""
    return np.asarray(cv2.imdecode(_encoded(path), cv2.IMREAD_COLOR), np.uint8)


def placing_of(source: str) -> Placing:
    """How pictures of a source are put on a canvas."""
    return PLACINGS.get(source, PHOTOGRAPH)


class Mixture:
    """Draws training canvases from several sets of samples, each with its share."""

    def __init__(self, sets: dict[str, list[Sample]], shares: dict[str, float], seed: int) -> None:
        self._sets = {name: samples for name, samples in sets.items() if samples and shares.get(name, 0) > 0}
        self._names = list(self._sets)
        shares_of = np.array([shares[name] for name in self._names])
        self._shares = shares_of / shares_of.sum()
        self._rng = np.random.default_rng(seed)

    def _one(self, samples: list[Sample], cell: tuple[int, int]) -> Canvas:
        sample = samples[int(self._rng.integers(len(samples)))]
        return place(self._rng, sample, load(sample.image), placing_of(sample.source), cell)

    def canvas(self) -> Canvas:
        """The next canvas."""
        rng = self._rng
        samples = self._sets[self._names[int(rng.choice(len(self._names), p=self._shares))]]
        placing = placing_of(samples[0].source)
        if rng.random() >= placing.mosaic:
            out = self._one(samples, CANVAS)
        else:
            width, height = CANVAS
            columns, rows = MOSAICS[int(rng.integers(len(MOSAICS)))]
            cell = (width // columns, height // rows)
            corners = [(c * cell[0], r * cell[1]) for r in range(rows) for c in range(columns)]
            out = join([self._one(samples, cell) for _ in corners], corners, CANVAS)
        out.image = disturb(rng, out.image)
        return out


def batch_of(canvases: list[Canvas]) -> tuple[torch.Tensor, Targets]:
    """The network's input (B, 3, H, W) 0..1 RGB and its targets."""
    images = np.stack([canvas.image for canvas in canvases])[..., ::-1].transpose(0, 3, 1, 2)
    most = max(1, *(len(canvas.cls) for canvas in canvases))
    count = len(canvases)
    cls, boxes = np.zeros((count, most, 1), np.float32), np.zeros((count, most, 5), np.float32)
    real, hull = np.zeros((count, most, 1), np.float32), np.zeros((count, most), bool)
    known = np.zeros((count, 1, len(CLASSES)), np.float32)
    for b, canvas in enumerate(canvases):
        known[b, 0, [CLASSES.index(name) for name in canvas.known]] = 1
        for m, (quad, c, h) in enumerate(zip(canvas.quads, canvas.cls, canvas.hull, strict=True)):
            box = oriented(quad, bool(h))
            if min(box[2], box[3]) >= 3:
                cls[b, m, 0], boxes[b, m], real[b, m, 0], hull[b, m] = c, box, 1, h
    tensors = (torch.from_numpy(array) for array in (cls, boxes, real, hull, known))
    return torch.from_numpy(np.ascontiguousarray(images)).float() / 255, Targets(*tensors)


def batches(mixture: Mixture, size: int, count: int) -> Iterator[tuple[torch.Tensor, Targets]]:
    """`count` batches, made ahead in a thread."""
    ready: queue.Queue[tuple[torch.Tensor, Targets]] = queue.Queue(maxsize=3)

    def work() -> None:
        for _ in range(count):
            ready.put(batch_of([mixture.canvas() for _ in range(size)]))

    threading.Thread(target=work, daemon=True).start()
    for _ in range(count):
        yield ready.get()
