"""`pitwatch score`: how a review compares with the truth. The counts of many folders add up.

`score_folder(truth, review)` compares one, `score_folders([(truth, review), ...])` many; `score_text.text_of` and
`Score.to_plain` give the figures.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from faults import Fault
from pitwatch.figures import Quantity, Share, share
from pitwatch.folder import EVENTS, FINDINGS, events_of, findings_of
from pitwatch.matching import match_events, match_findings
from rules.event import Event

Finding = Mapping[str, Any]

MISSING = "missing"  # the review has no finding at this occasion
#: Facts that are read, not measured: right, wrong or unsaid.
READ = ("rank", "suit", "pips", "total", "colour")


@dataclass(slots=True)
class KindCount:
    """Events of one kind: in the truth, in the review, and matched."""

    true: int = 0
    seen: int = 0
    matched: int = 0

    @property
    def precision(self) -> float | None:
        """Share of the review's events that are true."""
        return self.matched / self.seen if self.seen else None

    @property
    def recall(self) -> float | None:
        """Share of the true events that the review has."""
        return self.matched / self.true if self.true else None

    @property
    def f1(self) -> float | None:
        """Their harmonic mean."""
        return 2 * self.matched / (self.true + self.seen) if self.true + self.seen else None


@dataclass(slots=True)
class ReadCount:
    """Something that is read off a card or a die, at matched events: how often asked, answered, and right."""

    asked: int = 0
    answered: int = 0
    right: int = 0


@dataclass(slots=True)
class Score:
    """The counts of one or more comparisons."""

    folders: int = 0
    kinds: dict[str, KindCount] = field(default_factory=lambda: defaultdict(KindCount))
    confusion: dict[str, Counter[tuple[str, str]]] = field(default_factory=lambda: defaultdict(Counter))
    accepted: Counter[str] = field(default_factory=Counter)  # by clause: the verdict is one that the truth accepts
    readings: dict[str, ReadCount] = field(default_factory=lambda: defaultdict(ReadCount))
    quantities: dict[str, Quantity] = field(default_factory=lambda: defaultdict(Quantity))
    breached: int = 0  # occasions that accept a violation
    found: int = 0
    obeyed: int = 0
    false: int = 0
    decidable: int = 0  # obeyed occasions that accept `compliant`
    decided: int = 0
    stray: int = 0  # violations at no occasion of the truth, of clauses that the truth judges

    @property
    def macro_f1(self) -> float | None:
        """The mean F1 over the kinds that the truth knows."""
        values = [count.f1 or 0.0 for count in self.kinds.values() if count.true]
        return sum(values) / len(values) if values else None

    @property
    def violations_found(self) -> Share:
        """Breached occasions that accept a violation and got one."""
        return share(self.found, self.breached)

    @property
    def false_violations(self) -> Share:
        """Violations on obeyed occasions."""
        return share(self.false, self.obeyed)

    @property
    def decided_share(self) -> Share:
        """Obeyed occasions that accept `compliant` and got it."""
        return share(self.decided, self.decidable)

    def add(self, other: Score) -> None:
        """Adds another comparison's counts."""
        for name in ("folders", "breached", "found", "obeyed", "false", "decidable", "decided", "stray"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for kind, count in other.kinds.items():
            mine = self.kinds[kind]
            mine.true += count.true
            mine.seen += count.seen
            mine.matched += count.matched
        for clause, table in other.confusion.items():
            self.confusion[clause].update(table)
        self.accepted.update(other.accepted)
        for name, read in other.readings.items():
            ours = self.readings[name]
            ours.asked += read.asked
            ours.answered += read.answered
            ours.right += read.right
        for name, quantity in other.quantities.items():
            self.quantities[name].add(quantity)

    def to_plain(self) -> dict[str, Any]:
        """The figures as plain JSON values."""
        return {
            "folders": self.folders,
            "events": {
                kind: {
                    "true": c.true,
                    "seen": c.seen,
                    "matched": c.matched,
                    "precision": c.precision,
                    "recall": c.recall,
                    "f1": c.f1,
                }
                for kind, c in sorted(self.kinds.items())
            },
            "macro_f1": self.macro_f1,
            "findings": {
                clause: {
                    "accepted": self.accepted[clause],
                    "confusion": [
                        {"act": act, "verdict": verdict, "count": count}
                        for (act, verdict), count in sorted(table.items())
                    ],
                }
                for clause, table in sorted(self.confusion.items())
            },
            "violations_found": self.violations_found.to_plain(),
            "false_violations": self.false_violations.to_plain()
            | {"per_1000": None if self.false_violations.value is None else 1000 * self.false_violations.value},
            "stray_violations": self.stray,
            "decided": self.decided_share.to_plain(),
            "readings": {
                name: {"asked": r.asked, "answered": r.answered, "right": r.right}
                for name, r in sorted(self.readings.items())
            },
            "quantities": {name: quantity.to_plain() for name, quantity in sorted(self.quantities.items())},
        }


def score_folder(truth: Path, review: Path) -> Score:
    """Compares a review with its truth.

    Raises:
        Fault: a folder holds neither events nor findings, or a line of theirs cannot be read.
    """
    truth = truth / "truth" if not _is_folder(truth) and _is_folder(truth / "truth") else truth
    for folder in (truth, review):
        if not _is_folder(folder):
            raise Fault(
                "nothing to compare",
                where=str(folder),
                why=f"it holds neither {EVENTS} nor {FINDINGS}",
                todo="Give a truth folder and the folder that 'pitwatch review' wrote.",
            )
    score = Score(folders=1)
    if (truth / EVENTS).is_file():
        count_events(score, events_of(truth), events_of(review) if (review / EVENTS).is_file() else [])
    if (truth / FINDINGS).is_file():
        count_findings(score, findings_of(truth), findings_of(review) if (review / FINDINGS).is_file() else [])
    return score


def _is_folder(folder: Path) -> bool:
    return (folder / EVENTS).is_file() or (folder / FINDINGS).is_file()


def score_folders(pairs: Iterable[tuple[Path, Path]]) -> Score:
    """The counts of many comparisons added up."""
    total = Score()
    for truth, review in pairs:
        total.add(score_folder(truth, review))
    return total


def pairs_of(truth: Path, review: Path) -> list[tuple[Path, Path]]:
    """The folders to compare: these two, or those of the same names in them.

    Raises:
        Fault: neither is there.
    """
    if _is_folder(truth) or _is_folder(truth / "truth"):
        return [(truth, review)]
    names = sorted(p.name for p in truth.iterdir() if p.is_dir()) if truth.is_dir() else []
    pairs = [(truth / name, review / name) for name in names if _is_folder(review / name)]
    return pairs or [(truth, review)]


def alone(truth: Path, review: Path) -> list[str]:
    """Which folders of many have a truth and no review: they are not compared."""
    if _is_folder(truth) or _is_folder(truth / "truth") or not truth.is_dir():
        return []
    places = [place for place in truth.iterdir() if _is_folder(place) or _is_folder(place / "truth")]
    return sorted(place.name for place in places if not _is_folder(review / place.name))


def count_events(score: Score, truth: Sequence[Event], seen: Sequence[Event]) -> None:
    """Adds how the events agree. Signals are inputs and not counted."""
    truth = [event for event in truth if event.kind != "signal"]
    seen = [event for event in seen if event.kind != "signal"]
    for event in truth:
        score.kinds[event.kind].true += 1
    for event in seen:
        score.kinds[event.kind].seen += 1
    for true, found in match_events(truth, seen):
        score.kinds[true.kind].matched += 1
        _count_readings(score, true, found)
        _measure_facts(score, true, found)


def _count_readings(score: Score, true: Event, found: Event) -> None:
    for name in READ:
        if true.facts.get(name) is not None:
            count = score.readings[f"{true.kind} {name}"]
            count.asked += 1
            count.answered += found.facts.get(name) is not None
            count.right += found.facts.get(name) == true.facts[name]


def _measure_facts(score: Score, true: Event, found: Event) -> None:
    """Facts that the review gives with an interval."""
    for name, value in true.facts.items():
        mine = [found.facts.get(key) for key in (name, f"{name}_low", f"{name}_high")]
        if all(_is_number(number) for number in (value, *mine)):
            measured, low, high = (float(number) for number in mine if number is not None)
            score.quantities[f"{true.kind} {name}"].measure(float(value), measured, low, high)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def count_findings(score: Score, truth: Sequence[Finding], seen: Sequence[Finding]) -> None:
    """Adds how the findings agree; what was withdrawn no longer stands and is left out."""
    standing = [finding for finding in seen if finding.get("state") != "withdrawn"]
    belonging, alone = match_findings(truth, standing)
    for true, found in zip(truth, belonging, strict=True):
        _count_occasion(score, true, found)
    judged = {true["clause"] for true in truth}
    score.stray += sum(f["verdict"] == "violation" and f["clause"] in judged for f in alone)


def _count_occasion(score: Score, true: Finding, found: Sequence[Finding]) -> None:
    """One occasion of the truth. A violation among its findings is what an operator would have heard."""
    verdicts = [str(finding["verdict"]) for finding in found]
    verdict = "violation" if "violation" in verdicts else (verdicts[0] if verdicts else MISSING)
    clause, act = str(true["clause"]), str(true.get("act", "none"))
    accept = true.get("accept") or [true["verdict"]]
    score.confusion[clause][act, verdict] += 1
    score.accepted[clause] += verdict in accept
    if act == "breached" and "violation" in accept:
        score.breached += 1
        score.found += verdict == "violation"
    if act == "obeyed":
        score.obeyed += 1
        score.false += verdict == "violation"
        if "compliant" in accept:
            score.decidable += 1
            score.decided += verdict == "compliant"
    if found:
        _measure_finding(score, clause, true, found[0])


def _measure_finding(score: Score, clause: str, true: Finding, found: Finding) -> None:
    right, mine = true.get("measured"), found.get("measured")
    if not right or not mine or not all(_is_number(mine.get(key)) for key in ("value", "low", "high")):
        return
    if _is_number(right.get("value")):
        quantity = score.quantities[f"{clause} ({mine.get('unit', '')})"]
        quantity.measure(float(right["value"]), float(mine["value"]), float(mine["low"]), float(mine["high"]))
