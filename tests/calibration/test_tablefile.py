"""The table file is read whole, refused with all its faults, and written back equal."""

from __future__ import annotations

import json
import pickle
import tomllib
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from calibration.tablefile import TableFileFault, dump_table, load_table, save_table
from tests.calibration.tables import TABLE, changed, written


def problems(path: Path) -> list[str]:
    """Every problem of a bad table file, without its path."""
    with pytest.raises(TableFileFault) as caught:
        load_table(path)
    assert all(str(problem) in str(caught.value) for problem in caught.value.problems)
    assert caught.value.exit_code == 2
    return [str(problem).removeprefix(str(path)) for problem in caught.value.problems]


def test_reads_every_key(tmp_path: Path) -> None:
    table = load_table(written(tmp_path))
    assert table.table == "midi-3"
    assert table.started_at == datetime.fromisoformat("2026-11-30T09:00:00-05:00")
    assert (table.camera.width_px, table.camera.height_px, table.camera.source) == (1920, 1080, "rtsp://10.0.0.9/1")
    assert table.calibration.error_mm == 1.4
    assert table.calibration.camera_mm == (0.0, 400.0, 3000.0)
    assert table.calibration.taken_at == datetime.fromisoformat("2026-11-30T10:00:00-05:00")
    assert table.calibration.lens is not None
    assert table.calibration.lens.distortion.tolist() == [-0.05, 0.01, 0, 0, 0]
    assert table.calibration is table.camera.calibration
    assert (table.layout.shoe_side, table.layout.seats) == ("left", (1, 2, 3))
    assert list(table.layout.zones_mm) == ["tray", "shoe", "discard", "seat:1", "bet:1:ante"]
    assert table.layout.zones_mm["discard"].shape == (4, 2)
    assert (table.game.pack, table.game.decks, table.game.cards) == ("pa58/629a", 8, 416)
    assert table.game.options == {"burn": "face_value", "odd key": [1, 2]}
    assert table.inputs.signals == ("shuffler", "preshuffled")


def test_json_with_the_same_keys_is_the_same_table(tmp_path: Path) -> None:
    plain = json.dumps(tomllib.loads(TABLE), default=lambda moment: moment.isoformat(), indent=2)
    table = load_table(written(tmp_path))
    assert load_table(written(tmp_path, plain, "table.json")) == table
    assert load_table(written(tmp_path, plain, "table")) == table


@pytest.mark.parametrize("name", ["again.toml", "again.json"])
def test_is_written_back_equal(tmp_path: Path, name: str) -> None:
    table = load_table(written(tmp_path))
    save_table(table, tmp_path / name)
    assert load_table(tmp_path / name) == table
    assert pickle.loads(pickle.dumps(table)) == table


def test_several_cameras_hold_their_own_calibrations(tmp_path: Path) -> None:
    start, rest = TABLE.split("[camera] ")
    camera, layout = rest.split("[layout]\n")
    camera = camera.replace("[calibration]", "[cameras.calibration]")
    second = camera.replace("# the only one", "").replace("error_mm = 1.4", "error_mm = 2.5")
    text = f"{start}[[cameras]] {camera}[[cameras]] {second}[layout]\n{layout}"
    table = load_table(written(tmp_path, text))
    assert [camera.calibration.error_mm for camera in table.cameras if camera.calibration] == [1.4, 2.5]
    assert table.calibration.error_mm == 1.4
    assert load_table(written(tmp_path, dump_table(table), "again.toml")) == table


def test_a_second_camera_without_calibration_is_refused(tmp_path: Path) -> None:
    text = TABLE.replace("[camera] ", "[[cameras]] ").replace(
        "[calibration]", "[[cameras]]\nwidth_px = 10\nheight_px = 10\n[calibration]"
    )
    assert problems(written(tmp_path, text)) == [
        ":7: cameras[1].calibration: found nothing, expected the calibration of this camera"
    ]


def test_all_faults_are_named_at_once_with_their_lines(tmp_path: Path) -> None:
    text = (
        TABLE.replace("width_px = 1920", "width_px = '1920'")
        .replace('shoe_side = "left"', 'shoe_sde = "left"')
        .replace("seats = [1, 2, 3]", "seats = [2, 2, 3]")
        .replace("tray =", "trai =")
        .replace("  [500, 125],", "  [500, nan],")
        .replace("decks = 8", "decks = 0")
        .replace('"preshuffled"', '"preshufled"')
    )
    assert problems(written(tmp_path, text)) == [
        ":4: camera.width_px: found '1920', expected a whole number from 1 to 16384",
        ":13: layout.shoe_side: found nothing, expected this key",
        ":14: layout.shoe_sde: found the unknown key 'shoe_sde', expected 'shoe_side'",
        ":15: layout.seats[1]: found seat 2 again, expected each seat's number once",
        ":17: layout.zones_mm.trai: found the unknown zone 'trai', expected 'tray'",
        ":22: layout.zones_mm.discard[2][1]: found nan, expected a number",
        ':25: layout.zones_mm."seat:1": found a zone of the unknown seat 1, expected a seat of layout.seats (2, 3)',
        ':26: layout.zones_mm."bet:1:ante": found a zone of the unknown seat 1, expected a seat of layout.seats (2, 3)',
        ":29: game.decks: found 0, expected a whole number from 1 to 12",
        ":33: inputs.signals[1]: found 'preshufled', expected 'preshuffled'",
    ]


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('table = "midi-3"', 'table = "a/b"', ":1: table: found 'a/b'"),
        ('table = "midi-3"', "table = 3", ":1: table: found 3, expected a text"),
        ('-05:00"\n', '"\n', ":2: started_at: found '2026-11-30T09:00:00', expected a time"),
        ("[0.0, -1.0, 940.0]", "[2.0, 0.0, -1920.0]", ":8: calibration.homography: found a singular matrix"),
        ("[0.0, 0.0, 1.0]]\n", "[0.0, 1.0, -540.0]]\n", ":8: calibration.homography: found one whose horizon"),
        ("[0.0, 0.0, 1.0]]\n", "[0.0, 0.0]]\n", ":8: calibration.homography[2]: found [0.0, 0.0]"),
        ("[[3000.0, 0,", "[[-3000.0, 0,", ":9: calibration.lens.matrix: found"),
        ("[-0.05, 0.01, 0, 0, 0]", "[-0.05]", ":9: calibration.lens.distortion: found [-0.05], expected a list of 4"),
        ("400.0, 3000.0]", "400.0, -1]", ":10: calibration.camera_mm: found"),
        ("error_mm = 1.4", "error_mm = true", ":11: calibration.error_mm: found True, expected a number"),
        ('"left"', '"lefft"', ":14: layout.shoe_side: found 'lefft', expected 'left'"),
        ("tray = ", "elsewhere = ", ":17: layout.zones_mm.elsewhere: found an outline"),
        ('"bet:1:ante"', '"bet:1"', ':26: layout.zones_mm."bet:1": found the unknown zone'),
        ("[300, 140], [-300, 140]", "[-300, 140], [300, 140]", "edges 2 and 4 meet"),
        ("[300, 140], [-300, 140]", "[300, 0], [-300, 140]", "corner 2 twice in a row"),
        ("[300, 140], [-300, 140]", "[600, 0]", "meet"),
        ("[[-300, 0], [300, 0], [300, 140], [-300, 140]]", "[[-300, 0], [300, 0]]", "found 2 corners"),
        ("[[-300, 0], [300, 0], [300, 140], [-300, 140]]", "[]", "expected three or more corners"),
        ('pack = "pa58/629a"', "", ":27: game.pack: found nothing"),
        ("[inputs]", "[inptus]", ":32: inptus: found the unknown key 'inptus', expected 'inputs'"),
    ],
)
def test_each_kind_of_fault(tmp_path: Path, old: str, new: str, found: str) -> None:
    assert any(found in problem for problem in problems(changed(tmp_path, old, new)))


def test_a_closed_outline_is_opened(tmp_path: Path) -> None:
    table = load_table(changed(tmp_path, "[300, 140], [-300, 140]]", "[300, 140], [-300, 140], [-300, 0]]"))
    assert table.layout.zones_mm["tray"].shape == (4, 2)
    assert not np.may_share_memory(table.layout.zones_mm["tray"], table.layout.zones_mm["shoe"])


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("", "t.toml", "found an empty file"),
        ("table = \n", "t.toml", ":1: the file: found broken TOML"),
        ("a = [1,\n2\n", "t.toml", "found broken TOML"),
        ('{"table": "x",\n "camera": }', "t.json", ":2: the file: found broken JSON"),
        ('{"table": "x",\n "table": "y"}', "t.json", ":2: table: found the key twice"),
        ("[]", "t.json", "the file: found []"),
    ],
)
def test_broken_files(tmp_path: Path, text: str, name: str, found: str) -> None:
    assert any(found in problem for problem in problems(written(tmp_path, text, name)))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert "no such file" in problems(tmp_path / "missing.toml")[0]
    assert "directory" in problems(tmp_path)[0]
    (tmp_path / "film.toml").write_bytes(b"\x00\x00\xff\xfe\x80")
    assert "no UTF-8" in problems(tmp_path / "film.toml")[0]


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    table = load_table(written(tmp_path))
    with pytest.raises(TableFileFault, match="no such file or directory"):
        save_table(table, tmp_path / "missing" / "table.toml")
