"""Where the labelled things of a still life are, and how much of each is hidden: geometry, and the picture of ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_videos.studio.camera import project
from sample_videos.studio.cards_gl import card_corners, copies
from sample_videos.studio.labels import MIN_PIXELS, clockwise, shows_face, together
from sample_videos.studio.meshes import Mesh
from sample_videos.studio.scene import CameraSpec, CardPose, StackPose
from sample_videos.studio.stacks import outer_card
from sample_videos.studio.stills.painter import Painted
from sample_videos.studio.stills.still import Still, Thing

Points = NDArray[np.float64]
#: A stack whose outline is at most so much larger than its uppermost card's looks like a card.
CARD_ALONE = 1.15
#: What is lower is under the table, or would be: nobody sees it.
UNDER_MM = -20.0


@dataclass(frozen=True, slots=True, eq=False)
class Label:
    """One thing: its class, its outline's corners (N, 2) in pixels, clockwise, and the share of it that is hidden.

    A card's four corners are the card's own, a face's from its printed upper left on; the corners of other things
    are those of their convex outline. Hidden parts are included; nothing is clipped at the picture's rim.
    """

    cls: str
    outline: Points
    hidden: float


def labels_of(still: Still, painted: Painted) -> list[Label]:
    """The labels of all things of which at least a few pixels would be in the picture."""
    camera, shape = still.spec.camera, (painted.ids.shape[0], painted.ids.shape[1])
    seen = np.bincount(painted.ids.ravel(), minlength=_last(painted, still) + 1)
    out = _cards(still, camera, seen, shape)
    for number, pose, mesh in painted.stacks:
        out.append(_stack(camera, pose, mesh, int(seen[number]), shape))
    numbers = {id(thing): number for number, thing in painted.things}
    for _, thing in painted.things:
        if thing.cls is not None:
            ids = [numbers[id(part)] for part in _with_parts(thing)]
            meshes = [part.mesh for part in _with_parts(thing)]
            out.append(_solid(camera, thing.cls, meshes, int(seen[ids].sum()), plump=thing.plump, shape=shape))
    return [label for label in out if label is not None]


def _last(painted: Painted, still: Still) -> int:
    ends = [number for number, _ in painted.things[-1:]] + [number for number, *_ in painted.stacks[-1:]]
    return max([len(still.cards) + len(still.covers), *ends])


def _with_parts(thing: Thing) -> list[Thing]:
    return [thing, *(inner for part in thing.parts for inner in _with_parts(part))]


def _cards(still: Still, camera: CameraSpec, seen: NDArray[np.int64], shape: tuple[int, int]) -> list[Label | None]:
    poses = [*still.cards, *still.covers]
    if not poses:
        return []
    corners = np.stack([together([card_corners(m) for m in copies(pose)]) for pose in poses])
    quads = project(camera, corners.reshape(-1, 3)).reshape(-1, 4, 2)
    out: list[Label | None] = []
    for number, (pose, quad) in enumerate(zip(poses, quads, strict=True), 1):
        cls = "cover_card" if number > len(still.cards) else _side(camera, pose)
        out.append(_label(cls, clockwise(quad), int(seen[number]), _area(quad, shape)))
    return out


def _side(camera: CameraSpec, card: CardPose) -> str:
    return "card_face" if shows_face(camera, card) else "card_back"


def _stack(camera: CameraSpec, pose: StackPose, mesh: Mesh, seen: int, shape: tuple[int, int]) -> Label | None:
    """A stack, or, where it shows no more than its uppermost card, that card: nobody could tell them apart."""
    solid = _solid(camera, "stack", [mesh], seen, plump=True, shape=shape)
    top = project(camera, card_corners(outer_card(pose, top=True)))
    if solid is None or not np.isfinite(top).all():
        return solid
    whole, of_top = (abs(float(cv2.contourArea(p.astype(np.float32)))) for p in (solid.outline, top))
    if whole > CARD_ALONE * of_top:
        return solid
    return _label("card_back", clockwise(top), seen, _area(top, shape))


def _solid(
    camera: CameraSpec, cls: str, meshes: Sequence[Mesh], seen: int, *, plump: bool, shape: tuple[int, int]
) -> Label | None:
    clouds = [project(camera, mesh.vertices[:, :3]) for mesh in meshes]
    points = np.concatenate([c[m.vertices[:, 2] > UNDER_MM] for c, m in zip(clouds, meshes, strict=True)])
    points = points[np.isfinite(points).all(1)].astype(np.float32)
    if len(points) < 3:
        return None
    hull = cv2.convexHull(points)[:, 0].astype(float)
    area = _area(hull, shape) if plump else _silhouette(clouds[0], meshes[0], shape)
    return _label(cls, clockwise(hull), seen, area)


def _label(cls: str, outline: Points, seen: int, area_px: float) -> Label | None:
    if area_px < MIN_PIXELS or not np.isfinite(outline).all():
        return None
    return Label(cls, outline, float(np.clip(1 - seen / area_px, 0, 1)))


def _area(outline: Points, shape: tuple[int, int]) -> float:
    """The area of a convex outline in the half-size picture, as far as it lies in it."""
    points = ((outline + 0.5) / 2).astype(np.float32)
    if (points >= 0).all() and (points <= shape[::-1]).all():
        return abs(float(cv2.contourArea(points)))
    height, width = shape
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    if not np.isfinite(points).all():
        return 0.0
    area, _ = cv2.intersectConvexConvex(cv2.convexHull(points), frame)
    return float(area)


def _silhouette(points: Points, mesh: Mesh, shape: tuple[int, int]) -> float:
    """The pixels of the half-size picture that a mesh covers."""
    if not np.isfinite(points).all():
        return 0.0
    half = (points + 0.5) / 2 - 0.5
    low = np.clip(np.floor(half.min(0)) - 1, 0, shape[::-1]).astype(int)
    high = np.clip(np.ceil(half.max(0)) + 2, 0, shape[::-1]).astype(int)
    if (high <= low).any():
        return 0.0
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    for triangle in np.round((half - low)[mesh.shadow_faces] * 16).astype(np.int32):
        cv2.fillConvexPoly(mask, triangle, 1, cv2.LINE_8, 4)
    return float(mask.sum())
