"""Which event of a review is which event of the truth, and which findings belong to which occasion."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from rules.event import Event

Finding = Mapping[str, Any]

TOLERANCE_US = 1_000_000
#: Facts that must agree where the truth gives them.
TELLING = ("seat", "zone", "hand", "face", "actor", "state")


def match_events(truth: Sequence[Event], seen: Sequence[Event]) -> list[tuple[Event, Event]]:
    """Pairs (true, seen) of one kind: as many as can be, each event once, and of those the nearest in time."""
    by_kind: dict[str, tuple[list[Event], list[Event]]] = defaultdict(lambda: ([], []))
    for event in truth:
        by_kind[event.kind][0].append(event)
    for event in seen:
        by_kind[event.kind][1].append(event)
    pairs: list[tuple[Event, Event]] = []
    for true, found in by_kind.values():
        for true_part, found_part in _neighbourhoods(true, found):
            pairs += _assign(true_part, found_part)
    return pairs


def agree(true: Event, seen: Event) -> bool:
    """True if two events of one kind can be the same act: near in time, and alike in the facts that tell."""
    if abs(true.t_us - seen.t_us) > TOLERANCE_US:
        return False
    return all(seen.facts.get(name) == true.facts[name] for name in TELLING if true.facts.get(name) is not None)


def _neighbourhoods(true: Sequence[Event], seen: Sequence[Event]) -> Iterator[tuple[list[Event], list[Event]]]:
    """Events in groups so far apart that none of one group can match one of another: small problems, not a big one."""
    part: tuple[list[Event], list[Event]] = ([], [])
    last_us: int | None = None
    for event, side in sorted([(e, 0) for e in true] + [(e, 1) for e in seen], key=lambda pair: pair[0].t_us):
        if last_us is not None and event.t_us - last_us > TOLERANCE_US:
            yield part
            part = ([], [])
        part[side].append(event)
        last_us = event.t_us
    yield part


def _assign(true: Sequence[Event], seen: Sequence[Event]) -> list[tuple[Event, Event]]:
    """The best pairs of one group. A pair that may not be costs more than all the time differences together."""
    if not true or not seen:
        return []
    may = np.array([[agree(one, other) for other in seen] for one in true])
    apart = np.abs(np.subtract.outer([e.t_us for e in true], [e.t_us for e in seen])) / TOLERANCE_US
    forbidden = 10.0 * (len(true) + len(seen))
    rows, columns = linear_sum_assignment(np.where(may, apart, forbidden))
    chosen = zip(rows.tolist(), columns.tolist(), strict=True)
    return [(true[row], seen[column]) for row, column in chosen if may[row, column]]


def overlap_us(one: Finding, other: Finding) -> int:
    """How long two occasions overlap; negative if they lie apart.

    Trigger and deciding frame are themselves only seen to the second within which events match, so an occasion
    reaches that much farther at both ends.
    """
    start = max(int(one["t_us"]), int(other["t_us"])) - TOLERANCE_US // 2
    end = min(int(one["end_us"]), int(other["end_us"])) + TOLERANCE_US // 2
    return end - start


def match_findings(truth: Sequence[Finding], seen: Iterable[Finding]) -> tuple[list[list[Finding]], list[Finding]]:
    """For each occasion of the truth the review's findings, best overlap first; and those that belong to none.

    A finding belongs to the occasion of its clause that it overlaps most.
    """
    by_clause: dict[str, list[int]] = defaultdict(list)
    for number, true in enumerate(truth):
        by_clause[str(true["clause"])].append(number)
    belonging: list[list[tuple[int, Finding]]] = [[] for _ in truth]
    alone: list[Finding] = []
    for finding in seen:
        overlaps = [(overlap_us(truth[n], finding), n) for n in by_clause.get(str(finding["clause"]), [])]
        best = max(overlaps, key=lambda pair: (pair[0], -pair[1]), default=(-1, -1))
        if best[0] >= 0:
            belonging[best[1]].append((best[0], finding))
        else:
            alone.append(finding)
    ordered = [sorted(found, key=lambda pair: -pair[0]) for found in belonging]
    return [[finding for _, finding in found] for found in ordered], alone
