"""How things look: colours, makes and sizes drawn from a generator of random numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from sample_videos.second.decks import RANKS, SUITS, element
from sample_videos.second.things import CARD_MM

#: How often each deck lies on the table: the ones most like a casino's most often.
OFTEN = ("standard",) * 3 + ("nicu", "penguins", "jolly") * 2 + ("oxygen",)
BACKS = ("lattice", "dots", "rings", "waves", "emblem", "stripes", "rosette", "plain")
INKS = ("#a3161d", "#15357e", "#1c1c1c", "#0f6b3c", "#5b1d6e", "#c9861a", "#7c2436", "#1b6c86", "#4a4a52", "#b8451f")
COVERS = ("#d8b80c", "#c81e1e", "#1b9e3f", "#2456c8", "#f0f0ea", "#e2701a", "#141414", "#c6258f", "#25b0a8", "#7a7a80")
SKINS = ("#f1c9a8", "#e0ac85", "#c68a60", "#9c6440", "#6f4328", "#4a2c1a", "#f4d6c2", "#d79f78")
SLEEVES = ("#101014", "#f2f2ee", "#1c2540", "#5a0f18", "#2e2e33", "#7a7f88", "#173a2c", "#c9c2b0", "#8a2f1f", "#31507a")
CHIPS = (
    ("#f4f4f0", "#2b4c9b", "1"),
    ("#c81f25", "#f4f4f0", "5"),
    ("#1c7a3d", "#f4e9c4", "25"),
    ("#151515", "#e0b93a", "100"),
    ("#5f2a86", "#f2d24a", "500"),
    ("#e08a1e", "#20202a", "1k"),
    ("#d988a8", "#4a1030", "2.5"),
    ("#2f6fb5", "#f4f4f0", "10"),
)
PLASTICS = ("#0d0d0f", "#161a20", "#3b0d10", "#1b2b20", "#4b4b4f", "#c9c4b8")
CLUTTER = (
    "phone",
    "glass",
    "cup",
    "bottle",
    "paper",
    "receipt",
    "note",
    "business",
    "club",
    "ashtray",
    "pen",
    "coins",
    "paddle",
    "keys",
    "note",
    "paper",
    "business",
)


def pick(random: Generator, values: Any) -> Any:
    """One of the values."""
    return values[int(random.integers(len(values)))]


def seed(random: Generator) -> int:
    """A seed for the page."""
    return int(random.integers(1 << 30))


def back(random: Generator) -> dict[str, Any]:
    """A card's back."""
    ink = pick(random, INKS)
    light = pick(random, ("#ffffff", "#f2e2b0", "#e9eef6", "#d7b04a"))
    border = pick(random, (0, 8, 12, 18, 24))
    return {"style": pick(random, BACKS), "ink": ink, "light": light, "border": border, "seed": seed(random)}


@dataclass(frozen=True, slots=True)
class Pack:
    """One table's cards: deck of faces, back, paper, gloss, measures."""

    deck: str
    back: dict[str, Any]
    tint: str
    gloss: float
    size: tuple[float, float]

    def card(self, rank: str, suit: str, bend: float = 0.0) -> dict[str, Any]:
        """The looks of a card."""
        front = {"face": f"{self.deck}/{element(rank, suit)}", "tint": self.tint}
        looks = {"size": self.size, "front": front, "rear": {"back": self.back}, "gloss": self.gloss, "bend": bend}
        return looks | {"rank": rank, "suit": suit}

    def any_card(self, random: Generator) -> dict[str, Any]:
        """The looks of some card."""
        return self.card(pick(random, RANKS), pick(random, SUITS), float(random.choice([0, 0, 1.5, -1.5])))

    def stack(self, random: Generator, cards: int, *, edge: bool, feather: float, loose: float) -> dict[str, Any]:
        """The looks of a stack."""
        lean = (random.normal(0, 0.03, 2) * (0.2 if edge else 1)).tolist()
        face = f"{self.deck}/{element(pick(random, RANKS), pick(random, SUITS))}" if random.random() < 0.08 else None
        looks: dict[str, Any] = {"cards": cards, "size": self.size, "back": self.back, "tint": self.tint}
        looks |= {"loose": loose, "feather": feather, "lean": lean, "edge": edge, "seed": seed(random)}
        return looks | ({"face": face} if face else {})


def pack(random: Generator, deck: str | None = None) -> Pack:
    """A table's cards."""
    width = CARD_MM[0] if random.random() < 0.8 else 57.0
    tint = pick(random, ("#ffffff", "#fbf8ef", "#f3f3f6", "#f6efdf"))
    gloss = 0.25 + 0.4 * float(random.random())
    return Pack(deck or pick(random, OFTEN), back(random), tint, gloss, (width, CARD_MM[1]))


def cover(random: Generator, size: tuple[float, float]) -> dict[str, Any]:
    """A cover card: a little larger than the others, of one colour."""
    colour = {"colour": pick(random, COVERS)}
    larger = float(random.choice([0.0, 1.0, 3.0]))
    return {"size": (size[0] + larger, size[1] + larger), "front": colour, "rear": colour, "gloss": 0.6, "bend": 0.0}


def shoe(random: Generator, table_back: dict[str, Any]) -> dict[str, Any]:
    """A dealing shoe."""
    return {
        "length": float(random.uniform(250, 370)),
        "width": float(random.uniform(94, 116)),
        "height": float(random.uniform(78, 120)),
        "nose": float(random.uniform(80, 120)),
        "make": pick(random, ("solid", "solid", "smoke", "wood")),
        "colour": pick(random, (*PLASTICS, "#5b3a1e", "#7a1018", "#15305c")),
        "trim": pick(random, ("#0a0a0a", "#1d1d22", "#b9a15a", "#3a3a40")),
        "label": pick(random, ("", "8 DECKS", "TABLE 12", "BAC 3")),
        "flip": float(random.choice([0.0, np.pi])),
        "back": table_back,
    }


def shuffler(random: Generator, table_back: dict[str, Any]) -> dict[str, Any]:
    """A shuffling machine."""
    return {
        "length": float(random.uniform(250, 330)),
        "width": float(random.uniform(170, 230)),
        "height": float(random.uniform(90, 150)),
        "colour": pick(random, PLASTICS),
        "trim": pick(random, ("#26262b", "#8d8d92", "#0c0c0d")),
        "screen": pick(random, ("#53d1ff", "#7dff8a", "#ffb545")),
        "back": table_back if random.random() < 0.4 else None,
    }


def discard(random: Generator) -> dict[str, Any]:
    """A discard bucket, box, rack, or a box with a slot."""
    make = pick(random, ("round", "box", "box", "rack", "rack", "slot"))
    sizes = {
        "round": (random.uniform(120, 160),) * 2 + (random.uniform(80, 140),),
        "box": (random.uniform(105, 150), random.uniform(115, 165), random.uniform(50, 120)),
        "rack": (random.uniform(72, 84), random.uniform(96, 110), random.uniform(70, 130)),
        "slot": (random.uniform(100, 125), random.uniform(120, 150), random.uniform(70, 110)),
    }
    see = bool(make in ("box", "rack") and random.random() < 0.5)
    colour = pick(random, ("#c01820", "#dfe6ea", "#1f1f24", "#d07018")) if see else pick(random, (*PLASTICS, "#8c1218"))
    return {"make": make, "size": [float(v) for v in sizes[make]], "colour": colour, "see": see}


def chips(random: Generator, count: int, *, lying: bool = False) -> dict[str, Any]:
    """A stack of chips of one colour."""
    colour, spot, worth = pick(random, CHIPS)
    looks = {"colour": colour, "spot": spot, "worth": worth, "spots": int(random.choice([4, 6, 8])), "count": count}
    return looks | {
        "middle": pick(random, ("#f6f2e6", "#e8dcb0", "#ffffff")),
        "thick": 3.3,
        "lying": lying,
        "seed": seed(random),
    }


def die(random: Generator) -> dict[str, Any]:
    """A die; `pips` are up."""
    colour, ink, clear = pick(
        random,
        (("#b5121b", "#fff", True), ("#f6f4ee", "#111", False), ("#1c3f9c", "#fff", True), ("#0f7a44", "#fff", True)),
    )
    edge = float(random.choice([16.0, 19.0, 19.0, 25.0]))
    looks = {"edge": edge, "colour": colour, "ink": ink, "clear": clear, "round": float(random.choice([0.04, 0.14]))}
    return looks | {"pips": int(random.integers(1, 7))}


def hand(random: Generator, side: str, *, dealer: bool) -> dict[str, Any]:
    """A hand, its sleeve and what it wears."""
    sleeve = pick(random, SLEEVES[:6] if dealer else SLEEVES)
    cuff = pick(random, ("#f4f4f0", sleeve, "#f4f4f0") if dealer else (sleeve,))
    watch = pick(random, ("#b9b9bd", "#c8a24a", "#111114")) if not dealer and random.random() < 0.3 else None
    looks = {"side": side, "skin": pick(random, SKINS), "sleeve": sleeve, "cuff": cuff, "watch": watch}
    rolled = bool(not dealer and random.random() < 0.3)
    return looks | {"folds": float(random.uniform(0.5, 2.2)), "rolled": rolled, "seed": seed(random), "scale": 1.0}


def person(random: Generator, cloth: str | None = None) -> dict[str, Any]:
    """Somebody at the table."""
    hair = pick(random, ("#120e0b", "#3b2415", "#7d5a2c", "#b9b4ac", "#1d1d1f"))
    looks = {"skin": pick(random, SKINS), "hair": hair, "cloth": cloth or pick(random, SLEEVES)}
    return looks | {"bald": bool(random.random() < 0.15)}


def light(random: Generator) -> dict[str, Any]:
    """The room's light: an environment of another place, and two lamps over the table."""
    skies = ("apartment", "hall", "lobby")
    warm = pick(random, ("#ffffff", "#fff1d6", "#ffe2b8", "#eaf2ff", "#ffd9a0"))
    lamps = []
    for index in range(2):
        at = [float(random.uniform(-1200, 1200)), float(random.uniform(-500, 1300)), float(random.uniform(1700, 2900))]
        to = [float(random.uniform(-300, 300)), float(random.uniform(100, 600)), 0.0]
        lamp = {"at": at, "to": to, "colour": warm, "strength": float(random.uniform(0.7, 1.5)), "angle": 36.0}
        lamps.append(lamp | {"shadow": index == 0, "soft": float(random.uniform(1.5, 5))})
    exposure = float(random.uniform(0.7, 0.95))
    return {
        "hemisphere": [warm, "#4a4038"],
        "sky": pick(random, skies),
        "sky_strength": float(random.uniform(0.25, 0.8)),
        "sky_turn": float(random.uniform(0, 6.28)),
        "lamps": lamps,
        "exposure": exposure,
    }
