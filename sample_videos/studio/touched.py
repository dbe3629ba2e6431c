"""Which rectangles of the picture a state's moving things and their shadows can touch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sample_videos.studio.camera import mm_per_px, project
from sample_videos.studio.scene import CameraSpec
from sample_videos.studio.things import Span

Rect = tuple[int, int, int, int]  # x0, y0, x1, y1: pixels, the last ones excluded
Points = NDArray[np.float64]
Mask = NDArray[np.bool_]
STRIDE = 3  # every third vertex bounds a mesh well enough; the pad covers the rest
PAD_MM = 16.0
MERGE_GAIN = 1.1
TILE_PX = 32


def things_points(what: Span) -> list[Points]:
    """Points (N, 3) that bound each thing wherever it is while the shutter is open, in table mm."""
    out: list[Points] = []
    start = 0
    for _, mesh in what.middle.meshes:
        points = mesh.vertices[::STRIDE, :3].astype(float)
        if what.mesh_shift is not None:
            shift = 0.5 * what.mesh_shift[start : start + len(mesh.vertices) : STRIDE]
            points = np.concatenate([points - shift, points + shift], axis=1).reshape(-1, 3)
        start += len(mesh.vertices)
        out.extend(np.array_split(points, max(1, len(points) // 100)))
    rows = what.middle.cards["rows"].astype(float)
    if len(rows):
        shift = np.zeros(()) if what.card_shift is None else 0.5 * what.card_shift
        out.extend(np.concatenate([_card_points(rows - shift), _card_points(rows + shift)], axis=1))
    return out


def _card_points(rows: Points) -> Points:
    corners = np.array([(-32, -45), (32, -45), (-32, 45), (32, 45)], float)
    return np.asarray(rows[:, None, :, 3] + np.einsum("ck,njk->ncj", corners, rows[:, :, :2]))


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


def touched_tiles(
    camera: CameraSpec, things: list[Points], lamps: Sequence[Sequence[float]], area: Sequence[float]
) -> tuple[Mask, Mask]:
    """The tiles of the picture (rows, columns) that things touch, and those that things or their shadows touch."""
    shape = (-(-camera.height_px // TILE_PX), -(-camera.width_px // TILE_PX))
    if not things:
        return np.zeros(shape, bool), np.zeros(shape, bool)
    starts = np.cumsum([0, *(len(points) for points in things[:-1])])
    cloud = np.concatenate(things)
    layers = [cloud, *(on_felt(cloud, lamp, area) for lamp in lamps)]
    px = project(camera, np.concatenate(layers)).reshape(len(layers), len(cloud), 2)
    pad = PAD_MM / mm_per_px(camera) + 3
    limit = np.array([camera.width_px, camera.height_px])
    low = np.floor((np.nan_to_num(np.fmin.reduceat(px, starts, axis=1)) - pad).clip(0, limit) / TILE_PX).astype(int)
    high = np.ceil((np.nan_to_num(np.fmax.reduceat(px, starts, axis=1)) + pad).clip(0, limit) / TILE_PX).astype(int)
    masks = np.zeros((2, *shape), bool)
    for layer in range(len(layers)):
        for (x0, y0), (x1, y1) in zip(low[layer].tolist(), high[layer].tolist(), strict=True):
            masks[min(layer, 1), y0:y1, x0:x1] = True
    return masks[0], masks[0] | masks[1]


def tile_rects(mask: Mask, width: int, height: int) -> list[Rect]:
    """The tiles of a mask as rectangles of a picture: runs along the rows, equal runs below each other as one."""
    out: list[Rect] = []
    open_runs: dict[tuple[int, int], int] = {}
    for row in range(len(mask) + 1):
        line = np.diff(np.concatenate([[0], mask[row].astype(np.int8), [0]])) if row < len(mask) else np.zeros(1)
        runs = set(zip(np.nonzero(line == 1)[0].tolist(), np.nonzero(line == -1)[0].tolist(), strict=True))
        for (x0, x1), top in [(run, top) for run, top in open_runs.items() if run not in runs]:
            box = (x0 * TILE_PX, top * TILE_PX, min(x1 * TILE_PX, width), min(row * TILE_PX, height))
            out.append(box)
            del open_runs[x0, x1]
        for run in sorted(runs):
            open_runs.setdefault(run, row)
    return out


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
