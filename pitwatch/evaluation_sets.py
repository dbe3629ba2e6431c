"""Which scenes an evaluation is made of: sets by name, each scene following from its number alone.

Scenes are of the split 'eval' (other decks, other backs, other seeds than training), at the set's scales in turn. The
`development` scenes of a set are others than the published ones; only they may be looked at while code is written.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sample_videos.studio.scenario import Scenario, scenario_from_seed

#: Variants of the burn in turn; the plain ones more often, as in life.
BURNS = (
    "right", "short", "over", "right", "faceup", "missed_bucket", "right", "not_exposed", "no_burn",
    "corrected_missed", "right", "short_zero", "hidden_hand", "right", "corrected_late", "lost_video",
)  # fmt: skip
#: Half of the cuts are at a depth that is allowed, most of those near the limit; a quarter are too shallow.
CUTS = (
    "in_order", "shallow", "in_order", "wrong_first", "in_order", "shallow", "in_order", "by_hand", "in_order",
    "shallow", "in_order", "backs_to_dealer", "all_refuse", "shallow", "in_order", "skipped_seat", "in_order",
    "cover_left", "in_order", "shallow", "wrong_way", "in_order", "part_left", "never_offered", "in_order",
    "shallow", "below_moved", "no_players",
)  # fmt: skip
SECONDS = ("in_order", "second_shallow", "in_order", "second_shallow", "in_order", "second_first", "second_shallow")
ENDS = ("in_order", "half_feathered", "in_order", "squared")
LOADS = ("in_order", "hidden_arm", "in_order", "hidden_leaves")
CHANGES = (
    "in_order", "no_second", "no_shuffle", "in_order", "shallow", "half_feathered", "wrong_first", "in_order",
    "recut_next", "preshuffled", "device_ran", "device_never_started", "cover_left", "second_shallow",
    "not_moved", "recut_none", "never_offered", "squared", "second_first", "recut_other", "by_hand",
    "all_refuse", "nobody_cuts", "recut_same",
)  # fmt: skip
DISTRACTORS = ("empty_trip", "chips_through_bucket", "pair", "dropped", "resting_hand")


@dataclass(frozen=True, slots=True)
class SceneSet:
    """A set of scenes: their kind, variants and scales in turn, how many there are, and the first seeds."""

    kind: str
    variants: tuple[str, ...]
    scales_mm_per_px: tuple[float, ...]
    count: int
    seed: int
    development_seed: int


FINE = (0.21, 0.42, 0.73, 1.46)
SETS: dict[str, SceneSet] = {
    "burns": SceneSet("burn", BURNS, (0.5, 0.9, 1.3), 300, 80_000, 10_000),
    "cuts": SceneSet("cut", CUTS, FINE, 300, 110_000, 11_000),
    "seconds": SceneSet("second_cover", SECONDS, FINE, 150, 120_000, 12_000),
    "ends": SceneSet("shuffle_end", ENDS, FINE, 150, 130_000, 13_000),
    "loads": SceneSet("load", LOADS, (0.73, 1.46), 40, 140_000, 14_000),
    "changes": SceneSet("shoe_change", CHANGES, (0.73, 1.1, 1.46), 24, 150_000, 15_000),
}


def scene(name: str, number: int, *, development: bool = False) -> Scenario:
    """Scene `number` of the set `name`."""
    of = SETS[name]
    seed = (of.development_seed if development else of.seed) + number
    scale = of.scales_mm_per_px[number % len(of.scales_mm_per_px)]
    variant = of.variants[(number // len(of.scales_mm_per_px)) % len(of.variants)]
    if of.kind != "burn":
        return scenario_from_seed(seed, "eval", scale, variant, kind=of.kind)
    rng = np.random.default_rng([seed, 5])
    distractors: tuple[str, ...] = ()
    if number % 2 == 1:
        chosen = rng.choice(DISTRACTORS, int(rng.integers(1, 3)), replace=False)
        distractors = tuple(str(name) for name in chosen)
    return scenario_from_seed(seed, "eval", scale, variant, distractors)
