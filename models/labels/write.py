"""Suggestions as files that label tools read: CVAT's XML and YOLO's oriented labels, over one folder of pictures.

annotations.xml    CVAT for images 1.1; what the model is unsure of has the attribute `unsure`
cvat_labels.json   the label list of a CVAT task, to paste into its raw editor before the XML is uploaded
data.yaml, labels/ YOLO-OBB, which has no place for a mark
look_first.csv     what the model is unsure of, the pictures with most of it first
images/            the pictures
"""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

import cv2
import numpy as np

from models.labels.cvat import UNSURE
from models.labels.suggest import Suggestion
from vision.detections import CLASSES

#: A quad that fills its smallest rectangle to this share is written as a turned box, which is easier to correct.
RECTANGULAR = 0.96
FILES = ("annotations.xml", "cvat_labels.json", "data.yaml", "look_first.csv")


@dataclass(frozen=True, slots=True)
class Suggested:
    """A picture, its name below the pictures' folder, its size, and what is suggested on it."""

    path: Path
    name: str
    width_px: int
    height_px: int
    things: tuple[Suggestion, ...]


def write_suggestions(folder: Path, pictures: Sequence[Suggested]) -> None:
    """Writes all the files into `folder`."""
    for picture in pictures:
        image = folder / "images" / picture.name
        image.parent.mkdir(parents=True, exist_ok=True)
        if picture.path.resolve() != image.resolve():
            shutil.copyfile(picture.path, image)
        labels = (folder / "labels" / picture.name).with_suffix(".txt")
        labels.parent.mkdir(parents=True, exist_ok=True)
        labels.write_text("".join(_yolo_line(thing, picture) for thing in picture.things), encoding="utf-8")
    names = "".join(f"  {number}: {name}\n" for number, name in enumerate(CLASSES))
    (folder / "data.yaml").write_text(f"train: images\nval: images\nnames:\n{names}", encoding="utf-8")
    (folder / "annotations.xml").write_text(_cvat(pictures), encoding="utf-8")
    (folder / "cvat_labels.json").write_text(json.dumps(_label_list(), indent=2) + "\n", encoding="utf-8")
    _write_unsure(folder / "look_first.csv", pictures)


def _yolo_line(thing: Suggestion, picture: Suggested) -> str:
    shares = np.clip(thing.corners / [picture.width_px, picture.height_px], 0, 1)
    return " ".join([str(CLASSES.index(thing.name)), *(f"{share:.6f}" for share in shares.ravel())]) + "\n"


def _label_list() -> list[dict[str, object]]:
    """The labels of a CVAT task with the attributes that the XML uses."""
    attributes = [
        {"name": UNSURE, "input_type": "checkbox", "mutable": False, "values": ["false"], "default_value": "false"},
        {"name": "score", "input_type": "number", "mutable": False, "values": ["0", "100", "1"], "default_value": "0"},
    ]
    return [{"name": name, "type": "any", "attributes": attributes} for name in CLASSES]


def _cvat(pictures: Sequence[Suggested]) -> str:
    """The XML of every picture."""
    labels = "".join(f"<label><name>{name}</name></label>" for name in CLASSES)
    meta = f"<meta><task><name>suggestions</name><labels>{labels}</labels></task></meta>"
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<annotations>", "<version>1.1</version>", meta]
    for number, picture in enumerate(pictures):
        size = f'width="{picture.width_px}" height="{picture.height_px}"'
        lines.append(f'<image id="{number}" name={quoteattr(picture.name)} {size}>')
        lines += [_shape(thing) for thing in picture.things]
        lines.append("</image>")
    return "\n".join([*lines, "</annotations>"]) + "\n"


def _shape(thing: Suggestion) -> str:
    """A thing as a turned box, or as a polygon where the camera shows it aslant."""
    marks = f'<attribute name="{UNSURE}">{"true" if thing.unsure else "false"}</attribute>'
    marks += f'<attribute name="score">{round(100 * thing.score)}</attribute>'
    common = f'label="{thing.name}" source="auto" occluded="0" z_order="0"'
    middle, (width, height), degrees = cv2.minAreaRect(thing.corners.astype(np.float32))
    if abs(cv2.contourArea(thing.corners.astype(np.float32))) < RECTANGULAR * width * height:
        points = ";".join(f"{x:.2f},{y:.2f}" for x, y in thing.corners)
        return f'<polygon {common} points="{points}">{marks}</polygon>'
    x, y = middle
    box = f'xtl="{x - width / 2:.2f}" ytl="{y - height / 2:.2f}" xbr="{x + width / 2:.2f}" ybr="{y + height / 2:.2f}"'
    return f'<box {common} {box} rotation="{degrees % 360:.2f}">{marks}</box>'


def _write_unsure(path: Path, pictures: Sequence[Suggested]) -> None:
    """One line for each thing that the model is unsure of."""
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["picture", "line", "class", "score", "x_px", "y_px"])
        order = sorted(pictures, key=lambda picture: -sum(thing.unsure for thing in picture.things))
        for picture in order:
            for line, thing in enumerate(picture.things, start=1):
                if thing.unsure:
                    x, y = thing.corners.mean(axis=0)
                    rows.writerow([picture.name, line, thing.name, f"{thing.score:.2f}", f"{x:.0f}", f"{y:.0f}"])
