"""Labelled pictures for the detector: what is in them, and which classes they say nothing about."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.detections import CLASSES


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """One labelled picture.

    Attributes:
        image: path of the picture.
        source: the name of the set it is from; pictures of one set may share a canvas.
        known: the classes that the set labels; of the others it is not known whether they are there.
        quads: (N, 4, 2) corners in pixels.
        cls: (N,) index into the detector's classes.
        hull: (N,) true where the corners are only those of an axis-aligned box around the thing.
    """

    image: Path
    source: str
    known: tuple[str, ...]
    quads: NDArray[np.float32]
    cls: NDArray[np.int64]
    hull: NDArray[np.bool_]

    def to_json(self) -> str:
        """One line of JSON."""
        things = [
            {"cls": CLASSES[c], "quad": np.round(q, 2).tolist(), "hull": bool(h)}
            for q, c, h in zip(self.quads, self.cls, self.hull, strict=True)
        ]
        row = {"image": str(self.image), "source": self.source, "known": list(self.known), "things": things}
        return json.dumps(row)


def without(sample: Sample, classes: Collection[str]) -> Sample:
    """The sample as one of a source that does not label these classes."""
    return replace(sample, known=tuple(name for name in sample.known if name not in classes))


def sample_from_json(line: str, folder: Path) -> Sample:
    """The sample on a line; a relative image path is taken from `folder`."""
    row = json.loads(line)
    things = row["things"]
    return Sample(
        folder / row["image"],
        row["source"],
        tuple(row["known"]),
        np.array([t["quad"] for t in things], np.float32).reshape(-1, 4, 2),
        np.array([CLASSES.index(t["cls"]) for t in things], np.int64),
        np.array([t["hull"] for t in things], bool),
    )


def write_samples(path: Path, samples: Iterable[Sample]) -> None:
    """Writes samples as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(sample.to_json() + "\n" for sample in samples), encoding="utf-8")


def read_samples(path: Path) -> list[Sample]:
    """The samples of a JSON-lines file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [sample_from_json(line, path.parent) for line in lines if line.strip()]
