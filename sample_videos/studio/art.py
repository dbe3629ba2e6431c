"""The library of card designs: faces by deck and card, backs by pattern, each for training or for evaluation only.

A design belongs to one side by its artist, so that a model is never measured on a hand that it has learned from.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from faults import Fault
from sample_videos.studio import decks, foreign_decks, many_backs

Split = Literal["train", "eval"]
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("C", "D", "H", "S")
TEXTURE_PX = (254, 356)  # width, height: 4 px a millimetre


class ArtFault(Fault):
    """A design that the library does not have."""


@dataclass(frozen=True, slots=True)
class Design:
    """One deck of faces: who drew it, which side it is on, and whether it must be fetched first."""

    name: str
    artist: str
    split: Split
    fetched: bool


DESIGNS: dict[str, Design] = {
    **{name: Design(name, "this project", "train", False) for name in decks.STYLES},
    **{
        name: Design(name, source.artist, "eval" if source.split == "eval" else "train", True)
        for name, source in foreign_decks.SOURCES.items()
    },
}


def face_names(split: Split, fetched: bool = True) -> tuple[str, ...]:
    """Names of the deck designs of one side; without `fetched` only those that need no download."""
    return tuple(d.name for d in DESIGNS.values() if d.split == split and (fetched or not d.fetched))


def back_names(split: Split) -> tuple[str, ...]:
    """Names of the back designs of one side."""
    return tuple(name for name in decks.BACK_PATTERNS if (name in EVAL_BACKS) == (split == "eval"))


EVAL_BACKS = ("waves", "checks")
#: Backs of `many_backs` are named by their seed.
SEEDED = "seeded-"


def seeded_back(rng: np.random.Generator, split: Split) -> str:
    """The name of one of the million backs of one side."""
    return f"{SEEDED}{many_backs.any_seed(rng, training=split == 'train')}"


@functools.lru_cache(maxsize=2048)
def face(deck: str, rank: str, suit: str) -> NDArray[np.uint8]:
    """The face (356, 254, 4) RGBA of a card, upright.

    Raises:
        ArtFault: for an unknown deck; FetchFault where a deck must be fetched and cannot.
    """
    if deck in decks.STYLES:
        return _opaque(decks.draw_face(decks.STYLES[deck], rank, suit))
    if deck not in foreign_decks.SOURCES:
        raise ArtFault(
            f"unknown deck design {deck!r}", where="the studio's card library", why="no design has this name",
            todo=f"Use one of {', '.join(DESIGNS)}.",
        )  # fmt: skip
    return _opaque(foreign_decks.faces(deck)[SUITS.index(suit) * len(RANKS) + RANKS.index(rank)])


@functools.lru_cache(maxsize=64)
def back(name: str, colour: tuple[float, float, float]) -> NDArray[np.uint8]:
    """The back (356, 254, 4) RGBA of a deck in `colour` (display RGB 0..1); a seeded one has its own colours."""
    if name.startswith(SEEDED):
        return _opaque(many_backs.draw_back(int(name.removeprefix(SEEDED))))
    return _opaque(decks.draw_back(name, colour))


def texture_sha256(deck: str) -> tuple[str, ...]:
    """SHA-256 of every face of a deck, in order of suit and rank."""
    return tuple(hashlib.sha256(face(deck, rank, suit).tobytes()).hexdigest() for suit in SUITS for rank in RANKS)


def _opaque(rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
    sized = rgb if rgb.shape[1::-1] == TEXTURE_PX else cv2.resize(rgb, TEXTURE_PX, interpolation=cv2.INTER_AREA)
    return np.dstack([sized, np.full(sized.shape[:2], 255, np.uint8)])
