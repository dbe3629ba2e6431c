"""`pitwatch check`: which kind of file it is, and all its faults at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from calibration.points import read_points
from calibration.schema import FileFault, nearest_text, read_document
from calibration.tablefile import Table, TableFileFault, load_table
from faults import Fault
from pitwatch.judging import check_pack, option_faults, pack_names
from pitwatch.signals import read_signals
from pitwatch.site import load_site
from vision.fits import refuse_unfit

#: Any start will do for signals: whether the clock is known is the review's matter.
ANY_START = datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of one file."""

    exit_code: int
    text: str


class UnknownFileFault(FileFault):
    """A file of which nobody can say what it is."""

    kind = "file"


class SeveralFaults(Fault):
    """Faults of several kinds at once."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        first = faults[0]
        super().__init__(first.what, where=first.where, why=first.why, todo=first.todo)
        self.faults = tuple(faults)
        self.exit_code = max(fault.exit_code for fault in faults)

    def __str__(self) -> str:
        return "\n".join(str(fault) for fault in self.faults)


def check_file(path: Path) -> Checked:
    """Checks one file; every fault in it is in the text."""
    try:
        return Checked(0, f"{path}: {_checked(path)}")
    except Fault as fault:
        return Checked(fault.exit_code, str(fault))


def _checked(path: Path) -> str:
    """What the file is, in a few words, if nothing is wrong with it."""
    if path.suffix.lower() == ".jsonl":
        count = len(read_signals(path, "table", ANY_START))
        return f"signals, {count} of them, in order"
    keys = read_document(path, UnknownFileFault).root
    for key, check in KINDS.items():
        if keys.get(key) is not None:
            return check(path)
    keys.bad("a site ([site]), a points file ([[points]]), a table (table = ...) or a rule pack (pack = ...)")
    raise UnknownFileFault(keys.document.problems)


def _site(path: Path) -> str:
    site = load_site(path)
    faults: list[Fault] = []
    for place in site.tables:
        faults += _faults_of(partial(_refuse_game, place.table, place.path), partial(refuse_unfit, place.table))
        if place.signals is not None:
            faults += _faults_of(partial(read_signals, place.signals, place.table.table, ANY_START))
    _raise(faults)
    return f"site {site.name}, {len(site.tables)} tables, in order"


def _points(path: Path) -> str:
    return f"points file, {len(read_points(path).pairs.names)} pairs, in order"


def _table(path: Path) -> str:
    table = load_table(path)
    _raise(_faults_of(partial(_refuse_game, table, path), partial(refuse_unfit, table)))
    return f"table {table.table}, {table.game.pack}, in order"


def _faults_of(*checks: Callable[[], object]) -> list[Fault]:
    """The faults that some checks find."""
    found: list[Fault] = []
    for check in checks:
        try:
            check()
        except Fault as fault:
            found.append(fault)
    return found


def _raise(faults: Sequence[Fault]) -> None:
    """Tells of the faults, if there are any."""
    if len(faults) == 1:
        raise faults[0]
    if faults:
        raise SeveralFaults(faults)


def _refuse_game(table: Table, path: Path) -> None:
    """Whether the pack and its options exist is for the rules to say; where they stand, for the file."""
    document = read_document(path, TableFileFault)
    game = document.root.get("game")
    pack, options = (game.get("pack"), game.get("options")) if game else (None, None)
    if pack is not None and table.game.pack not in pack_names():
        pack.bad(nearest_text(table.game.pack, pack_names()), f"the unknown pack {table.game.pack!r}")
    elif options is not None:
        for name, found, expected in option_faults(table.game.pack, table.game.options):
            option = options.get(name)
            if option is not None:
                option.bad(expected, found)
    if document.problems:
        raise TableFileFault(document.problems)


def _pack(path: Path) -> str:
    return f"rule pack, {check_pack(path)} clauses, in order"


#: By a key that only this kind of file has.
KINDS: dict[str, Callable[[Path], str]] = {"site": _site, "points": _points, "table": _table, "pack": _pack}
