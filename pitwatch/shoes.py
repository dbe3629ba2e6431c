"""Which findings belong to one shoe change: those that no round of play lies between."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from pitwatch.matching import overlap_us
from pitwatch.stages import Finding
from pitwatch.words import ORDER
from rules.event import Event

#: Without a sign of play between them, findings farther apart than this are of different shoes.
APART_US = 300_000_000
#: What later evidence closes (a cover card that surfaces at the end of the shoe) does not stretch the shoe change.
LATE_US = 120_000_000
PLAYED = ("player", "banker")


@dataclass(slots=True)
class Occasion:
    """The findings of one shoe change."""

    findings: list[Finding] = field(default_factory=list)

    @property
    def start_us(self) -> int:
        """The first trigger."""
        return min(int(f["t_us"]) for f in self.findings)

    @property
    def last_us(self) -> int:
        """The last trigger."""
        return max(int(f["t_us"]) for f in self.findings)

    @property
    def end_us(self) -> int:
        """The last deciding frame, but for what was decided long after the shoe change."""
        return max(min(int(f["end_us"]), self.last_us + LATE_US) for f in self.findings)


def occasions_of(findings: Sequence[Finding], events: Sequence[Event] = ()) -> list[Occasion]:
    """The findings by shoe change, in order of time; within one, the worst verdict first."""
    plays_us = sorted(event.t_us for event in events if _is_play(event))
    groups: list[Occasion] = []
    for finding in sorted(findings, key=lambda f: int(f["t_us"])):
        if not groups or _another(groups[-1], finding, plays_us):
            groups.append(Occasion())
        groups[-1].findings.append(finding)
    for group in groups:
        group.findings.sort(key=lambda f: (ORDER.index(str(f["verdict"])), str(f["clause"])))
    return groups


def _is_play(event: Event) -> bool:
    return event.kind == "round.start" or (event.kind == "card.place" and event.facts.get("zone") in PLAYED)


def _another(group: Occasion, finding: Finding, plays_us: Sequence[int]) -> bool:
    """Whether a finding is of another shoe than the group before it."""
    t_us = int(finding["t_us"])
    if overlap_us({"t_us": group.start_us, "end_us": group.end_us}, finding) >= 0:
        return False
    played = bisect_right(plays_us, t_us) > bisect_right(plays_us, group.last_us)
    return played or t_us - group.end_us > APART_US
