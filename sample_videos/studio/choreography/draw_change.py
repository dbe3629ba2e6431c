"""A seed to a shoe change: which variant happens, at which depths, with which players, in which manner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from sample_videos.studio.choreography.change_plan import ChangePlan, Cut, Offer
from sample_videos.studio.choreography.offering import Manner
from sample_videos.studio.choreography.ribbon import Ribbon
from sample_videos.studio.choreography.seats import WAYS
from sample_videos.studio.choreography.shuffling import Shuffle

LEAST_DEPTH, LEAST_BELOW = 10, 14  # 629a.5(c) and (d), written here by hand, apart from the rules that judge them
FINE_MM_PER_PX = 0.55  # finer than this the camera sees a small part of the table, and the dealer keeps to it


@dataclass(frozen=True, slots=True)
class Frame:
    """What a variant is drawn for: the kind of scene, the layout's seats, and whether the view is a close one."""

    kind: str
    seats: tuple[int, ...]
    close: bool


Change = Callable[[np.random.Generator, ChangePlan], dict[str, Any]]


def draw_change(rng: np.random.Generator, variant: str, frame: Frame) -> ChangePlan:
    """A shoe change of that variant, or of several that do not touch each other, as "wrong_first+no_second".

    Raises:
        ValueError: they do touch each other.
    """
    fewest = 3 if set(variant.split("+")) & {"skipped_seat", "wrong_way", "recut_other"} else 2
    plan = _base(rng, variant, frame, fewest)
    changed: set[str] = set()
    for part in variant.split("+"):
        change = CHANGES[part](rng, plan) if part in CHANGES else {}
        if changed & set(change):
            raise ValueError(f"the parts of {variant!r} both change the {', '.join(sorted(changed & set(change)))}")
        changed |= set(change)
        plan = replace(plan, **change)
    return plan


def _base(rng: np.random.Generator, variant: str, frame: Frame, fewest: int) -> ChangePlan:
    decks = int(rng.choice([8, 6], p=[0.65, 0.35]))
    count = int(rng.integers(fewest, min(len(frame.seats), 5) + 1))
    occupied = tuple(f"seat:{n}" for n in sorted(rng.choice(frame.seats, count, replace=False).tolist()))
    order = clockwise(occupied)
    refused = int(rng.choice([0, 1, 2], p=[0.55, 0.3, 0.15]))
    refused = min(refused, len(order) - (2 if "recut" in variant else 1))
    actor = order[refused]
    cards = decks * 52
    return ChangePlan(
        variant,
        frame.kind,
        decks,
        occupied,
        draw_shuffle(rng, frame.kind),
        offers=offers_until(rng, order, refused),
        manner=draw_manner(rng, frame.close),
        cut=draw_cut(rng, actor, cards, draw_depth(rng, cards)),
        second=draw_ribbon(rng, int(rng.integers(LEAST_BELOW, 26))),
        cover_side=int(rng.choice([-1, 1])),
        cover_near=frame.close,
    )


def clockwise(occupied: tuple[str, ...]) -> tuple[str, ...]:
    """The seats in the order in which the stack is offered: the highest number first, then clockwise."""
    return tuple(sorted(occupied, key=lambda seat: -int(seat[5:])))


def offers_until(
    rng: np.random.Generator, order: tuple[str, ...], refused: int, *, nobody: bool = False
) -> tuple[Offer, ...]:
    """`refused` offers that are declined and, unless `nobody` accepts, one that is accepted."""
    offers = [Offer(seat, str(rng.choice(WAYS))) for seat in order[:refused]]
    return tuple(offers if nobody else [*offers, Offer(order[refused])])


def draw_depth(rng: np.random.Generator, cards: int) -> tuple[int, str]:
    """A depth that the section allows, and from which end: often near the limit, sometimes anywhere."""
    depth = int(rng.integers(LEAST_DEPTH, 61)) if rng.random() < 0.65 else int(rng.integers(61, cards // 2))
    return depth, str(rng.choice(["top", "bottom"], p=[0.65, 0.35]))


def draw_cut(rng: np.random.Generator, actor: str, cards: int, at: tuple[int, str]) -> Cut:
    """A cut at a depth from an end, in that person's manner."""
    depth, end = at
    below = cards - depth if end == "top" else depth
    return Cut(
        actor,
        below,
        reseat_from=int(rng.integers(cards // 4, cards * 3 // 4)) if rng.random() < 0.12 else None,
        up_mm=float(rng.uniform(6, 22)),
        out_mm=float(rng.uniform(10, 34) * rng.choice([-1, 1])),
        lean=float(rng.normal(0, 0.03)),
        gap_mm=float(rng.uniform(0.6, 1.8)),
        dwell_s=float(rng.uniform(0.2, 0.9)),
    )


def draw_ribbon(rng: np.random.Generator, below: int) -> Ribbon:
    """A ribbon with the second cover card `below` cards from the bottom."""
    return Ribbon(
        below,
        cards=int(rng.integers(27, 34)),
        pitch_mm=float(rng.uniform(7.5, 12.5)),
        to_right=bool(rng.random() < 0.5),
        far=bool(rng.random() < 0.25),  # reaching over the stack is the rarer way
        out_mm=float(rng.uniform(16, 34)),
        count_s=float(rng.uniform(0.1, 0.2)),
        uneven=float(rng.uniform(0.03, 0.18)),
    )


def draw_manner(rng: np.random.Generator, close: bool) -> Manner:
    """How this dealer offers; where the view is close, the stack stays in it."""
    return Manner(
        push_mm=float(rng.uniform(35, 60) if close else rng.uniform(80, 210)),
        turn=float(rng.uniform(0, 0.5)),
        dwell_s=float(rng.uniform(0.3, 0.9)),
        hands_stay=bool(rng.random() < 0.25),
        one_hand=bool(rng.random() < 0.25),
    )


def draw_shuffle(rng: np.random.Generator, kind: str) -> Shuffle:
    """A shuffle of two to four riffles whose stack stays laced over its whole length."""
    rounds = int(rng.choice([1, 2], p=[0.4, 0.6]))
    return Shuffle(
        rounds=rounds,
        strip=bool(rng.random() < 0.6),
        twice=bool(rng.random() < 0.4) and rounds == 1,
        wash=bool(rng.random() < 0.25),
        halves=kind == "shuffle_end" or bool(rng.random() < 0.65),
        lace_mm=float(rng.uniform(7, 26)),
        look_s=float(rng.uniform(1.6, 3.0)),
    )


# -- what each variant makes different from the change done right -----------------------------------------------------


def _shallow(rng: np.random.Generator, plan: ChangePlan) -> dict[str, Any]:
    assert plan.cut is not None
    at = int(rng.integers(3, LEAST_DEPTH)), str(rng.choice(["top", "bottom"]))
    return {"cut": replace(draw_cut(rng, plan.cut.actor, plan.cards, at), reseat_from=None)}


def _all_refuse(rng: np.random.Generator, plan: ChangePlan) -> dict[str, Any]:
    order = clockwise(plan.occupied)
    cut = draw_cut(rng, "dealer", plan.cards, draw_depth(rng, plan.cards))
    return {"offers": offers_until(rng, order, len(order), nobody=True), "cut": cut}


def _other_order(rng: np.random.Generator, plan: ChangePlan, order: tuple[str, ...], refused: int) -> dict[str, Any]:
    assert plan.cut is not None
    return {"offers": offers_until(rng, order, refused), "cut": replace(plan.cut, actor=order[refused])}


def _wrong_first(rng: np.random.Generator, plan: ChangePlan) -> dict[str, Any]:
    order = clockwise(plan.occupied)[1:]
    return _other_order(rng, plan, order, int(rng.integers(0, min(2, len(order)))))


def _skipped(rng: np.random.Generator, plan: ChangePlan) -> dict[str, Any]:
    order = clockwise(plan.occupied)
    return _other_order(rng, plan, (order[0], *order[2:]), 1)


def _wrong_way(rng: np.random.Generator, plan: ChangePlan) -> dict[str, Any]:
    order = clockwise(plan.occupied)
    return _other_order(rng, plan, (order[0], *reversed(order[1:])), 1)


def _of_cut(**changes: Any) -> Change:
    def change(rng: np.random.Generator, plan: ChangePlan) -> dict[str, Any]:
        assert plan.cut is not None
        return {"cut": replace(plan.cut, **changes)}

    return change


def _part_left(rng: np.random.Generator, plan: ChangePlan) -> dict[str, Any]:
    assert plan.cut is not None
    depth = int(rng.integers(60, 180))
    cut = draw_cut(rng, plan.cut.actor, plan.cards, (depth, "top"))
    return {"cut": replace(cut, move="part_left", left_behind=int(rng.integers(15, depth - 20)))}


def _by_hand(rng: np.random.Generator, plan: ChangePlan) -> dict[str, Any]:
    assert plan.cut is not None
    depth = int(rng.integers(40, 200))
    return {"cut": replace(plan.cut, by_hand=True, reseat_from=None, cards_below=plan.cards - depth)}


def _second(low: int, high: int) -> Change:
    def change(rng: np.random.Generator, plan: ChangePlan) -> dict[str, Any]:
        return {"second": draw_ribbon(rng, int(rng.integers(low, high)))}

    return change


def _second_first(rng: np.random.Generator, plan: ChangePlan) -> dict[str, Any]:
    """The cut is from the top, and deep enough that the second cover card is not in the packet."""
    assert plan.cut is not None
    depth = int(rng.integers(40, plan.cards // 2))
    cut = replace(draw_cut(rng, plan.cut.actor, plan.cards, (depth, "top")), reseat_from=None)
    return {"second_first": True, "cut": cut}


def _laced(rng: np.random.Generator, plan: ChangePlan, laced: tuple[tuple[float, float], ...]) -> dict[str, Any]:
    return {"shuffle": replace(draw_shuffle(rng, plan.kind), laced=laced)}


def _half(rng: np.random.Generator, plan: ChangePlan) -> dict[str, Any]:
    share = float(rng.uniform(0.35, 0.65))
    return _laced(rng, plan, ((0.0, share),) if rng.random() < 0.5 else ((1 - share, 1.0),))


def _slug(rng: np.random.Generator, plan: ChangePlan) -> dict[str, Any]:
    return {"shuffle": replace(draw_shuffle(rng, plan.kind), wash=False, slug_cards=int(rng.integers(40, 61)))}


def _recut(by: str) -> Change:
    def change(rng: np.random.Generator, plan: ChangePlan) -> dict[str, Any]:
        assert plan.cut is not None
        order = clockwise(plan.occupied)
        first = order.index(plan.cut.actor)
        following = order[first + 1 :]
        if by == "none":
            return {"recut_ordered": True}
        actor = {"next": following[0] if following else "dealer", "same": plan.cut.actor, "other": "dealer"}[by]
        offers = () if actor == "dealer" else (Offer(actor),)
        cut = replace(draw_cut(rng, actor, plan.cards, draw_depth(rng, plan.cards)), reseat_from=None)
        return {"recut_ordered": True, "recut_offers": offers, "recut": cut}

    return change


CHANGES: dict[str, Change] = {
    "half_feathered": _half,
    "squared": lambda rng, plan: _laced(rng, plan, ()),
    "slug": _slug,
    "no_shuffle": lambda rng, plan: {"shuffle": None},
    "preshuffled": lambda rng, plan: {"shuffle": None, "preshuffled": True},
    "device_ran": lambda rng, plan: {"shuffle": None, "device": "ran"},
    "device_never_started": lambda rng, plan: {"shuffle": None, "device": "never_started"},
    "never_offered": lambda rng, plan: _all_refuse(rng, plan) | {"offers": ()},
    "backs_to_dealer": lambda rng, plan: {"backs_away": False},
    "wrong_first": _wrong_first,
    "skipped_seat": _skipped,
    "wrong_way": _wrong_way,
    "all_refuse": _all_refuse,
    "nobody_cuts": lambda rng, plan: _all_refuse(rng, plan) | {"cut": None},
    "no_players": lambda rng, plan: _all_refuse(rng, plan) | {"offers": (), "occupied": ()},
    "by_hand": _by_hand,
    "shallow": _shallow,
    "cover_left": _of_cut(move="cover_left"),
    "part_left": _part_left,
    "below_moved": _of_cut(move="below"),
    "not_moved": _of_cut(move="none"),
    "second_shallow": _second(6, LEAST_BELOW),
    "no_second": lambda rng, plan: {"second": None},
    "second_first": _second_first,
    "second_by_hand": lambda rng, plan: {"second_by_hand": True},
    "hidden_arm": lambda rng, plan: {"hidden": "arm", "hidden_s": float(rng.uniform(2.0, 3.4))},
    "hidden_leaves": lambda rng, plan: {"hidden": "leaves", "hidden_s": float(rng.uniform(1.2, 2.6))},
    "recut_next": _recut("next"),
    "recut_same": _recut("same"),
    "recut_other": _recut("other"),
    "recut_none": _recut("none"),
}

#: Which variants can be seen in which kind of scene; the first is the change done right.
CHANGE_VARIANTS: dict[str, tuple[str, ...]] = {
    "shuffle_end": ("in_order", "half_feathered", "squared"),
    "cut": (
        "in_order", "shallow", "backs_to_dealer", "wrong_first", "skipped_seat", "wrong_way", "all_refuse",
        "never_offered", "no_players", "by_hand", "cover_left", "part_left", "below_moved",
    ),
    "second_cover": ("in_order", "second_shallow", "second_first", "second_by_hand", "cover_left", "part_left"),
    "load": ("in_order", "hidden_arm", "hidden_leaves"),
    "shoe_change": ("in_order", *CHANGES),
}  # fmt: skip
