"""Which scenes an evaluation is of."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitwatch.evaluation import Part, folders, pairs
from tests.pitwatch.commandline import run


def test_only_the_scenes_asked_for_are_scored_whatever_else_lies_there(tmp_path: Path) -> None:
    part = Part("burns", 6, first=3)
    for number in (0, 2, 3, 5, 6, 7):
        folder = part.folder(tmp_path) / f"{number:04d}"
        folder.mkdir(parents=True)
        (folder / "scene.json").touch()
    assert [folder.name for folder in folders(part, tmp_path)] == ["0003", "0005"]
    assert [truth.parents[1].name for truth, _ in pairs(part, tmp_path)] == ["0003", "0005"]


def test_that_no_scene_is_left_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "evaluate", "scenes", "--first", 5, "--count", 5, "--out", tmp_path)
    assert code == 2
    assert "--first 5 leaves out all of the 5 scenes" in err
