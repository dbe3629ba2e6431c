"""What check, preflight and calibrate say of table files, sites and their signals."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pitwatch.commandline import run
from tests.pitwatch.fakes import TABLE, write_table, write_video


def test_check_finds_what_each_file_is_and_all_their_faults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = write_table(tmp_path)
    bad = tmp_path / "bad.toml"
    bad.write_text(TABLE.replace("seats = ", "seets = ").replace("error_mm = 1.5", 'error_mm = "small"'))
    odd = tmp_path / "odd.toml"
    odd.write_text("colour = 1\n")
    code, out, err = run(capsys, "check", good, bad, odd)
    assert code == 2
    assert f"{good}: table midi-3, pa58/629a, in order" in out
    assert "'seats'" in err
    assert "error_mm" in err
    assert "odd.toml" in err


def test_check_knows_packs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = write_table(tmp_path, TABLE.replace("pa58/629a", "pa58/692a"))
    code, _, err = run(capsys, "check", table)
    assert code == 2
    assert "pa58/629a" in err


def test_check_names_packages_that_overwrite_one_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = {"opencv-python": "5.0.0", "opencv-python-headless": "4.12.0", "onnxruntime": "1.32.0"}
    monkeypatch.setattr("pitwatch.installation._version", installed.get)
    code, out, err = run(capsys, "check", write_table(tmp_path))
    assert code == 2
    assert "in order" in out
    assert "opencv-python 5.0.0 and opencv-python-headless 4.12.0 are both installed" in err
    assert "onnxruntime" not in err


def test_preflight_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    without = TABLE.replace("discard = [[300, 100], [420, 100], [420, 250], [300, 250]]\n", "")
    code, out, _ = run(capsys, "preflight", write_table(tmp_path, without))
    assert code == 0
    assert "no zone discard in the table file" in out
    assert "depth of the cut: its zone is not in the picture" in out


def test_calibrate_makes_a_table_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corners = [(-600, 60), (600, 60), (600, 750), (-600, 750), (0, 400), (-300, 200)]
    points = "".join(f"[[points]]\npx = [{160 + x / 4}, {200 - y / 4}]\nmm = [{x}, {y}]\n" for x, y in corners)
    rest = TABLE[TABLE.index("[layout]") :]
    (tmp_path / "points.toml").write_text('table = "midi-3"\n' + points + rest)
    out_file = tmp_path / "new.toml"
    source = write_video(tmp_path / "a.mp4")
    code, out, _ = run(capsys, "calibrate", source, "--points", tmp_path / "points.toml", "--out", out_file)
    assert code == 0
    assert "or better" in out
    assert run(capsys, "check", out_file)[0] == 0


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('pack = "pa58/629a"', 'pack = "pa58/629b"', "table.toml:18: game.pack: found the unknown pack"),
        ("cards = 416", "cards = 416\noptions = { foo = 1 }", "game.options.foo: found the unknown option"),
        ("cards = 416", "cards = 52", "game.cards: found 52, expected the cards of all 8 decks, such as 416"),
        ("discard = [", "shuffler = [", "no discard"),
        ("[[4.0, 0.0, -640.0]", "[[4.0, 0.0, 9640.0]", "none of the dealer's zones is in the picture"),
        ("[[4.0, 0.0, -640.0], [0.0, -4.0, 800.0]", "[[40.0, 0.0, -6400.0], [0.0, -40.0, 8000.0]", "covers 40"),
        (
            "[[4.0, 0.0, -640.0], [0.0, -4.0, 800.0], [0.0, 0.0, 1.0]]",
            "[[0, 0, 0], [0, 0, 0], [0, 0, 0]]",
            "homography",
        ),
        ("error_mm = 1.5", "error_mm = 1" + "0" * 400, "error_mm"),
        ("error_mm = 1.5", "error_mm = " + "[" * 5000 + "]" * 5000, "nested without end"),
    ],
)
def test_check_names_what_a_table_file_cannot_mean(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, said: str
) -> None:
    assert old in TABLE
    code, _, err = run(capsys, "check", write_table(tmp_path, TABLE.replace(old, new)))
    assert code == 2
    assert said in err


def test_a_shoe_on_the_other_side_than_its_outline_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    side = "right" if 'shoe_side = "left"' in TABLE else "left"
    text = TABLE.replace('shoe_side = "left"', 'shoe_side = "?"').replace('shoe_side = "right"', 'shoe_side = "?"')
    code, _, err = run(capsys, "check", write_table(tmp_path, text.replace("?", side)))
    assert code == 2
    assert "layout.shoe_side" in err


def test_check_of_a_site_finds_the_faults_of_all_that_it_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = TABLE.replace("cards = 416", "cards = 416\noptions = { foo = 1 }").replace("discard = [", "shuffler = [")
    write_table(tmp_path, wrong)
    (tmp_path / "signals.jsonl").write_text("bank\n")
    site = tmp_path / "site.toml"
    site.write_text('[site]\nout = "store"\n[[tables]]\nfile = "table.toml"\nsource = "a"\nsignals = "signals.jsonl"\n')
    code, _, err = run(capsys, "check", site)
    assert code == 3
    for said in ("unknown option 'foo'", "no discard", "signals.jsonl:1: not a line of the signals"):
        assert said in err


def test_calibrate_writes_over_no_recording(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write_video(tmp_path / "a.mp4")
    before = source.read_bytes()
    code, _, err = run(capsys, "calibrate", source, "--points", tmp_path / "p.toml", "--out", source)
    assert code == 2
    assert "would be overwritten" in err
    assert source.read_bytes() == before
