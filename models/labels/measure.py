"""Old model against new on the pictures held back, and whether the new one may take the old one's place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from models.evaluate_photos import average_precision, hull_overlap, quad_overlap
from models.labels.prepare import Seen
from vision.detections import CLASSES, Detections
from vision.frame import Image

OVERLAP = 0.5
#: A find that covers so much of a thing to be passed over is passed over with it.
PASSED = 0.3
#: Finds from here on are told to the program.
TOLD = 0.25
#: Finds of other classes that the old model is so sure of should be found by the new one as well.
SURE = 0.5
#: With fewer things held back nothing can be told.
LEAST_THINGS = 20
#: A class with enough things may lose so much, and no more.
CLASS_LOSS = 0.05
#: The share of the old model's sure finds of other classes that the new one must keep.
KEEPS = 0.9
RESAMPLES, SEED = 400, 1


class Eyes(Protocol):
    """A detector that tells everything it finds, down to very low scores."""

    def detect(self, image: Image) -> Detections:
        """What is in a picture."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Finds:
    """What a model found in one view: for each known class scores, which of them are right, and how many things are.

    `others` are its finds of classes that nobody labelled.
    """

    of: dict[str, tuple[NDArray[np.float32], NDArray[np.bool_], int]]
    others: Detections


@dataclass(frozen=True, slots=True)
class ClassFigures:
    """AP50 of one class: `things` held back, the old model's figure and the new one's."""

    name: str
    things: int
    old: float
    new: float


@dataclass(frozen=True, slots=True)
class Told:
    """What a model tells at the program's own threshold: things found, and false finds."""

    found: int
    false: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Old against new on the same views.

    Attributes:
        views: how many.
        classes: the figures of each class with things on them.
        old, new: mean of the classes' AP50.
        low, high: the 95 % interval of the difference, by drawing the views again.
        told_old, told_new: finds and false finds at the program's threshold.
        others: the old model's sure finds of classes that nobody labelled; `kept` of them the new one finds.
    """

    views: int
    classes: tuple[ClassFigures, ...]
    old: float
    new: float
    low: float
    high: float
    told_old: Told
    told_new: Told
    others: int
    kept: int

    @property
    def things(self) -> int:
        """How many labelled things the figures rest on."""
        return sum(figures.things for figures in self.classes)

    def to_plain(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self) | {"things": self.things}


def look(eyes: Eyes, views: Sequence[Seen], shown: Callable[[int], None] | None = None) -> list[Finds]:
    """What a model finds in each view."""
    out = []
    for number, view in enumerate(views, start=1):
        found = eyes.detect(np.asarray(cv2.imread(str(view.image)), np.uint8))
        known = {name: _judged(found.of(name), view, name) for name in view.known}
        indices = [CLASSES.index(name) for name in view.known]
        out.append(Finds(known, found.where(~np.isin(found.cls, indices))))
        if shown is not None:
            shown(number)
    return out


def _judged(found: Detections, view: Seen, name: str) -> tuple[NDArray[np.float32], NDArray[np.bool_], int]:
    """The finds of one class: scores, which are right, and how many things there are."""
    free = [index for index in range(len(view.cls)) if view.cls[index] == CLASSES.index(name)]
    count = len(free)
    scores, right = [], []
    for quad, score in zip(found.quads, found.score, strict=True):
        overlaps = [_overlap(quad, view.quads[index], bool(view.hull[index])) for index in free]
        best = int(np.argmax(overlaps)) if overlaps else -1
        hit = best >= 0 and overlaps[best] >= OVERLAP
        if not hit and any(hull_overlap(quad, other) >= PASSED for other in view.passed_over):
            continue
        if hit:
            del free[best]
        scores.append(score)
        right.append(hit)
    return np.array(scores, np.float32), np.array(right, bool), count


def _overlap(quad: NDArray[np.float32], label: NDArray[np.float32], hull: bool) -> float:
    """How well a find covers a label, 0..1; where only a hull is known, hull against hull."""
    return hull_overlap(quad, label) if hull else quad_overlap(quad, label)


def compare(old: Sequence[Finds], new: Sequence[Finds]) -> Comparison:
    """The figures of two models on the same views."""
    counts = {name: sum(view.of[name][2] for view in old if name in view.of) for name in CLASSES}
    names = [name for name in CLASSES if counts[name]]
    whole = np.arange(len(old))
    figures = tuple(ClassFigures(name, counts[name], _ap(old, name, whole), _ap(new, name, whole)) for name in names)
    rng = np.random.default_rng(SEED)
    drawn = [rng.integers(0, len(old), len(old)) for _ in range(RESAMPLES if len(old) > 1 else 0)]
    differences = [_mean(new, names, draw) - _mean(old, names, draw) for draw in drawn] or [0.0]
    low, high = np.nanpercentile(differences, [2.5, 97.5])
    others, kept = _kept(old, new)
    return Comparison(
        len(old),
        figures,
        _mean(old, names, whole),
        _mean(new, names, whole),
        float(low),
        float(high),
        _told(old),
        _told(new),
        others,
        kept,
    )


def _ap(finds: Sequence[Finds], name: str, chosen: NDArray[np.intp]) -> float:
    """AP50 of a class on the chosen views; not a number where none of them has one."""
    judged = [finds[int(index)].of[name] for index in chosen if name in finds[int(index)].of]
    count = sum(things for _, _, things in judged)
    if not count:
        return float("nan")
    scores, right = (np.concatenate([part[at] for part in judged]) for at in (0, 1))
    return average_precision(scores, right.astype(bool), count)


def _mean(finds: Sequence[Finds], names: Sequence[str], chosen: NDArray[np.intp]) -> float:
    """The mean AP50 of the classes that the chosen views have."""
    values = [value for value in (_ap(finds, name, chosen) for name in names) if not np.isnan(value)]
    return float(np.mean(values)) if values else 0.0


def _told(finds: Sequence[Finds]) -> Told:
    judged = [(scores >= TOLD, right) for view in finds for scores, right, _ in view.of.values()]
    return Told(sum(int((t & r).sum()) for t, r in judged), sum(int((t & ~r).sum()) for t, r in judged))


def _kept(old: Sequence[Finds], new: Sequence[Finds]) -> tuple[int, int]:
    """How many sure finds of other classes the old model has, and how many of them the new one finds too."""
    count = kept = 0
    for before, after in zip(old, new, strict=True):
        told = after.others.where(after.others.score >= TOLD)
        sure = before.others.where(before.others.score >= SURE)
        for quad, cls in zip(sure.quads, sure.cls, strict=True):
            count += 1
            kept += any(quad_overlap(quad, other) >= OVERLAP for other in told.quads[told.cls == cls])
    return count, kept


def objections(figures: Comparison) -> tuple[str, ...]:
    """Why the new model may not take the old one's place; none if it may."""
    if figures.things < LEAST_THINGS:
        return (f"only {figures.things} things were held back, and at least {LEAST_THINGS} are needed to tell",)
    out = []
    if figures.new < figures.old:
        out.append(f"its mean AP50 of {figures.new:.4f} is below the old model's {figures.old:.4f}")
    out += [
        f"{one.name} fell from {one.old:.4f} to {one.new:.4f}"
        for one in figures.classes
        if one.things >= LEAST_THINGS and one.old - one.new > CLASS_LOSS
    ]
    if figures.others >= LEAST_THINGS and figures.kept < KEEPS * figures.others:
        out.append(f"of {figures.others} sure finds of classes that were not labelled it keeps only {figures.kept}")
    return tuple(out)
