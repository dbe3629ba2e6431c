"""Collects the faults of a rule pack, each with its line and key."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

Path = tuple[str, ...]

EXPECTED = {
    "values": "a table of ranks, each with a whole number of at least 1",
    "seconds": "seconds, more than 0",
    "share": "a share between 0 and 1",
    "count": "a whole number of at least 1",
    "names": "a list of names",
}


def number_fault(value: Any, kind: str) -> str:
    """What was expected of a number of this kind; "" if `value` is one."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    whole = number and isinstance(value, int)
    fits = {
        "values": isinstance(value, Mapping) and bool(value) and all(_is_count(v) for v in value.values()),
        "seconds": number and value > 0,
        "share": number and 0 <= value <= 1,
        "count": whole and value >= 1,
        "names": isinstance(value, list) and bool(value) and all(isinstance(v, str) for v in value),
    }
    return "" if fits[kind] else EXPECTED[kind]


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


@dataclass(slots=True)
class Checker:
    """The faults found so far in the file `where`, whose text is `text`."""

    where: str
    text: str
    problems: list[str] = field(default_factory=list)

    def problem(self, path: Path, found: str, expected: str) -> None:
        """Notes a fault at a key."""
        line = self._line(path)
        place = self.where if line is None else f"{self.where}:{line}"
        self.problems.append(f"{place}: {'.'.join(path) or 'file'}: found {found}, expected {expected}")

    def unknown(self, path: Path, name: str, known: Sequence[str]) -> None:
        """Notes an unknown key or name, with the nearest known one."""
        near = get_close_matches(name, known, 1, 0.5)
        wanted = f"{near[0]!r}" if near else f"one of {', '.join(known)}" if known else "none"
        self.problem((*path, name), f"unknown {name!r}", wanted)

    def keys(self, table: Mapping[str, Any], path: Path, known: Sequence[str], needed: Sequence[str] = ()) -> None:
        """Notes unknown keys, and needed ones that are missing."""
        for key in table:
            if key not in known:
                self.unknown(path, key, known)
        for key in needed:
            if key not in table:
                self.problem(path, "nothing", f"the key {key!r}")

    def table(self, value: Any, path: Path) -> Mapping[str, Any]:
        """`value` as a table; an empty one, and a fault, if it is none."""
        if isinstance(value, Mapping):
            return value
        self.problem(path, repr(value), "a table")
        return {}

    def _line(self, path: Path) -> int | None:
        """The line of a key, or of the nearest thing around it that can be found."""
        lines = self.text.splitlines()
        start, found = 0, None
        for depth, key in enumerate(path):
            pattern = self._pattern(path[: depth + 1], key)
            number = self._search(lines, pattern, start, int(key) if key.isdigit() else 0)
            if number is None:
                continue
            start, found = number, number + 1
        return found

    @staticmethod
    def _pattern(path: Path, key: str) -> str:
        if key.isdigit():
            return rf"^\s*\[\[\s*{re.escape(path[-2])}\s*\]\]"
        dotted = r"\s*\.\s*".join(re.escape(part) for part in path)
        quoted = rf"[\"']?{re.escape(key)}[\"']?"
        return rf"^\s*\[\[?\s*{dotted}\s*\]|^\s*{quoted}\s*=|[\"']{re.escape(key)}[\"']|[{{,]\s*{quoted}\s*="

    @staticmethod
    def _search(lines: Sequence[str], pattern: str, start: int, nth: int) -> int | None:
        hits = [i for i in range(start, len(lines)) if re.search(pattern, lines[i])]
        return hits[nth] if nth < len(hits) else None
