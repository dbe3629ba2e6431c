"""A table for some still lifes: felt, light, decks, cover cards and people's looks; all of it from one seed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sample_videos.studio.art import Split, back_names, face_names, seeded_back
from sample_videos.studio.randomise import draw_spec
from sample_videos.studio.scene import DeckLook, SceneSpec, Vec3
from sample_videos.studio.stills.felts import FeltStyle, draw_style
from sample_videos.studio.stills.solids import shade
from sample_videos.studio.stills.still import Random

#: Seeds of the splits are disjoint by construction.
SPLIT_SALT = {"train": 3_000_017, "eval": 4_000_037}
BACK_COLOURS: tuple[Vec3, ...] = (
    (0.6, 0.08, 0.1), (0.08, 0.15, 0.5), (0.1, 0.1, 0.1), (0.05, 0.35, 0.18), (0.4, 0.12, 0.5), (0.8, 0.4, 0.08),
    (0.45, 0.28, 0.15), (0.1, 0.45, 0.5), (0.75, 0.6, 0.2), (0.75, 0.35, 0.5), (0.4, 0.4, 0.42),
)  # fmt: skip
COVER_COLOURS: tuple[Vec3, ...] = (
    (0.95, 0.80, 0.10), (0.80, 0.10, 0.12), (0.1, 0.5, 0.2), (0.1, 0.25, 0.7), (0.95, 0.5, 0.08), (0.06, 0.06, 0.07),
    (0.95, 0.95, 0.95), (0.9, 0.45, 0.6), (0.45, 0.15, 0.6), (0.55, 0.55, 0.57),
)  # fmt: skip
DECKS = 3


@dataclass(frozen=True, slots=True)
class Table:
    """What the pictures of one table have in common. The spec's camera and sensor are each picture's own."""

    spec: SceneSpec
    style: FeltStyle
    split: str


def draw_table(seed: int, split: str, *, seeded: bool = False) -> Table:
    """The table of a seed, with the decks of a split, 'train' or 'eval', and its backs: drawn by hand, or `seeded`."""
    rng = np.random.default_rng([SPLIT_SALT[split], seed])
    spec = draw_spec(rng, split, 1.0, seed=seed).spec
    felt = spec.felt_colour if rng.random() < 0.7 else tuple(float(v) for v in rng.uniform(0.03, 0.6, 3))
    spec = replace(
        spec,
        decks=tuple(_deck(rng, split, seeded) for _ in range(DECKS)),
        felt_colour=(felt[0], felt[1], felt[2]),
        felt_style=int(rng.integers(0, 6)),
        lights=spec.lights[: int(rng.integers(1, 4))],
        ambient=float(rng.uniform(0.3, 0.75)),
        cover_colours=tuple(_vec(shade(rng, colour, 0.15)) for colour in COVER_COLOURS),
    )
    return Table(spec, draw_style(rng), split)


def _deck(rng: Random, split: str, seeded: bool) -> DeckLook:
    names: Split = "train" if split == "train" else "eval"
    faces, backs = face_names(names), back_names(names)
    colour = shade(rng, BACK_COLOURS[int(rng.integers(len(BACK_COLOURS)))], 0.35)
    return DeckLook(
        faces=str(faces[int(rng.integers(len(faces)))]),
        back=seeded_back(rng, names) if seeded else str(backs[int(rng.integers(len(backs)))]),
        back_colour=_vec(colour),
        gloss=float(rng.uniform(0.05, 0.65)),
    )


def _vec(values: np.ndarray) -> Vec3:
    return float(values[0]), float(values[1]), float(values[2])
