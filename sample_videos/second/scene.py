"""A scene as the page draws it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sample_videos.second.browser import Browser
from sample_videos.second.camera import Camera
from sample_videos.second.layout import Layout
from sample_videos.second.things import Thing

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A table, what is on it, the light, one camera, and which deck its faces are of."""

    camera: Camera
    layout: Layout
    light: Mapping[str, Any]
    things: tuple[Thing, ...]
    deck: str

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


class Drawing:
    """A scene set up in the page, and its picture as it was drawn last."""

    def __init__(self, browser: Browser, scene: Scene) -> None:
        self._browser, self._camera = browser, scene.camera
        width, height = scene.camera.drawn_px
        self._picture = np.zeros((height, width, 3), np.uint8)
        browser.ask({"do": "scene", "scene": scene.for_page()})

    def draw(self, moves: Sequence[Thing] = (), *, truth: bool = False, only: bool = False) -> list[dict[str, Any]]:
        """Draws the scene after `moves`; returns what the page says of each thing, if `truth` is asked for.

        With `only` nothing but the surroundings of what moved is drawn again.
        """
        moved = [{"id": thing.id, "pose": thing.pose} for thing in moves]
        answer, content = self._browser.ask({"do": "draw", "moves": moved, "truth": truth, "only": only})
        x0, y0, x1, y1 = answer["part"]
        if content:
            rows = np.frombuffer(content, np.uint8).reshape(y1 - y0, x1 - x0, 4)[::-1]
            self._picture[y0:y1, x0:x1] = rows[..., 2::-1]
        said: list[dict[str, Any]] = answer.get("things", [])
        return said

    @property
    def picture(self) -> Image:
        """The picture (H, W, 3) BGR as the lens shows it."""
        return self._camera.bent(self._picture)
