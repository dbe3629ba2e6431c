"""The reader on real photographs that no training saw: the fixture's cards, cut out by their labelled quads.

    python -m models.evaluate_reader --data DATA

DATA as for `models.evaluate_photos`. The photographs are also measured at smaller sizes, as a camera further away
would give them; a card of the fixture is about 100 pixels wide at full size.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from faults import InputFault
from models.evaluate_photos import FIXTURE, options_of
from vision.crops import crop_px, upright, widened
from vision.frame import Image
from vision.read import RANKS, VALUES, CardReader, Reading

SCALES = (1.0, 0.7, 0.5)


@dataclass(frozen=True, slots=True)
class Figure:
    """Of `cards` crops: seen as faces, likeliest rank right, answers given, their ranks right, their values right."""

    cards: int
    faces: int
    right: int
    answers: int
    answers_right: int
    values_right: int


def cut_out(folder: Path, scale: float) -> tuple[list[Image], list[str]]:
    """The fixture's cards as upright crops from photographs scaled by `scale`, and their ranks."""
    path = folder / "labels.json"
    if not path.is_file():
        raise InputFault(
            "there is no fixture",
            where=str(path),
            why="the file does not exist",
            todo="Give the folder of the photographs with --data or PITWATCH_DATA.",
        )
    crops, ranks = [], []
    for row in json.loads(path.read_text(encoding="utf-8")):
        image = cv2.imread(str(folder / row["image"]))
        if image is None:
            raise InputFault(
                "cannot read the photograph", where=row["image"], why="missing or damaged", todo="Check --data."
            )
        small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        for thing in row["objects"]:
            if thing["cls"] == "card_face" and thing.get("rank") and not thing.get("ignore"):
                # `upright` takes table axes, y up; the picture's run down
                quad = upright(np.array(thing["quad"], np.float64) * scale * [1, -1]) * [1, -1]
                crops.append(crop_px(small, widened(quad)))
                ranks.append(thing["rank"])
    return crops, ranks


def measure(readings: list[Reading], ranks: list[str]) -> Figure:
    """The figure of readings against the true ranks."""
    likeliest = [RANKS[int(reading.ranks.argmax())] for reading in readings]
    answers = [(reading.rank, rank) for reading, rank in zip(readings, ranks, strict=True) if reading.rank is not None]
    return Figure(
        cards=len(ranks),
        faces=sum(reading.side == "face" for reading in readings),
        right=sum(a == b for a, b in zip(likeliest, ranks, strict=True)),
        answers=len(answers),
        answers_right=sum(a == b for a, b in answers),
        values_right=sum(VALUES[RANKS.index(a)] == VALUES[RANKS.index(b)] for a, b in answers if a is not None),
    )


def main(arguments: list[str] | None = None) -> int:
    """Prints one line a scale; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m models.evaluate_reader", description="The reader on photographs")
    options = options_of(parser, arguments, "reader.onnx")
    reader = CardReader(options.model)
    for scale in SCALES:
        crops, ranks = cut_out(options.data / FIXTURE, scale)
        f = measure(reader.read(crops), ranks)
        sys.stdout.write(
            f"martinabeleda at {scale}: {f.cards} cards, {f.faces} seen as faces, likeliest rank right {f.right}, "
            f"answers {f.answers}, of them rank right {f.answers_right}, value right {f.values_right}\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
