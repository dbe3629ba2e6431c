"""YOLO's oriented labels: a folder with data.yaml, pictures, and a text file of lines for each picture.

A line is `class x1 y1 x2 y2 x3 y3 x4 y4`, in shares of the picture's sides; `class x y width height` is an axis-aligned
box, and more points are a polygon.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from models.labels.labelled import Corners, Labelled, LabelSet, Problems, Thing
from models.labels.shapes import is_straight, outline_of, straight_box
from models.labels.shelf import is_picture
from models.labels.yolo_yaml import Value, YamlError, keys_of

FORM = "YOLO-OBB"
SPLITS = ("train", "val", "test")
#: Corners may stand a little outside the picture.
OUTSIDE = 0.25


@dataclass(frozen=True, slots=True)
class _Reader:
    """What reading the label files needs: the class names, and where faults go."""

    names: tuple[str, ...]
    problems: Problems

    def things(self, file: Path) -> tuple[Thing, ...]:
        """The things of one picture's label file."""
        try:
            lines = file.read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            self.problems.add(file, None, "the file", str(error), "lines of text")
            return ()
        found = [self._thing(file, number, line) for number, line in enumerate(lines, start=1) if line.strip()]
        return tuple(thing for thing in found if thing is not None)

    def _thing(self, file: Path, number: int, line: str) -> Thing | None:
        """The thing on a line, or None after its fault was noted."""
        words = line.split()
        try:
            values = [float(word) for word in words]
        except ValueError:
            self.problems.add(file, number, "the line", line[:40], "a class and its corners, all numbers")
            return None
        index, places = values[0], values[1:]
        if not index.is_integer() or not 0 <= index < len(self.names):
            self.problems.add(file, number, "class", words[0], f"a whole number from 0 to {len(self.names) - 1}")
            return None
        if len(places) != 4 and (len(places) < 6 or len(places) % 2):
            self.problems.add(file, number, "the line", f"{len(places)} numbers after the class", "8, or 4 of a box")
            return None
        if not all(math.isfinite(v) and -OUTSIDE <= v <= 1 + OUTSIDE for v in places):
            self.problems.add(file, number, "corners", line[:60], "shares of the picture's sides, from 0 to 1")
            return None
        if len(places) == 4:
            x, y, width, height = places
            points = straight_box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        else:
            points = np.array(places, np.float64).reshape(-1, 2)
        return self._outlined(file, number, int(index), points)

    def _outlined(self, file: Path, number: int, index: int, points: Corners) -> Thing | None:
        """A thing of points as they are: only in pixels can a rectangle be laid around them."""
        if outline_of(points) is None:
            self.problems.add(file, number, "corners", "a shape that encloses nothing", "an outline around the thing")
            return None
        return Thing(self.names[index], points, is_straight(points), False, f"{file}:{number}")


def read(path: Path, images: Path | None) -> LabelSet:
    """The labels of a data set's folder, or of its data.yaml.

    Raises:
        LabelFault: data.yaml or a label file is wrong, or there are no pictures; every fault with its line.
    """
    file = _yaml_of(path) if path.is_dir() else path
    problems = Problems()
    keys = _keys(file, problems)
    names = _names(file, keys, problems)
    pictures = _pictures(file, keys, images, problems)
    problems.stop()
    reader, labelled, files, without = _Reader(names, problems), [], [file], 0
    for picture in pictures:
        text = _labels_of(picture)
        if not text.is_file():
            without += 1
            continue
        files.append(text)
        things = reader.things(text)
        labelled.append(Labelled(picture.name, picture, None, things, True, frozenset(), "", str(text)))
    if not labelled and not without:
        problems.add(file, None, "train", "no pictures", "folders of pictures beside folders of labels")
    problems.stop()
    remarks = (f"{without} pictures without a label file were passed over",) if without else ()
    return LabelSet(FORM, file, tuple(files), names, tuple(labelled), remarks)


def _yaml_of(folder: Path) -> Path:
    """The file that describes a data set."""
    found = sorted([*folder.glob("*.yaml"), *folder.glob("*.yml")])
    return found[0] if len(found) == 1 else folder / "data.yaml"


def _keys(file: Path, problems: Problems) -> dict[str, Value]:
    """The keys of data.yaml."""
    try:
        return keys_of(file.read_text(encoding="utf-8-sig"))
    except YamlError as error:
        problems.add(file, error.line, "the line", str(error), "a text, a list, or a numbered list of texts")
    except (OSError, UnicodeDecodeError) as error:
        problems.add(file, None, "the file", str(getattr(error, "strerror", error)), "the data set's data.yaml")
    problems.stop()
    return {}


def _names(file: Path, keys: dict[str, Value], problems: Problems) -> tuple[str, ...]:
    """The class names, by their number."""
    names = keys.get("names")
    if names is None or not names.listed or not names.texts:
        line = None if names is None else names.line
        problems.add(file, line, "names", "nothing" if names is None else "no list", "a list of the class names")
        return ()
    return tuple(names.texts)


def _pictures(file: Path, keys: dict[str, Value], images: Path | None, problems: Problems) -> list[Path]:
    """Every picture of the data set's parts, each once."""
    if images is not None:
        return _below(images)
    base = file.parent
    if "path" in keys and keys["path"].texts:
        given = base / keys["path"].texts[0]
        base = given if given.is_dir() else base  # data sets are moved, their files are not rewritten
    found: dict[Path, None] = {}
    for name in SPLITS:
        value = keys.get(name)
        for text in value.texts if value is not None else []:
            if text in ("null", "~"):
                continue
            place = _place(base, text)
            if place is None:
                problems.add(file, value.line if value else None, name, repr(text), f"a folder or list under {base}")
            else:
                found.update(dict.fromkeys(_below(place) if place.is_dir() else _listed(place, problems)))
    if not any(name in keys for name in SPLITS):
        found.update(dict.fromkeys(_below(base)))
    return list(found)


def _place(base: Path, text: str) -> Path | None:
    """A part's folder or list; paths that begin one folder too high, as some exports write them, are understood."""
    for place in (base / text, base / text.removeprefix("../"), base / Path(text).name):
        if place.exists():
            return place
    return None


def _below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if is_picture(path))


def _listed(file: Path, problems: Problems) -> list[Path]:
    """The pictures that a text file lists."""
    out = []
    for number, line in enumerate(file.read_text(encoding="utf-8-sig").splitlines(), start=1):
        path = file.parent / line.strip()
        if line.strip() and path.is_file():
            out.append(path)
        elif line.strip():
            problems.add(file, number, "the line", repr(line.strip()[:60]), "a picture")
    return out


def _labels_of(picture: Path) -> Path:
    """A picture's label file: below `labels` where the picture is below `images`, else beside it."""
    parts = list(picture.parts)
    for at in range(len(parts) - 2, -1, -1):
        if parts[at] == "images":
            moved = Path(*parts[:at], "labels", *parts[at + 1 :]).with_suffix(".txt")
            return (
                moved if moved.is_file() or not picture.with_suffix(".txt").is_file() else picture.with_suffix(".txt")
            )
    return picture.with_suffix(".txt")
