"""The figures of burn scenes that a plain score does not give: exact counts, the first card's rank, lost views."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pitwatch.figures import Share, share
from pitwatch.folder import events_of, findings_of
from rules.event import Event

#: Scenes in which the view is lost on purpose.
BLIND = ("hidden_hand", "lost_video")
#: As fine as this, the first card's rank must be read.
READABLE_MM_PER_PX = 0.9
VALUE = {"A": 1, **{str(n): n for n in range(2, 11)}, "J": 10, "Q": 10, "K": 10}


@dataclass(slots=True)
class BurnFigures:
    """Counts over scenes; the keys of `by_variant` and `by_scale` are what the scenes were made with."""

    exact: list[bool] = field(default_factory=list)
    answers: list[str | None] = field(default_factory=list)  # the rank read, None where unsure
    truths: list[str] = field(default_factory=list)
    blind_violations: list[bool] = field(default_factory=list)
    accepted_by_variant: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    speed: list[float] = field(default_factory=list)  # seconds of video reviewed a second

    def shares(self) -> dict[str, Share]:
        """The shares by name, each with its interval."""
        read = [(a, t) for a, t in zip(self.answers, self.truths, strict=True) if a is not None]
        return {
            "burn count exact, view not lost": share(sum(self.exact), len(self.exact)),
            "first card at 0.9 mm/px or finer: answers": share(len(read), len(self.answers)),
            "first card's rank right when it answers": share(sum(a == t for a, t in read), len(read)),
            "first card's burn value right when it answers": share(
                sum(VALUE[a] == VALUE[t] for a, t in read), len(read)
            ),
            "scenes with a lost view that got a false violation": share(
                sum(self.blind_violations), len(self.blind_violations)
            ),
        }

    def text(self) -> str:
        """One line a share, then one a variant."""
        lines = []
        for name, part in self.shares().items():
            value = "-" if part.value is None else f"{100 * part.value:.1f} %"
            interval = f"{100 * part.low:.1f} to {100 * part.high:.1f} %"
            lines.append(f"{name}: {value} ({part.count} of {part.of}; 95 % interval {interval})")
        for variant, counts in sorted(self.accepted_by_variant.items()):
            said = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
            lines.append(f"variant {variant}: {said}")
        return "\n".join(lines)

    def to_plain(self) -> dict[str, Any]:
        """Plain JSON values."""
        variants = {name: dict(counts) for name, counts in self.accepted_by_variant.items()}
        return {"shares": {n: s.to_plain() for n, s in self.shares().items()}, "variants": variants}


def burn_figures(folders: Iterable[Path]) -> BurnFigures:
    """The figures of scenes' folders as `pitwatch.evaluation` leaves them."""
    figures = BurnFigures()
    for folder in folders:
        _count(figures, folder)
    return figures


def _count(figures: BurnFigures, folder: Path) -> None:
    facts = json.loads((folder / "scene.json").read_text(encoding="utf-8"))
    truth, seen = (events_of(folder / part) for part in ("scene/truth", "review"))
    if facts["variant"] not in BLIND:
        figures.exact.append(burned(truth) == burned(seen))
    true_rank = first_rank(truth)
    if true_rank is not None and facts["mm_per_px"] <= READABLE_MM_PER_PX:
        figures.answers.append(first_rank(seen))
        figures.truths.append(true_rank)
    acts = {row["clause"]: row for row in findings_of(folder / "scene/truth")}
    verdicts = {row["clause"]: row["verdict"] for row in findings_of(folder / "review")}
    if facts["variant"] in BLIND:
        wrong = [c for c, row in acts.items() if verdicts.get(c) == "violation" and "violation" not in row["accept"]]
        figures.blind_violations.append(bool(wrong))
    for clause, row in acts.items():
        verdict = verdicts.get(clause, "missing")
        good = verdict in row["accept"]
        figures.accepted_by_variant[facts["variant"]]["accepted" if good else f"{clause.split('.')[-1]} {verdict}"] += 1


def burned(events: Iterable[Event]) -> int:
    """How many additional cards were burned, by the events."""
    return sum(int(e.facts.get("cards", 1)) for e in events if e.kind == "card.burn" and e.facts.get("index") != 0)


def first_rank(events: Iterable[Event]) -> str | None:
    """The rank of the shoe's first card where it was shown, None where it was not read or not shown."""
    for event in sorted(events, key=lambda e: e.t_us):
        if event.kind == "round.start":
            return None  # from here on cards are dealt
        if event.kind == "card.burn" and event.facts.get("index") != 0:
            continue  # an additional card that shows its face is not the first
        shown = event.kind in ("card.place", "card.burn", "card.exposed") and event.facts.get("face", "up") == "up"
        if shown and "rank" in event.facts:
            return str(event.facts["rank"])
    return None
