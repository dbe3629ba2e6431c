"""The steps of the training that need torch, in the order in which `all` takes them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from models.train import photographs as photograph_samples
from models.train import publish, recipe
from models.train import sheet as data_sheet
from models.train.croppool import CropPool, make_pool
from models.train.detector import train as train_detector
from models.train.indices import train as train_indices
from models.train.pips import COURSE
from models.train.pips import train as train_pips
from models.train.quantise import calibration_pictures
from models.train.reader import train as train_reader
from models.train.samples import Sample, read_samples, without

REPO = Path(__file__).parents[2]
#: The shipped weights, to go on from.
KEPT = REPO / "models" / "weights"
WEIGHTS = KEPT / "detector.pt"


def photographs(data: Path, start: Path, out: Path) -> None:
    """Finds the outlines on the photographs."""
    photograph_samples.main(data / "real_train", out)


def crops(data: Path, start: Path, out: Path) -> None:
    """Makes the reader's crops from drawn and photographed cards."""
    for split, chunks in (("valid", recipe.CROPS_VALID), ("train", recipe.CROPS_TRAIN)):
        make_pool(data / "real_train", out, split, chunks).save(out / f"crops_{split}.npz")


def detector(data: Path, start: Path, out: Path) -> None:
    """Trains the stages of the detector that are shipped."""
    samples = read_samples(out / "photographs_train.jsonl")
    sets = {name: [s for s in samples if s.source in sources] for name, sources in recipe.SETS.items()}
    train_detector(recipe.PHOTOGRAPHS, sets, start, out)
    sets["studio"] = read_samples(out / "studio_train.jsonl")
    train_detector(recipe.TABLE, sets, out / "detector_photographs.pt", out)
    sets["change"] = read_samples(out / "change_train.jsonl")
    train_detector(recipe.CHANGE, sets, out / "detector_table.pt", out)
    train_detector(recipe.WHOLE, sets, out / "detector_change.pt", out)


def with_stills(sets: Mapping[str, Sequence[Sample]], out: Path) -> dict[str, list[Sample]]:
    """The sets with the still lifes; what the moving scenes show without a label is not held against the network."""
    masked = {name: [without(s, recipe.NOT_LABELLED.get(name, ())) for s in found] for name, found in sets.items()}
    return masked | {"still": read_samples(out / "still_train.jsonl")}


def one_stage(name: str, start: Path | None, out: Path, steps: int | None) -> None:
    """Trains one stage on trial, from the one before it or `start`; of other lengths it has a name of its own."""
    stage = {stage.name: stage for stage in recipe.TRIALS}[name]
    before = out / f"detector_{recipe.stages_up_to(name)[-2].name}.pt"
    if steps is not None:
        stage = replace(stage, name=f"{name}_{steps}", steps=steps)
    samples = read_samples(out / "photographs_train.jsonl")
    sets = {name: [s for s in samples if s.source in sources] for name, sources in recipe.SETS.items()}
    for pool in ("studio", "change"):
        sets[pool] = read_samples(out / f"{pool}_train.jsonl")
    train_detector(stage, with_stills(sets, out), start or (before if before.is_file() else WEIGHTS), out)


def reader(data: Path, start: Path, out: Path) -> None:
    """Trains the reader on from the shipped weights; without them from the beginning."""
    pools = [CropPool.load(out / f"crops_{name}.npz") for name in ("train", "studio_train", "change_train")]
    weights = KEPT / "reader.pt"
    if weights.is_file():
        train_reader(recipe.READER_ON, pools, weights, out / "reader.pt")
    else:
        train_reader(recipe.READER, pools, None, out / "reader.pt")


def indices(data: Path, start: Path, out: Path) -> None:
    """Trains the reader's second look, at the corners; goes on from the shipped weights, if there are any."""
    pools = [CropPool.load(out / f"crops_{name}.npz") for name in ("train", "studio_train", "change_train")]
    weights = KEPT / "indices.pt"
    if not weights.is_file():
        weights = out / "indices_first.pt"
        train_indices(recipe.INDEX, pools, None, weights, mix=False)
    train_indices(recipe.INDEX_ON, pools, weights, out / "indices.pt", mix=True)


def pips(data: Path, start: Path, out: Path) -> None:
    """Trains the reader of dice on from the shipped weights, if there are any; takes minutes, needs no other step."""
    weights = KEPT / "pips.pt"
    kept = train_pips(COURSE, data / "real_train", weights if weights.is_file() else None, out / "pips.pt")
    publish.pips(out / "pips.pt", REPO / "models", kept)


def export(data: Path, start: Path, out: Path) -> None:
    """Writes the detector and the reader of cards."""
    pools = {name: CropPool.load(out / f"crops_{name}.npz") for name in ("valid", "studio_eval")}
    reference = REPO / "tests" / "models" / "reference.npz"
    weights = out / f"detector_{recipe.SHIPPED.name}.pt"
    publish.detector(weights, REPO / "models", calibration_pictures(out), reference)
    looks = publish.Looks(out / "reader.pt", out / "indices.pt")
    publish.reader(looks, REPO / "models", pools["valid"], pools)
    for name, trained in (("detector", weights), ("reader", looks.whole), ("indices", looks.index)):
        publish.keep(trained, KEPT / f"{name}.pt")


def trial(weights: Path, out: Path, folder: Path) -> None:
    """Writes a folder of models to be measured: the detector of these weights, and the shipped ones for the rest."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in (REPO / "models").glob("*"):
        if path.suffix in (".onnx", ".json") and path.stem != "detector":
            shutil.copy(path, folder)
    publish.detector(weights, folder, calibration_pictures(out))


def sheet(data: Path, start: Path, out: Path) -> None:
    """Writes the data sheet."""
    data_sheet.write(out)


STEPS = {step.__name__: step for step in (photographs, crops, detector, reader, indices, pips, sheet, export)}
