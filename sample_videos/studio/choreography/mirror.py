"""The mirror image of a scene: the shoe on the other side, the dealer's other hand, the same procedure."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sample_videos.studio.scene import CardPose, ChipStack, HandPose, SceneState, StackPose, Vec3

OTHER = {"left": "right", "right": "left"}


def flip(point: Vec3) -> Vec3:
    """The point on the other side of the table's middle line."""
    return (-point[0], point[1], point[2])


def mirror_state(state: SceneState, top_seat: int) -> SceneState:
    """The state with left and right exchanged; the cards' faces stay readable, since only their poses are turned.

    Seats are counted from the dealer's right on every table, so a player at seat N sits at `top_seat` + 1 - N.
    """
    return replace(
        state,
        cards=tuple(_card(c) for c in state.cards),
        cover_cards=tuple(_card(c) for c in state.cover_cards),
        hands=tuple(_hand(h, top_seat) for h in state.hands),
        chips=tuple(ChipStack(flip(c.centre), c.count, c.colour) for c in state.chips),
        stacks=tuple(_stack(s) for s in state.stacks),
    )


def mirror_facts(facts: Mapping[str, Any], top_seat: int) -> dict[str, Any]:
    """An event's facts in the mirror: the other hand, and seats counted from the other end."""
    out = dict(facts)
    if "hand" in out:
        out["hand"] = OTHER.get(out["hand"], out["hand"])
    for name in ("zone", "seat", "actor"):
        if name in out:
            out[name] = mirror_seat(out[name], top_seat)
    return out


def _card(card: CardPose) -> CardPose:
    fan = (-card.fan_mm[0], card.fan_mm[1])
    return replace(card, centre=flip(card.centre), yaw=-card.yaw, roll=-card.roll, fan_mm=fan)


def mirror_seat(name: str, top_seat: int) -> str:
    """The name of a place or person in the mirror: seats are renumbered, all else stays."""
    kind, _, number = name.partition(":")
    return f"seat:{top_seat + 1 - int(number)}" if kind == "seat" else name


def _hand(hand: HandPose, top_seat: int) -> HandPose:
    return replace(
        hand,
        owner=mirror_seat(hand.owner, top_seat),
        side=OTHER[hand.side],
        wrist=flip(hand.wrist),
        elbow=flip(hand.elbow),
        yaw=-hand.yaw,
        roll=-hand.roll,
    )


def _stack(stack: StackPose) -> StackPose:
    # the normal of a stack that stands, and the long side of one that lies, are both right with this
    return replace(stack, centre=flip(stack.centre), yaw=math.pi - stack.yaw)
