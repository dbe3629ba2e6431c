"""Reads a card's picture: its rank, which side is up, whether it is one card or two; and votes over a track."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
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
            ranks=_softmax(logits[:first] / self._temperature),
            suits=_softmax(logits[first:second]),
            sides=_softmax(logits[second:third]),
            pair=float(1 / (1 + np.exp(-np.clip(logits[third], -50, 50)))),
            least=self._least,
        )


def _softmax(logits: Probabilities) -> Probabilities:
    raised = np.exp(logits - logits.max())
    share: Probabilities = raised / raised.sum()
    return share


@dataclass(slots=True)
class RankVote:
    """What a track's readings say together.

    Log-probabilities are added, each frame's no further down than `FLOOR` and all of them shrunk by `WEIGHT`, because
    neighbouring frames err together. It answers only when the value that the burn counts is as good as certain and
    enough frames agree on it; a doubt between 10, J, Q and K is no doubt about the value. Since a strange deck can
    mislead every frame alike, it also takes frames that are sure by the reader's own calibrated bound, not one here
    and there by chance, and next to none that are as sure of another value.
    """

    FLOOR = 0.01
    WEIGHT = 0.6
    SURE = 0.995
    AGREEING = 3
    #: So many frames must each be sure by themselves, and so large a share of those that are sure must agree.
    SURE_FRAMES = 3
    SURE_SHARE = 0.85
    #: ... of all frames that show a face, so many are sure by themselves.
    SURE_OF_ALL = 0.25
    #: Of a card that has just been laid down the first frames may be strange ones, with fingers on it.
    SETTLED_FRAMES, SETTLED_SHARE = 8, 0.5
    #: A doubt between ranks of one value is none, if together they are as good as certain.
    SURE_VALUE = 0.995
    #: ... and this share of all frames that show a face.
    SHARE = 0.7
    #: A crop that is likelier no face than a face says nothing about the rank.
    LEAST_FACE = 0.5

    readings: int = 0
    _sum: Probabilities = field(default_factory=lambda: np.zeros(len(RANKS)))
    _suits: Probabilities = field(default_factory=lambda: np.zeros(len(SUITS)))
    _for_value: dict[int, int] = field(default_factory=dict)
    _sure_of: dict[int, int] = field(default_factory=dict)

    def add(self, reading: Reading) -> None:
        """Counts one reading."""
        self.readings += 1
        if reading.face < self.LEAST_FACE:
            return
        self._sum = self._sum + self.WEIGHT * np.log(np.maximum(reading.ranks, self.FLOOR))
        self._suits = self._suits + self.WEIGHT * np.log(np.maximum(reading.suits, self.FLOOR))
        value = VALUES[int(reading.ranks.argmax())]
        self._for_value[value] = self._for_value.get(value, 0) + 1
        together = sum(float(p) for p, v in zip(reading.ranks, VALUES, strict=True) if v == value)
        if reading.rank is not None or (reading.face >= reading.least and together >= self.SURE_VALUE):
            self._sure_of[value] = self._sure_of.get(value, 0) + 1

    def take_in(self, other: RankVote) -> None:
        """Counts the readings of another vote, on the same card, as well."""
        self.readings += other.readings
        self._sum, self._suits = self._sum + other._sum, self._suits + other._suits
        for mine, theirs in ((self._for_value, other._for_value), (self._sure_of, other._sure_of)):
            for value, count in theirs.items():
                mine[value] = mine.get(value, 0) + count

    @property
    def posterior(self) -> Probabilities:
        """Probability of each of `RANKS`, (13,)."""
        return _softmax(self._sum)

    @property
    def value(self) -> int | None:
        """What the burn counts, 1..10, or None where the vote is unsure."""
        posterior = self.posterior
        shares: dict[int, float] = {}
        for value, share in zip(VALUES, posterior, strict=True):
            shares[value] = shares.get(value, 0.0) + float(share)
        best = max(shares, key=lambda value: shares[value])
        agreed, sure = self._for_value.get(best, 0), self._sure_of.get(best, 0)
        return best if shares[best] > self.SURE and agreed >= self.AGREEING and self._agrees(agreed, sure) else None

    def _agrees(self, agreed: int, sure: int) -> bool:
        """Whether enough frames are sure by themselves, and nearly all that are say the same."""
        every, every_sure = sum(self._for_value.values()), sum(self._sure_of.values())
        enough = sure >= max(self.SURE_FRAMES, self.SURE_OF_ALL * every)
        return enough and sure >= self.SURE_SHARE * every_sure and agreed >= self.SHARE * every

    @property
    def settled(self) -> bool:
        """Whether it has been read so often, and so many frames were sure, that more will not unsettle it."""
        every, sure = sum(self._for_value.values()), sum(self._sure_of.values())
        return every >= self.SETTLED_FRAMES and sure >= self.SETTLED_SHARE * every

    @property
    def rank(self) -> str | None:
        """The likeliest rank of the value that is sure, or None where the vote is unsure."""
        return None if self.value is None else RANKS[int(self._sum.argmax())]

    def facts(self) -> dict[str, str]:
        """The facts `rank` and, where as sure, `suit` of an event; empty where the vote is unsure."""
        if self.rank is None:
            return {}
        suits = _softmax(self._suits)
        sure = {"suit": SUITS[int(suits.argmax())]} if suits.max() > self.SURE else {}
        return {"rank": self.rank, **sure}
