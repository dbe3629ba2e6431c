"""The hash chain over a review: which line and which file was written when, so that an edit shows.

`chain.jsonl` holds an entry for every line of `events.jsonl` and `findings.jsonl`, every input, and every other file:

    {"seq", "what", "sha256", "prev", "hash"}

`what` is `events.jsonl:12` (a line), `clips/ab12.mp4` (a file of the folder), `input:/path/to/video.mp4`, or `end`.
`hash` is the SHA-256 of the entry without it, and `prev` the hash of the entry before. The last hash, printed when the
review ends, stands for the whole folder: who notes it elsewhere can also tell whether the chain itself was made anew.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from faults import InputFault
from pitwatch.jsonl import LineFile, line_of, read_objects

CHAIN = "chain.jsonl"
FIRST = "0" * 64
END = "end"
_LINE = re.compile(r"(?P<file>.+\.jsonl):(?P<line>\d+)")
_BLOCK_BYTES = 1 << 20


def sha256_of_text(text: str) -> str:
    """The SHA-256 of a text's UTF-8 bytes, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def sha256_of_file(path: Path) -> str:
    """The SHA-256 of a file's bytes, in hex."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()


def entry_hash(entry: Mapping[str, Any]) -> str:
    """The hash of an entry: over its other keys, sorted, without spaces."""
    rest = {key: value for key, value in entry.items() if key != "hash"}
    return sha256_of_text(json.dumps(rest, ensure_ascii=False, sort_keys=True, separators=(",", ":")))


class Chain:
    """Appends to a folder's chain; goes on where an earlier one ended."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file = LineFile(folder / CHAIN)
        self._seq, self.head = 0, FIRST
        for _, entry in read_objects(folder / CHAIN, "hash chain"):
            self._seq, self.head = int(entry["seq"]), str(entry["hash"])

    def add(self, what: str, sha256: str) -> None:
        """Appends an entry for `what`."""
        self._seq += 1
        entry = {"seq": self._seq, "what": what, "sha256": sha256, "prev": self.head}
        self.head = entry_hash(entry)
        self._file.append(line_of(entry | {"hash": self.head}))

    def add_file(self, name: str) -> None:
        """Appends an entry for a file of the folder, by its name there."""
        self.add(name, sha256_of_file(self._folder / name))

    def end(self) -> str:
        """Appends the last entry, which stands for all before it, and closes. Returns the last hash."""
        self.add(END, sha256_of_text(self.head))
        self._file.close()
        return self.head

    def close(self) -> None:
        """Closes the chain without an end, as when a review stops half-way."""
        self._file.close()


@dataclass(frozen=True, slots=True)
class ChainCheck:
    """What a check found: `broken` names the first entry that does not hold, None if all do."""

    entries: int
    head: str
    finished: bool
    broken: str | None
    absent_inputs: tuple[str, ...] = ()


def verify(folder: Path) -> ChainCheck:
    """Checks the chain of a review folder and everything that it names.

    Raises:
        InputFault: there is no chain, or it cannot be read.
    """
    if not (folder / CHAIN).is_file():
        raise InputFault(
            "no hash chain", where=str(folder / CHAIN), why="there is no such file", todo="Give the folder of a review."
        )
    return _Check(folder).run()


class _Check:
    """One walk along a chain."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lines: dict[str, list[str]] = {}
        self._chained: dict[str, int] = {}
        self._absent: list[str] = []
        self._seq, self._head, self._finished = 0, FIRST, False

    def run(self) -> ChainCheck:
        broken = next(self._faults(), None)
        return ChainCheck(self._seq, self._head, self._finished, broken, tuple(self._absent))

    def _faults(self) -> Iterator[str]:
        """What does not hold, in the chain's order."""
        for place, entry in read_objects(self._folder / CHAIN, "hash chain"):
            what = entry.get("what")
            name = f"entry {entry.get('seq')} ({what}) at {place}"
            if self._finished:
                yield f"{name}: it follows the end of the chain"
            if entry.get("seq") != self._seq + 1:
                yield f"{name}: entry {self._seq + 1} should stand here"
            if entry.get("prev") != self._head:
                yield f"{name}: it does not follow from the entry before it"
            if entry_hash(entry) != entry.get("hash"):
                yield f"{name}: the entry itself was changed"
            fault = self._fault_of(str(what), str(entry.get("sha256")))
            if fault:
                yield f"{name}: {fault}"
            self._seq, self._head = self._seq + 1, str(entry["hash"])
        yield from self._unchained()

    def _fault_of(self, what: str, sha256: str) -> str | None:
        """Why the thing itself does not agree with its entry."""
        if what == END:
            self._finished = True
            return None if sha256 == sha256_of_text(self._head) else "it does not stand for the entries before it"
        line = _LINE.fullmatch(what)
        if line:
            return self._fault_of_line(line["file"], int(line["line"]), sha256)
        if what.startswith("input:"):
            return self._fault_of_input(Path(what.removeprefix("input:")), sha256)
        path = self._folder / what
        if not path.is_file():
            return "the file is missing"
        return None if sha256_of_file(path) == sha256 else "the file was changed"

    def _fault_of_line(self, file: str, number: int, sha256: str) -> str | None:
        lines = self._lines_of(file)
        self._chained[file] = number
        if number > len(lines):
            return "the line is missing"
        return None if sha256_of_text(lines[number - 1]) == sha256 else "the line was changed"

    def _fault_of_input(self, path: Path, sha256: str) -> str | None:
        """An input that is no longer there is not a fault of the folder; one that is there and differs is."""
        if not path.is_file():
            self._absent.append(str(path))
            return None
        return None if sha256_of_file(path) == sha256 else "the input was changed since it was reviewed"

    def _lines_of(self, file: str) -> list[str]:
        if file not in self._lines:
            path = self._folder / file
            # Bytes, not text: a changed line ending or a byte that is no UTF-8 must show.
            data = path.read_bytes() if path.is_file() else b""
            self._lines[file] = [part.decode("utf-8", "surrogateescape") for part in data.split(b"\n")[:-1]]
        return self._lines[file]

    def _unchained(self) -> Iterator[str]:
        """Lines that no entry names."""
        for file in ("events.jsonl", "findings.jsonl"):
            extra = len(self._lines_of(file)) - self._chained.get(file, 0)
            if extra > 0:
                stopped = "" if self._finished else "; the review was stopped, perhaps while it wrote it"
                place = f"{self._folder / file}:{self._chained.get(file, 0) + 1}"
                yield f"{place}: no entry of the chain names this line{stopped}"
