"""A seed to a plan: which variant happens in a scene, with which cards, in which style."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from sample_videos.studio.choreography.plan import BURN_VALUE, DISTRACTORS, FIRST_RESTS, Plan, Style

RANKS = tuple(BURN_VALUE)
SUITS = ("C", "D", "H", "S")
#: The least value that the first card must have for the variant to show.
LEAST_VALUE = {"short": 2, "short_zero": 10, "corrected_late": 2, "hidden_hand": 4, "lost_video": 7}
#: What only happens in some variants.
NEEDS = {
    "face_up": ("faceup",),
    "missed": ("missed_bucket", "corrected_missed"),
    "fixed_before_play": ("corrected_missed",),
    "pause_before": ("corrected_late",),
    "cover": ("hidden_hand",),
    "lost_s": ("lost_video",),
}


def draw_style(rng: np.random.Generator) -> Style:
    """One dealer's rhythm and habits."""
    quick = float(rng.uniform(0.45, 1.0))
    return Style(
        reach_s=0.24 * quick,
        draw_s=0.42 * quick,
        carry_s=0.5 * quick,
        pause_s=float(rng.uniform(0.0, 0.2)),
        lift_mm=float(rng.uniform(15, 70)),
        grip_mm=float(rng.uniform(10, 45)),
        first_rests=str(rng.choice(FIRST_RESTS)),
        two_hands=bool(rng.random() < 0.75),
        first_goes_last=bool(rng.random() < 0.6),
        show_s=float(rng.uniform(0.4, 1.1)),
        deal_face_up=bool(rng.random() < 0.15),
        dealt=int(rng.choice([2, 4], p=[0.75, 0.25])),
        overlap=bool(rng.random() < 0.6),
    )


def draw_plan(rng: np.random.Generator, variant: str, distractors: tuple[str, ...] = ()) -> Plan:
    """A plan of that variant; `distractors` are names of `plan.DISTRACTORS`."""
    plan = _base(rng, variant)
    return with_distractors(rng, plan, distractors)


def _base(rng: np.random.Generator, variant: str) -> Plan:
    ranks = [r for r in RANKS if BURN_VALUE[r] >= LEAST_VALUE.get(variant, 1)]
    often = np.array([0.5 if BURN_VALUE[r] == 10 else 1.0 for r in ranks])  # ten cards take long to burn
    rank = str(rng.choice(ranks, p=often / often.sum()))
    suit, load = str(rng.choice(SUITS)), bool(rng.random() < 0.35)
    value = BURN_VALUE[rank]
    plan = Plan(variant, rank, suit, value, load_shoe=load, style=draw_style(rng))
    return replace(plan, **CHANGES[variant](rng, value)) if variant in CHANGES else plan


Change = Callable[[np.random.Generator, int], dict[str, Any]]
#: What each variant makes different from the burn done right, given what the first card calls for.
CHANGES: dict[str, Change] = {
    "short": lambda rng, value: {"additional": value - int(rng.integers(1, min(4, value - 1) + 1))},
    "short_zero": lambda rng, value: {"additional": 0},
    "over": lambda rng, value: {"additional": value + int(rng.integers(1, 3))},
    "faceup": lambda rng, value: {"face_up": (int(rng.integers(value)),)},
    "missed_bucket": lambda rng, value: {"missed": (int(rng.integers(value)),)},
    "corrected_missed": lambda rng, value: {"missed": (int(rng.integers(value)),), "fixed_before_play": True},
    "corrected_late": lambda rng, value: {"pause_before": value - int(rng.integers(1, min(3, value - 1) + 1))},
    "not_exposed": lambda rng, value: {"expose": False, "additional": int(rng.integers(1, 7))},
    "no_burn": lambda rng, value: {"burn": False, "load_shoe": True, "additional": 0},
    "hidden_hand": lambda rng, value: {
        "cover": str(rng.choice(["discard", "shoe"], p=[0.75, 0.25])),
        "cover_s": float(rng.uniform(2.0, 3.2)),
    },
    "lost_video": lambda rng, value: {"lost_s": 5.0},
}


def misfit(plan: Plan) -> str | None:
    """Why a plan does not show what its variant's verdict table speaks of; None where it does."""
    cards, limit = plan.additional, plan.limit
    expected = {
        "short": 1 <= cards < limit,
        "short_zero": cards == 0 and limit == 10,
        "over": cards > limit,
        "not_exposed": cards >= 1 and not plan.expose,
        "no_burn": cards == 0 and not plan.burn,
    }
    if not expected.get(plan.variant, cards == limit):
        return f"{cards} additional cards on {plan.rank} are not {plan.variant!r}"
    for name, needed in NEEDS.items():
        if bool(getattr(plan, name)) != (plan.variant in needed):
            return f"{name} = {getattr(plan, name)!r} does not go with {plan.variant!r}"
    indices = (*plan.face_up, *plan.missed, plan.pause_before or 0)
    if cards and any(not 0 <= i < cards for i in indices):
        return f"only the additional cards 0 to {cards - 1} are there"
    return None


def with_distractors(rng: np.random.Generator, plan: Plan, names: tuple[str, ...]) -> Plan:
    """The plan with each named distractor put where it can happen."""
    unknown = set(names) - set(DISTRACTORS)
    if unknown:
        raise ValueError(f"no such distractor: {sorted(unknown)}")
    cards = plan.additional
    special = {*plan.face_up, *plan.missed}
    if "empty_trip" in names and plan.burn and cards:
        plan = replace(plan, empty_trip=int(rng.integers(cards)))
    if "chips_through_bucket" in names:
        plan = replace(plan, chips=True)
    if "resting_hand" in names:
        plan = replace(plan, resting_hand=True)
    free = [i for i in range(cards) if i not in special]
    if "dropped" in names and free:
        plan = replace(plan, dropped=int(rng.choice(free)))
    pairs = [i for i in free if i + 1 in free and i != plan.dropped and i + 1 not in (plan.dropped, plan.pause_before)]
    if "pair" in names and pairs:
        plan = replace(plan, pair=int(rng.choice(pairs)))
    return plan
