"""CVAT's own labels: the export `CVAT for images 1.1`, one XML file."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

import numpy as np

from models.labels.labelled import Corners, Labelled, LabelSet, Problems, Thing
from models.labels.shapes import is_straight, outline_of, straight_box, turned_box
from models.labels.shelf import Shelf

FORM = "CVAT for images 1.1"
#: The attribute by which a suggestion is marked as a guess; a person takes it off.
UNSURE = "unsure"
OUTLINES = ("box", "polygon", "ellipse")
NOT_OUTLINES = ("polyline", "points", "mask", "cuboid", "skeleton")
#: A thing as it is read: its rectangle, or what is wrong with it.
NEEDED = {
    "box": ("xtl", "ytl", "xbr", "ybr"),
    "polygon": ("points",),
    "ellipse": ("cx", "cy", "rx", "ry"),
}
Attributes = dict[str, str]


@dataclass(slots=True)
class _Open:
    """The picture or thing whose element is open."""

    line: int
    attributes: Attributes
    tag: str = ""
    unsure: bool = False
    things: list[Thing] = field(default_factory=list)


class _Reader:
    """Walks over the XML; what it finds is in `pictures` and `names`."""

    def __init__(self, path: Path, shelf: Shelf, problems: Problems) -> None:
        self.path, self.shelf, self.problems = path, shelf, problems
        self.pictures: list[Labelled] = []
        self.names: list[str] = []
        self.root = ""
        self._image: _Open | None = None
        self._shape: _Open | None = None
        self._tags: list[str] = []
        self._task = ""
        self._attribute = ""
        self._text = ""
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        self._parser.StartDoctypeDeclHandler = self._doctype

    def read(self) -> None:
        """Reads the whole file."""
        try:
            self._parser.Parse(self.path.read_bytes(), True)
        except OSError as error:
            self._bad("the file", str(error.strerror), "a file that can be read")
        except expat.ExpatError as error:
            self.problems.add(self.path, error.lineno, "the file", f"broken XML ({error})", "well-formed XML")

    def _bad(self, key: str, found: str, expected: str, line: int | None = None) -> None:
        self.problems.add(self.path, line or self._parser.CurrentLineNumber, key, found, expected)

    def _doctype(self, *_: object) -> None:
        self._bad("the file", "a document type, which no export has", f"an export of the form '{FORM}'")
        self.problems.stop()

    def _start(self, tag: str, attributes: Attributes) -> None:
        self.root = self.root or tag
        self._tags.append(tag)
        self._text = ""
        line = self._parser.CurrentLineNumber
        if tag == "track":
            self._bad("<track>", "an export for videos", f"an export of the form '{FORM}'")
            self.problems.stop()
        elif tag == "image":
            self._image = _Open(line, attributes)
        elif self._image is not None and tag in (*OUTLINES, *NOT_OUTLINES):
            self._shape = _Open(line, attributes, tag)
        elif tag == "attribute":
            self._attribute = attributes.get("name", "")

    def _characters(self, text: str) -> None:
        self._text += text

    def _end(self, tag: str) -> None:
        text = self._text.strip()
        self._tags.pop()
        if tag == "name" and self._tags[-2:] == ["labels", "label"]:
            self.names.append(text)
        elif tag == "name" and self._tags[-1:] in (["task"], ["job"]):
            self._task = text
        elif tag == "attribute" and self._shape is not None and self._attribute.lower() == UNSURE:
            self._shape.unsure = text.lower() == "true"
        elif self._shape is not None and tag == self._shape.tag:
            self._close_shape(self._shape)
            self._shape = None
        elif tag == "image" and self._image is not None:
            self._close_image(self._image)
            self._image = None
        self._text = ""

    def _close_shape(self, shape: _Open) -> None:
        """Takes the thing whose element ends."""
        assert self._image is not None
        key = f"<{shape.tag}> on {self._image.attributes.get('name', 'a picture')!r}"
        if shape.tag in NOT_OUTLINES:
            self._bad(key, f"a {shape.tag}", "a box, a rotated box or a polygon around the thing", shape.line)
            return
        label = shape.attributes.get("label", "")
        if not label:
            self._bad(key, "no label", "the attribute label=", shape.line)
        corners = self._corners(shape, key)
        if corners is not None and label:
            place = f"{self.path}:{shape.line}"
            self._image.things.append(Thing(label, corners, is_straight(corners), shape.unsure, place))
            if label not in self.names:
                self.names.append(label)

    def _corners(self, shape: _Open, key: str) -> Corners | None:
        """The outline around a shape, or None after its fault was noted."""
        values = {name: shape.attributes.get(name) for name in NEEDED[shape.tag]}
        missing = [name for name, value in values.items() if value is None]
        if missing:
            self._bad(key, f"no {', '.join(missing)}", "the shape's " + ", ".join(NEEDED[shape.tag]), shape.line)
            return None
        try:
            turn = float(shape.attributes.get("rotation", 0))
            if not math.isfinite(turn):
                raise ValueError(f"the rotation {shape.attributes['rotation']!r:.40}")
            corners = _rectangle(shape.tag, {name: str(value) for name, value in values.items()}, turn)
        except ValueError as error:
            self._bad(key, str(error), "numbers", shape.line)
            return None
        if corners is None:
            self._bad(key, "a shape that encloses nothing", "an outline around the thing", shape.line)
        return corners

    def _close_image(self, image: _Open) -> None:
        """Takes the picture whose element ends."""
        name = image.attributes.get("name", "")
        width, height = image.attributes.get("width", ""), image.attributes.get("height", "")
        key = f"<image name={name!r}>"
        if not name or not width.isdigit() or not height.isdigit():
            self._bad(key, f"width {width or 'none'}, height {height or 'none'}", "name, width, height", image.line)
            return
        subset = image.attributes.get("subset", "")
        found = self.shelf.find(f"{subset}/{name}" if subset else name)
        if isinstance(found, str):
            self._bad(key, found, self.shelf.advice(), image.line)
            return
        recording = self._task or subset
        place = f"{self.path}:{image.line}"
        size = int(width), int(height)
        things = tuple(image.things)
        self.pictures.append(Labelled(name, found, size, things, False, frozenset(), recording, place))


def _rectangle(tag: str, values: dict[str, str], turn: float) -> Corners | None:
    """The outline of a shape's attributes; CVAT turns clockwise, in degrees, about the middle."""
    if tag == "polygon":
        points = [[float(number) for number in point.split(",")] for point in values["points"].split(";") if point]
        if any(len(point) != 2 for point in points):
            raise ValueError(f"the points {values['points'][:40]!r}")
        return outline_of(np.array(points, np.float64).reshape(-1, 2))
    a, b, c, d = (float(values[name]) for name in NEEDED[tag])
    box = (a, b, c, d) if tag == "box" else (a - c, b - d, a + c, b + d)
    if turn % 360 == 0:
        return outline_of(straight_box(*box))
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
    return outline_of(turned_box(middle, (box[2] - box[0], box[3] - box[1]), turn))


def read(path: Path, images: Path | None) -> LabelSet:
    """The labels of an XML file, or of a folder with annotations.xml.

    Raises:
        LabelFault: it is no such export, or pictures are missing; every fault with its line.
    """
    file = path / "annotations.xml" if path.is_dir() else path
    folder = file.parent
    shelf = Shelf([images] if images is not None else [folder / "images", folder])
    problems = Problems()
    reader = _Reader(file, shelf, problems)
    reader.read()
    if reader.root not in ("annotations", ""):
        problems.add(file, 1, "the file", f"<{reader.root}>", f"<annotations>, as in an export '{FORM}'")
    problems.stop()
    return LabelSet(FORM, file, (file,), tuple(dict.fromkeys(reader.names)), tuple(reader.pictures), ())
