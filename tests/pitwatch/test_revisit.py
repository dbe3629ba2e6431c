"""Judging again shows the recording if it is still what was reviewed, and says so if it is not."""

from __future__ import annotations

from pathlib import Path

from pitwatch.rejudge import Rejudge, rejudge
from pitwatch.review import Order, run_review
from tests.pitwatch import stacks
from tests.pitwatch.fakes import event, stages, write_table

BURN = [
    event(10, "shoe.load", 200_000, by="dealer"),
    event(11, "card.draw", 1_000_000, source="shoe", hand="left", cards=1),
    event(12, "card.burn", 1_400_000, zone="discard", face="up", rank="2", index=0),
    event(13, "round.start", 4_500_000, round=1),
]


def reviewed(folder: Path) -> Path:
    """A review of the drawn stacks; returns its recording."""
    source = stacks.write_recording(folder / "shift.mp4")
    order = Order((str(source),), write_table(folder, stacks.TABLE), folder / "review")
    run_review(order, stages([*BURN, *stacks.events()]))
    return source


def judged_again(folder: Path) -> str:
    rejudge(Rejudge(folder / "review", folder / "table.toml", folder / "again"))
    return (folder / "again" / "report.html").read_text()


def test_the_recording_is_shown_where_it_still_is(tmp_path: Path) -> None:
    reviewed(tmp_path)
    page = judged_again(tmp_path)
    assert "data:image/jpeg;base64," in page
    assert "Pictures are missing" not in page


def test_a_recording_that_is_gone_is_named(tmp_path: Path) -> None:
    reviewed(tmp_path).unlink()
    page = judged_again(tmp_path)
    assert "The recording shift.mp4 is not where it was reviewed." in page
    assert "data:image/jpeg" not in page


def test_another_recording_in_its_place_is_not_shown(tmp_path: Path) -> None:
    source = reviewed(tmp_path)
    source.write_bytes(source.read_bytes() + b"more")
    assert "its contents changed" in judged_again(tmp_path)


def test_events_alone_have_no_pictures(tmp_path: Path) -> None:
    reviewed(tmp_path)
    (tmp_path / "review" / "run.json").unlink()
    assert "What these events were seen in is not recorded with them." in judged_again(tmp_path)
