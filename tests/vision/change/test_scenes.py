"""Whole scenes of the studio through a poor detector's eyes: the recognisers' events are the scene's."""

from __future__ import annotations

from typing import Any

import pytest

from pitwatch.matching import match_events
from rules.event import Event
from sample_videos.studio.scenario import scenario_from_seed
from tests.vision.change.oracle import Oracle, Poor
from vision.change.change import ShoeChange

JUDGED = {"stack.present", "cut.insert", "packet.move", "cover.insert", "shoe.load"}


def recognised(kind: str, variant: str, seed: int, fps: float) -> tuple[list[Event], list[Event]]:
    """The scene's own events and those that were recognised, of the kinds that such a scene is about."""
    scenario = scenario_from_seed(seed, "train", 0.73, variant, kind=kind)
    oracle = Oracle(scenario, Poor(fps=fps), seed)
    seen: list[Event] = []

    def emit(name: str, t_us: int, end_us: int, facts: dict[str, Any], confidence: float) -> None:
        seen.append(Event(str(len(seen)), "table", name, t_us, end_us, facts, confidence))

    camera_mm = oracle.spec.camera.position_mm
    change = ShoeChange(oracle.layout, emit, cards=scenario.cards, camera_mm=camera_mm)
    for t_us, sightings in oracle.looks():
        change.step(t_us, sightings)
    change.finish()
    truth = [
        Event(str(n), "table", e["kind"], e["t_us"], e["end_us"], e["facts"])
        for n, e in enumerate(scenario.events())
        if e["kind"] in JUDGED
    ]
    return truth, [e for e in seen if e.kind in JUDGED]


@pytest.mark.parametrize(("kind", "seed", "fps"), [("cut", 113, 15.0), ("load", 109, 15.0)])
def test_every_act_of_a_scene_is_recognised_once(kind: str, seed: int, fps: float) -> None:
    truth, seen = recognised(kind, "in_order", seed, fps)
    assert truth
    assert len(match_events(truth, seen)) == len(truth) == len(seen)
