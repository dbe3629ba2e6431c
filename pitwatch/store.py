"""The watch's store on disk: an alert is here, synced, before it is on the wire.

    OUT/<table>/alerts.jsonl          every message of the table's alert stream, in the order of `seq`
    OUT/<table>/runs/<began>/         what each run of the watch saw and judged: events.jsonl, findings.jsonl, run.json

`seq` counts up by one for ever: a restarted watch goes on where the log ends. Nothing is ever overwritten.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import threading
import uuid
from array import array
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from faults import Fault
from pitwatch.jsonl import line_of, read_objects

VERSION = 1
ALERTS = "alerts.jsonl"
TORN = ".torn"
RESERVE = ".reserve"
RESERVE_BYTES = 4 << 20
FULL = (errno.ENOSPC, errno.EDQUOT)


class StoreFault(Fault):
    """The store cannot be used."""


def now_text() -> str:
    """The present moment in ISO 8601, UTC."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Reserve:
    """Some megabytes kept on the disk for the day it is full.

    Giving them up lets alerts go on while people make room.
    """

    def __init__(self, folder: Path) -> None:
        """Claims the room; does without where there is none.

        Raises:
            StoreFault: the folder cannot be made.
        """
        self._path = folder / RESERVE
        self.spent = False
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unusable(folder, error) from error
        try:
            with self._path.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, RESERVE_BYTES)
        except OSError:
            self.give_up()

    def give_up(self) -> bool:
        """Frees the room; False if it was free already."""
        self.spent = True
        with contextlib.suppress(OSError):
            self._path.unlink()
            return True
        return False

    def close(self) -> None:
        """Frees the room as the watch ends."""
        with contextlib.suppress(OSError):
            self._path.unlink()


class Lines:
    """An append-only file of lines. A line is whole and on the disk when `append` returns, or not there at all.

    Lines are numbered from 0, and read back from the disk by number. Safe to use from several threads.
    """

    def __init__(self, path: Path, *, sync: bool = True) -> None:
        """Opens or makes the file; a last line that a crash tore is set aside in a file that ends in `.torn`.

        Raises:
            StoreFault: the file cannot be used.
        """
        self.path = path
        self._sync = sync
        self._lock = threading.Lock()
        self._ends: array[int] = array("q", [0])
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            self._mend(path.read_bytes())
        except OSError as error:
            raise _unusable(path, error) from error

    def _mend(self, data: bytes) -> None:
        """Finds the lines that are there. A torn last line was never sent: nobody heard of it."""
        whole = data.rfind(b"\n") + 1
        torn = data[whole:]
        if torn and _is_object(torn):  # only its newline is missing
            self._put(b"\n")
            data, whole = data + b"\n", len(data) + 1
        elif torn:
            with self.path.with_name(self.path.name + TORN).open("ab") as aside:
                aside.write(torn + b"\n")
            os.ftruncate(self._file, whole)
        end = 0
        while end < whole:
            end = data.index(b"\n", end) + 1
            self._ends.append(end)

    def __len__(self) -> int:
        return len(self._ends) - 1

    def append(self, line: str) -> None:
        """Writes one line, given without its newline.

        Raises:
            OSError: the disk refused it; the file is as it was.
        """
        data = line.encode() + b"\n"
        with self._lock:
            try:
                self._put(data)
            except OSError:
                os.ftruncate(self._file, self._ends[-1])
                raise
            self._ends.append(self._ends[-1] + len(data))

    def _put(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._file, data) :]
        if self._sync:
            os.fsync(self._file)

    def read(self, first: int, most: int) -> list[str]:
        """Lines from number `first` on, at most so many."""
        with self._lock:
            first = min(max(first, 0), len(self))
            last = min(first + most, len(self))
            start, end = self._ends[first], self._ends[last]
            return os.pread(self._file, end - start, start).decode().split("\n")[:-1] if end > start else []

    def close(self) -> None:
        """Syncs and closes the file."""
        with self._lock:
            if self._file >= 0:
                with contextlib.suppress(OSError):
                    os.fsync(self._file)
                os.close(self._file)
                self._file = -1


class AlertLog:
    """One table's stream of alerts. Safe to use from several threads.

    `stream` names it: the table, then a mark of this very log, so that who sees another mark knows that `seq` began
    anew.
    """

    def __init__(self, folder: Path, table: str) -> None:
        """Opens the log in a table's folder.

        Raises:
            StoreFault: it cannot be used, or lines of it are missing or changed.
        """
        self.table = table
        self.path = folder / ALERTS
        self._lines = Lines(self.path)
        self._lock = threading.Lock()
        self.sending = threading.Lock()  # held by who appends and sends, so that the wire keeps the disk's order
        self.stream = f"{table}#{uuid.uuid4().hex[:12]}"
        try:
            for number, envelope in enumerate(self.envelopes(), start=1):
                self._check(number, envelope)
                self.stream = str(envelope["stream"])
        except Fault:
            self.close()
            raise

    def _check(self, number: int, envelope: Mapping[str, Any]) -> None:
        if envelope.get("seq") != number or not isinstance(envelope.get("alert"), dict) or "stream" not in envelope:
            raise StoreFault(
                f"seq {envelope.get('seq')} where alert {number} should stand",
                where=f"{self.path}:{number}",
                why="lines were lost or changed; consoles would believe that they missed nothing",
                todo="Keep the table's folder elsewhere as it is, and start with an empty one.",
            )

    @property
    def last_seq(self) -> int:
        """The `seq` of the newest alert; 0 before the first."""
        return len(self._lines)

    def append(self, alert: Mapping[str, Any]) -> str:
        """Puts an alert on the disk. Returns its envelope, ready to be sent.

        Raises:
            OSError: the disk refused it; its `seq` is not used up.
        """
        with self._lock:
            seq = self.last_seq + 1
            line = line_of({"v": VERSION, "stream": self.stream, "seq": seq, "sent_at": now_text(), "alert": alert})
            self._lines.append(line)
            return line

    def since(self, seq: int, most: int) -> list[str]:
        """Envelopes from `seq` on, from the disk, at most so many."""
        return self._lines.read(max(seq, 1) - 1, most)

    def envelopes(self) -> Iterator[Mapping[str, Any]]:
        """All envelopes on the disk, oldest first."""
        for _, envelope in read_objects(self.path, "alert log"):
            yield envelope

    def close(self) -> None:
        """Syncs and closes the log."""
        self._lines.close()


def _is_object(data: bytes) -> bool:
    try:
        return isinstance(json.loads(data), dict)
    except ValueError:
        return False


def _unusable(path: Path, error: OSError) -> StoreFault:
    return StoreFault(
        "cannot write the store",
        where=str(path),
        why=(error.strerror or str(error)).lower(),
        todo="Make room there, or give another place with 'out' in the site file.",
    )
