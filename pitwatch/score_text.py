"""The figures of a score as text."""

from __future__ import annotations

from collections.abc import Iterator

from pitwatch.figures import Share
from pitwatch.score import Score

VERDICTS = ("compliant", "violation", "indeterminate", "not_observed", "not_applicable", "missing")
SHORT = ("compl.", "violat.", "indet.", "not obs.", "not appl.", "missing")


def text_of(score: Score) -> str:
    """All figures of a score, in lines of at most 120 characters."""
    return "\n".join(
        [*_events(score), "", *_findings(score), "", *_headline(score), *_readings(score), *_quantities(score)]
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _events(score: Score) -> Iterator[str]:
    yield f"{'events':<18} {'true':>6} {'seen':>6} {'matched':>7} {'precision':>9} {'recall':>7} {'F1':>7}"
    for kind, c in sorted(score.kinds.items()):
        note = "" if c.true else "   not in the truth, outside the mean"
        yield (
            f"{kind:<18} {c.true:>6} {c.seen:>6} {c.matched:>7} {_number(c.precision):>9} {_number(c.recall):>7} "
            f"{_number(c.f1):>7}{note}"
        )
    yield f"{'macro mean of F1':<18} {_number(score.macro_f1):>46}"


def _findings(score: Score) -> Iterator[str]:
    yield f"{'clause':<28} {'act':<9}" + "".join(f"{name:>10}" for name in SHORT) + f"{'accepted':>12}"
    for clause, table in sorted(score.confusion.items()):
        total = sum(table.values())
        for number, act in enumerate(sorted({act for act, _ in table})):
            cells = "".join(f"{table.get((act, verdict), 0):>10}" for verdict in VERDICTS)
            accepted = f"{score.accepted[clause]}/{total}" if number == 0 else ""
            yield f"{clause if number == 0 else '':<28} {act:<9}{cells}{accepted:>12}"


def _share_text(part: Share, scale: float = 100, unit: str = " %") -> str:
    value = "-" if part.value is None else f"{scale * part.value:.2f}{unit}"
    return f"{value} ({part.count} of {part.of}; 95 % interval {scale * part.low:.2f} to {scale * part.high:.2f}{unit})"


def _headline(score: Score) -> Iterator[str]:
    yield f"violations found   {_share_text(score.violations_found)}"
    yield f"false violations   {_share_text(score.false_violations, 1000, ' per 1,000')}"
    if score.stray:
        yield f"                   and {score.stray} at no occasion of the truth"
    yield f"decided            {_share_text(score.decided_share)}"


def _readings(score: Score) -> Iterator[str]:
    for name, read in sorted(score.readings.items()):
        right = f"{100 * read.right / read.answered:.1f} %" if read.answered else "-"
        answered = f"{100 * read.answered / read.asked:.1f} %"
        yield f"read {name:<20} answers {answered} ({read.answered} of {read.asked}), right when it answers {right}"


def _quantities(score: Score) -> Iterator[str]:
    for name, quantity in sorted(score.quantities.items()):
        figures = quantity.to_plain()
        yield (
            f"measured {name}: {figures['count']} cases, {figures['exact']} exact, bias {figures['bias']:+.3g}, "
            f"error median {figures['median_error']:.3g}, 95th percentile {figures['p95_error']:.3g}; "
            f"intervals hold the truth {100 * figures['held']:.1f} %, half width {figures['median_half_width']:.3g}"
        )
