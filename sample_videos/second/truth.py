"""Labels of a picture, from the scene's own geometry; hidden shares from a map of which thing each pixel shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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


def rectangle(outline: Points, along: Points) -> Points:
    """The rectangle around an outline (N, 2) whose sides run along and across a direction (2,) of the picture."""
    axis = along / np.linalg.norm(along)
    frame = np.stack([axis, [-axis[1], axis[0]]])
    placed = outline @ frame.T
    low, high = placed.min(axis=0), placed.max(axis=0)
    corners = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
    out: Points = corners @ frame
    return out


def quad_px(thing: Thing, outline_px: Points, camera: Camera) -> Points:
    """The thing's four corners in the picture, clockwise. `outline_px` (N, 2) is in the page's pixels.

    A card has its corners; what has height has the rectangle around it along its own axis, a hand along its fingers.
    """
    if thing.cls in FLAT:
        return clockwise(camera.see(corners_mm(thing)))
    turn = np.radians(thing.pose["yaw"] if thing.kind == "hand" else thing.pose.get("turn", 0.0))
    place = np.array(thing.pose["wrist"] if thing.kind == "hand" else thing.pose["at"], np.float64)
    ends = camera.see(np.stack([place, place + 10 * np.array([np.cos(turn), np.sin(turn), 0.0])]))
    return clockwise(rectangle(camera.lens.distort(outline_px - camera.border_px), ends[1] - ends[0]))


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
