"""The moving things of a state, made ready to draw, each with its id in the id picture."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sample_videos.studio import props
from sample_videos.studio.cards_gl import INSTANCE, Print, back_row, card_rows
from sample_videos.studio.hands import arm_mesh
from sample_videos.studio.meshes import Mesh, turn_z
from sample_videos.studio.scene import (
    CARD_THICKNESS_MM,
    ArmLook,
    CardPose,
    ChipStack,
    HandPose,
    SceneSpec,
    SceneState,
    StackPose,
    Vec3,
)

Things = frozenset[Hashable]
WAITING = "waiting"  # the card that shows in the shoe's exit
ORDER_LIFT_MM = 0.012  # cards at the very same height lie in the order given


@dataclass(frozen=True, slots=True)
class Drawn:
    """The moving things, ready to draw: one mesh a thing with its id, and the cards' instance rows."""

    meshes: tuple[tuple[int, Mesh], ...]
    cards: NDArray[np.void]

    @property
    def empty(self) -> bool:
        """True where there is nothing to draw."""
        return not self.meshes and not len(self.cards)


def resting(state: SceneState) -> Iterator[Hashable]:
    """All that may lie still: cards, cover cards, stacks, chips, players' hands, and the card waiting in the shoe."""
    yield from (("card", index, card) for index, card in enumerate(state.cards))
    yield from (("cover", card) for card in state.cover_cards)
    yield from state.stacks
    yield from (("chips", index, chips) for index, chips in enumerate(state.chips))
    yield from (hand for hand in state.hands if hand.owner != "dealer")
    if state.shoe_cards > 0:
        yield WAITING


def numbered(state: SceneState) -> dict[int, CardPose | StackPose | HandPose | ChipStack]:
    """Ids of a state's things: cards, cover cards, stacks, hands, chips, counting up from 1."""
    return dict(enumerate([*state.cards, *state.cover_cards, *state.stacks, *state.hands, *state.chips], 1))


def prepare(spec: SceneSpec, print_: Print, state: SceneState, wanted: Callable[[Hashable], bool]) -> Drawn:
    """What is `wanted` of a state (asked with the values that `resting` yields, and with the hands themselves)."""
    meshes: list[tuple[int, Mesh]] = []
    rows: list[NDArray[np.void]] = []
    thing = 0
    for index, card in enumerate(state.cards):
        thing += 1
        if wanted(("card", index, card)):
            rows.append(card_rows(print_, card, False, thing, ORDER_LIFT_MM * index))
    for card in state.cover_cards:
        thing += 1
        if wanted(("cover", card)):
            rows.append(card_rows(print_, card, True, thing, ORDER_LIFT_MM * len(state.cards)))
    for stack in state.stacks:
        thing += 1
        if wanted(stack):
            meshes.append((thing, _stack_mesh(stack, spec.decks[stack.deck % len(spec.decks)].back_colour)))
            if not stack.on_edge:
                rows.append(_top_card(print_, stack, thing))
    for hand in state.hands:
        thing += 1
        if wanted(hand):
            meshes.append((thing, arm(spec, hand)))
    for index, chips in enumerate(state.chips):
        thing += 1
        if wanted(("chips", index, chips)):
            meshes.append((thing, _chips_mesh(chips, 0.7 * index)))
    if state.shoe_cards > 0 and wanted(WAITING):
        turn, centre = props.shoe_front(spec.equipment)
        rows.append(back_row(print_, 0, np.column_stack([turn, centre]), 0))
    return Drawn(tuple(meshes), np.concatenate(rows) if rows else np.zeros(0, INSTANCE))


def arm(spec: SceneSpec, hand: HandPose) -> Mesh:
    """The whole arm of a hand in its owner's looks."""
    return arm_mesh(hand, arm_look(spec, hand.owner), arm_seed(spec, hand))


def arm_look(spec: SceneSpec, owner: str) -> ArmLook:
    """How the owner's arms look; an owner without a look of his own gets the first."""
    return spec.arms[owner] if owner in spec.arms else next(iter(spec.arms.values()))


def arm_seed(spec: SceneSpec, hand: HandPose) -> int:
    """The seed of a hand's skin and jewellery."""
    return spec.seed + sum(hand.owner.encode()) * 7 + (hand.side == "left")


def _top_card(print_: Print, stack: StackPose, thing: int) -> NDArray[np.void]:
    x, y, z = stack.centre
    turn = turn_z(stack.yaw) @ np.diag([-1.0, 1.0, -1.0])
    top = z + stack.count * CARD_THICKNESS_MM + 0.1
    return back_row(print_, stack.deck, np.column_stack([turn, [x, y, top]]), thing)


@functools.lru_cache(maxsize=64)
def _stack_mesh(stack: StackPose, colour: Vec3) -> Mesh:
    return props.card_stack(stack, colour, CARD_THICKNESS_MM)


@functools.lru_cache(maxsize=512)
def _chips_mesh(chips: ChipStack, turn: float) -> Mesh:
    return props.chip_stack(chips, turn)
