"""Trains the detector on a casino's own labels, measures it against the old one, and promotes it if it is no worse."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.tablefile import load_table
from models.labels.classes import naming_of
from models.labels.labelled import LabelSet
from models.labels.looks import FlatLook, Look, ScaledLook
from models.labels.measure import Comparison, compare, look, objections
from models.labels.read import read_labels
from models.labels.split import Split, split
from pitwatch.chain import sha256_of_file
from pitwatch.jsonl import json_text, write_json
from pitwatch.progress import progress
from pitwatch.train_python import run_module, training_python
from pitwatch.train_report import figure_lines
from pitwatch.train_work import (
    ORDER,
    SHEET,
    Order,
    TrainFault,
    data_sheet,
    prepare_views,
    work_folder,
    write_order,
)
from vision.detect import Detector

#: Finds below this add nothing that shows in an average precision.
LEAST_SCORE = 0.02
#: What belongs to a detector, and what is put beside it so that the folder can be used with --models.
DETECTOR = ("detector.onnx", "detector.json", "detector.pt")
READER = ("reader.onnx", "reader.json")
REPORT, REFUSED = "report.txt", "refused"

Trains = Callable[[Path, int], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it: the figures, why the new model was refused (nothing if it was promoted), where it is."""

    figures: Comparison
    refused: tuple[str, ...]
    folder: Path
    lines: tuple[str, ...]


def look_of(table: Path | None, mm_per_px: float | None) -> Look:
    """How pictures are seen: through a table file, or as they are at a scale.

    Raises:
        TrainFault: neither or both were given.
    """
    if (table is None) == (mm_per_px is None):
        raise TrainFault(
            "how pictures are to be seen is not clear",
            where="--table, --mm-per-px",
            why="exactly one of them is needed: the detector works at one scale",
            todo="Give the camera's table file with --table, or, for pictures from straight above, their scale.",
        )
    if table is not None:
        return FlatLook(load_table(table))
    assert mm_per_px is not None
    return ScaledLook(mm_per_px)


def trainer(python: Path | None) -> Trains:
    """Runs the training in its own environment, which must be there before any other work begins."""
    found = training_python(python)

    def run(order: Path, steps: int) -> None:
        with progress("train", unit="steps", total=steps) as show:
            run_module(found, "models.train.own", order, show)

    return run


def train_own(order: Order, train: Trains) -> Outcome:
    """Reads, prepares, trains, measures, decides.

    Raises:
        Fault: labels, pictures, models or folders do not fit; the message says which and why.
    """
    if order.out.resolve() == order.models.resolve():
        raise TrainFault(
            "the old models would be overwritten",
            where=str(order.out),
            why="--out is the folder of the models in use",
            todo="Give another folder; take it into use with --models once you trust it.",
        )
    old = Detector(order.models / "detector.onnx", least_score=LEAST_SCORE)
    start = _weights(order)
    seen_by = look_of(order.table, order.mm_per_px)
    labels = read_labels(order.labels, order.images, order.form)
    naming = naming_of(labels, order.mapped, complete=order.complete)
    parts = _split(labels, order)
    work = work_folder(order, labels, start)
    prepared = prepare_views(labels, naming, parts, seen_by, work)
    sheet = data_sheet(order, labels, naming, seen_by, prepared)
    write_order(order, work, start, sheet)
    if not (work / "detector.json").is_file():
        train(work / ORDER, order.steps)
    new = Detector(work / "detector.onnx", least_score=LEAST_SCORE)
    with progress("measure", unit="views", total=2 * len(prepared.held_back)) as show:
        before = look(old, prepared.held_back, show.at)
        after = look(new, prepared.held_back, lambda done: show.at(done + len(prepared.held_back)))
    figures = compare(before, after)
    refused = objections(figures)
    remarks = [*labels.remarks, *prepared.remarks]
    lines = [*(f"note: {remark}" for remark in remarks), *figure_lines(figures, parts.recordings, parts.how)]
    folder = _place(order, work, figures, refused, sheet)
    lines += _verdict_lines(refused, folder)
    (folder / REPORT).write_text("\n".join(lines) + "\n", encoding="utf-8")
    if not order.keep_work:
        shutil.rmtree(work)
    return Outcome(figures, refused, folder, tuple(lines))


def _verdict_lines(refused: Sequence[str], folder: Path) -> list[str]:
    if not refused:
        return [f"promoted: {folder} (use it with --models {folder})"]
    return [
        "not promoted:",
        *(f"  {reason}" for reason in refused),
        f"the new model is kept for inspection in {folder}",
    ]


def _weights(order: Order) -> Path:
    """The weights to begin with: those given, or those that belong to the old model."""
    places = [order.start] if order.start is not None else []
    places += [order.models / "detector.pt", order.models / "weights" / "detector.pt"] if not places else []
    for place in places:
        if place.is_file():
            return place
    raise TrainFault(
        "there are no weights to begin with",
        where=str(places[-1]),
        why="the file does not exist",
        todo="Name the detector's trained weights (detector.pt) with --start.",
    )


def _split(labels: LabelSet, order: Order) -> Split:
    if len(labels.pictures) < 2:
        raise TrainFault(
            "one picture is not enough",
            where=str(labels.file),
            why="some pictures are learned from and others held back to measure with",
            todo="Label more pictures, of more than one recording.",
        )
    return split(labels.pictures, order.hold_back)


def _place(order: Order, work: Path, figures: Comparison, refused: Sequence[str], sheet: Mapping[str, Any]) -> Path:
    """Puts the new model where it belongs, with its figures in its card: into the folder, or aside in it."""
    folder = order.out / REFUSED if refused else order.out
    folder.mkdir(parents=True, exist_ok=True)
    card = json.loads((work / "detector.json").read_text(encoding="utf-8"))
    card |= {"held_back": figures.to_plain(), "compared_with": sha256_of_file(order.models / "detector.onnx")}
    card["refused"] = list(refused)
    write_json(work / "detector.json", card)
    (folder / SHEET).write_text(json_text(sheet), encoding="utf-8")
    # Each file in one step, the model last: what reads the folder meanwhile refuses a pair that does not match.
    for name in (*(READER if not refused else ()), *reversed(DETECTOR)):
        source = work / name if name in DETECTOR else order.models / name
        if source.is_file():
            shutil.copyfile(source, folder / f"{name}.part")
            (folder / f"{name}.part").replace(folder / name)
    return folder
