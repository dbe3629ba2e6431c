"""The order of a training on own labels, and the folder in which its work goes on."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from faults import Fault
from models.labels.classes import Naming
from models.labels.labelled import Labelled, LabelSet
from models.labels.looks import Look
from models.labels.prepare import Counts, Seen, prepare
from models.labels.samples import samples_of
from models.labels.split import Split
from models.train.samples import write_samples
from pitwatch.chain import sha256_of_file
from pitwatch.jsonl import json_text, write_json
from pitwatch.progress import progress

#: Files of the work.
SHEET, ORDER, SAMPLES, KEY, WORK = "data_sheet.json", "order.json", "samples.jsonl", "key.txt", "work"
SEED = 11


class TrainFault(Fault):
    """A training that cannot be begun as it was ordered."""


@dataclass(frozen=True, slots=True)
class Order:
    """What to train from, and where to put it; see `pitwatch train --help`."""

    labels: Path
    out: Path
    models: Path
    images: Path | None = None
    form: str | None = None
    table: Path | None = None
    mm_per_px: float | None = None
    mapped: Mapping[str, str] = field(default_factory=dict)
    complete: bool = False
    hold_back: float = 0.2
    steps: int = 300
    rate: float = 3e-4
    start: Path | None = None
    rehearse: Path | None = None
    rehearse_share: float = 0.4
    keep_work: bool = False


def work_folder(order: Order, labels: LabelSet, start: Path) -> Path:
    """The folder of the work under way; what an unfinished run of the very same order left is kept."""
    # Written into files that are read from another folder: nothing in it may depend on where one stands.
    work = order.out.resolve() / WORK
    key = _key(order, labels, start)
    marked = work / KEY
    if work.exists() and (not marked.is_file() or marked.read_text(encoding="utf-8") != key):
        if not marked.is_file() and any(work.iterdir()):
            raise TrainFault(
                "the folder of the work holds something else",
                where=str(work),
                why="it was not made by this command",
                todo="Give another --out, or move it away.",
            )
        shutil.rmtree(work)
    work.mkdir(parents=True, exist_ok=True)
    marked.write_text(key, encoding="utf-8")
    return work


def _key(order: Order, labels: LabelSet, start: Path) -> str:
    """A hash of all that the training depends on."""
    parts = [str(getattr(order, name)) for name in ("table", "mm_per_px", "complete", "hold_back", "steps", "rate")]
    parts += [str(sorted(order.mapped.items())), str(order.rehearse), str(order.rehearse_share)]
    return hashlib.sha256("\n".join([*parts, _hash_of(labels.files), sha256_of_file(start)]).encode()).hexdigest()


def _hash_of(files: Iterable[Path]) -> str:
    """One SHA-256 for several files, in the order of their names."""
    hashes = [f"{path.name} {sha256_of_file(path)}" for path in sorted(files)]
    return hashlib.sha256("\n".join(hashes).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Prepared:
    """The views held back, what was counted on either side, and what a person should know."""

    held_back: list[Seen]
    learned: Counts
    measured: Counts
    remarks: list[str]


def prepare_views(labels: LabelSet, naming: Naming, parts: Split, seen_by: Look, work: Path) -> Prepared:
    """Lays all pictures flat, and writes the training's samples."""
    learned, measured = Counts(), Counts()

    def chosen(indices: Sequence[int]) -> list[Labelled]:
        return [labels.pictures[index] for index in indices]

    with progress("prepare", unit="pictures", total=len(labels.pictures)) as show:
        samples, held_back = [], []
        for views in prepare(chosen(parts.learned), naming, seen_by, work / "learned", learned):
            samples += [sample for seen in views for sample in samples_of(seen)]
            show.at(learned.pictures)
        for views in prepare(chosen(parts.held_back), naming, seen_by, work / "held_back", measured):
            held_back += views
            show.at(learned.pictures + measured.pictures)
    write_samples(work / SAMPLES, samples)
    whole = _together(learned, measured)
    return Prepared(held_back, learned, measured, whole.remarks())


def _together(one: Counts, other: Counts) -> Counts:
    """The counts of both sides."""
    return Counts(
        one.pictures + other.pictures,
        one.sizes + other.sizes,
        one.things + other.things,
        one.hulls + other.hulls,
        one.slanted + other.slanted,
        one.unsure + other.unsure,
        one.card_sides_px + other.card_sides_px,
    )


def data_sheet(order: Order, labels: LabelSet, naming: Naming, seen_by: Look, prepared: Prepared) -> dict[str, Any]:
    """What the model learned from: counts by class and size, and hashes of the labels."""

    def counts(side: Counts) -> dict[str, Any]:
        return {
            "pictures": side.pictures,
            "sizes_px": dict(sorted(side.sizes.items())),
            "things": dict(sorted(side.things.items())),
            "of_them_hulls_only": side.hulls,
        }

    return {
        "format": labels.form,
        "labels": labels.file.name,
        "labels_sha256": _hash_of(labels.files),
        "pictures_seen": seen_by.about,
        "classes_labelled": list(naming.known),
        "mapped": dict(order.mapped),
        "learned": counts(prepared.learned),
        "held_back": counts(prepared.measured),
        "rehearsed": order.rehearse is not None,
    }


def write_order(order: Order, work: Path, start: Path, sheet: Mapping[str, Any]) -> None:
    """What the training is to do, and the data sheet."""
    (work / SHEET).write_text(json_text(sheet), encoding="utf-8")
    card = {"data_sheet_sha256": sha256_of_file(work / SHEET), "data_sheet": sheet}
    absolute = {"samples": work / SAMPLES, "start": start, "out": work}
    paths = {name: str(path.resolve()) for name, path in absolute.items()}
    rehearse = None if order.rehearse is None else str(order.rehearse.resolve())
    rest = {"steps": order.steps, "rate": order.rate, "seed": SEED, "rehearse_share": order.rehearse_share}
    write_json(work / ORDER, {**paths, **rest, "rehearse": rehearse, "card": card})
