"""A step that is breached again and again: one line where a director would otherwise have to count.

One breach is a slip; the same one at three shoes is how the table is dealt, and somebody has to be told so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pitwatch.shoes import Occasion

#: From so many shoes on, the same breach is a pattern.
LEAST_SHOES = 3


@dataclass(frozen=True, slots=True)
class Pattern:
    """A clause that was breached at several shoes.

    Attributes:
        clause: its id.
        shoes: the numbers of the shoes, from 1, at which it was breached.
        judged: at how many shoes it was found either breached or obeyed.
    """

    clause: str
    shoes: tuple[int, ...]
    judged: int

    @property
    def words(self) -> str:
        """The line of the report."""
        numbers = ", ".join(map(str, self.shoes[:-1]))
        others = self.judged - len(self.shoes)
        rest = f"obeyed at {others}" if others else "never seen obeyed"
        return f"breached at {len(self.shoes)} shoes ({numbers} and {self.shoes[-1]}), {rest}"


def patterns(occasions: Sequence[Occasion]) -> list[Pattern]:
    """What was breached at `LEAST_SHOES` shoes or more, the most frequent first; shoes in order of time."""
    breached: dict[str, list[int]] = {}
    judged: dict[str, set[int]] = {}
    for number, occasion in enumerate(occasions, start=1):
        for finding in occasion.findings:
            clause, verdict = str(finding["clause"]), finding["verdict"]
            if verdict in ("violation", "compliant"):
                judged.setdefault(clause, set()).add(number)
            if verdict == "violation" and number not in breached.setdefault(clause, []):
                breached[clause].append(number)
    found = [Pattern(c, tuple(shoes), len(judged[c])) for c, shoes in breached.items() if len(shoes) >= LEAST_SHOES]
    return sorted(found, key=lambda pattern: (-len(pattern.shoes), pattern.clause))
