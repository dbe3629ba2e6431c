"""COCO's object labels: one JSON file of images, categories and annotations.

A thing's outline is taken from its segmentation where that tells more than its box. A box may be turned: `bbox` of
five numbers (middle, width, height, degrees anticlockwise, as Detectron2 writes it), of eight (four corners), or of
four with `attributes.rotation` (degrees clockwise about the middle, as CVAT writes it).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from calibration.schema import Document, Node
from models.labels.json_labels import open_json, picture_of
from models.labels.labelled import Corners, Labelled, LabelSet, Problems, Thing, place_of
from models.labels.shapes import is_straight, outline_of, straight_box, turned_box
from models.labels.shelf import Shelf

FORM = "COCO"
Id = int | str


@dataclass(slots=True)
class _Found:
    """The annotations so far, by the id of their picture."""

    things: dict[Id, list[Thing]] = field(default_factory=lambda: defaultdict(list))
    crowded: dict[Id, set[str]] = field(default_factory=lambda: defaultdict(set))


def _id(node: Node, key: str) -> Id | None:
    """A record's number (or text) under `key`, or None after its fault was noted."""
    value = node.get(key)
    if value is None or isinstance(value.raw, bool) or not isinstance(value.raw, int | str):
        node.document.problem((*node.path, key), "nothing" if value is None else repr(value.raw)[:40], "a number")
        return None
    return value.raw


def _records(document: Document, key: str) -> list[Node]:
    """The records of one of the file's lists, those that are tables."""
    found = document.root.get(key)
    if found is None:
        document.problem((key,), "nothing", "a list, as in COCO's object labels")
        return []
    return [node for node in found.entries() if node.is_table()]


def _categories(document: Document) -> dict[Id, str]:
    """The class names by id."""
    out: dict[Id, str] = {}
    for node in _records(document, "categories"):
        number, name = _id(node, "id"), node.get("name")
        text = name.text() if name is not None else None
        if name is None:
            document.problem((*node.path, "name"), "nothing", "the class's name")
        if number is not None and text is not None:
            out[number] = text
    return out


def _box(node: Node) -> Corners | None:
    """The outline of a `bbox`, or None after its fault was noted."""
    box = node.get("bbox")
    if box is None:
        node.document.problem((*node.path, "bbox"), "nothing", "a box, or a segmentation of polygons")
        return None
    values = box.numbers((4, 5, 8))
    if values is None:
        return None
    points = _turned_points(node, values)
    return None if points is None else _around(box, points)


def _turned_points(node: Node, values: list[float]) -> list[float] | None:
    """The corners x, y, x, y, ... of the numbers of a `bbox`, or None after a fault was noted."""
    if len(values) == 8:
        return values
    if len(values) == 5:
        return turned_box(values[:2], values[2:4], -values[4]).ravel().tolist()
    x, y, width, height = values
    attributes = node.get("attributes")
    rotation = attributes.get("rotation") if attributes is not None else None
    degrees = rotation.number() if rotation is not None and rotation.raw is not None else 0.0
    if degrees is None:
        return None
    if degrees % 360 == 0:
        return straight_box(x, y, x + width, y + height).ravel().tolist()
    return turned_box((x + width / 2, y + height / 2), (width, height), degrees).ravel().tolist()


def _around(node: Node, numbers: list[float]) -> Corners | None:
    """The outline around points x, y, x, y, ...; None after it was noted that they enclose nothing."""
    corners = outline_of(np.array(numbers, np.float64).reshape(-1, 2))
    if corners is None:
        node.bad("an outline around the thing", "a shape that encloses nothing")
    return corners


def _outline(node: Node) -> Corners | None:
    """The outline of an annotation, or None after its fault was noted."""
    segments = node.get("segmentation")
    if segments is None or segments.raw in ([], None):
        return _box(node)
    if isinstance(segments.raw, dict):
        segments.bad("a list of polygons (export masks as polygons)", "run lengths of a mask")
        return None
    numbers: list[float] = []
    for polygon in segments.entries("a list of polygons"):
        if not isinstance(polygon.raw, list) or len(polygon.raw) < 6 or len(polygon.raw) % 2:
            polygon.bad("x, y of at least three points")
            return None
        values = polygon.numbers((len(polygon.raw),))
        if values is None:
            return None
        numbers += values
    corners = _around(segments, numbers)
    # A straight rectangle is what exporters make of a box; the box itself may be a turned one.
    return _box(node) if corners is not None and is_straight(corners) and node.get("bbox") is not None else corners


def _annotations(document: Document, categories: dict[Id, str], images: set[Id]) -> _Found:
    """What the annotations say, by picture."""
    found = _Found()
    for node in _records(document, "annotations"):
        image, category = _id(node, "image_id"), _id(node, "category_id")
        if image is not None and image not in images:
            document.problem((*node.path, "image_id"), repr(image), "the id of one of the images")
        if category is not None and category not in categories:
            document.problem((*node.path, "category_id"), repr(category), "the id of one of the categories")
        if image is None or category is None or category not in categories:
            continue
        name = categories[category]
        crowd = node.get("iscrowd")
        if crowd is not None and crowd.raw in (1, True):
            found.crowded[image].add(name)
            continue
        corners = _outline(node)
        attributes = node.get("attributes")
        mark = attributes.get("unsure") if attributes is not None else None
        if corners is not None:
            own = node.get("id")
            place = place_of(document, node.path, own.raw if own is not None else None)
            unsure = mark is not None and mark.raw in (True, "true", "True")
            found.things[image].append(Thing(name, corners, is_straight(corners), unsure, place))
    return found


def _pictures(document: Document, shelf: Shelf) -> dict[Id, tuple[str, Path, tuple[int, int] | None, str]]:
    """Name, path, size and place of each picture, by its id."""
    out = {}
    for node in _records(document, "images"):
        number, name = _id(node, "id"), node.get("file_name")
        if name is None:
            document.problem((*node.path, "file_name"), "nothing", "the picture's name")
            continue
        path = picture_of(name, shelf)
        sizes = [node.get(key) for key in ("width", "height")]
        size = [side.whole(1, 1 << 20) for side in sizes if side is not None]
        if number is not None and path is not None and None not in size:
            whole = (size[0], size[1]) if len(size) == 2 and size[0] is not None and size[1] is not None else None
            out[number] = (str(name.raw), path, whole, place_of(document, node.path, number))
    return out


def read(path: Path, images: Path | None) -> LabelSet:
    """The labels of a JSON file.

    Raises:
        LabelFault: it is not COCO's form, or pictures are missing; every fault with its line and key.
    """
    problems = Problems()
    document = open_json(path, problems)
    folders = [path.parent / "images", path.parent, path.parent.parent / "images"]
    pictures = _pictures(document, Shelf([images] if images is not None else folders))
    categories = _categories(document)
    # A picture that is missing was told of already; its annotations are not wrong as well.
    ids = [node.raw.get("id") for node in _records(document, "images")]
    named = {number for number in ids if isinstance(number, int | str)}
    found = _annotations(document, categories, named)
    problems.take(document.problems)
    problems.stop()
    labelled = tuple(
        Labelled(name, file, size, tuple(found.things[number]), False, frozenset(found.crowded[number]), "", place)
        for number, (name, file, size, place) in pictures.items()
    )
    return LabelSet(FORM, path, (path,), tuple(dict.fromkeys(categories.values())), labelled, ())
