"""A seed to a scene: table, furniture, people, light, camera; nothing of what happens in it.

`draw_spec(rng, split, mm_per_px)` makes the scene for a shoe at the dealer's left and, in half the cases, mirrors it.
The splits share no deck and no back (`art.designs`), and their seeds are disjoint by construction.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from sample_videos.studio.art import Split, back_names, face_names
from sample_videos.studio.scene import (
    ArmLook,
    CameraSpec,
    DeckLook,
    Equipment,
    SceneSpec,
    Sensor,
    Vec2,
    Vec3,
)

Zones = dict[str, tuple[Vec2, ...]]

FELTS: tuple[Vec3, ...] = (
    (0.07, 0.34, 0.19),
    (0.05, 0.27, 0.14),
    (0.10, 0.22, 0.45),
    (0.45, 0.08, 0.10),
    (0.28, 0.12, 0.36),
    (0.10, 0.40, 0.42),
    (0.55, 0.45, 0.30),
    (0.12, 0.12, 0.13),
    (0.20, 0.45, 0.20),
    (0.08, 0.16, 0.30),
)
SKINS: tuple[Vec3, ...] = (
    (0.93, 0.76, 0.65),
    (0.85, 0.64, 0.50),
    (0.76, 0.54, 0.40),
    (0.62, 0.42, 0.30),
    (0.48, 0.31, 0.22),
    (0.34, 0.22, 0.16),
)
SIZES: tuple[tuple[int, int], ...] = (
    (1280, 720), (1920, 1080), (1600, 900), (2560, 1440), (960, 540), (1024, 768), (720, 480), (848, 480), (1280, 960)
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Setting:
    """A scene's spec as the camera sees it, and the same furniture and zones unmirrored, for the choreography."""

    spec: SceneSpec
    mirrored: bool
    equipment: Equipment  # for a shoe at the left
    zones: Zones  # likewise
    mm_per_px: float


def box(x0: float, y0: float, x1: float, y1: float) -> tuple[Vec2, ...]:
    """A rectangle's corners."""
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def draw_spec(
    rng: np.random.Generator,
    split: str,
    mm_per_px: float | None = None,
    *,
    seed: int = 0,
    mirrored: bool | None = None,
) -> Setting:
    """A random scene of a split ('train' or 'eval') at about `mm_per_px` in the dealer's area.

    `mirrored` puts the shoe at the dealer's right; by default chance does. The rest does not depend on it.
    """
    equipment = _equipment(rng)
    width, depth = float(rng.uniform(2000, 2700)), float(rng.uniform(850, 1150))
    zones = _zones(rng, equipment, width, depth)
    scale = mm_per_px if mm_per_px is not None else float(np.exp(rng.uniform(np.log(0.5), np.log(1.5))))
    chance = bool(rng.random() < 0.5)
    mirrored = chance if mirrored is None else mirrored
    spec = SceneSpec(
        seed=seed,
        camera=_camera(rng, equipment, scale),
        sensor=_sensor(rng, scale),
        equipment=equipment,
        decks=(_deck(rng, split),),
        arms=_arms(rng, zones),
        zones_mm=zones,
        seats=tuple(sorted(int(n[5:]) for n in zones if n.startswith("seat:"))),
        shoe_side="left",
        felt_colour=_shade(rng, FELTS[int(rng.integers(len(FELTS)))], 0.25),
        felt_style=int(rng.integers(0, 4)),
        table_width_mm=width,
        table_depth_mm=depth,
        lights=_lights(rng),
        ambient=float(rng.uniform(0.45, 0.7)),
        floor_style=int(rng.integers(0, 5)),
        print_colour=_shade(rng, (0.95, 0.9, 0.7), 0.3),
    )
    return Setting(mirror_spec(spec) if mirrored else spec, mirrored, equipment, zones, scale)


def _shade(rng: np.random.Generator, colour: Vec3, spread: float) -> Vec3:
    factor = rng.uniform(1 - spread, 1 + spread, 3) * rng.uniform(1 - spread / 2, 1 + spread / 2)
    r, g, b = np.clip(np.asarray(colour) * factor, 0.01, 0.98)
    return (float(r), float(g), float(b))


def _equipment(rng: np.random.Generator) -> Equipment:
    length, wide, high = float(rng.uniform(250, 420)), float(rng.uniform(110, 150)), float(rng.uniform(80, 130))
    exit_x = float(rng.uniform(-345, -215))
    y = float(rng.uniform(130, 220))
    bucket = (float(rng.uniform(110, 165)), float(rng.uniform(100, 150)))
    half_tray = float(rng.uniform(190, 260))
    bx, by = float(rng.uniform(320, 520)), float(rng.uniform(bucket[1] / 2 + 5, 190))
    bx = max(bx, half_tray + bucket[0] / 2 + 12)
    dark = rng.random() < 0.65
    shoe = _shade(rng, (0.08, 0.08, 0.09) if dark else (0.6, 0.15, 0.15), 0.6)
    return Equipment(
        shoe_centre=(exit_x - 45 - length / 2, y),
        shoe_size_mm=(length, wide, high),
        shoe_yaw=0.0,
        shoe_exit_mm=(exit_x, y),
        shoe_colour=shoe,
        shoe_lid=str(rng.choice(["opaque", "opaque", "opaque", "smoke"])),
        bucket_centre=(bx, by),
        bucket_size_mm=(bucket[0], bucket[1], float(rng.uniform(60, 95))),
        bucket_yaw=0.0,
        bucket_colour=_shade(rng, ((0.07, 0.07, 0.08), (0.55, 0.5, 0.45), (0.5, 0.1, 0.1))[int(rng.choice(3))], 0.5),
        tray=((-half_tray, 8.0), (half_tray, float(rng.uniform(85, 125)))),
        shoe_faceplate=_shade(rng, ((0.92, 0.92, 0.92), (0.15, 0.15, 0.15))[int(rng.integers(2))], 0.2),
        bucket_wall_mm=float(rng.uniform(3, 7)),
        bucket_depth_mm=float(rng.uniform(45, 80)),
        extras=tuple(
            str(e)
            for e in rng.choice(
                ["rack", "sign", "shuffler", "lammer", "cup", "paper", "pen", "cover_card"],
                int(rng.integers(0, 4)),
                replace=False,
            )
        ),
    )


def _zones(rng: np.random.Generator, e: Equipment, width: float, depth: float) -> Zones:
    def off() -> float:
        return float(rng.uniform(-15, 15))

    ex, ey = e.shoe_exit_mm
    length, wide, _ = e.shoe_size_mm
    bx, by = e.bucket_centre
    half_x, half_y = e.bucket_size_mm[0] / 2 + 3, e.bucket_size_mm[1] / 2 + 3
    tray_y = e.tray[1][1]
    hand_y0 = tray_y + float(rng.uniform(30, 60))
    hand_y1 = hand_y0 + float(rng.uniform(100, 125))
    gap, span = float(rng.uniform(10, 25)), float(rng.uniform(190, 235))
    right, left = box(gap, hand_y0, gap + span, hand_y1), box(-gap - span, hand_y0, -gap, hand_y1)
    player_right = rng.random() < 0.6
    zones: Zones = {
        "tray": box(e.tray[0][0], e.tray[0][1], e.tray[1][0], e.tray[1][1]),
        "tray_front": box(e.tray[0][0], tray_y, e.tray[1][0], tray_y + 28),
        "shuffle": box(-265 + off(), tray_y + 8, 265 + off(), 375 + off()),
        "discard": box(bx - half_x + off(), by - half_y + off(), bx + half_x + off(), by + half_y + off()),
        "shoe": box(
            ex - 45 - length + off(), ey - wide / 2 + off(), ex + float(rng.uniform(-6, 6)), ey + wide / 2 + off()
        ),
        "player": right if player_right else left,
        "banker": left if player_right else right,
    }
    count = int(rng.integers(5, 10))
    for i in range(count):
        _seat(zones, i, count, width, depth)
    return zones


def _seat(zones: Zones, i: int, count: int, width: float, depth: float) -> None:
    """Seat `i + 1` of `count`, counter-clockwise from the dealer's right, with its betting spot."""
    angle = math.pi * (0.06 + 0.88 * i / (count - 1))
    a, b = width / 2 - 150, depth - 110
    x, y = a * math.cos(angle), 40 + b * math.sin(angle)
    ax, ay = -math.sin(angle), math.cos(angle)
    ox, oy = math.cos(angle), math.sin(angle)
    half = min(110.0, 0.8 * math.pi * a / count / 2)

    def corner(across: float, out: float) -> Vec2:
        return (x + ax * across + ox * out, y + ay * across + oy * out)

    zones[f"seat:{i + 1}"] = (corner(-half, -90), corner(half, -90), corner(half, 60), corner(-half, 60))
    zones[f"bet:{i + 1}:main"] = (corner(-40, -75), corner(40, -75), corner(40, -5), corner(-40, -5))


def _deck(rng: np.random.Generator, split: str) -> DeckLook:
    names: Split = "train" if split == "train" else "eval"
    faces, backs = face_names(names), back_names(names)
    return DeckLook(
        faces=str(faces[int(rng.integers(len(faces)))]),
        back=str(backs[int(rng.integers(len(backs)))]),
        back_colour=_shade(rng, ((0.6, 0.08, 0.1), (0.08, 0.15, 0.5), (0.1, 0.1, 0.1))[int(rng.choice(3))], 0.5),
        gloss=float(rng.uniform(0.1, 0.6)),
    )


def _arms(rng: np.random.Generator, zones: Zones) -> dict[str, ArmLook]:
    def look() -> ArmLook:
        sleeve = rng.uniform(0.02, 0.95, 3) if rng.random() < 0.4 else np.full(3, rng.uniform(0.02, 0.95))
        return ArmLook(
            skin=_shade(rng, SKINS[int(rng.integers(len(SKINS)))], 0.12),
            sleeve=(float(sleeve[0]), float(sleeve[1]), float(sleeve[2])),
            sleeve_length=float(rng.choice([0.0, 0.55, 0.85, 0.95], p=[0.12, 0.13, 0.35, 0.4])),
            cuff=bool(rng.random() < 0.5),
            scale=float(rng.uniform(0.9, 1.1)),
        )

    owners = ["dealer", "floor", *(n for n in zones if n.startswith("seat:"))]
    return {owner: look() for owner in owners}


def _lights(rng: np.random.Generator) -> tuple[tuple[Vec3, float], ...]:
    count = int(rng.integers(2, 5))
    strength = rng.dirichlet(np.full(count, 3.0))
    return tuple(
        (
            (float(rng.uniform(-1500, 1500)), float(rng.uniform(-600, 1500)), float(rng.uniform(1700, 3500))),
            float(s),
        )
        for s in strength
    )


def _sensor(rng: np.random.Generator, mm_per_px: float) -> Sensor:
    balance = np.exp(rng.normal(0, 0.06, 3))
    return Sensor(
        fps=float(rng.choice([15.0, 20.0, 25.0, 30000 / 1001, 30.0], p=[0.2, 0.1, 0.25, 0.2, 0.25])),
        exposure_s=float(1 / rng.choice([60, 100, 125, 250])),
        gain=float(np.exp(rng.normal(0, 0.12))),
        white_balance=(float(balance[0]), 1.0, float(balance[2])),
        noise_sigma=float(rng.uniform(0.8, 4.5)),
        gamma=float(np.exp(rng.normal(0, 0.08))),
        bit_rate=int(rng.uniform(2.0, 6.5) * 1e6),
        vignetting=float(rng.uniform(0, 0.3)),
        sharpen=float(rng.choice([0.0, 0.3, 0.6])),
    )


def _camera(rng: np.random.Generator, e: Equipment, mm_per_px: float) -> CameraSpec:
    """A camera somewhere above that has the dealer's area, shoe to bucket, in view at that scale."""
    x0, x1 = e.shoe_centre[0] - e.shoe_size_mm[0] / 2, e.bucket_centre[0] + e.bucket_size_mm[0] / 2
    y0, y1 = -40.0, 400.0
    need = ((x1 - x0 + 90) / mm_per_px, (y1 - y0 + 60) / mm_per_px)
    fitting = [s for s in SIZES if s[0] >= need[0] and s[1] >= need[1]]
    size = min(fitting, key=lambda s: s[0] * s[1]) if fitting else _size_for(need)
    tilt = math.radians(float(abs(rng.normal(0, 12))))
    tilt = min(tilt, math.radians(30))
    around = float(rng.uniform(0, 2 * math.pi))
    height = float(rng.uniform(1900, 4800))
    target = ((x0 + x1) / 2, (y0 + y1) / 2 + float(rng.uniform(-10, 30)), 0.0)
    position = (
        target[0] + height * math.tan(tilt) * math.cos(around),
        target[1] + height * math.tan(tilt) * math.sin(around),
        height,
    )
    distance = math.dist(position, target)
    upright = rng.random()
    roll = 0.0 if upright < 0.55 else math.pi if upright < 0.92 else float(rng.choice([-1, 1])) * math.pi / 2
    if abs(roll) == math.pi / 2:
        size = _size_for((need[1], need[0]))
    roll += math.radians(float(rng.normal(0, 2)))
    k1 = float(rng.uniform(-0.12, 0.02))
    return CameraSpec(
        width_px=size[0],
        height_px=size[1],
        position_mm=position,
        look_at_mm=target,
        roll=roll,
        focal_px=distance / mm_per_px,
        principal_px=(size[0] / 2 + float(rng.normal(0, 6)), size[1] / 2 + float(rng.normal(0, 6))),
        distortion=(k1, float(rng.uniform(0, 0.02)), 0.0, 0.0, 0.0),
    )


def _size_for(need: tuple[float, float]) -> tuple[int, int]:
    """A picture that holds what is needed, in whole blocks of 16."""
    return (math.ceil(need[0] / 16) * 16, math.ceil(need[1] / 16) * 16)


def mirror_spec(spec: SceneSpec) -> SceneSpec:
    """The spec with left and right exchanged; the camera stays where it hangs and looks at the mirrored place."""

    def zone(corners: tuple[Vec2, ...]) -> tuple[Vec2, ...]:
        return tuple((-x, y) for x, y in reversed(corners))

    e = spec.equipment
    top = max(spec.seats)
    zones: Zones = {}
    for name, corners in spec.zones_mm.items():
        parts = name.split(":")
        if parts[0] in ("seat", "bet"):  # seats are numbered from the dealer's right on every table
            parts[1] = str(top + 1 - int(parts[1]))
        zones[":".join(parts)] = zone(corners)
    arms = {}
    for owner, look in spec.arms.items():
        arms[f"seat:{top + 1 - int(owner[5:])}" if owner.startswith("seat:") else owner] = look
    return replace(
        spec,
        equipment=replace(
            e,
            shoe_centre=(-e.shoe_centre[0], e.shoe_centre[1]),
            shoe_exit_mm=(-e.shoe_exit_mm[0], e.shoe_exit_mm[1]),
            shoe_yaw=math.pi - e.shoe_yaw,
            bucket_centre=(-e.bucket_centre[0], e.bucket_centre[1]),
            bucket_yaw=-e.bucket_yaw,
            tray=((-e.tray[1][0], e.tray[0][1]), (-e.tray[0][0], e.tray[1][1])),
        ),
        camera=mirror_camera(spec.camera),
        zones_mm=zones,
        arms=arms,
        shoe_side="right" if spec.shoe_side == "left" else "left",
    )


def mirror_camera(camera: CameraSpec) -> CameraSpec:
    """The camera over the mirrored place."""
    return replace(
        camera,
        position_mm=(-camera.position_mm[0], camera.position_mm[1], camera.position_mm[2]),
        look_at_mm=(-camera.look_at_mm[0], camera.look_at_mm[1], camera.look_at_mm[2]),
        roll=-camera.roll,
    )
