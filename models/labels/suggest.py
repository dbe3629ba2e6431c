"""What the current model finds on pictures, as labels for a person to correct."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from models.evaluate_photos import quad_overlap
from models.labels.labelled import Corners
from models.labels.looks import Look, View
from models.labels.measure import Eyes
from models.labels.shapes import part_inside, smallest_rectangle
from vision.detections import CLASSES, Detections
from vision.frame import Image

#: Finds from here on are suggested; most of those under `SURE` are nothing, or something else.
LEAST_SCORE = 0.2
SURE = 0.55
#: Two finds of different classes that overlap so much contradict each other.
SAME_PLACE = 0.5
#: These are over or in each other by their nature.
OVER_OTHERS = {"hand", "person"}
#: A thing of which less than this is on the picture is not suggested.
LEAST_SEEN = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Suggestion:
    """One suggested thing: class, corners (4, 2) in the picture's pixels, the model's score, whether it is a guess."""

    name: str
    corners: Corners
    score: float
    unsure: bool


def suggest(eyes: Eyes, look: Look, image: Image) -> list[Suggestion]:
    """The suggestions for one picture (H, W, 3), best first."""
    height, width = image.shape[:2]
    found: list[tuple[str, Corners, float]] = []
    views = look.views(image)
    for number, view in enumerate(views):
        finds = eyes.detect(view.image)
        for quad, cls, score in _chosen(finds, views[:number], view):
            corners = smallest_quad(view.to_picture(quad.astype(np.float64)))
            if corners is not None and score >= LEAST_SCORE and part_inside(corners, width, height)[1] >= LEAST_SEEN:
                found.append((CLASSES[cls], corners, score))
    found.sort(key=lambda one: -one[2])
    return [
        Suggestion(name, corners, score, score < SURE or _contradicted(index, found))
        for index, (name, corners, score) in enumerate(found)
    ]


def smallest_quad(corners: Corners) -> Corners | None:
    """The corners, if they are those of something; None where a view shows what the picture does not."""
    return None if smallest_rectangle(corners) is None else corners


def _chosen(finds: Detections, finer: Sequence[View], view: View) -> list[tuple[np.ndarray, int, float]]:
    """Finds whose middle no finer view shows: those are told from there."""
    out = []
    for quad, cls, score in zip(finds.quads, finds.cls, finds.score, strict=True):
        middle = view.to_picture(quad.mean(axis=0, keepdims=True).astype(np.float64))
        if not any(_shows(other, middle) for other in finer):
            out.append((quad, int(cls), float(score)))
    return out


def _shows(view: View, middle: Corners) -> bool:
    """Whether a view shows a place (1, 2) of the picture."""
    height, width = view.image.shape[:2]
    x, y = view.to_view(middle)[0]
    return bool(0 <= x < width and 0 <= y < height)


def _contradicted(index: int, found: Sequence[tuple[str, Corners, float]]) -> bool:
    """Whether a find of another class is at the same place."""
    name, corners, _ = found[index]
    if name in OVER_OTHERS:
        return False
    return any(
        other != name
        and other not in OVER_OTHERS
        and quad_overlap(corners.astype(np.float32), quad.astype(np.float32)) >= SAME_PLACE
        for at, (other, quad, _) in enumerate(found)
        if at != index
    )
