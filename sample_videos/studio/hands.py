"""Hands with forearms: linear-blend skinning of a rigged hand, posed by curls and a pinch, with sleeve and cuff."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sample_videos.studio.meshes import Mesh, build, cross, join, pose_matrix, tube, unit
from sample_videos.studio.scene import ArmLook, HandPose, Vec3

Array = NDArray[np.float64]
ART = Path(__file__).parents[1] / "art"
SHADOW_GRAIN_MM = 9.0
FINGERS = ("thumb", "index-finger", "middle-finger", "ring-finger", "pinky-finger")
BEND = np.radians([72.0, 95.0, 62.0])  # knuckle, middle and end joint at curl 1
THUMB_BEND = np.radians([22.0, 42.0, 55.0])  # root, knuckle and end joint at curl 1


@dataclass(frozen=True, slots=True)
class Rig:
    """The baked hand: vertices (V, 3) mm, faces, dense skin weights (V, 25), joints (25, 3), chains by finger."""

    vertices: Array
    faces: NDArray[np.int32]
    weights: Array
    joints: Array
    chains: tuple[tuple[int, ...], ...]
    normals: Array  # (V, 3), at rest


@functools.cache
def rig(side: str) -> Rig:
    """The rig of the `left` or `right` hand."""
    with np.load(ART / f"hand_{side}.npz") as data:
        names = [str(name) for name in data["names"]]
        vertices = data["vertices"].astype(float)
        weights = np.zeros((len(vertices), len(names)))
        for column in range(4):
            np.add.at(weights, (np.arange(len(vertices)), data["bones"][:, column]), data["weights"][:, column])
        joints, faces = data["joints"].astype(float), data["faces"].astype(np.int32)
    weights /= weights.sum(1, keepdims=True)
    chains = tuple(tuple(_chain(names, finger)) for finger in FINGERS)
    return Rig(vertices, faces, weights, joints, chains, _normals(vertices, faces))


def _chain(names: list[str], finger: str) -> list[int]:
    parts = ("metacarpal", "phalanx-proximal", "phalanx-intermediate", "phalanx-distal", "tip")
    return [names.index(f"{finger}-{part}") for part in parts if f"{finger}-{part}" in names]


def skin(hand: HandPose, scale: float = 1.0) -> tuple[Array, Array, NDArray[np.int32]]:
    """Vertices (V, 3) in table mm, normals (V, 3) and faces of the hand alone, from wrist to finger tips."""
    model = rig(hand.side)
    bones = _bone_matrices(model, hand)
    turn = pose_matrix(hand.yaw, hand.pitch, hand.roll)
    blended = (model.weights @ (turn @ bones).reshape(len(bones), 12)).reshape(-1, 3, 4)
    rest = np.stack([model.vertices, model.normals], axis=2)
    moved = blended[:, :, :3] @ rest
    world = scale * (moved[:, :, 0] + blended[:, :, 3]) + np.asarray(hand.wrist)
    return world, unit(moved[:, :, 1]), model.faces


def _normals(points: Array, faces: NDArray[np.int32]) -> Array:
    a, b, c = points[faces[:, 0]], points[faces[:, 1]], points[faces[:, 2]]
    flat = np.cross(b - a, c - a)
    normals = np.stack(
        [sum(np.bincount(faces[:, k], flat[:, axis], len(points)) for k in range(3)) for axis in range(3)], axis=1
    )
    return np.asarray(normals / (np.linalg.norm(normals, axis=1, keepdims=True) + 1e-9))


def _bone_matrices(model: Rig, hand: HandPose) -> Array:
    """Where each bone's rest frame goes, (25, 3, 4) in the hand's own frame."""
    bones = np.tile(np.eye(3, 4), (len(model.joints), 1, 1))
    for finger in range(1, 5):
        _curl_finger(model, bones, finger, hand)
    _curl_thumb(model, bones, hand)
    return bones


def _curl_finger(model: Rig, bones: Array, finger: int, hand: HandPose) -> None:
    chain = model.chains[finger]
    along = model.joints[chain[-1]] - model.joints[chain[1]]
    along /= np.linalg.norm(along)
    axis = cross(along, np.array([0.0, 0.0, 1.0]))
    axis /= np.linalg.norm(axis)
    angles = hand.curl[finger] * BEND
    if finger == 1:
        angles = (1 - hand.pinch) * angles + hand.pinch * np.maximum(angles, np.radians([46.0, 42.0, 18.0]))
    current = np.eye(3, 4)
    for joint, angle in zip(chain[1:4], angles, strict=True):
        current = compose(current, about(model.joints[joint], axis, -angle))
        bones[joint] = current
    bones[chain[4]] = current


def _curl_thumb(model: Rig, bones: Array, hand: HandPose) -> None:
    chain = model.chains[0]
    root, tip = model.joints[chain[0]], model.joints[chain[-1]]
    goal = model.joints[model.chains[3][1]] + np.array([0.0, -12.0, -34.0])
    axis = cross(tip - root, goal - root)
    axis /= np.linalg.norm(axis)
    current = np.eye(3, 4)
    for index, angle in enumerate((hand.curl[0] * THUMB_BEND).tolist()):
        current = compose(current, about(model.joints[chain[index]], axis, angle))
        bones[chain[index]] = current
    bones[chain[3]] = current
    if hand.pinch > 0:
        _pinch_thumb(model, bones, hand.pinch)


def _pinch_thumb(model: Rig, bones: Array, pinch: float) -> None:
    """Turns the whole thumb about its root towards the index finger's tip, as far as `pinch` says."""
    chain, index_tip = model.chains[0], model.chains[1][-1]
    root = apply(bones[chain[0]], model.joints[chain[0]])
    now = apply(bones[chain[3]], model.joints[chain[3]]) - root
    goal = apply(bones[index_tip], model.joints[index_tip]) + np.array([0.0, -4.0, -9.0]) - root
    axis = cross(now, goal)
    size = np.linalg.norm(axis)
    if size < 1e-6:
        return
    angle = np.arctan2(size, now @ goal) * pinch
    turn = about(root, axis / size, angle)
    for joint in chain:
        bones[joint] = compose(turn, bones[joint])


def about(pivot: Array, axis: Array, angle: float) -> Array:
    """The rigid motion (3, 4) that turns by `angle` about the line through `pivot` along `axis`."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    rotation = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return np.column_stack([rotation, pivot - rotation @ pivot])


def compose(second: Array, first: Array) -> Array:
    """`second` after `first`, both (3, 4)."""
    rotation = second[:, :3] @ first[:, :3]
    return np.column_stack([rotation, second[:, :3] @ first[:, 3] + second[:, 3]])


def apply(motion: Array, point: Array) -> Array:
    """The point (3,) moved."""
    return np.asarray(motion[:, :3] @ point + motion[:, 3])


def arm_mesh(hand: HandPose, look: ArmLook, seed: int, grain_mm: float = 0.0) -> Mesh:
    """Hand, forearm, sleeve and cuff (a watch or ring by the seed) as one mesh."""
    whole = join([hand_mesh(hand, look, seed, grain_mm), forearm_mesh(hand, look, seed)])
    return replace(whole, solid=True)


def hand_mesh(hand: HandPose, look: ArmLook, seed: int, grain_mm: float = 0.0) -> Mesh:
    """The hand alone, in skin with knuckles, nails and blotches by the seed; details below `grain_mm` may be lost."""
    points, normals, _ = skin(hand, look.scale)
    vertices = _painted(hand.side, look, seed).copy()
    vertices[:, :3], vertices[:, 3:6] = points, normals
    return Mesh(vertices, _coarse(hand.side, grain_mm), _coarse(hand.side, SHADOW_GRAIN_MM))


@functools.lru_cache(maxsize=64)
def _painted(side: str, look: ArmLook, seed: int) -> NDArray[np.float32]:
    colours = _complexion(side, look, seed)
    return build(np.zeros_like(colours), np.zeros_like(colours), [[0, 1, 2]], colours, 0.12).vertices


@functools.cache
def _coarse(side: str, grain_mm: float) -> NDArray[np.int32]:
    """Triangles of the same vertices, fewer: the vertices of a cube of space of that size are taken for one."""
    model = rig(side)
    if grain_mm <= 0:
        return model.faces
    cubes = np.floor(model.vertices / grain_mm).astype(np.int64)
    _, first, cube = np.unique(cubes, axis=0, return_index=True, return_inverse=True)
    faces = first[cube.reshape(-1)][model.faces]
    whole = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    return np.asarray(faces[whole], np.int32)


@functools.lru_cache(maxsize=256)
def _complexion(side: str, look: ArmLook, seed: int) -> Array:
    """Display colours (V, 3): redder knuckles and tips, lighter nails, darker creases, soft blotches."""
    model = rig(side)
    rng = np.random.default_rng(seed)
    base = np.asarray(look.skin)
    points = model.vertices
    waves = rng.normal(0, 1, (6, 3)) / 14.0
    blotch = np.sin(points @ waves.T + rng.uniform(0, 6.28, 6)).mean(1)
    colour = base * (1 + 0.06 * blotch[:, None]) + rng.normal(0, 0.012, (len(points), 1))
    warm = base * [1.02, 0.86, 0.84]
    for chain in model.chains:
        for joint, reach, share in [(joint, 11.0, 0.5) for joint in chain[1:]]:
            near = np.exp(-((np.linalg.norm(points - model.joints[joint], axis=1) / reach) ** 2))
            colour += (share * near)[:, None] * (warm - base)
        tip, last = model.joints[chain[-1]], model.joints[chain[-2]]
        nail = tip + (last - tip) * 0.25 + np.array([0.0, 0.0, 6.0])
        near = np.linalg.norm(points - nail, axis=1) < 7.0
        colour[near] = 0.7 * colour[near] + 0.3 * (base * [1.05, 0.92, 0.9] + 0.06)
    palm = np.clip(-_normals(points, model.faces)[:, 2], 0, 1)[:, None]
    return np.asarray(np.clip(colour + palm * 0.25 * (np.array([0.85, 0.65, 0.58]) - colour), 0, 1))


def forearm_mesh(hand: HandPose, look: ArmLook, seed: int) -> Mesh:
    """The arm from inside the wrist to the elbow: skin, then sleeve, cuff and upper arm."""
    wrist, elbow = np.asarray(hand.wrist, float), np.asarray(hand.elbow, float)
    turn = pose_matrix(hand.yaw, hand.pitch, hand.roll)
    inside = wrist + turn @ np.array([0.0, 14.0, 0.0]) * look.scale
    share = np.array([0.0, 0.12, 0.3, 0.55, 0.8, 1.0])
    straight = inside + (elbow - inside) * share[:, None]
    radii = np.array([25.0, 26.5, 31.0, 39.0, 43.0, 44.0]) * look.scale
    up = turn @ np.array([0.0, 0.0, 1.0])
    flat = np.array([0.72, 0.74, 0.84, 0.95, 1.0, 1.0])
    parts = [tube(straight, radii, look.skin, gloss=0.1, flatten=flat, up=tuple(up))]
    if look.sleeve_length > 0.02:
        parts.append(_sleeve(inside, elbow, look, up, seed))
        parts.append(_upper_arm(hand, elbow, look))
    elif seed % 3 == 0:
        parts.append(_band(inside, elbow, up, at=0.16, scale=look.scale, colour=(0.25, 0.25, 0.27)))
    return join(parts)


def _upper_arm(hand: HandPose, elbow: Array, look: ArmLook) -> Mesh:
    """The sleeve from the elbow up to the shoulder, which is outside the table and higher."""
    if hand.owner == "dealer":
        shoulder = np.array([175.0 if hand.side == "right" else -175.0, -330.0, 360.0])
    else:
        out = elbow - np.asarray(hand.wrist, float)
        out[2] = 0.0
        shoulder = elbow + out / (np.linalg.norm(out) + 1e-6) * 220.0 + np.array([0.0, 0.0, 180.0])
    share = np.linspace(-0.06, 1.0, 6)
    path = elbow + (shoulder - elbow) * share[:, None]
    radii = np.array([50.0, 57.0, 60.0, 64.0, 70.0, 74.0]) * look.scale
    return tube(path, radii, look.sleeve, sides=18, gloss=0.02)


def _sleeve(inside: Array, elbow: Array, look: ArmLook, up: Array, seed: int) -> Mesh:
    start = max(0.06, 1.0 - look.sleeve_length)
    share = np.linspace(start, 1.12, 14)
    path = inside + (elbow - inside) * share[:, None]
    rng = np.random.default_rng(seed + 11)
    folds = 1 + 0.02 * np.sin(np.arange(14) * rng.uniform(1.0, 2.2) + rng.uniform(0, 6)) + rng.normal(0, 0.014, 14)
    radii = (34.0 + 22.0 * share) * folds * look.scale
    tone = np.asarray(look.sleeve) * (1 + 0.12 * (folds - 1)[:, None] / 0.05)
    cloth = np.clip(tone, 0, 1)
    parts = [tube(path, radii, cloth, sides=20, gloss=0.02, flatten=0.9, up=tuple(up))]
    if look.cuff:
        ring = inside + (elbow - inside) * np.array([start - 0.045, start - 0.01, start + 0.05])[:, None]
        white, radii = np.clip(np.asarray(look.sleeve) * 0.2 + 0.75, 0, 1), np.array([33.0, 34.0, 34.5]) * look.scale
        parts.append(tube(ring, radii, white, sides=20, gloss=0.02, flatten=0.9, up=tuple(up)))
    return join(parts)


def _band(inside: Array, elbow: Array, up: Array, *, at: float, scale: float, colour: Vec3) -> Mesh:
    ring = inside + (elbow - inside) * np.array([at, at + 0.07])[:, None]
    return tube(ring, np.array([30.0, 31.0]) * scale, colour, sides=20, gloss=0.6, flatten=0.8, up=tuple(up))
