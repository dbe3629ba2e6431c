"""Packages that overwrite one another's files: which of them works then is chance."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from faults import Fault

#: Of each of these only one may be installed. The program asks for the first.
ONE_OF = (
    ("opencv-python", "opencv-python-headless", "opencv-contrib-python", "opencv-contrib-python-headless"),
    ("onnxruntime", "onnxruntime-gpu", "onnxruntime-openvino"),
)


class InstallationFault(Fault):
    """An installation in which packages overwrite one another."""


def conflicts() -> Iterator[InstallationFault]:
    """Each case of several packages that are one library."""
    for names in ONE_OF:
        found = [f"{name} {number}" for name in names if (number := _version(name)) is not None]
        if len(found) > 1:
            yield InstallationFault(
                f"{' and '.join(found)} are both installed" if len(found) == 2 else f"{', '.join(found)} are installed",
                where="this installation",
                why="they hold the same files, and each overwrites the other's",
                todo=f"Uninstall all of them, then install {names[0]} again.",
            )


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
