"""Trains the models: `python -m models.train STEP --data DATA --start WEIGHTS`.

    frames       labelled top views and crops from the studio (in the run-time environment, which has OpenGL)
    stills       labelled top views of still lifes (as `frames`); --count of them for training, --jobs at a time
    photographs  outlines of the cards on the photographs
    crops        crops for the reader from drawn and photographed cards
    detector     the stages of the detector; with --only a stage on trial after them, one after the other
    reader       the reader
    indices      the reader's second look, at the corners of a card
    pips         the reader of dice, models/pips.onnx and its card
    sheet        models/DATA_SHEET.md, what was trained on
    export       models/detector.onnx, models/reader.onnx and their cards; with --to FOLDER the detector of the
                 weights given with --start goes there, beside the shipped models, to be measured
    all          everything but `frames` and `stills`, in order

Each step reads what the ones before it left in runs/train, and the detector takes up an unfinished stage.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from pathlib import Path

from models.train import recipe

REPO = Path(__file__).parents[2]
# No downloads, no reports home, no settings outside the run's folder: set before Ultralytics is imported.
os.environ.setdefault("YOLO_CONFIG_DIR", str(REPO / "runs" / "ultralytics"))
os.environ.setdefault("YOLO_OFFLINE", "true")
# Threads that wait must not spin: on a machine that others use too, that costs more than half the speed.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

TRIALS = [stage.name for stage in recipe.TRIALS]
LEARNING = ("photographs", "crops", "detector", "reader", "indices", "pips", "sheet", "export")


def main() -> int:
    """Runs the steps asked for; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m models.train", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("step", choices=["frames", "stills", *LEARNING, "all"])
    parser.add_argument("--data", type=Path, default=os.environ.get("PITWATCH_DATA"), help="folder of the photographs")
    parser.add_argument("--start", type=Path, help="COCO weights of yolo11n to begin with")
    parser.add_argument("--out", type=Path, default=REPO / "runs" / "train", help="where the steps leave their files")
    parser.add_argument("--count", type=int, help="how many still lifes for training (the recipe's)")
    parser.add_argument("--jobs", type=int, default=2, help="how many still lifes are rendered at a time")
    parser.add_argument("--only", choices=TRIALS, help="train this stage on trial, from the one before it or --start")
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="with export: where a detector on trial is written")
    parser.add_argument("--steps", type=int, help="with --only: so many steps in place of the recipe's")
    options = parser.parse_args()
    steps = LEARNING if options.step == "all" else (options.step,)
    if options.data is None and {"photographs", "crops", "pips"} & set(steps):
        parser.error("give the folder of the photographs with --data or PITWATCH_DATA")
    if options.start is None and "detector" in steps and options.only is None:
        parser.error("give the weights to begin with: --start yolo11n_coco_bn.pt")
    if options.to is not None and options.start is None:
        parser.error("give the weights of the detector on trial with --start")
    options.out.mkdir(parents=True, exist_ok=True)
    # Imported by need: the studio's environment has no torch, the training environment no OpenGL.
    if options.step == "stills":
        importlib.import_module("models.train.stills").stills(options.out, options.count, options.jobs)
        return 0
    module = importlib.import_module("models.train." + ("studio_frames" if options.step == "frames" else "learn"))
    if options.only is not None and options.step == "detector":
        module.one_stage(options.only, options.start, options.out, options.steps)
        return 0
    if options.to is not None and options.step == "export":
        module.trial(options.start, options.out, options.to)
        return 0
    for step in steps:
        module.STEPS[step](options.data, options.start, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
