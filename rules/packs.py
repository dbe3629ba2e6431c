"""Reads rule packs: dated TOML files with a reference beside each value, checked as a whole.

All faults of a file are reported at once, each with file, line and key. `load_pack("pa58/629a")` reads the pack that
comes with this version; `read_pack(path)` any other of the same form.
"""

from __future__ import annotations

import dataclasses
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from faults import Fault, InputFault
from rules.chapters import CHAPTERS
from rules.clause import Clause
from rules.pack import SEVERITIES, Exemption, Number, Option, Pack
from rules.packcheck import Checker, number_fault
from rules.ruling import Chapter

PACKS_DIR = Path(__file__).parent / "packs"
DATES = ("in_force_from", "in_force_until", "checked_until")


class PackFault(Fault):
    """A rule pack with one or more faults; `problems` holds a line for each."""

    def __init__(self, path: str, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        count = len(problems)
        super().__init__(
            f"{count} fault{'s' if count > 1 else ''} in the rule pack",
            where=path,
            why="\n  ".join(["", *problems]),
            todo="Correct the pack.",
        )


def pack_names() -> list[str]:
    """The packs that come with this version, such as "pa58/629a"."""
    return sorted(path.relative_to(PACKS_DIR).with_suffix("").as_posix() for path in PACKS_DIR.rglob("*.toml"))


def chapter_of(name: str, where: str = "pack") -> Chapter:
    """The chapter of a pack.

    Raises:
        Fault: this version knows no such pack; the message names the nearest.
    """
    if name in CHAPTERS:
        return CHAPTERS[name]
    near = get_close_matches(name, CHAPTERS, 1, 0.4)
    hint = f", nearest is {near[0]!r}" if near else ""
    raise Fault(
        f"unknown rule pack {name!r}",
        where=where,
        why=f"expected one of {', '.join(sorted(CHAPTERS))}{hint}",
        todo="'pitwatch clauses' lists the packs.",
    )


def load_pack(name: str) -> Pack:
    """The pack of that name that comes with this version.

    Raises:
        Fault: there is none.
        PackFault: the file has faults.
    """
    return read_pack(PACKS_DIR / f"{chapter_of(name).name}.toml")


def read_pack(path: Path) -> Pack:
    """The pack in a file.

    Raises:
        InputFault: it cannot be read.
        PackFault: it has faults; all of them are named.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputFault(
            "cannot read the rule pack",
            where=str(path),
            why=str(error),
            todo="Check the path and that it is UTF-8 text.",
        ) from error
    return pack_from_text(text, str(path))


def pack_from_text(text: str, where: str) -> Pack:
    """The pack in a text; `where` names it in faults."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise PackFault(where, [f"{where}: not TOML: {error}"]) from error
    check = Checker(where, text)
    pack = _pack(raw, check)
    if check.problems:
        raise PackFault(where, check.problems)
    return pack


def _pack(raw: Mapping[str, Any], check: Checker) -> Pack:
    check.keys(
        raw, (), ("pack", "title", "text", "numbers", "options", "exemptions", "severity"), ("pack", "title", "text")
    )
    name = str(raw.get("pack", ""))
    chapter = CHAPTERS.get(name)
    if chapter is None:
        check.problem(("pack",), repr(name), f"one of {', '.join(sorted(CHAPTERS))}")
        chapter = Chapter(name, (), {}, (), lambda pack, chosen: ())
    text = check.table(raw.get("text", {}), ("text",))
    check.keys(text, ("text",), ("source", "url", *DATES), ("source", *DATES))
    dates = {key: _date(text.get(key), ("text", key), check) for key in DATES}
    ids = [clause.id for clause in chapter.clauses]
    return Pack(
        name=name,
        title=str(raw.get("title", "")),
        source=str(text.get("source", "")),
        url=text.get("url"),
        numbers=_numbers(check.table(raw.get("numbers", {}), ("numbers",)), chapter, check),
        options=_options(check.table(raw.get("options", {}), ("options",)), chapter, check),
        exemptions=_exemptions(raw.get("exemptions", []), ids, check),
        severity=_severity(check.table(raw.get("severity", {}), ("severity",)), ids, check),
        **dates,
    )


def _date(value: Any, path: tuple[str, ...], check: Checker) -> date | None:
    if value == "unknown" or value is None:
        return None
    if type(value) is date:
        return value
    check.problem(path, repr(value), 'a day such as 2024-12-07, or "unknown"')
    return None


def _numbers(raw: Mapping[str, Any], chapter: Chapter, check: Checker) -> dict[str, Number]:
    check.keys(raw, ("numbers",), tuple(chapter.numbers), tuple(chapter.numbers))
    found = {}
    for name, value in raw.items():
        path = ("numbers", name)
        table = check.table(value, path)
        check.keys(table, path, ("value", "reference"), ("value", "reference"))
        if name in chapter.numbers and "value" in table:
            fault = number_fault(table["value"], chapter.numbers[name])
            if fault:
                check.problem((*path, "value"), repr(table["value"]), fault)
        found[name] = Number(table.get("value"), str(table.get("reference", "")))
    return found


def _options(raw: Mapping[str, Any], chapter: Chapter, check: Checker) -> dict[str, Option]:
    check.keys(raw, ("options",), chapter.options, chapter.options)
    found = {}
    for name, value in raw.items():
        path = ("options", name)
        table = check.table(value, path)
        check.keys(table, path, ("default", "choices", "reference"), ("default", "choices", "reference"))
        choices = table.get("choices", [])
        if not isinstance(choices, list) or table.get("default") not in choices:
            check.problem((*path, "default"), repr(table.get("default")), f"one of {choices}")
            continue
        found[name] = Option(table["default"], tuple(choices), str(table.get("reference", "")))
    return found


def _exemptions(raw: Any, ids: Sequence[str], check: Checker) -> tuple[Exemption, ...]:
    fields = ("name", "clauses", "signal", "value", "order", "reference")
    found = []
    for number, value in enumerate(raw if isinstance(raw, list) else []):
        path = ("exemptions", str(number))
        table = check.table(value, path)
        check.keys(table, path, fields, ("name", "clauses", "signal", "value", "reference"))
        clauses = tuple(map(str, table.get("clauses", ())))
        for clause in clauses:
            if clause not in ids:
                check.unknown((*path, "clauses"), clause, ids)
        order = table.get("order")
        if order is not None and (isinstance(order, bool) or not isinstance(order, int)):
            check.problem((*path, "order"), repr(order), "a whole number")
            order = None
        name, signal = str(table.get("name", "")), str(table.get("signal", ""))
        found.append(Exemption(name, clauses, signal, table.get("value"), order, str(table.get("reference", ""))))
    _check_order(found, check)
    return tuple(found)


def _check_order(exemptions: Sequence[Exemption], check: Checker) -> None:
    """Two exemptions that can both apply to a clause must say which one is named.

    Two values of one signal never hold together, so those need no order.
    """
    for i, one in enumerate(exemptions):
        for other in exemptions[i + 1 :]:
            both = [clause for clause in one.clauses if clause in other.clauses]
            exclusive = one.signal == other.signal and one.value != other.value
            if both and not exclusive and (one.order is None or other.order is None or one.order == other.order):
                place = ("exemptions", str(exemptions.index(other)), "order")
                found = f"{one.name!r} and {other.name!r} can both apply to {both[0]}"
                check.problem(place, found, "a different 'order' in each")


def _severity(raw: Mapping[str, Any], ids: Sequence[str], check: Checker) -> dict[str, str]:
    for clause, level in raw.items():
        if clause not in ids:
            check.unknown(("severity",), clause, ids)
        if level not in SEVERITIES:
            check.problem(("severity", clause), repr(level), f"one of {', '.join(SEVERITIES)}")
    return {clause: str(level) for clause, level in raw.items()}


def clauses_of(pack: Pack) -> tuple[Clause, ...]:
    """The headers of the pack's clauses, judged or not, with its dates and severities, in the text's order."""
    return tuple(dated(clause, pack) for clause in chapter_of(pack.name).clauses)


def dated(clause: Clause, pack: Pack) -> Clause:
    """A header with the pack's dates and severity."""
    return dataclasses.replace(
        clause,
        url=pack.url,
        severity=pack.severity.get(clause.id, clause.severity),
        in_force_from=pack.in_force_from,
        in_force_until=pack.in_force_until,
        checked_until=pack.checked_until,
    )


def check_options(pack: Pack, chosen: Mapping[str, Any], where: str) -> None:
    """Refuses options that the pack does not know, or values that it does not offer.

    Raises:
        PackFault: naming each, with the nearest known one.
    """
    check = Checker(where, "")
    for name, value in chosen.items():
        option = pack.options.get(name)
        if option is None:
            check.unknown(("game", "options"), name, tuple(pack.options))
        elif not any(value == choice and type(value) is type(choice) for choice in option.choices):
            check.problem(("game", "options", name), repr(value), f"one of {list(option.choices)}")
    if check.problems:
        raise PackFault(where, check.problems)
