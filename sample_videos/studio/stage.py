"""The fixed part of a scene on the graphics card: floor, felt, rail, equipment, people, odds and ends."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sample_videos.studio import felt, props, shaders
from sample_videos.studio.camera import mm_per_px
from sample_videos.studio.meshes import Mesh, grid_plate
from sample_videos.studio.scene import CARD_THICKNESS_MM, SceneSpec

FLOOR_Z_MM = -760.0
NO_THING = 0
SHOE_ID, BUCKET_ID, TRAY_ID, FIRST_CHIPS_ID = 60000, 60001, 60002, 60010
RAIL_COLOURS = ((0.1, 0.07, 0.05), (0.28, 0.14, 0.07), (0.07, 0.07, 0.08), (0.35, 0.08, 0.09), (0.42, 0.3, 0.18))


class Stage:
    """Buffers of the fixed things; `draw` draws them for one use. Ids above are the equipment's in the id picture."""

    def __init__(self, context: Any, spec: SceneSpec) -> None:
        self.context, self.spec = context, spec
        self._arrays: dict[tuple[int, str], Any] = {}
        self._surfaces: list[tuple[Any, Any, Any]] = []
        edge = felt.outline(spec)
        self.meshes = self._things(edge)
        self._buffers = [
            (thing, context.buffer(mesh.vertices), context.buffer(mesh.faces), casts)
            for thing, mesh, casts in self.meshes
            if len(mesh.faces)
        ]
        self._add_floor()
        self._add_top(edge)

    def _things(self, edge: NDArray[np.float64]) -> list[tuple[int, Mesh, bool]]:
        spec = self.spec
        rng = np.random.default_rng(spec.seed + 3)
        outside = edge[len(edge) // 10 : -len(edge) // 10 : max(1, len(edge) // max(2, len(spec.seats) + 1))]
        seats = [(float(x * 1.0 + 0.0), float(y + 0.0)) for x, y in outside * 1.0 + 0.16 * (outside - edge.mean(0))]
        present = [seat for seat in seats if rng.random() < 0.5]
        rail = props.rail(edge, RAIL_COLOURS[spec.seed % len(RAIL_COLOURS)])
        loose = [(FIRST_CHIPS_ID + i, props.chip_stack(s, 0.7 * i), True) for i, s in enumerate(spec.background_chips)]
        return [
            (NO_THING, rail, False),
            (NO_THING, props.people(spec, -330.0, present), False),
            (NO_THING, props.extras(spec), True),
            (SHOE_ID, props.shoe(spec.equipment, spec.seed), True),
            (NO_THING, props.shoe_cards(spec.equipment, 300, CARD_THICKNESS_MM), True),
            (BUCKET_ID, props.bucket(spec.equipment), True),
            (TRAY_ID, props.tray(spec.equipment, spec.seed), True),
            *loose,
        ]

    def _add_floor(self) -> None:
        c = self.context
        span = 9000.0
        ticks = np.linspace(-span / 2, span / 2, 41)
        x, y = np.meshgrid(ticks, ticks)
        points = np.stack([x.ravel(), y.ravel() + 500.0, np.full(x.size, FLOOR_Z_MM)], axis=1)
        tile = felt.draw_floor(self.spec.floor_style, self.spec.seed)
        texture = c.texture((256, 256), 3, np.ascontiguousarray(tile[::-1]).tobytes())
        texture.build_mipmaps()
        self._surface(points, _grid_faces(41), points[:, :2] / 600.0, texture)

    def _add_top(self, edge: NDArray[np.float64]) -> None:
        c = self.context
        density = float(np.clip(1.0 / mm_per_px(self.spec.camera), 0.45, 1.6))
        top = self._top(density)
        height, width = top.picture.shape[:2]
        texture = c.texture((width, height), 3, np.ascontiguousarray(top.picture[::-1]).tobytes(), alignment=1)
        texture.build_mipmaps()
        texture.anisotropy = 4.0
        texture.repeat_x = texture.repeat_y = False
        closed = np.concatenate([edge, [[x, 0.0] for x in np.linspace(edge[-1, 0], edge[0, 0], 40)[1:-1]]])
        points, faces = grid_plate(closed, 0.0, 60.0)
        uv = (points[:, :2] - np.asarray(top.origin_mm)) / np.asarray(top.size_mm)
        self._surface(points, faces, uv, texture)

    def _top(self, density: float) -> felt.Top:
        return felt.draw_top(self.spec, density)

    def _surface(self, points: NDArray[Any], faces: NDArray[Any], uv: NDArray[Any], texture: Any) -> None:
        up = np.tile([0.0, 0.0, 1.0], (len(points), 1))
        data = np.column_stack([points, up, uv]).astype(np.float32)
        self._surfaces.append((self.context.buffer(data), self.context.buffer(faces.astype(np.int32)), texture))

    def draw(self, programs: dict[tuple[str, str], Any], use: str, casting: bool = False) -> None:
        """Draws the fixed things with the programs of `use`; with `casting` only those that cast shadows."""
        if not casting:
            if "thing_id" in programs["surface", use]:
                programs["surface", use]["thing_id"].value = NO_THING
            for index, (_, _, texture) in enumerate(self._surfaces):
                texture.use(0)
                self._array(programs["surface", use], -1 - index, use).render()
        for index, (thing, _, _, casts) in enumerate(self._buffers):
            if casts or not casting:
                program = programs["mesh", use]
                if "thing_id" in program:
                    program["thing_id"].value = thing
                self._array(program, index, use).render()

    def _array(self, program: Any, index: int, use: str) -> Any:
        if (index, use) not in self._arrays:
            if index < 0:
                vertices, faces, _ = self._surfaces[-1 - index]
                entry = shaders.layout(program, vertices, "3f 3f 2f", ("in_pos", "in_normal", "in_uv"))
            else:
                _, vertices, faces, _ = self._buffers[index]
                entry = shaders.layout(program, vertices, shaders.MESH_FORMAT, shaders.MESH_NAMES)
            self._arrays[index, use] = self.context.vertex_array(program, [entry], faces)
        return self._arrays[index, use]


def _grid_faces(side: int) -> NDArray[np.int32]:
    index = np.arange(side * side).reshape(side, side)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    return np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 3).astype(np.int32)
