"""Draws a scene's states: the fixed things once, then for each state only what moves, with its shadows.

The picture is ideal (no noise, no blur; the lens distortion is in it). Moving things are drawn into a layer of
their own, checked against the depth of the fixed picture, and laid over it where something changed.
"""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any, Self

import moderngl
import numpy as np
from numpy.typing import NDArray

from faults import Fault
from sample_videos.studio import shaders
from sample_videos.studio.camera import lens_limit, mm_per_px, view_axes
from sample_videos.studio.cards_gl import INSTANCE, Print, card_mesh
from sample_videos.studio.layers import Layer
from sample_videos.studio.meshes import STRIDE, join
from sample_videos.studio.scene import SceneSpec, SceneState
from sample_videos.studio.stage import Stage
from sample_videos.studio.things import Drawn, Things, prepare, resting
from sample_videos.studio.touched import Rect, on_felt, things_points, touched_rects

Image = NDArray[np.uint8]
USES = ("moving", "height", "id", "depth")
SETTLE_AT = 3  # so many things newly at rest are worth a new base


class GraphicsFault(Fault):
    """No usable OpenGL."""


class Renderer:
    """Draws states of one scene. Close it, or use it as a context manager.

    Raises:
        GraphicsFault: where no OpenGL 3.3 context can be made.
    """

    def __init__(self, spec: SceneSpec) -> None:
        self.spec = spec
        self.size = (spec.camera.width_px, spec.camera.height_px)
        self.context = _context()
        with self.context:
            self._make_lamps()
            self._make_programs()
            self._make_targets()
            self._make_buffers()
            self.print = Print(self.context, spec.decks, mm_per_px(spec.camera))
            self.stage = Stage(self.context, spec)
            self._before: Things = frozenset()
            self._set_camera()
            self._draw_still()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Frees the graphics memory."""
        self.context.release()

    # -- set-up ---------------------------------------------------------------------------------------------------

    def _make_programs(self) -> None:
        c, lamps = self.context, self._lamp_count
        pairs = [(kind, use) for kind in ("mesh", "surface", "card") for use in ("shade", "height", "id", "depth")]
        pairs += [("mesh", "moving"), ("card", "moving")]
        self._programs = {(kind, use): shaders.program(c, kind, use, lamps) for kind, use in pairs}
        self._shadow_program = shaders.screen_program(c, shaders.SHADOW_FRAGMENT, lamps)
        self._compose_program = shaders.screen_program(c, shaders.COMPOSE_FRAGMENT, lamps)

    def _make_targets(self) -> None:
        c, size, spec = self.context, self.size, self.spec
        self._moving = c.framebuffer([c.texture(size, 4, samples=4)], c.depth_renderbuffer(size, samples=4))
        self._final = c.framebuffer([c.renderbuffer(size, 4)])
        half = (-(-size[0] // 2), -(-size[1] // 2))
        self._ids = c.framebuffer([c.renderbuffer(half, 1, dtype="u4")], c.depth_renderbuffer(half))
        self.area = (
            -spec.table_width_mm / 2 - 300.0, -350.0, spec.table_width_mm + 600.0, spec.table_depth_mm + 700.0
        )  # fmt: skip
        self._still = Layer.make(c, size, self.area)
        self._base = Layer.make(c, size, self.area)
        self._all = Layer.make(c, size, self.area, pictures=False)

    def _make_buffers(self) -> None:
        c = self.context
        vertices, faces = card_mesh()
        self._card_faces = c.buffer(faces)
        self._card_vertices = c.buffer(vertices)
        self._card_rows = c.buffer(reserve=INSTANCE.itemsize * 2048, dynamic=True)
        self._mesh_vertices = c.buffer(reserve=STRIDE * 4 * 120000, dynamic=True)
        self._mesh_faces = c.buffer(reserve=12 * 180000, dynamic=True)
        self._card_arrays = {use: self._card_array(use) for use in USES}
        self._mesh_arrays = {use: self._mesh_array(use) for use in USES}
        quad = c.buffer(np.array([-1, -1, 3, -1, -1, 3], "f4"))
        self._shadow_quad = c.vertex_array(self._shadow_program, [(quad, "2f", "in_pos")])
        self._compose_quad = c.vertex_array(self._compose_program, [(quad, "2f", "in_pos")])

    def _mesh_array(self, use: str) -> Any:
        program = self._programs["mesh", use]
        entry = shaders.layout(program, self._mesh_vertices, shaders.MESH_FORMAT, shaders.MESH_NAMES)
        return self.context.vertex_array(program, [entry], self._mesh_faces)

    def _card_array(self, use: str) -> Any:
        program = self._programs["card", use]
        shape = shaders.layout(program, self._card_vertices, "3f 3f 3f", ("in_pos", "in_normal", "in_uv"))
        names = ("row0", "row1", "row2", "look", "in_thing")
        rows = shaders.layout(program, self._card_rows, "4f 4f 4f 4f 1u4", names, "/i")
        return self.context.vertex_array(program, [shape, rows], self._card_faces)

    def _make_lamps(self) -> None:
        """Lamps as (x, y, z, share of full light); a scene without any gets one overhead."""
        lights = self.spec.lights[: shaders.MAX_LIGHTS] or (((0.0, 400.0, 2500.0), 1.0),)
        total = max(sum(power for _, power in lights), 1e-6)
        share = (1.0 - self.spec.ambient) / total
        self._lamps = [(*place, power * share) for place, power in lights]
        self._lamp_count = len(self._lamps)

    def _set_camera(self) -> None:
        camera, spec = self.spec.camera, self.spec
        rotation, translation = view_axes(camera)
        k1, k2, p1, p2, k3 = camera.distortion
        height = max(300.0, camera.position_mm[2])
        common = {
            "cam_r": tuple(rotation.T.reshape(-1)), "cam_t": tuple(translation), "size_px": self.size,
            "lens_px": (camera.focal_px, camera.focal_px, *camera.principal_px),
            "near_far": (0.12 * height, 4 * height + 4000), "lens_k": (k1, k2, k3), "lens_p": (p1, p2),
            "lens_limit": lens_limit(camera), "eye": camera.position_mm, "lamps": np.array(self._lamps),
            "ambient": spec.ambient, "room": 1.0, "area": self.area, "heights": 2, "behind": 1, "print": 0, "shadow": 3,
            "texel_mm": self._still.texel_mm,
        }  # fmt: skip
        for program in self._programs.values():
            shaders.set_uniforms(program, common)
        shaders.set_uniforms(self._shadow_program, {**common, "heights": 0})
        places = {"moving": 0, "still_picture": 1, "behind": 2, "shadow": 3, "shadow_before": 4}
        shaders.set_uniforms(self._compose_program, {**common, **places})

    # -- the fixed picture ------------------------------------------------------------------------------------------

    def _draw_still(self) -> None:
        c, still = self.context, self._still
        c.enable(moderngl.DEPTH_TEST)
        still.heights.clear(0.0, 0.0, 0.0, 0.0)
        self._cast(still, lambda: self.stage.draw(self._programs, "height", casting=True))
        self._soften(still, (0, 0, *still.shadow.size))
        still.heights.color_attachments[0].use(2)
        still.shadow.color_attachments[0].use(3)
        for use, target in (("shade", self._moving), ("depth", still.behind)):
            target.use()
            target.clear(0.0, 0.0, 0.0, 1.0)
            self.stage.draw(self._programs, use)
        c.copy_framebuffer(still.picture, self._moving)
        self._rebase(frozenset(), SceneState(0))

    def _read(self, target: Any, rect: Rect) -> Image:
        x0, y0, x1, y1 = rect
        data = target.read(viewport=(x0, y0, x1 - x0, y1 - y0), components=4, alignment=1)
        return np.frombuffer(data, np.uint8).reshape(y1 - y0, x1 - x0, 4)[..., :3]

    def _cast(self, layer: Layer, draw: Callable[[], None]) -> None:
        """Draws the heights of what stands between each lamp and the felt, a lamp a channel."""
        c = self.context
        layer.heights.use()
        c.disable(moderngl.DEPTH_TEST)
        c.enable(moderngl.BLEND)
        c.blend_equation = moderngl.MAX
        c.blend_func = moderngl.ONE, moderngl.ONE
        for index in range(self._lamp_count):
            layer.heights.color_mask = tuple(channel == index for channel in range(4))
            for kind in ("mesh", "surface", "card"):
                shaders.set_uniforms(self._programs[kind, "height"], {"lamp": self._lamps[index][:3]})
            draw()
        layer.heights.color_mask = (True, True, True, True)
        c.blend_equation = moderngl.FUNC_ADD
        c.disable(moderngl.BLEND)
        c.enable(moderngl.DEPTH_TEST)

    def _soften(self, layer: Layer, cells: Rect) -> None:
        """Light on the felt from a layer's heights, in the given cells of its shadow picture."""
        self.context.disable(moderngl.DEPTH_TEST)
        x0, y0, x1, y1 = cells
        layer.shadow.scissor = (x0, y0, x1 - x0, y1 - y0)
        layer.shadow.use()
        layer.heights.color_attachments[0].use(0)
        self._shadow_quad.render()
        layer.shadow.scissor = None
        self.context.enable(moderngl.DEPTH_TEST)

    def ids(self, drawn: Drawn, stage: bool = True) -> NDArray[np.uint32]:
        """The half-size picture (H/2, W/2) of the ids of what is given, with the fixed things or without."""
        self.context.enable(moderngl.DEPTH_TEST)
        self._upload(drawn)
        self._ids.use()
        self._ids.clear(0.0, depth=1.0)
        if stage:
            self.stage.draw(self._programs, "id")
        first = 0
        for thing, mesh in drawn.meshes:
            if mesh.faces.size:
                self._programs["mesh", "id"]["thing_id"].value = thing
                self._mesh_arrays["id"].render(vertices=mesh.faces.size, first=first)
                first += mesh.faces.size
        if len(drawn.cards):
            self._card_arrays["id"].render(instances=len(drawn.cards))
        width, height = self._ids.size
        return np.frombuffer(self._ids.read(components=1, dtype="u4"), np.uint32).reshape(height, width)

    # -- what rests -------------------------------------------------------------------------------------------------

    def _rebase(self, settled: Things, state: SceneState) -> None:
        """Makes the base: the fixed picture with the things of `state` that are in `settled` laid into it."""
        c, still, base = self.context, self._still, self._base
        self._settled = settled
        for name in ("picture", "behind", "heights", "shadow"):
            c.copy_framebuffer(getattr(base, name), getattr(still, name))
        drawn = prepare(self.spec, self.print, state, settled.__contains__)
        self._upload(drawn)
        if not drawn.empty:
            self._lay_over(drawn, still, base.picture, 1.0, swap=False)
            base.behind.use()
            self.draw_moving("depth")
            c.copy_framebuffer(base.heights, self._all.heights)
            c.copy_framebuffer(base.shadow, self._all.shadow)
        self._base_image = self._read(base.picture, (0, 0, *self.size))[..., ::-1].copy()

    def _settle(self, state: SceneState) -> None:
        """Lays things that came to rest into the base, and takes out those that were picked up."""
        now = frozenset(resting(state))
        still_here = now & self._before
        self._before = now
        if not self._settled <= now or len(still_here - self._settled) >= SETTLE_AT:
            self._rebase(still_here, state)

    # -- a state ----------------------------------------------------------------------------------------------------

    def render(self, state: SceneState, previous: SceneState | None = None) -> Image:
        """The ideal picture (H, W, 3) BGR of `state`.

        Things that stay where they were from call to call are drawn once, so states in order of time are fastest;
        `previous` is the state to compare with where that is not the one of the last call.
        """
        with self.context:
            if previous is not None:
                self._before = frozenset(resting(previous))
            self._settle(state)
            drawn = self._in_view(prepare(self.spec, self.print, state, lambda thing: thing not in self._settled))
            self._upload(drawn)
            picture = self._base_image.copy()
            lit = abs(state.light - 1.0) < 1e-3
            whole = None if lit else [(0, 0, *self.size)]
            rects = self._lay_over(drawn, self._base, self._final, state.light, swap=True, rects=whole)
            for x0, y0, x1, y1 in rects:
                picture[y0:y1, x0:x1] = self._read(self._final, (x0, y0, x1, y1))
            return picture

    def _in_view(self, drawn: Drawn) -> Drawn:
        """Without the meshes that neither show in the picture nor throw a shadow into it."""
        meshes = []
        for thing, mesh in drawn.meshes:
            low, high = mesh.vertices[:, :3].min(0), mesh.vertices[:, :3].max(0)
            corners = np.array(
                [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
            )
            if touched_rects(self.spec.camera, [corners.astype(float)], self._lamps, self.area):
                meshes.append((thing, mesh))
        return Drawn(tuple(meshes), drawn.cards)

    def _upload(self, drawn: Drawn) -> None:
        self.print.ready()
        mesh = join([mesh for _, mesh in drawn.meshes])
        self._index_count, self._row_count = mesh.faces.size, len(drawn.cards)
        _write(self._mesh_vertices, mesh.vertices)
        _write(self._mesh_faces, mesh.faces)
        _write(self._card_rows, drawn.cards)

    def draw_moving(self, use: str) -> None:
        """Draws what `_upload` sent."""
        if self._index_count:
            self._mesh_arrays[use].render(vertices=self._index_count)
        if self._row_count:
            self._card_arrays[use].render(instances=self._row_count)

    def _lay_over(
        self, drawn: Drawn, base: Layer, target: Any, light: float, *, swap: bool, rects: list[Rect] | None = None
    ) -> list[Rect]:
        """Draws the uploaded things with their shadows over `base` into `target`; returns the rectangles it wrote."""
        c, points = self.context, things_points(drawn)
        if rects is None:
            rects = touched_rects(self.spec.camera, points, self._lamps, self.area)
        if not rects:
            return []
        c.copy_framebuffer(self._all.heights, base.heights)
        self._cast(self._all, lambda: self.draw_moving("height"))
        c.copy_framebuffer(self._all.shadow, base.shadow)
        self._soften(self._all, self._cells(points))
        self._draw_lit(base, rects, light)
        c.disable(moderngl.DEPTH_TEST)
        sources = (self._moving, base.picture, base.behind, self._all.shadow, base.shadow)
        for slot, source in enumerate(sources):
            source.color_attachments[0].use(slot)
        shaders.set_uniforms(self._compose_program, {"room": light, "swap": int(swap)})
        target.use()
        for x0, y0, x1, y1 in rects:
            target.scissor = (x0, y0, x1 - x0, y1 - y0)
            self._compose_quad.render()
        target.scissor = None
        c.enable(moderngl.DEPTH_TEST)
        return rects

    def _draw_lit(self, base: Layer, rects: list[Rect], light: float) -> None:
        for x0, y0, x1, y1 in rects:
            self._moving.scissor = (x0, y0, x1 - x0, y1 - y0)
            self._moving.clear(0.0, 0.0, 0.0, 0.0, depth=1.0)
        self._moving.scissor = None
        self._moving.use()
        self.print.texture.use(0)
        base.behind.color_attachments[0].use(1)
        self._all.heights.color_attachments[0].use(2)
        self._all.shadow.color_attachments[0].use(3)
        for kind in ("mesh", "card"):
            shaders.set_uniforms(self._programs[kind, "moving"], {"room": light})
        self.draw_moving("moving")

    def _cells(self, points: list[NDArray[np.float64]]) -> Rect:
        """The part of the shadow picture that the things reach."""
        cloud = np.concatenate(points or [np.zeros((1, 3))])
        flat = np.concatenate([on_felt(cloud, lamp, self.area) for lamp in self._lamps])
        size = np.array(self._still.shadow.size)
        cells = (flat[:, :2] - self.area[:2]) / self._still.texel_mm
        low = np.clip(np.floor(cells.min(0)) - 6, 0, size - 1).astype(int)
        high = np.clip(np.ceil(cells.max(0)) + 6, 1, size).astype(int)
        return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def _write(buffer: Any, array: NDArray[Any]) -> None:
    data = np.ascontiguousarray(array).tobytes()
    if len(data) > buffer.size:
        buffer.orphan(2 * len(data))
    if data:
        buffer.write(data)


def _context() -> Any:
    try:
        return moderngl.create_context(standalone=True, require=330, backend="egl")  # type: ignore[arg-type]
    except Exception as error:
        raise GraphicsFault(
            "no OpenGL context", where="the studio's renderer", why=str(error),
            todo="Install an EGL driver (Debian: libegl1 libgl1-mesa-dri).",
        ) from error  # fmt: skip
