"""The reader on real photographs that no training saw, as they are and as a surveillance camera would record them.

    python -m models.evaluate_reader --data DATA                      # the tables, some five minutes
    python -m models.evaluate_reader --data DATA --curves OUT.png     # also by bit rate and blur, and drawn

DATA as for `models.evaluate_photos`. First the fixture's cards, cut out by their labelled quads, on photographs scaled
down. Then the fixture's and the `test` splits' cards, resampled to a card's short side of 110, 60, 40 and 24 pixels and
coded in H.264 (`models.coded`). A card of a `test` split takes part where its outline was found in its box.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np

from faults import InputFault
from models.coded import Recording, recorded
from models.evaluate_photos import FIXTURE, options_of
from models.pictures import read_picture
from models.real_cards import SPLITS, RealCard, fixture_cards, split_cards
from vision.crops import crop_px, upright, widened
from vision.frame import Image
from vision.read import RANKS, SUITS, VALUES, CardReader, Reading

SCALES = (1.0, 0.7, 0.5)
#: Short sides of a card in pixels, and megabits a second at 1080p25.
SHORT_PX = (110.0, 60.0, 40.0, 24.0)
MBIT_S = 4.0


@dataclass(frozen=True, slots=True)
class Figure:
    """Of `cards` crops: seen as faces, likeliest rank right, answers given, their ranks right, their values right."""

    cards: int
    faces: int
    right: int
    answers: int
    answers_right: int
    values_right: int


@dataclass(frozen=True, slots=True)
class Recorded:
    """Of `cards` recorded cards: likeliest rank right, answers, wrong ones; the same of the suits that are known."""

    cards: int
    likeliest: int
    answers: int
    wrong: int
    suits: int
    suits_likeliest: int
    suits_answered: int
    suits_wrong: int

    @property
    def line(self) -> str:
        """The counts and shares in words."""
        wrong = self.wrong / max(self.answers, 1)
        return (
            f"{self.cards} cards, likeliest rank right {self.likeliest}, answers {self.answers} "
            f"({self.answers / max(self.cards, 1):.1%}), wrong {self.wrong} ({wrong:.2%} of answers), "
            f"suits {self.suits}, likeliest right {self.suits_likeliest}, answers {self.suits_answered}, "
            f"wrong {self.suits_wrong}"
        )


def cut_out(folder: Path, scale: float) -> tuple[list[Image], list[str]]:
    """The fixture's cards as upright crops from photographs scaled by `scale`, and their ranks."""
    path = folder / "labels.json"
    if not path.is_file():
        raise InputFault(
            "there is no fixture",
            where=str(path),
            why="the file does not exist",
            todo="Give the folder of the photographs with --data or PITWATCH_DATA.",
        )
    crops, ranks = [], []
    for row in json.loads(path.read_text(encoding="utf-8")):
        image = read_picture(folder / row["image"])
        small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        for thing in row["objects"]:
            if thing["cls"] == "card_face" and thing.get("rank") and not thing.get("ignore"):
                # `upright` takes table axes, y up; the picture's run down
                quad = upright(np.array(thing["quad"], np.float64) * scale * [1, -1]) * [1, -1]
                crops.append(crop_px(small, widened(quad)))
                ranks.append(thing["rank"])
    return crops, ranks


def measure(readings: list[Reading], ranks: list[str]) -> Figure:
    """The figure of readings against the true ranks."""
    likeliest = [RANKS[int(reading.ranks.argmax())] for reading in readings]
    answers = [(reading.rank, rank) for reading, rank in zip(readings, ranks, strict=True) if reading.rank is not None]
    return Figure(
        cards=len(ranks),
        faces=sum(reading.side == "face" for reading in readings),
        right=sum(a == b for a, b in zip(likeliest, ranks, strict=True)),
        answers=len(answers),
        answers_right=sum(a == b for a, b in answers),
        values_right=sum(VALUES[RANKS.index(a)] == VALUES[RANKS.index(b)] for a, b in answers if a is not None),
    )


def of_recorded(readings: list[Reading], cards: list[RealCard]) -> Recorded:
    """The counts of readings against the cards they are of."""
    pairs = list(zip(readings, cards, strict=True))
    answered = [(reading, card) for reading, card in pairs if reading.rank is not None]
    suited = [(reading, card.suit) for reading, card in pairs if card.suit is not None]
    return Recorded(
        cards=len(pairs),
        likeliest=sum(RANKS[int(reading.ranks.argmax())] == card.rank for reading, card in pairs),
        answers=len(answered),
        wrong=sum(reading.rank != card.rank for reading, card in answered),
        suits=len(suited),
        suits_likeliest=sum(SUITS[int(reading.suits.argmax())] == suit for reading, suit in suited),
        suits_answered=sum(reading.suit is not None for reading, _ in suited),
        suits_wrong=sum(reading.suit not in (None, suit) for reading, suit in suited),
    )


@dataclass(slots=True)
class Recordings:
    """Cards recorded in one way or another, and what the reader says of them; each way is recorded once."""

    reader: CardReader
    cards: list[RealCard]
    _known: dict[Recording, list[Reading]] = field(default_factory=dict)

    def readings(self, how: Recording) -> list[Reading]:
        """What is read of each card recorded so; the noise of each is its own."""
        if how not in self._known:
            self._known[how] = self.reader.read([recorded(card, how, seed) for seed, card in enumerate(self.cards)])
        return self._known[how]

    def figure(self, how: Recording) -> Recorded:
        """The counts of the cards recorded so."""
        return of_recorded(self.readings(how), self.cards)


def real_cards(data: Path) -> list[RealCard]:
    """The cards no training saw; says how many of each source could be used."""
    out = fixture_cards(data)
    for source in SPLITS:
        found, labelled = split_cards(data, source, "test")
        sys.stdout.write(f"{source} test: outlines found of {len(found)} of {labelled} cards with a rank\n")
        out += found
    return out


def recorded_table(recordings: Recordings) -> None:
    """Prints the figures of recorded cards by size and source."""
    cards = recordings.cards
    for short_px in SHORT_PX:
        readings = recordings.readings(Recording(short_px, MBIT_S))
        for name in (FIXTURE, *SPLITS, "together"):
            at = [index for index, card in enumerate(cards) if name in (card.source, "together")]
            figure = of_recorded([readings[i] for i in at], [cards[i] for i in at])
            sys.stdout.write(f"short side {short_px:g} px, {MBIT_S:g} Mb/s, {name}: {figure.line}\n")


def main(arguments: list[str] | None = None) -> int:
    """Prints one line for each scale, then for each size and source; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m models.evaluate_reader", description="The reader on photographs")
    parser.add_argument("--curves", type=Path, metavar="OUT.png", help="also measure by bit rate and blur, and draw it")
    options = options_of(parser, arguments, "reader.onnx")
    reader = CardReader(options.model)
    for scale in SCALES:
        crops, ranks = cut_out(options.data / FIXTURE, scale)
        f = measure(reader.read(crops), ranks)
        sys.stdout.write(
            f"martinabeleda at {scale}: {f.cards} cards, {f.faces} seen as faces, likeliest rank right {f.right}, "
            f"answers {f.answers}, of them rank right {f.answers_right}, value right {f.values_right}\n"
        )
    recordings = Recordings(reader, real_cards(options.data))
    recorded_table(recordings)
    if options.curves is not None:
        # drawing needs what the studio needs, measuring does not
        curves_of = importlib.import_module("models.reader_curves")
        curves, confusion = curves_of.measure(recordings)
        sys.stdout.write("".join(f"\n{curve.table}" for curve in curves))
        curves_of.draw(curves, confusion, options.curves)
    return 0


if __name__ == "__main__":
    sys.exit(main())
