"""Reads TOML and JSON files of settings, and finds all their faults at once.

A `Document` is one file; a `Node` is one value in it that knows its key and its line. Every method of a node
returns a checked value, or None after it has noted a problem, so that reading goes on and the user hears of
everything in one go.
"""

from __future__ import annotations

import difflib
import json
import math
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from calibration.lines import KeyPath, json_lines, toml_lines
from faults import Fault

Plain = Any  # a value of TOML or JSON


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault in a file: where it is, what is there, and what should be."""

    file: str
    line: int | None
    key: str
    found: str
    expected: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.key}: found {self.found}, expected {self.expected}"


class FileFault(Fault):
    """A file of settings with one or more problems; `problems` holds all of them."""

    kind = "file"

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        first = self.problems[0]
        count = len(self.problems)
        super().__init__(
            f"{count} fault{'s' if count > 1 else ''} in the {self.kind}",
            where=first.file if first.line is None else f"{first.file}:{first.line}",
            why="\n  ".join(["", *map(str, self.problems)]).rstrip(),
            todo="Correct the file.",
        )

    def __str__(self) -> str:
        count = len(self.problems)
        head = f"{self.problems[0].file}: {count} fault{'s' if count > 1 else ''} in the {self.kind}:"
        return "\n".join([head, *(f"  {problem}" for problem in self.problems)])


@dataclass(slots=True)
class Document:
    """A file that was read: its raw value, the line of every key, and the problems found so far."""

    file: str
    raw: Plain
    lines: Mapping[KeyPath, int]
    problems: list[Problem] = field(default_factory=list)

    @property
    def root(self) -> Node:
        """The whole file as a node."""
        return Node(self, (), self.raw)

    def problem(self, path: KeyPath, found: str, expected: str, line: int | None = None) -> None:
        """Notes a problem at a key; its line is that of the key or of the nearest thing around it."""
        self.problems.append(Problem(self.file, line or self._line(path), key_text(path), found, expected))

    def _line(self, path: KeyPath) -> int | None:
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path)


def key_text(path: KeyPath) -> str:
    """A key path as people write it: `layout.zones_mm."seat:1"[2]`."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += ("." if text else "") + (part if re.fullmatch(r"[\w-]+", part) else json.dumps(part))
    return text or "the file"


def read_document(path: Path, fault: type[FileFault]) -> Document:
    """The TOML or JSON file at `path`; JSON if its name or its first sign says so.

    Raises:
        fault: the file cannot be read, or its grammar is broken.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise fault([Problem(str(path), None, "the file", "bytes that are no UTF-8", "text in UTF-8")]) from error
    except OSError as error:
        found = "nothing that can be read" if error.strerror is None else error.strerror.lower()
        raise fault([Problem(str(path), None, "the file", found, "a TOML or JSON file")]) from error
    if not text.strip():
        raise fault([Problem(str(path), None, "the file", "an empty file", "a TOML or JSON file")])
    if path.suffix.lower() == ".json" or (path.suffix.lower() != ".toml" and text.lstrip()[:1] == "{"):
        return _read_json(str(path), text, fault)
    return _read_toml(str(path), text, fault)


def _read_toml(file: str, text: str, fault: type[FileFault]) -> Document:
    """Parsed TOML with the lines of its keys."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"at line (\d+)", str(error))
        line = int(place[1]) if place else text.count("\n") + 1
        raise fault([Problem(file, line, "the file", f"broken TOML ({error})", "well-formed TOML")]) from error
    except RecursionError as error:
        raise _too_deep(file, fault) from error
    return Document(file, raw, toml_lines(text.replace("\r\n", "\n")))


def _read_json(file: str, text: str, fault: type[FileFault]) -> Document:
    """Parsed JSON with the lines of its keys; a key written twice is a problem."""
    try:
        raw = json.loads(text)
    except json.JSONDecodeError as error:
        problem = Problem(file, error.lineno, "the file", f"broken JSON ({error.msg})", "well-formed JSON")
        raise fault([problem]) from error
    except RecursionError as error:
        raise _too_deep(file, fault) from error
    where, repeated = json_lines(text)
    document = Document(file, raw, where)
    for path, line in repeated:
        document.problem(path, "the key twice", "each key once", line)
    return document


def _too_deep(file: str, fault: type[FileFault]) -> FileFault:
    return fault([Problem(file, None, "the file", "brackets nested without end", "a file of settings")])


@dataclass(frozen=True, slots=True)
class Node:
    """One value of a document, with the path of its key."""

    document: Document
    path: KeyPath
    raw: Plain

    @property
    def key(self) -> str:
        """The key as people write it."""
        return key_text(self.path)

    def bad(self, expected: str, found: str | None = None) -> None:
        """Notes that this value is not what was expected."""
        self.document.problem(self.path, found or describe(self.raw), expected)

    def get(self, name: str) -> Node | None:
        """The value under a key, or None."""
        if isinstance(self.raw, dict) and name in self.raw:
            return Node(self.document, (*self.path, name), self.raw[name])
        return None

    def items(self) -> Iterator[tuple[str, Node]]:
        """The keys of a table with their values."""
        if isinstance(self.raw, dict):
            for name, value in self.raw.items():
                yield name, Node(self.document, (*self.path, name), value)

    def entries(self, expected: str = "a list") -> list[Node]:
        """The entries of a list; none, and a problem, if it is none."""
        if not isinstance(self.raw, list):
            self.bad(expected)
            return []
        return [Node(self.document, (*self.path, number), value) for number, value in enumerate(self.raw)]

    def is_table(self, required: Iterable[str] = (), optional: Iterable[str] | None = None) -> bool:
        """True if this is a table; notes keys that are missing or, unless `optional` is None, unknown."""
        if not isinstance(self.raw, dict):
            self.bad("a table of keys")
            return False
        required = tuple(required)
        for name in required:
            if name not in self.raw:
                self.document.problem((*self.path, name), "nothing", "this key")
        if optional is not None:
            self._refuse_unknown((*required, *optional))
        return True

    def _refuse_unknown(self, known: Sequence[str]) -> None:
        for name, node in self.items():
            if name not in known:
                node.bad(nearest_text(name, known), f"the unknown key {name!r}")

    def text(self, choices: Sequence[str] | None = None) -> str | None:
        """A non-empty string, one of `choices` if there are any."""
        if not isinstance(self.raw, str) or not self.raw.strip():
            self.bad("a text" if choices is None else nearest_text("", choices))
            return None
        if choices is not None and self.raw not in choices:
            self.bad(nearest_text(self.raw, choices))
            return None
        return self.raw

    def whole(self, low: int, high: int) -> int | None:
        """A whole number from `low` to `high`."""
        if isinstance(self.raw, bool) or not isinstance(self.raw, int) or not low <= self.raw <= high:
            self.bad(f"a whole number from {low} to {high}")
            return None
        return self.raw

    def number(self, low: float = -math.inf, high: float = math.inf) -> float | None:
        """A finite number from `low` to `high`."""
        if isinstance(self.raw, bool) or not isinstance(self.raw, int | float) or not _is_finite(self.raw):
            self.bad("a number")
            return None
        if not low <= self.raw <= high:
            self.bad(f"a number from {low:g} to {high:g}" if math.isfinite(high) else f"a number of at least {low:g}")
            return None
        return float(self.raw)

    def numbers(self, lengths: Sequence[int]) -> list[float] | None:
        """A list of finite numbers, of one of these lengths."""
        expected = f"a list of {' or '.join(map(str, lengths))} numbers"
        if not isinstance(self.raw, list) or len(self.raw) not in lengths:
            self.bad(expected)
            return None
        values = [entry.number() for entry in self.entries()]
        return [value for value in values if value is not None] if None not in values else None

    def matrix(self) -> list[list[float]] | None:
        """Three rows of three numbers."""
        if not isinstance(self.raw, list) or len(self.raw) != 3:
            self.bad("three rows of three numbers")
            return None
        rows = [entry.numbers((3,)) for entry in self.entries()]
        return [row for row in rows if row is not None] if None not in rows else None

    def moment(self) -> datetime | None:
        """A point in time with its offset from UTC: ISO 8601 text, or TOML's own form."""
        value = self.raw
        if isinstance(value, str):
            try:
                value = datetime.fromisoformat(value)
            except ValueError:
                value = None
        if not isinstance(value, datetime) or value.tzinfo is None:
            self.bad("a time in ISO 8601 with its offset, such as 2026-11-30T10:00:00-05:00")
            return None
        return value


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number too large for a float
        return False


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known word most like `name`, or None if none is like it."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return close[0] if close else None


def nearest_text(name: str, known: Sequence[str]) -> str:
    """What was expected in place of `name`: the nearest known word, else all of them."""
    near = nearest(name, known)
    return repr(near) if near else "one of " + ", ".join(repr(word) for word in known)


def describe(value: Plain) -> str:
    """A value in a few words, for messages."""
    text = repr(value)
    if isinstance(value, dict):
        return f"a table of {len(value)} keys"
    if isinstance(value, list) and len(text) > 40:
        return f"a list of {len(value)}"
    return text if len(text) <= 60 else text[:57] + "..."
