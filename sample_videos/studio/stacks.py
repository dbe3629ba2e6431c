"""Stacks and packets as they are really made: of single cards, each with its own edge.

A stack's own frame has `along` (from the bottom card to the top card), `up` (across the cards, towards the edge that is
uppermost when the stack stands) and `out` (along the cards' long sides). Where several cards fall into one pixel they
are drawn as one slab of their mean tone, so that edges never flicker; in close views each card is a slab of its own.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sample_videos.studio.meshes import STRIDE, Mesh
from sample_videos.studio.scene import CARD_LENGTH_MM, CARD_THICKNESS_MM, CARD_WIDTH_MM, StackPose

Array = NDArray[np.float64]
PAPER = np.array([0.93, 0.91, 0.86])
TONE_SPREAD = 0.07  # of single cards' edges: no two are worn and trimmed alike
SEAM_TONE = 0.6  # an edge is darker towards the card below it
LACED_TONE = 0.72  # of the comb that laced cards make, where single cards cannot be told apart
CORNER_MM = 2.2
WEDGE_FOOT = 0.35  # how far an opening's cards stand apart at the foot, as a share of the top


@dataclass(frozen=True, slots=True)
class Slabs:
    """One or more cards each (S,): lower and upper face, shifts, length (mm), slope of `along` over `up`, tones."""

    low: Array
    high: Array
    up: Array
    out: Array
    length: Array
    slope: Array
    tone: Array
    seam: Array


def tip_of(stack: StackPose) -> float:
    """The angle of a stack on its way from flat (0) to its long edge (pi/2)."""
    return (math.pi / 2 if stack.on_edge else 0.0) if stack.tip is None else stack.tip


def stack_frame(stack: StackPose) -> tuple[Array, Array]:
    """The stack's frame: columns `along`, `up`, `out` (3, 3), and the middle of the stack (3,) in table mm."""
    tip = tip_of(stack)
    c, s, cy, sy = math.cos(tip), math.sin(tip), math.cos(stack.yaw), math.sin(stack.yaw)
    axes = np.array([[s * cy, -c * cy, -sy], [s * sy, -c * sy, cy], [c, s, 0.0]])
    rise = stack.count * CARD_THICKNESS_MM / 2 * c + CARD_WIDTH_MM / 2 * s
    return axes, np.add(stack.centre, (0.0, 0.0, rise))


def thickness_mm(stack: StackPose) -> float:
    """From the bottom card's face to the top card's back, openings included."""
    return stack.count * CARD_THICKNESS_MM + sum(width for _, width in stack.gaps)


def outer_card(stack: StackPose, top: bool) -> Array:
    """Where the frame (3, 4) of the top or bottom card's picture goes; its back towards the top."""
    axes, middle = stack_frame(stack)
    along, up, out = axes.T
    slope = math.tan(stack.lean) * math.sin(tip_of(stack))  # it leans as the cards next to it do
    along, up = (along - slope * up) / math.hypot(1, slope), (up + slope * along) / math.hypot(1, slope)
    side = 0.5 if top else -0.5
    place = middle + axes[:, 0] * (side * thickness_mm(stack) + math.copysign(0.12, side))
    return np.column_stack([np.cross(out, -along), out, -along, place])


def stack_mesh(stack: StackPose, mm_per_px: float) -> Mesh:
    """The edges of a stack's cards, and their faces where they stick out, as fine as the camera can tell them apart."""
    key = replace(stack, centre=(0.0, 0.0, 0.0), yaw=0.0, tip=round(tip_of(stack), 3), on_edge=False)
    local = _local_mesh(key, cards_a_slab(mm_per_px))
    axes, middle = stack_frame(stack)
    turn = axes.T.astype(np.float32)
    vertices = local.vertices.copy()
    vertices[:, :3] = local.vertices[:, :3] @ turn + middle.astype(np.float32)
    vertices[:, 3:6] = local.vertices[:, 3:6] @ turn
    return Mesh(vertices, local.faces, local.casting, True)


def cards_a_slab(mm_per_px: float) -> int:
    """How many cards are drawn as one: about as many as fall into a pixel."""
    return max(1, round(mm_per_px / CARD_THICKNESS_MM))


@functools.lru_cache(maxsize=128)
def _local_mesh(stack: StackPose, group: int) -> Mesh:
    slabs = _slabs(stack, group)
    sides, side_faces = _sides(slabs)
    caps, cap_faces = _caps(slabs)
    faces = np.concatenate([side_faces, cap_faces + len(sides)]).astype(np.int32)
    return Mesh(np.concatenate([sides, caps]).astype(np.float32), faces, None, True)


def _slabs(stack: StackPose, group: int) -> Slabs:
    count = max(1, stack.count)
    rng = np.random.default_rng([stack.seed, 31])
    number = np.arange(count)
    share = (number + 0.5) / count
    laced = lace_mm(stack, share)
    tone = 1 + TONE_SPREAD * rng.normal(0, 1, count)
    scatter = rng.normal(0, 0.5, (2, count)) * stack.loose_mm
    standing = math.sin(stack.tip or 0.0)
    low, high, slope = _along(stack, count)
    up, out = scatter[0] * (1 - 0.85 * standing), scatter[1] + np.where(number % 2, 0.5, -0.5) * laced
    if group == 1:
        return Slabs(low, high, up, out, np.full(count, CARD_LENGTH_MM), slope, tone, np.full(count, SEAM_TONE))
    starts = np.unique(np.concatenate([np.arange(0, count, group), _breaks(stack, count)]))
    sizes = np.diff([*starts, count])
    ends = starts + sizes - 1

    def mean(values: Array) -> Array:
        return np.asarray(np.add.reduceat(values, starts) / sizes)

    comb = mean(laced)
    core = Slabs(
        low[starts], high[ends], mean(up), mean(scatter[1]), CARD_LENGTH_MM - comb, mean(slope), mean(tone),
        np.full(len(starts), 0.93),
    )  # fmt: skip
    return _with_combs(core, comb)


def _with_combs(core: Slabs, comb: Array) -> Slabs:
    """The slabs with what laced cards let stick out at both ends: half the cards, so half the light."""
    some = comb > 0.3
    width = comb[some]

    def ends(side: float) -> Slabs:
        return Slabs(
            core.low[some], core.high[some], core.up[some], core.out[some] + side * CARD_LENGTH_MM, width,
            core.slope[some], core.tone[some] * LACED_TONE, core.seam[some],
        )  # fmt: skip

    parts = [core, ends(-0.5), ends(0.5)]
    return Slabs(*(np.concatenate([getattr(part, name) for part in parts]) for name in Slabs.__slots__))


def lace_mm(stack: StackPose, share: Array) -> Array:
    """How far neighbouring cards stick out from each other at each share (N,) of the stack, mm."""
    out = np.zeros(len(share))
    for start, end, width in stack.lace:
        out[(share >= start) & (share <= end)] = width
    return out


def _breaks(stack: StackPose, count: int) -> NDArray[np.int64]:
    """Cards before which a new slab begins: at openings and at the ends of laced parts."""
    at = [share for share, _ in stack.gaps] + [share for part in stack.lace for share in part[:2]]
    cards = np.round(np.array(at, float) * count).astype(np.int64)
    return cards[(cards > 0) & (cards < count)]


def _along(stack: StackPose, count: int) -> tuple[Array, Array, Array]:
    """Lower and upper faces of the cards about the stack's middle at its top edge, and each card's slope."""
    share = (np.arange(count) + 0.5) / count
    pitch = 1 + stack.end_looseness * (2 * np.abs(share - 0.5)) ** 2
    pitch *= CARD_THICKNESS_MM / pitch.mean()
    low = np.concatenate([[0.0], np.cumsum(pitch)[:-1]]) - count * CARD_THICKNESS_MM / 2
    slope = np.full(count, math.tan(stack.lean) * math.sin(stack.tip or 0.0))
    for at, width in stack.gaps:
        beyond = share > at
        low += np.where(beyond, 0.5, -0.5) * width
        near = np.exp(-np.abs(share - at) * count / 40.0)
        wedge = (1 - WEDGE_FOOT) * 0.5 * width / CARD_WIDTH_MM * math.sin(stack.tip or 0.0)
        slope += np.where(beyond, 1, -1) * wedge * near
    return low, low + pitch, slope


def _outline(slabs: Slabs) -> Array:
    """The corners (S, 8, 3) of each slab's outline, going round: along (by its slope only), up, out."""
    half_up = np.full(len(slabs.low), CARD_WIDTH_MM / 2)
    half_out = slabs.length / 2
    corner = np.minimum(CORNER_MM, half_out * 0.9)
    ring = []
    for su, so, first in ((1, -1, 0), (1, 1, 1), (-1, 1, 0), (-1, -1, 1)):
        near_up = (su * half_up, so * (half_out - corner))
        near_out = (su * (half_up - corner), so * half_out)
        ring += [near_out, near_up] if not first else [near_up, near_out]
    up = np.stack([u for u, _ in ring], axis=1)
    out = np.stack([o for _, o in ring], axis=1)
    along = slabs.slope[:, None] * up
    return np.stack([along, up + slabs.up[:, None], out + slabs.out[:, None]], axis=2)


def _sides(slabs: Slabs) -> tuple[Array, NDArray[np.int64]]:
    ring = _outline(slabs)
    count = len(ring)
    following = np.roll(ring, -1, axis=1)
    edge = following - ring
    normal = np.stack([np.zeros((count, 8)), edge[..., 2], -edge[..., 1]], axis=2)
    normal /= np.linalg.norm(normal, axis=2, keepdims=True) + 1e-9
    corners = np.stack([ring, following, following, ring], axis=2)
    corners[:, :, :2, 0] += slabs.low[:, None, None]
    corners[:, :, 2:, 0] += slabs.high[:, None, None]
    middle = ring.mean(1, keepdims=True)
    outward = np.sign(np.einsum("ski,ski->sk", normal, ring + following - 2 * middle))
    normal *= outward[..., None]
    tone = np.stack([slabs.tone * slabs.seam] * 2 + [slabs.tone] * 2, axis=1)[:, None, :]
    vertices = _painted(corners, normal[:, :, None, :], np.broadcast_to(tone, (count, 8, 4)))
    start = 4 * np.arange(8 * count)[:, None, None]
    faces = (start + np.array([[0, 1, 2], [0, 2, 3]])).reshape(-1, 3)
    return vertices, _wound(vertices, faces)


def _caps(slabs: Slabs) -> tuple[Array, NDArray[np.int64]]:
    """Every card has its faces: between cards that are not quite square they close what one could look into."""
    ring = _outline(slabs)
    rings, normals, tones = [], [], []
    for side, height in ((-1.0, slabs.low), (1.0, slabs.high)):
        part = ring.copy()
        part[..., 0] += height[:, None]
        rings.append(part)
        normals.append(np.broadcast_to([side, 0.0, 0.0], part.shape))
        tones.append(np.broadcast_to(slabs.tone[:, None] * 0.97, part.shape[:2]))
    vertices = _painted(np.concatenate(rings), np.concatenate(normals), np.concatenate(tones))
    fan = np.stack([np.zeros(6, int), np.arange(1, 7), np.arange(2, 8)], axis=1)
    faces = (8 * np.arange(len(vertices) // 8)[:, None, None] + fan).reshape(-1, 3)
    return vertices, _wound(vertices, faces)


def _painted(points: Array, normals: Array, tones: Array) -> Array:
    vertices = np.empty((*points.shape[:-1], STRIDE))
    vertices[..., :3], vertices[..., 3:6] = points, normals
    vertices[..., 6:9] = np.clip(PAPER * tones[..., None], 0, 1) ** 2
    vertices[..., 9] = 0.05
    return vertices.reshape(-1, STRIDE)


def _wound(vertices: Array, faces: NDArray[np.int64]) -> NDArray[np.int64]:
    """The triangles turned counter-clockwise about their normals."""
    a, b, c = (vertices[faces[:, k], :3] for k in range(3))
    wrong = np.einsum("fi,fi->f", np.cross(b - a, c - a), vertices[faces[:, 0], 3:6]) < 0
    faces = faces.copy()
    faces[wrong] = faces[wrong][:, ::-1]
    return faces
