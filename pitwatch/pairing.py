"""Two reviews of the same film, the second under worse conditions: clause by clause the same, weaker, or turned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pitwatch.matching import match_findings
from pitwatch.stages import Finding

SAME, WEAKER, TURNED = "same", "weaker", "turned"
#: Verdicts that accuse nobody and clear nobody.
WEAK = ("indeterminate", "not_observed")
NONE = "-"


@dataclass(frozen=True, slots=True)
class Pair:
    """One clause at one occasion: the verdict before and after ("-": no finding), and what that means."""

    clause: str
    t_us: int
    before: str
    after: str

    @property
    def change(self) -> str:
        """`same`, `weaker`, or `turned`.

        A finding that is gone is weaker: the occasion was not seen. One that is new is weak, or says of something seen
        worse what was not said before.
        """
        if self.before == self.after:
            return SAME
        if self.after == NONE or self.after in WEAK:
            return WEAKER
        return TURNED


def pairs_of(before: Sequence[Finding], after: Sequence[Finding]) -> list[Pair]:
    """Each finding of the first review beside its own of the second, and those that only the second has."""
    before, after = _standing(before), _standing(after)
    belonging, alone = match_findings(before, after)
    return [*_matched(before, belonging), *(_pair(f, NONE, str(f["verdict"])) for f in alone)]


def _standing(findings: Sequence[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.get("state") != "withdrawn"]


def _matched(before: Sequence[Finding], belonging: Sequence[Sequence[Finding]]) -> Iterator[Pair]:
    for one, found in zip(before, belonging, strict=True):
        yield _pair(one, str(one["verdict"]), str(found[0]["verdict"]) if found else NONE)
        for other in found[1:]:
            yield _pair(other, NONE, str(other["verdict"]))


def _pair(finding: Finding, before: str, after: str) -> Pair:
    return Pair(str(finding["clause"]), int(finding["t_us"]), before, after)
