"""Which format a label file is in, and what is said where it is in none."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.labels.labelled import LabelFault
from models.labels.read import read_labels
from tests.models.labels.making import refusal, write_coco, write_cvat, write_label_studio, write_pictures, write_yolo

RESULT = {
    "type": "rectanglelabels",
    "value": {"x": 5, "y": 5, "width": 9, "height": 9, "rectanglelabels": ["hand"]},
}


def test_each_format_is_told_by_the_file_or_its_folder(tmp_path: Path) -> None:
    for name in ("cvat", "coco", "studio", "yolo"):
        write_pictures(tmp_path / name, "a.png")
    paths = [
        write_cvat(tmp_path / "cvat", '<box label="hand" xtl="1" ytl="2" xbr="9" ybr="8"></box>'),
        write_coco(tmp_path / "coco", {"bbox": [1, 2, 8, 6]}),
        write_label_studio(tmp_path / "studio", RESULT),
        write_yolo(tmp_path / "yolo", "0 0.5 0.5 0.2 0.2") / "data.yaml",
    ]
    forms = ["CVAT for images 1.1", "COCO", "Label Studio", "YOLO-OBB"]
    assert [read_labels(path).form for path in paths] == forms
    assert [read_labels(path.parent).form for path in paths] == forms


def test_what_is_no_label_file_is_refused_with_the_formats(tmp_path: Path) -> None:
    assert "nothing there, expected a CVAT export" in refusal(tmp_path / "gone")
    assert "no label file" in refusal(tmp_path)
    for name, text, words in (
        ("a.zip", "", "unpack it"),
        ("a.txt", "", "a file of the kind '.txt'"),
        ("a.json", "{\n3", "a.json:2: the file: found broken JSON"),
        ("b.json", '{"a": 1}', "another kind of JSON"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert words in refusal(tmp_path / name)


def test_of_several_label_files_none_is_guessed(tmp_path: Path) -> None:
    write_coco(tmp_path, {"bbox": [1, 2, 8, 6]})
    write_cvat(tmp_path)
    assert "several label files (annotations.xml, labels.json)" in refusal(tmp_path)


def test_another_folder_of_pictures_and_labels_of_none(tmp_path: Path) -> None:
    path = write_coco(tmp_path, {"bbox": [1, 2, 8, 6]})
    write_pictures(tmp_path / "elsewhere", "a.png")
    assert len(read_labels(path, tmp_path / "elsewhere").pictures) == 1
    with pytest.raises(LabelFault, match="no such folder"):
        read_labels(path, tmp_path / "nowhere")


def test_two_pictures_of_one_name_are_not_guessed_between(tmp_path: Path) -> None:
    write_pictures(tmp_path, "x/a.png", "y/a.png")
    assert "2 pictures of that name" in refusal(write_coco(tmp_path, {"bbox": [1, 2, 8, 6]}))
