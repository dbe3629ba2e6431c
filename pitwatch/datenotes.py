"""What is to be said about the recording's day and the text's time in force: once on the page, not in each finding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from pitwatch.stages import Finding
from rules.clause import Clause
from rules.explain import date_note, sentence


@dataclass(frozen=True, slots=True)
class DateNotes:
    """The notes of a review, each numbered once, and the number of each clause's."""

    notes: tuple[str, ...]
    _of_clause: Mapping[str, str]

    def number(self, finding: Finding) -> int | None:
        """The number of the note that a finding bears, from 1; None if it bears none."""
        note = self._note(finding)
        return None if note is None else self.notes.index(note) + 1

    def without(self, finding: Finding) -> str:
        """A finding's explanation without the note."""
        said, note = str(finding.get("explanation") or ""), self._note(finding)
        return said if note is None else said.removesuffix(note).rstrip()

    def _note(self, finding: Finding) -> str | None:
        note = self._of_clause.get(str(finding["clause"]), "")
        return note if _bears(finding, note) else None


def date_notes(run: Mapping[str, Any], clauses: Iterable[Clause], findings: Iterable[Finding]) -> DateNotes:
    """The notes that findings of this run bear. `run` is `run.json`: its `started_at` and `as_of` count."""
    started, as_of = run.get("started_at"), run.get("as_of")
    recorded_on = datetime.fromisoformat(started).date() if isinstance(started, str) else None
    asked = date.fromisoformat(as_of) if isinstance(as_of, str) else None
    of_clause = {clause.id: sentence(date_note(clause, recorded_on, asked)) for clause in clauses}
    said = [of_clause[str(f["clause"])] for f in findings if _bears(f, of_clause.get(str(f["clause"]), ""))]
    return DateNotes(tuple(dict.fromkeys(said)), of_clause)


def _bears(finding: Finding, note: str) -> bool:
    return bool(note) and str(finding.get("explanation") or "").endswith(note)
