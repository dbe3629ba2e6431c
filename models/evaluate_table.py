"""Average precision by class on held-out studio frames: decks, backs and seeds that no training saw.

    python -m models.evaluate_table --frames runs/train

These are renders. For the shoe, the bucket, hands and face-down cards there is nothing else to measure on, and whoever
quotes the figures must say so. A find counts where its quad overlaps a thing not yet found by at least one half.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from faults import InputFault
from models.evaluate_photos import LEAST_SCORE, Photograph, Quads, average_precision, match, quad_overlap
from vision.detect import Detector
from vision.detections import CLASSES
from vision.frame import Image

Finds = dict[str, list[tuple[float, bool]]]


#: Held-out frames of the burn, and of the shoe change.
SETS = ("studio_eval", "change_eval")


def labelled(folder: Path, set_name: str) -> Iterator[tuple[Image, dict[str, Quads]]]:
    """Each held-out picture of a set, (H, W, 3) BGR, and its things (N, 4, 2) by class."""
    path = folder / f"{set_name}.jsonl"
    if not path.is_file():
        raise InputFault(
            "there are no held-out frames",
            where=str(path),
            why="the file does not exist",
            todo="Render them: python -m models.train frames.",
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
        things: dict[str, Quads] = {}
        for name in CLASSES:
            quads = [thing["quad"] for thing in row["things"] if thing["cls"] == name]
            things[name] = np.array(quads, np.float32).reshape(-1, 4, 2)
        yield np.asarray(image, np.uint8), things


def measure(detector: Detector, folder: Path, set_name: str) -> dict[str, tuple[int, float]]:
    """How many things there are of each class, and its AP50."""
    finds: Finds = defaultdict(list)
    counts: dict[str, int] = defaultdict(int)
    nothing = np.zeros((0, 4, 2), np.float32)
    for image, things in labelled(folder, set_name):
        found = detector.detect(image)
        for name, quads in things.items():
            counts[name] += len(quads)
            finds[name] += match(found.of(name), Photograph(folder, quads, nothing), quad_overlap)
    out = {}
    for name in CLASSES:
        if counts[name]:
            scores = np.array([score for score, _ in finds[name]])
            right = np.array([ok for _, ok in finds[name]], dtype=bool)
            out[name] = (counts[name], average_precision(scores, right, counts[name]))
    return out


def main(arguments: list[str] | None = None) -> int:
    """Prints one line a class; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m models.evaluate_table", description="AP50 on held-out renders")
    parser.add_argument("--frames", type=Path, default=Path("runs/train"), help="folder of the studio's frames")
    parser.add_argument("--model", type=Path, default=Path(__file__).parent / "detector.onnx")
    options = parser.parse_args(arguments)
    detector = Detector(options.model, least_score=LEAST_SCORE)
    for set_name in SETS:
        for name, (count, ap50) in measure(detector, options.frames, set_name).items():
            sys.stdout.write(f"{set_name} {name}: AP50 {ap50:.4f} ({count} things, renders only)\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
