"""What the graphics card keeps of a picture: colours, depth with places, and what the lamps see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

TEXEL_MM = 4.5


@dataclass(frozen=True, slots=True)
class Layer:
    """Targets of one layer.

    `picture` holds colours, `behind` depth along the view and table x, y, z; `heights` what stands in each lamp's
    way over the felt (a lamp a channel, mm); `shadow` the light that reaches the felt. The last two lie over the
    table, `texel_mm` a cell.
    """

    picture: Any
    behind: Any
    heights: Any
    shadow: Any
    texel_mm: tuple[float, float]

    @classmethod
    def make(cls, context: Any, size: tuple[int, int], area: Sequence[float], pictures: bool = True) -> Layer:
        """New targets for pictures of `size` and a table within `area` (x, y, width, depth in mm)."""
        cells = (int(area[2] / TEXEL_MM), int(area[3] / TEXEL_MM))
        picture = context.framebuffer([context.texture(size, 4)]) if pictures else None
        behind = None
        if pictures:
            behind = context.framebuffer([context.texture(size, 4, dtype="f4")], context.depth_renderbuffer(size))
        heights = context.framebuffer([context.texture(cells, 4, dtype="f2")])
        shadow = context.framebuffer([context.texture(cells, 1, dtype="f2")])
        for target in (heights, shadow):
            target.color_attachments[0].repeat_x = target.color_attachments[0].repeat_y = False
        return cls(picture, behind, heights, shadow, (area[2] / cells[0], area[3] / cells[1]))
