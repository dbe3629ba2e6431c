"""A review with stages that say what they are told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pitwatch.review import Order, Outcome, run_review
from rules.event import Event
from tests.pitwatch.fakes import event, finding, stages, write_table

BURN = [
    event(1, "card.draw", 300_000, source="shoe"),
    event(2, "card.burn", 500_000, zone="discard", face="up", rank="K", index=0),
    event(3, "card.burn", 1_500_000, zone="discard", face="down", index=1),
]
FINDINGS = [
    finding("PA-629a.5(f)-count", "violation", 500_000, events=["midi-3-000003"]),
    finding("PA-629a.5(f)-value", "indeterminate", 500_000, events=["midi-3-000003"]),
    finding("PA-629a.5(f)-expose", "compliant", 300_000, events=["midi-3-000002"]),
]


def reviewed(
    tmp_path: Path, *sources: Path, events: list[Event] | None = None, findings: list[Any] | None = None, **more: Any
) -> Outcome:
    order = Order(tuple(map(str, sources)), write_table(tmp_path), tmp_path / "out", **more)
    return run_review(order, stages(BURN if events is None else events, FINDINGS if findings is None else findings))
