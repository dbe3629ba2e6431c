"""Dice on real photographs that no training saw: how many are found, and whether their pips are read.

    python -m models.evaluate_dice --data DATA

DATA as for `models.evaluate_photos`: the `test` split of the dice, photographs from straight above of 640 x 640 pixels.
Dice are found at 640 pixels on the longer side, as cards are, and again with the photographs shrunk and enlarged. Pips
are read of the labelled boxes, of the same dice with fewer pixels, and of the boxes that the detector finds.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.evaluate_photos import DICE, DIE, held_out, hull_overlap, look, measure, options_of, text_of
from models.pictures import read_picture
from vision.detect import Detector
from vision.frame import Image
from vision.pips import PipReader, PipReading, die_crop

#: Longer sides of the picture that the detector sees.
SIDES_PX = (640, 480, 960)
#: Shares of the photographs' own size at which pips are read; a die is about 40 pixels wide at full size.
SHARES = (1.0, 0.6, 0.4, 0.3)
#: A find under this score is not looked at, as in the program.
LEAST_SCORE = 0.25
OVERLAP = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Throw:
    """One photograph's dice: boxes (N, 4) and pips (N,)."""

    image: Image
    boxes: NDArray[np.float64]
    pips: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Read:
    """Of `dice` dice: likeliest pips right, answers, wrong answers."""

    dice: int
    likeliest: int
    answers: int
    wrong: int

    @property
    def line(self) -> str:
        """The counts and shares in words."""
        every = max(self.dice, 1)
        return (
            f"{self.dice} dice, likeliest pips right {self.likeliest} ({self.likeliest / every:.1%}), "
            f"answers {self.answers} ({self.answers / every:.1%}), wrong {self.wrong} "
            f"({self.wrong / max(self.answers, 1):.2%} of answers)"
        )


def throws(data: Path) -> list[Throw]:
    """The dice of the `test` split; an InputFault where they are not under `data`."""
    folder = data / "real_train" / DICE
    out = []
    for line in text_of(folder / "labels.jsonl").splitlines():
        row: dict[str, Any] = json.loads(line)
        if row["split"] == "test":
            boxes = np.array([thing["box"] for thing in row["objects"]], np.float64).reshape(-1, 4)
            pips = np.array([thing["pips"] for thing in row["objects"]], np.int64)
            out.append(Throw(read_picture(folder / "images" / row["image"]), boxes, pips))
    return out


def counted(readings: list[PipReading], pips: list[int]) -> Read:
    """The counts of readings against the true pips."""
    pairs = list(zip(readings, pips, strict=True))
    answers = [(reading.pips, true) for reading, true in pairs if reading.pips is not None]
    return Read(
        len(pairs), sum(reading.likeliest == true for reading, true in pairs), len(answers),
        sum(a != b for a, b in answers),
    )  # fmt: skip


def of_boxes(reader: PipReader, every: list[Throw], share: float) -> Read:
    """Pips of the labelled boxes, the photographs scaled by `share`."""
    crops, pips = [], []
    for throw in every:
        small = np.asarray(cv2.resize(throw.image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)
        crops += [die_crop(small, box * share) for box in throw.boxes]
        pips += throw.pips.tolist()
    return counted(reader.read(crops), pips)


def of_finds(reader: PipReader, detector: Detector, every: list[Throw]) -> tuple[Read, int, int]:
    """Pips of the dice found; how many were found at all; how often pips were answered where no die is labelled."""
    readings, pips, elsewhere = [], [], 0
    for throw in every:
        found = look(detector, throw.image, DIE)
        finds = reader.read([die_crop(throw.image, quad) for quad in found.quads])
        free = dict(enumerate(throw.boxes))
        for quad, reading in zip(found.quads, finds, strict=True):
            overlaps = {index: hull_overlap(quad, box.reshape(2, 2).astype(np.float32)) for index, box in free.items()}
            best = max(overlaps, key=lambda index: overlaps[index], default=None)
            if best is not None and overlaps[best] >= OVERLAP:
                del free[best]
                readings.append(reading)
                pips.append(int(throw.pips[best]))
            else:
                elsewhere += reading.pips is not None
    return counted(readings, pips), len(readings), elsewhere


def main(arguments: list[str] | None = None) -> int:
    """Prints one line for each way of looking; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m models.evaluate_dice", description="Dice on photographs")
    parser.add_argument("--detector", type=Path, default=Path(__file__).parent / "detector.onnx")
    options = options_of(parser, arguments, "pips.onnx")
    finer = Detector(options.detector, least_score=0.02)
    photographs = held_out(options.data / "real_train" / DICE, DIE)
    for side in SIDES_PX:
        f = measure(DICE, finer, photographs, hull_overlap, cls=DIE, longer_side_px=side)
        sys.stdout.write(
            f"{DIE} at {side} px: AP50 {f.ap50:.4f} ({f.images} images, {f.cards} dice; at score 0.25 found {f.found}, "
            f"false {f.false})\n"
        )
    reader, every = PipReader(options.model), throws(options.data)
    for share in SHARES:
        sys.stdout.write(f"pips of labelled boxes, photographs at {share}: {of_boxes(reader, every, share).line}\n")
    read, found, elsewhere = of_finds(reader, Detector(options.detector, least_score=LEAST_SCORE), every)
    sys.stdout.write(
        f"pips of found boxes at 640 px: {read.line}; found {found} of {sum(len(t.pips) for t in every)}; "
        f"pips answered where no die is labelled: {elsewhere}\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
