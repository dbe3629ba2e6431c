"""The moving things of a state on the graphics card: uploaded once, drawn for each use and each moment of a shutter."""

from __future__ import annotations

from typing import Any

import moderngl
import numpy as np
from numpy.typing import NDArray

from sample_videos.studio import shaders
from sample_videos.studio.cards_gl import INSTANCE, card_mesh
from sample_videos.studio.meshes import STRIDE, join
from sample_videos.studio.things import Drawn, Span

USES = ("moving", "height", "id", "depth")
ROWS = ("row0", "row1", "row2", "look", "in_thing")
Programs = dict[tuple[str, str], Any]


class Moving:
    """`upload` takes what is to be drawn, `draw` draws it."""

    def __init__(self, context: Any, programs: Programs) -> None:
        self.context, self._programs = context, programs
        vertices, faces = card_mesh()
        self._card_vertices, self._card_faces = context.buffer(vertices), context.buffer(faces)
        self._rows = context.buffer(reserve=INSTANCE.itemsize * 2048, dynamic=True)
        self._row_shifts = context.buffer(reserve=48 * 2048, dynamic=True)
        self._vertices = context.buffer(reserve=STRIDE * 4 * 120000, dynamic=True)
        self._shifts = context.buffer(reserve=12 * 120000, dynamic=True)
        self._faces = context.buffer(reserve=12 * 180000, dynamic=True)
        self._casting = context.buffer(reserve=12 * 180000, dynamic=True)
        self._card_arrays = {use: self._card_array(use) for use in USES}
        self._mesh_arrays = {use: self._mesh_array(use) for use in USES}
        self._indices = self._solid_indices = self._casting_indices = self._row_count = 0

    def _mesh_array(self, use: str) -> Any:
        program = self._programs["mesh", use]
        entries = [shaders.layout(program, self._vertices, shaders.MESH_FORMAT, shaders.MESH_NAMES)]
        if use == "moving":
            entries.append((self._shifts, "3f", "in_shift"))
        return self.context.vertex_array(program, entries, self._casting if use == "height" else self._faces)

    def _card_array(self, use: str) -> Any:
        program = self._programs["card", use]
        shape = shaders.layout(program, self._card_vertices, "3f 3f 3f", ("in_pos", "in_normal", "in_uv"))
        rows = shaders.layout(program, self._rows, "4f 4f 4f 4f 1u4", ROWS, "/i")
        entries = [shape, rows]
        if use == "moving":
            entries.append((self._row_shifts, "4f 4f 4f/i", "shift0", "shift1", "shift2"))
        return self.context.vertex_array(program, entries, self._card_faces)

    def upload(self, what: Span | Drawn) -> None:
        """Takes things to draw; with a `Span`, also how far they move."""
        drawn = what.middle if isinstance(what, Span) else what
        moves = isinstance(what, Span) and what.mesh_shift is not None
        order = sorted(range(len(drawn.meshes)), key=lambda i: not drawn.meshes[i][1].solid)
        meshes = [drawn.meshes[i][1] for i in order]
        mesh = join(meshes)
        self._solid_indices = sum(part.faces.size for part in meshes if part.solid)
        self._indices, self._casting_indices = mesh.faces.size, mesh.shadow_faces.size
        self._row_count = len(drawn.cards)
        _write(self._vertices, mesh.vertices)
        _write(self._faces, mesh.faces)
        _write(self._casting, mesh.shadow_faces)
        _write(self._rows, drawn.cards)
        if moves and isinstance(what, Span):
            _write(self._shifts, _reordered(what, drawn, order))
            _write(self._row_shifts, what.card_shift)
        else:
            _write(self._shifts, np.zeros((len(mesh.vertices), 3), np.float32))
            _write(self._row_shifts, np.zeros((len(drawn.cards), 12), np.float32))

    def draw(self, use: str) -> None:
        """Draws what `upload` took."""
        meshes = self._mesh_arrays[use]
        if use == "height":
            if self._casting_indices:
                meshes.render(vertices=self._casting_indices)
        elif use == "moving":
            self._draw_solid(meshes)
        elif self._indices:
            meshes.render(vertices=self._indices)
        if self._row_count:
            self._card_arrays[use].render(instances=self._row_count)

    def _draw_solid(self, meshes: Any) -> None:
        """Solid things without their far sides, the others whole."""
        if self._solid_indices:
            self.context.enable(moderngl.CULL_FACE)
            meshes.render(vertices=self._solid_indices)
            self.context.disable(moderngl.CULL_FACE)
        if self._indices > self._solid_indices:
            meshes.render(vertices=self._indices - self._solid_indices, first=self._solid_indices)

    def draw_ids(self, drawn: Drawn) -> None:
        """Draws the ids of `drawn`, each mesh with its own."""
        self.upload(Drawn(tuple(sorted(drawn.meshes, key=lambda pair: not pair[1].solid)), drawn.cards))
        first = 0
        for thing, mesh in sorted(drawn.meshes, key=lambda pair: not pair[1].solid):
            if mesh.faces.size:
                self._programs["mesh", "id"]["thing_id"].value = thing
                self._mesh_arrays["id"].render(vertices=mesh.faces.size, first=first)
                first += mesh.faces.size
        if len(drawn.cards):
            self._card_arrays["id"].render(instances=len(drawn.cards))


def _reordered(span: Span, drawn: Drawn, order: list[int]) -> NDArray[np.float32]:
    assert span.mesh_shift is not None
    sizes = [len(mesh.vertices) for _, mesh in drawn.meshes]
    parts = np.split(span.mesh_shift, np.cumsum(sizes)[:-1]) if sizes else []
    return np.concatenate([parts[i] for i in order]) if parts else span.mesh_shift


def _write(buffer: Any, array: NDArray[Any] | None) -> None:
    if array is None:
        return
    data = np.ascontiguousarray(array).tobytes()
    if len(data) > buffer.size:
        buffer.orphan(2 * len(data))
    if data:
        buffer.write(data)
