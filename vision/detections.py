"""What the detector says about one picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: The detector's classes, in the order of its outputs. Fixed: weights, labels and truth files all name them.
CLASSES = (
    "card_face",
    "card_back",
    "stack",
    "cover_card",
    "shoe",
    "shuffler",
    "discard",
    "shaker",
    "shaker_lid",
    "die",
    "chips",
    "lamp",
    "hand",
    "person",
)


@dataclass(frozen=True, slots=True, eq=False)
class Detections:
    """The things found in one picture, best score first.

    Attributes:
        quads: corners in pixels of the picture, (N, 4, 2) float32, clockwise as seen in the picture.
        cls: index into `CLASSES`, (N,) integers.
        score: the detector's confidence 0..1, (N,) float32.

    Raises:
        ValueError: the three arrays do not have these shapes.
    """

    quads: NDArray[np.float32]
    cls: NDArray[np.intp]
    score: NDArray[np.float32]

    def __post_init__(self) -> None:
        count = self.score.shape[0] if self.score.ndim == 1 else -1
        for name, array, shape in (
            ("score", self.score, (count,)),
            ("quads", self.quads, (count, 4, 2)),
            ("cls", self.cls, (count,)),
        ):
            if count < 0 or array.shape != shape:
                raise ValueError(f"Detections.{name} has shape {array.shape}, expected (N, 4, 2) quads, (N,) others")
        if not np.issubdtype(self.cls.dtype, np.integer):
            raise ValueError(f"Detections.cls has type {self.cls.dtype}, expected integers")

    def __len__(self) -> int:
        return int(self.score.shape[0])

    @staticmethod
    def none() -> Detections:
        """Nothing found."""
        return Detections(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.intp), np.zeros(0, np.float32))

    def of(self, name: str) -> Detections:
        """Only the things of the class `name`; an unknown name is a ValueError."""
        return self.where(self.cls == CLASSES.index(name))

    def where(self, keep: NDArray[np.bool_]) -> Detections:
        """Only the things at which `keep` (N,) is true."""
        return Detections(self.quads[keep], self.cls[keep], self.score[keep])
