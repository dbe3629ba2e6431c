"""How the program speaks of verdicts: what was seen and what was not, never about anybody's intent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

#: The worst first: what a shift manager wants to read first.
ORDER = ("violation", "indeterminate", "not_observed", "compliant", "not_applicable")

#: The verdict's word, and what it means in plain words.
VERDICT_WORDS: Mapping[str, tuple[str, str]] = {
    "violation": ("violation", "the step was not seen done as the Code asks"),
    "indeterminate": ("indeterminate", "seen, but it cannot be told"),
    "not_observed": ("not observed", "the view was not good enough to say"),
    "compliant": ("compliant", "seen done as the Code asks"),
    "not_applicable": ("not applicable", "an exemption or a condition applied"),
}

#: A sign for each that survives a black and white print.
SIGN: Mapping[str, str] = {
    "violation": "✕",
    "indeterminate": "?",
    "not_observed": "–",
    "compliant": "✓",
    "not_applicable": "○",
}


def headline(counts: Mapping[str, int]) -> str:
    """The review in one sentence."""
    judged = sum(counts.get(verdict, 0) for verdict in ORDER)
    breached, unclear = counts.get("violation", 0), counts.get("indeterminate", 0) + counts.get("not_observed", 0)
    if not judged:
        return "No occasion for any of the judged clauses was seen in this recording."
    if breached:
        steps = "One step was" if breached == 1 else f"{breached} steps were"
        sentence = f"{steps} not seen done as the Code asks."
        return sentence + (f" {_times(unclear)} could not be told." if unclear else "")
    if unclear:
        return f"Nothing was seen that departs from the Code, but {_times(unclear).lower()} could not be told."
    return "Every judged step was seen done as the Code asks."


def headline_of(findings: Sequence[Mapping[str, Any]]) -> str:
    """The same of the findings that stand."""
    return headline(Counter(str(f["verdict"]) for f in findings if f.get("state") != "withdrawn"))


def _times(count: int) -> str:
    return "One step" if count == 1 else f"{count} steps"


def share_text(share: float | None) -> str:
    """A share in per cent, never rounded up to all of it."""
    if share is None:
        return "an unknown share"
    percent = 100 * share
    return "100 %" if share >= 1 else f"{min(percent, 99.9):.1f} %"


def length_text(length_us: int) -> str:
    """A duration as people say it."""
    seconds = length_us / 1e6
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours else f"{minutes} min {rest:02d} s"
