"""The store: on disk before anything else, and whole whatever happens."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from pitwatch.store import ALERTS, TORN, AlertLog, Lines, Reserve, StoreFault
from pitwatch.writer import Writer


def test_lines_are_read_back_by_number_whatever_they_hold(tmp_path: Path) -> None:
    lines = Lines(tmp_path / "a.jsonl")
    texts = ['{"a": 1}', '{"words": "§ 629a.5 \u2028 é"}', '{"c": 3}']
    for text in texts:
        lines.append(text)
    assert lines.read(0, 99) == texts
    assert lines.read(1, 1) == texts[1:2]
    assert lines.read(3, 5) == lines.read(99, 5) == []
    lines.close()
    again = Lines(tmp_path / "a.jsonl")
    assert again.read(0, 99) == texts
    again.close()


def test_a_restart_resumes_seq_and_stream(tmp_path: Path) -> None:
    log = AlertLog(tmp_path, "1")
    stream = log.stream
    for number in range(3):
        log.append({"id": str(number)})
    log.close()
    again = AlertLog(tmp_path, "1")
    envelope = json.loads(again.append({"id": "3"}))
    assert (envelope["v"], envelope["stream"], envelope["seq"]) == (1, stream, 4)
    assert [json.loads(line)["alert"]["id"] for line in again.since(2, 99)] == ["1", "2", "3"]
    again.close()


def test_an_emptied_store_is_another_stream(tmp_path: Path) -> None:
    one, two = AlertLog(tmp_path / "a", "1"), AlertLog(tmp_path / "b", "1")
    assert one.stream != two.stream
    one.close()
    two.close()


def test_a_torn_last_line_is_set_aside_and_the_rest_kept(tmp_path: Path) -> None:
    log = AlertLog(tmp_path, "1")
    log.append({"id": "a"})
    log.close()
    with (tmp_path / ALERTS).open("a") as file:
        file.write('{"v": 1, "stream": "1#x", "se')
    again = AlertLog(tmp_path, "1")
    assert again.last_seq == 1
    assert json.loads(again.append({"id": "b"}))["seq"] == 2
    assert (tmp_path / (ALERTS + TORN)).read_text() == '{"v": 1, "stream": "1#x", "se\n'
    again.close()


def test_a_last_line_that_only_lacks_its_newline_is_kept(tmp_path: Path) -> None:
    log = AlertLog(tmp_path, "1")
    log.append({"id": "a"})
    log.append({"id": "b"})
    log.close()
    path = tmp_path / ALERTS
    path.write_bytes(path.read_bytes()[:-1])
    again = AlertLog(tmp_path, "1")
    assert [json.loads(line)["alert"]["id"] for line in again.since(1, 9)] == ["a", "b"]
    again.close()


def test_a_missing_line_is_refused(tmp_path: Path) -> None:
    log = AlertLog(tmp_path, "1")
    for number in range(3):
        log.append({"id": str(number)})
    log.close()
    path = tmp_path / ALERTS
    lines = path.read_text().splitlines(keepends=True)
    path.write_text(lines[0] + lines[2])
    with pytest.raises(StoreFault, match="seq 3 where alert 2"):
        AlertLog(tmp_path, "1")


def test_an_alert_is_synced_before_append_returns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = AlertLog(tmp_path, "1")
    synced: list[int] = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: (synced.append(os.fstat(file).st_size), real(file)))
    log.append({"id": "a"})
    assert synced == [(tmp_path / ALERTS).stat().st_size]
    log.close()


class FullDisk:
    """`os.write` on a disk that takes a few bytes of a line and then no more, until `room`."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.room, self._real = False, os.write
        monkeypatch.setattr(os, "write", self._write)

    def _write(self, file: int, data: bytes) -> int:
        if self.room:
            return self._real(file, data)
        if len(data) > 5:
            return self._real(file, data[: len(data) - 5])
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_leaves_no_half_line_and_uses_no_seq_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = AlertLog(tmp_path, "1")
    log.append({"id": "a"})
    before = (tmp_path / ALERTS).read_bytes()
    disk = FullDisk(monkeypatch)
    with pytest.raises(OSError, match="No space"):
        log.append({"id": "b"})
    assert (tmp_path / ALERTS).read_bytes() == before
    disk.room = True
    assert json.loads(log.append({"id": "b"}))["seq"] == 2
    log.close()


def test_writes_wait_in_order_for_room_and_none_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reserve = Reserve(tmp_path)
    reserve.give_up()
    writer, lines = Writer(reserve), Lines(tmp_path / "a.jsonl")
    disk = FullDisk(monkeypatch)
    texts = [f'{{"number": {number}}}' for number in range(5)]
    for text in texts:
        writer.do(lambda line=text: lines.append(line))
    assert writer.trouble == "No space left on device"
    assert writer.waiting == 5
    disk.room = True
    writer.again()
    assert (writer.trouble, writer.waiting) == (None, 0)
    assert lines.read(0, 99) == texts
    lines.close()


def test_the_reserve_makes_room_when_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reserve = Reserve(tmp_path)
    writer, lines = Writer(reserve), Lines(tmp_path / "a.jsonl")
    disk = FullDisk(monkeypatch)
    give_up = reserve.give_up

    def freed() -> bool:
        disk.room = give_up()
        return disk.room

    monkeypatch.setattr(reserve, "give_up", freed)
    writer.do(lambda: lines.append('{"loud": true}'))
    assert lines.read(0, 9) == ['{"loud": true}']
    assert reserve.spent
    assert writer.trouble is None
    lines.close()


def test_a_place_that_cannot_be_written_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreFault, match="cannot write the store"):
        AlertLog(tmp_path / "file" / "table", "1")
    with pytest.raises(StoreFault, match="cannot write the store"):
        Reserve(tmp_path / "file" / "store")
