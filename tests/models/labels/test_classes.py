"""What a casino's class names mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.labels.classes import ClassFault, naming_of, pairs_of
from models.labels.labelled import LabelSet
from models.labels.read import read_labels
from tests.models.labels.making import write_yolo

LINE = "{} 0.5 0.5 0.2 0.4"


def labelled(folder: Path, names: str, *used: int) -> LabelSet:
    return read_labels(write_yolo(folder, *(LINE.format(index) for index in used), names=f"names: [{names}]"))


def test_a_name_is_known_however_it_is_written(tmp_path: Path) -> None:
    naming = naming_of(labelled(tmp_path, "Card Face, card-back", 0, 1), {}, complete=False)
    assert naming.of == {"Card Face": "card_face", "card-back": "card_back"}
    assert naming.known == ("card_face", "card_back")


def test_only_classes_that_were_drawn_somewhere_are_known_unless_all_were(tmp_path: Path) -> None:
    labels = labelled(tmp_path, "card_face, hand, chair", 0)
    assert naming_of(labels, {}, complete=False).known == ("card_face",)
    assert naming_of(labels, {}, complete=True).known == ("card_face", "hand")


def test_unknown_names_are_listed_with_the_classes_and_the_option(tmp_path: Path) -> None:
    labels = labelled(tmp_path, "card_face, Chair, card_bak", 0, 1, 1, 2)
    with pytest.raises(ClassFault) as caught:
        naming_of(labels, {}, complete=False)
    said = str(caught.value)
    assert "unknown class names: 'Chair' (2 things), 'card_bak' (1 things)" in said
    assert "shaker_lid" in said
    assert "--map 'Chair=" in said
    assert caught.value.exit_code == 2


def test_names_are_mapped_or_left_out(tmp_path: Path) -> None:
    labels = labelled(tmp_path, "ace, Chair", 0, 1)
    naming = naming_of(labels, pairs_of(["ace=card_face", "Chair=-"]), complete=False)
    assert naming.of == {"ace": "card_face", "Chair": None}
    assert naming.known == ("card_face",)


def test_a_map_of_a_name_that_the_labels_lack_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ClassFault, match="the labels have no class 'aces': they name 'ace'"):
        naming_of(labelled(tmp_path, "ace", 0), {"aces": "card_face"}, complete=False)


@pytest.mark.parametrize("text", ["ace", "ace=joker", "=card_face"])
def test_a_map_that_maps_nothing_is_refused(text: str) -> None:
    with pytest.raises(ClassFault, match="maps no class"):
        pairs_of([text])


def test_an_equals_sign_may_be_in_their_name() -> None:
    assert pairs_of(["a=b=hand"]) == {"a=b": "hand"}


def test_labels_of_nothing_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ClassFault, match="nothing is labelled"):
        naming_of(labelled(tmp_path, "card_face"), {}, complete=True)
