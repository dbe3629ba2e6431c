"""A camera over that part of the table where a scene's action is."""

from __future__ import annotations

import math

import numpy as np

from sample_videos.studio.randomise import Setting
from sample_videos.studio.scene import CameraSpec, SceneState, Vec2

Box = tuple[float, float, float, float]  # x0, y0, x1, y1 in table mm
#: No picture is larger than this; a wider scene is seen in part.
LARGEST_PX = (3840, 2160)
MARGIN_MM = 28.0


def action_box(states: list[SceneState]) -> Box:
    """What the stacks, cover cards and single cards of these states take up on the table."""
    spots = [(*stack.centre[:2], 75.0) for state in states for stack in state.stacks] + [
        (*card.centre[:2], 50.0) for state in states for card in (*state.cover_cards, *state.cards)
    ]
    return (
        min(x - r for x, _, r in spots),
        min(y - r for _, y, r in spots),
        max(x + r for x, _, r in spots),
        max(y + r for _, y, r in spots),
    )


def table_box(setting: Setting) -> Box:
    """The whole table with its seats."""
    half = setting.spec.table_width_mm / 2
    return (-half, -40.0, half, setting.spec.table_depth_mm)


def camera_over(rng: np.random.Generator, box: Box, mm_per_px: float, steep: bool) -> CameraSpec:
    """A camera that sees the box at about `mm_per_px` in its middle: straight above, or up to 25 degrees off."""
    x0, y0, x1, y1 = box
    need = ((x1 - x0 + 2 * MARGIN_MM) / mm_per_px, (y1 - y0 + 2 * MARGIN_MM) / mm_per_px)
    size = (_even(min(need[0], LARGEST_PX[0])), _even(min(need[1], LARGEST_PX[1])))
    target: Vec2 = ((x0 + x1) / 2, (y0 + y1) / 2)
    tilt = math.radians(float(rng.uniform(0, 4) if steep else rng.uniform(8, 25)))
    around = float(rng.uniform(0, 2 * math.pi))
    height = float(rng.uniform(2400, 4800))
    reach = height * math.tan(tilt)
    position = (target[0] + reach * math.cos(around), target[1] + reach * math.sin(around), height)
    distance = math.dist(position, (*target, 0.0))
    roll = (0.0 if rng.random() < 0.5 else math.pi) + math.radians(float(rng.normal(0, 1.5)))
    return CameraSpec(
        width_px=size[0],
        height_px=size[1],
        position_mm=position,
        look_at_mm=(*target, 0.0),
        roll=roll,
        focal_px=distance / mm_per_px,
        principal_px=(size[0] / 2 + float(rng.normal(0, 4)), size[1] / 2 + float(rng.normal(0, 4))),
        distortion=(float(rng.uniform(-0.06, 0.01)), 0.0, 0.0, 0.0, 0.0),
    )


def _even(pixels: float) -> int:
    return max(320, math.ceil(pixels / 16) * 16)
