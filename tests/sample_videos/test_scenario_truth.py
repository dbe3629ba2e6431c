"""The truth that is written beside a video: hand-written verdicts, events of the contract, the exact table file."""

from __future__ import annotations

import json
import tomllib
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.tablefile import load_table
from rules.event import KINDS, read_events
from sample_videos.studio.camera import project
from sample_videos.studio.choreography.plan import VARIANTS
from sample_videos.studio.render import frame_times, render_scenario
from sample_videos.studio.scenario import Scenario, scenario_from_seed
from sample_videos.studio.truth import CLAUSES, VARIANTS_DIR, truth_events, truth_findings, verdict_table

VERDICTS = {"compliant", "violation", "indeterminate", "not_observed", "not_applicable"}
#: Per variant, the rows that a breach must be found in.
BREACHED = {
    "short": {"count"},
    "short_zero": {"count"},
    "over": {"count"},
    "faceup": {"facedown"},
    "missed_bucket": {"bucket"},
    "not_exposed": {"expose"},
    "no_burn": {"expose", "before"},
}


def scene(variant: str, seed: int = 1, distractors: tuple[str, ...] = ()) -> Scenario:
    return scenario_from_seed(seed, "train", 0.9, variant, distractors)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_has_a_row_with_a_reason_for_each_clause(variant: str) -> None:
    table = tomllib.loads((VARIANTS_DIR / f"{variant}.toml").read_text(encoding="utf-8"))
    assert table["variant"] == variant
    assert set(table) == {"variant", *CLAUSES}
    for clause in CLAUSES:
        row = table[clause]
        assert set(row) <= {"act", "accept", "why", "corrected"}
        assert row["act"] in {"obeyed", "breached", "none"}
        assert row["accept"]
        assert set(row["accept"]) <= VERDICTS
        assert row["why"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_breaches_are_where_they_belong_and_obeyed_acts_accept_no_violation(variant: str) -> None:
    rows = verdict_table(scene(variant).plan)
    breached = {clause.rsplit("-", 1)[1] for clause, row in rows.items() if row["act"] == "breached"}
    assert breached == BREACHED.get(variant, set())
    for row in rows.values():
        if row["act"] == "breached":
            assert "violation" in row["accept"]
        if row["act"] == "obeyed":
            assert "violation" not in row["accept"]


@pytest.mark.parametrize("variant", ["hidden_hand", "lost_video"])
def test_what_was_hidden_is_not_called_counted(variant: str) -> None:
    plan = next(p for p in (scene(variant, seed).plan for seed in range(20)) if p.cover != "shoe")
    assert set(verdict_table(plan)["PA-629a.5(f)-count"]["accept"]) == {"not_observed", "indeterminate"}


def test_a_pair_makes_the_count_doubtful_but_a_breach_stays_one() -> None:
    for variant, verdict in (("right", "compliant"), ("over", "violation")):
        plan = next(s.plan for s in (scene(variant, n, ("pair",)) for n in range(20)) if s.plan.pair is not None)
        assert verdict_table(plan)["PA-629a.5(f)-count"]["accept"] == [verdict, "indeterminate"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_count_is_the_choreographys_own(variant: str) -> None:
    scenario = scene(variant, 2)
    finding = next(f for f in truth_findings(scenario, "t") if f["clause"].endswith("-count"))
    if scenario.plan.burn and scenario.plan.expose:
        assert finding["measured"]["value"] == scenario.plan.additional
        assert finding["measured"]["limit"] == scenario.plan.limit
    else:
        assert finding["measured"] is None


@pytest.mark.parametrize("variant", VARIANTS)
def test_findings_name_their_events_and_end_no_earlier_than_they_begin(variant: str) -> None:
    scenario = scene(variant, 3)
    ids = {event["id"] for event in truth_events(scenario, "t")}
    for finding in truth_findings(scenario, "t"):
        assert set(finding["events"]) <= ids
        assert 0 <= finding["t_us"] <= finding["end_us"] <= scenario.end_us
        assert finding["verdict"] in finding["accept"]


@pytest.mark.parametrize("variant", VARIANTS)
def test_events_are_the_contracts(variant: str) -> None:
    for event in truth_events(scene(variant, 4, ("dropped", "pair")), "t"):
        assert set(event["facts"]) <= KINDS[event["kind"]]
        assert isinstance(event["t_us"], int)
        assert event["t_us"] <= event["end_us"]


def test_lost_video_is_lost_from_the_frames_only() -> None:
    scenario = scene("lost_video", 2)
    assert scenario.lost_us is not None
    start, end = scenario.lost_us
    times = frame_times(scenario)
    assert end - start == 5_000_000
    assert not [t for t in times if start <= t < end]
    assert max(b - a for a, b in pairwise(times)) >= 5_000_000
    assert max(times) > end


def test_a_folder_can_be_read_back(tmp_path: Path) -> None:
    scenario = scene("short", 5)
    render_scenario(scenario, tmp_path, video=False)
    table = load_table(tmp_path / "table.toml")
    assert table.layout.shoe_side == scenario.spec.shoe_side
    events = list(read_events(tmp_path / "truth" / "events.jsonl"))
    assert [e.kind for e in events] == [e["kind"] for e in truth_events(scenario, scenario.name)]
    findings = (tmp_path / "truth" / "findings.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["clause"] for line in findings} == set(CLAUSES)
    assert json.loads((tmp_path / "truth" / "scene.json").read_text(encoding="utf-8"))["variant"] == "short"
    signals = (tmp_path / "signals.jsonl").read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["name"]: json.loads(line)["value"] for line in signals} == {
        "shuffler": "none",
        "preshuffled": False,
    }


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_table_files_calibration_is_exact(seed: int, tmp_path: Path) -> None:
    scenario = scene("right", seed)
    render_scenario(scenario, tmp_path, video=False)
    raw = tomllib.loads((tmp_path / "table.toml").read_text(encoding="utf-8"))["calibration"]
    points = np.array([(-300.0, 150.0, 0.0), (0.0, 250.0, 0.0), (350.0, 100.0, 0.0)])
    px = project(scenario.spec.camera, points)
    matrix, distortion = np.array(raw["lens"]["matrix"]), np.array(raw["lens"]["distortion"])
    flat = cv2.undistortPoints(px.reshape(-1, 1, 2), matrix, distortion, P=matrix).reshape(-1, 2)
    back = cv2.perspectiveTransform(flat.reshape(-1, 1, 2), np.array(raw["homography"])).reshape(-1, 2)
    assert np.abs(back - points[:, :2]).max() < 0.1
