"""One finding in plain sentences."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from calibration.schema import nearest_text
from faults import Fault
from pitwatch.clips import clip_note
from pitwatch.drawings import clock_text, event_words
from pitwatch.folder import EVENTS, events_of, findings_of
from pitwatch.judging import clause_list, pack_names
from pitwatch.words import VERDICT_WORDS, share_text
from rules.clause import Clause

Finding = Mapping[str, Any]
WIDTH = 100


class NoFindingFault(Fault):
    """There is no such finding, or there are several."""


def explanation(folder: Path, wanted: str) -> str:
    """What a review says of one finding: found by its id, by the beginning of its id, or by its clause.

    Raises:
        NoFindingFault: none fits, or several do.
        InputFault: the folder holds no findings.
    """
    finding = _find(findings_of(folder), wanted, folder)
    lines = [*_head(finding, _clause_of(finding)), *_body(finding), *_evidence(folder, finding)]
    return "\n".join(textwrap.fill(line, WIDTH, subsequent_indent="  ") if line else "" for line in lines)


def _clause_of(finding: Finding) -> Clause | None:
    """The finding's clause; None if its pack is not known here, as when another version judged it."""
    pack = finding.get("pack")
    if pack not in pack_names():
        return None
    return next((clause for clause in clause_list(str(pack)) if clause.id == finding["clause"]), None)


def _find(findings: Sequence[Finding], wanted: str, folder: Path) -> Finding:
    exact = [f for f in findings if f["id"] == wanted]
    fitting = exact or [f for f in findings if f["clause"] == wanted or str(f["id"]).startswith(wanted)]
    if len(fitting) == 1:
        return fitting[0]
    known = [str(f["id"]) for f in fitting or findings]
    if fitting:
        why, todo = f"{len(fitting)} findings fit: {', '.join(known)}", "Give one id."
    else:
        words = [*known, *(str(f["clause"]) for f in findings)]
        why = f"expected {nearest_text(wanted, words)}" if words else "the review has no findings"
        todo = "Give an id or a clause of findings.jsonl."
    what = f"several findings {wanted!r}" if fitting else f"no finding {wanted!r}"
    raise NoFindingFault(what, where=str(folder), why=why, todo=todo)


def _head(finding: Finding, clause: Clause | None) -> Iterator[str]:
    verdict = str(finding["verdict"])
    word, meaning = VERDICT_WORDS.get(verdict, (verdict, ""))
    yield f"{finding['clause']}   {finding.get('citation', '')}   table {finding.get('table', '?')}"
    start, end = int(finding["t_us"]), int(finding["end_us"])
    yield f"Occasion at {clock_text(start)}, decided at {clock_text(end)} of the recording."
    if clause is not None:
        yield f"The clause asks: {clause.paraphrase}"
        yield f"How it is decided: {clause.how}" if clause.how else ""
    yield f"Verdict: {word}{' (' + meaning + ')' if meaning else ''}."


def _body(finding: Finding) -> Iterator[str]:
    yield f"Seen: {finding.get('explanation') or 'no more is recorded.'}"
    measured = finding.get("measured")
    if measured:
        yield measured_text(measured)
    if finding.get("coverage") is not None:
        yield f"What was needed was in view for {share_text(float(finding['coverage']))} of the occasion."
    if finding.get("exception"):
        yield f"Exception or gate: {finding['exception']}."
    if finding.get("corrected"):
        yield "It was put right before its deadline."
    if finding.get("state") not in (None, "closed"):
        yield f"State: {finding['state']}."


def measured_text(measured: Mapping[str, Any]) -> str:
    """A measurement beside its limit, and how far off it is."""
    value, low, high, limit = (measured.get(key) for key in ("value", "low", "high", "limit"))
    unit = measured.get("unit") or ""
    if value is None and low is None and high is None:
        return f"Required: {limit} {unit}; it could not be measured."
    if value is None:
        seen = f"Measured: {low} to {high} {unit}"
    elif low == high:
        seen = f"Measured: {value} {unit}"
    else:
        seen = f"Measured: {value} {unit} (95 %: {low} to {high})"
    if not isinstance(limit, int | float):
        return f"{seen}."
    if isinstance(value, int | float) and value != limit:
        off = value - limit
        return f"{seen}; required: {limit}; {abs(off):g} {'more' if off > 0 else 'fewer'}."
    return f"{seen}; required: {limit}."


def _evidence(folder: Path, finding: Finding) -> Iterator[str]:
    wanted = set(finding.get("events") or ())
    if wanted and (folder / EVENTS).is_file():
        yield "Evidence:"
        for event in events_of(folder):
            if event.id in wanted:
                yield f"  {event.id}: {event_words(event)} (confidence {event.confidence:.2f})"
    if finding.get("clip"):
        note = clip_note(int(finding["t_us"]), int(finding["end_us"]))
        yield f"Clip: {folder / str(finding['clip'])}" + (f" ({note})" if note else "")
