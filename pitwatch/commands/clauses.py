"""Lists the clauses of the packs.

For each: what it asks, what it needs, how and how often it is decided, since when it is in force.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from calibration.schema import nearest_text
from faults import Fault
from pitwatch.judging import clause_list, pack_names
from rules.clause import Clause
from rules.event import KINDS


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's arguments."""
    parser.add_argument("pack", nargs="?", metavar="PACK", help="one pack, such as pa58/629a; without it, all")
    parser.add_argument("--events", action="store_true", help="list the kinds of event and their facts instead")
    parser.add_argument("--clause", metavar="ID", help="one clause by its id")


def run(options: argparse.Namespace) -> int:
    """Prints the list."""
    lines = event_lines() if options.events else clause_lines(options.pack, options.clause)
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def event_lines() -> Iterator[str]:
    """The vocabulary of events."""
    for kind, facts in KINDS.items():
        yield f"{kind:<16} {', '.join(sorted(facts))}"


def clause_lines(pack: str | None, wanted: str | None) -> Iterator[str]:
    """The clauses, each in a few lines."""
    packs = {name: clause_list(name) for name in ([pack] if pack else pack_names())}
    known = [clause.id for clauses in packs.values() for clause in clauses]
    if wanted is not None and wanted not in known:
        raise Fault(
            f"unknown clause {wanted!r}",
            where=", ".join(packs),
            why=f"expected {nearest_text(wanted, known)}",
            todo="'pitwatch clauses' lists them all.",
        )
    for name, clauses in packs.items():
        judged = sum(clause.judged for clause in clauses)
        yield f"{name}: {len(clauses)} clauses, {judged} judged by this version"
        for clause in clauses:
            if wanted in (None, clause.id):
                yield from _clause(clause)


def _clause(clause: Clause) -> Iterator[str]:
    begun = "unknown day" if clause.in_force_from is None else clause.in_force_from.isoformat()
    until = "" if clause.in_force_until is None else f" until {clause.in_force_until.isoformat()}"
    yield ""
    yield f"{clause.id}   {clause.citation}   {'judged' if clause.judged else 'not judged yet'}"
    yield f"  {clause.paraphrase}"
    yield f"  needs: {clause.needs.text() or '-'}"
    if clause.how:
        yield f"  decided: {clause.how}"
    yield f"  once per {clause.occasion}; severity {clause.severity}; in force since {begun}{until}"
    if clause.options:
        yield f"  depends on the licensee's options {', '.join(clause.options)}"
