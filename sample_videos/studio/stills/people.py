"""People about a table and their hands: heads and shoulders at the rim, hands on the felt with rings and watches."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sample_videos.studio.choreography.dealer import hand_pose
from sample_videos.studio.choreography.motion import Key
from sample_videos.studio.hands import forearm_mesh, hand_mesh, rig, skin
from sample_videos.studio.meshes import Mesh, cylinder, join, place, pose_matrix, tube
from sample_videos.studio.randomise import SKINS
from sample_videos.studio.scene import ArmLook, HandPose, Vec2, Vec3
from sample_videos.studio.stills.solids import lathe, pick, shade
from sample_videos.studio.stills.still import Random, Thing

HAIR = ((0.08, 0.06, 0.05), (0.25, 0.16, 0.1), (0.45, 0.32, 0.2), (0.75, 0.65, 0.45), (0.6, 0.6, 0.6), (0.5, 0.2, 0.1))
GOLD, STEEL = (0.8, 0.62, 0.25), (0.7, 0.7, 0.72)


def look(rng: Random) -> ArmLook:
    """How somebody's arms look."""
    cloth = rng.uniform(0.02, 0.95, 3) if rng.random() < 0.45 else np.full(3, rng.uniform(0.02, 0.95))
    skin_ = shade(rng, SKINS[int(rng.integers(len(SKINS)))], 0.12)
    return ArmLook(
        _vec(skin_), _vec(cloth), float(rng.choice([0.0, 0.5, 0.85, 0.95], p=[0.25, 0.15, 0.3, 0.3])),
        bool(rng.random() < 0.4), float(rng.uniform(0.85, 1.12)),
    )  # fmt: skip


def _vec(values: NDArray[np.float64]) -> Vec3:
    return float(values[0]), float(values[1]), float(values[2])


def person(rng: Random, at: Vec2, facing: float, arms: ArmLook) -> Thing:
    """Somebody who sits or stands at `at`, looking along `facing` (0 = +y): shoulders, neck, head, hair or a cap."""
    cloth, hair = np.asarray(arms.sleeve), pick(rng, HAIR)
    rise, lean = float(rng.uniform(-60, 140)), float(rng.uniform(0, 130))
    width = float(rng.uniform(185, 245))
    share = np.linspace(0, 1, 10)
    path = np.column_stack([np.zeros(10), lean * share**2, -300 + rise * share + 620 * share])
    girth = width * np.array([0.8, 0.82, 0.85, 0.9, 0.95, 1.0, 1.02, 0.95, 0.72, 0.28])
    trunk = tube(path, girth, cloth, sides=22, gloss=0.03, flatten=0.55, up=(0, 1, 0))
    top = 320 + rise
    neck = place(lathe(((56, -40), (52, 60)), arms.skin, sides=14), (0, lean + 8, top))
    parts = [trunk, neck, place(_head(rng, np.asarray(arms.skin), hair), (0, lean + 28, top + 50))]
    return Thing("person", place(join(parts), (*at, 0.0), facing))


def _head(rng: Random, face: NDArray[np.float64], hair: NDArray[np.float64]) -> Mesh:
    """A head looking to +y: skull and hair, a nose, ears, now and then a cap or a bald top."""
    profile = ((40, 0), (62, 30), (76, 80), (80, 130), (74, 175), (50, 205), (0, 218))
    parts = [lathe(profile, face, sides=20, gloss=0.12)]
    kind = rng.random()
    if kind < 0.75:
        shell = lathe(((84, 100), (87, 140), (80, 185), (54, 214), (0, 227)), hair, sides=20, gloss=0.2)
        parts.append(place(shell, (0, -10, 0)))
        if rng.random() < 0.35:  # long hair
            parts.append(place(lathe(((88, -60), (98, 20), (92, 110)), hair, sides=20), (0, -26, 0)))
    elif kind < 0.9:
        colour = pick(rng, ((0.1, 0.1, 0.12), (0.6, 0.1, 0.1), (0.1, 0.2, 0.5), (0.85, 0.85, 0.85)))
        parts.append(lathe(((86, 130), (88, 150), (78, 200), (45, 226), (0, 232)), colour, sides=20))
        parts.append(place(cylinder(74, 6, colour * 0.9, sides=24), (0, 62, 138)))
    parts.append(place(lathe(((12, 0), (9, 26), (0, 34)), face, sides=10), (0, 82, 85)))
    ear = lathe(((10, 0), (14, 20), (6, 46)), face * 0.95, sides=10)
    parts += [place(ear, (side * 80, 0, 85)) for side in (-1, 1)]
    return join(parts)


def hand_of(rng: Random, grip: Vec3, yaw: float, side: str, *, dealer: bool) -> HandPose:
    """A hand with its finger tips at `grip`, pointing along `yaw` (0 = +y), anyhow bent."""
    owner = "dealer" if dealer else "seat:1"
    away = float(rng.uniform(380, 560))
    out = yaw + float(rng.normal(0, 0.25))
    shoulder = (grip[0] + away * math.sin(out), grip[1] - away * math.cos(out))
    key = Key(0, grip, yaw, float(rng.choice([0.0, 0.3, 0.9])), float(rng.choice([0.02, 0.15, 0.35, 0.7, 1.0])))
    pose = hand_pose(key, owner, side, shoulder)
    if rng.random() < 0.25:  # turned on its edge, or the palm up
        roll = float(rng.choice([0.6, 1.2, 3.0])) * (1 if side == "left" else -1)
        pose = replace(pose, roll=roll, wrist=(pose.wrist[0], pose.wrist[1], max(pose.wrist[2], 46.0)))
    return pose


def pinching(rng: Random, grip: Vec3, yaw: float, side: str, *, dealer: bool) -> HandPose:
    """A hand that holds something at `grip` between thumb and index finger, pointing along `yaw` (0 = +y)."""
    away, out = float(rng.uniform(380, 560)), yaw + float(rng.normal(0, 0.25))
    shoulder = (grip[0] + away * math.sin(out), grip[1] - away * math.cos(out))
    key = Key(0, grip, yaw, float(rng.uniform(0.6, 1.0)), float(rng.uniform(0.1, 0.6)))
    return hand_pose(key, "dealer" if dealer else "seat:1", side, shoulder)


def arm_things(rng: Random, pose: HandPose, arms: ArmLook) -> list[Thing]:
    """The hand, labelled, with its ring and watch; and the arm that it hangs on, not labelled."""
    seed = int(rng.integers(1 << 20))
    jewels = [Thing(None, _ring(rng, pose, arms))] if rng.random() < 0.3 else []
    hand = Thing("hand", hand_mesh(pose, arms, seed, 0.0), tuple(jewels), plump=False)
    arm = [Thing(None, forearm_mesh(pose, arms, seed))]
    if (arms.sleeve_length < 0.6 and rng.random() < 0.5) or rng.random() < 0.1:
        arm.append(Thing(None, _watch(rng, pose, arms)))
    return [hand, *arm]


def _ring(rng: Random, pose: HandPose, arms: ArmLook) -> Mesh:
    """A ring about a finger's first bone."""
    model = rig(pose.side)
    points, _, _ = skin(pose, arms.scale)
    chain = model.chains[int(rng.integers(1, 5))]
    near, far = (points[model.weights[:, bone] > 0.6].mean(0) for bone in (chain[1], chain[2]))
    along = (far - near) / (np.linalg.norm(far - near) + 1e-9)
    middle = near + along * 4.0
    path = np.stack([middle - along * 2.0, middle + along * 2.0])
    up = (0.0, 0.0, 1.0) if abs(along[2]) < 0.9 else (0.0, 1.0, 0.0)
    return tube(path, [10.3, 10.3], pick(rng, (GOLD, STEEL)), sides=14, gloss=0.9, up=up)


def _watch(rng: Random, pose: HandPose, arms: ArmLook) -> Mesh:
    """A watch about the wrist: a strap, and a dial on the hand's back."""
    wrist, elbow = np.asarray(pose.wrist), np.asarray(pose.elbow)
    turn = pose_matrix(pose.yaw, pose.pitch, pose.roll)
    up = turn @ np.array([0.0, 0.0, 1.0])
    ring = wrist + (elbow - wrist) * np.array([0.09, 0.16])[:, None]
    colour = pick(rng, (GOLD, STEEL, (0.05, 0.05, 0.05), (0.3, 0.18, 0.1)))
    strap = tube(ring, np.array([29.5, 30.5]) * arms.scale, colour, sides=20, gloss=0.7, flatten=0.78, up=_vec(up))
    dial = cylinder(17.0, 6.0, pick(rng, ((0.9, 0.9, 0.9), (0.05, 0.05, 0.06), GOLD)), sides=20, gloss=0.8)
    vertices = dial.vertices.copy()
    vertices[:, :3] = vertices[:, :3] @ turn.T.astype(np.float32) + (ring.mean(0) + up * 22 * arms.scale).astype(
        np.float32
    )
    vertices[:, 3:6] = vertices[:, 3:6] @ turn.T.astype(np.float32)
    return join([strap, Mesh(vertices, dial.faces)])
