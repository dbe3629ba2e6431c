"""The steps of the training that need torch, in the order in which `all` takes them."""

from __future__ import annotations

from pathlib import Path

from models.train import photographs as photograph_samples
from models.train import publish, recipe
from models.train import sheet as data_sheet
from models.train.croppool import CropPool, make_pool
from models.train.detector import train as train_detector
from models.train.pips import COURSE
from models.train.pips import train as train_pips
from models.train.quantise import calibration_pictures
from models.train.reader import train as train_reader
from models.train.samples import read_samples

REPO = Path(__file__).parents[2]


def photographs(data: Path, start: Path, out: Path) -> None:
    """Finds the outlines on the photographs."""
    photograph_samples.main(data / "real_train", out)


def crops(data: Path, start: Path, out: Path) -> None:
    """Makes the reader's crops from drawn and photographed cards."""
    for split, chunks in (("valid", recipe.CROPS_VALID), ("train", recipe.CROPS_TRAIN)):
        make_pool(data / "real_train", out, split, chunks).save(out / f"crops_{split}.npz")


def detector(data: Path, start: Path, out: Path) -> None:
    """Trains the stages of the detector."""
    samples = read_samples(out / "photographs_train.jsonl")
    sets = {name: [s for s in samples if s.source in sources] for name, sources in recipe.SETS.items()}
    train_detector(recipe.PHOTOGRAPHS, sets, start, out)
    sets["studio"] = read_samples(out / "studio_train.jsonl")
    train_detector(recipe.TABLE, sets, out / "detector_photographs.pt", out)
    sets["change"] = read_samples(out / "change_train.jsonl")
    train_detector(recipe.CHANGE, sets, out / "detector_table.pt", out)
    train_detector(recipe.WHOLE, sets, out / "detector_change.pt", out)


def reader(data: Path, start: Path, out: Path) -> None:
    """Trains the reader on from the shipped weights; without them from the beginning."""
    pools = [CropPool.load(out / f"crops_{name}.npz") for name in ("train", "studio_train", "change_train")]
    weights = REPO / "models" / "weights" / "reader.pt"
    if weights.is_file():
        train_reader(recipe.READER_ON, pools, weights, out / "reader.pt")
    else:
        train_reader(recipe.READER, pools, None, out / "reader.pt")


def pips(data: Path, start: Path, out: Path) -> None:
    """Trains the reader of dice and writes it; it takes a few minutes and needs no other step."""
    kept = train_pips(COURSE, data / "real_train", None, out / "pips.pt")
    publish.pips(out / "pips.pt", REPO / "models", kept)


def export(data: Path, start: Path, out: Path) -> None:
    """Writes the detector and the reader of cards."""
    pools = {name: CropPool.load(out / f"crops_{name}.npz") for name in ("valid", "studio_eval")}
    reference = REPO / "tests" / "models" / "reference.npz"
    publish.detector(out / "detector_whole.pt", REPO / "models", calibration_pictures(out), reference)
    publish.reader(out / "reader.pt", REPO / "models", pools["valid"], pools)


def sheet(data: Path, start: Path, out: Path) -> None:
    """Writes the data sheet."""
    data_sheet.write(out)


STEPS = {step.__name__: step for step in (photographs, crops, detector, reader, pips, sheet, export)}
