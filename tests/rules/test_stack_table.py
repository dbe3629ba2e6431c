"""§ 629a.5 (a) to (e): every row of the scenario table comes out as it says."""

from __future__ import annotations

import pytest

from rules.finding import State, Verdict
from tests.rules.stacks import Row, rows

ROWS = rows()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_verdicts_are_those_of_the_table(row: Row) -> None:
    assert row.departures(row.judge()) == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_finding_is_closed_and_hangs_together(row: Row) -> None:
    told = {event.id for event in row.events}
    findings = row.judge()
    for finding in findings:
        assert finding.state is State.CLOSED
        assert finding.t_us <= finding.end_us <= max(row.end_us, finding.t_us)
        assert 0.0 <= finding.coverage <= 1.0
        assert set(finding.events) <= told
        assert finding.explanation.endswith(".")
        assert (finding.exception is not None) == (finding.verdict is Verdict.NOT_APPLICABLE)
    assert len({finding.id for finding in findings}) == len(findings)
