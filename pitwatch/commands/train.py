"""Trains the detector on a casino's own labels, suggests such labels, or runs a step of the whole training.

`--from LABELS` goes on from the trained weights, holds back some recordings, reports old against new on them, and
promotes the new model into the folder given by --out unless it is worse. Exit code 0: promoted; 1: not promoted, and
the new model is kept aside in OUT/refused. `--suggest SOURCE` labels pictures, or frames of a film, with the current
model, for a person to correct. Anything else is a step of `python -m models.train`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import models
from models.labels.classes import pairs_of
from models.labels.read import READERS
from pitwatch.commands.review import above_zero, positive
from pitwatch.extras import hand_over
from pitwatch.train_own import look_of, train_own, trainer
from pitwatch.train_suggest import suggest_labels
from pitwatch.train_work import Order, TrainFault

MODELS = Path(models.__file__).parent
NOT_PROMOTED = 1


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--from", dest="labels", type=Path, metavar="LABELS", help="CVAT, Label Studio, COCO or YOLO-OBB")
    what.add_argument("--suggest", type=Path, metavar="SOURCE", help="a folder of pictures, or a film, to label")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="where the new model, or the labels, are written")
    parser.add_argument("--table", type=Path, metavar="TABLE.toml", help="the camera's table file: lay pictures flat")
    parser.add_argument("--mm-per-px", type=scale, help="take pictures as they are, at this scale")
    parser.add_argument("--models", type=Path, default=MODELS, help="the models in use (the installed ones)")
    parser.add_argument(
        "--every", type=above_zero, default=10.0, metavar="SECONDS", help="between frames of a film (10)"
    )
    own = parser.add_argument_group("with --from")
    own.add_argument("--images", type=Path, metavar="FOLDER", help="the pictures, if not beside the labels")
    own.add_argument("--format", choices=sorted(READERS), help="the labels' format, if it is not told by the file")
    own.add_argument(
        "--map", action="append", default=[], metavar="THEIRS=OURS", help="a class name; '-' leaves its things out"
    )
    own.add_argument("--complete", action="store_true", help="every class of the label list was labelled everywhere")
    own.add_argument("--hold-back", type=share, default=0.2, metavar="SHARE", help="held back to measure with (0.2)")
    own.add_argument("--steps", type=positive, default=300, help="how long to learn, 16 pictures a step (300)")
    own.add_argument("--rate", type=above_zero, default=3e-4, help="how fast to learn (0.0003)")
    own.add_argument("--start", type=Path, metavar="WEIGHTS", help="weights to begin with (those of the models in use)")
    own.add_argument("--rehearse", type=Path, metavar="FRAMES", help="the studio's frames, learned from beside")
    own.add_argument("--python", type=Path, help="the training environment's Python (that of .venv-train)")
    own.add_argument("--keep-work", action="store_true", help="keep the prepared pictures in OUT/work")
    parser.add_argument("rest", nargs=argparse.REMAINDER, help="a step and its options; 'pitwatch train all --help'")


def scale(text: str) -> float:
    """Millimetres that a pixel covers, at which a card is neither a dot nor more than the picture."""
    value = above_zero(text)
    if not 0.05 <= value <= 20:
        raise argparse.ArgumentTypeError(f"{text!r} is not from 0.05 to 20 millimetres")
    return value


def share(text: str) -> float:
    """A share of the pictures, from 0.05 to 0.5."""
    value = above_zero(text)
    if not 0.05 <= value <= 0.5:
        raise argparse.ArgumentTypeError(f"{text!r} is not from 0.05 to 0.5")
    return value


def run(options: argparse.Namespace) -> int:
    """Trains, suggests, or hands over to the training recipe."""
    if options.labels is None and options.suggest is None:
        return hand_over("models.train", options.rest)
    if options.rest or options.out is None:
        raise TrainFault(
            "--out is missing" if options.out is None else f"{options.rest[0]!r} is not understood",
            where="pitwatch train",
            why="the new model or the labels are written into a folder of their own",
            todo="Add --out FOLDER; see 'pitwatch train --help'.",
        )
    if options.suggest is not None:
        look = look_of(options.table, options.mm_per_px)
        lines = suggest_labels(options.suggest, options.out, look, options.models, options.every)
        sys.stdout.write("\n".join(lines) + "\n")
        return 0
    outcome = train_own(_order(options), trainer(options.python))
    sys.stdout.write("\n".join(outcome.lines) + "\n")
    return NOT_PROMOTED if outcome.refused else 0


def _order(options: argparse.Namespace) -> Order:
    return Order(
        options.labels,
        options.out,
        options.models,
        options.images,
        options.format,
        options.table,
        options.mm_per_px,
        pairs_of(options.map),
        options.complete,
        options.hold_back,
        options.steps,
        options.rate,
        options.start,
        options.rehearse,
        keep_work=options.keep_work,
    )
