"""Goes on training the detector on a casino's own labels: `python -m models.train.own ORDER.json`.

`pitwatch train --from LABELS` writes the order and the samples, and runs this in the training environment. It leaves
detector.onnx, detector.json and detector.pt in the order's folder. An unfinished run is taken up.
"""

from __future__ import annotations

import json
import random
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from models.train.detector import new_network, train
from models.train.export_detector import export
from models.train.publish import LICENCE, sha256
from models.train.quantise import quantise
from models.train.recipe import NOT_LABELLED, Stage
from models.train.samples import Sample, read_samples, without
from models.train.say import say
from vision.detections import CLASSES
from vision.topview import DETECT_MM_PER_PX

#: The ranges of the numbers are read from so many pictures, as with the shipped model.
RANGES_FROM = 90
#: Sets of the studio's frames, as `python -m models.train frames` and `stills` leave them.
REHEARSED = ("studio", "change", "still")
WRONG_WEIGHTS = 4


def misfits(start: Path) -> list[str]:
    """What in a file of weights does not fit this project's detector; nothing if all of it does."""
    stored = torch.load(start, map_location="cpu", weights_only=True)
    weights = stored.get("model") if isinstance(stored, dict) else None
    if not isinstance(weights, dict):
        return ["no weights under the key 'model'"]
    own = new_network(None).state_dict()
    wrong = [
        f"{name}: {tuple(weights[name].shape)} in place of {tuple(tensor.shape)}"
        if name in weights
        else f"{name}: missing"
        for name, tensor in own.items()
        if name not in weights or weights[name].shape != tensor.shape
    ]
    return wrong + [f"{name}: not known" for name in weights if name not in own]


def sets_of(order: dict[str, Any]) -> tuple[dict[str, list[Sample]], dict[str, float]]:
    """The sets of samples to learn from, and the share of each."""
    sets = {"own": read_samples(Path(order["samples"]))}
    for name in REHEARSED:
        path = Path(order["rehearse"]) / f"{name}_train.jsonl" if order["rehearse"] else None
        if path is not None and path.is_file():
            sets[name] = [without(s, NOT_LABELLED.get(name, ())) for s in read_samples(path)]
    others = [name for name in sets if name != "own"]
    rehearsed = float(order["rehearse_share"]) if others else 0.0
    shares = {"own": 1 - rehearsed} | {name: rehearsed / len(others) for name in others}
    return sets, shares


def run(order: dict[str, Any]) -> None:
    """Trains, exports and writes the card."""
    out, start = Path(order["out"]), Path(order["start"])
    sets, shares = sets_of(order)
    stage = Stage("own", int(order["steps"]), float(order["rate"]), shares, int(order["seed"]))
    train(stage, sets, start, out)
    weights, path = out / "detector_own.pt", out / "detector.onnx"
    notes = {"mm_per_px": DETECT_MM_PER_PX, "licence": LICENCE, "data_sheet": order["card"]["data_sheet_sha256"]}
    export(weights, path, notes)
    paths = sorted({sample.image for samples in sets.values() for sample in samples})
    pictures = random.Random(stage.seed).sample(paths, min(RANGES_FROM, len(paths)))
    quantise(path, pictures)
    stored = torch.load(weights, map_location="cpu", weights_only=True)
    half = {k: v.half() if v.dtype.is_floating_point else v for k, v in stored["model"].items()}
    torch.save({"model": half, "stage": stage.name, "steps": stage.steps}, out / "detector.pt")
    card = {
        "file": path.name,
        "sha256": sha256(path),
        "bytes": path.stat().st_size,
        "licence": LICENCE,
        "network": "yolo11n-obb (Ultralytics), trained on from this project's weights",
        "started_from": {"file": start.name, "sha256": sha256(start)},
        "quantised_with": len(pictures),
        "classes": list(CLASSES),
        "mm_per_px": DETECT_MM_PER_PX,
        "input": "RGB 0..1, (1, 3, H, W), H and W multiples of 32; a top view at 2 mm for each pixel",
        "training": [asdict(stage)],
    } | order["card"]
    (out / "detector.json").write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")
    say("wrote detector.onnx")


def main() -> int:
    """Carries out the order named on the command line; returns the exit code."""
    order = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    wrong = misfits(Path(order["start"]))
    if wrong:
        say(f"the weights {order['start']} are not those of this detector: {'; '.join(wrong[:3])}")
        return WRONG_WEIGHTS
    run(order)
    return 0


if __name__ == "__main__":
    sys.exit(main())
