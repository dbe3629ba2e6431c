"""Events as lines of JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from faults import InputFault
from rules.event import Event, event_from_json, read_events, write_events


def test_a_line_separator_inside_a_string_is_no_end_of_line(tmp_path: Path) -> None:
    told = [
        Event("E1", "t", "round.start", 1, 1, {"round": "one\u2028two\u0085three"}),
        Event("E2", "t", "round.end", 2, 2),
    ]
    write_events(tmp_path / "events.jsonl", told)
    assert list(read_events(tmp_path / "events.jsonl")) == told


def line(**changed: object) -> str:
    whole: dict[str, object] = {"id": "E1", "table": "t", "kind": "card.burn", "t_us": 1, "end_us": 2, "facts": {}}
    return json.dumps(whole | changed)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"t_us": "1"}, "t_us"),
        ({"t_us": 1.0}, "t_us"),
        ({"t_us": 10**30}, "years"),
        ({"end_us": 0}, "before t_us"),
        ({"id": None}, "id"),
        ({"table": 7}, "table"),
        ({"facts": [1]}, "facts"),
        ({"facts": "x"}, "facts"),
        ({"confidence": 2}, "confidence"),
        ({"confidence": float("nan")}, "confidence"),
        ({"facts": {"cards": "six"}}, "facts.cards"),
        ({"facts": {"cards_high": float("inf")}}, "facts.cards_high"),
        ({"facts": {"cards": [3, 1]}}, "facts.cards"),
        ({"facts": {"rank": "king"}}, "facts.rank"),
        ({"facts": {"face": "sideways"}}, "facts.face"),
        ({"facts": {"actor": "seat"}}, "facts.actor"),
        ({"facts": {"exposed": "true"}}, "facts.exposed"),
        ({"kind": "signal", "facts": {"name": "preshuffled", "value": "true"}}, "signal preshuffled"),
    ],
)
def test_a_value_of_another_kind_is_refused_with_its_place(changed: dict[str, object], said: str) -> None:
    with pytest.raises(InputFault, match=said) as caught:
        event_from_json(line(**changed), "events.jsonl:7")
    assert caught.value.where == "events.jsonl:7"


@pytest.mark.parametrize("text", ["hello", "[]", "[" * 100_000, '{"id": "E1"}', ""])
def test_what_is_no_event_is_refused(text: str) -> None:
    with pytest.raises(InputFault, match="not an event"):
        event_from_json(text, "events.jsonl:7")


def test_facts_may_be_unknown_intervals_or_new() -> None:
    facts = {
        "cards": [1, 2],
        "packets_low": -0.5,
        "feathered_high": 1.02,
        "rank": None,
        "actor": "seat:7",
        "with_cover_card": "unsure",
        "mood": {"dealer": "good"},
    }
    assert event_from_json(line(facts=facts), "here").facts == facts
    assert event_from_json(line(facts=None), "here").facts == {}


def test_an_id_that_stands_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").write_text("\ufeff" + line() + "\r\n\r\n" + line() + "\n", encoding="utf-8")
    with pytest.raises(InputFault, match="line 1 has the same id") as caught:
        list(read_events(tmp_path / "events.jsonl"))
    assert caught.value.where.endswith("events.jsonl:3")
