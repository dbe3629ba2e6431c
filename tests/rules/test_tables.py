"""Every row of the scenario tables comes out as it says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rules.finding import State, Verdict
from tests.rules.scenarios import Scenario, scenarios

ROWS = scenarios("629a5f.toml")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_verdicts_are_those_of_the_table(row: Scenario) -> None:
    assert row.departures(row.judge()) == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_finding_is_closed_and_hangs_together(row: Scenario) -> None:
    ids = {event.id for event in row.events}
    findings = row.judge()
    for finding in findings:
        assert finding.state is State.CLOSED
        assert finding.t_us <= finding.end_us
        assert 0.0 <= finding.coverage <= 1.0
        assert set(finding.events) <= ids
        assert finding.explanation.endswith(".")
        assert (finding.exception is not None) == (finding.verdict is Verdict.NOT_APPLICABLE)
    assert len({finding.id for finding in findings}) == len(findings)


def _each_clause_and_verdict() -> Iterator[tuple[str, str]]:
    for row in ROWS:
        yield from row.raw.get("verdicts", {}).items()


def test_every_clause_has_a_row_for_each_verdict_it_can_have() -> None:
    seen = set(_each_clause_and_verdict())
    for clause in ("expose", "count", "facedown", "bucket", "before"):
        for verdict in ("compliant", "violation", "not_observed", "not_applicable"):
            assert (clause, verdict) in seen
    for clause in ("expose", "value", "count", "facedown", "bucket"):
        assert (clause, "indeterminate") in seen
    assert ("value", "violation") not in seen
