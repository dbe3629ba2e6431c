"""Which pictures are held back to measure with: whole recordings, the same ones every time."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from models.labels.labelled import Labelled

#: The number that a picture has within its recording, at the end of its name, with what some tools put before it.
FRAME_NUMBER = re.compile(r"[\s_.-]*(?:(?:frame|img|image)[\s_.-]*)?\d+(?:[\s_.-]*(?:us|ms|s))?$", re.IGNORECASE)
#: With a recording that large held back too little would be left to learn from.
MOST_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Split:
    """Indices of the pictures to learn from and of those held back; the recordings held back, and how it was done."""

    learned: tuple[int, ...]
    held_back: tuple[int, ...]
    recordings: tuple[str, ...]
    how: str


def recording_of(picture: Labelled) -> str:
    """The recording that a picture is from: what the labels say, its folders, and its name without its number."""
    path = PurePosixPath(picture.name.replace("\\", "/"))
    folder = "/".join(path.parts[:-1]) or _folder(picture.path)
    stem = FRAME_NUMBER.sub("", path.stem)
    return "/".join(part for part in (picture.recording, folder, stem) if part)


def _folder(path: Path) -> str:
    """A picture's folder where the labels give only its name; the folder that all pictures are in says nothing."""
    return "" if path.parent.name in ("images", "train", "val", "test") else path.parent.name


def split(pictures: Sequence[Labelled], share: float) -> Split:
    """Holds back about `share` of the pictures.

    Recordings are taken in the order of their names' SHA-256, so that the same are held back when labels are added.
    Neighbouring pictures of one recording are all but the same: to learn from one and to be measured on the other
    proves nothing. If there is only one recording (or none is small enough), its last pictures are held back.
    """
    groups: dict[str, list[int]] = {}
    for index, picture in enumerate(pictures):
        groups.setdefault(recording_of(picture), []).append(index)
    wanted = share * len(pictures)
    chosen: list[str] = []
    count = 0
    for name in sorted(groups, key=lambda name: hashlib.sha256(name.encode()).digest()):
        size = len(groups[name])
        if count < wanted and count + size <= MOST_SHARE * len(pictures) and len(chosen) < len(groups) - 1:
            chosen.append(name)
            count += size
    if not chosen:
        return _last(pictures, share)
    held = sorted(index for name in chosen for index in groups[name])
    learned = sorted(set(range(len(pictures))) - set(held))
    return Split(tuple(learned), tuple(held), tuple(sorted(chosen)), "whole recordings")


def _last(pictures: Sequence[Labelled], share: float) -> Split:
    """Holds back the pictures whose names come last."""
    order = sorted(range(len(pictures)), key=lambda index: _natural(pictures[index].name))
    count = min(max(1, round(share * len(pictures))), len(pictures) - 1)
    cut = len(pictures) - count
    recordings = {recording_of(pictures[index]) for index in order[cut:]}
    return Split(
        tuple(sorted(order[:cut])),
        tuple(sorted(order[cut:])),
        tuple(sorted(recordings)),
        "the last pictures of one recording, which flatters both models: label a second recording",
    )


def _natural(name: str) -> list[tuple[bool, int, str]]:
    """A key that sorts numbers by their size."""
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in re.split(r"(\d+)", name) if part]
