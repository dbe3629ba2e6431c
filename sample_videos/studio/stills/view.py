"""The camera over a still life, and what it and the recorder do to the picture; ranges from practice."""

from __future__ import annotations

import math

import numpy as np

from sample_videos.studio.scene import CameraSpec, Sensor, Vec2
from sample_videos.studio.stills.places import Box
from sample_videos.studio.stills.still import Finish, Random

#: Picture sizes of a kind of view, the finest and the coarsest scale, mm for each pixel.
VIEWS: dict[str, tuple[tuple[tuple[int, int], ...], float, float]] = {
    "area": (((1280, 720), (1280, 720), (1024, 768), (960, 540), (848, 480), (1600, 900)), 0.6, 1.5),
    "wide": (((1280, 720), (1280, 720), (1600, 900)), 1.1, 1.9),
    "close": (((1280, 720), (960, 540), (1024, 768)), 0.2, 0.6),
}
MOST_TILT_DEG = 35.0


def draw_camera(rng: Random, view: str, table: Vec2) -> CameraSpec:
    """A camera over some part of a table `table` mm wide and deep."""
    sizes, finest, coarsest = VIEWS[view]
    size = sizes[int(rng.integers(len(sizes)))]
    scale = float(np.exp(rng.uniform(np.log(finest), np.log(coarsest))))
    width, depth = table
    room = max(0.0, width / 2 - size[0] * scale * 0.4)
    x = float(rng.uniform(-room, room))
    low, high = size[1] * scale * 0.3, depth - size[1] * scale * 0.3
    y = float(rng.uniform(low, high)) if high > low else depth * float(rng.uniform(0.35, 0.6))
    if view == "wide":
        x, y = float(rng.normal(0, 60)), depth * float(rng.uniform(0.4, 0.6))
    steep = rng.random() < 0.5
    tilt = math.radians(min(abs(float(rng.normal(0, 7))) if steep else float(rng.uniform(0, 35)), MOST_TILT_DEG))
    around = float(rng.uniform(0, 2 * math.pi))
    height = float(rng.uniform(1250, 4800))
    position = (
        x + height * math.tan(tilt) * math.cos(around), y + height * math.tan(tilt) * math.sin(around), height
    )  # fmt: skip
    distance = math.dist(position, (x, y, 0.0))
    k1 = float(rng.uniform(-0.12, 0.02)) if rng.random() < 0.7 else float(rng.uniform(-0.3, -0.12))
    roll = (0.0 if rng.random() < 0.55 else math.pi) + math.radians(float(rng.normal(0, 2.5)))
    principal = (size[0] / 2 + float(rng.normal(0, 6)), size[1] / 2 + float(rng.normal(0, 6)))
    lens = (k1, float(rng.uniform(0, 0.02 - 0.2 * min(k1, 0.0))), 0.0, 0.0, 0.0)
    return CameraSpec(*size, position, (x, y, 0.0), roll, distance / scale, principal, lens)


def seen_box(camera: CameraSpec, scale: float) -> Box:
    """About what the camera sees of the felt."""
    x, y, _ = camera.look_at_mm
    half = (camera.width_px * scale / 2, camera.height_px * scale / 2)
    return (x - half[0], y - half[1], x + half[0], y + half[1])


def draw_sensor(rng: Random) -> Sensor:
    """The electronics: dim and bright rooms, warm and cold and coloured light. Noise comes with the finish."""
    tint = 0.07 if rng.random() < 0.75 else 0.22
    balance = np.exp(rng.normal(0, tint, 3))
    dim = rng.random() < 0.2
    return Sensor(
        gain=float(np.exp(rng.normal(-0.75 if dim else 0.0, 0.18))),
        white_balance=(float(balance[0]), float(balance[1]) ** 0.4, float(balance[2])),
        noise_sigma=0.0,
        gamma=float(np.exp(rng.normal(0, 0.12))),
        vignetting=float(rng.uniform(0, 0.35)),
        sharpen=float(rng.choice([0.0, 0.3, 0.7])),
    )


def draw_finish(rng: Random, scale: float, seed: int) -> Finish:
    """Blur, glare, noise and compression. A smear is as long as what moves while the shutter is open, up to 17 px."""
    smear = float(rng.uniform(2, min(17.0, 9.0 / scale))) if rng.random() < 0.18 else 0.0
    defocus = float(rng.uniform(0.4, 2.2)) * min(1.0, 1.0 / scale) if rng.random() < 0.3 else 0.0
    spots = int(rng.choice([0, 1, 2, 3], p=[0.6, 0.2, 0.12, 0.08]))
    glare = tuple(
        (float(rng.random()), float(rng.random()), float(rng.uniform(0.02, 0.14)), float(rng.uniform(30, 190)))
        for _ in range(spots)
    )
    h264 = rng.random() < 0.5
    return Finish(
        defocus, smear, float(rng.uniform(0, math.pi)), glare, float(np.exp(rng.uniform(np.log(0.6), np.log(7.0)))),
        "h264" if h264 else "jpeg", int(rng.integers(20, 41)) if h264 else int(rng.integers(25, 90)), seed,
    )  # fmt: skip
