"""Recorded events judged at once, and the clauses of a pack: what the command line needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules.clause import Clause
from rules.context import GameContext
from rules.engine import Judge
from rules.event import Event
from rules.finding import Finding, State
from rules.pack import Pack
from rules.packs import clauses_of, load_pack


def judge_events(
    events: Iterable[Event], context: GameContext, pack: Pack | None = None, end_us: int | None = None
) -> list[Finding]:
    """The findings of a recording: the last word on each, in order of time and clause.

    Args:
        events: in any order.
        context: the table's game.
        pack: None takes the pack that the context names.
        end_us: when the recording ended; None: with the last event.

    Raises:
        Fault: the pack is unknown or faulty, or the context chooses unknown options.
    """
    pack = load_pack(context.pack) if pack is None else pack
    ordered = sorted(events, key=lambda event: (event.end_us, event.t_us, event.id))
    judge = Judge(context, pack)
    found = [finding for event in ordered for finding in judge.step(event)]
    last_us = max((event.end_us for event in ordered), default=0)
    found += judge.finish(last_us if end_us is None else max(end_us, last_us))
    return standing(found, [clause.id for clause in clauses_of(pack)])


def standing(findings: Iterable[Finding], clauses: Sequence[str] = ()) -> list[Finding]:
    """The last report of each finding, without withdrawn ones, by trigger, then by clause in the given order."""
    last = {finding.id: finding for finding in findings}
    rank = {clause: place for place, clause in enumerate(clauses)}
    kept = [finding for finding in last.values() if finding.state is not State.WITHDRAWN]
    return sorted(kept, key=lambda f: (f.t_us, rank.get(f.clause, len(rank)), f.clause, f.id))


def clause_list(pack: str) -> Sequence[Clause]:
    """The headers of a pack's clauses, judged or not yet, in the text's order.

    Raises:
        Fault: the pack is unknown or faulty.
    """
    return clauses_of(load_pack(pack))
