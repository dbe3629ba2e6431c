"""Draws a scene's states: the fixed things once, then for each state only what moves, with its shadows.

The picture is ideal (no noise, no blur; the lens distortion is in it). Moving things are drawn into a layer of
their own, checked against the depth of the fixed picture, and laid over it where something changed.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

import cv2
import moderngl
import numpy as np
from numpy.typing import NDArray

from faults import Fault
from sample_videos.studio import shaders
from sample_videos.studio.camera import lens_limit, mm_per_px, view_axes
from sample_videos.studio.cards_gl import Print
from sample_videos.studio.ground import Ground, lay_over
from sample_videos.studio.layers import Layer
from sample_videos.studio.moving import Moving
from sample_videos.studio.scene import SceneSpec, SceneState
from sample_videos.studio.shadows import Lamp, Shadows, lamps_of
from sample_videos.studio.stage import Stage
from sample_videos.studio.things import Drawn, Span, Things, prepare, resting, span
from sample_videos.studio.touched import Rect, things_points, tile_rects, touched_rects, touched_tiles

Image = NDArray[np.uint8]
Area = tuple[float, float, float, float]  # x, y, width, depth in mm
SETTLE_AT = 3  # so many things newly at rest are worth a new base
#: Moving things are drawn so often, each time a little aside in the pixel and at a moment of its own while the shutter
#: is open: that smooths their edges and smears what moves. Pixels, and the moment from -0.5 to 0.5.
GLIMPSES = (((-0.125, -0.375), -0.375), ((0.375, -0.125), 0.125), ((-0.375, 0.125), 0.375), ((0.125, 0.375), -0.125))


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
        self.context = graphics_context()
        with self.context:
            self._lamps = lamps_of(spec)
            self._make_programs()
            self._make_targets()
            self._make_buffers()
            self.print = Print(self.context, spec.decks, mm_per_px(spec.camera))
            self.stage = Stage(self.context, spec)
            self._before: Things = frozenset()
            self.base_number = 0
            self.changed: list[Rect] = []
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
        c, lamps = self.context, len(self._lamps)
        pairs = [(kind, use) for kind in ("mesh", "surface", "card") for use in ("shade", "height", "id", "depth")]
        pairs += [("mesh", "moving"), ("card", "moving")]
        self._programs = {(kind, use): shaders.program(c, kind, use, lamps) for kind, use in pairs}

    def _make_targets(self) -> None:
        c, size, spec = self.context, self.size, self.spec
        self._glimpses = [c.framebuffer([c.renderbuffer(size, 4)], c.depth_renderbuffer(size)) for _ in GLIMPSES]
        half = (-(-size[0] // 2), -(-size[1] // 2))
        self._ids = c.framebuffer([c.renderbuffer(half, 1, dtype="u4")], c.depth_renderbuffer(half))
        self.area = table_area(spec)
        self._still = Layer.make(c, size, self.area)
        self._base = Layer.make(c, size, self.area)
        self._all = Layer.make(c, size, self.area, pixels=False)

    def _make_buffers(self) -> None:
        c = self.context
        self.moving = Moving(c, self._programs)
        self._shadows = Shadows(c, self._programs, self._lamps, self.area)

    def _set_camera(self) -> None:
        common = view_uniforms(self.spec, self._lamps, self.area, self._still.texel_mm)
        for program in self._programs.values():
            shaders.set_uniforms(program, common)
        shaders.set_uniforms(self._shadows.program, {**common, "heights": 0})

    # -- the fixed picture ------------------------------------------------------------------------------------------

    def _draw_still(self) -> None:
        c, still = self.context, self._still
        c.enable(moderngl.DEPTH_TEST)
        still.heights.clear(0.0, 0.0, 0.0, 0.0)
        self._shadows.cast(still, lambda: self.stage.draw(self._programs, "height", casting=True))
        self._shadows.soften(still, (0, 0, *still.shadow.size))
        still.heights.color_attachments[0].use(2)
        still.shadow.color_attachments[0].use(3)
        smooth = c.framebuffer([c.texture(self.size, 4, samples=4)], c.depth_renderbuffer(self.size, samples=4))
        for use, target in (("shade", smooth), ("depth", still.behind)):
            target.use()
            target.clear(0.0, 0.0, 0.0, 1.0)
            self.stage.draw(self._programs, use)
        plain = c.framebuffer([c.texture(self.size, 4)])
        c.copy_framebuffer(plain, smooth)
        everywhere = (0, 0, *self.size)
        picture = np.asarray(cv2.cvtColor(read_pixels(plain, everywhere), cv2.COLOR_RGBA2BGR), np.uint8)
        for part in (*smooth.color_attachments, smooth.depth_attachment, smooth, *plain.color_attachments, plain):
            part.release()
        maps = (np.zeros((*picture.shape[:2], 2), np.int16), np.zeros(picture.shape[:2], np.uint16))
        self._still_ground = Ground(picture, maps, still.shares((0, 0, *still.shadow.size)))
        self._still_ground.set_spots(still.spots(everywhere), everywhere)
        self._rebase(frozenset(), SceneState(0))

    def ids(self, drawn: Drawn, stage: bool = True) -> NDArray[np.uint32]:
        """The half-size picture (H/2, W/2) of the ids of what is given, with the fixed things or without."""
        self.context.enable(moderngl.DEPTH_TEST)
        self.print.ready()
        self._ids.use()
        self._ids.clear(0.0, depth=1.0)
        if stage:
            self.stage.draw(self._programs, "id")
        self.moving.draw_ids(drawn)
        width, height = self._ids.size
        return np.frombuffer(self._ids.read(components=1, dtype="u4"), np.uint32).reshape(height, width)

    # -- what rests -------------------------------------------------------------------------------------------------

    def _rebase(self, settled: Things, state: SceneState) -> None:
        """Makes the base: the fixed picture with the things of `state` that are in `settled` laid into it."""
        c, still, base = self.context, self._still, self._base
        self._settled = settled
        for name in ("behind", "heights", "shadow"):
            c.copy_framebuffer(getattr(base, name), getattr(still, name))
        self.base_number += 1
        self._ground = self._still_ground
        drawn = prepare(self.spec, self.print, state, settled.__contains__)
        if drawn.empty:
            return
        self._upload(drawn)
        picture, things, _ = self._lay_over(Span(drawn), still, self._still_ground, 1.0)
        base.behind.use()
        self.moving.draw("depth")
        c.copy_framebuffer(base.heights, self._all.heights)
        c.copy_framebuffer(base.shadow, self._all.shadow)
        shadow = base.shares((0, 0, *base.shadow.size))
        self._ground = replace(self._still_ground.copy(), picture=picture, shadow=shadow)
        for rect in things:
            self._ground.set_spots(base.spots(rect), rect)

    def _settle(self, state: SceneState, until: SceneState) -> None:
        """Lays things that came to rest into the base, and takes out those that were picked up."""
        now = frozenset(resting(state))
        if until is not state:
            now &= frozenset(resting(until))
        still_here = now & self._before
        self._before = now
        if not self._settled <= now or len(still_here - self._settled) >= SETTLE_AT:
            self._rebase(still_here, state)

    # -- a state ----------------------------------------------------------------------------------------------------

    def render(
        self, state: SceneState, previous: SceneState | None = None, *, until: SceneState | None = None
    ) -> Image:
        """The ideal picture (H, W, 3) BGR of `state`; with `until`, of the time from `state` to it, smeared.

        Things that stay where they were from call to call are drawn once, so states in order of time are fastest;
        `previous` is the state to compare with where that is not the one of the last call. Afterwards `changed` tells
        which rectangles differ from the base, and `base_number` which base that is.
        """
        until = until or state
        with self.context:
            if previous is not None:
                self._before = frozenset(resting(previous))
            self._settle(state, until)
            drawn = self._in_view(self._prepare(state))
            what = Span(drawn) if until is state else span(drawn, self._in_view(self._prepare(until)))
            dim = abs(state.light - 1.0) >= 1e-3
            if what.middle.empty and not dim:
                self.changed = []
                return self._ground.picture.copy()
            self._upload(what)
            picture, _, self.changed = self._lay_over(what, self._base, self._ground, state.light, everywhere=dim)
            return picture

    def _prepare(self, state: SceneState) -> Drawn:
        return prepare(self.spec, self.print, state, lambda thing: thing not in self._settled)

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

    def _upload(self, what: Span | Drawn) -> None:
        self.print.ready()
        self.moving.upload(what)

    def _lay_over(
        self, what: Span, base: Layer, ground: Ground, light: float, *, everywhere: bool = False
    ) -> tuple[Image, list[Rect], list[Rect]]:
        """The ground's picture with the uploaded things and their shadows laid over it.

        Also the rectangles with things, and those with things or shadows.
        """
        c, points = self.context, things_points(what)
        things, touched = touched_tiles(self.spec.camera, points, self._lamps, self.area)
        if everywhere:
            touched = np.ones_like(touched)
        with_things, changed = tile_rects(things, *self.size), tile_rects(touched, *self.size)
        c.copy_framebuffer(self._all.heights, base.heights)
        self._shadows.cast(self._all, lambda: self.moving.draw("height"))
        c.copy_framebuffer(self._all.shadow, base.shadow)
        cells = self._shadows.cells(self._all, points)
        self._shadows.soften(self._all, cells)
        self._draw_glimpses(base, light, what.mesh_shift is not None, with_things)
        picture = ground.shaded(ground.dimmed(self._all.shares(cells), cells), changed, light)
        lay_over(picture, with_things, [functools.partial(read_pixels, target) for target in self._glimpses])
        return picture, with_things, changed

    def _draw_glimpses(self, base: Layer, light: float, moves: bool, rects: list[Rect]) -> None:
        """Draws the uploaded things into each of the glimpses, lit."""
        self.print.texture.use(0)
        self._all.heights.color_attachments[0].use(2)
        self._all.shadow.color_attachments[0].use(3)
        base.behind.color_attachments[0].use(1)
        for target, (jitter, moment) in zip(self._glimpses, GLIMPSES, strict=True):
            for kind in ("mesh", "card"):
                values = {"room": light, "jitter_px": jitter, "moment": moment if moves else 0.0}
                shaders.set_uniforms(self._programs[kind, "moving"], values)
            for x0, y0, x1, y1 in rects:
                target.scissor = (x0, y0, x1 - x0, y1 - y0)
                target.clear(0.0, 0.0, 0.0, 0.0, depth=1.0)
            target.scissor = None
            target.use()
            self.moving.draw("moving")


def table_area(spec: SceneSpec) -> Area:
    """The table with what may stand round it: x, y, width, depth in mm."""
    return (-spec.table_width_mm / 2 - 300.0, -350.0, spec.table_width_mm + 600.0, spec.table_depth_mm + 700.0)


def view_uniforms(spec: SceneSpec, lamps: Sequence[Lamp], area: Area, texel_mm: tuple[float, float]) -> dict[str, Any]:
    """What the shaders must know of the camera and the light."""
    camera = spec.camera
    rotation, translation = view_axes(camera)
    k1, k2, p1, p2, k3 = camera.distortion
    height = max(300.0, camera.position_mm[2])
    return {
        "cam_r": tuple(rotation.T.reshape(-1)), "cam_t": tuple(translation),
        "size_px": (camera.width_px, camera.height_px),
        "lens_px": (camera.focal_px, camera.focal_px, *camera.principal_px),
        "near_far": (0.12 * height, 4 * height + 4000), "lens_k": (k1, k2, k3), "lens_p": (p1, p2),
        "lens_limit": lens_limit(camera), "eye": camera.position_mm, "lamps": np.array(lamps),
        "ambient": spec.ambient, "room": 1.0, "area": area, "heights": 2, "behind": 1, "print": 0, "shadow": 3,
        "texel_mm": texel_mm, "jitter_px": (0.0, 0.0), "moment": 0.0,
    }  # fmt: skip


def read_pixels(target: Any, rect: Rect) -> Image:
    """The colours (h, w, 4) in a rectangle of a target, RGBA."""
    x0, y0, x1, y1 = rect
    data = target.read(viewport=(x0, y0, x1 - x0, y1 - y0), components=4, alignment=1)
    return np.frombuffer(data, np.uint8).reshape(y1 - y0, x1 - x0, 4)


def graphics_context() -> Any:
    """A new OpenGL context without a window.

    Raises:
        GraphicsFault: where none can be made.
    """
    try:
        return moderngl.create_context(standalone=True, require=330, backend="egl")  # type: ignore[arg-type]
    except Exception as error:
        raise GraphicsFault(
            "no OpenGL context", where="the studio's renderer", why=str(error),
            todo="Install an EGL driver (Debian: libegl1 libgl1-mesa-dri).",
        ) from error  # fmt: skip
