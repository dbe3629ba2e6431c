"""The seam to the rules: a judge for a table, and the clauses of its pack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any, Protocol

from calibration.schema import nearest_text
from calibration.tablefile import Table
from faults import Fault
from pitwatch.chain import sha256_of_file
from rules.clause import Clause
from rules.context import GameContext
from rules.engine import Judge
from rules.event import Event
from rules.packs import PACKS_DIR, clauses_of, load_pack, pack_names, read_pack

Finding = Mapping[str, Any]


class Judges(Protocol):
    """Events in, findings out, as plain values."""

    def step(self, event: Event) -> list[Finding]:
        """The findings that this event decides."""
        ...

    def tick(self, t_us: int) -> list[Finding]:
        """The findings that the mere passing of time decides; no event before `t_us` will follow."""
        ...

    def finish(self, end_us: int) -> list[Finding]:
        """What is still open when the recording ends."""
        ...


def context_of(table: Table, started_at: datetime | None, as_of: date | None) -> GameContext:
    """What the rules know of a table."""
    game, layout = table.game, table.layout
    return GameContext(
        table=table.table,
        pack=game.pack,
        options=game.options,
        decks=game.decks,
        cards=game.cards,
        seats=layout.seats,
        shoe_side=layout.shoe_side,
        signals=table.inputs.signals,
        as_of=as_of,
        recorded_on=None if started_at is None else started_at.date(),
    )


def pack_record(name: str) -> dict[str, Any]:
    """What `run.json` says of a pack: its name, the last day its source vouches for, and the hash of its file."""
    through = load_pack(name).checked_until
    return {
        "name": name,
        "checked_until": None if through is None else through.isoformat(),
        "sha256": sha256_of_file(PACKS_DIR / f"{name}.toml"),
    }


def clause_list(name: str) -> Sequence[Clause]:
    """The clauses of a pack, judged or not.

    Raises:
        Fault: no such pack, or its file is wrong.
    """
    return clauses_of(load_pack(name))


def pack_limit(name: str, number: str) -> float | None:
    """A number of a pack, such as how many cards a cut asks for at least; None if the pack has none of this name.

    Raises:
        Fault: no such pack, or its file is wrong.
    """
    found = load_pack(name).numbers.get(number)
    return float(found.value) if found is not None and isinstance(found.value, int | float) else None


def option_faults(name: str, chosen: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """What is wrong with the options chosen of a pack: each option's name, what was found, and what is expected.

    Raises:
        Fault: no such pack, or its file is wrong.
    """
    known = load_pack(name).options
    faults = []
    for option, value in chosen.items():
        if option not in known:
            faults.append((option, f"the unknown option {option!r}", nearest_text(option, tuple(known))))
        elif not any(value == choice and type(value) is type(choice) for choice in known[option].choices):
            faults.append((option, repr(value), f"one of {list(known[option].choices)}"))
    return faults


def check_pack(path: Path) -> int:
    """How many clauses a pack file has.

    Raises:
        Fault: it is wrong; it holds every problem.
    """
    return len(clauses_of(read_pack(path)))


class _Plain:
    """The rules' judge, its findings as plain values."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge

    def step(self, event: Event) -> list[Finding]:
        return [finding.plain() for finding in self._judge.step(event)]

    def tick(self, t_us: int) -> list[Finding]:
        return [finding.plain() for finding in self._judge.tick(t_us)]

    def finish(self, end_us: int) -> list[Finding]:
        return [finding.plain() for finding in self._judge.finish(end_us)]


def judge_for(table: Table, started_at: datetime | None, as_of: date | None) -> Judges:
    """A new judge for a table.

    Raises:
        Fault: the table file names no pack that is known, or options that it does not have, or the pack's file is
            wrong.
    """
    for option, found, expected in option_faults(table.game.pack, table.game.options):
        raise Fault(
            found,
            where=f"table {table.table}, game.options.{option}",
            why=f"expected {expected}",
            todo="Correct the table file; 'pitwatch check' finds all its faults.",
        )
    return _Plain(Judge(context_of(table, started_at, as_of), load_pack(table.game.pack)))


__all__ = [
    "Finding",
    "Judges",
    "check_pack",
    "clause_list",
    "context_of",
    "judge_for",
    "option_faults",
    "pack_limit",
    "pack_names",
    "pack_record",
]
