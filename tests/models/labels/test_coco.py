"""COCO's JSON: boxes, turned boxes, polygons; and what is refused, with its line and key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from models.labels.read import read_labels
from tests.models.labels.making import corners_of, refusal, write_coco, write_pictures

STRAIGHT = [(10, 20), (10, 40), (50, 20), (50, 40)]
#: A box 40 x 20 about (30, 30), a quarter turn of which is worked out by hand.
UPRIGHT = [(20, 10), (20, 50), (40, 10), (40, 50)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_pictures(tmp_path, "a.png")
    return tmp_path


def test_a_box_tells_only_a_hull(folder: Path) -> None:
    labels = read_labels(write_coco(folder, {"bbox": [10, 20, 40, 20], "segmentation": []}))
    assert labels.pictures[0].things[0].hull
    assert corners_of(labels) == [STRAIGHT]
    assert labels.names == ("card_face", "hand")


def test_a_rectangle_for_a_segmentation_is_no_more_than_a_box(folder: Path) -> None:
    outline = [[10, 20, 50, 20, 50, 40, 10, 40]]
    labels = read_labels(write_coco(folder, {"bbox": [10, 20, 40, 20], "segmentation": outline}))
    assert labels.pictures[0].things[0].hull


def test_polygons_of_one_thing_are_taken_together(folder: Path) -> None:
    parts = [[30, 10, 40, 20, 30, 20], [40, 40, 50, 30, 38, 36], [20, 20, 26, 24, 24, 18]]
    labels = read_labels(write_coco(folder, {"segmentation": parts}))
    assert not labels.pictures[0].things[0].hull
    assert corners_of(labels) == [[(20, 20), (30, 10), (40, 40), (50, 30)]]


def test_turned_boxes_of_each_kind(folder: Path) -> None:
    labels = read_labels(
        write_coco(
            folder,
            {"bbox": [10, 20, 40, 20], "attributes": {"rotation": 90}},
            {"bbox": [30, 30, 40, 20, 90]},
            {"bbox": [10, 20, 50, 20, 50, 40, 10, 40]},
        )
    )
    assert corners_of(labels) == [UPRIGHT, UPRIGHT, STRAIGHT]


def test_cvat_turns_clockwise_and_detectron_anticlockwise(folder: Path) -> None:
    labels = read_labels(
        write_coco(folder, {"bbox": [10, 20, 40, 20], "attributes": {"rotation": 30}}, {"bbox": [30, 30, 40, 20, -30]})
    )
    first, second = corners_of(labels)
    assert first == second
    assert max(first) == (52.3, 31.3)


def test_a_crowd_makes_its_class_unknown_on_the_picture(folder: Path) -> None:
    labels = read_labels(write_coco(folder, {"bbox": [0, 0, 9, 9], "iscrowd": 1}, {"bbox": [10, 20, 40, 20]}))
    assert labels.pictures[0].crowded == {"card_face"}
    assert len(labels.pictures[0].things) == 1


def test_every_fault_is_told_at_once_with_line_and_key(folder: Path) -> None:
    path = write_coco(
        folder,
        {"bbox": [10, 20, 40]},
        {"bbox": [10, 20, 40, 0]},
        {"category_id": 9, "bbox": [10, 20, 40, 20]},
        {"image_id": 5, "bbox": [10, 20, 40, 20]},
        {"segmentation": {"counts": [1, 2], "size": [3, 4]}},
        {"bbox": [10, "x", 40, 20]},
    )
    said = refusal(path)
    for line, words in (
        (3, "annotations[0].bbox: found [10, 20, 40], expected a list of 4 or 5 or 8 numbers"),
        (4, "annotations[1].bbox: found a shape that encloses nothing"),
        (5, "annotations[2].category_id: found 9, expected the id of one of the categories"),
        (6, "annotations[3].image_id: found 5"),
        (7, "run lengths"),
        (8, "annotations[5].bbox[1]: found 'x', expected a number"),
    ):
        assert any(f"labels.json:{line}:" in row and words in row for row in said.splitlines()), (line, said)


def test_a_missing_list_is_told(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    path.write_text(json.dumps({"images": [], "annotations": []}), encoding="utf-8")
    assert "categories: found nothing" in refusal(path)


def test_a_flood_of_faults_is_cut_short(folder: Path) -> None:
    said = refusal(write_coco(folder, *({"bbox": [1]} for _ in range(30))))
    assert said.splitlines()[-1] == "  ... and 18 more"


@pytest.mark.parametrize("number", [[1], {"a": 1}, None, True])
def test_a_picture_whose_id_is_no_number_is_refused(folder: Path, number: object) -> None:
    path = write_coco(folder, {"bbox": [10, 20, 40, 20]})
    path.write_text(path.read_text().replace('"images": [{"id": 1', f'"images": [{{"id": {json.dumps(number)}'))
    assert "images[0].id" in str(refusal(path))
