"""Average precision of `card_face` and `die` on real photographs that no training saw.

    python -m models.evaluate_photos --data DATA

DATA is the folder with `real_train` and `real_fixture_martinabeleda` (or the environment variable PITWATCH_DATA).
The `test` splits are labelled with axis-aligned boxes of what is visible, so a found quad counts by the hull of
its corners; the fixture has quads, compared as they are. A find is right where its overlap with a card not yet found
is at least one half. Every picture is seen at 640 pixels on its longer side. `models.evaluate_dice` says more of dice.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from faults import InputFault
from models.pictures import read_picture
from vision.detect import Detector
from vision.detections import Detections
from vision.frame import Image

LONGER_SIDE_PX = 640
OVERLAP = 0.5
#: Finds below this score add nothing that shows in the figure.
LEAST_SCORE = 0.02
CARD, DIE = "card_face", "die"
FIXTURE = "real_fixture_martinabeleda"
SPLITS = ("cards_edje", "cards_poker4")
DICE = "dice"

Quads = NDArray[np.float32]
Overlap = Callable[[NDArray[np.float32], NDArray[np.float32]], float]


@dataclass(frozen=True, slots=True)
class Photograph:
    """A photograph, its cards or dice (N, 4, 2) and the quads to pass over (M, 4, 2), in its own pixels."""

    path: Path
    cards: Quads
    ignored: Quads


@dataclass(frozen=True, slots=True)
class Figure:
    """Average precision at one half of a class on a set, and the counts behind it at a score of 0.25."""

    name: str
    cls: str
    images: int
    cards: int
    found: int
    false: int
    ap50: float


def hull_overlap(first: NDArray[np.float32], second: NDArray[np.float32]) -> float:
    """IoU of the axis-aligned hulls of two quads (4, 2)."""
    a0, a1, b0, b1 = first.min(axis=0), first.max(axis=0), second.min(axis=0), second.max(axis=0)
    inner = float(np.prod(np.maximum(0.0, np.minimum(a1, b1) - np.maximum(a0, b0))))
    return inner / max(float(np.prod(a1 - a0) + np.prod(b1 - b0)) - inner, 1e-9)


def quad_overlap(first: NDArray[np.float32], second: NDArray[np.float32]) -> float:
    """IoU of two convex quads (4, 2)."""
    inner = float(cv2.intersectConvexConvex(np.ascontiguousarray(first), np.ascontiguousarray(second))[0])
    whole = abs(float(cv2.contourArea(first))) + abs(float(cv2.contourArea(second))) - inner
    return inner / max(whole, 1e-9)


def average_precision(scores: NDArray[np.floating], right: NDArray[np.bool_], cards: int) -> float:
    """Area under the precision envelope over recall, 0..1, of finds in any order; every point counts."""
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(right[order])
    recall = np.concatenate([[0.0], hits / max(cards, 1)])
    precision = np.concatenate([[1.0], hits / np.arange(1, len(hits) + 1)])
    envelope = np.maximum.accumulate(precision[::-1])[::-1]
    return float(np.sum(np.diff(recall) * envelope[1:]))


def match(
    found: Detections, photograph: Photograph, overlap: Overlap, least: float = OVERLAP
) -> Iterator[tuple[float, bool]]:
    """Score and rightness of each find at an overlap of `least`, best first; what is to be passed over is left out."""
    free = list(photograph.cards)
    for quad, score in zip(found.quads, found.score, strict=True):
        overlaps = [overlap(quad, card) for card in free]
        best = int(np.argmax(overlaps)) if overlaps else -1
        if best >= 0 and overlaps[best] >= least:
            del free[best]
            yield float(score), True
        elif not any(overlap(quad, other) >= 0.3 for other in photograph.ignored):
            yield float(score), False


def look(detector: Detector, image: Image, cls: str = CARD, longer_side_px: int = LONGER_SIDE_PX) -> Detections:
    """The things of a class found in a photograph scaled to `longer_side_px`, in its own pixels."""
    scale = longer_side_px / max(image.shape[:2])
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=method), np.uint8)
    found = detector.detect(small).of(cls)
    return Detections((found.quads / scale).astype(np.float32), found.cls, found.score)


def measure(
    name: str,
    detector: Detector,
    photographs: list[Photograph],
    overlap: Overlap,
    *,
    cls: str = CARD,
    longer_side_px: int = LONGER_SIDE_PX,
) -> Figure:
    """The figure of one class on one set."""
    finds: list[tuple[float, bool]] = []
    for photograph in photographs:
        image = read_picture(photograph.path)
        finds += match(look(detector, image, cls, longer_side_px), photograph, overlap)
    scores = np.array([score for score, _ in finds])
    right = np.array([ok for _, ok in finds], dtype=bool)
    cards = sum(len(photograph.cards) for photograph in photographs)
    kept = scores >= 0.25
    return Figure(
        name,
        cls,
        len(photographs),
        cards,
        int((right & kept).sum()),
        int((~right & kept).sum()),
        average_precision(scores, right, cards),
    )


def held_out(folder: Path, cls: str = CARD) -> list[Photograph]:
    """The photographs of a folder's `test` split with their things of a class."""
    rows = [json.loads(line) for line in text_of(folder / "labels.jsonl").splitlines()]
    return [
        _photograph(folder / "images" / row["image"], row["objects"], cls) for row in rows if row["split"] == "test"
    ]


def fixture(folder: Path) -> list[Photograph]:
    """The photographs of the fixture, labelled with quads."""
    return [
        _photograph(folder / row["image"], row["objects"], CARD) for row in json.loads(text_of(folder / "labels.json"))
    ]


def _photograph(path: Path, things: list[dict[str, Any]], cls: str) -> Photograph:
    cards = [thing for thing in things if thing["cls"] == cls]
    return Photograph(
        path,
        _quads([thing for thing in cards if not thing.get("ignore")]),
        _quads([thing for thing in cards if thing.get("ignore")]),
    )


def _quads(things: list[dict[str, Any]]) -> Quads:
    out = []
    for thing in things:
        if "quad" in thing:
            out.append(thing["quad"])
        else:
            x0, y0, x1, y1 = thing["box"]
            out.append([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
    return np.array(out, np.float32).reshape(-1, 4, 2)


def text_of(path: Path) -> str:
    """A label file; an InputFault that says where to look for it where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputFault(
            "cannot read the labels",
            where=str(path),
            why=str(error.strerror),
            todo="Give the folder of the photographs with --data or PITWATCH_DATA.",
        ) from error


def figures(model: Path, data: Path) -> list[Figure]:
    """The figures of every set under `data`."""
    detector = Detector(model, least_score=LEAST_SCORE)
    out = [measure(name, detector, held_out(data / "real_train" / name), hull_overlap) for name in SPLITS]
    out.append(measure("martinabeleda", detector, fixture(data / FIXTURE), quad_overlap))
    return [*out, measure(DICE, detector, held_out(data / "real_train" / DICE, DIE), hull_overlap, cls=DIE)]


def options_of(parser: argparse.ArgumentParser, arguments: list[str] | None, model: str) -> argparse.Namespace:
    """The options `data` and `model` of a measurement on photographs; without a folder it ends with a usage error."""
    parser.add_argument("--data", type=Path, default=os.environ.get("PITWATCH_DATA"), help="folder of the photographs")
    parser.add_argument("--model", type=Path, default=Path(__file__).parent / model)
    options = parser.parse_args(arguments)
    if options.data is None:
        parser.error("give the folder of the photographs with --data or PITWATCH_DATA")
    return options


def main(arguments: list[str] | None = None) -> int:
    """Prints one line a set; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m models.evaluate_photos", description="AP50 on real photographs")
    options = options_of(parser, arguments, "detector.onnx")
    for f in figures(options.model, options.data):
        sys.stdout.write(
            f"{f.name}: {f.cls} AP50 {f.ap50:.4f} ({f.images} images, {f.cards} things; "
            f"at score 0.25 found {f.found}, false {f.false})\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
