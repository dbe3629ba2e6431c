"""What refined corners are worth on real photographs that no training saw: the martinabeleda fixture.

    python -m models.evaluate_corners --data DATA

DATA as for `models.evaluate_photos`. Each card the detector finds is measured twice, by its oriented box and by the
corners that `vision.corners` makes of it: average precision at an overlap of one half and over the overlaps
0.50, 0.55 ... 0.95, the overlap with the true quads, and the rank that the reader reads from the crop.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from models.evaluate_photos import (
    FIXTURE,
    LEAST_SCORE,
    Photograph,
    average_precision,
    fixture,
    look,
    match,
    options_of,
    quad_overlap,
)
from models.pictures import read_picture
from vision.corners import refined
from vision.crops import crop_px, upright, widened
from vision.detect import Detector
from vision.detections import Detections
from vision.frame import Image
from vision.read import RANKS, CardReader

OVERLAPS = tuple(np.arange(0.5, 0.96, 0.05).round(2).tolist())
#: A find under this score is not read.
READ_SCORE = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One photograph's finds, and the true ranks of its cards."""

    photograph: Photograph
    image: Image
    found: Detections
    ranks: list[str | None]


@dataclass(frozen=True, slots=True)
class Figure:
    """Average precisions, the median overlap of the cards found, and the share of them at 0.95 and over."""

    name: str
    ap50: float
    ap50_95: float
    median: float
    exact: float


@dataclass(frozen=True, slots=True)
class Read:
    """Of `cards` crops: likeliest rank right, answers given, their ranks right."""

    cards: int
    right: int
    answers: int
    answers_right: int


def rightness(seen: Seen, quads: NDArray[np.float32], overlap: float) -> list[tuple[float, bool]]:
    """Score and rightness of each find at this overlap, best first; finds on what is to be passed over are left out."""
    found = Detections(quads, seen.found.cls, seen.found.score)
    return list(match(found, seen.photograph, quad_overlap, overlap))


def figure(name: str, photographs: Sequence[Seen], quads: Sequence[NDArray[np.float32]]) -> Figure:
    """The figure of one kind of quads, (N, 4, 2) for each photograph."""
    cards = sum(len(seen.photograph.cards) for seen in photographs)
    precisions = []
    for overlap in OVERLAPS:
        finds = [find for seen, own in zip(photographs, quads, strict=True) for find in rightness(seen, own, overlap)]
        scores, right = np.array([score for score, _ in finds]), np.array([ok for _, ok in finds], bool)
        precisions.append(average_precision(scores, right, cards))
    best = [
        max(overlaps)
        for seen, own in zip(photographs, quads, strict=True)
        for card in seen.photograph.cards
        if (overlaps := [o for quad in own if (o := quad_overlap(quad, card)) >= OVERLAPS[0]])
    ]
    exact = float(np.mean(np.array(best) >= OVERLAPS[-1])) if best else 0.0
    return Figure(name, precisions[0], float(np.mean(precisions)), float(np.median(best)) if best else 0.0, exact)


def read(reader: CardReader, photographs: Sequence[Seen], quads: Sequence[NDArray[np.float32]]) -> Read:
    """What the reader says to the crops of all finds that lie on a card."""
    crops, ranks = [], []
    for seen, own in zip(photographs, quads, strict=True):
        for quad, box, score in zip(own, seen.found.quads, seen.found.score, strict=True):
            overlaps = [quad_overlap(box, card) for card in seen.photograph.cards]
            best = int(np.argmax(overlaps)) if overlaps else -1
            if best < 0 or score < READ_SCORE or overlaps[best] < OVERLAPS[0] or seen.ranks[best] is None:
                continue
            # `upright` takes table axes, y up; the picture's run down
            corners = upright(quad.astype(np.float64) * [1, -1]) * [1, -1]
            crops.append(crop_px(seen.image, widened(corners)))
            ranks.append(seen.ranks[best])
    readings = reader.read(crops)
    answers = [(r.rank, rank) for r, rank in zip(readings, ranks, strict=True) if r.rank is not None]
    right = sum(RANKS[int(r.ranks.argmax())] == rank for r, rank in zip(readings, ranks, strict=True))
    return Read(len(crops), right, len(answers), sum(answer == rank for answer, rank in answers))


def see(folder: Path, detector: Detector) -> list[Seen]:
    """The fixture's photographs with what is found in them."""
    labels = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    out = []
    for photograph, row in zip(fixture(folder), labels, strict=True):
        image = read_picture(photograph.path)
        things = [t for t in row["objects"] if t["cls"] == "card_face" and not t.get("ignore")]
        out.append(Seen(photograph, image, look(detector, image), [t.get("rank") for t in things]))
    return out


def main(arguments: list[str] | None = None) -> int:
    """Prints two lines for the boxes and two for the refined corners; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m models.evaluate_corners", description="Corners on photographs")
    parser.add_argument("--reader", type=Path, default=Path(__file__).parent / "reader.onnx")
    options = options_of(parser, arguments, "detector.onnx")
    photographs = see(options.data / FIXTURE, Detector(options.model, least_score=LEAST_SCORE))
    reader = CardReader(options.reader)
    boxes = [seen.found.quads for seen in photographs]
    began = time.process_time()
    corners = [
        np.array([refined(seen.image, quad.astype(np.float64)).quad for quad in seen.found.quads], np.float32)
        for seen in photographs
    ]
    spent_ms = (time.process_time() - began) * 1e3 / max(sum(map(len, boxes)), 1)
    for name, quads in (("boxes", boxes), ("refined", corners)):
        f, r = figure(name, photographs, quads), read(reader, photographs, quads)
        sys.stdout.write(
            f"martinabeleda {f.name}: card_face AP50 {f.ap50:.4f}, AP50-95 {f.ap50_95:.4f}, median overlap "
            f"{f.median:.3f}, 0.95 and over {f.exact:.3f}\n"
            f"martinabeleda {f.name}: {r.cards} crops, likeliest rank right {r.right}, answers {r.answers}, of them "
            f"right {r.answers_right}\n"
        )
    sys.stdout.write(f"refined corners: {spent_ms:.2f} ms a find\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
