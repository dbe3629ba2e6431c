"""Writes a review's folder as it goes: what is decided is on disk at once, so that a crash loses nothing."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from faults import Fault
from pitwatch.chain import CHAIN, Chain, sha256_of_text
from pitwatch.folder import CLIPS, EVENTS, FINDINGS, REPORT, RUN
from pitwatch.jsonl import LineFile, line_of, write_json
from rules.event import Event

EARLIER = "earlier"
OURS = (EVENTS, FINDINGS, RUN, REPORT, CHAIN, CLIPS)

SHOWN_NAMES = 3

Finding = Mapping[str, Any]


class FolderFault(Fault):
    """The folder of a review cannot be written."""


def _refuse_strange(folder: Path) -> None:
    """Refuses a folder that somebody else filled: a slip in --out must not mix evidence with other files."""
    try:
        held = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    except OSError as error:
        raise FolderFault(
            "cannot write the review", where=str(folder), why=str(error), todo="Give another folder with --out."
        ) from error
    if held and not is_review(folder):
        more = ", ..." if len(held) > SHOWN_NAMES else ""
        raise FolderFault(
            "the folder is not empty and no review",
            where=str(folder),
            why=f"it holds {', '.join(held[:SHOWN_NAMES])}{more}",
            todo="Give another folder with --out; 'pitwatch review --force' writes beside what is there.",
        )


class Record:
    """The open folder of a running review. Safe to use from several threads."""

    def __init__(self, folder: Path) -> None:
        """Opens a folder without a review in it; `set_aside` makes room.

        Raises:
            FolderFault: it cannot be written.
        """
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._events = LineFile(folder / EVENTS)
            self._findings = LineFile(folder / FINDINGS)
            self._chain = Chain(folder)
        except OSError as error:
            raise FolderFault(
                "cannot write the review", where=str(folder), why=str(error), todo="Give another folder with --out."
            ) from error
        self.folder = folder
        self._lock = threading.Lock()
        self._event_lines = self._finding_lines = 0

    def event(self, event: Event) -> None:
        """Appends an event."""
        line = event.to_json()
        with self._lock:
            self._events.append(line)
            self._event_lines += 1
            self._chain.add(f"{EVENTS}:{self._event_lines}", sha256_of_text(line))

    def finding(self, finding: Finding) -> None:
        """Appends a finding."""
        line = line_of(finding)
        with self._lock:
            self._findings.append(line)
            self._finding_lines += 1
            self._chain.add(f"{FINDINGS}:{self._finding_lines}", sha256_of_text(line))

    def input(self, path: str, sha256: str) -> None:
        """Notes what was read."""
        with self._lock:
            self._chain.add(f"input:{Path(path).resolve()}", sha256)

    def file(self, name: str) -> None:
        """Notes a finished file of the folder."""
        with self._lock:
            self._chain.add_file(name)

    def run(self, run: Mapping[str, Any], *, final: bool) -> None:
        """Writes `run.json`; the final one enters the chain."""
        write_json(self.folder / RUN, run)
        if final:
            self.file(RUN)

    @property
    def head(self) -> str:
        """The chain's newest hash."""
        return self._chain.head

    def end(self) -> str:
        """Closes everything; returns the chain's last hash."""
        with self._lock:
            self._events.close()
            self._findings.close()
            return self._chain.end()

    def abandon(self) -> None:
        """Closes everything as it is, as when the review fails half-way; a full disk may refuse even that."""
        with self._lock:
            for file in (self._events, self._findings, self._chain):
                with contextlib.suppress(OSError):
                    file.close()


def is_review(folder: Path) -> bool:
    """True if a review wrote this folder, finished or not. A truth folder has events too, but neither run nor chain."""
    return any((folder / name).exists() for name in (RUN, CHAIN, EARLIER))


def set_aside(folder: Path, *, force: bool = False) -> Path | None:
    """Moves an earlier review out of the way, into `earlier/` of the same folder; evidence is never overwritten.

    Returns where it lies now, or None if there was nothing. With `force`, files of a folder that is no review are
    treated in the same way, and those of other names stay where they are.

    Raises:
        FolderFault: the folder holds something and is no review, or nothing can be moved.
    """
    if not force:
        _refuse_strange(folder)
    there = [name for name in OURS if (folder / name).exists()]
    if not there:
        return None
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    place = folder / EARLIER / stamp
    number = 1
    while place.exists():
        number += 1
        place = folder / EARLIER / f"{stamp}-{number}"
    try:
        place.mkdir(parents=True)
        for name in there:
            (folder / name).rename(place / name)
    except OSError as error:
        with contextlib.suppress(OSError):
            place.rmdir()
        raise FolderFault(
            "cannot set the earlier review aside",
            where=str(folder),
            why=str(error),
            todo="Give another folder with --out.",
        ) from error
    return place
