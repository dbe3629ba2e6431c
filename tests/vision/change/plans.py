"""Shoe changes of all kinds for a seed, to try the recognisers on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sample_videos.studio.choreography.change_plan import ChangePlan, Cut, Offer
from sample_videos.studio.choreography.offering import Manner
from sample_videos.studio.choreography.plan import Plan
from sample_videos.studio.choreography.ribbon import Ribbon
from sample_videos.studio.choreography.seats import WAYS
from sample_videos.studio.choreography.shoe_change import ShoeChange
from sample_videos.studio.choreography.shuffling import Shuffle
from sample_videos.studio.randomise import Setting, draw_spec

KINDS = ("shoe_change", "cut", "shoe_change", "second_cover", "shoe_change", "load", "shuffle_end", "cut")


def draw_change(seed: int) -> tuple[Setting, ChangePlan, ShoeChange]:
    """The scene of a seed: its setting, its plan, and what happens."""
    rng = np.random.default_rng(9_000_000 + seed)
    setting = draw_spec(rng, "train", float(rng.choice([0.42, 0.73, 1.46])), seed=seed)
    seats = [f"seat:{n}" for n in setting.spec.seats]
    plan = _plan(rng, KINDS[seed % len(KINDS)], seats)
    burn = Plan("right", "5", "S", 2, burn=plan.kind == "shoe_change", play=False)
    return setting, plan, ShoeChange(plan, burn, setting.equipment, setting.zones, rng, setting.mirrored)


def _plan(rng: np.random.Generator, kind: str, seats: list[str]) -> ChangePlan:
    count = int(rng.integers(1, min(5, len(seats)) + 1))
    occupied = tuple(sorted(rng.choice(seats, count, replace=False).tolist(), key=lambda s: int(s[5:])))
    refused = int(rng.integers(0, count + 1)) if rng.random() < 0.5 else 0
    order = list(reversed(occupied))
    offers = [Offer(s, str(rng.choice(WAYS))) for s in order[:refused]]
    actor = "dealer"
    if refused < count:
        offers.append(Offer(order[refused]))
        actor = order[refused]
    decks = 6 if rng.random() < 0.3 else 8
    plan = ChangePlan(
        "drawn",
        kind=kind,
        decks=decks,
        occupied=occupied,
        shuffle=_shuffle(rng),
        offers=tuple(offers),
        manner=_manner(rng),
        cut=_cut(rng, actor, decks * 52),
        second=_ribbon(rng),
        second_by_hand=rng.random() < 0.25,
        second_first=rng.random() < 0.08,
        hidden=str(rng.choice(["arm", "leaves"])) if rng.random() < 0.15 else None,
        cover_side=int(rng.choice([-1, 1])),
    )
    if rng.random() < 0.12 and kind == "shoe_change" and count > refused + 1 and not plan.second_first:
        seat = order[refused + 1]
        recut = replace(_cut(rng, seat, decks * 52), by_hand=False, move="packet", left_behind=0)
        first = replace(plan.cut or recut, by_hand=False, move="packet", left_behind=0)
        plan = replace(plan, cut=first, recut_ordered=True, recut_offers=(Offer(seat),), recut=recut)
    if rng.random() < 0.06:
        plan = replace(plan, second=None)
    return plan


def _shuffle(rng: np.random.Generator) -> Shuffle | None:
    if rng.random() < 0.1:
        return None
    part = float(rng.uniform(0.3, 0.7))
    laced = ((0.0, 1.0),) if rng.random() < 0.6 else ((0.0, part),) if rng.random() < 0.7 else ()
    return Shuffle(
        rounds=int(rng.integers(1, 3)),
        strip=rng.random() < 0.7,
        twice=rng.random() < 0.3,
        wash=rng.random() < 0.3,
        halves=rng.random() < 0.75,
        laced=laced,
        lace_mm=float(rng.uniform(8, 18)),
        slug_cards=int(rng.choice([0, 0, 0, 0, 50])),
    )


def _manner(rng: np.random.Generator) -> Manner:
    return Manner(
        push_mm=float(rng.uniform(95, 150)),
        turn=float(rng.uniform(0, 0.9)),
        dwell_s=float(rng.uniform(0.4, 1.2)),
        hands_stay=rng.random() < 0.3,
        one_hand=rng.random() < 0.25,
    )


def _cut(rng: np.random.Generator, actor: str, cards: int) -> Cut:
    below = int(rng.integers(60, cards - 60)) if rng.random() < 0.6 else int(rng.integers(4, 60))
    if below < 60 and rng.random() < 0.6:
        below = cards - below
    by_hand = actor != "dealer" and rng.random() < 0.08
    move = str(rng.choice(["packet", "packet", "packet", "packet", "packet", "packet", "cover_left", "below", "none"]))
    return Cut(
        actor,
        below,
        by_hand=by_hand,
        reseat_from=int(rng.integers(60, cards - 60)) if rng.random() < 0.1 else None,
        move=move,
        left_behind=int(rng.integers(8, 40)) if cards - below > 60 and rng.random() < 0.1 else 0,
        out_mm=float(rng.choice([-1, 1]) * rng.uniform(16, 30)),
        dwell_s=float(rng.uniform(0.3, 0.9)),
    )


def _ribbon(rng: np.random.Generator) -> Ribbon:
    return Ribbon(
        int(rng.integers(6, 26)),
        cards=int(rng.integers(27, 34)),
        pitch_mm=float(rng.uniform(7.5, 11)),
        to_right=rng.random() < 0.5,
        far=rng.random() < 0.6,
        out_mm=float(rng.uniform(18, 30)),
    )
