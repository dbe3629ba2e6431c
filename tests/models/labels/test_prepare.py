"""Labelled pictures as the detector sees them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.tablefile import load_table
from models.labels.classes import Naming
from models.labels.labelled import LabelFault, Labelled, Thing
from models.labels.looks import FlatLook, ScaledLook, save_picture
from models.labels.prepare import Counts, Seen, prepare
from models.labels.samples import CANVAS, samples_of
from models.labels.shapes import straight_box, turned_box
from models.train.samples import read_samples, write_samples
from tests.models.labels.making import write_pictures
from tests.pitwatch.fakes import TABLE as FAKE
from vision.detections import CLASSES

NAMING = Naming({"card": "card_face", "hand": "hand", "chair": None}, ("card_face", "hand"))
#: The fake recordings' camera in the size of these pictures.
TABLE = (
    FAKE.replace("width_px = 320", "width_px = 640")
    .replace("height_px = 240", "height_px = 480")
    .replace("[[4.0, 0.0, -640.0], [0.0, -4.0, 800.0],", "[[2.0, 0.0, -640.0], [0.0, -2.0, 800.0],")
)
#: The same camera, hung an eighth of a turn round.
ASLANT = TABLE.replace(
    "[[2.0, 0.0, -640.0], [0.0, -2.0, 800.0], [0.0, 0.0, 1.0]]",
    "[[1.414, -1.414, -113.0], [-1.414, -1.414, 1112.0], [0.0, 0.0, 1.0]]",
)


def thing(name: str, corners: np.ndarray, hull: bool = False, unsure: bool = False) -> Thing:
    return Thing(name, corners, hull, unsure, f"labels:{name}")


def picture(folder: Path, *things: Thing, size: tuple[int, int] = (640, 480), **more: object) -> Labelled:
    write_pictures(folder, "a.png", size=size)
    facts: dict[str, object] = {"size_px": size, "relative": False, "crowded": frozenset()} | more
    return Labelled("a.png", folder / "a.png", things=things, recording="", place="labels:1", **facts)  # type: ignore[arg-type] # as given


def table_look(folder: Path, text: str = TABLE) -> FlatLook:
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return FlatLook(load_table(path))


def views(folder: Path, labelled: Labelled, look: FlatLook | ScaledLook) -> tuple[list[Seen], Counts]:
    counts = Counts()
    (seen,) = prepare([labelled], NAMING, look, folder / "out", counts)
    return seen, counts


def test_a_picture_at_a_stated_scale_is_brought_to_the_detectors(tmp_path: Path) -> None:
    card = thing("card", turned_box((300, 200), (127, 178), 20))
    (seen,), counts = views(tmp_path, picture(tmp_path, card), ScaledLook(0.5))
    image = cv2.imread(str(seen.image))
    assert image is not None
    assert image.shape == (120, 160, 3)
    assert seen.quads[0].mean(axis=0) == pytest.approx([75, 50])
    assert seen.cls.tolist() == [CLASSES.index("card_face")]
    assert counts.remarks() == []


def test_a_scale_that_cannot_be_right_is_told(tmp_path: Path) -> None:
    card = thing("card", turned_box((300, 200), (127, 178), 20))
    _, counts = views(tmp_path, picture(tmp_path, card), ScaledLook(1.5))
    (remark,) = counts.remarks()
    assert "cards are 95 pixels wide where 32 are expected" in remark


def test_a_table_file_lays_pictures_flat_as_the_program_does(tmp_path: Path) -> None:
    card = thing("card", turned_box((200, 300), (32, 44), 20))
    look = table_look(tmp_path)
    (near, wide), _ = views(tmp_path, picture(tmp_path, card), look)
    # The pixel (200, 300) is the place (-240, 200) on the felt.
    top, coarse = look.views(np.zeros((480, 640, 3), np.uint8))
    assert top.to_picture(near.quads[0].mean(axis=0)) == pytest.approx([200, 300], abs=0.01)
    assert coarse.to_picture(wide.quads[0].mean(axis=0)) == pytest.approx([200, 300], abs=0.01)
    sides = np.linalg.norm(np.diff(near.quads[0], axis=0), axis=1)
    assert sorted(sides)[0] == pytest.approx(32, abs=0.5)


def test_a_straight_box_stays_a_hull_where_the_camera_hangs_straight(tmp_path: Path) -> None:
    box = thing("card", straight_box(200, 300, 232, 344), hull=True)
    (near, _), counts = views(tmp_path, picture(tmp_path, box), table_look(tmp_path))
    assert near.hull.tolist() == [True]
    assert counts.slanted == 0


def test_a_straight_box_in_a_slanted_view_makes_its_class_unknown(tmp_path: Path) -> None:
    box, hand = (
        thing("card", straight_box(200, 300, 232, 344), hull=True),
        thing("hand", turned_box((300, 300), (60, 40), 9)),
    )
    (near, _), counts = views(tmp_path, picture(tmp_path, box, hand), table_look(tmp_path, ASLANT))
    assert near.known == ("hand",)
    assert near.cls.tolist() == [CLASSES.index("hand")]
    assert len(near.passed_over) == 1
    assert any("draw turned boxes or polygons" in remark for remark in counts.remarks())


def test_what_is_marked_unsure_or_a_crowd_is_neither_learned_nor_counted(tmp_path: Path) -> None:
    guess = thing("card", turned_box((300, 200), (30, 40), 20), unsure=True)
    (seen,), counts = views(tmp_path, picture(tmp_path, guess, crowded=frozenset(["hand"])), ScaledLook(2.0))
    assert seen.known == ()
    assert len(seen.cls) == 0
    assert len(seen.passed_over) == 1
    assert "1 things are still marked unsure" in counts.remarks()[0]


def test_things_hardly_in_view_are_passed_over_and_classes_left_out_are_gone(tmp_path: Path) -> None:
    labelled = picture(
        tmp_path, thing("card", straight_box(-32, 100, 8, 140), hull=True), thing("chair", straight_box(1, 1, 9, 9))
    )
    (seen,), _ = views(tmp_path, labelled, ScaledLook(2.0))
    assert len(seen.cls) == 0
    assert len(seen.passed_over) == 1
    assert "card_face" in seen.known


def test_shares_become_pixels_of_the_picture_before_a_rectangle_is_laid_around(tmp_path: Path) -> None:
    corners = turned_box((320, 240), (100, 40), 45) / [640, 480]
    (seen,), _ = views(
        tmp_path, picture(tmp_path, thing("card", corners), size_px=None, relative=True), ScaledLook(2.0)
    )
    sides = np.linalg.norm(np.diff(seen.quads[0], axis=0), axis=1)
    assert sorted(sides)[0] == pytest.approx(40, abs=0.1)


def test_every_picture_that_does_not_fit_its_labels_is_told_at_once(tmp_path: Path) -> None:
    outside = thing("card", straight_box(700, 10, 740, 50))
    first = picture(tmp_path / "one", outside)
    second = picture(tmp_path / "two", size_px=(480, 640))
    third = picture(tmp_path / "three")
    third.path.write_bytes(b"no picture")
    with pytest.raises(LabelFault) as caught:
        list(prepare([first, second, third], NAMING, ScaledLook(2.0), tmp_path / "out", Counts()))
    said = str(caught.value)
    assert "labels:card: card: found an outline outside the picture" in said
    assert "found 480 x 640 pixels, expected 640 x 480" in said
    assert "save it turned" in said
    assert "no picture that can be decoded" in said


def test_a_small_picture_is_padded_and_a_large_one_cut_so_that_the_scale_is_kept(tmp_path: Path) -> None:
    card = thing("card", turned_box((100, 80), (32, 44), 20))
    (small,), _ = views(tmp_path, picture(tmp_path, card, size=(200, 160)), ScaledLook(2.0))
    (sample,) = samples_of(small)
    assert cv2.imread(str(sample.image)).shape[1::-1] == CANVAS  # type: ignore[union-attr] # it was just written
    (large,), _ = views(tmp_path, picture(tmp_path, card, size=(1500, 900)), ScaledLook(2.0))
    parts = list(samples_of(large))
    assert len(parts) == 9
    assert all(cv2.imread(str(part.image)).shape[1::-1] == CANVAS for part in parts)  # type: ignore[union-attr] # likewise
    assert [len(part.cls) for part in parts] == [1] + [0] * 8


def test_samples_survive_their_file(tmp_path: Path) -> None:
    card = thing("card", turned_box((100, 80), (32, 44), 20))
    (seen,), _ = views(tmp_path, picture(tmp_path, card), ScaledLook(2.0))
    write_samples(tmp_path / "samples.jsonl", samples_of(seen))
    (sample,) = read_samples(tmp_path / "samples.jsonl")
    assert sample.known == ("card_face", "hand")
    assert sample.quads == pytest.approx(seen.quads, abs=0.01)


def test_a_picture_that_cannot_be_written_is_no_success(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="could not be written"):
        save_picture(tmp_path / "nowhere" / "a.png", np.zeros((4, 4, 3), np.uint8))
