"""What the graphics card keeps of a picture: depth with places, and what the lamps see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sample_videos.studio.touched import Rect

TEXEL_MM = 4.5


@dataclass(frozen=True, slots=True)
class Layer:
    """Targets of one layer.

    `behind` holds for each pixel the depth along the view, and where on the table it lies (shares of its area, -1 where
    it is not near the felt); `heights` what stands in each lamp's
    way over the felt (a lamp a channel, mm); `shadow` the light that reaches the felt. The last two lie over the
    table, `texel_mm` a cell.
    """

    behind: Any
    heights: Any
    shadow: Any
    texel_mm: tuple[float, float]

    @classmethod
    def make(cls, context: Any, size: tuple[int, int], area: Sequence[float], pixels: bool = True) -> Layer:
        """New targets for pictures of `size` and a table within `area` (x, y, width, depth in mm)."""
        cells = (int(area[2] / TEXEL_MM), int(area[3] / TEXEL_MM))
        behind = None
        if pixels:
            depth, spots = context.texture(size, 1, dtype="f4"), context.renderbuffer(size, 2, dtype="f4")
            behind = context.framebuffer([depth, spots], context.depth_renderbuffer(size))
        heights = context.framebuffer([context.texture(cells, 4, dtype="f2")])
        shadow = context.framebuffer([context.texture(cells, 1, dtype="f2")])
        for target in (heights, shadow):
            target.color_attachments[0].repeat_x = target.color_attachments[0].repeat_y = False
        return cls(behind, heights, shadow, (area[2] / cells[0], area[3] / cells[1]))

    def spots(self, rect: Rect) -> NDArray[np.float32]:
        """Where on the table the pixels of a rectangle lie (h, w, 2)."""
        x0, y0, x1, y1 = rect
        where = (x0, y0, x1 - x0, y1 - y0)
        data = self.behind.read(viewport=where, components=2, attachment=1, alignment=1, dtype="f4")
        return np.frombuffer(data, np.float32).reshape(y1 - y0, x1 - x0, 2)

    def shares(self, cells: Rect) -> NDArray[np.float32]:
        """The light in a part of the shadow picture, (rows, columns)."""
        x0, y0, x1, y1 = cells
        data = self.shadow.read(viewport=(x0, y0, x1 - x0, y1 - y0), components=1, alignment=1, dtype="f4")
        return np.frombuffer(data, np.float32).reshape(y1 - y0, x1 - x0)
