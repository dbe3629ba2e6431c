"""Real photographs as training samples: boxes become outlines where the outline can be found.

The sources label one kind of thing each and give axis-aligned boxes of its visible part. A card's corners are
recovered by `quadfit`; where they are not found the box stays a box and only its hull is learned from. Classes that
a source does not label are left out of the loss.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.train.quadfit import fit_card, gradients
from models.train.samples import Sample, write_samples
from models.train.say import say
from vision.detections import CLASSES

#: The folders of the data, each with the one class it labels.
SOURCES = {"cards_edje": "card_face", "cards_poker4": "card_face", "cards_backs": "card_back", "dice": "die"}
#: A box nearer to the picture's border than this holds a card that may be cut off.
BORDER_PX = 3


def rows_of(folder: Path, split: str) -> list[dict[str, Any]]:
    """The labels of one source's `split`."""
    lines = (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    return [row for row in map(json.loads, lines) if row["split"] == split]


def _sample(row: dict[str, Any], folder: Path) -> Sample:
    """One photograph with the outlines that could be found."""
    known = SOURCES[folder.name]
    path = folder / "images" / row["image"]
    things = [thing for thing in row["objects"] if thing["cls"] == known]
    quads, hull = [], []
    field = gradients(cv2.imread(str(path))) if known.startswith("card") else None
    for thing in things:
        x0, y0, x1, y1 = thing["box"]
        quad = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)
        inside = min(x0, y0, row["width"] - x1, row["height"] - y1) >= BORDER_PX
        fit = fit_card(field, np.array(thing["box"])) if field is not None and inside else None
        found = fit is not None and fit.accepted
        quads.append(fit.quad.astype(np.float32) if fit is not None and found else quad)
        hull.append(not found)
    cls = np.full(len(things), CLASSES.index(known), np.int64)
    return Sample(path, folder.name, (known,), np.array(quads, np.float32).reshape(-1, 4, 2), cls, np.array(hull, bool))


def convert(data: Path, split: str) -> Iterator[Sample]:
    """The samples of `split` of every source under `data`, in file order."""
    with ProcessPoolExecutor(2) as pool:
        for name in SOURCES:
            folder = data / name
            yield from pool.map(partial(_sample, folder=folder), rows_of(folder, split), chunksize=8)


def main(data: Path, out: Path) -> None:
    """Writes `out`/photographs_train.jsonl and photographs_valid.jsonl and prints how many outlines were found."""
    for split in ("train", "valid"):
        samples = list(convert(data, split))
        write_samples(out / f"photographs_{split}.jsonl", samples)
        for name in SOURCES:
            hulls = np.concatenate([np.zeros(0, bool), *(s.hull for s in samples if s.source == name)])
            say(f"{split} {name}: {hulls.size} things, outline of {int((~hulls).sum())}")
