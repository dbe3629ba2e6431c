"""The steps of the training that need torch, in the order in which `all` takes them."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import torch

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
    for split, chunks in (("valid", recipe.BACKS_VALID), ("train", recipe.BACKS_TRAIN)):
        make_pool(data / "real_train", out, split, chunks, backs=True).save(out / f"crops_backs_{split}.npz")


def detector(data: Path, start: Path, out: Path) -> None:
    """Trains the stages of the detector that are shipped, one after the other."""
    before = start
    for stage in recipe.stages_up_to(recipe.SHIPPED.name):
        before = _stage(stage, before, out)


def _stage(stage: recipe.Stage | recipe.Blend, start: Path, out: Path) -> Path:
    """Trains or blends one stage; gives its weights' file."""
    path = out / f"detector_{stage.name}.pt"
    if isinstance(stage, recipe.Blend):
        blend(stage, out, path)
    else:
        train_detector(stage, sets_of(stage, out), start, out)
    return path


def sets_of(stage: recipe.Stage, out: Path) -> dict[str, list[Sample]]:
    """The samples of a stage.

    With still lifes among them, what the moving scenes show without a label is not held against the network.
    """
    samples = read_samples(out / "photographs_train.jsonl")
    sets = {name: [s for s in samples if s.source in sources] for name, sources in recipe.SETS.items()}
    sets |= {name: read_samples(out / f"{name}_train.jsonl") for name in stage.shares if name not in recipe.SETS}
    if not set(recipe.STILL_SETS) & set(stage.shares):
        return sets
    return {name: [without(s, recipe.NOT_LABELLED.get(name, ())) for s in found] for name, found in sets.items()}


def blend(wanted: recipe.Blend, out: Path, path: Path) -> None:
    """Averages two stages' weights; of a stage that was not trained here, the ones kept of it are taken."""
    first, second = (weights_of(name, out) for name in (wanted.first, wanted.second))
    states = [torch.load(f, map_location="cpu", weights_only=True)["model"] for f in (first, second)]
    shares = (1.0 - wanted.share, wanted.share)
    mixed = {
        key: sum(share * state[key].float() for share, state in zip(shares, states, strict=True))
        if value.dtype.is_floating_point
        else value
        for key, value in states[1].items()
    }
    torch.save({"model": mixed, "stage": wanted.name, "steps": 0}, path)


def weights_of(name: str, out: Path) -> Path:
    """The weights of a stage: as trained in `out`, or kept in models/weights.

    Raises:
        FileNotFoundError: where they are in neither.
    """
    kept = (WEIGHTS,) if name == recipe.SHIPPED.name else ()
    for path in (out / f"detector_{name}.pt", KEPT / f"detector_{name}.pt", *kept):
        if path.is_file():
            return path
    raise FileNotFoundError(f"detector_{name}.pt is neither in {out} nor in {KEPT}: train that stage first")


def one_stage(name: str, start: Path | None, out: Path, steps: int | None) -> None:
    """Trains one stage on trial, from the one before it or `start`; of other lengths it has a name of its own."""
    stage = {stage.name: stage for stage in recipe.TRIALS}[name]
    if steps is not None and isinstance(stage, recipe.Stage):
        stage = replace(stage, name=f"{name}_{steps}", steps=steps)
    _stage(stage, start or weights_of(recipe.stages_up_to(name)[-2].name, out), out)


def reader(data: Path, start: Path, out: Path) -> None:
    """Trains the reader on from the shipped weights, with backs in any number; without them from the beginning."""
    pools = [CropPool.load(out / f"crops_{name}.npz") for name in ("train", "studio_train", "change_train")]
    weights = KEPT / "reader.pt"
    if not weights.is_file():
        weights = out / "reader_on.pt"
        train_reader(recipe.READER, pools, None, out / "reader_first.pt")
        train_reader(recipe.READER_ON, pools, out / "reader_first.pt", weights)
    backs = CropPool.load(out / "crops_backs_train.npz")
    train_reader(recipe.READER_BACKS, [*pools, backs], weights, out / "reader.pt")


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
    pools = {name: CropPool.load(out / f"crops_{name}.npz") for name in ("valid", "studio_eval", "backs_valid")}
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
