"""The training environment's Python is found, and what goes wrong in it is told."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pitwatch import train_python
from pitwatch.extras import ExtraFault
from pitwatch.train_python import VARIABLE, TrainingFault, run_module, training_python


class Shown:
    """Remembers what was shown."""

    def __init__(self) -> None:
        self.steps: list[float] = []
        self.lines: list[str] = []

    def at(self, done: float) -> None:
        self.steps.append(done)

    def of(self, total: float) -> None:
        raise AssertionError(total)

    def say(self, text: str) -> None:
        self.lines.append(text)


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout without a training environment, on a machine that names none."""
    monkeypatch.setattr(train_python, "ROOT", tmp_path)
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setattr(train_python, "find_spec", lambda name: None)
    return tmp_path


def test_without_an_environment_it_is_said_what_to_run(nowhere: Path) -> None:
    with pytest.raises(ExtraFault, match="Run 'make setup-train'") as caught:
        training_python(None)
    assert caught.value.exit_code == 2


def test_the_one_given_comes_before_the_variable_and_that_before_the_folder(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = nowhere / ".venv-train" / "bin" / "python"
    own.parent.mkdir(parents=True)
    own.symlink_to(sys.executable)
    assert training_python(None) == own
    monkeypatch.setenv(VARIABLE, sys.executable)
    assert training_python(None) == Path(sys.executable)
    assert training_python(own) == own


def test_a_wrong_one_is_named(nowhere: Path) -> None:
    with pytest.raises(ExtraFault, match="gone/python"):
        training_python(nowhere / "gone" / "python")


def module(folder: Path, text: str) -> str:
    (folder / "toy_training.py").write_text(text, encoding="utf-8")
    return "toy_training"


def test_steps_and_lines_are_shown(nowhere: Path) -> None:
    shown = Shown()
    name = module(nowhere, "import sys\nprint('begun', sys.argv[1])\nprint('12:00:00 step 20/40 box 1.0')\n")
    run_module(Path(sys.executable), name, nowhere / "order.json", shown)
    assert shown.lines == [f"begun {nowhere / 'order.json'}"]
    assert shown.steps == [20]


def test_a_training_that_fails_is_told_with_its_last_lines(nowhere: Path) -> None:
    name = module(nowhere, "import sys\nprint('out of memory')\nsys.exit(4)\n")
    with pytest.raises(TrainingFault, match=r"exit code 4(?s:.*)out of memory") as caught:
        run_module(Path(sys.executable), name, nowhere / "order.json", Shown())
    assert caught.value.exit_code == 3
