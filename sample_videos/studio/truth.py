"""The truth of a scenario: events, findings, table file, from the scene and the hand-written tables."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from sample_videos.studio.camera import homography_and_lens
from sample_videos.studio.choreography.plan import Plan
from sample_videos.studio.choreography.shoe_change import ShoeChange
from sample_videos.studio.scenario import Scenario
from sample_videos.studio.scenario_change import seats_in_view
from sample_videos.studio.truth_change import Course, Reach, change_findings

VARIANTS_DIR = Path(__file__).parent / "variants"
PACK = "pa58/629a"
CITATION = "58 Pa. Code § 629a.5(f)"
#: What a reviewer would write as the verdict itself, the first that is right.
CLAUSES = tuple(f"PA-629a.5(f)-{part}" for part in ("expose", "value", "count", "facedown", "bucket", "before"))


def verdict_table(plan: Plan) -> dict[str, dict[str, Any]]:
    """The hand-written rows of the plan's variant, by clause, with what its distractors change."""
    table = tomllib.loads((VARIANTS_DIR / f"{plan.variant}.toml").read_text(encoding="utf-8"))
    rows: dict[str, dict[str, Any]] = {clause: dict(table[clause]) for clause in CLAUSES}
    if plan.pair is not None:
        _widen(rows, "pair")
    if plan.cover == "shoe":
        _widen(rows, "covered_shoe")
    return rows


def _widen(rows: dict[str, dict[str, Any]], change: str) -> None:
    """Adds the verdicts that a circumstance makes right beside those of the variant."""
    table = tomllib.loads((VARIANTS_DIR / f"{change}.toml").read_text(encoding="utf-8"))
    for clause, row in table.items():
        if isinstance(row, dict):
            more = [verdict for verdict in row["also"] if verdict not in rows[clause]["accept"]]
            rows[clause]["accept"] = [*rows[clause]["accept"], *more]


def truth_events(scenario: Scenario, table: str) -> list[dict[str, Any]]:
    """The events in the contract's form."""
    return [
        {
            "id": f"E{number:03d}",
            "table": table,
            "kind": event["kind"],
            "t_us": event["t_us"],
            "end_us": event["end_us"],
            "facts": event["facts"],
            "confidence": 1.0,
        }
        for number, event in enumerate(scenario.events(), start=1)
    ]


def truth_findings(scenario: Scenario, table: str) -> list[dict[str, Any]]:
    """The findings of 629a.5 that the scene reaches: hand-written verdicts at the choreography's moments."""
    events = truth_events(scenario, table)
    found: list[dict[str, Any]] = []
    if scenario.change is not None:
        course = Course(tuple(events), scenario.scene.moments, scenario.end_us)
        found += change_findings(reach_of(scenario), course)
    if scenario.change is None or scenario.kind in ("load", "shoe_change"):
        found += _burn_findings(scenario, events)
    return [
        {"id": f"F{number:03d}", "table": table, "pack": PACK, **finding}
        for number, finding in enumerate(found, start=1)
    ]


def reach_of(scenario: Scenario) -> Reach:
    """What a shoe-change scene shows of the shoe change."""
    if scenario.change is None:
        raise ValueError(f"{scenario.name} shows no shoe change")
    return Reach(scenario.change, scenario.setting.mm_per_px, seats_in_view(scenario.kind, scenario.setting))


def _burn_findings(scenario: Scenario, events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The six findings of 629a.5(f)."""
    moments, plan = scenario.scene.moments, scenario.plan
    draws = [e for e in events if e["kind"] == "card.draw"]
    first_us = draws[0]["t_us"]
    play_us = moments.get("play", scenario.end_us)
    spans = {
        "expose": (first_us, moments.get("exposed", play_us)),
        "value": (first_us, moments.get("exposed", play_us)),
        "before": (first_us, moments.get("first_hand_card", play_us)),
    }
    burns = [e["id"] for e in events if e["kind"] == "card.burn"]
    findings = []
    for clause, row in verdict_table(plan).items():
        start_us, end_us = spans.get(clause.rsplit("-", 1)[1], (moments.get("exposed", first_us), play_us))
        finding: dict[str, Any] = {
            "clause": clause,
            "citation": CITATION,
            "verdict": row["accept"][0],
            "t_us": start_us,
            "end_us": max(start_us, end_us),
            "measured": None,
            "exception": None,
            "corrected": bool(row.get("corrected", False)),
            "events": burns[:1] if clause.endswith(("-expose", "-value")) else burns,
            "act": row["act"],
            "accept": row["accept"],
            "explanation": row["why"],
        }
        if clause.endswith("-count") and plan.burn and plan.expose:
            cards = plan.additional
            finding["measured"] = {"value": cards, "low": cards, "high": cards, "unit": "cards", "limit": plan.limit}
        findings.append(finding)
    return findings


def table_file(scenario: Scenario, table: str) -> dict[str, Any]:
    """The table file's content, with the scene's exact calibration."""
    spec = scenario.spec
    homography, matrix, distortion = homography_and_lens(spec.camera)
    return {
        "table": table,
        "camera": {"width_px": spec.camera.width_px, "height_px": spec.camera.height_px},
        "calibration": {
            "homography": [[float(v) for v in row] for row in homography],
            "lens": {
                "matrix": [[float(v) for v in row] for row in matrix],
                "distortion": [float(v) for v in distortion],
            },
            "camera_mm": [float(v) for v in spec.camera.position_mm],
            "error_mm": 0.5,
            "taken_at": "2026-03-02T09:00:00-05:00",
        },
        "layout": {
            "shoe_side": spec.shoe_side,
            "seats": list(spec.seats),
            "zones_mm": {name: [[round(x, 2), round(y, 2)] for x, y in zone] for name, zone in spec.zones_mm.items()},
        },
        "game": {"pack": PACK, "decks": scenario.cards // 52, "cards": scenario.cards, "options": {}},
        "inputs": {"signals": sorted({row["name"] for row in signal_rows(scenario)})},
    }


def write_truth(scenario: Scenario, out: Path, table: str) -> None:
    """Writes truth/events.jsonl, truth/findings.jsonl, truth/scene.json and signals.jsonl under `out`."""
    truth = out / "truth"
    truth.mkdir(parents=True, exist_ok=True)
    write_lines(truth / "events.jsonl", truth_events(scenario, table))
    write_lines(truth / "findings.jsonl", truth_findings(scenario, table))
    (truth / "scene.json").write_text(json.dumps(scene_facts(scenario), indent=1) + "\n", encoding="utf-8")
    write_lines(out / "signals.jsonl", signal_rows(scenario))


def signal_rows(scenario: Scenario) -> list[dict[str, Any]]:
    """What the floor and the devices say, in order of time."""
    change = scenario.change
    device = change is not None and change.device is not None
    rows: list[dict[str, Any]] = [
        {"t_us": 0, "name": "shuffler", "value": "plain" if device else "none"},
        {"t_us": 0, "name": "preshuffled", "value": change is not None and change.preshuffled},
    ]
    if isinstance(scenario.scene, ShoeChange):
        if change is not None and change.shuffle is not None:
            rows.append({"t_us": 0, "name": "shuffle_method", "value": "manual"})
        elif device:
            rows.append({"t_us": 0, "name": "shuffle_method", "value": "device"})
        if not change or not change.recut_ordered:
            return rows
        rows += [{"t_us": t_us, "name": name, "value": value} for t_us, name, value in scenario.scene.signals]
    return rows


def scene_facts(scenario: Scenario) -> dict[str, Any]:
    """What a reader of many scenes sorts them by: variant, distractors, scale, what was hidden or lost."""
    return {
        "name": scenario.name,
        "seed": scenario.seed,
        "split": scenario.split,
        "kind": scenario.kind,
        "variant": scenario.variant,
        "distractors": list(scenario.distractors),
        "mm_per_px": round(scenario.setting.mm_per_px, 4),
        "fps": scenario.spec.sensor.fps,
        "shoe_side": scenario.spec.shoe_side,
        "first_card": scenario.plan.rank + scenario.plan.suit,
        "additional_cards": scenario.plan.additional,
        "covered": scenario.plan.cover,
        "lost_us": scenario.lost_us,
        **_change_facts(scenario),
    }


def _change_facts(scenario: Scenario) -> dict[str, Any]:
    change = scenario.change
    if change is None:
        return {}
    depth = change.depth(change.cut) if change.cut is not None else (None, None)
    return {
        "decks": change.decks,
        "occupied": list(change.occupied),
        "depth_cards": depth[0],
        "cut_from": depth[1],
        "second_below": change.second.below if change.second is not None else None,
        "feathered": change.shuffle.feathered if change.shuffle is not None else None,
        "seats_in_view": seats_in_view(scenario.kind, scenario.setting),
    }


def write_lines(path: Path, rows: list[dict[str, Any]]) -> None:
    """Writes one JSON object a line."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
