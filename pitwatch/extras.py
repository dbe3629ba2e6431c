"""Parts of the program that need more than the run-time libraries."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from faults import Fault


class ExtraFault(Fault):
    """A part that is not installed."""


def optional(name: str, extra: str) -> ModuleType:
    """The module `name`, which needs the extra `extra`.

    Raises:
        ExtraFault: a library is missing; it names it and the extra that brings it.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise ExtraFault(
            f"the part {name} cannot be loaded",
            where="this installation",
            why=str(error),
            todo=f"Install the extra: pip install 'pitwatch[{extra}]'.",
        ) from error


def hand_over(module: str, arguments: Sequence[str]) -> int:
    """Runs a module as a program of its own, with this Python, and returns its exit code.

    Raises:
        ExtraFault: it does not belong to this installation.
    """
    if find_spec(module) is None:
        raise ExtraFault(
            f"there is no {module}",
            where="this installation",
            why="it belongs to a checkout of the repository, not to the installed program",
            todo="Clone the repository and run the command there.",
        )
    return subprocess.run([sys.executable, "-m", module, *arguments], check=False).returncode
