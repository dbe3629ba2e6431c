"""CVAT's XML: boxes, turned boxes, polygons; and what is refused, with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.labels.read import read_labels
from tests.models.labels.making import corners_of, refusal, write_cvat, write_pictures

BOX = '<box label="card_face" xtl="10" ytl="20" xbr="50" ybr="40" rotation="{}"></box>'


def test_a_plain_box_tells_only_a_hull(tmp_path: Path) -> None:
    write_pictures(tmp_path, "a.png")
    labels = read_labels(write_cvat(tmp_path, BOX.format(0)))
    (thing,) = labels.pictures[0].things
    assert thing.hull
    assert thing.place.endswith("annotations.xml:5")
    assert labels.names == ("card_face", "card_back", "hand")
    assert corners_of(labels) == [[(10, 20), (10, 40), (50, 20), (50, 40)]]


def test_a_box_is_turned_clockwise_about_its_middle(tmp_path: Path) -> None:
    write_pictures(tmp_path, "a.png")
    labels = read_labels(write_cvat(tmp_path, BOX.format(30)))
    (thing,) = labels.pictures[0].things
    assert not thing.hull
    # The right end of its upper edge, 20 to the right of the middle and 10 above, sinks.
    assert (52.3, 31.3) in corners_of(labels)[0]


def test_a_quarter_turn_is_a_straight_box_again(tmp_path: Path) -> None:
    write_pictures(tmp_path, "a.png")
    labels = read_labels(write_cvat(tmp_path, BOX.format(90)))
    assert labels.pictures[0].things[0].hull
    assert corners_of(labels) == [[(20, 10), (20, 50), (40, 10), (40, 50)]]


def test_a_polygon_becomes_the_smallest_rectangle_around_it(tmp_path: Path) -> None:
    write_pictures(tmp_path, "a.png")
    points = "30,10;50,30;40,40;35,30;20,20"  # a rectangle aslant, with a dent
    labels = read_labels(write_cvat(tmp_path, f'<polygon label="hand" points="{points}"></polygon>'))
    (thing,) = labels.pictures[0].things
    assert not thing.hull
    assert corners_of(labels) == [[(20, 20), (30, 10), (40, 40), (50, 30)]]


def test_a_suggestion_that_is_still_marked_is_unsure(tmp_path: Path) -> None:
    write_pictures(tmp_path, "a.png")
    marked = BOX.format(5).replace("></box>", '><attribute name="unsure">true</attribute></box>')
    labels = read_labels(write_cvat(tmp_path, marked, BOX.format(5)))
    assert [thing.unsure for thing in labels.pictures[0].things] == [True, False]


def test_pictures_are_found_in_a_folder_beside_and_below_it(tmp_path: Path) -> None:
    write_pictures(tmp_path / "images" / "deep", "a.png")
    labels = read_labels(write_cvat(tmp_path, BOX.format(0), image="shift/a.png"))
    assert labels.pictures[0].path == tmp_path / "images" / "deep" / "a.png"


def test_pictures_of_two_parts_of_a_task_may_have_one_name(tmp_path: Path) -> None:
    write_pictures(tmp_path / "images", "Train/a.png", "Test/a.png")
    path = write_cvat(tmp_path, BOX.format(0))
    path.write_text(path.read_text(encoding="utf-8").replace('name="a.png"', 'name="a.png" subset="Test"'), "utf-8")
    assert read_labels(path).pictures[0].path == tmp_path / "images" / "Test" / "a.png"


def test_a_missing_picture_is_told_with_its_line_and_what_to_do(tmp_path: Path) -> None:
    said = refusal(write_cvat(tmp_path, BOX.format(0)))
    assert "annotations.xml:4: <image name='a.png'>: found no such picture" in said
    assert "--images FOLDER" in said


def test_every_fault_is_told_at_once_with_its_line(tmp_path: Path) -> None:
    write_pictures(tmp_path, "a.png")
    path = write_cvat(
        tmp_path,
        '<box label="card_face" xtl="10" ytl="20" xbr="wide" ybr="40"></box>',
        '<polyline label="hand" points="1,1;2,2"></polyline>',
        '<polygon label="hand" points="1,1;2,2"></polygon>',
        '<box label="hand" xtl="1" ytl="2"></box>',
    )
    said = refusal(path)
    assert "4 faults" in said
    for line, words in ((5, "'wide'"), (6, "a polyline"), (7, "encloses nothing"), (8, "no xbr, ybr")):
        assert any(f"annotations.xml:{line}:" in row and words in row for row in said.splitlines())


def test_an_export_for_videos_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text('<annotations><track id="0" label="hand"></track></annotations>', encoding="utf-8")
    assert "export for videos, expected an export of the form 'CVAT for images 1.1'" in refusal(path)


def test_broken_xml_and_document_types_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text("<annotations>\n<image>", encoding="utf-8")
    assert "a.xml:2: the file: found broken XML" in refusal(path)
    path.write_text('<!DOCTYPE a [<!ENTITY b "c">]><annotations/>', encoding="utf-8")
    assert "document type" in refusal(path)
    path.write_text("<annotation></annotation>", encoding="utf-8")
    assert "found <annotation>, expected <annotations>" in refusal(path)


@pytest.mark.parametrize("turn", ["inf", "nan", "much"])
def test_a_rotation_that_is_no_number_is_refused(tmp_path: Path, turn: str) -> None:
    write_pictures(tmp_path, "a.png")
    box = f'<box label="hand" xtl="1" ytl="2" xbr="20" ybr="30" rotation="{turn}"/>'
    assert turn in str(refusal(write_cvat(tmp_path, box)))
