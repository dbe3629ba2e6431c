"""Which rectangles of the picture a state's moving things and their shadows can touch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sample_videos.studio.camera import mm_per_px, project
from sample_videos.studio.scene import CameraSpec
from sample_videos.studio.things import Drawn

Rect = tuple[int, int, int, int]  # x0, y0, x1, y1: pixels, the last ones excluded
Points = NDArray[np.float64]
STRIDE = 3  # every third vertex bounds a mesh well enough; the pad covers the rest
PAD_MM = 16.0
MERGE_GAIN = 1.1


def things_points(drawn: Drawn) -> list[Points]:
    """Points (N, 3) that bound each thing, in table mm."""
    out = []
    for _, mesh in drawn.meshes:
        points = mesh.vertices[::STRIDE, :3].astype(float)
        parts = max(1, len(points) // 200)
        out.extend(np.array_split(points, parts))
    rows = drawn.cards["rows"].astype(float)
    if len(rows):
        corners = np.array([(-32, -45), (32, -45), (-32, 45), (32, 45)], float)
        spread = rows[:, None, :, 3] + np.einsum("ck,njk->ncj", corners, rows[:, :, :2])
        out.extend(spread)
    return out


def on_felt(points: Points, lamp: Sequence[float], area: Sequence[float]) -> Points:
    """Where the shadows of points fall on z = 0, kept inside `area` (x, y, width, depth)."""
    z = np.clip(points[:, 2], 0, lamp[2] * 0.9)[:, None]
    flat = (points[:, :2] * lamp[2] - np.array(lamp[:2]) * z) / (lamp[2] - z)
    low = np.array(area[:2])
    return np.column_stack([np.clip(flat, low, low + np.array(area[2:])), np.zeros(len(flat))])


def touched_rects(
    camera: CameraSpec, things: list[Points], lamps: Sequence[Sequence[float]], area: Sequence[float]
) -> list[Rect]:
    """Rectangles that cover all things and their shadows, merged where that saves work."""
    if not things:
        return []
    sizes = [len(points) for points in things]
    cloud = np.concatenate(things)
    layers = [cloud, *(on_felt(cloud, lamp, area) for lamp in lamps)]
    px = project(camera, np.concatenate(layers)).reshape(len(layers), len(cloud), 2)
    starts = np.cumsum([0, *sizes[:-1]])
    low = np.fmin.reduceat(np.fmin.reduce(px, axis=0), starts, axis=0)
    high = np.fmax.reduceat(np.fmax.reduce(px, axis=0), starts, axis=0)
    pad = PAD_MM / mm_per_px(camera) + 3
    limit = np.array([camera.width_px, camera.height_px])
    low = np.clip(np.floor(np.nan_to_num(low) - pad), 0, limit).astype(int)
    high = np.clip(np.ceil(np.nan_to_num(high) + pad), 0, limit).astype(int)
    inside = (high > low).all(1)
    return merge([(int(a[0]), int(a[1]), int(b[0]), int(b[1])) for a, b in zip(low[inside], high[inside], strict=True)])


def merge(rects: list[Rect]) -> list[Rect]:
    """Joins rectangles whose union is hardly larger than the two."""
    out: list[Rect] = []
    for rect in rects:
        new = rect
        changed = True
        while changed:
            changed = False
            for other in out:
                union = (min(new[0], other[0]), min(new[1], other[1]), max(new[2], other[2]), max(new[3], other[3]))
                if _area(union) <= MERGE_GAIN * (_area(new) + _area(other)):
                    out.remove(other)
                    new, changed = union, True
                    break
        out.append(new)
    return out


def _area(rect: Rect) -> int:
    return (rect[2] - rect[0]) * (rect[3] - rect[1])


def total_px(rects: list[Rect]) -> int:
    """Pixels in all rectangles together."""
    return sum(map(_area, rects))
