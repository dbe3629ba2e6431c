"""What a still life is made of: plain values in table millimetres, as in `scene.py`, and solid things as meshes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sample_videos.studio.meshes import Mesh, place
from sample_videos.studio.scene import CardPose, SceneSpec, StackPose, Vec2, Vec3

Random = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """A solid thing of a class of the detector; None for what is nothing to it.

    Its `parts` belong to it (they are in its outline, and hide nothing of it), and may be of a class of their own.
    A thing that is not `plump` fills so much less than its outline's convex hull that its triangles are counted.
    """

    cls: str | None
    mesh: Mesh
    parts: tuple[Thing, ...] = ()
    plump: bool = True

    def moved(self, centre: ArrayLike, yaw: float = 0.0) -> Thing:
        """The thing turned about z by `yaw`, then moved by `centre`."""
        parts = tuple(part.moved(centre, yaw) for part in self.parts)
        return replace(self, mesh=place(self.mesh, centre, yaw), parts=parts)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A flat printed thing that is no card of the game: paper, a bank note, a club card. Never labelled."""

    kind: str
    seed: int
    size_mm: Vec2  # across and along
    centre: Vec3
    yaw: float
    pitch: float = 0.0
    bend_mm: float = 0.0
    gloss: float = 0.1


@dataclass(frozen=True, slots=True)
class Finish:
    """What comes between the ideal picture and the one that is kept; lengths in pixels of the camera."""

    defocus_px: float = 0.0
    smear_px: float = 0.0
    smear_angle: float = 0.0
    glare: tuple[tuple[float, float, float, float], ...] = ()  # x, y (shares of the picture), radius share, strength
    noise_sigma: float = 2.0
    codec: str = "jpeg"  # or h264
    quality: int = 60  # JPEG's quality, or H.264's constant rate factor
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """One still life: where everything is when the picture is taken."""

    spec: SceneSpec
    finish: Finish
    things: tuple[Thing, ...] = ()
    cards: tuple[CardPose, ...] = ()
    covers: tuple[CardPose, ...] = ()
    stacks: tuple[StackPose, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    #: Backs that show in shoes and shufflers, not labelled: deck, and pose (3, 4).
    waiting: tuple[tuple[int, NDArray[np.float64]], ...] = field(default_factory=tuple)
