"""Triangle meshes in table millimetres: boxes, prisms, cylinders, tubes, plates.

A mesh is one float32 array of vertices, ten numbers each: position (3), normal (3), linear colour (3), gloss (1),
and one int32 array of triangles. Normals point outwards; nothing is culled.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Vertices = NDArray[np.float32]
Faces = NDArray[np.int32]
STRIDE = 10


@dataclass(frozen=True, slots=True)
class Mesh:
    """Vertices (N, 10) and triangles (M, 3).

    `casting` are coarser triangles of the same vertices that are good enough for a shadow (None: the same). `solid`
    says that all triangles run counter-clockwise seen from outside and nothing is seen from inside.
    """

    vertices: Vertices
    faces: Faces
    casting: Faces | None = None
    solid: bool = False

    @property
    def shadow_faces(self) -> Faces:
        """The triangles that cast the shadow."""
        return self.faces if self.casting is None else self.casting


def build(position: ArrayLike, normal: ArrayLike, faces: ArrayLike, colour: ArrayLike, gloss: float = 0.1) -> Mesh:
    """A mesh from its parts; `colour` is display colour, one (3,) or one a vertex (N, 3)."""
    points = np.asarray(position, float).reshape(-1, 3)
    shade = np.broadcast_to(np.clip(np.asarray(colour, float), 0, 1) ** 2, points.shape)
    vertices = np.column_stack([points, np.asarray(normal, float).reshape(-1, 3), shade, np.full(len(points), gloss)])
    return Mesh(vertices.astype(np.float32), np.asarray(faces, np.int32).reshape(-1, 3))


def join(meshes: Sequence[Mesh]) -> Mesh:
    """All meshes as one."""
    if not meshes:
        return Mesh(np.zeros((0, STRIDE), np.float32), np.zeros((0, 3), np.int32))
    starts = np.cumsum([0] + [len(mesh.vertices) for mesh in meshes[:-1]])
    vertices = np.concatenate([mesh.vertices for mesh in meshes])
    faces = np.concatenate([mesh.faces + np.int32(start) for mesh, start in zip(meshes, starts, strict=True)])
    casting = None
    if any(mesh.casting is not None for mesh in meshes):
        casting = np.concatenate([m.shadow_faces + np.int32(start) for m, start in zip(meshes, starts, strict=True)])
    return Mesh(vertices, faces, casting, all(mesh.solid for mesh in meshes))


def place(mesh: Mesh, centre: ArrayLike, yaw: float = 0.0) -> Mesh:
    """The mesh turned about z by `yaw`, then moved so that its origin lies at `centre`."""
    vertices = mesh.vertices.copy()
    rotation = turn_z(yaw).astype(np.float32)
    vertices[:, 0:3] = vertices[:, 0:3] @ rotation.T + np.asarray(centre, np.float32)
    vertices[:, 3:6] = vertices[:, 3:6] @ rotation.T
    return Mesh(vertices, mesh.faces)


def turn_z(angle: float) -> NDArray[np.float64]:
    """Rotation about z, counter-clockwise seen from above."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def pose_matrix(yaw: float, pitch: float, roll: float) -> NDArray[np.float64]:
    """Rz(yaw) Rx(pitch) Ry(roll): roll about the thing's long axis first, then pitch about its short axis, then yaw."""
    cp, sp, cr, sr = np.cos(pitch), np.sin(pitch), np.cos(roll), np.sin(roll)
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, cp, -sp], [0.0, sp, cp]])
    about_y = np.array([[cr, 0.0, sr], [0.0, 1.0, 0.0], [-sr, 0.0, cr]])
    return np.asarray(turn_z(yaw) @ about_x @ about_y)


def box(size: Sequence[float], colour: ArrayLike, gloss: float = 0.1, foot: float = 0.0) -> Mesh:
    """A box centred on x and y, standing on z = `foot`."""
    positions = _BOX_CORNERS * (np.asarray(size, float) / 2) + [0.0, 0.0, foot + size[2] / 2]
    return build(positions, _BOX_NORMALS, _BOX_FACES, np.asarray(colour, float), gloss)


def _unit_box() -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    axes = np.eye(3)
    corners, normals = [], []
    for axis in range(3):
        u, v = axes[(axis + 1) % 3], axes[(axis + 2) % 3]
        for normal in (-axes[axis], axes[axis]):
            corners.extend([normal - u - v, normal + u - v, normal + u + v, normal - u + v])
            normals.extend([normal] * 4)
    start = np.arange(6)[:, None] * 4
    faces = np.concatenate([start + np.array([0, 1, 2]), start + np.array([0, 2, 3])])
    return np.array(corners), np.array(normals), faces


_BOX_CORNERS, _BOX_NORMALS, _BOX_FACES = _unit_box()


def wedge(length: float, width: float, heights: tuple[float, float], colour: ArrayLike, gloss: float = 0.2) -> Mesh:
    """A box from x = -length/2 with height `heights[0]` to x = +length/2 with `heights[1]`, standing on z = 0."""
    lx, wy = length / 2, width / 2
    h0, h1 = heights
    low = [[-lx, -wy, 0], [lx, -wy, 0], [lx, wy, 0], [-lx, wy, 0]]
    high = [[-lx, -wy, h0], [lx, -wy, h1], [lx, wy, h1], [-lx, wy, h0]]
    quads = [low, high, *[[low[i], low[(i + 1) % 4], high[(i + 1) % 4], high[i]] for i in range(4)]]
    return flat_quads(quads, colour, gloss, inside=(0.0, 0.0, min(heights) / 2))


def flat_quads(quads: ArrayLike, colour: ArrayLike, gloss: float, inside: Sequence[float]) -> Mesh:
    """Flat quadrilaterals (Q, 4, 3) whose normals point away from `inside`."""
    corners = np.asarray(quads, float).reshape(-1, 4, 3)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-9
    outward = np.sign(np.einsum("qi,qi->q", corners.mean(1) - np.asarray(inside), normals))
    normals *= np.where(outward == 0, 1.0, outward)[:, None]
    start = np.arange(len(corners))[:, None] * 4
    faces = np.concatenate([start + np.array([0, 1, 2]), start + np.array([0, 2, 3])])
    return build(corners, np.repeat(normals, 4, axis=0), faces, colour, gloss)


def cylinder(
    radius: float, height: float, colour: ArrayLike, *, sides: int = 24, gloss: float = 0.1, top: float | None = None
) -> Mesh:
    """A standing cylinder (cone frustum where `top`, the upper radius, differs) on z = 0.

    `colour` is one colour or one for each side (sides, 3), which the cap takes on at its rim.
    """
    upper = radius if top is None else top
    angle = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle), np.zeros(sides)], axis=1)
    shade = np.broadcast_to(np.asarray(colour, float), (sides, 3))
    low, high = ring * radius, ring * upper + [0, 0, height]
    up = np.tile([0.0, 0.0, 1.0], (sides, 1))
    positions = np.concatenate([low, high, high, [[0, 0, height]]])
    normals = np.concatenate([ring, ring, up, up[:1]])
    colours = np.concatenate([shade, shade, shade, shade.mean(0, keepdims=True)])
    index = np.arange(sides)
    following = (index + 1) % sides
    wall = np.stack([index, following, following + sides, index, following + sides, index + sides], axis=1)
    cap = np.stack([index + 2 * sides, following + 2 * sides, np.full(sides, 3 * sides)], axis=1)
    return build(positions, normals, np.concatenate([wall.reshape(-1, 3), cap]), colours, gloss)


def tube(
    path: ArrayLike,
    radii: ArrayLike,
    colour: ArrayLike,
    *,
    sides: int = 16,
    gloss: float = 0.05,
    flatten: ArrayLike = 1.0,
    up: Sequence[float] = (0.0, 0.0, 1.0),
) -> Mesh:
    """A tube along `path` (P, 3) with `radii` (P,); `flatten` squeezes it towards `up`. Colour one or one a ring."""
    points = np.asarray(path, float)
    along = np.empty_like(points)
    along[1:-1] = points[2:] - points[:-2]
    along[0], along[-1] = points[1] - points[0], points[-1] - points[-2]
    side = unit(cross(along, np.asarray(up, float)))
    above = cross(side, unit(along))
    around, faces = _rings(sides, len(points))
    squeeze = np.broadcast_to(np.asarray(flatten, float), (len(points),))[:, None, None]
    across, upwards = side[:, None] * around[0], above[:, None] * around[1]
    radius = np.asarray(radii, float)[:, None, None]
    vertices = np.empty((len(points), sides, STRIDE), np.float32)
    vertices[..., :3] = points[:, None] + (across + upwards * squeeze) * radius
    vertices[..., 3:6] = across + upwards
    shade = np.clip(np.asarray(colour, float), 0, 1) ** 2
    vertices[..., 6:9] = shade if shade.ndim == 1 else shade[:, None]
    vertices[..., 9] = gloss
    return Mesh(vertices.reshape(-1, STRIDE), faces)


@functools.cache
def _rings(sides: int, count: int) -> tuple[NDArray[np.float64], Faces]:
    """Cosine and sine round a ring (2, sides, 1), and the triangles between `count` rings."""
    angle = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    index = np.arange(sides)
    following = (index + 1) % sides
    rows = (np.arange(count - 1) * sides)[:, None, None]
    quad = np.stack([index, following, following + sides, index, following + sides, index + sides], axis=1)
    faces = (rows + quad[None]).reshape(-1, 3).astype(np.int32)
    return np.stack([np.cos(angle), np.sin(angle)])[:, :, None], faces


def cross(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """The cross product along the last axis; several times faster than NumPy's for few vectors."""
    ax, ay, az, bx, by, bz = a[..., 0], a[..., 1], a[..., 2], b[..., 0], b[..., 1], b[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def unit(a: NDArray[np.float64]) -> NDArray[np.float64]:
    """The vectors (N, 3) at length 1."""
    return np.asarray(a / (np.sqrt(np.einsum("ni,ni->n", a, a))[:, None] + 1e-9))


def grid_plate(outline: NDArray[np.float64], z: float, step: float) -> tuple[NDArray[np.float32], Faces]:
    """A flat polygon, star-shaped about its middle, as rings of triangles small enough for a curved lens.

    Returns positions (N, 3) and faces.
    """
    middle = outline.mean(0)
    reach = np.linalg.norm(outline - middle, axis=1).max()
    rings = max(2, int(np.ceil(reach / step)))
    share = np.linspace(0, 1, rings + 1)[1:]
    points = middle + (outline - middle)[None] * share[:, None, None]
    flat = np.concatenate([middle[None], points.reshape(-1, 2)])
    count = len(outline)
    index = np.arange(count)
    following = (index + 1) % count
    fan = np.stack([np.zeros(count, int), 1 + index, 1 + following], axis=1)
    quad = np.stack([index, following, following + count, index, following + count, index + count], axis=1) + 1
    rows = (np.arange(rings - 1) * count)[:, None, None]
    faces = np.concatenate([fan, (rows + quad[None]).reshape(-1, 3)])
    return np.column_stack([flat, np.full(len(flat), z)]).astype(np.float32), faces.astype(np.int32)
