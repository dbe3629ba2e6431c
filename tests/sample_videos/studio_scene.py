"""A small scene that the renderer's tests share."""

from __future__ import annotations

import numpy as np

from sample_videos.studio.scene import (
    ArmLook,
    CameraSpec,
    CardPose,
    ChipStack,
    DeckLook,
    Equipment,
    HandPose,
    SceneSpec,
    SceneState,
    Sensor,
    StackPose,
    Vec2,
    Vec3,
)

DISTORTION = (-0.14, 0.03, 0.0006, -0.0004, 0.002)


def box(x: float, y: float, width: float, depth: float) -> tuple[Vec2, ...]:
    w, d = width / 2, depth / 2
    return (x - w, y - d), (x + w, y - d), (x + w, y + d), (x - w, y + d)


def camera(
    tilt_deg: float = 12.0, roll: float = 0.0, size: tuple[int, int] = (640, 360), mm_per_px: float = 2.0
) -> CameraSpec:
    look_at: Vec3 = (0.0, 380.0, 0.0)
    tilt, reach = np.radians(tilt_deg), 2600.0
    position = (40.0, look_at[1] - reach * float(np.sin(tilt)), reach * float(np.cos(tilt)))
    principal = (size[0] / 2 - 0.5 + 3, size[1] / 2 - 0.5 - 2)
    return CameraSpec(*size, position, look_at, roll, reach / mm_per_px, principal, DISTORTION)


def scene(seed: int = 4, view: CameraSpec | None = None) -> SceneSpec:
    equipment = Equipment(
        (-430.0, 220.0), (330.0, 115.0, 100.0), 0.3, (-270.0, 260.0), (0.1, 0.1, 0.12), "opaque",
        (430.0, 220.0), (140.0, 115.0, 110.0), 0.1, (0.2, 0.2, 0.22), ((-250.0, 4.0), (250.0, 130.0)), extras=("cup",),
    )  # fmt: skip
    zones = {
        "tray": box(0, 66, 500, 126), "player": box(-130, 330, 220, 110), "banker": box(130, 330, 220, 110),
        "shoe": box(-430, 220, 330, 160), "discard": box(430, 220, 170, 150),
        "seat:1": box(700, 700, 140, 110), "seat:2": box(0, 950, 140, 110), "seat:3": box(-700, 700, 140, 110),
    }  # fmt: skip
    return SceneSpec(
        seed, view or camera(), Sensor(), equipment, (DeckLook("casino-jumbo", "lattice", (0.1, 0.2, 0.6)),),
        {"dealer": ArmLook((0.75, 0.55, 0.43), (0.9, 0.9, 0.92))}, zones, (1, 2, 3), "left", (0.05, 0.35, 0.2), 1,
        2000.0, 1100.0, (((-700.0, 300.0, 2300.0), 1.0), ((600.0, 100.0, 2300.0), 1.0)),
    )  # fmt: skip


def state(shift: float = 0.0) -> SceneState:
    cards = (
        CardPose(1, "7", "H", True, (-170.0, 330.0, 0.3), 0.05),
        CardPose(2, "K", "S", False, (120.0, 332.0, 0.3), -0.3),
        CardPose(3, "9", "C", True, (-140.0 + shift, 335.0, 0.7), 0.4),
        CardPose(4, "2", "D", False, (430.0, 220.0, 5.0), 1.2),
    )
    hands = (HandPose("dealer", "right", (330.0, 300.0, 40.0), 0.2, elbow=(380.0, -60.0, 120.0)),)
    chips = (ChipStack((300.0, 620.0, 0.0), 5, "red"),)
    cover = (CardPose(9, "", "", True, (40.0, 560.0, 0.3), 0.6),)
    return SceneState(0, cards, hands, chips, (StackPose((-60.0, 520.0, 0.0), 60, 0.2),), cover)
