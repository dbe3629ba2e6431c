"""An error of the program itself: one message, and never the exit code of a violation."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

import pitwatch.commands.verify as command
from pitwatch.cli import main


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(options: argparse.Namespace) -> int:
        raise TypeError("unhashable type: 'dict'")

    monkeypatch.setattr(command, "run", run)


@pytest.mark.usefixtures("broken")
def test_it_is_one_message_and_ends_early(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["verify", str(tmp_path)])
    err = capsys.readouterr().err
    assert code == 3
    assert err.startswith("pitwatch: test_mishap.py:")
    assert "TypeError: unhashable type: 'dict'" in err
    assert len(err.splitlines()) == 1


@pytest.mark.usefixtures("broken")
def test_the_way_to_it_is_shown_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITWATCH_TRACEBACK", "1")
    assert main(["verify", str(tmp_path)]) == 3
    assert "Traceback" in capsys.readouterr().err
