"""Signals from a file."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

import rules.facts
from calibration.words import SIGNALS
from faults import InputFault
from pitwatch.signals import SignalFeed, SignalsFault, read_signals
from tests.pitwatch.fakes import write_lines

START = datetime.fromisoformat("2026-11-01T01:30:00-04:00")


def test_signals_come_in_order_of_time(tmp_path: Path) -> None:
    lines = [
        {"at": "2026-11-01T01:30:02-04:00", "name": "dealer", "value": 17},
        {"t_us": 500_000, "name": "preshuffled", "value": None},
    ]
    first, second = read_signals(write_lines(tmp_path / "s.jsonl", lines), "midi-3", START)
    assert (first.t_us, first.facts) == (500_000, {"name": "preshuffled", "value": None})
    assert (second.t_us, second.facts["value"]) == (2_000_000, 17)


def test_the_example_can_be_read() -> None:
    example = Path(__file__).parents[2] / "examples" / "signals.jsonl"
    assert len(read_signals(example, "midi-3", START)) == len(example.read_text(encoding="utf-8").splitlines())


def test_the_hour_that_comes_twice_is_told_apart_by_its_offset(tmp_path: Path) -> None:
    lines = [{"at": "2026-11-01T01:30:00-05:00", "name": "table", "value": "open"}]
    (signal,) = read_signals(write_lines(tmp_path / "s.jsonl", lines), "midi-3", START)
    assert signal.t_us == 3_600_000_000


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"t_us": 1, "name": "preshufled", "value": True}, "'preshuffled'"),
        ({"t_us": 1, "nam": "bank", "value": "house"}, "'name'"),
        ({"t_us": 1, "name": "bank"}, "no value"),
        ({"t_us": 1.5, "name": "bank", "value": "house"}, "an integer of microseconds"),
        ({"t_us": True, "name": "bank", "value": "house"}, "an integer of microseconds"),
        ({"name": "bank", "value": "house"}, "no time"),
        ({"at": "noon", "name": "bank", "value": "house"}, "ISO 8601"),
        ({"at": "2026-11-01T01:30:00", "name": "bank", "value": "house"}, "offset"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: dict[str, object], said: str) -> None:
    path = write_lines(tmp_path / "s.jsonl", [{"t_us": 0, "name": "bank", "value": "house"}, line])
    with pytest.raises(SignalsFault) as caught:
        read_signals(path, "midi-3", START)
    assert f"{path}:2" in str(caught.value)
    assert said in str(caught.value)


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "s.jsonl", [{"t_us": 0, "name": "x", "value": 1}] * 3)
    with pytest.raises(SignalsFault) as caught:
        read_signals(path, "midi-3", None)
    assert len(caught.value.faults) == 3
    assert caught.value.exit_code == 2


def test_a_wall_clock_needs_a_start(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "s.jsonl", [{"at": "2026-11-01T01:30:00-04:00", "name": "bank", "value": "house"}])
    with pytest.raises(SignalsFault, match="when the recording started is not known"):
        read_signals(path, "midi-3", None)


def test_lines_that_are_no_json_are_told_with_all_the_others(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text('bank = house\n[1]\n{"t_us": 1, "name": "bnk", "value": 1}\n' + "[" * 100_000)
    with pytest.raises(SignalsFault) as caught:
        read_signals(tmp_path / "s.jsonl", "midi-3", None)
    assert [fault.where[-2:] for fault in caught.value.faults] == [":1", ":2", ":3", ":4"]
    assert caught.value.exit_code == 3


def test_a_file_that_is_not_there_is_an_input_fault(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match=r"s\.jsonl"):
        read_signals(tmp_path / "s.jsonl", "midi-3", None)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("shuffler", "plian"),
        ("shuffler", 7),
        ("preshuffled", "true"),
        ("preshuffled", 0),
        ("rng", 8),
        ("rng", True),
        ("bank", "seat:x"),
        ("offered", "tie"),
        ("floor.recut", "yes"),
        ("progressive.accepted", -1),
    ],
)
def test_a_value_that_the_signal_cannot_have_is_refused(tmp_path: Path, name: str, value: object) -> None:
    path = write_lines(tmp_path / "s.jsonl", [{"t_us": 0, "name": name, "value": value}])
    with pytest.raises(SignalsFault, match="expected"):
        read_signals(path, "midi-3", None)


def test_every_signal_of_the_table_file_has_its_values() -> None:
    assert set(rules.facts.SIGNALS) == set(SIGNALS)


@pytest.mark.parametrize("t_us", [10**30, -(10**30)])
def test_a_time_that_no_recording_reaches_is_refused(tmp_path: Path, t_us: int) -> None:
    path = write_lines(tmp_path / "s.jsonl", [{"t_us": t_us, "name": "bank", "value": "house"}])
    with pytest.raises(SignalsFault, match="years"):
        read_signals(path, "midi-3", None)


def test_the_feed_gives_each_signal_once_when_its_time_has_come(tmp_path: Path) -> None:
    lines = [{"t_us": t, "name": "rng", "value": 1} for t in (0, 5, 9, 101)]
    feed = SignalFeed(read_signals(write_lines(tmp_path / "s.jsonl", lines), "midi-3", None))
    assert [s.t_us for s in feed.until(5)] == [0, 5]
    assert [s.t_us for s in feed.until(5)] == []
    assert [s.t_us for s in feed.until(100)] == [9]
    assert feed.left == 1
