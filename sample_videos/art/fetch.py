"""Brings decks by other artists into the ignored cache; needs `npm`, or `apt-get` and `dpkg`, and a network once.

Nothing that a demo or a test needs is fetched: these decks serve training and evaluation.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from faults import Fault

CARDS = ("npm", "@heruka_urgyen/react-playing-cards@0.5.0")
GNOME = ("debian", "gnome-cards-data")


class FetchFault(Fault):
    """A deck's source could not be brought."""


def cache_folder() -> Path:
    """The studio's cache: $PITWATCH_CACHE, or .cache/studio beside the rooms."""
    return Path(os.environ.get("PITWATCH_CACHE", Path(__file__).parents[2] / ".cache" / "studio"))


def fetched(source: tuple[str, str]) -> Path:
    """The unpacked folder of a package; fetched where it is not in the cache yet.

    Raises:
        FetchFault: where the tool is missing or the package cannot be had.
    """
    kind, package = source
    target = cache_folder() / kind / package.replace("/", "_")
    if target.is_dir():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        unpacked = Path(folder) / "unpacked"
        unpacked.mkdir()
        (_npm if kind == "npm" else _debian)(package, Path(folder), unpacked)
        if not target.is_dir():  # another process may have been faster
            shutil.move(unpacked, target)
    return target


def _npm(package: str, folder: Path, unpacked: Path) -> None:
    _run(["npm", "pack", package], package, folder)
    for archive in folder.glob("*.tgz"):
        with tarfile.open(archive) as tar:
            tar.extractall(unpacked, filter="data")


def _debian(package: str, folder: Path, unpacked: Path) -> None:
    _run(["apt-get", "download", package], package, folder)
    for archive in folder.glob("*.deb"):
        _run(["dpkg", "-x", str(archive), str(unpacked)], package, folder)


def _run(command: list[str], package: str, folder: Path) -> None:
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=300)
    except (OSError, subprocess.SubprocessError) as error:
        said = (getattr(error, "stderr", None) or str(error)).strip()
        why = said.splitlines()[-1] if said else "no reason given"
        raise FetchFault(
            f"cannot fetch {package}", where="the studio's card library", why=why,
            todo=f"Check the network and that `{command[0]}` is installed, or use the decks that need no download.",
        ) from error  # fmt: skip
