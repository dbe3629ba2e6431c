"""The light that reaches the felt: lamps, what stands in their way, and the soft shadow that it throws."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from sample_videos.studio import shaders
from sample_videos.studio.layers import Layer
from sample_videos.studio.scene import SceneSpec
from sample_videos.studio.touched import Rect, on_felt

Lamp = tuple[float, float, float, float]


def lamps_of(spec: SceneSpec) -> list[Lamp]:
    """Lamps as (x, y, z, share of full light); a scene without any gets one overhead."""
    lights = spec.lights[: shaders.MAX_LIGHTS] or (((0.0, 400.0, 2500.0), 1.0),)
    total = max(sum(power for _, power in lights), 1e-6)
    share = (1.0 - spec.ambient) / total
    return [(*place, power * share) for place, power in lights]


class Shadows:
    """Draws layers' heights and the light that is left; `programs` are the renderer's, `area` the table's (mm)."""

    def __init__(
        self, context: Any, programs: Mapping[tuple[str, str], Any], lamps: Sequence[Lamp], area: Sequence[float]
    ) -> None:
        self._context, self._programs, self._lamps, self._area = context, programs, lamps, area
        self.program = shaders.screen_program(context, shaders.SHADOW_FRAGMENT, len(lamps))
        quad = context.buffer(np.array([-1, -1, 3, -1, -1, 3], "f4"))
        self._quad = context.vertex_array(self.program, [(quad, "2f", "in_pos")])

    def cast(self, layer: Layer, draw: Callable[[], None]) -> None:
        """Draws the heights of what stands between each lamp and the felt, a lamp a channel."""
        c = self._context
        layer.heights.use()
        c.disable(moderngl.DEPTH_TEST)
        c.enable(moderngl.BLEND)
        c.blend_equation = moderngl.MAX
        c.blend_func = moderngl.ONE, moderngl.ONE
        for index in range(len(self._lamps)):
            layer.heights.color_mask = tuple(channel == index for channel in range(4))
            for kind in ("mesh", "surface", "card"):
                shaders.set_uniforms(self._programs[kind, "height"], {"lamp": self._lamps[index][:3]})
            draw()
        layer.heights.color_mask = (True, True, True, True)
        c.blend_equation = moderngl.FUNC_ADD
        c.disable(moderngl.BLEND)
        c.enable(moderngl.DEPTH_TEST)

    def soften(self, layer: Layer, cells: Rect) -> None:
        """Light on the felt from a layer's heights, in the given cells of its shadow picture."""
        self._context.disable(moderngl.DEPTH_TEST)
        x0, y0, x1, y1 = cells
        layer.shadow.scissor = (x0, y0, x1 - x0, y1 - y0)
        layer.shadow.use()
        layer.heights.color_attachments[0].use(0)
        self._quad.render()
        layer.shadow.scissor = None
        self._context.enable(moderngl.DEPTH_TEST)

    def cells(self, layer: Layer, points: list[NDArray[np.float64]]) -> Rect:
        """The part of a layer's shadow picture that the things reach."""
        cloud = np.concatenate(points or [np.zeros((1, 3))])
        flat = np.concatenate([on_felt(cloud, lamp, self._area) for lamp in self._lamps])
        size = np.array(layer.shadow.size)
        cells = (flat[:, :2] - self._area[:2]) / layer.texel_mm
        low = np.clip(np.floor(cells.min(0)) - 6, 0, size - 1).astype(int)
        high = np.clip(np.ceil(cells.max(0)) + 6, 1, size).astype(int)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])
