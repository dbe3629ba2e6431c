"""Reads a card's picture: its rank, which side is up, whether it is one card or two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.crops import CROP_HEIGHT_PX, CROP_WIDTH_PX
from vision.frame import Image
from vision.network import Network

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
SIDES = ("face", "back", "neither")
#: What the burn counts: ten for 10, J, Q and K (58 Pa. Code 629a.5(f)).
VALUES = tuple(min(index + 1, 10) for index in range(len(RANKS)))
#: A suit is read only if its probability times that of a face reaches this: of the calibration's 1,908 crops whose rank
#: is answered, 782 have such a suit and none of these is wrong (from 0.9 on 8 of 1,250 are).
LEAST_SUIT = 0.98

Probabilities = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """What one crop shows.

    Attributes:
        ranks: probability of each of `RANKS`, given that it is a face, (13,).
        suits: probability of each of `SUITS`, given that it is a face, (4,).
        sides: probability of each of `SIDES`, (3,); 'neither' is a hand, felt, a chip.
        pair: probability that it is two cards or more, 0..1.
        least: the rank is read only if its probability times that of a face reaches this.
    """

    ranks: Probabilities
    suits: Probabilities
    sides: Probabilities
    pair: float
    least: float

    def __post_init__(self) -> None:
        for name, array, count in (
            ("ranks", self.ranks, len(RANKS)),
            ("suits", self.suits, len(SUITS)),
            ("sides", self.sides, len(SIDES)),
        ):
            if array.shape != (count,):
                raise ValueError(f"Reading.{name} has shape {array.shape}, expected ({count},)")

    @property
    def face(self) -> float:
        """Probability that a face is up."""
        return float(self.sides[0])

    @property
    def side(self) -> str:
        """The likeliest of `SIDES`."""
        return SIDES[int(self.sides.argmax())]

    @property
    def confidence(self) -> float:
        """Probability of the likeliest rank."""
        return self.face * float(self.ranks.max())

    @property
    def rank(self) -> str | None:
        """The rank, or None where the reader is unsure."""
        return RANKS[int(self.ranks.argmax())] if self.confidence >= self.least else None

    @property
    def suit(self) -> str | None:
        """The suit, or None where the reader is unsure of it."""
        sure = self.face * float(self.suits.max()) >= LEAST_SUIT
        return SUITS[int(self.suits.argmax())] if sure else None


class CardReader:
    """The reader of upright crops, made by `vision.crops`.

    Args:
        path: the .onnx file.
        threads: how many threads one run may use.

    Raises:
        ModelFault: the file is missing, no model, reads other ranks, or is not the one that its card describes.
    """

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        self._network = Network(path, threads=threads)
        for key, wanted in (("ranks", RANKS), ("suits", SUITS), ("sides", SIDES)):
            self._network.expect(key, wanted)
        self._network.expect_card()
        notes = self._network.notes
        self._temperature = float(notes["temperature"])
        self._least = float(notes["least_confidence"])
        self.provider = self._network.provider

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        """One reading for each crop (128, 96, 3) BGR; no crops, no readings."""
        if not crops:
            return []
        for crop in crops:
            if crop.shape != (CROP_HEIGHT_PX, CROP_WIDTH_PX, 3):
                raise ValueError(f"a crop has shape {crop.shape}, expected ({CROP_HEIGHT_PX}, {CROP_WIDTH_PX}, 3)")
        batch = np.stack(crops).transpose(0, 3, 1, 2).astype(np.float32) / np.float32(255)
        logits = self._network.run(batch)[0].astype(np.float64)
        return [self._reading(row) for row in logits]

    def _reading(self, logits: Probabilities) -> Reading:
        """A reading from one row of logits: ranks, suits, sides, pair."""
        first, second = len(RANKS), len(RANKS) + len(SUITS)
        third = second + len(SIDES)
        return Reading(
            ranks=softmax(logits[:first] / self._temperature),
            suits=softmax(logits[first:second]),
            sides=softmax(logits[second:third]),
            pair=float(1 / (1 + np.exp(-np.clip(logits[third], -50, 50)))),
            least=self._least,
        )


def softmax(logits: Probabilities) -> Probabilities:
    """Probabilities of the same shape, from log-probabilities up to a constant."""
    raised = np.exp(logits - logits.max())
    share: Probabilities = raised / raised.sum()
    return share
