"""The moving things of a state, made ready to draw, each with its id in the id picture."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sample_videos.studio import props
from sample_videos.studio.camera import mm_per_px
from sample_videos.studio.cards_gl import INSTANCE, Print, back_row, card_matrix, card_rows
from sample_videos.studio.hands import arm_mesh
from sample_videos.studio.meshes import Mesh
from sample_videos.studio.scene import (
    ArmLook,
    CardPose,
    ChipStack,
    HandPose,
    SceneSpec,
    SceneState,
    StackPose,
)
from sample_videos.studio.stacks import outer_card, stack_mesh

Things = frozenset[Hashable]
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
WAITING = "waiting"  # the card that shows in the shoe's exit
HAND_GRAIN_PX = 3.0  # what is smaller in the picture need not be told apart on a hand
JUMP_MM = 150.0  # nothing moves so far while the shutter is open
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


@dataclass(frozen=True, slots=True)
class Span:
    """The moving things while the shutter is open: as they are halfway, and how far they go from opening to closing.

    `mesh_shift` (V, 3) belongs to the vertices of all meshes in order, `card_shift` (N, 3, 4) to the cards' rows; None
    where nothing moves.
    """

    middle: Drawn
    mesh_shift: NDArray[np.float32] | None = None
    card_shift: NDArray[np.float32] | None = None


def span(opened: Drawn, shut: Drawn) -> Span:
    """What moves between two moments. A thing that is not in both, or jumps, stays as it is when the shutter opens."""
    ends = dict(shut.meshes)
    meshes, shifts = [], []
    for thing, mesh in opened.meshes:
        halfway, shift = _mesh_between(mesh, ends.get(thing, mesh))
        meshes.append((thing, halfway))
        shifts.append(shift)
    rows, card_shift = _cards_between(opened.cards, shut.cards)
    mesh_shift = np.concatenate(shifts) if shifts else np.zeros((0, 3), np.float32)
    return Span(Drawn(tuple(meshes), rows), mesh_shift, card_shift)


def _mesh_between(mesh: Mesh, end: Mesh) -> tuple[Mesh, NDArray[np.float32]]:
    still = np.zeros((len(mesh.vertices), 3), np.float32)
    if end is mesh or len(end.vertices) != len(mesh.vertices):
        return mesh, still
    moved = end.vertices[:, :3] - mesh.vertices[:, :3]
    if np.abs(moved).max(initial=0) >= JUMP_MM:
        return mesh, still
    halfway = mesh.vertices.copy()
    halfway[:, :3] += 0.5 * moved
    return replace(mesh, vertices=halfway), moved


def _cards_between(opened: NDArray[np.void], shut: NDArray[np.void]) -> tuple[NDArray[np.void], NDArray[np.float32]]:
    rows = opened.copy()
    if len(opened) != len(shut):
        return rows, np.zeros((len(rows), 3, 4), np.float32)
    moved = (shut["rows"] - opened["rows"]).astype(np.float32)
    same = (opened["look"][:, :2] == shut["look"][:, :2]).all(1) & (np.abs(moved[:, :, 3]).max(1, initial=0) < JUMP_MM)
    moved[~same] = 0.0
    rows["rows"] += 0.5 * moved
    return rows, moved


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
            rows.append(card_rows(print_, card, None, thing, ORDER_LIFT_MM * index))
    for card in state.cover_cards:
        thing += 1
        if wanted(("cover", card)):
            colour = spec.cover_colours[card.deck % len(spec.cover_colours)]
            rows.append(card_rows(print_, card, colour, thing, ORDER_LIFT_MM * _cards_under(state.cards, card)))
    for stack in state.stacks:
        thing += 1
        if wanted(stack):
            meshes.append((thing, stack_mesh(stack, mm_per_px(spec.camera))))
            rows.append(_outer_cards(print_, stack, thing))
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


def _cards_under(cards: Sequence[CardPose], cover: CardPose) -> int:
    """How many cards lie lower than a cover card does at its middle: it goes over those, under the rest."""
    x, y, z = cover.centre
    under = 0
    for card in cards:
        matrix = card_matrix(card)
        normal, centre = matrix[:, 2], matrix[:, 3]
        if abs(normal[2]) > 0.5:
            height = centre[2] - (normal[0] * (x - centre[0]) + normal[1] * (y - centre[1])) / normal[2]
            under += bool(height <= z)
    return under


def arm(spec: SceneSpec, hand: HandPose) -> Mesh:
    """The whole arm of a hand in its owner's looks."""
    grain_mm = round(HAND_GRAIN_PX * mm_per_px(spec.camera), 1)
    return arm_mesh(hand, arm_look(spec, hand.owner), arm_seed(spec, hand), grain_mm)


def arm_look(spec: SceneSpec, owner: str) -> ArmLook:
    """How the owner's arms look; an owner without a look of his own gets the first."""
    return spec.arms[owner] if owner in spec.arms else next(iter(spec.arms.values()))


def arm_seed(spec: SceneSpec, hand: HandPose) -> int:
    """The seed of a hand's skin and jewellery."""
    return spec.seed + sum(hand.owner.encode()) * 7 + (hand.side == "left")


def _outer_cards(print_: Print, stack: StackPose, thing: int) -> NDArray[np.void]:
    """The back of the top card and the face of the bottom card."""
    rng = np.random.default_rng([stack.seed, 17])
    face = (RANKS[int(rng.integers(13))], "CDHS"[int(rng.integers(4))])
    rows = [back_row(print_, stack.deck, outer_card(stack, top), thing) for top in (True, False)]
    rows[1]["look"][0, 0] = print_.layer("face", stack.deck % len(print_.looks), *face)
    return np.concatenate(rows)


@functools.lru_cache(maxsize=512)
def _chips_mesh(chips: ChipStack, turn: float) -> Mesh:
    return props.chip_stack(chips, turn)
