"""What the clauses of § 629a.5 (a) to (e) have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rules.clause import Clause, Needs
from rules.coverage import Coverage
from rules.event import Event
from rules.finding import Verdict
from rules.pa58.ch629a_stack_law import AREA, StackLaw
from rules.ruling import Ruling, Sight
from rules.skeletons.change import Change

C, V, I, N, NA = (  # noqa: E741 - the letters of the table of clauses
    Verdict.COMPLIANT,
    Verdict.VIOLATION,
    Verdict.INDETERMINATE,
    Verdict.NOT_OBSERVED,
    Verdict.NOT_APPLICABLE,
)

#: Where only the trigger is asked for, the view does not matter.
NOBODY = Sight(Coverage(), 0)


def header(
    row: str,
    paraphrase: str,
    occasion: str,
    events: str,
    how: str,
    *,
    zones: tuple[str, ...] = (AREA,),
    signals: str = "",
    options: str = "",
) -> Clause:
    """The header of a row such as "(a)-shuffle"; `events`, `signals` and `options` are names with spaces between."""
    return Clause(
        id=f"PA-629a.5{row}",
        citation=f"58 Pa. Code § 629a.5{row[:3]}",
        paraphrase=paraphrase,
        occasion=occasion,
        needs=Needs(tuple(events.split()), zones, tuple(signals.split())),
        how=how,
        options=tuple(options.split()),
        judged=True,
    )


def ids(*events: Event | None) -> tuple[str, ...]:
    """The ids of those that are there, each once."""
    return tuple(dict.fromkeys(event.id for event in events if event is not None))


@dataclass(frozen=True)
class StackClause(ABC):
    """A clause of (a) to (e): `judge` rules on one of its own occasions, which `cases` finds in a change."""

    law: StackLaw
    header: Clause

    ASKS: ClassVar[str]

    @abstractmethod
    def cases(self, change: Change) -> Sequence[Any]:
        """The clause's own occasions."""

    def rule(self, case: Any, sight: Sight) -> Ruling | None:
        """The ruling so far; None while nothing can be said."""
        return self.judge(case, sight)

    @abstractmethod
    def judge(self, case: Any, sight: Sight) -> Ruling | None:
        """The ruling so far; None while nothing can be said."""

    @abstractmethod
    def trigger_us(self, case: Any) -> int:
        """When the clause's trigger happened."""

    def asks(self) -> str:
        """What the clause asks, with the pack's numbers."""
        return self.ASKS

    def say(self, case: Any, verdict: Verdict, end_us: int, seen: str, off: str, **more: Any) -> Ruling:
        """A ruling of this clause."""
        t_us = self.trigger_us(case)
        return Ruling(verdict, t_us, max(t_us, end_us), seen, self.asks(), off, **more)

    def off(self, case: Any, end_us: int, seen: str, exception: str, **more: Any) -> Ruling:
        """The clause does not apply."""
        words = f"The clause does not apply: {exception}"
        return self.say(case, NA, end_us, seen, words, exception=exception, **more)
