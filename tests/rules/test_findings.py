"""Findings as JSON, and in plain sentences."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest

from faults import InputFault
from rules.finding import Finding, Verdict, finding_id, from_json
from tests.rules.scenarios import Scenario, scenarios

ROW = {row.name: row for row in scenarios("629a5f.toml")}
KEYS = (
    "id table pack clause citation verdict t_us end_us measured coverage exception corrected state events explanation "
    "severity clip"
)


def found(name: str, clause: str) -> Finding:
    return ROW[name].of_its_shoe(ROW[name].judge())[clause]


def test_a_finding_comes_back_from_its_json_with_the_contracts_keys() -> None:
    for row in ROW.values():
        for finding in row.judge():
            assert " ".join(json.loads(finding.to_json())) == KEYS
            assert from_json(finding.to_json(), "line 1") == replace(finding, coverage=round(finding.coverage, 4))


@pytest.mark.parametrize("line", ["", "[]", "{}", '{"id": "x"}', "null"])
def test_what_is_no_finding_is_refused(line: str) -> None:
    with pytest.raises(InputFault, match=r"findings\.jsonl:7: not a finding"):
        from_json(line, "findings.jsonl:7")


def test_an_id_depends_on_table_clause_and_trigger() -> None:
    one = finding_id("t", "c", "1")
    assert len(one) == 16
    assert len({one, finding_id("u", "c", "1"), finding_id("t", "d", "1"), finding_id("t", "c", "2")}) == 4


def test_a_short_burn_is_told_with_what_was_seen_what_is_asked_and_how_far_off() -> None:
    text = found("six burned on a king", "count").explanation
    assert "Six additional cards seen drawn for the burn after a king." in text
    assert "(f) asks for as many additional cards as the first card's value: ten additional cards." in text
    assert "Four cards fewer than asked; the step was not seen to be completed." in text


def test_too_many_are_told() -> None:
    assert "At least one card more than asked." in found("one over: eight burned on a seven", "count").explanation


def test_what_was_hidden_is_told() -> None:
    text = found("a hand over the shoe for two seconds while cards are burned", "count").explanation
    assert "Both may be right: up to five cards may have left the shoe out of view." in text


def test_the_fact_that_the_text_was_not_checked_on_that_day_is_told() -> None:
    row = ROW["six burned on a king"]
    later = replace(row, raw={**row.raw, "recorded_on": date(2026, 3, 14)})
    count = row.of_its_shoe(later.judge())["count"]
    assert count.explanation.endswith("Text of 2024-12-07, not checked for 2026-03-14.")
    assert count.verdict.value == "violation"


def test_every_explanation_is_at_least_three_sentences_and_speaks_of_no_intent() -> None:
    for row in ROW.values():
        for finding in row.judge():
            assert finding.explanation.count(". ") >= 2
            words = finding.explanation.lower()
            assert not any(word in words for word in ("cheat", "fraud", "fault", "guilty", "steal", "dealer failed"))


def test_what_a_rank_decides_is_decided_when_the_rank_is_known() -> None:
    late = ("load 2", "first ? 4", "burn 3 6", "5.1-12 card.burn face=up index=0 rank=A", "hand 14")
    lying = (
        "load 2",
        "first ? 4",
        "5.1-6.5 card.exposed source=shoe zone=shuffle rank=A",
        "burn 3 6",
        "away 12",
        "hand 14",
    )
    for acts, value_us, count_us in ((late, 12_000_000, 12_000_000), (lying, 6_500_000, 8_100_000)):
        row = Scenario("a late rank", acts)
        found = row.of_its_shoe(row.judge())
        assert found["value"].end_us == value_us
        assert found["count"].verdict is Verdict.VIOLATION
        assert found["count"].end_us == count_us
