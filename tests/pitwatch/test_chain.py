"""The hash chain: whatever is edited, left out or added afterwards shows, and is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from faults import InputFault
from pitwatch.chain import CHAIN, entry_hash, sha256_of_text, verify
from pitwatch.record import Record, set_aside
from tests.pitwatch.fakes import event, finding


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A finished review with two events, a finding, a clip and an input."""
    source = tmp_path / "shift.mp4"
    source.write_bytes(b"a recording")
    out = tmp_path / "out"
    record = Record(out)
    record.event(event(1, "card.draw", 1_000_000))
    record.event(event(2, "card.burn", 2_000_000, rank="K"))
    record.finding(finding())
    (out / "clips").mkdir()
    (out / "clips" / "a.mp4").write_bytes(b"a clip")
    record.file("clips/a.mp4")
    record.input(str(source), sha256_of_text("a recording"))
    record.run({"state": "finished"}, final=True)
    record.end()
    return out


def edit(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new, 1))


def test_an_untouched_review_holds(folder: Path) -> None:
    check = verify(folder)
    assert check.broken is None
    assert check.finished
    assert check.entries == 7


@pytest.mark.parametrize(
    ("file", "old", "new", "named"),
    [
        ("events.jsonl", b'"K"', b'"7"', "entry 2 (events.jsonl:2)"),
        ("findings.jsonl", b"violation", b"compliant", "entry 3 (findings.jsonl:1)"),
        ("clips/a.mp4", b"clip", b"klip", "entry 4 (clips/a.mp4)"),
        ("../shift.mp4", b"recording", b"Recording", "entry 5 (input:"),
        ("run.json", b"finished", b"Finished", "entry 6 (run.json)"),
    ],
)
def test_one_changed_byte_is_named(folder: Path, file: str, old: bytes, new: bytes, named: str) -> None:
    edit(folder / file, old, new)
    broken = verify(folder).broken
    assert broken is not None
    assert broken.startswith(named)
    assert "changed" in broken


def test_a_changed_entry_is_named(folder: Path) -> None:
    edit(folder / CHAIN, b"events.jsonl:2", b"events.jsonl:1")
    assert "entry 2 (events.jsonl:1)" in str(verify(folder).broken)
    assert "the entry itself was changed" in str(verify(folder).broken)


def test_an_entry_that_was_taken_out_is_missed(folder: Path) -> None:
    lines = (folder / CHAIN).read_text().splitlines(keepends=True)
    (folder / CHAIN).write_text("".join(lines[:1] + lines[2:]))
    assert "entry 2 should stand here" in str(verify(folder).broken)


def test_an_entry_made_anew_does_not_fit_the_next(folder: Path) -> None:
    lines = (folder / CHAIN).read_text().splitlines()
    entry = json.loads(lines[1]) | {"sha256": sha256_of_text("another event")}
    lines[1] = json.dumps(entry | {"hash": entry_hash(entry)})
    (folder / CHAIN).write_text("\n".join(lines) + "\n")
    assert str(verify(folder).broken).startswith("entry 2 (events.jsonl:2)")


def test_a_line_that_was_added_is_found(folder: Path) -> None:
    with (folder / "events.jsonl").open("a") as file:
        file.write(event(3, "card.draw", 3_000_000).to_json() + "\n")
    assert "no entry of the chain names this line" in str(verify(folder).broken)


def test_a_file_that_is_gone_is_found(folder: Path) -> None:
    (folder / "clips" / "a.mp4").unlink()
    assert "the file is missing" in str(verify(folder).broken)


def test_an_input_that_is_gone_is_told_but_no_fault(folder: Path) -> None:
    (folder.parent / "shift.mp4").unlink()
    check = verify(folder)
    assert check.broken is None
    assert len(check.absent_inputs) == 1


def test_a_review_that_was_stopped_holds_so_far(tmp_path: Path) -> None:
    record = Record(tmp_path)
    record.event(event(1, "card.draw", 1_000_000))
    record.abandon()
    check = verify(tmp_path)
    assert check.broken is None
    assert not check.finished


def test_a_folder_without_a_chain_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match="no hash chain"):
        verify(tmp_path)


def test_an_earlier_review_is_set_aside_whole(folder: Path) -> None:
    aside = set_aside(folder)
    assert aside is not None
    assert verify(aside).broken is None
    assert sorted(path.name for path in folder.iterdir()) == ["earlier"]
    assert set_aside(folder) is None
