"""The data sheet: what the shipped models were trained on, counted from the very files that the training reads."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from models.train import recipe
from models.train.croppool import CropPool
from models.train.samples import Sample, read_samples
from models.train.say import say
from vision.detections import CLASSES
from vision.read import RANKS

REPO = Path(__file__).parents[2]
SHEET = REPO / "models" / "DATA_SHEET.md"
#: The stages of the shipped detector; files of labelled pictures that it learns from, and of crops for the reader.
STAGES = recipe.stages_up_to(recipe.SHIPPED.name)
TRAINED = [stage for stage in STAGES if isinstance(stage, recipe.Stage)]
MOVING = ("studio", "change")
RENDERED = [name for name in (*MOVING, *recipe.STILL_SETS) if any(name in stage.shares for stage in TRAINED)]
PICTURES = ["photographs_train.jsonl", *(f"{name}_train.jsonl" for name in RENDERED)]
CROPS = {
    "train": "drawn and photographed cards",
    "studio_train": "studio, burns",
    "change_train": "studio, shoe changes",
    "backs_train": "drawn backs in any number",
}
SIDES = (10, 50, 90)

HEAD = """# Data sheet

What the shipped models were trained on, counted by `python -m models.train sheet` from the files that the training
reads. Everything drawn or rendered comes from seeds in `models/train/recipe.py` and is made again by
`python -m models.train frames`, `stills`, `photographs` and `crops`; the photographs are not part of this repository.
"""
WORDS = """## What it is, and what it is not

- **studio**: this project's own renders (`sample_videos`), decks and backs of the training split only; no scene, deck
  or back of the evaluation split is among them (a test compares the textures). Labels come from the scene, never from
  a model.
- **still**: still lifes of the same studio; half of them with the training split's backs, drawn by hand, the others
  with backs drawn from a seed (`many_backs`), no two alike: the first million of those are for training, the next for
  measuring.
- **cards_edje, cards_poker4, cards_backs, dice**: real photographs under their own licences; only their `train` parts.
  Classes that a source does not label are masked in the loss. Outlines are fitted to labelled boxes; where that failed,
  the upright box is used (`hull`).
- A class with no thing in it is one that the detector cannot find yet, though its name is in the list.
- Dealers, tables, shoes, buckets, cover cards and stacks are **never** real here. Skin, sleeves, felts, light and
  cameras are drawn from ranges in `sample_videos/studio/randomise.py`.
"""


def write(out: Path) -> None:
    """Writes models/DATA_SHEET.md from what lies in `out`."""
    samples = [s for name in PICTURES if (out / name).is_file() for s in read_samples(out / name)]
    parts = [HEAD, *_detector(samples), *_reader(out), WORDS]
    SHEET.write_text("\n".join(parts), encoding="utf-8")
    say(f"wrote {SHEET.name}")


def _detector(samples: Sequence[Sample]) -> Iterator[str]:
    yield "## The detector\n"
    sources = sorted({s.source for s in samples})
    pictures = Counter(s.source for s in samples)
    yield f"| class | {' | '.join(sources)} | all | short side, px: 10 %, half, 90 % |"
    yield "|---|" + "---|" * (len(sources) + 2)
    yield _row("pictures", [pictures[s] for s in sources], len(samples), "")
    things: dict[str, Counter[str]] = defaultdict(Counter)
    short: dict[str, list[float]] = defaultdict(list)
    for sample in samples:
        sides = np.linalg.norm(np.roll(sample.quads, -1, axis=1) - sample.quads, axis=2)
        for number, side in zip(sample.cls, sides.min(axis=1) if len(sides) else [], strict=True):
            things[CLASSES[number]][sample.source] += 1
            short[CLASSES[number]].append(float(side))
    for cls in CLASSES:
        sizes = ", ".join(f"{v:.0f}" for v in np.percentile(short[cls], SIDES)) if short[cls] else ""
        yield _row(cls, [things[cls][s] for s in sources], sum(things[cls].values()), sizes)
    yield "\nStages: " + "; ".join(_stage(stage) for stage in STAGES) + ".\n"


def _stage(stage: recipe.Stage | recipe.Blend) -> str:
    if isinstance(stage, recipe.Blend):
        rest = f"{1 - stage.share:.0%} of {stage.first}'s weights"
        return f"{stage.name}, {rest} and {stage.share:.0%} of {stage.second}'s"
    return f"{stage.name}, {stage.steps} steps ({_shares(stage.shares)})"


def _shares(shares: dict[str, float]) -> str:
    return ", ".join(f"{name} {share:.0%}" for name, share in shares.items())


def _reader(out: Path) -> Iterator[str]:
    yield "## The reader\n"
    yield f"| crops | all | faces | backs | no card | {' | '.join(RANKS)} |"
    yield "|---|" + "---|" * (len(RANKS) + 4)
    for name, words in CROPS.items():
        labels = CropPool.load(out / f"crops_{name}.npz").labels
        sides, ranks = Counter(labels[:, 2].tolist()), Counter(labels[:, 0].tolist())
        counts = [len(labels), *(sides[k] for k in range(3)), *(ranks[k] for k in range(len(RANKS)))]
        yield f"| {words} | " + " | ".join(str(c) for c in counts) + " |"
    yield ""


def _row(name: str, counts: Sequence[int], every: int, sizes: str) -> str:
    return f"| {name} | " + " | ".join(str(c) if c else "" for c in counts) + f" | {every} | {sizes} |"
