"""Small pictures and label files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.labels.labelled import LabelFault, LabelSet, Thing
from models.labels.read import read_labels
from models.labels.shapes import smallest_rectangle

WIDTH_PX, HEIGHT_PX = 200, 100


def write_pictures(folder: Path, *names: str, size: tuple[int, int] = (WIDTH_PX, HEIGHT_PX)) -> None:
    """Plain felt under these names."""
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), np.full((size[1], size[0], 3), (60, 110, 40), np.uint8))


def write_cvat(folder: Path, *shapes: str, image: str = "a.png") -> Path:
    """A CVAT export of one picture with these shapes, which begin on line 5."""
    names = "".join(f"<label><name>{name}</name></label>" for name in ("card_face", "card_back", "hand"))
    lines = [
        "<annotations>",
        "<version>1.1</version>",
        f"<meta><job><labels>{names}</labels></job></meta>",
        f'<image id="0" name="{image}" width="{WIDTH_PX}" height="{HEIGHT_PX}">',
        *shapes,
        "</image>",
        "</annotations>",
    ]
    path = folder / "annotations.xml"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def write_coco(folder: Path, *annotations: Mapping[str, object]) -> Path:
    """A COCO file of one picture with these annotations, one a line."""
    whole = [{"id": number, "image_id": 1, "category_id": 3} | dict(one) for number, one in enumerate(annotations)]
    head = {
        "images": [{"id": 1, "file_name": "a.png", "width": WIDTH_PX, "height": HEIGHT_PX}],
        "categories": [{"id": 3, "name": "card_face"}, {"id": 4, "name": "hand"}],
    }
    text = json.dumps(head)[:-1] + ',\n"annotations": [\n' + ",\n".join(json.dumps(one) for one in whole) + "\n]}"
    path = folder / "labels.json"
    path.write_text(text, encoding="utf-8")
    return path


def write_label_studio(
    folder: Path, *results: Mapping[str, object], image: str = "/data/upload/1/0a1b2c3d-a.png"
) -> Path:
    """A Label Studio export of one task with these results, one a line."""
    size = {"original_width": WIDTH_PX, "original_height": HEIGHT_PX}
    lines = ",\n".join(json.dumps(size | dict(one)) for one in results)
    head = json.dumps({"id": 7, "data": {"image": image}})[:-1]
    path = folder / "export.json"
    path.write_text(f'[{head}, "annotations": [{{"id": 1, "result": [\n{lines}\n]}}]}}]', encoding="utf-8")
    return path


def write_yolo(folder: Path, *lines: str, names: str = "names: [card_face, hand]") -> Path:
    """A YOLO data set of one picture with these lines."""
    write_pictures(folder / "images", "a.png")
    (folder / "labels").mkdir(exist_ok=True)
    (folder / "labels" / "a.txt").write_text("\n".join(lines), encoding="utf-8")
    (folder / "data.yaml").write_text(f"train: images\n{names}\n", encoding="utf-8")
    return folder


def refusal(path: Path) -> str:
    """What is said of labels that are refused."""
    with pytest.raises(LabelFault) as caught:
        read_labels(path)
    assert caught.value.exit_code == 3
    return str(caught.value)


def _rectangle(thing: Thing) -> list[tuple[float, float]]:
    found = smallest_rectangle(thing.outline)
    assert found is not None
    return [(float(x), float(y)) for x, y in found]


def corners_of(labels: LabelSet) -> list[list[tuple[float, float]]]:
    """The rounded corners of the rectangle around every thing, each sorted."""
    return [
        sorted((round(x, 1) + 0.0, round(y, 1) + 0.0) for x, y in _rectangle(thing))
        for picture in labels.pictures
        for thing in picture.things
    ]
