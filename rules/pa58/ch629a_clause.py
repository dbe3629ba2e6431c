"""What the clauses of § 629a.5(f) have in common: when each is decided."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from rules.clause import Clause
from rules.coverage import Coverage
from rules.finding import Verdict
from rules.pa58.ch629a_law import BurnLaw, Case
from rules.pa58.ch629a_words import Three
from rules.ruling import Ruling, Sight
from rules.skeletons.burn import Burn

CITATION = "58 Pa. Code § 629a.5(f)"

#: Where only the trigger is asked for, the view does not matter.
NOBODY = Sight(Coverage(), 0)


@dataclass(frozen=True, slots=True)
class BurnClause(ABC):
    """A clause of (f).

    `early` says what is decided whenever play starts, `at_play` what its start decides, `unplayed` what can be said
    if it never did.
    """

    law: BurnLaw
    header: Clause

    def cases(self, burn: Burn) -> tuple[Burn, ...]:
        """The burn itself: each clause of (f) can be obeyed or breached once in it."""
        return (burn,)

    def trigger_us(self, burn: Burn) -> int:
        """When the clause's trigger happened."""
        return self.triggered_us(Case(self.law, burn, NOBODY))

    def rule(self, burn: Burn, sight: Sight) -> Ruling | None:
        """The ruling so far; None while nothing can be said."""
        case = Case(self.law, burn, sight)
        early = self.early(case)
        if early is not None:
            return early
        if case.play_us is not None:
            return self.at_play(case, case.play_us)
        return self.unplayed(case) if sight.ended else None

    def triggered_us(self, case: Case) -> int:
        """The first card's draw."""
        return case.first_us

    def early(self, case: Case) -> Ruling | None:
        """What is decided whenever play starts."""
        return None

    @abstractmethod
    def at_play(self, case: Case, play_us: int) -> Ruling:
        """What the start of play decides."""

    @abstractmethod
    def unplayed(self, case: Case) -> Ruling:
        """What can be said if the recording, or the shoe, ended before play."""

    def say(self, case: Case, verdict: Verdict, end_us: int, words: Three, **more: Any) -> Ruling:
        """A ruling of this clause."""
        t_us = self.triggered_us(case)
        return Ruling(verdict, t_us, max(t_us, end_us), *words, **more)


class OnExposed(BurnClause):
    """A clause whose trigger is that the first card was shown."""

    def triggered_us(self, case: Case) -> int:
        """When the first card was shown; if it was not, its draw."""
        return case.exposed_us
