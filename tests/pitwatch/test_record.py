"""The folder of a review: what may be written over what."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitwatch.chain import verify
from pitwatch.cli import main
from pitwatch.folder import events_of, findings_of
from pitwatch.record import FolderFault, Record, is_review, set_aside
from pitwatch.review import Order, run_review
from tests.pitwatch.fakes import event, finding, stages, write_lines, write_table, write_video


def order_into(tmp_path: Path, out: Path, **more: bool) -> Order:
    return Order((str(write_video(tmp_path / "a.mp4", 1.0)),), write_table(tmp_path), out, **more)  # type: ignore[arg-type] # only the switches


def strange(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    for name in ("letter.txt", "report.html"):
        (folder / name).write_text(f"this is {name}")
    return folder


@pytest.mark.parametrize("made", [True, False])
def test_an_empty_folder_or_none_is_room_enough(tmp_path: Path, made: bool) -> None:
    out = tmp_path / "out"
    if made:
        out.mkdir()
    assert set_aside(out) is None
    assert not list(tmp_path.glob("out/*"))


def test_a_folder_of_other_things_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    folder = strange(tmp_path)
    with pytest.raises(FolderFault, match=r"letter\.txt, report\.html") as caught:
        run_review(order_into(tmp_path, folder), stages())
    assert caught.value.exit_code == 2
    assert "--force" in str(caught.value)
    assert {p.name: p.read_text() for p in folder.iterdir()} == {
        "letter.txt": "this is letter.txt",
        "report.html": "this is report.html",
    }


def test_a_truth_folder_is_no_review(tmp_path: Path) -> None:
    """It has files of the same names; writing over the truth would be the worst slip of all."""
    write_lines(tmp_path / "findings.jsonl", [finding(act="obeyed", accept=["compliant"])])
    assert not is_review(tmp_path)
    with pytest.raises(FolderFault, match=r"findings\.jsonl"):
        set_aside(tmp_path)


@pytest.mark.parametrize("switch", ["force", "resume"])
def test_on_request_a_review_is_written_beside_other_things(tmp_path: Path, switch: str) -> None:
    folder = strange(tmp_path)
    run_review(order_into(tmp_path, folder, **{switch: True}), stages([event(1, "card.draw", 100_000)]))
    assert (folder / "letter.txt").read_text() == "this is letter.txt"
    (old,) = (folder / "earlier").glob("*/report.html")
    assert old.read_text() == "this is report.html"
    assert len(events_of(folder)) == 1
    assert verify(folder).broken is None


def test_a_review_that_was_stopped_half_way_is_set_aside(tmp_path: Path) -> None:
    record = Record(tmp_path / "out")
    record.run({"state": "running"}, final=False)
    record.finding(finding())
    record.abandon()
    aside = set_aside(tmp_path / "out")
    assert aside is not None
    assert len(findings_of(aside)) == 1
    assert not (tmp_path / "out" / "findings.jsonl").exists()


def test_an_out_that_is_a_file_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("a file")
    with pytest.raises(FolderFault, match="cannot write the review"):
        run_review(order_into(tmp_path, out), stages())
    assert out.read_text() == "a file"


def test_judge_refuses_a_strange_folder_with_exit_code_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = tmp_path / "events.jsonl"
    events.write_text(event(1, "card.draw", 1_000_000, source="shoe").to_json() + "\n")
    folder = strange(tmp_path)
    code = main(["judge", str(events), "--table", str(write_table(tmp_path)), "--out", str(folder)])
    assert code == 2
    assert f"pitwatch: {folder}: the folder is not empty and no review" in capsys.readouterr().err
    assert sorted(p.name for p in folder.iterdir()) == ["letter.txt", "report.html"]
