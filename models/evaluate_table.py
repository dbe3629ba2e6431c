"""Average precision by class on held-out studio frames: decks, backs and seeds that no training saw.

    python -m models.evaluate_table --frames runs/train
    python -m models.evaluate_table --frames runs/train --sets still_eval still_negative

These are renders. For the shoe, the bucket, hands and face-down cards there is nothing else to measure on, and whoever
quotes the figures must say so. A find counts where its quad overlaps a thing not yet found by at least one half. Of the
still lifes (`models.train stills`) only things count whose short side has 12 pixels or more in the top view; what is
found on smaller ones is neither right nor wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from faults import InputFault
from models.evaluate_photos import LEAST_SCORE, Photograph, Quads, average_precision, match, quad_overlap
from models.pictures import read_picture
from vision.detect import Detector
from vision.detections import CLASSES, Detections
from vision.frame import Image

Finds = dict[str, list[tuple[float, bool]]]


#: Held-out frames of the burn and of the shoe change, still lifes; and the least short side of what counts, pixels.
SETS = {"studio_eval": 0.0, "change_eval": 0.0, "still_eval": 12.0, "deal_eval": 12.0}
#: Held-out still lifes without any card, and what must not be found in them.
NEGATIVE, CARDS = "still_negative", ("card_face", "card_back")
#: A find counts as false from this score on: what the program works with.
FALSE_FROM = 0.25
#: Which step renders a set.
STEPS = {"still_eval": "stills", "deal_eval": "stills", NEGATIVE: "stills"}


def labelled(folder: Path, set_name: str) -> Iterator[tuple[Image, dict[str, Quads]]]:
    """Each held-out picture of a set, (H, W, 3) BGR, and its things (N, 4, 2) by class."""
    path = folder / f"{set_name}.jsonl"
    if not path.is_file():
        raise InputFault(
            "there are no held-out frames",
            where=str(path),
            why="the file does not exist",
            todo=f"Render them: python -m models.train {STEPS.get(set_name, 'frames')}.",
        )
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        image = read_picture(folder / row["image"], todo="Render the frames again.", what="picture")
        things: dict[str, Quads] = {}
        for name in CLASSES:
            quads = [thing["quad"] for thing in row["things"] if thing["cls"] == name]
            things[name] = np.array(quads, np.float32).reshape(-1, 4, 2)
        yield image, things


def measure(detector: Detector, folder: Path, set_name: str, least_px: float = 0.0) -> dict[str, tuple[int, float]]:
    """How many things with a short side of at least `least_px` there are of each class, and its AP50."""
    finds: Finds = defaultdict(list)
    counts: dict[str, int] = defaultdict(int)
    for image, things in labelled(folder, set_name):
        found = detector.detect(image)
        for name, quads in things.items():
            large = short_sides(quads) >= least_px
            counts[name] += int(large.sum())
            finds[name] += match(found.of(name), Photograph(folder, quads[large], quads[~large]), quad_overlap)
    out = {}
    for name in CLASSES:
        if counts[name]:
            scores = np.array([score for score, _ in finds[name]])
            right = np.array([ok for _, ok in finds[name]], dtype=bool)
            out[name] = (counts[name], average_precision(scores, right, counts[name]))
    return out


def short_sides(quads: Quads) -> NDArray[np.float32]:
    """The shortest side of each quad (N, 4, 2), (N,) pixels."""
    sides: NDArray[np.float32] = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    return np.asarray(sides.min(axis=1, initial=np.inf), np.float32)


def false_cards(detector: Detector, folder: Path) -> tuple[int, dict[str, int], int]:
    """How many pictures without a card there are; the cards found in them by class; the pictures with such a find."""
    pictures, with_cards = 0, 0
    found_of = dict.fromkeys(CARDS, 0)
    for image, _ in labelled(folder, NEGATIVE):
        found: Detections = detector.detect(image)
        counts = {name: int((found.of(name).score >= FALSE_FROM).sum()) for name in CARDS}
        pictures += 1
        with_cards += any(counts.values())
        for name, count in counts.items():
            found_of[name] += count
    return pictures, found_of, with_cards


def _negatives(detector: Detector, folder: Path) -> str:
    pictures, found_of, with_cards = false_cards(detector, folder)
    shares = ", ".join(f"{name} {100 * count / max(pictures, 1):.1f}" for name, count in found_of.items())
    return (
        f"{NEGATIVE}: false finds at a score of {FALSE_FROM} in 100 pictures: {shares} "
        f"({with_cards} of {pictures} pictures have one; renders only)\n"
    )


def main(arguments: list[str] | None = None) -> int:
    """Prints one line a class; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m models.evaluate_table", description="AP50 on held-out renders")
    parser.add_argument("--frames", type=Path, default=Path("runs/train"), help="folder of the studio's frames")
    parser.add_argument("--model", type=Path, default=Path(__file__).parent / "detector.onnx")
    parser.add_argument("--sets", nargs="+", choices=[*SETS, NEGATIVE], help="which sets (all that are there)")
    options = parser.parse_args(arguments)
    detector = Detector(options.model, least_score=LEAST_SCORE)
    for set_name in options.sets or _there(options.frames):
        if set_name == NEGATIVE:
            sys.stdout.write(_negatives(detector, options.frames))
            continue
        for name, (count, ap50) in measure(detector, options.frames, set_name, SETS[set_name]).items():
            sys.stdout.write(f"{set_name} {name}: AP50 {ap50:.4f} ({count} things, renders only)\n")
    return 0


def _there(folder: Path) -> list[str]:
    """The sets to measure: the still lifes only where they were rendered."""
    return [name for name in (*SETS, NEGATIVE) if name not in STEPS or (folder / f"{name}.jsonl").is_file()]


if __name__ == "__main__":
    sys.exit(main())
