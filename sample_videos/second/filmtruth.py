"""The truth of a film, in the contract's form: events from the choreography, verdicts from what was planned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sample_videos.second.burn import Burn

PACK = "pa58/629a"
CITATION = "58 Pa. Code § 629a.5(f)"


def events(burn: Burn, table: str) -> list[dict[str, Any]]:
    """The lines of events.jsonl, in the order of time."""
    ordered = sorted(burn.events, key=lambda event: (event["t_us"], event["end_us"]))
    out = []
    for number, event in enumerate(ordered, 1):
        out.append({"id": f"E{number:03d}", "table": table, **event})
    return out


def findings(burn: Burn, told: Sequence[dict[str, Any]], table: str) -> list[dict[str, Any]]:
    """The lines of findings.jsonl: the five clauses of the burn. Only the count is ever breached here.

    The verdicts say what the dealer was told to do; nothing of pitwatch has a part in them.
    """
    plan = burn.plan
    burned = [event for event in told if event["kind"] == "card.burn"]
    lies_us = next(event["t_us"] for event in burned if event["facts"]["index"] == 0)
    clear_us = next(event["end_us"] for event in told if event["kind"] == "card.draw")
    play_us = next(event["t_us"] for event in told if event["kind"] == "round.start")
    dealt_us = next(e["end_us"] for e in told if e["kind"] == "card.place" and e["facts"]["zone"] != "shuffle")
    ids = [event["id"] for event in burned]
    first = [event["id"] for event in burned if event["facts"]["index"] == 0]
    count = {"value": plan.burned, "low": plan.burned, "high": plan.burned, "unit": "cards", "limit": plan.owed}
    right = plan.burned == plan.owed
    rows: list[tuple[str, bool, int, int, dict[str, Any] | None, list[str]]] = [
        ("expose", True, clear_us, lies_us, None, first),
        ("before", True, lies_us, dealt_us, None, ids),
        ("bucket", True, lies_us, play_us, None, ids),
        ("count", right, lies_us, play_us, count, ids),
        ("facedown", True, lies_us, play_us, None, [name for name in ids if name not in first]),
    ]
    out = []
    for number, (clause, obeyed, start_us, end_us, measured, proof) in enumerate(rows, 1):
        verdict = "compliant" if obeyed else "violation"
        finding: dict[str, Any] = {
            "id": f"F{number:03d}",
            "table": table,
            "pack": PACK,
            "clause": f"PA-629a.5(f)-{clause}",
        }
        finding |= {"citation": CITATION, "verdict": verdict, "t_us": start_us, "end_us": end_us, "measured": measured}
        finding |= {"exception": None, "corrected": False, "events": proof}
        out.append(finding | {"act": "obeyed" if obeyed else "breached", "accept": [verdict]})
    return out
