"""The detector and the reader on the second renderer's frames, which no training and no tuning ever sees.

    python -m models.evaluate_second --frames runs/second/frames

The detector looks as pitwatch has it look: at the dealer's area from straight above, at 2 mm to a pixel, made of the
camera's picture by its table file. Only what is at least 12 px on its short side there counts; what is hidden by more
than two thirds, smaller, or not wholly inside the view is passed over, found or not. A find is right where its quad
overlaps a thing not yet found by at least one half. Two things that one may label in either way are passed over: the
rows of chips in the dealer's tray (each row, or all of them), and the back of the next card that shows in a shoe or
shuffler. The reader gets the faces cut out of the camera's picture by their true quads. These are renders of another
make, not real pictures.
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
from numpy.typing import NDArray

from calibration.tablefile import Table, load_table
from faults import Fault, InputFault
from models.evaluate_photos import LEAST_SCORE, Photograph, Quads, average_precision, match, quad_overlap
from models.evaluate_reader import Figure
from models.evaluate_reader import measure as measure_reader
from models.pictures import read_picture
from vision.crops import card_crop
from vision.detect import Detector
from vision.detections import CLASSES, Detections
from vision.frame import Image
from vision.read import CardReader
from vision.topview import DETECT_MM_PER_PX, TopView, dealer_bounds

LEAST_PX = 12.0
MOST_HIDDEN = 2 / 3
#: A face is read where so little of it is hidden, and it is so fine in the camera's picture.
READ_HIDDEN = 0.1
FALSE_SCORE = 0.25


@dataclass(frozen=True, slots=True)
class Labelled:
    """A frame: its picture (H, W, 3) BGR, table, objects as labelled, view from above, and the deck of its faces."""

    path: Path
    image: Image
    table: Table
    objects: Sequence[Mapping[str, Any]]
    view: TopView
    deck: str


@dataclass(frozen=True, slots=True)
class Found:
    """Of a class: how many things count, its AP50, and at a score of 0.25 how many were found, how many finds false."""

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
        image = read_picture(folder / row["image"], todo="Render the frames again.", what="picture")
        table = load_table(folder / row["table"])
        view = TopView(table.calibration, dealer_bounds(table.layout, mm_per_px), mm_per_px)
        yield Labelled(folder / row["image"], image, table, row["objects"], view, row["deck"])


def in_view(frame: Labelled) -> dict[str, tuple[Quads, Quads]]:
    """By class the quads (N, 4, 2) that count, and those to pass over, in pixels of the view from above."""
    counted: dict[str, list[Any]] = defaultdict(list)
    passed: dict[str, list[Any]] = defaultdict(list)
    tray = frame.table.layout.zones_mm.get("tray")
    if tray is not None:
        passed["chips"].append(frame.view.to_px(np.asarray(tray)))
    for thing in frame.objects:
        quad_px = np.array(thing["quad"], np.float64)
        quad = frame.view.to_px(frame.table.calibration.to_table(quad_px))
        short = min(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1))
        whole = _inside(quad, frame.view.shape) and _inside(quad_px, frame.image.shape)
        counts = whole and thing["occluded"] <= MOST_HIDDEN and short >= LEAST_PX
        if thing["cls"] == "chips" and tray is not None and _within(quad.mean(axis=0), passed["chips"][0]):
            counts = False
        (counted if counts else passed)[thing["cls"]].append(quad)
    return {name: (_quads(counted[name]), _quads(passed[name])) for name in CLASSES}


def _inside(quad: NDArray[np.float64], shape: tuple[int, ...]) -> bool:
    """Whether a quad lies in a picture of this shape."""
    return bool((quad >= 0).all() and (quad < [shape[1], shape[0]]).all())


def _within(point: NDArray[np.floating], quad: NDArray[np.floating]) -> bool:
    return cv2.pointPolygonTest(quad.astype(np.float32), (float(point[0]), float(point[1])), False) >= 0


def countable(found: Detections, name: str, things: Mapping[str, tuple[Quads, Quads]]) -> Detections:
    """The finds of a class without backs that show in a shoe or shuffler, where no card is labelled."""
    mine = found.of(name)
    if name != "card_back":
        return mine
    holders = [quad for holder in ("shoe", "shuffler") for part in things[holder] for quad in part]
    cards = [quad for part in things[name] for quad in part]
    kept = [
        not any(_within(quad.mean(axis=0), holder) for holder in holders)
        or any(quad_overlap(quad, card) >= 0.5 for card in cards)
        for quad in mine.quads
    ]
    return mine.where(np.array(kept, dtype=bool))


def _quads(found: list[Any]) -> Quads:
    return np.array(found, np.float32).reshape(-1, 4, 2)


def measure(detector: Detector, folder: Path, mm_per_px: float = DETECT_MM_PER_PX) -> dict[str, Found]:
    """The figures of each class that occurs."""
    finds: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    counts: dict[str, int] = defaultdict(int)
    for frame in frames(folder, mm_per_px):
        seen = detector.detect(frame.view.view(frame.image))
        things = in_view(frame)
        for name, (quads, passed) in things.items():
            counts[name] += len(quads)
            finds[name] += match(countable(seen, name, things), Photograph(frame.path, quads, passed), quad_overlap)
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
    """The reader's figures on faces cut out by their true quads: by their short side in the picture, and by deck."""
    crops: dict[str, list[Image]] = defaultdict(list)
    ranks: dict[str, list[str]] = defaultdict(list)
    for frame in frames(folder):
        for thing in frame.objects:
            quad = np.array(thing["quad"], np.float64)
            hidden = thing["occluded"] > READ_HIDDEN or not _inside(quad, frame.image.shape)
            if thing["cls"] != "card_face" or hidden:
                continue
            placed = frame.table.calibration.to_table(quad)
            short = min(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1))
            size = "60 px or more" if short >= 60 else "45 to 60 px" if short >= 45 else "under 45 px"
            crop = card_crop(frame.image, frame.table.calibration, placed)
            for group in (size, f"deck {frame.deck}"):
                crops[group].append(crop)
                ranks[group].append(thing["rank"])
    return {group: measure_reader(reader.read(crops[group]), ranks[group]) for group in sorted(crops)}


def main(arguments: list[str] | None = None) -> int:
    """Prints one line a class and one a size of card; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m models.evaluate_second", description=(__doc__ or "").split("\n")[0]
    )
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
        sys.stdout.write(
            f"{name}: {figure} ({f.things} things; at score {FALSE_SCORE} found {f.found}, false {f.false})\n"
        )
    for group, r in readings.items():
        sys.stdout.write(
            f"faces, {group}: {r.cards} cards, {r.faces} seen as faces, likeliest rank right {r.right}, "
            f"answers {r.answers}, of them rank right {r.answers_right}, value right {r.values_right}\n"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
