"""The trained weights as the files that the program uses, each with a card that says what it is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from models.train import pips as pips_training
from models.train import recipe
from models.train.croppool import CropPool
from models.train.export_detector import export as export_detector
from models.train.indices import both_looks
from models.train.quantise import quantise
from models.train.reader import export as export_reader
from models.train.reader import figures_of
from models.train.say import say
from models.train.sheet import SHEET
from vision.detections import CLASSES
from vision.pips import AROUND, PIPS, SIDE_PX
from vision.read import RANKS, SIDES, SUITS

LICENCE = "AGPL-3.0-or-later"
#: What the reader's weights went through.
COURSES = (recipe.READER, recipe.READER_ON, recipe.READER_BACKS, recipe.INDEX, recipe.INDEX_ON)


def sha256(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def detector(weights: Path, folder: Path, pictures: Sequence[Path], reference: Path | None = None) -> None:
    """Writes `folder`/detector.onnx, quantised to the ranges seen in `pictures`, and detector.json."""
    path = folder / "detector.onnx"
    stage = torch.load(weights, map_location="cpu", weights_only=True)["stage"]
    export_detector(weights, path, {"mm_per_px": 2.0, **_papers()}, reference, pictures[:8])
    quantise(path, pictures)
    card = {
        "file": path.name,
        "sha256": sha256(path),
        "bytes": path.stat().st_size,
        **_papers(),
        "network": "yolo11n-obb (Ultralytics), started from COCO weights",
        "numbers": "8 bits in most layers, 7 of them for weights; float32 in the first three, attention and the last",
        "quantised_with": len(pictures),
        "classes": list(CLASSES),
        "input": "RGB 0..1, (1, 3, H, W), H and W multiples of 32; a top view at 2 mm for each pixel",
        "output": "distances (1, 64, anchors): logits of 16 steps to each side; classes (1, 14, anchors): logits; "
        "angle (1, 1, anchors): radians. vision/detect.py makes boxes of them",
        "training": [asdict(stage) for stage in recipe.stages_up_to(stage)],
        "studio_scenes": recipe.STUDIO_SCENES + recipe.CHANGE_SCENES,
    }
    _write(folder / "detector.json", card)


@dataclass(frozen=True, slots=True)
class Looks:
    """The weights of the reader's two looks: at the whole card, and at its corners."""

    whole: Path
    index: Path


def keep(weights: Path, path: Path) -> None:
    """Writes weights in half their size to `path`, for the next training to go on from."""
    stored = torch.load(weights, map_location="cpu", weights_only=True)
    halves = {k: v.half() if v.dtype.is_floating_point else v for k, v in stored.get("model", stored).items()}
    torch.save({**stored, "model": halves} if "model" in stored else halves, path)


def reader(looks: Looks, folder: Path, calibration: CropPool, measured: dict[str, CropPool]) -> None:
    """Writes `folder`/reader.onnx and reader.json.

    `calibration` and `measured` are pools that were not trained on; the figures are given for each of `measured`.
    """
    path = folder / "reader.onnx"
    network = both_looks(looks.whole, looks.index, [calibration])
    temperature, least = export_reader(network, path, [calibration], _papers())
    card = {
        "file": path.name,
        "sha256": sha256(path),
        "bytes": path.stat().st_size,
        **_papers(),
        "ranks": list(RANKS),
        "suits": list(SUITS),
        "sides": list(SIDES),
        "input": "BGR 0..1, (N, 3, 128, 96), upright crops with a margin of 6 %",
        "temperature": temperature,
        "least_confidence": least,
        "looks": dict(zip(("whole", "corners"), network.weights, strict=True)),
        "training": [asdict(course) for course in COURSES],
        "figures": {name: figures_of(network, pool, temperature, least) for name, pool in measured.items()},
    }
    _write(folder / "reader.json", card)


def pips(weights: Path, folder: Path, kept: list[pips_training.Kept]) -> None:
    """Writes `folder`/pips.onnx and pips.json; `kept` are dice that were not trained on."""
    path = folder / "pips.onnx"
    temperature, least, figures = pips_training.export(weights, path, kept, _papers())
    card = {
        "file": path.name,
        "sha256": sha256(path),
        "bytes": path.stat().st_size,
        **_papers(),
        "pips": list(PIPS),
        "input": f"BGR 0..1, (N, 3, {SIDE_PX}, {SIDE_PX}), a square of {AROUND} times the longer side of a die's box",
        "temperature": temperature,
        "least_confidence": least,
        "training": asdict(pips_training.COURSE),
        "figures": figures,
    }
    _write(folder / "pips.json", card)


def _papers() -> dict[str, str]:
    """What every model file carries of where it comes from: its licence, and the hash of the data sheet."""
    return {"licence": LICENCE, "data_sheet": sha256(SHEET)}


def _write(path: Path, card: dict[str, Any]) -> None:
    path.write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    say(f"wrote {path.name}")
