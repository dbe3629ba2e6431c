"""Draws still lifes of one table: the table once, then each picture with all its things, and the picture of ids.

Unlike `renderer.Renderer`, nothing is kept from picture to picture but the table itself, since every picture has a
camera and things of its own; all of it is lit pixel by pixel.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import moderngl
import numpy as np
from numpy.typing import NDArray

from sample_videos.studio import felt, props, shaders
from sample_videos.studio.camera import mm_per_px
from sample_videos.studio.cards_gl import INSTANCE, back_row, card_mesh, card_rows
from sample_videos.studio.layers import Layer
from sample_videos.studio.meshes import Mesh, join
from sample_videos.studio.moving import ROWS
from sample_videos.studio.renderer import graphics_context, read_pixels, table_area, view_uniforms
from sample_videos.studio.scene import SceneSpec, StackPose
from sample_videos.studio.shadows import Shadows, lamps_of
from sample_videos.studio.stacks import outer_card, stack_mesh
from sample_videos.studio.stage import NO_THING, RAIL_COLOURS, Stage
from sample_videos.studio.stills.felts import FeltStyle, draw_still_top
from sample_videos.studio.stills.prints import VARIANTS, StillPrint, sheet_row
from sample_videos.studio.stills.sheets import KINDS
from sample_videos.studio.stills.spreads import FACES as SOME_FACES
from sample_videos.studio.stills.still import Still, Thing
from sample_videos.studio.stills.table import COVER_COLOURS, DECKS

Image = NDArray[np.uint8]
USES = ("quick", "height", "id")
PRINT_MM_PER_PX = 0.9
FELT_PX_PER_MM = 0.8
FACES = tuple((rank, suit) for rank in ("A", "7", "Q") for suit in "SH")
#: All that one table's pictures can have: faces of its decks, under its stacks too, backs, cover cards, sheets.
LAYERS = DECKS * (SOME_FACES + len(FACES) + 1) + len(COVER_COLOURS) + VARIANTS * len(KINDS)


@dataclass(frozen=True, slots=True)
class Painted:
    """A picture (H, W, 3) BGR; the half-size picture of ids; the things with their ids."""

    picture: Image
    ids: NDArray[np.uint32]
    stacks: tuple[tuple[int, StackPose, Mesh], ...]
    things: tuple[tuple[int, Thing], ...]


class _Bare(Stage):
    """Only felt, floor and rail; all else belongs to the single pictures."""

    def __init__(self, context: Any, spec: SceneSpec, style: FeltStyle) -> None:
        self._style = style
        super().__init__(context, spec)

    def _things(self, edge: NDArray[np.float64]) -> list[tuple[int, Mesh, bool]]:
        colour = RAIL_COLOURS[self.spec.seed % len(RAIL_COLOURS)]
        return [(NO_THING, props.rail(edge, colour), False)]

    def _top(self, density: float) -> felt.Top:
        return draw_still_top(self.spec, self._style, FELT_PX_PER_MM)


@functools.cache
def _context() -> Any:
    """The process's one context; what is no longer used is freed."""
    context = graphics_context()
    context.gc_mode = "auto"
    return context


@functools.cache
def _programs(lamps: int) -> dict[tuple[str, str], Any]:
    pairs = [(kind, use) for kind in ("mesh", "surface", "card") for use in USES]
    return {(kind, use): shaders.program(_context(), kind, use, lamps) for kind, use in pairs}


@functools.lru_cache(maxsize=12)
def _targets(size: tuple[int, int]) -> tuple[Any, Any]:
    """Where a picture of that size is drawn, and the half-size target of ids.

    Edges are not smoothed: the top view, mostly coarser, averages them.
    """
    c = _context()
    half = (-(-size[0] // 2), -(-size[1] // 2))
    ids = c.framebuffer([c.renderbuffer(half, 1, dtype="u4")], c.depth_renderbuffer(half))
    plain = c.framebuffer([c.renderbuffer(size, 4)], c.depth_renderbuffer(size))
    return plain, ids


class Painter:
    """Draws the still lifes of one table.

    Raises:
        GraphicsFault: where no OpenGL 3.3 context can be made.
    """

    def __init__(self, spec: SceneSpec, style: FeltStyle) -> None:
        self._context = _context()
        self._lamps = lamps_of(spec)
        self._programs = _programs(len(self._lamps))
        self._area = table_area(spec)
        self._stage = _Bare(self._context, spec, style)
        self._layer = Layer.make(self._context, (8, 8), self._area, pixels=False)
        self._shadows = Shadows(self._context, self._programs, self._lamps, self._area)
        self._print = StillPrint(self._context, spec, PRINT_MM_PER_PX, LAYERS)
        vertices, faces = card_mesh()
        self._card = (self._context.buffer(vertices), self._context.buffer(faces))

    def paint(self, still: Still) -> Painted:
        """The ideal picture, without noise and blur but with the lens's distortion, and what is where in it."""
        stacks, things = _numbered(still)
        pieces = [(thing, mesh) for thing, _, mesh in stacks] + [(number, t.mesh) for number, t in things]
        batch = _Batch(self._context, self._programs, self._card, pieces, self._rows(still, stacks))
        self._print.ready()
        values = view_uniforms(still.spec, self._lamps, self._area, self._layer.texel_mm)
        for program in self._programs.values():
            shaders.set_uniforms(program, values)
        shaders.set_uniforms(self._shadows.program, {**values, "heights": 0})
        self._cast(batch)
        camera = still.spec.camera
        size = (camera.width_px, camera.height_px)
        plain, ids = _targets(size)
        self._draw(batch, plain, "quick")
        picture = cv2.cvtColor(read_pixels(plain, (0, 0, *size)), cv2.COLOR_RGBA2BGR)
        self._draw(batch, ids, "id")
        width, height = ids.size
        seen = np.frombuffer(ids.read(components=1, dtype="u4"), np.uint32).reshape(height, width)
        batch.release()
        return Painted(np.asarray(picture, np.uint8), seen, tuple(stacks), tuple(things))

    def _rows(self, still: Still, stacks: Sequence[tuple[int, StackPose, Mesh]]) -> NDArray[np.void]:
        """Instance rows of all that is flat; cards have the ids from 1 on, then the cover cards."""
        print_, covers = self._print, still.spec.cover_colours
        rows = [card_rows(print_, card, None, number, 0.0) for number, card in enumerate(still.cards, 1)]
        for number, card in enumerate(still.covers, len(still.cards) + 1):
            rows.append(card_rows(print_, card, covers[card.deck % len(covers)], number, 0.0))
        for thing, stack, _ in stacks:
            rows += [back_row(print_, stack.deck, outer_card(stack, top), thing) for top in (True, False)]
            face = FACES[stack.seed % len(FACES)]
            rows[-1]["look"][0, 0] = print_.layer("face", stack.deck % len(print_.looks), *face)
        rows += [sheet_row(print_, sheet) for sheet in still.sheets]
        rows += [back_row(print_, deck, matrix, 0) for deck, matrix in still.waiting]
        return np.concatenate(rows) if rows else np.zeros(0, INSTANCE)

    def _cast(self, batch: _Batch) -> None:
        layer = self._layer
        layer.heights.clear(0.0, 0.0, 0.0, 0.0)

        def casting() -> None:
            self._stage.draw(self._programs, "height", casting=True)
            batch.draw("height")

        self._shadows.cast(layer, casting)
        self._shadows.soften(layer, (0, 0, *layer.shadow.size))

    def _draw(self, batch: _Batch, target: Any, use: str) -> None:
        self._context.enable(moderngl.DEPTH_TEST)
        target.use()
        target.clear(0.0, 0.0, 0.0, 0.0 if use == "id" else 1.0, depth=1.0)
        self._layer.heights.color_attachments[0].use(2)
        self._layer.shadow.color_attachments[0].use(3)
        self._stage.draw(self._programs, use)
        self._print.texture.use(0)
        batch.draw(use)


class _Batch:
    """One picture's meshes in one buffer and its flat things in another."""

    def __init__(
        self,
        context: Any,
        programs: dict[tuple[str, str], Any],
        card: tuple[Any, Any],
        pieces: Sequence[tuple[int, Mesh]],
        rows: NDArray[np.void],
    ) -> None:
        self._programs, self._count = programs, len(rows)
        self._pieces = [(thing, mesh.faces.size) for thing, mesh in pieces]
        self._held: list[Any] = []
        self._arrays: dict[tuple[str, str], Any] = {}
        if pieces:
            whole = join([mesh for _, mesh in pieces])
            vertices, faces = context.buffer(whole.vertices), context.buffer(whole.faces)
            self._held += [vertices, faces]
            for use in USES:
                program = programs["mesh", use]
                entry = shaders.layout(program, vertices, shaders.MESH_FORMAT, shaders.MESH_NAMES)
                self._arrays["mesh", use] = context.vertex_array(program, [entry], faces)
        if len(rows):
            poses = context.buffer(np.ascontiguousarray(rows).tobytes())
            self._held.append(poses)
            for use in USES:
                program = programs["card", use]
                shape = shaders.layout(program, card[0], "3f 3f 3f", ("in_pos", "in_normal", "in_uv"))
                entry = shaders.layout(program, poses, "4f 4f 4f 4f 1u4", ROWS, "/i")
                self._arrays["card", use] = context.vertex_array(program, [shape, entry], card[1])  # fmt: skip

    def draw(self, use: str) -> None:
        """Draws everything with the programs of `use`; for ids each mesh with its own."""
        meshes = self._arrays.get(("mesh", use))
        if meshes is not None and use == "id":
            first = 0
            for thing, count in self._pieces:
                self._programs["mesh", "id"]["thing_id"].value = thing
                meshes.render(vertices=count, first=first)
                first += count
        elif meshes is not None:
            meshes.render()
        if self._count:
            self._arrays["card", use].render(instances=self._count)

    def release(self) -> None:
        """Frees the graphics memory."""
        for part in (*self._arrays.values(), *self._held):
            part.release()


def _numbered(still: Still) -> tuple[list[tuple[int, StackPose, Mesh]], list[tuple[int, Thing]]]:
    """Stacks with their meshes and things with their parts, each with its id: they count on from the cards."""
    number = len(still.cards) + len(still.covers) + 1
    stacks = []
    for stack in still.stacks:
        stacks.append((number, stack, stack_mesh(stack, mm_per_px(still.spec.camera))))
        number += 1
    return stacks, list(enumerate(_all(still.things), number))


def _all(things: Sequence[Thing]) -> Iterator[Thing]:
    for thing in things:
        yield thing
        yield from _all(thing.parts)
