"""Label Studio's JSON: percent, rectangles turned about a corner, which annotation counts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from models.labels.read import read_labels
from tests.models.labels.making import corners_of, refusal, write_label_studio, write_pictures


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_pictures(tmp_path, "a.png")
    return tmp_path


def rectangle(rotation: float = 0.0, **more: Any) -> dict[str, object]:
    value = {"x": 5.0, "y": 20.0, "width": 20.0, "height": 20.0, "rotation": rotation, "rectanglelabels": ["card_face"]}
    return {"type": "rectanglelabels", "id": "r1", "value": value | more}


def test_percent_become_pixels_of_each_side(folder: Path) -> None:
    labels = read_labels(write_label_studio(folder, rectangle()))
    assert corners_of(labels) == [[(10, 20), (10, 40), (50, 20), (50, 40)]]
    assert labels.pictures[0].things[0].hull
    assert labels.pictures[0].size_px == (200, 100)
    assert labels.names == ("card_face",)


def test_a_rectangle_is_turned_clockwise_about_its_upper_left_corner(folder: Path) -> None:
    labels = read_labels(write_label_studio(folder, rectangle(90)))
    assert corners_of(labels) == [[(-10, 20), (-10, 60), (10, 20), (10, 60)]]
    slanted = corners_of(read_labels(write_label_studio(folder, rectangle(30))))[0]
    assert (10, 20) in slanted
    assert (44.6, 40) in slanted  # 40 along 30 degrees below the horizontal


def test_a_polygon(folder: Path) -> None:
    value = {"points": [[15, 10], [25, 30], [20, 40], [10, 20]], "polygonlabels": ["hand"]}
    labels = read_labels(write_label_studio(folder, {"type": "polygonlabels", "value": value}))
    assert corners_of(labels) == [[(20, 20), (30, 10), (40, 40), (50, 30)]]


@pytest.mark.parametrize(
    "image",
    ["/data/upload/1/0a1b2c3d-a.png", "/data/local-files/?d=shift/a.png", "s3://bucket/deep/a.png", "a.png"],
)
def test_the_picture_is_found_by_each_kind_of_address(folder: Path, image: str) -> None:
    labels = read_labels(write_label_studio(folder, rectangle(), image=image))
    assert labels.pictures[0].path == folder / "a.png"


def test_the_true_annotation_counts_and_tasks_without_any_are_passed_over(folder: Path) -> None:
    def annotation(name: str, **more: object) -> dict[str, object]:
        size = {"original_width": 200, "original_height": 100}
        return {"result": [rectangle(rectanglelabels=[name]) | size]} | more

    tasks = [
        {
            "data": {"image": "a.png"},
            "annotations": [
                annotation("old", updated_at="2026-01-01"),
                annotation("true", ground_truth=True, updated_at="2025-01-01"),
                annotation("gone", was_cancelled=True, updated_at="2027-01-01"),
            ],
        },
        {"data": {"image": "a.png"}, "annotations": [], "predictions": [annotation("guess")]},
    ]
    (folder / "export.json").write_text(json.dumps(tasks), encoding="utf-8")
    labels = read_labels(folder / "export.json")
    assert labels.names == ("true",)
    assert labels.remarks == ("1 tasks without an annotation were passed over",)


def test_every_fault_is_told_with_line_and_key(folder: Path) -> None:
    path = write_label_studio(
        folder,
        rectangle(x="left"),
        {"type": "brushlabels", "value": {}},
        rectangle(rectanglelabels=["card_face", "hand"]),
        {"type": "rectanglelabels", "value": {"rectanglelabels": ["hand"], "x": 1, "y": 1, "width": 5}},
        {"type": "choices", "value": {"choices": ["good"]}},
    )
    said = refusal(path)
    assert "4 faults" in said
    for line, words in (
        (2, "value.x: found 'left', expected a number"),
        (3, "type: found 'brushlabels', expected 'rectanglelabels' or 'polygonlabels'"),
        (4, "expected one class name"),
        (5, "value.height: found nothing"),
    ):
        assert any(f"export.json:{line}:" in row and words in row for row in said.splitlines()), (line, said)


def test_json_min_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    path.write_text(json.dumps([{"image": "a.png", "label": [], "id": 1}]), encoding="utf-8")
    assert "export as JSON, not as JSON-MIN" in refusal(path)


@pytest.mark.parametrize("kind", [[1], {}, 7])
def test_a_type_that_is_no_text_is_refused(folder: Path, kind: object) -> None:
    path = write_label_studio(folder, rectangle() | {"type": kind})
    assert "type" in str(refusal(path))
