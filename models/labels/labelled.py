"""What a casino's own label files say: things on pictures, whatever the tool that they were drawn with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.lines import KeyPath, json_lines
from calibration.schema import Document, FileFault, Problem, key_text

Corners = NDArray[np.float64]
#: So many faults are shown; a wrong export has the same one a thousand times.
MOST_SHOWN = 12


class LabelFault(FileFault):
    """Labels or pictures that cannot be used; `problems` holds everything that is wrong with them."""

    kind = "labels"
    exit_code = 3

    def __str__(self) -> str:
        lines = super().__str__().splitlines()
        more = len(lines) - 1 - MOST_SHOWN
        return "\n".join(lines[: MOST_SHOWN + 1] + ([f"  ... and {more} more"] if more > 0 else []))


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """One labelled thing.

    Attributes:
        name: its class, in the labels' own words.
        outline: (N, 2) corners of what was drawn; only as the detector sees it is a rectangle laid around it.
        hull: true where only an axis-aligned box was drawn, which tells nothing of the thing's direction.
        unsure: true where the labels still mark it as a guess that nobody confirmed.
        place: file and line or record, for messages.
    """

    name: str
    outline: Corners
    hull: bool
    unsure: bool
    place: str


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """One picture and what was labelled on it.

    Attributes:
        name: the picture's name in the labels, folders and all.
        path: where it is.
        size_px: width and height as the labels give them, or None.
        things: what was labelled.
        relative: true where outlines are shares of the picture's width and height instead of pixels.
        crowded: names of which not every thing on this picture is labelled.
        recording: what the labels say it was taken from, or "".
        place: file and line or record, for messages.
    """

    name: str
    path: Path
    size_px: tuple[int, int] | None
    things: tuple[Thing, ...]
    relative: bool
    crowded: frozenset[str]
    recording: str
    place: str


@dataclass(frozen=True, slots=True, eq=False)
class LabelSet:
    """Everything that a label file or folder says.

    Attributes:
        form: the format's name.
        file: the file that holds the labels, or the one that describes them.
        files: every file that was read.
        names: the class names that the labels declare or use, in their order.
        pictures: the labelled pictures.
        remarks: what was passed over, and why.
    """

    form: str
    file: Path
    files: tuple[Path, ...]
    names: tuple[str, ...]
    pictures: tuple[Labelled, ...]
    remarks: tuple[str, ...]


class Problems:
    """Collects the faults of label files, so that all are told at once."""

    def __init__(self) -> None:
        self._all: list[Problem] = []

    def add(self, file: Path | str, line: int | None, key: str, found: str, expected: str) -> None:
        """Notes one fault."""
        self._all.append(Problem(str(file), line, key, found, expected))

    def take(self, problems: list[Problem]) -> None:
        """Notes faults that were found elsewhere."""
        self._all.extend(problems)

    def stop(self) -> None:
        """Raises LabelFault if there are any."""
        if self._all:
            raise LabelFault(self._all)


class _LinesOnDemand(Mapping[KeyPath, int]):
    """The lines of a JSON file's keys, looked for only when a fault is to be told: label files are long."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: dict[KeyPath, int] | None = None

    def _lines(self) -> dict[KeyPath, int]:
        if self._found is None:
            self._found = json_lines(self._text)[0]
        return self._found

    def __getitem__(self, path: KeyPath) -> int:
        return self._lines()[path]

    def __iter__(self) -> Iterator[KeyPath]:
        return iter(self._lines())

    def __len__(self) -> int:
        return len(self._lines())


def document_of(path: Path, text: str, raw: object) -> Document:
    """A parsed JSON file as a document that knows its lines."""
    return Document(str(path), raw, _LinesOnDemand(text))


def place_of(document: Document, path: KeyPath, number: object = None) -> str:
    """File and key of a record, with its own number where it has one; without its line, which is slow to find."""
    own = "" if number is None else f" (id {number})"
    return f"{document.file}: {key_text(path)}{own}"
