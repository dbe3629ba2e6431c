"""The command line: exit codes, and messages that say what, where, why and what to do."""

from __future__ import annotations

import errno
import json
import re
from pathlib import Path

import pytest

from pitwatch.cli import COMMANDS, build_parser, main
from pitwatch.record import Record
from tests.pitwatch.commandline import run
from tests.pitwatch.fakes import TABLE, event, finding, write_lines, write_table, write_video


def review(tmp_path: Path, capsys: pytest.CaptureFixture[str], source: Path, table: Path, *more: object):  # type: ignore[no-untyped-def] # as `run`
    return run(capsys, "review", source, "--table", table, "--out", tmp_path / "out", *more)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([name, "--help"])
    assert caught.value.code == 0
    assert f"usage: pitwatch {name}" in capsys.readouterr().out


def test_help_lists_the_commands_of_the_contract() -> None:
    text = build_parser([]).format_help()
    for name in COMMANDS:
        assert re.search(rf"^    {name}\s", text, flags=re.MULTILINE)


@pytest.mark.parametrize("arguments", [[], ["revue"], ["review"], ["review", "a.mp4", "--table", "t.toml"]])
def test_wrong_usage_is_exit_code_two(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "no such file"), (b"", "the file is empty"), (b"no video" * 99, "not a video that can be opened")],
)
def test_a_source_that_cannot_be_read_is_exit_code_three(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, said: str
) -> None:
    source = tmp_path / "shift.mp4"
    if content is not None:
        source.write_bytes(content)
    code, _, err = review(tmp_path, capsys, source, write_table(tmp_path))
    assert code == 3
    assert err.startswith(f"pitwatch: {source}: {said}")
    assert len(err.splitlines()) == 1


def test_unknown_keys_of_the_table_file_are_told_with_line_and_nearest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = write_table(tmp_path, TABLE.replace("width_px", "width_pixel").replace("decks = 8", "deks = 8"))
    code, _, err = review(tmp_path, capsys, write_video(tmp_path / "a.mp4"), table)
    assert code == 2
    assert "table.toml:4" in err
    assert "'width_px'" in err
    assert "'decks'" in err


def test_a_picture_of_another_shape_is_exit_code_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write_video(tmp_path / "a.mp4", size=(320, 180))
    code, _, err = review(tmp_path, capsys, source, write_table(tmp_path))
    assert code == 2
    assert "320" in err
    assert "180" in err


def test_a_missing_model_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, models = write_video(tmp_path / "a.mp4"), tmp_path / "models"
    code, _, err = review(tmp_path, capsys, source, write_table(tmp_path), "--models", models)
    assert code == 2
    assert str(models / "detector.onnx") in err


def test_the_traceback_is_shown_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PITWATCH_TRACEBACK", "1")
    _, _, err = review(tmp_path, capsys, tmp_path / "none.mp4", write_table(tmp_path))
    assert "Traceback" in err


@pytest.mark.parametrize(
    "option", [("--started-at", "noon"), ("--started-at", "2026-11-30T10:00:00"), ("--as-of", "soon"), ("--jobs", "0")]
)
def test_options_that_cannot_be_understood_are_usage_faults(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: tuple[str, str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        review(tmp_path, capsys, tmp_path / "a.mp4", tmp_path / "t.toml", *option)
    assert caught.value.code == 2
    assert option[1] in capsys.readouterr().err


def test_clauses_lists_all_of_the_pack_and_which_are_judged(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "clauses", "pa58/629a")
    assert code == 0
    assert "pa58/629a: 25 clauses, 25 judged by this version" in out
    assert "PA-629a.5(f)-count   58 Pa. Code § 629a.5(f)   judged" in out
    assert "PA-629a.5(c)-depth   58 Pa. Code § 629a.5(c)   judged" in out


def test_clauses_lists_the_vocabulary_of_events(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "clauses", "--events")
    assert code == 0
    assert any(line.startswith("card.burn ") and "rank" in line for line in out.splitlines())


def test_an_unknown_pack_and_an_unknown_clause_are_named_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = run(capsys, "clauses", "pa58/629b")
    assert (code, "'pa58/629a'" in err) == (2, True)
    code, _, err = run(capsys, "clauses", "pa58/629a", "--clause", "PA-629a.5(f)-cuont")
    assert (code, "'PA-629a.5(f)-count'" in err) == (2, True)


def test_an_unknown_kind_of_event_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = {"id": "e1", "table": "midi-3", "kind": "card.brun", "t_us": 0, "end_us": 0, "facts": {}, "confidence": 1.0}
    events = write_lines(tmp_path / "events.jsonl", [line])
    table, out = write_table(tmp_path), tmp_path / "again"
    code, _, err = run(capsys, "judge", events, "--table", table, "--out", out)
    assert code == 2
    assert "card.brun" in err
    assert "events.jsonl:1" in err


def test_judge_judges_recorded_events_without_their_video(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A king, six additional cards, and play begins: four are lacking."""
    events = [event(0, "card.draw", 900_000, source="shoe", cards=1, card=1)]
    events.append(event(1, "card.burn", 1_000_000, zone="discard", face="up", rank="K", index=0, card=1))
    for n in range(2, 8):
        events.append(event(10 + n, "card.draw", n * 1_000_000, source="shoe", cards=1, card=n))
        facts = {"zone": "discard", "face": "down", "index": n - 1, "card": n, "cards": 1}
        events.append(event(20 + n, "card.burn", n * 1_000_000 + 500_000, **facts))
    events.append(event(40, "round.start", 9_000_000, round=1))
    events.append(event(41, "card.draw", 9_000_000, source="shoe", cards=1, card=9))
    events.append(event(42, "card.place", 9_500_000, zone="player", face="down", card=9))
    path = tmp_path / "events.jsonl"
    path.write_text("".join(e.to_json() + "\n" for e in events))
    code, out, _ = run(capsys, "judge", path, "--table", write_table(tmp_path), "--out", tmp_path / "again")
    assert code == 1
    assert "not seen done as the Code asks" in out
    code, out, _ = run(capsys, "explain", tmp_path / "again", "PA-629a.5(f)-count")
    assert code == 0
    assert "Verdict: violation" in out
    assert "required: 10" in out
    code, out, _ = run(capsys, "verify", tmp_path / "again")
    assert code == 0


def test_explain_names_the_findings_if_none_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_lines(tmp_path / "findings.jsonl", [finding()])
    code, _, err = run(capsys, "explain", tmp_path, "PA-629a.5(f)-cuont")
    assert code == 2
    assert "PA-629a.5(f)-count" in err


def test_verify_names_the_first_entry_that_does_not_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = Record(tmp_path)
    record.event(event(1, "card.draw", 1_000_000))
    record.finding(finding())
    record.end()
    assert run(capsys, "verify", tmp_path)[0] == 0
    path = tmp_path / "findings.jsonl"
    path.write_text(path.read_text().replace("violation", "compliant"))
    code, _, err = run(capsys, "verify", tmp_path)
    assert code == 3
    assert "entry 2 (findings.jsonl:1)" in err


def test_score_prints_and_writes_the_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("truth", "review"):
        (tmp_path / name).mkdir()
    write_lines(tmp_path / "truth" / "findings.jsonl", [finding(act="breached", accept=["violation"])])
    write_lines(tmp_path / "review" / "findings.jsonl", [finding()])
    target = tmp_path / "figures.json"
    code, out, _ = run(capsys, "score", tmp_path / "truth", tmp_path / "review", "--json", target)
    assert code == 0
    assert "violations found   100.00 % (1 of 1" in out
    assert '"violations_found"' in target.read_text()


def test_events_of_another_table_are_not_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "events.jsonl"
    path.write_text(event(0, "round.start", 1).to_json().replace("midi-3", "midi-4") + "\n")
    out = tmp_path / "again"
    code, _, err = run(capsys, "judge", path, "--table", write_table(tmp_path), "--out", out)
    assert code == 2
    assert "'midi-4'" in err
    assert not out.exists()


def test_a_finding_of_an_unknown_pack_is_explained_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_lines(tmp_path / "findings.jsonl", [finding(pack="pa58/1")])
    code, out, _ = run(capsys, "explain", tmp_path, "PA-629a.5(f)-count")
    assert code == 0
    assert "Verdict: violation" in out


def test_a_truth_without_its_review_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("truth/one", "truth/two", "review/one"):
        (tmp_path / name).mkdir(parents=True)
        write_lines(tmp_path / name / "findings.jsonl", [finding(act="breached", accept=["violation"])])
    code, _, err = run(capsys, "score", tmp_path / "truth", tmp_path / "review")
    assert code == 0
    assert err.endswith("has no review of it: two\n")


def test_a_full_disk_is_told_as_what_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Record, told: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(tmp_path / "events.jsonl"))

    monkeypatch.setattr(Record, "event", full)
    path = write_lines(tmp_path / "events.jsonl", [json.loads(event(1, "round.start", 1).to_json())])
    code, _, err = run(capsys, "judge", path, "--table", write_table(tmp_path), "--out", tmp_path / "again")
    assert code == 3
    assert err.startswith(f"pitwatch: {tmp_path}/events.jsonl: cannot be read or written: no space left on device")


def test_render_writes_over_no_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = write_video(tmp_path / "video.mp4").read_bytes()
    code, _, err = run(capsys, "render", "any.toml", "--out", tmp_path)
    assert code == 2
    assert "video.mp4 would be overwritten" in err
    assert (tmp_path / "video.mp4").read_bytes() == before
