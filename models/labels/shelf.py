"""Where the pictures are that a label file names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from urllib.parse import parse_qs, unquote, urlsplit

SUFFIXES = {".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"}
#: Label Studio puts this before the name of a picture that was uploaded to it.
UPLOADED = re.compile(r"^[0-9a-f]{8}-")


def is_picture(path: Path) -> bool:
    """Whether a file's name is a picture's."""
    return path.suffix.lower() in SUFFIXES and not path.name.startswith(".")


class Shelf:
    """The pictures in some folders, found by the names that labels give them.

    Args:
        folders: where to look, the likeliest first.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = tuple(dict.fromkeys(folder for folder in folders if folder.is_dir()))

    def find(self, name: str) -> Path | str:
        """The picture of a name, path or address, or in words what is there instead."""
        for wanted in _names(name):
            for folder in self.folders:
                path = folder / wanted
                if path.is_file():
                    return path
        for wanted in _names(name):
            found = self._by_name.get(PurePosixPath(wanted).name.lower(), [])
            if len(found) == 1:
                return found[0]
            if found:
                return f"{len(found)} pictures of that name, among them {found[0]} and {found[1]}"
        return "no such picture"

    @cached_property
    def _by_name(self) -> dict[str, list[Path]]:
        out: dict[str, list[Path]] = defaultdict(list)
        seen: set[Path] = set()
        for folder in self.folders:
            for path in sorted(folder.rglob("*")):
                if is_picture(path) and path.resolve() not in seen:
                    seen.add(path.resolve())
                    out[path.name.lower()].append(path)
        return out

    def advice(self) -> str:
        """What to do about a picture that is not found."""
        looked = ", ".join(str(folder) for folder in self.folders) or "no folder"
        return f"a picture under {looked} (say where they are with --images FOLDER)"


def _names(name: str) -> list[str]:
    """The relative paths that a picture's name may mean: a path, an address, a name with Label Studio's prefix."""
    parts = urlsplit(name) if "://" in name or name.startswith("/data/") else None
    if parts is not None:
        local = parse_qs(parts.query).get("d", [""])[0]
        name = local or unquote(parts.path)
    path = PurePosixPath(name.replace("\\", "/"))
    inside = [part for part in path.parts if part not in ("/", "..", ".")]
    if not inside:
        return []
    names = ["/".join(inside), inside[-1]]
    if UPLOADED.match(inside[-1]):
        names.append(UPLOADED.sub("", inside[-1]))
    return list(dict.fromkeys(names))
