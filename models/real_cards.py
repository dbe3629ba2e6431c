"""Cards on real photographs with their outlines: the fixture's labelled quads, and outlines found in labelled boxes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.evaluate_photos import FIXTURE, text_of
from models.pictures import read_picture
from models.train.quadfit import fit_card, gradients
from vision.frame import Image

#: Sources of photographs of cards labelled with ranks, by axis-aligned boxes.
SPLITS = ("cards_edje", "cards_poker4")
#: A box nearer to the picture's border than this holds a card that may be cut off.
BORDER_PX = 3
#: A face-down card narrower than this shows no design; some boxes of this size hold a printed index instead.
LEAST_BACK_PX = 24.0


@dataclass(frozen=True, slots=True, eq=False)
class RealCard:
    """A card on a photograph.

    Attributes:
        image: the photograph (H, W, 3) BGR, shared by all its cards.
        quad: corners (4, 2) in its pixels.
        rank: one of `vision.read.RANKS`.
        suit: one of `vision.read.SUITS`, or None where the source does not label suits.
        source: the folder it is from.
    """

    image: Image
    quad: NDArray[np.float64]
    rank: str
    suit: str | None
    source: str

    @property
    def short_px(self) -> float:
        """The card's short side, or what is shorter as it is seen, in pixels."""
        return _short_px(self.quad)


def _short_px(quad: NDArray[np.float64]) -> float:
    """The shorter of the two mean lengths of opposite sides of a quad (4, 2)."""
    sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
    return float(min(sides[0] + sides[2], sides[1] + sides[3]) / 2)


def fixture_cards(data: Path) -> list[RealCard]:
    """The fixture's cards with a rank, by their labelled quads.

    Raises:
        InputFault: there is no fixture under `data`, or a photograph of it is missing.
    """
    folder = data / FIXTURE
    out = []
    for row in json.loads(text_of(folder / "labels.json")):
        image = read_picture(folder / row["image"])
        for thing in row["objects"]:
            if thing["cls"] == "card_face" and thing.get("rank") and not thing.get("ignore"):
                quad = np.array(thing["quad"], np.float64)
                out.append(RealCard(image, quad, thing["rank"], thing.get("suit"), FIXTURE))
    return out


def split_cards(data: Path, source: str, split: str) -> tuple[list[RealCard], int]:
    """The cards of a source's `split` whose outline was found in their box, and how many were labelled with a rank.

    Raises:
        InputFault: the source is not under `data`, or a photograph of it is missing.
    """
    folder = data / "real_train" / source
    out: list[RealCard] = []
    labelled = 0
    for line in text_of(folder / "labels.jsonl").splitlines():
        row = json.loads(line)
        things = [t for t in row["objects"] if t["cls"] == "card_face" and t.get("rank")]
        if row["split"] != split or not things:
            continue
        labelled += len(things)
        out += _outlined(read_picture(folder / "images" / row["image"]), things, source)
    return out, labelled


def _outlined(image: Image, things: list[dict[str, Any]], source: str) -> Iterator[RealCard]:
    """The cards of one photograph whose outline is found."""
    field = gradients(image)
    height, width = image.shape[:2]
    for thing in things:
        x0, y0, x1, y1 = thing["box"]
        if min(x0, y0, width - x1, height - y1) < BORDER_PX:
            continue
        fit = fit_card(field, np.array(thing["box"], np.float64))
        if fit.accepted:
            yield RealCard(image, fit.quad, thing["rank"], thing.get("suit"), source)


def outlined_backs(data: Path) -> Iterator[tuple[str, Image, NDArray[np.float64]]]:
    """The face-down cards of `cards_backs` whose outline is found: photograph's name, photograph, corners (4, 2)."""
    folder = data / "real_train" / "cards_backs"
    for line in text_of(folder / "labels.jsonl").splitlines():
        row = json.loads(line)
        boxes = [thing["box"] for thing in row["objects"] if thing["cls"] == "card_back"]
        if not boxes:
            continue
        image = read_picture(folder / "images" / row["image"])
        field = gradients(image)
        for box in boxes:
            if min(box[0], box[1], row["width"] - box[2], row["height"] - box[3]) < BORDER_PX:
                continue
            fit = fit_card(field, np.array(box, np.float64))
            if fit.accepted and _short_px(fit.quad) >= LEAST_BACK_PX:
                yield row["image"], image, fit.quad
