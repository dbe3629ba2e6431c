"""The detector and the reader on the second renderer's frames, which no training and no tuning ever sees.

    python -m models.evaluate_second --frames runs/second/frames

The detector looks as pitwatch has it look: at the dealer's area from straight above, at 2 mm to a pixel, made of the camera's
picture by its table file. Only what is at least 12 px on its short side there counts; what is hidden by more than
two thirds, smaller, or not wholly inside the view is passed over, found or not. A find is right where its quad overlaps
a thing not yet found by at least one half. The reader gets the faces cut out of the camera's picture by their true
quads. These are renders of another make, not real pictures.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.geometry import Calibration
from calibration.tablefile import read_table
from faults import Fault, InputFault
from models.evaluate_photos import LEAST_SCORE, Photograph, Quads, average_precision, match, quad_overlap
from models.evaluate_reader import Figure
from models.evaluate_reader import measure as measure_reader
from vision.crops import card_crop
from vision.detect import Detector
from vision.detections import CLASSES
from vision.frame import Image
from vision.read import CardReader
from vision.topview import DETECT_MM_PER_PX, TopView, dealer_bounds

LEAST_PX = 12.0
MOST_HIDDEN = 2 / 3
#: A face is read where so little of it is hidden, and it is so fine in the camera's picture.
READ_HIDDEN = 0.1
#: Negatives: pictures in which no card is labelled at all.
FALSE_SCORE = 0.25
CARDS = ("card_face", "card_back")


@dataclass(frozen=True, slots=True)
class Labelled:
    """A frame: its picture (H, W, 3) BGR, its calibration, its objects as labelled, and its view from above."""

    path: Path
    image: Image
    calibration: Calibration
    objects: Sequence[Mapping[str, Any]]
    view: TopView


@dataclass(frozen=True, slots=True)
class Found:
    """Of a class: how many things count, its AP50, and at a score of 0.25 how many were found and how many finds were false."""

    things: int
    ap50: float
    found: int
    false: int


def frames(folder: Path, mm_per_px: float = DETECT_MM_PER_PX) -> Iterator[Labelled]:
    """The frames of a folder.

    Raises:
        InputFault: the labels or a picture are missing or damaged.
    """
    path = folder / "boxes.jsonl"
    if not path.is_file():
        raise InputFault(
            "there are no frames of the second renderer",
            where=str(path),
            why="the file does not exist",
            todo="Render them: python -m sample_videos.second frames --out DIR.",
        )
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        image = cv2.imread(str(folder / row["image"]))
        if image is None:
            raise InputFault(
                "cannot read the picture",
                where=str(folder / row["image"]),
                why="it is missing or damaged",
                todo="Render the frames again.",
            )
        table = read_table(folder / row["table"])
        view = TopView(table.calibration, dealer_bounds(table.layout, mm_per_px), mm_per_px)
        yield Labelled(folder / row["image"], np.asarray(image, np.uint8), table.calibration, row["objects"], view)


def in_view(frame: Labelled) -> dict[str, tuple[Quads, Quads]]:
    """By class the quads (N, 4, 2) that count, and those to pass over, in pixels of the view from above."""
    height, width = frame.view.shape
    counted: dict[str, list[Any]] = defaultdict(list)
    passed: dict[str, list[Any]] = defaultdict(list)
    for thing in frame.objects:
        quad = frame.view.to_px(frame.calibration.to_table(np.array(thing["quad"], np.float64)))
        short = min(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1))
        inside = bool((quad >= 0).all() and (quad < [width, height]).all())
        whole = inside and thing["occluded"] <= MOST_HIDDEN and short >= LEAST_PX
        (counted if whole else passed)[thing["cls"]].append(quad)
    return {name: (_quads(counted[name]), _quads(passed[name])) for name in CLASSES}


def _quads(found: list[Any]) -> Quads:
    return np.array(found, np.float32).reshape(-1, 4, 2)


def measure(detector: Detector, folder: Path, mm_per_px: float = DETECT_MM_PER_PX) -> dict[str, Found]:
    """The figures of each class that occurs."""
    finds: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    counts: dict[str, int] = defaultdict(int)
    for frame in frames(folder, mm_per_px):
        seen = detector.detect(frame.view.view(frame.image))
        for name, (quads, passed) in in_view(frame).items():
            counts[name] += len(quads)
            finds[name] += match(seen.of(name), Photograph(frame.path, quads, passed), quad_overlap)
    out = {}
    for name in CLASSES:
        scores = np.array([score for score, _ in finds[name]])
        right = np.array([ok for _, ok in finds[name]], dtype=bool)
        kept = scores >= FALSE_SCORE
        if counts[name] or len(scores):
            ap50 = average_precision(scores, right, counts[name]) if counts[name] else 0.0
            out[name] = Found(counts[name], ap50, int((right & kept).sum()), int((~right & kept).sum()))
    return out


def read(reader: CardReader, folder: Path) -> dict[str, Figure]:
    """The reader's figures on faces cut out by their true quads, by millimetres to a pixel of the camera's picture."""
    crops: dict[str, list[Image]] = defaultdict(list)
    ranks: dict[str, list[str]] = defaultdict(list)
    for frame in frames(folder):
        height, width = frame.image.shape[:2]
        for thing in frame.objects:
            quad = np.array(thing["quad"], np.float64)
            inside = bool((quad >= 0).all() and (quad < [width, height]).all())
            if thing["cls"] != "card_face" or thing["occluded"] > READ_HIDDEN or not inside:
                continue
            placed = frame.calibration.to_table(quad)
            short = min(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1))
            size = "60 px or more" if short >= 60 else "45 to 60 px" if short >= 45 else "under 45 px"
            crops[size].append(card_crop(frame.image, frame.calibration, placed))
            ranks[size].append(thing["rank"])
    return {size: measure_reader(reader.read(crops[size]), ranks[size]) for size in sorted(crops)}


def main(arguments: list[str] | None = None) -> int:
    """Prints one line a class and one a size of card; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m models.evaluate_second", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--frames", type=Path, default=Path("runs/second/frames"), help="folder of the frames")
    parser.add_argument("--models", type=Path, default=Path(__file__).parent, help="folder of the models")
    options = parser.parse_args(arguments)
    try:
        found = measure(Detector(options.models / "detector.onnx", least_score=LEAST_SCORE), options.frames)
        readings = read(CardReader(options.models / "reader.onnx"), options.frames)
    except Fault as fault:
        sys.stderr.write(f"{fault}\n")
        return fault.exit_code
    for name, f in found.items():
        figure = f"AP50 {f.ap50:.3f}" if f.things else "none to find"
        sys.stdout.write(f"{name}: {figure} ({f.things} things; at score {FALSE_SCORE} found {f.found}, false {f.false})\n")
    for size, r in readings.items():
        sys.stdout.write(
            f"faces, {size}: {r.cards} cards, {r.faces} seen as faces, likeliest rank right {r.right}, "
            f"answers {r.answers}, of them rank right {r.answers_right}, value right {r.values_right}\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
