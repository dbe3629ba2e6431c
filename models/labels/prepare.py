"""Labelled pictures as the detector sees them, ready to be learned from or measured on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.labels.classes import Naming
from models.labels.labelled import Corners, Labelled, Problems, Thing
from models.labels.looks import Look, View, open_picture, save_picture
from models.labels.shapes import part_inside, smallest_rectangle, straight_box
from vision.detections import CLASSES
from vision.frame import Image
from vision.topview import DETECT_MM_PER_PX

#: A thing of which a smaller share is in view is passed over: neither learned nor counted.
LEAST_SEEN = 0.3
#: Of one of which less than this is in view, there is nothing to see.
NOTHING_SEEN = 0.05
#: A straight box laid flat still bounds its thing where it fills this share of its own hull.
FILLS_HULL = 0.85
#: Cards are this much too small or large on the pictures where the stated scale cannot be right.
SCALE_OFF = 1.5
CARDS = ("card_face", "card_back")
#: A poker card.
SHORT_MM, LONG_MM = 63.5, 88.9
QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 95]
#: A thing, its class, and its outline (N, 2) in the picture's pixels.
Placed = tuple[Thing, str, Corners]


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One view of one labelled picture.

    Attributes:
        image: the view's file.
        known: the classes of which every thing is labelled on it.
        quads: (N, 4, 2) corners in the view's pixels.
        cls: (N,) index into the detector's classes.
        hull: (N,) true where only an axis-aligned hull is known.
        passed_over: (M, 4, 2) things that may be found or not.
    """

    image: Path
    known: tuple[str, ...]
    quads: NDArray[np.float32]
    cls: NDArray[np.int64]
    hull: NDArray[np.bool_]
    passed_over: NDArray[np.float32]


@dataclass(slots=True)
class Counts:
    """What preparing came upon."""

    pictures: int = 0
    sizes: Counter[str] = field(default_factory=Counter)
    things: Counter[str] = field(default_factory=Counter)
    hulls: int = 0
    slanted: int = 0
    unsure: int = 0
    card_sides_px: list[float] = field(default_factory=list)

    def remarks(self) -> list[str]:
        """What a person should know of it."""
        out = []
        if self.slanted:
            out.append(
                f"{self.slanted} axis-aligned boxes do not bound their thing once laid flat; their class was not "
                "learned on those pictures: draw turned boxes or polygons"
            )
        if self.unsure:
            out.append(f"{self.unsure} things are still marked unsure; they were neither learned nor counted")
        expected = SHORT_MM / DETECT_MM_PER_PX
        side = float(np.median(self.card_sides_px)) if self.card_sides_px else expected
        if max(side / expected, expected / side) > SCALE_OFF:
            out.append(
                f"cards are {side:.0f} pixels wide where {expected:.0f} are expected ({SHORT_MM:g} x {LONG_MM:g} mm at "
                f"{DETECT_MM_PER_PX:g} mm for each pixel): is the scale right?"
            )
        return out


def prepare(
    pictures: Sequence[Labelled], naming: Naming, look: Look, folder: Path, counts: Counts
) -> Iterator[list[Seen]]:
    """The views of each picture, written into `folder`; what was counted is added to `counts`.

    Raises:
        LabelFault: pictures cannot be read, or labels do not fit them; every fault, after the last picture.
    """
    folder.mkdir(parents=True, exist_ok=True)
    problems = Problems()
    for number, picture in enumerate(pictures):
        image = open_picture(picture.path, problems, picture.place)
        if image is None or not _fits(picture, image, problems):
            continue
        things = _in_pixels(picture, image, naming, problems)
        counts.pictures += 1
        counts.sizes[f"{image.shape[1]} x {image.shape[0]}"] += 1
        crowded = {naming.of.get(name) for name in picture.crowded}
        known = [name for name in naming.known if name not in crowded]
        seen = []
        for view_number, view in enumerate(look.views(image)):
            path = folder / f"{number:05d}_{view_number}.jpg"
            save_picture(path, view.image, QUALITY)
            seen.append(_seen(path, view, things, known, counts))
        yield seen
    problems.stop()


def _fits(picture: Labelled, image: Image, problems: Problems) -> bool:
    """Whether a picture has the size that its labels were drawn on."""
    height, width = image.shape[:2]
    if picture.size_px is None or picture.size_px == (width, height):
        return True
    drawn = f"{picture.size_px[0]} x {picture.size_px[1]} pixels"
    expected = f"{width} x {height}, the size of {picture.path}"
    if picture.size_px == (height, width):
        expected += " (the file's mark for turning was followed: save it turned, and label it again)"
    problems.add(picture.place, None, "size", drawn, expected)
    return False


def _in_pixels(picture: Labelled, image: Image, naming: Naming, problems: Problems) -> list[tuple[Thing, str, Corners]]:
    """The things of the detector's classes, each with its class and its outline (N, 2) in the picture's pixels."""
    height, width = image.shape[:2]
    out = []
    for thing in picture.things:
        name = naming.of[thing.name]
        if name is None:
            continue
        outline = thing.outline * [width, height] if picture.relative else thing.outline
        if part_inside(outline, width, height)[1] <= 0:
            found = "an outline outside the picture or without an area"
            problems.add(thing.place, None, thing.name, found, f"an outline within {width} x {height} pixels")
            continue
        out.append((thing, name, outline))
    return out


def _seen(path: Path, view: View, things: Sequence[Placed], known: Iterable[str], counts: Counts) -> Seen:
    """One view with its labels; `known` are the classes that the picture's labels know."""
    height, width = view.image.shape[:2]
    unknown: set[str] = set()
    quads, cls, hull, passed = [], [], [], []
    for thing, name, outline in things:
        moved = view.to_view(outline)
        flat = _flat_quad(moved, thing.hull) if np.isfinite(moved).all() else None
        part, share = part_inside(flat[0], width, height) if flat is not None else (outline, 0.0)
        if flat is None or share < NOTHING_SEEN:
            continue
        slanted = not flat[1]
        if slanted or thing.unsure:
            counts.slanted += slanted
            counts.unsure += thing.unsure and not slanted
            unknown.add(name)
        if slanted or thing.unsure or share < LEAST_SEEN:
            passed.append(part)
            continue
        quads.append(part)
        cls.append(CLASSES.index(name))
        hull.append(thing.hull)
        counts.things[name] += 1
        counts.hulls += thing.hull
        if name in CARDS and share == 1.0 and not thing.hull:
            counts.card_sides_px.append(float(np.linalg.norm(np.diff(part[:3], axis=0), axis=1).min()))
    return Seen(
        path,
        tuple(name for name in known if name not in unknown),
        np.array(quads, np.float32).reshape(-1, 4, 2),
        np.array(cls, np.int64),
        np.array(hull, bool),
        np.array(passed, np.float32).reshape(-1, 4, 2),
    )


def _flat_quad(moved: Corners, hull: bool) -> tuple[Corners, bool] | None:
    """A thing's corners (4, 2) in the view, and whether they still bound it; None where it is seen edge on.

    What was drawn around a thing bounds it in any view; of a hull that is so only where it stays nearly straight.
    """
    rectangle = smallest_rectangle(moved)
    if rectangle is None or not hull:
        return None if rectangle is None else (rectangle, True)
    low, high = moved.min(axis=0), moved.max(axis=0)
    fills = abs(float(cv2.contourArea(moved.astype(np.float32)))) / max(float(np.prod(high - low)), 1e-6)
    return straight_box(low[0], low[1], high[0], high[1]), fills >= FILLS_HULL
