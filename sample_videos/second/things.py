"""What a scene is made of, as plain values: things with their place, and the light.

The page knows how a kind of thing looks (`page/*.js`); here is which there are, how large and where.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

CARD_MM = (63.5, 88.9)
#: What lies on something lies so much higher, so that the two do not mix in the picture.
LAYER_MM = 0.35
SIDES = {True: "card_face", False: "card_back"}

Pose = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing. `cls` is its class in the labels, None for what is none; `spec` its looks; `pose` where it is.

    A pose has `at` (mm), `turn`, `flip`, `tip` (degrees about z, its own y and x); a hand's has `wrist`, `yaw`,
    `pitch`, `roll`, `curl`, `spread`, `shoulder`.
    """

    id: int
    kind: str
    cls: str | None
    spec: Mapping[str, Any]
    pose: Pose

    def moved(self, **pose: Any) -> Thing:
        """The same thing elsewhere."""
        return replace(self, pose={**self.pose, **pose})

    def for_page(self) -> dict[str, Any]:
        """The thing as the page wants it."""
        return {"id": self.id, "kind": self.kind, "cls": self.cls, "spec": dict(self.spec), "pose": self.pose}

    @property
    def label(self) -> str | None:
        """Its class as it lies: a card shows its face or its back."""
        if self.cls in SIDES.values():
            return SIDES[face_up(self.pose)]
        return self.cls


def turned(pose: Pose) -> Points:
    """The rotation (3, 3) of a pose, from the thing's axes to the table's: about y, then x, then z."""
    z, y, x = np.radians([pose.get("turn", 0.0), pose.get("flip", 0.0), pose.get("tip", 0.0)])
    about_z = np.array([[np.cos(z), -np.sin(z), 0], [np.sin(z), np.cos(z), 0], [0, 0, 1]])
    about_x = np.array([[1, 0, 0], [0, np.cos(x), -np.sin(x)], [0, np.sin(x), np.cos(x)]])
    about_y = np.array([[np.cos(y), 0, np.sin(y)], [0, 1, 0], [-np.sin(y), 0, np.cos(y)]])
    out: Points = about_z @ about_x @ about_y
    return out


def face_up(pose: Pose) -> bool:
    """Whether a card's face looks up."""
    return bool(turned(pose)[2, 2] >= 0)


def corners_mm(thing: Thing) -> Points:
    """The four corners of a card (4, 3), table mm."""
    half = np.array(thing.spec["size"], np.float64) / 2
    local = np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]], np.float64) * [half[0], half[1], 0]
    out: Points = local @ turned(thing.pose).T + np.array(thing.pose["at"], np.float64)
    return out
