"""Lines of JSON on disk: appended and flushed one by one, read with the place of every fault."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from faults import InputFault

Plain = Any  # a JSON value
#: What Python makes of bytes of a file's name that are no UTF-8.
_NO_UTF8 = re.compile("[\ud800-\udfff]")


class LineFile:
    """An append-only file of lines. With `sync`, a line is on the disk itself when `append` returns."""

    def __init__(self, path: Path, *, sync: bool = False) -> None:
        self.path = path
        self._sync = sync
        path.parent.mkdir(parents=True, exist_ok=True)
        _drop_torn_line(path)
        self._file = path.open("a", encoding="utf-8", newline="\n")

    def append(self, line: str) -> None:
        """Writes one line, without its newline, and flushes it."""
        self._file.write(line + "\n")
        self._file.flush()
        if self._sync:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Syncs and closes the file."""
        if not self._file.closed:
            os.fsync(self._file.fileno())
            self._file.close()

    def __enter__(self) -> LineFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _drop_torn_line(path: Path) -> None:
    """Cuts off a last line that has no newline: the program was stopped while it wrote it."""
    if not path.exists():
        return
    data = path.read_bytes()
    if data and not data.endswith(b"\n"):
        with path.open("r+b") as file:
            file.truncate(data.rfind(b"\n") + 1)


def line_of(value: Plain) -> str:
    """A value as one line of JSON."""
    return _writable(json.dumps(value, ensure_ascii=False))


def _writable(text: str) -> str:
    """JSON that can be written as UTF-8: other bytes of a file's name stand as escapes, and come back so."""
    return _NO_UTF8.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def read_objects(path: Path, what: str) -> Iterator[tuple[str, Mapping[str, Plain]]]:
    """The objects of a JSON-lines file, each with its place (`file:line`); blank lines are skipped.

    Raises:
        InputFault: the file cannot be read, or a line is no JSON object. `what` names the file's content.
    """
    for place, line in read_lines(path, what):
        yield place, object_of(line, place, what)


def read_lines(path: Path, what: str) -> Iterator[tuple[str, str]]:
    """The lines of a text file that are not blank, each with its place.

    Raises:
        InputFault: the file cannot be read. `what` names its content.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputFault(
            f"cannot read the {what}", where=str(path), why=str(error), todo="Check the path and that it is UTF-8 text."
        ) from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield f"{path}:{number}", line


def object_of(line: str, place: str, what: str) -> Mapping[str, Plain]:
    """The JSON object on a line.

    Raises:
        InputFault: it is none. `what` names the file's content.
    """
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _no_object(place, what, str(error)) from error
    if not isinstance(value, dict):
        raise _no_object(place, what, f"found {line[:40]}")
    return value


def _no_object(place: str, what: str, why: str) -> InputFault:
    return InputFault(f"not a line of the {what}", where=place, why=why, todo="Each line is one JSON object.")


def json_text(value: Plain) -> str:
    """A value as indented JSON."""
    return _writable(json.dumps(value, ensure_ascii=False, indent=2)) + "\n"


def write_json(path: Path, value: Plain) -> None:
    """Writes a JSON file in one step: readers see the old file or the new one, never half of it."""
    part = path.with_name(path.name + ".part")
    part.write_text(json_text(value), encoding="utf-8")
    part.replace(path)
