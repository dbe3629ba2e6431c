"""A clause's header: what it asks, where it stands, since when, and what must be seen to judge it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Needs:
    """What a clause is decided from: event kinds, zones that must be in view, signals."""

    events: tuple[str, ...] = ()
    zones: tuple[str, ...] = ()
    signals: tuple[str, ...] = ()

    def text(self) -> str:
        """One line for lists."""
        parts = [", ".join(self.events)]
        parts += [f"view of {', '.join(self.zones)}"] if self.zones else []
        parts += [f"signal {', '.join(self.signals)}"] if self.signals else []
        return "; ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Clause:
    """One atomic obligation.

    Args:
        id: the id in the list of obligations, such as "PA-629a.5(f)-count".
        citation: where the text stands.
        paraphrase: what it asks, in one sentence of our own.
        occasion: how often it can be obeyed or breached ("shoe", "shuffle", "round").
        needs: what it is decided from.
        how: how it is decided, in one line.
        url: where the text is published, None if the pack's sources do not say.
        severity: "critical", "major", "minor" or "note", from the pack.
        in_force_from, in_force_until: first and last day of the text; None: not known, or no end known.
        checked_until: the last day through which the pack's source vouches for the text; None: not said.
        options: names of the pack's options it depends on.
        judged: False for a clause that is listed, but not yet judged.
    """

    id: str
    citation: str
    paraphrase: str
    occasion: str
    needs: Needs
    how: str = ""
    url: str | None = None
    severity: str = "major"
    in_force_from: date | None = None
    in_force_until: date | None = None
    checked_until: date | None = None
    options: tuple[str, ...] = ()
    judged: bool = False

    def in_force(self, day: date) -> bool | None:
        """Whether the text is in force on `day`; None where the pack's source does not say."""
        if self.in_force_until is not None and day > self.in_force_until:
            return False
        if self.in_force_from is not None and day < self.in_force_from:
            return False
        ended = self.in_force_until or self.checked_until
        if self.in_force_from is None or ended is None or day > ended:
            return None
        return True
