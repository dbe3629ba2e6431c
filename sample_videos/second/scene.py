"""A scene as the page draws it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_videos.second.browser import Browser
from sample_videos.second.camera import Camera
from sample_videos.second.layout import Layout
from sample_videos.second.things import Thing

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A table, what is on it, the light and one camera."""

    camera: Camera
    layout: Layout
    light: Mapping[str, Any]
    things: tuple[Thing, ...]

    def for_page(self) -> dict[str, Any]:
        """The scene as the page wants it."""
        return {
            "size": self.camera.drawn_px,
            "kept": [self.camera.width_px, self.camera.height_px, *self.camera.border_px],
            "camera": self.camera.for_page(),
            "light": dict(self.light),
            "table": self.layout.page,
            "things": [thing.for_page() for thing in self.things],
        }


def table_keys(name: str, camera: Camera, layout: Layout, signals: Sequence[str] = ()) -> dict[str, Any]:
    """The table file of this camera and layout."""
    return {
        "table": name,
        "camera": {"width_px": camera.width_px, "height_px": camera.height_px},
        "calibration": camera.keys(),
        "layout": layout.keys(),
        "game": {"pack": "pa58/629a", "decks": 8, "cards": 416, "options": {}},
        "inputs": {"signals": list(signals)},
    }


def set_up(browser: Browser, scene: Scene) -> None:
    """Has the page build the scene."""
    browser.ask({"do": "scene", "scene": scene.for_page()})


def draw(
    browser: Browser, camera: Camera, moves: Sequence[Thing] = (), *, truth: bool = False, only: bool = False
) -> tuple[Image, list[dict[str, Any]]]:
    """The scene's picture (H, W, 3) BGR through the lens, after `moves`, and what the page says of each thing.

    With `only` nothing but the surroundings of what moved is drawn again.
    """
    work: dict[str, Any] = {"do": "draw", "moves": [{"id": thing.id, "pose": thing.pose} for thing in moves], "truth": truth}
    work["only"] = only
    answer, content = browser.ask(work)
    width, height = camera.drawn_px
    rows = np.frombuffer(content, np.uint8).reshape(height, width, 4)[::-1]
    picture = np.asarray(cv2.cvtColor(np.ascontiguousarray(rows), cv2.COLOR_RGBA2BGR), np.uint8)
    return camera.bent(picture), answer.get("things", [])
