"""The training environment: where its Python is, and how the training is run in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

import models
from faults import InputFault
from pitwatch.extras import ExtraFault
from pitwatch.progress import Shows

#: The folder that the rooms are in.
ROOT = Path(models.__file__).resolve().parents[1]
VARIABLE = "PITWATCH_TRAIN_PYTHON"
STEP = re.compile(r"\bstep (\d+)/\d+")
#: Lines of the training that are shown if it fails.
LAST_LINES = 12
#: No downloads and no reports home; threads that wait must not spin.
SETTINGS: Mapping[str, str] = {"YOLO_OFFLINE": "true", "OMP_WAIT_POLICY": "passive"}


class TrainingFault(InputFault):
    """The training ended before its end."""


def training_python(given: Path | None) -> Path:
    """The Python of the training environment: the one given, that of .venv-train, or this one if it has torch.

    Raises:
        ExtraFault: there is none.
    """
    variable = os.environ.get(VARIABLE)
    if given is None and variable:
        given = Path(variable)
    own = ROOT / ".venv-train" / "bin" / "python"
    if given is not None:
        if given.is_file() and os.access(given, os.X_OK):
            return given
        raise ExtraFault(
            "there is no Python",
            where=str(given),
            why="no such program",
            todo="Give the Python of an environment made from requirements/train.txt.",
        )
    if own.is_file():
        return own
    if find_spec("torch") is not None and find_spec("ultralytics") is not None:
        return Path(sys.executable)
    raise ExtraFault(
        "the training environment is not there",
        where=str(own),
        why="training needs torch, which the program itself does not",
        todo=f"Run 'make setup-train' in {ROOT} (5 GB), or name another environment's Python with --python.",
    )


def run_module(python: Path, module: str, order: Path, show: Shows) -> None:
    """Runs `module` with `order` as its argument, and shows its steps.

    Raises:
        TrainingFault: it ended with an error; the message holds its last lines.
    """
    settings = {**os.environ, **SETTINGS, "YOLO_CONFIG_DIR": str(order.parent), "PYTHONPATH": str(ROOT)}
    last: deque[str] = deque(maxlen=LAST_LINES)
    command = [str(python), "-m", module, str(order)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT, env=settings
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                last.append(line.rstrip())
                step = STEP.search(line)
                if step is not None:
                    show.at(int(step[1]))
                else:
                    show.say(line.rstrip())
        except BaseException:
            process.terminate()
            raise
    if process.returncode:
        raise TrainingFault(
            f"the training ended with exit code {process.returncode}",
            where=str(python),
            why="\n  ".join(["its last lines were", *last]),
            todo="Correct that and run the command again; finished steps are taken up.",
        )
