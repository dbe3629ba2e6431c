"""Reads labels of any of the four formats."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from models.labels import coco, cvat, labelstudio, yolo
from models.labels.labelled import LabelFault, LabelSet, Problems

READERS: Mapping[str, Callable[[Path, Path | None], LabelSet]] = {
    "cvat": cvat.read,
    "labelstudio": labelstudio.read,
    "coco": coco.read,
    "yolo": yolo.read,
}
KNOWN = (
    "a CVAT export 'for images 1.1' (XML), a Label Studio export (JSON), COCO (JSON), or the folder of a YOLO data set "
    "with data.yaml"
)


def read_labels(path: Path, images: Path | None = None, form: str | None = None) -> LabelSet:
    """What the labels at `path` say.

    Args:
        path: a label file, or a folder with one.
        images: where the pictures are, if not beside the labels.
        form: a key of `READERS`; by default it is told from the file.

    Raises:
        LabelFault: the labels cannot be read; every fault with its file, line and key.
    """
    path, form = _found(path, form)
    if images is not None and not images.is_dir():
        _refuse(images, "no such folder", "the folder of the pictures")
    labels = READERS[form](path, images)
    if not labels.pictures:
        _refuse(labels.file, "no labelled picture", "pictures and what is on them")
    return labels


def _refuse(path: Path, found: str, expected: str) -> None:
    problems = Problems()
    problems.add(path, None, "the labels", found, expected)
    problems.stop()


def _found(path: Path, form: str | None) -> tuple[Path, str]:
    """The file or folder to read, and its format."""
    if not path.exists():
        _refuse(path, "nothing there", KNOWN)
    if path.is_dir() and form != "yolo":
        path = _file_in(path)
    if form is not None:
        return path, form
    suffix = path.suffix.lower()
    if path.is_dir() or suffix in (".yaml", ".yml"):
        return path, "yolo"
    if suffix == ".xml":
        return path, "cvat"
    if suffix == ".json":
        return path, _json_form(path)
    todo = "unpack it, then name the folder" if suffix == ".zip" else KNOWN
    _refuse(path, f"a file of the kind '{suffix}'", todo)
    raise AssertionError


def _file_in(folder: Path) -> Path:
    """The label file in a folder, or the folder where it is a YOLO data set."""
    yaml = sorted([*folder.glob("*.yaml"), *folder.glob("*.yml")])
    others = sorted([*folder.glob("*.xml"), *folder.glob("*.json"), *folder.glob("annotations/*.json")])
    if yaml and not others:
        return folder
    if len(others) == 1 and not yaml:
        return others[0]
    names = ", ".join(file.name for file in [*yaml, *others][:6])
    _refuse(folder, f"several label files ({names})" if names else "no label file", f"the path of one: {KNOWN}")
    raise AssertionError


def _json_form(path: Path) -> str:
    """Which of the formats a JSON file is in: COCO is a table, Label Studio's export a list."""
    problems = Problems()
    try:
        raw = json.loads(path.read_text(encoding="utf-8-sig"))
    except json.JSONDecodeError as error:
        problems.add(path, error.lineno, "the file", f"broken JSON ({error.msg})", "well-formed JSON")
    except (OSError, UnicodeDecodeError, RecursionError) as error:
        problems.add(path, None, "the file", str(error), "a file of JSON in UTF-8")
    else:
        if isinstance(raw, list):
            return "labelstudio"
        if isinstance(raw, dict) and {"images", "annotations", "categories"} & raw.keys():
            return "coco"
        problems.add(path, None, "the file", "another kind of JSON", KNOWN)
    problems.stop()
    raise LabelFault([])
