"""Label Studio's labels: the export `JSON`, a list of tasks with annotations.

Places are in percent of the picture; a rectangle is turned clockwise about its upper left corner.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from calibration.schema import Document, Node
from models.labels.json_labels import open_json, picture_of
from models.labels.labelled import Corners, Labelled, LabelSet, Problems, Thing, place_of
from models.labels.shapes import is_straight, outline_of, straight_box, turned
from models.labels.shelf import SUFFIXES, Shelf

FORM = "Label Studio"
RECTANGLE, POLYGON = "rectanglelabels", "polygonlabels"
#: Results that outline nothing of their own, or that are parts of another result.
PASSED_OVER = {"choices", "textarea", "rating", "number", "relation", "taxonomy", "datetime", "pairwise", "ranker"}
#: A result's part of a rectangle that carries no class of its own.
PLAIN = {"rectangle", "polygon"}


def _annotation(task: Node) -> Node | None:
    """The annotation of a task that counts: one marked as the truth, else the last; None if there is none."""
    annotations = task.get("annotations")
    if annotations is None:
        return None
    made = [node for node in annotations.entries() if node.is_table() and not node.raw.get("was_cancelled")]
    if not made:
        return None

    def order(node: Node) -> tuple[bool, str]:
        return bool(node.raw.get("ground_truth")), str(node.raw.get("updated_at") or node.raw.get("created_at") or "")

    return max(made, key=order)


def _image(task: Node) -> Node | None:
    """The task's value that names its picture, or None after its fault was noted."""
    data = task.get("data")
    values = list(data.items()) if data is not None else []
    texts = [(key, node) for key, node in values if isinstance(node.raw, str)]
    for key, node in texts:
        if key in ("image", "img", "picture") or any(suffix in node.raw.lower() for suffix in SUFFIXES):
            return node
    task.document.problem((*task.path, "data"), f"{[key for key, _ in values]}", "a key 'image' that names the picture")
    return None


def _size(result: Node) -> tuple[int, int] | None:
    """The picture's width and height as a result gives them, or None after its fault was noted."""
    out = []
    for key in ("original_width", "original_height"):
        node = result.get(key)
        if node is None:
            result.document.problem((*result.path, key), "nothing", "the picture's size in pixels")
            return None
        out.append(node.whole(1, 1 << 20))
    return (out[0], out[1]) if out[0] is not None and out[1] is not None else None


def _corners(kind: str, value: Node, size: Sequence[int]) -> Corners | None:
    """The outline of a result, in pixels, or None after its fault was noted."""
    share = np.array(size, np.float64) / 100
    if kind == POLYGON:
        points = value.get("points")
        pairs = [node.numbers((2,)) for node in points.entries()] if points is not None else []
        whole = [pair for pair in pairs if pair is not None]
        if len(whole) < len(pairs):
            return None
        corners = outline_of(np.array(whole, np.float64).reshape(-1, 2) * share)
    else:
        numbers = {}
        for key in ("x", "y", "width", "height"):
            node = value.get(key)
            number = node.number() if node is not None else None
            if number is None:
                if node is None:
                    value.document.problem((*value.path, key), "nothing", "a number, in percent")
                return None
            numbers[key] = number
        rotation = value.get("rotation")
        degrees = rotation.number() if rotation is not None and rotation.raw is not None else 0.0
        if degrees is None:
            return None
        x, y = numbers["x"] * share[0], numbers["y"] * share[1]
        box = straight_box(x, y, x + numbers["width"] * share[0], y + numbers["height"] * share[1])
        corners = outline_of(turned(box, (x, y), degrees) if degrees % 360 else box)
    if corners is None:
        value.bad("an outline around the thing", "a shape that encloses nothing")
    return corners


def _thing(result: Node) -> tuple[Thing, tuple[int, int]] | None:
    """The thing of one result with its picture's size; None if it is none, or after its fault was noted."""
    kind = result.raw.get("type")
    kind = kind if isinstance(kind, str) else repr(kind)
    if kind in PASSED_OVER:
        return None
    value, document = result.get("value"), result.document
    if kind not in (RECTANGLE, POLYGON) or value is None:
        found = f"{kind!r} without a class" if kind in PLAIN else repr(kind)
        document.problem((*result.path, "type"), found, f"'{RECTANGLE}' or '{POLYGON}'")
        return None
    names = value.raw.get(kind) if isinstance(value.raw, dict) else None
    if not isinstance(names, list) or len(names) != 1 or not isinstance(names[0], str):
        document.problem((*value.path, kind), repr(names)[:40], "one class name")
        return None
    size = _size(result)
    corners = _corners(kind, value, size) if size is not None else None
    if size is None or corners is None:
        return None
    unsure = result.raw.get("origin") == "prediction"
    place = place_of(document, result.path, result.raw.get("id"))
    return Thing(names[0], corners, is_straight(corners), unsure, place), size


def _labelled(task: Node, annotation: Node, shelf: Shelf) -> Labelled | None:
    """One task as a labelled picture, or None after its fault was noted."""
    name = _image(task)
    path = picture_of(name, shelf) if name is not None else None
    results = annotation.get("result")
    if results is None:
        task.document.problem((*annotation.path, "result"), "nothing", "a list")
        return None
    things = [_thing(node) for node in results.entries() if node.is_table()]
    known = [thing for thing in things if thing is not None]
    if name is None or path is None:
        return None
    size = known[0][1] if known else None
    place = place_of(task.document, task.path, task.raw.get("id"))
    return Labelled(name.raw, path, size, tuple(thing for thing, _ in known), False, frozenset(), "", place)


def _tasks(document: Document) -> list[Node]:
    """The file's tasks; a fault is noted where it is another kind of export."""
    tasks = [node for node in document.root.entries("a list of tasks, the export 'JSON'") if node.is_table()]
    for task in tasks:
        if "annotations" not in task.raw and "data" not in task.raw:
            task.bad("keys 'data' and 'annotations': export as JSON, not as JSON-MIN", f"keys {sorted(task.raw)[:6]}")
    return tasks


def read(path: Path, images: Path | None) -> LabelSet:
    """The labels of a JSON file.

    Raises:
        LabelFault: it is no such export, or pictures are missing; every fault with its line and key.
    """
    problems = Problems()
    document = open_json(path, problems)
    shelf = Shelf([images] if images is not None else [path.parent / "images", path.parent])
    pictures, without = [], 0
    for task in _tasks(document):
        annotation = _annotation(task)
        if annotation is None:
            without += 1
            continue
        picture = _labelled(task, annotation, shelf)
        if picture is not None:
            pictures.append(picture)
    problems.take(document.problems)
    problems.stop()
    names = tuple(dict.fromkeys(thing.name for picture in pictures for thing in picture.things))
    remarks = (f"{without} tasks without an annotation were passed over",) if without else ()
    return LabelSet(FORM, path, (path,), names, tuple(pictures), remarks)
