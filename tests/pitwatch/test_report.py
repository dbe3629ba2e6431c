"""The report page: grouping, wording, and what is left out."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from calibration.tablefile import load_table
from pitwatch.drawings import Span, clock_text, measure_line, procedure_strip
from pitwatch.patterns import patterns
from pitwatch.report import ReportInputs, page
from pitwatch.shoes import occasions_of
from pitwatch.stills import Stills
from pitwatch.words import ORDER, SIGN, VERDICT_WORDS, headline, length_text, share_text
from rules.clause import Clause, Needs
from rules.event import Event
from tests.pitwatch.fakes import event, finding, write_table

START = datetime.fromisoformat("2026-11-30T10:00:00-05:00")


def run_record(**more: Any) -> dict[str, Any]:
    part = {
        "path": "/rec/shift.mp4",
        "sha256": "ab" * 32,
        "codec": "h264",
        "width_px": 320,
        "height_px": 240,
        "frames_decoded": 30,
        "frames_lost": 0,
        "incomplete": None,
    }
    return {
        "written_at": "2026-11-30T15:00:00.000+00:00",
        "inputs": [part],
        "table": {"path": "table.toml", "sha256": "cd" * 32},
        "models": {},
        "pack": {"name": "pa58/629a", "sha256": "ef" * 32},
        "versions": {"pitwatch": "0.1.0"},
        "as_of": None,
        "started_at_from": "the recording",
        "coverage": {"length_us": 60_000_000, "looked_us": 60_000_000, "share": 1.0, "gaps": []},
    } | more


def made(tmp_path: Path, findings: list[dict[str, Any]], events: list[Event] | None = None, **run: Any) -> str:
    clauses = [
        Clause(
            "PA-629a.5(f)-count",
            "58 Pa. Code § 629a.5(f)",
            "As many more cards as it counts.",
            "shoe",
            Needs(),
            judged=True,
        ),
        Clause("PA-629a.5(c)-depth", "58 Pa. Code § 629a.5(c)", "The cut is deep enough.", "shuffle", Needs()),
    ]
    table = load_table(write_table(tmp_path))
    stills = Stills({2_000_000: b"\xff\xd8deciding"}, {})
    moment = lambda t_us: START + timedelta(microseconds=t_us)  # noqa: E731 - one line in a test
    return page(ReportInputs(run_record(**run), table, events or [], findings, stills, moment, "12" * 32, clauses))


def test_findings_of_one_shoe_stand_together_the_worst_first() -> None:
    findings = [
        finding("PA-629a.5(f)-value", "compliant", 10_000_000),
        finding("PA-629a.5(f)-count", "violation", 10_500_000),
        finding("PA-629a.5(f)-expose", "compliant", 90_000_000),
    ]
    first, second = occasions_of(findings, [event(1, "round.start", 12_000_000)])
    assert [f["verdict"] for f in first.findings] == ["violation", "compliant"]
    assert (first.start_us, first.end_us) == (10_000_000, 11_500_000)
    assert len(second.findings) == 1


def shift(verdicts: str) -> list[dict[str, Any]]:
    """A finding on one clause at each of several shoes, ten minutes apart: violation, compliant or not observed."""
    words = {"v": "violation", "c": "compliant", "n": "not_observed"}
    return [finding("PA-629a.5(f)-before", words[v], 600_000_000 * i) for i, v in enumerate(verdicts, start=1)]


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (
            "v" * 16,
            ["breached at 16 shoes (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 and 16), never seen obeyed"],
        ),
        ("vcvnvc", ["breached at 3 shoes (1, 3 and 5), obeyed at 2"]),
        ("vvcc", []),
        ("vvnnn", []),
    ],
)
def test_a_breach_at_shoe_after_shoe_is_one_line(verdicts: str, said: list[str], tmp_path: Path) -> None:
    findings = shift(verdicts)
    assert [pattern.words for pattern in patterns(occasions_of(findings))] == said
    assert ("Again and again" in made(tmp_path, findings)) is bool(said)


def test_two_breaches_of_a_clause_at_one_shoe_count_once() -> None:
    findings = [finding("PA-629a.5(b)-rotation", "violation", 1_000_000 * i) for i in range(1, 6)]
    assert patterns(occasions_of(findings)) == []


def test_the_page_says_what_was_seen_and_what_was_not_judged(tmp_path: Path) -> None:
    text = made(tmp_path, [finding()])
    assert "Six additional cards were seen burned" in text
    assert "As many more cards as it counts." in text
    assert "Not judged by this version: 1." in text
    assert "The cut is deep enough." in text
    assert "10:00:01 (0:01)" in text
    assert "required 10" in text
    assert "in view 98.0 %" in text
    assert "data:image/jpeg;base64,/9hkZWNpZGluZw==" in text


def test_a_frame_that_decided_two_clauses_is_shown_once(tmp_path: Path) -> None:
    text = made(tmp_path, [finding(), finding("PA-629a.5(f)-bucket", "indeterminate")])
    assert text.count("data:image/jpeg;base64,") == 1
    assert "the picture at PA-629a.5(f)-count" in text


def test_gaps_and_unread_files_are_told_at_the_top(tmp_path: Path) -> None:
    part = run_record()["inputs"][0] | {"incomplete": "file ended at 13.1 s of 25.0 s"}
    gap = {"from_us": 5_000_000, "to_us": 7_500_000, "cause": "frames missing"}
    coverage = {"length_us": 60_000_000, "looked_us": 57_500_000, "share": 0.958, "gaps": [gap]}
    text = made(tmp_path, [], inputs=[part], coverage=coverage)
    assert "file ended at 13.1 s of 25.0 s" in text
    assert "2.5 s: frames missing" in text
    assert "95.8 %" in text
    assert "No occasion for any of the judged clauses was seen" in text


def test_what_people_wrote_cannot_become_markup(tmp_path: Path) -> None:
    text = made(tmp_path, [finding(explanation="<script>alert(1)</script>")], [event(1, "card.place", 0, zone="<b>")])
    assert "<script>" not in text
    assert "<b>)" not in text


def test_withdrawn_findings_do_not_stand(tmp_path: Path) -> None:
    assert "No occasion" in made(tmp_path, [finding(state="withdrawn")])


def test_every_verdict_has_a_word_a_meaning_and_a_sign_of_its_own() -> None:
    assert set(ORDER) == set(VERDICT_WORDS) == set(SIGN)
    assert len(set(SIGN.values())) == len(SIGN)


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ({}, "No occasion for any of the judged clauses was seen in this recording."),
        ({"compliant": 6}, "Every judged step was seen done as the Code asks."),
        ({"violation": 1, "compliant": 5}, "One step was not seen done as the Code asks."),
        (
            {"violation": 2, "not_observed": 1},
            "2 steps were not seen done as the Code asks. One step could not be told.",
        ),
        (
            {"indeterminate": 1, "not_observed": 2},
            "Nothing was seen that departs from the Code, but 3 steps could not be told.",
        ),
    ],
)
def test_the_headline(counts: dict[str, int], said: str) -> None:
    assert headline(counts) == said


def test_a_share_is_never_rounded_up_to_all() -> None:
    assert share_text(0.99999) == "99.9 %"
    assert share_text(1.0) == "100 %"
    assert length_text(3_725_000_000) == "1 h 02 min"
    assert clock_text(3_725_000_000) == "1:02:05"


def test_the_strip_shows_each_event_in_its_lane_and_the_lost_view_with_its_length() -> None:
    events = [
        event(1, "card.draw", 1_000_000),
        event(2, "card.burn", 2_000_000, face="up", rank="K", index=0),
        event(3, "view.lost", 4_000_000, zone="discard", cause="hand"),
        event(4, "view.back", 6_000_000, zone="discard", cause="hand"),
    ]
    svg = procedure_strip(events, Span(0, 10_000_000), [(8_000_000, "✕")])
    (hatched,) = re.findall(r'width="([\d.]+)" height="18" fill="url\(#hatch\)"', svg)
    assert float(hatched) == pytest.approx(0.2 * (982 - 118), abs=0.2)
    assert ">K</text>" in svg
    assert "first card K face up into the bucket" in svg
    assert "✕" in svg


def test_a_measure_without_numbers_draws_nothing() -> None:
    assert measure_line({"value": None, "low": None, "high": None, "limit": 10, "unit": "cards"}) == ""
    assert measure_line({"value": "seven", "low": "6", "high": True, "limit": 10, "unit": "cards"}) == ""
    assert "seen 5 to 7 cards" in measure_line({"value": None, "low": 5, "high": 7, "limit": 10, "unit": "cards"})
    assert "seen 6 cards" in measure_line({"value": 6, "low": 6, "high": 6, "limit": 10, "unit": "cards"})
