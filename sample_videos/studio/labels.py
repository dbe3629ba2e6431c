"""What is where in a picture of the studio: quads from the geometry, the hidden share from an id picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_videos.studio.camera import project
from sample_videos.studio.cards_gl import card_corners, card_matrix, copies
from sample_videos.studio.hands import forearm_mesh, hand_mesh
from sample_videos.studio.meshes import Mesh
from sample_videos.studio.renderer import Renderer
from sample_videos.studio.scene import CameraSpec, CardPose, ChipStack, HandPose, SceneSpec, SceneState, StackPose
from sample_videos.studio.stage import BUCKET_ID, FIRST_CHIPS_ID, SHOE_ID, TRAY_ID
from sample_videos.studio.things import Drawn, arm_look, arm_seed, numbered, prepare

Label: TypeAlias = dict[str, Any]
Quad = NDArray[np.float64]
MIN_PIXELS = 6  # of the half-size id picture; less is an edge seen end on, or a corner at the picture's rim
_FIXED = {SHOE_ID: "shoe", BUCKET_ID: "discard", TRAY_ID: "chips"}
_alone_counts: WeakKeyDictionary[Renderer, dict[int, int]] = WeakKeyDictionary()


def label_objects(renderer: Renderer | SceneSpec, state: SceneState) -> list[Label]:
    """The objects of `state` as rows of boxes.jsonl.

    Each is {"cls", "quad", "occluded"}, a face also {"rank", "suit"}, cards held as one also {"cards"}. `quad` has
    four corners in pixels, clockwise in the picture, hidden parts included; a face's begin at its printed upper
    left. `occluded` is the share of the object's pixels that something else hides. Objects outside the picture
    are left out. The tray's chips are one object; a hand ends at the wrist. A stack's or packet's quad is the smallest
    rectangle round all of it that the camera sees, from its foot on the felt to its top: on edge its long top face
    and, as far as the camera looks at it from aside, its side; openings and cards that stick out belong to it.
    """
    if isinstance(renderer, SceneSpec):
        with Renderer(renderer) as own:
            return label_objects(own, state)
    ids, alone = id_picture(renderer, state)
    visible = np.bincount(ids.ravel(), minlength=FIRST_CHIPS_ID + len(renderer.spec.background_chips) + 1)
    labels = []
    for thing, cls, quad, extra in _objects(renderer, state):
        total = alone.get(thing, 0)
        if total < MIN_PIXELS or not np.isfinite(quad).all():
            continue
        hidden = float(np.clip(1 - visible[thing] / total, 0, 1))
        corners = [[round(float(x), 2), round(float(y), 2)] for x, y in clockwise(quad)]
        labels.append({"cls": cls, "quad": corners, **extra, "occluded": round(hidden, 3)})
    return labels


def id_picture(renderer: Renderer, state: SceneState) -> tuple[NDArray[np.uint32], dict[int, int]]:
    """The half-size picture of ids (0 where nothing is labelled), and how many pixels each thing would fill alone."""
    spec = renderer.spec
    things = numbered(state)
    hands = [(thing, hand) for thing, hand in things.items() if isinstance(hand, HandPose)]
    palms = [(thing, hand_mesh(h, arm_look(spec, h.owner), arm_seed(spec, h))) for thing, h in hands]
    arms = [(0, forearm_mesh(h, arm_look(spec, h.owner), arm_seed(spec, h))) for _, h in hands]
    with renderer.context:  # preparing uploads what is printed on cards that were not drawn yet
        bare = prepare(spec, renderer.print, state, lambda thing: not isinstance(thing, HandPose))
        ids = renderer.ids(Drawn((*bare.meshes, *palms, *arms), bare.cards))
        alone = dict(_fixed_alone(renderer))
        for thing, mesh in (*bare.meshes, *palms):
            alone[thing] = _count(renderer.ids(Drawn(((thing, mesh),), bare.cards[:0]), stage=False), thing)
    for thing, pose in things.items():
        if isinstance(pose, CardPose):
            alone[thing] = _card_pixels(spec.camera, pose, (ids.shape[0], ids.shape[1]))
    return ids, alone


def _count(ids: NDArray[np.uint32], thing: int) -> int:
    return int(np.count_nonzero(ids == thing))


def _fixed_alone(renderer: Renderer) -> dict[int, int]:
    if renderer not in _alone_counts:
        nothing = prepare(renderer.spec, renderer.print, SceneState(0, shoe_cards=0), lambda _: False)
        counts = {}
        for thing, mesh, _ in renderer.stage.meshes:
            if thing:
                counts[thing] = _count(renderer.ids(Drawn(((thing, mesh),), nothing.cards), stage=False), thing)
        _alone_counts[renderer] = counts
    return _alone_counts[renderer]


def _card_pixels(camera: CameraSpec, card: CardPose, shape: tuple[int, int]) -> int:
    """Pixels of the half-size picture that the card (all its copies) covers."""
    quads = [project(camera, card_corners(matrix)) for matrix in copies(card)]
    if not all(np.isfinite(quad).all() for quad in quads):
        return 0
    half = [(quad + 0.5) / 2 - 0.5 for quad in quads]
    low = np.clip(np.floor(np.min(half, axis=(0, 1))) - 1, 0, shape[::-1]).astype(int)
    high = np.clip(np.ceil(np.max(half, axis=(0, 1))) + 2, 0, shape[::-1]).astype(int)
    width, height = high - low
    if width <= 0 or height <= 0:
        return 0
    fine = 4
    mask = np.zeros((height * fine, width * fine), np.uint8)
    for quad in half:
        corners = (quad - low + 0.5) * fine - 0.5
        cv2.fillConvexPoly(mask, np.round(corners * 16).astype(np.int32), 1, cv2.LINE_8, 4)
    return round(int(mask.sum()) / fine**2)


def _objects(renderer: Renderer, state: SceneState) -> list[tuple[int, str, Quad, Label]]:
    camera = renderer.spec.camera
    out: list[tuple[int, str, Quad, Label]] = []
    covers = set(map(id, state.cover_cards))
    for thing, pose in numbered(state).items():
        if isinstance(pose, CardPose):
            out.append((thing, *_card(camera, pose, id(pose) in covers)))
        elif isinstance(pose, HandPose):
            look, seed = arm_look(renderer.spec, pose.owner), arm_seed(renderer.spec, pose)
            out.append((thing, "hand", _hull_quad(camera, hand_mesh(pose, look, seed)), {}))
    bare = prepare(renderer.spec, renderer.print, state, lambda t: isinstance(t, StackPose) or _is_chips(t))
    kinds = numbered(state)
    for thing, mesh in bare.meshes:
        cls = "stack" if isinstance(kinds[thing], StackPose) else "chips"
        out.append((thing, cls, _hull_quad(camera, mesh), {}))
    for thing, mesh, _ in renderer.stage.meshes:
        if thing:
            out.append((thing, _FIXED.get(thing, "chips"), _hull_quad(camera, mesh), {}))
    return out


def _is_chips(thing: object) -> bool:
    return isinstance(thing, tuple) and isinstance(thing[-1], ChipStack)


def _card(camera: CameraSpec, card: CardPose, cover: bool) -> tuple[str, Quad, Label]:
    """Class, quad and facts of a card; of cards held as one the quad holds all of them."""
    quad = project(camera, together([card_corners(matrix) for matrix in copies(card)]))
    extra: Label = {"cards": card.count} if card.count > 1 else {}
    if cover:
        return "cover_card", quad, extra
    if not shows_face(camera, card):
        return "card_back", quad, extra
    return "card_face", quad, {"rank": card.rank, "suit": card.suit, **extra}


def together(cards: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The corners (4, 3) of the smallest rectangle along the uppermost card's edges that holds them all."""
    first, right, _, down = top = cards[-1]
    if len(cards) == 1:
        return top
    axes = [(right - first) / np.linalg.norm(right - first), (down - first) / np.linalg.norm(down - first)]
    spots = np.array([[(corner - first) @ axis for axis in axes] for card in cards for corner in card])
    low, high = spots.min(axis=0), spots.max(axis=0)
    corners = [(low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1])]
    return np.array([first + x * axes[0] + y * axes[1] for x, y in corners])


def shows_face(camera: CameraSpec, card: CardPose) -> bool:
    """Whether the camera sees the card's face rather than its back, however it is tilted."""
    matrix = card_matrix(card)
    return bool(matrix[:, 2] @ (np.asarray(camera.position_mm) - matrix[:, 3]) > 0)


def _hull_quad(camera: CameraSpec, mesh: Mesh) -> Quad:
    """The smallest rectangle (4, 2) round a mesh in the picture."""
    points = project(camera, mesh.vertices[:, :3])
    points = points[np.isfinite(points).all(1)].astype(np.float32)
    if len(points) < 3:
        return np.full((4, 2), np.nan)
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(points)), np.float64)


def clockwise(quad: Quad | Sequence[Sequence[float]]) -> Quad:
    """The corners clockwise as the picture shows them (y down), the first one kept."""
    corners = np.asarray(quad, float)
    following = np.roll(corners, -1, axis=0)
    turned = float(np.sum(corners[:, 0] * following[:, 1] - following[:, 0] * corners[:, 1]))
    return corners if turned >= 0 else np.concatenate([corners[:1], corners[:0:-1]])
