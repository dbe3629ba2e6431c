"""Labels of a picture, from the scene's own geometry: outlines projected by the camera, hidden shares from a map of ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_videos.second.camera import Camera
from sample_videos.second.things import Thing, corners_mm

Points = NDArray[np.float64]
FLAT = ("card_face", "card_back", "cover_card")


def clockwise(quad: Points) -> Points:
    """The four corners (4, 2) in the order in which they follow clockwise in the picture (y down)."""
    x, y = quad[:, 0], quad[:, 1]
    area = float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))
    return quad if area > 0 else quad[::-1]


def rectangle(outline: Points) -> Points:
    """The smallest rectangle around an outline (N, 2)."""
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(outline.astype(np.float32))), np.float64)


def quad_px(thing: Thing, outline_px: Points, camera: Camera) -> Points:
    """The thing's four corners in the picture, clockwise. `outline_px` (N, 2) is in the page's pixels."""
    if thing.cls in FLAT:
        return clockwise(camera.see(corners_mm(thing)))
    return clockwise(rectangle(camera.lens.distort(outline_px - camera.border_px)))


def objects(things: Iterable[Thing], seen: Sequence[Mapping[str, Any]], camera: Camera) -> list[dict[str, Any]]:
    """The `objects` of one line of boxes.jsonl. `seen` is what the page said of each thing."""
    by_id = {thing.id: thing for thing in things}
    out = []
    for row in seen:
        thing = by_id[row["id"]]
        quad = quad_px(thing, np.array(row["outline"], np.float64), camera)
        if row["alone"] == 0 or not _in_picture(quad, camera):
            continue
        hidden = min(max(1 - row["seen"] / row["alone"], 0.0), 1.0)
        entry: dict[str, Any] = {"cls": thing.label, "quad": np.round(quad, 2).tolist(), "occluded": round(hidden, 3)}
        if entry["cls"] == "card_face":
            entry |= {"rank": thing.spec["rank"], "suit": thing.spec["suit"]}
        if thing.cls == "die":
            entry["pips"] = thing.spec["pips"]
        out.append(entry)
    return out


def _in_picture(quad: Points, camera: Camera) -> bool:
    """Whether any of it may lie in the picture."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    return bool(high[0] > 0 and high[1] > 0 and low[0] < camera.width_px and low[1] < camera.height_px)
