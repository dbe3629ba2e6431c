"""The points file becomes a table file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from calibration.geometry import Calibration
from calibration.pairs import PointsFault
from calibration.points import PointsFileFault, calibrate, read_points
from calibration.tablefile import TableFileFault, load_table
from tests.calibration.tables import TABLE, written
from tests.calibration.views import pixels_over, view

TRUE = view((100.0, 900.0, 3200.0), distortion=(-0.04,))
SECTIONS = TABLE[TABLE.index("[layout]") :]
HEAD = 'table = "midi-3"\ntaken_at = "2026-11-30T10:00:00-05:00"\n[camera]\nsource = "rtsp://10.0.0.9/1"\n'


def points_text(true: Calibration = TRUE, wrong_mm: float = 0.0) -> str:
    """Nine points all over the picture; the third can be wrong."""
    pixels = pixels_over(true, 3, 3)
    places = true.to_table(pixels)
    places[2, 0] += wrong_mm
    return "".join(
        f'[[points]]\npx = {px.tolist()}\nmm = {mm.tolist()}\nname = "mark {number}"\n'
        for number, (px, mm) in enumerate(zip(pixels, places, strict=True), start=1)
    )


def test_points_and_sections_become_a_table_file(tmp_path: Path) -> None:
    out = tmp_path / "table.toml"
    table = calibrate(written(tmp_path, HEAD + points_text() + SECTIONS, "points.toml"), 1920, 1080, out)
    assert load_table(out) == table
    assert (table.table, table.camera.source, table.layout.seats) == ("midi-3", "rtsp://10.0.0.9/1", (1, 2, 3))
    assert table.game.options == {"burn": "face_value", "odd key": [1, 2]}
    assert table.inputs.signals == ("shuffler", "preshuffled")
    assert table.calibration.taken_at is not None
    pixels = pixels_over(TRUE)
    assert np.linalg.norm(table.calibration.to_table(pixels) - TRUE.to_table(pixels), axis=1).max() < 0.5


def test_the_example_becomes_a_table_file(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "points.toml"
    table = calibrate(example, 1920, 1080, tmp_path / "table.toml")
    assert table.calibration.error_mm < 2.0
    assert {"shoe", "discard", "shuffle", "player", "banker"} <= table.layout.zones_mm.keys()


def test_new_points_keep_what_the_old_table_file_says(tmp_path: Path) -> None:
    out = written(tmp_path, name="table.toml")
    old = load_table(out)
    table = calibrate(written(tmp_path, points_text(), "points.toml"), 1920, 1200, out)
    assert (table.table, table.layout, table.game, table.inputs) == (old.table, old.layout, old.game, old.inputs)
    assert (table.camera.width_px, table.camera.height_px, table.camera.source) == (1920, 1200, old.camera.source)


def test_json_points_with_a_known_lens_and_place(tmp_path: Path) -> None:
    assert TRUE.lens is not None
    points = {
        "points": [
            {"px": px.tolist(), "mm": mm.tolist()}
            for px, mm in zip(pixels_over(TRUE, 3, 3), TRUE.to_table(pixels_over(TRUE, 3, 3)), strict=True)
        ],
        "lens": {"matrix": TRUE.lens.matrix.tolist(), "distortion": TRUE.lens.distortion.tolist()},
        "camera_mm": [1.0, 2.0, 3000.0],
    }
    file = written(tmp_path, json.dumps(points), "points.json")
    table = calibrate(file, 1920, 1080, written(tmp_path, name="table.toml"))
    assert table.calibration.lens == TRUE.lens
    assert table.calibration.camera_mm == (1.0, 2.0, 3000.0)


def test_without_layout_and_an_older_file_nothing_can_be_written(tmp_path: Path) -> None:
    file = written(tmp_path, points_text(), "points.toml")
    with pytest.raises(PointsFileFault) as caught:
        calibrate(file, 1920, 1080, tmp_path / "new.toml")
    assert [problem.key for problem in caught.value.problems] == ["table", "layout", "game"]
    assert not (tmp_path / "new.toml").exists()


def test_a_broken_old_table_file_is_named_and_left_alone(tmp_path: Path) -> None:
    out = written(tmp_path, "table = 3\n", "table.toml")
    with pytest.raises(TableFileFault, match="expected a text"):
        calibrate(written(tmp_path, points_text(), "points.toml"), 1920, 1080, out)
    assert out.read_text(encoding="utf-8") == "table = 3\n"
    whole = written(tmp_path, HEAD + points_text() + SECTIONS, "points.toml")
    assert calibrate(whole, 1920, 1080, out).table == "midi-3"


def test_a_wrong_point_is_named_with_its_file(tmp_path: Path) -> None:
    file = written(tmp_path, HEAD + points_text(wrong_mm=80.0) + SECTIONS, "points.toml")
    with pytest.raises(PointsFault, match=r"points\.toml: point mark 3 is \d+ mm off"):
        calibrate(file, 1920, 1080, tmp_path / "table.toml")


def test_all_faults_of_a_points_file_at_once(tmp_path: Path) -> None:
    text = "[[points]]\npx = [1, 2, 3]\nmm = [1, 2]\n[[points]]\npx = [1, 2]\nm = [1, 2]\n[[points]]\nname = 3\n"
    with pytest.raises(PointsFileFault) as caught:
        read_points(written(tmp_path, text + "[lays]\n", "points.toml"))
    assert [str(problem).rsplit(":", 3)[1:] for problem in caught.value.problems] == [
        ["2", " points[0].px", " found [1, 2, 3], expected a list of 2 numbers"],
        ["4", " points[1].mm", " found nothing, expected this key"],
        ["6", " points[1].m", " found the unknown key 'm', expected 'mm'"],
        ["7", " points[2].px", " found nothing, expected this key"],
        ["7", " points[2].mm", " found nothing, expected this key"],
        ["8", " points[2].name", " found 3, expected a text"],
        ["9", " lays", " found the unknown key 'lays', expected 'layout'"],
    ]
