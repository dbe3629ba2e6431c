"""YOLO's oriented labels, and the few keys of data.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.labels.read import read_labels
from models.labels.yolo_yaml import YamlError, keys_of
from tests.models.labels.making import refusal, write_pictures, write_yolo


def test_corners_are_kept_as_shares_until_the_picture_is_known(tmp_path: Path) -> None:
    labels = read_labels(write_yolo(tmp_path, "0 0.1 0.2 0.25 0.3 0.2 0.4 0.05 0.3", "1 0.5 0.5 0.2 0.4"))
    card, hand = labels.pictures[0].things
    assert labels.pictures[0].relative
    assert (card.name, card.hull) == ("card_face", False)
    assert card.outline.tolist() == [[0.1, 0.2], [0.25, 0.3], [0.2, 0.4], [0.05, 0.3]]
    assert (hand.name, hand.hull) == ("hand", True)
    assert hand.outline.min(axis=0) == pytest.approx([0.4, 0.3])
    assert hand.outline.max(axis=0) == pytest.approx([0.6, 0.7])


def test_a_picture_without_a_file_is_passed_over_and_an_empty_file_is_a_picture_without_things(tmp_path: Path) -> None:
    write_yolo(tmp_path, "")
    write_pictures(tmp_path / "images", "b.png")
    labels = read_labels(tmp_path)
    assert [picture.name for picture in labels.pictures] == ["a.png"]
    assert labels.pictures[0].things == ()
    assert labels.remarks == ("1 pictures without a label file were passed over",)


def test_every_fault_is_told_at_once_with_its_line(tmp_path: Path) -> None:
    path = write_yolo(
        tmp_path,
        "0 0.1 0.2 0.25 0.3 0.2 0.4 0.05 0.3",
        "2 0.1 0.2 0.25 0.3 0.2 0.4 0.05 0.3",
        "0 10 20 25 30 20 40 5 30",
        "0 0.1 0.2 0.3",
        "0 0.1 x 0.3 0.4",
        "0 0.1 0.1 0.2 0.2 0.3 0.3",
    )
    said = refusal(path)
    assert "5 faults" in said
    for line, words in (
        (2, "found 2, expected a whole number from 0 to 1"),
        (3, "expected shares of the picture's sides, from 0 to 1"),
        (4, "3 numbers after the class"),
        (5, "all numbers"),
        (6, "encloses nothing"),
    ):
        assert any(f"a.txt:{line}:" in row and words in row for row in said.splitlines()), (line, said)


@pytest.mark.parametrize(
    "text",
    [
        "names: [card_face, hand]",
        "names: ['card_face', \"hand\"]  # ours",
        "nc: 2\nnames:\n- card_face\n- hand\n",
        "names:\n  0: card_face\n  1: hand\nother: {a: 1}\n",
        "names: {1: hand, 0: card_face}",
        "names: [\n  card_face,\n  hand,\n]\n",
    ],
)
def test_names_are_read_in_every_form_in_which_tools_write_them(text: str) -> None:
    assert keys_of(text)["names"].texts == ["card_face", "hand"]


def test_other_keys_are_passed_over_however_they_are_written() -> None:
    keys = keys_of("# made\n---\nroboflow:\n  a: {b: [1,\n  2]}\ntrain: ../train/images\nval: null\n")
    assert keys["train"].texts == ["../train/images"]
    assert set(keys) == {"train", "val"}


@pytest.mark.parametrize(("text", "line"), [("a: 1\nnames: &x [a]", 2), ("names:\n  a\n", 2), ("- a\n", 1)])
def test_what_is_not_understood_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(YamlError) as caught:
        keys_of(text)
    assert caught.value.line == line


def test_a_data_set_without_names_or_folders_is_refused(tmp_path: Path) -> None:
    (tmp_path / "data.yaml").write_text("train: nowhere\n", encoding="utf-8")
    said = refusal(tmp_path)
    assert "names: found nothing" in said
    assert "data.yaml:1: train: found 'nowhere'" in said


def test_paths_that_begin_one_folder_too_high_and_lists_of_pictures_are_understood(tmp_path: Path) -> None:
    write_pictures(tmp_path / "train" / "images", "a.png", "b.png")
    (tmp_path / "train" / "labels").mkdir()
    for name in "ab":
        (tmp_path / "train" / "labels" / f"{name}.txt").write_text("0 0.5 0.5 0.2 0.4\n", encoding="utf-8")
    (tmp_path / "some.txt").write_text("train/images/b.png\n", encoding="utf-8")
    yaml = tmp_path / "data.yaml"
    yaml.write_text("train: ../train/images\nnames: [hand]\n", encoding="utf-8")
    assert [picture.name for picture in read_labels(tmp_path).pictures] == ["a.png", "b.png"]
    yaml.write_text("path: /not/here\ntrain: some.txt\nnames: [hand]\n", encoding="utf-8")
    assert [picture.name for picture in read_labels(yaml).pictures] == ["b.png"]
