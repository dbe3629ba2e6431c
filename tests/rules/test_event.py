"""Events as lines of JSON."""

from __future__ import annotations

from pathlib import Path

from rules.event import Event, read_events, write_events


def test_a_line_separator_inside_a_string_is_no_end_of_line(tmp_path: Path) -> None:
    told = [
        Event("E1", "t", "round.start", 1, 1, {"round": "one\u2028two\u0085three"}),
        Event("E2", "t", "round.end", 2, 2),
    ]
    write_events(tmp_path / "events.jsonl", told)
    assert list(read_events(tmp_path / "events.jsonl")) == told
