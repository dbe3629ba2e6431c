"""The engine: events in, findings out, one table at a time.

It reads no clock. Events may come in any order within `latency_us`: what the clauses see is always the events sorted
by their end, so a late one makes the engine look again at what it touches, and only the findings that it changes are
reported anew (under the same id; one whose occasion turns out not to have been one is `withdrawn`). A finding is
reported as soon as the events decide it. The last report of each id is the same whether the events came live, late or
all at once.
"""

from __future__ import annotations

import dataclasses
from bisect import bisect_left, insort
from collections.abc import Mapping, Sequence
from typing import Any

from rules.clause import Clause
from rules.context import GameContext
from rules.coverage import VIEW, Coverage, losses, within
from rules.event import Event
from rules.explain import date_note, explanation
from rules.finding import Finding, State, Verdict, finding_id
from rules.pack import Exemption, Pack
from rules.packs import chapter_of, check_options, dated
from rules.ruling import Occasion, Part, Rule, Ruling, Sight, Watch

Key = tuple[str, str]  # trigger and clause
Span = tuple[int, int | None]

LATENCY_US = 15_000_000

#: So many reports of the view are kept before those that cannot matter any more are dropped.
VIEWS_KEPT = 64


def _order(event: Event) -> tuple[int, int, str]:
    return event.end_us, event.t_us, event.id


class Judge:
    """Judges one table. `step(event)`, `tick(t_us)` and `finish(end_us)` return findings that are new or have changed.

    Args:
        context: the table's game.
        pack: the rule pack, see `rules.packs.load_pack`.
        latency_us: how late an event may come and still be put in its place. A later one is taken in all the same,
            after those that came before it.

    Raises:
        PackFault: the context chooses options that the pack does not know.
    """

    def __init__(self, context: GameContext, pack: Pack, *, latency_us: int = LATENCY_US) -> None:
        check_options(pack, context.options, f"table {context.table}")
        self._desk = Desk(context, pack)
        self._latency_us = latency_us
        self._threads = [Thread(part) for part in chapter_of(pack.name).parts(pack, context)]
        self._view: list[Event] = []
        self._coverage = Coverage()
        self._now_us = 0

    def step(self, event: Event) -> list[Finding]:
        """Takes an event in."""
        self._now_us = max(self._now_us, event.end_us)
        touched = [thread for thread in self._threads if event.kind in thread.part.kinds and thread.take(event)]
        if event.kind in VIEW:
            self._view.append(event)
            self._coverage = Coverage(losses(self._view))
            touched = self._threads
        return self._look_again(touched)

    def tick(self, t_us: int) -> list[Finding]:
        """Tells that time has come to `t_us`: no event that ended before it is expected any more."""
        if t_us <= self._now_us:
            return []
        self._now_us = t_us
        return self._wait_over()

    def finish(self, end_us: int) -> list[Finding]:
        """Tells that the stream ended; everything still open is closed."""
        self._now_us = max(self._now_us, end_us)
        return self._look_again(self._threads, ended=True)

    def _wait_over(self) -> list[Finding]:
        """What the mere passing of time decides."""
        return self._look_again(())

    def _look_again(self, touched: Sequence[Thread], ended: bool = False) -> list[Finding]:
        """What is new in the threads that something happened to, and in those that time may decide."""
        sight = Sight(self._coverage, self._now_us, ended)
        looked = [thread for thread in self._threads if thread in touched or thread.waiting]
        found = [finding for thread in looked for finding in thread.findings(sight, self._desk)]
        self._forget()
        return found

    def _forget(self) -> None:
        """Lets go of what no event still to come can change."""
        for thread in self._threads:
            thread.settle(self._now_us - self._latency_us)
        if len(self._view) > VIEWS_KEPT:
            spans = [span for thread in self._threads for span in thread.spans]
            self._view = within(self._view, [*spans, (self._now_us - self._latency_us, None)])


class Thread:
    """One part of a chapter: its events in order, the occasions they make, and what was last said of each."""

    def __init__(self, part: Part[Any]) -> None:
        self.part = part
        self._base: Watch[Any] = part.start
        self._recent: list[Event] = []
        self._state: Watch[Any] = part.start
        self._ended: list[Any] = []
        self._said: dict[Key, Finding] = {}

    def take(self, event: Event) -> bool:
        """Puts an event in its place; True if it changed anything."""
        in_order = not self._recent or _order(event) >= _order(self._recent[-1])
        insort(self._recent, event, key=_order)
        before = self._state
        if in_order:
            self._advance(event)
            return self._state is not before
        self._state, self._ended = self._base, []
        for each in self._recent:
            self._advance(each)
        return True

    def _advance(self, event: Event) -> None:
        self._state, ended = self._state.step(event)
        if ended is not None:
            self._ended.append(ended)

    def settle(self, settled_us: int) -> None:
        """Takes events that ended before `settled_us` as final, and forgets the occasions that they ended."""
        count = bisect_left(self._recent, settled_us, key=lambda event: event.end_us)
        for event in self._recent[:count]:
            self._base, ended = self._base.step(event)
            if ended is not None:
                self._forget(self._ended.pop(0))
        del self._recent[:count]

    def _forget(self, over: Any) -> None:
        for rule in self.part.rules:
            for each in rule.cases(over):
                self._said.pop((each.trigger, rule.header.id), None)

    @property
    def spans(self) -> list[Span]:
        """The times whose view may still matter."""
        occasions: list[Occasion | None] = [*self._ended, self._state.open, self._base.open]
        known: list[Span] = [(o.since_us, o.until_us) for o in occasions if o is not None]
        return [*known, (self._state.since_us, None), (self._base.since_us, None)]

    @property
    def waiting(self) -> bool:
        """Whether something is said to be pending that time may decide."""
        return self._state.open is not None and any(f.state is State.PENDING for f in self._said.values())

    def findings(self, sight: Sight, desk: Desk) -> list[Finding]:
        """What is new or has changed since the last time."""
        now: dict[Key, Finding] = {}
        going_on = self._state.open
        for occasion in [*self._ended, *([going_on] if going_on is not None else [])]:
            ended = sight.ended or occasion is not going_on
            seen, seeing = occasion.ended() if ended else occasion, Sight(sight.coverage, sight.now_us, ended)
            for rule in self.part.rules:
                for each in rule.cases(seen):
                    now[each.trigger, rule.header.id] = desk.finding(rule, each, seeing)
        gone = {key: f for key, f in self._said.items() if key not in now and f.state is not State.WITHDRAWN}
        changed = {key: dataclasses.replace(finding, state=State.WITHDRAWN) for key, finding in gone.items()}
        changed |= {key: finding for key, finding in now.items() if _news(self._said.get(key), finding)}
        self._said |= changed
        return list(changed.values())


def _news(before: Finding | None, now: Finding) -> bool:
    """Whether a finding says something that was not said; one that stays pending does so by its verdict only."""
    if before is None:
        return True
    waits = before.state is State.PENDING and now.state is State.PENDING
    return before != now and not (waits and before.verdict is now.verdict)


class Desk:
    """Writes findings: from a ruling, the clause's header, the dates and the exemptions."""

    def __init__(self, context: GameContext, pack: Pack) -> None:
        self._context = context
        self._pack = pack
        self._dated: dict[str, Clause] = {}

    def finding(self, rule: Rule[Any], occasion: Any, sight: Sight) -> Finding:
        """The finding of a clause at an occasion, pending while the clause cannot say."""
        clause = self._clause(rule.header)
        ruling = rule.rule(occasion, sight)
        pending = ruling is None or not (ruling.decided or sight.ended)
        if ruling is None:
            t_us = rule.trigger_us(occasion)
            words = ("the occasion arose and is going on", clause.paraphrase, "It is not yet decided")
            ruling = Ruling(Verdict.NOT_OBSERVED, t_us, t_us, *words)
        else:
            ruling = self._gated(clause, ruling, occasion.signals)
        context = self._context
        return Finding(
            id=finding_id(context.table, clause.id, occasion.trigger),
            table=context.table,
            pack=self._pack.name,
            clause=clause.id,
            citation=clause.citation,
            verdict=ruling.verdict,
            t_us=ruling.t_us,
            end_us=ruling.end_us,
            measured=ruling.measured,
            coverage=self._coverage(clause, ruling, sight),
            exception=ruling.exception,
            corrected=ruling.corrected,
            state=State.PENDING if pending else State.CLOSED,
            events=ruling.events,
            explanation=explanation(ruling, date_note(clause, context.recorded_on, context.as_of)),
            severity=ruling.severity or clause.severity,
        )

    def _clause(self, header: Clause) -> Clause:
        """A header with the pack's dates and severity."""
        if header.id not in self._dated:
            self._dated[header.id] = dated(header, self._pack)
        return self._dated[header.id]

    @staticmethod
    def _coverage(clause: Clause, ruling: Ruling, sight: Sight) -> float:
        until_us = ruling.end_us if ruling.viewed_until_us is None else ruling.viewed_until_us
        return sight.coverage.share(ruling.t_us, until_us, clause.needs.zones)

    def _gated(self, clause: Clause, ruling: Ruling, signals: Mapping[str, Any]) -> Ruling:
        """The ruling, unless the text was not in force, an exemption applies, or one may apply and nobody knows."""
        as_of = self._context.as_of
        if as_of is not None and clause.in_force(as_of) is False:
            return _off(ruling, f"not in force on {as_of.isoformat()}")
        exemptions = self._pack.exemptions_of(clause.id)
        for exemption in exemptions:
            if signals.get(exemption.signal) == exemption.value:
                return _off(ruling, exemption.name)
        unknown = [e for e in exemptions if signals.get(e.signal) is None]
        if unknown and ruling.verdict is Verdict.VIOLATION:
            return _maybe_off(ruling, unknown[0])
        return ruling


def _off(ruling: Ruling, exception: str) -> Ruling:
    off = f"The clause does not apply: {exception}"
    return dataclasses.replace(ruling, verdict=Verdict.NOT_APPLICABLE, exception=exception, off=off, corrected=False)


def _maybe_off(ruling: Ruling, exemption: Exemption) -> Ruling:
    off = f"{ruling.off}; whether the exemption '{exemption.name}' applied is not known (signal {exemption.signal})"
    return dataclasses.replace(ruling, verdict=Verdict.INDETERMINATE, off=off)
