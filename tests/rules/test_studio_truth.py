"""The rules on the studio's exact events: the verdicts that its hand-written tables call right."""

from __future__ import annotations

import pytest

from rules.context import GameContext
from rules.event import Event
from rules.finding import Finding
from rules.judge import judge_events
from sample_videos.studio.choreography.plan import VARIANTS
from sample_videos.studio.scenario import Scenario, scenario_from_seed
from sample_videos.studio.truth import truth_events, truth_findings

HIDDEN = ("hidden_hand", "lost_video")  # the events of these are told in full: nothing in them says what was hidden


def judged(scenario: Scenario) -> dict[str, Finding]:
    told = [
        Event(e["id"], "t", e["kind"], e["t_us"], e["end_us"], e["facts"], e["confidence"])
        for e in truth_events(scenario, "t")
    ]
    judged = judge_events(told, GameContext("t", "pa58/629a"), end_us=scenario.end_us)
    found = [finding for finding in judged if "(f)" in finding.clause]
    assert len(found) == 6
    return {finding.clause: finding for finding in found}


@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if variant not in HIDDEN])
@pytest.mark.parametrize("seed", range(8))
def test_every_variant_is_judged_as_its_table_says(variant: str, seed: int) -> None:
    scenario = scenario_from_seed(seed, "train", 0.9, variant, ("dropped", "pair") if seed % 2 else ())
    found = judged(scenario)
    for truth in truth_findings(scenario, "t"):
        finding = found[truth["clause"]]
        assert finding.verdict.value in truth["accept"], finding.explanation
        assert finding.t_us <= truth["end_us"]
        assert truth["t_us"] <= finding.end_us
        if truth["measured"] is not None and finding.measured is not None and finding.clause.endswith("-count"):
            assert finding.measured.plain() == truth["measured"]
