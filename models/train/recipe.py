"""The one recipe by which the shipped models were trained: seeds, lengths, shares."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of the detector: its steps, its learning rate, and the share of each set of samples."""

    name: str
    steps: int
    rate: float
    shares: dict[str, float]
    seed: int


@dataclass(frozen=True, slots=True)
class Blend:
    """Two stages' weights averaged: `share` of the second, the rest of the first. Nothing is trained.

    What lies between two networks, one of which learned on from the other, mostly keeps what each of them can:
    Wortsman et al., Robust fine-tuning of zero-shot models, 2022.
    """

    name: str
    first: str
    second: str
    share: float


@dataclass(frozen=True, slots=True)
class Course:
    """How long and how fast the reader learns: the rate falls to `last` of itself, weights decay by `decay`."""

    epochs: int
    rate: float
    seed: int
    decay: float = 0.01
    last: float = 0.01


#: First cards alone, from photographs; then everything, most of it from the studio.
PHOTOGRAPHS = Stage("photographs", steps=560, rate=1.5e-3, shares={"cards": 0.80, "backs": 0.07, "dice": 0.13}, seed=1)
TABLE = Stage(
    "table", steps=1000, rate=1.2e-3, shares={"studio": 0.70, "cards": 0.24, "backs": 0.03, "dice": 0.03}, seed=2
)
#: Then the things of a shoe change as well: stacks, cover cards, players' hands, the whole table.
CHANGE = Stage(
    "change",
    steps=520,
    rate=7e-4,
    shares={"studio": 0.38, "change": 0.38, "cards": 0.19, "backs": 0.03, "dice": 0.02},
    seed=4,
)
#: Once more, with more scenes of the shoe change, and pairs of cards labelled as the wholes they look like.
WHOLE = Stage(
    "whole",
    steps=900,
    rate=6e-4,
    shares={"studio": 0.34, "change": 0.44, "cards": 0.17, "backs": 0.03, "dice": 0.02},
    seed=5,
)
#: Then still lifes: cards washed, fanned and spread, and the things that nothing had taught: shufflers, shakers, dice,
#: lamps, people.
STILLS = Stage(
    "stills",
    steps=800,
    rate=3e-4,
    shares={"still": 0.30, "change": 0.22, "studio": 0.18, "cards": 0.22, "backs": 0.05, "dice": 0.03},
    seed=6,
)
#: Longer, and most of it from them: what is unlike the studio's table had hardly been learnt.
STILLS_ON = Stage(
    "stills_on",
    steps=1500,
    rate=5e-4,
    shares={"still": 0.42, "change": 0.17, "studio": 0.13, "cards": 0.20, "backs": 0.05, "dice": 0.03},
    seed=7,
)
#: Both had learned stacks that from above look like one card as stacks. Labelled as the card that they look like, once
#: more, with more of the shoe change, whose moving cards had come to be taken for stacks.
CARDS_ALONE = Stage(
    "cards_alone",
    steps=1400,
    rate=6e-4,
    shares={"still": 0.36, "change": 0.25, "studio": 0.17, "cards": 0.16, "backs": 0.03, "dice": 0.03},
    seed=8,
)
#: What the last three learned and what the shipped weights before them could, together.
BLENDED = Blend("blended", "whole", "cards_alone", 0.7)
#: Cards in fingers, tubs of any shape, and backs in any number; half of it the moving scenes, as photographs of motion.
DEALT = Stage(
    "dealt",
    steps=1500,
    rate=5e-4,
    shares={
        "still": 0.12, "seeded": 0.10, "deal": 0.17, "change": 0.22, "studio": 0.18, "cards": 0.14, "backs": 0.04,
        "dice": 0.03,
    },
    seed=9,
)  # fmt: skip
#: What it learned, without all of what it forgot of photographs.
DEALT_BLENDED = Blend("dealt_blended", "blended", "dealt", 0.5)
#: All of them, in order, and the last one that the shipped weights went through: those after it are trials.
STAGES: tuple[Stage | Blend, ...] = (
    PHOTOGRAPHS, TABLE, CHANGE, WHOLE, STILLS, STILLS_ON, CARDS_ALONE, BLENDED, DEALT, DEALT_BLENDED,
)  # fmt: skip
SHIPPED = WHOLE
TRIALS = STAGES[STAGES.index(SHIPPED) + 1 :]


def stages_up_to(name: str) -> tuple[Stage | Blend, ...]:
    """The stages that weights have gone through whose last stage was `name`."""
    names = [stage.name for stage in STAGES]
    return STAGES[: names.index(name) + 1]


#: What the moving scenes show and do not label: people, and now and then a shuffler with its lamp.
NOT_LABELLED = {"studio": ("shuffler", "lamp", "person"), "change": ("shuffler", "lamp", "person")}
#: Sets of still lifes: all that is in them is labelled.
STILL_SETS = ("still", "seeded", "deal")
#: Sources of photographs by the name of their set.
SETS = {"cards": ("cards_edje", "cards_poker4"), "backs": ("cards_backs",), "dice": ("dice",)}
#: Scenes of the studio, and the first seed; evaluation scenes use other seeds by the studio's own rule.
STUDIO_SCENES = 300
STUDIO_FIRST_SEED = 500_000
STUDIO_HELD_OUT = 24
#: The same of the shoe change.
CHANGE_SCENES = 341
CHANGE_FIRST_SEED = 600_000
CHANGE_HELD_OUT = 18
#: Still lifes: pictures for training, held out, and held out without any card; and their first seeds.
STILL_TRAIN, STILL_HELD_OUT, STILL_NEGATIVE = 4_500, 300, 500
STILL_FIRST_SEED, STILL_NEGATIVE_SEED = 700_000, 750_000
#: The same of cards being dealt, and of still lifes, with backs of `many_backs`.
DEAL_TRAIN, DEAL_HELD_OUT, DEAL_FIRST_SEED = 2_400, 300, 710_000
SEEDED_TRAIN, SEEDED_FIRST_SEED = 1_200, 720_000
#: Chunks of 500 crops.
CROPS_TRAIN, CROPS_VALID = 90, 8
#: The same of backs of `many_backs`.
BACKS_TRAIN, BACKS_VALID = 32, 6
READER = Course(epochs=10, rate=2e-3, seed=3)
#: Once more from there, with decks in many more hands of lettering.
READER_ON = Course(epochs=4, rate=1e-3, seed=6)
#: And once more, with backs in any number: it had taken a quarter of those that it did not know for faces.
READER_BACKS = Course(epochs=1, rate=8e-4, seed=11)
#: The reader's second look, at the corners alone; then with other cards' pips beside the index.
INDEX = Course(epochs=4, rate=2.5e-3, seed=8, decay=0.02, last=0.0)
INDEX_ON = Course(epochs=5, rate=1.5e-3, seed=9, decay=0.02, last=0.0)
