"""Rule packs: what comes with the program, and what is refused."""

from __future__ import annotations

import ast
import sys
from datetime import date
from pathlib import Path

import pytest

import rules
from faults import Fault, InputFault
from rules.clause import Clause, Needs
from rules.judge import clause_list
from rules.packs import PACKS_DIR, PackFault, load_pack, pack_from_text, pack_names, read_pack

PACK = (PACKS_DIR / "pa58" / "629a.toml").read_text(encoding="utf-8")


def changed(*changes: tuple[str, str]) -> str:
    text = PACK
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def faults_of(text: str) -> tuple[str, ...]:
    with pytest.raises(PackFault) as caught:
        pack_from_text(text, "pack.toml")
    return caught.value.problems


def test_the_burn_values_are_those_of_the_code() -> None:
    values = load_pack("pa58/629a").number("burn_values")
    assert [values[rank] for rank in ("A", "2", "9", "10", "J", "Q", "K")] == [1, 2, 9, 10, 10, 10, 10]


def test_every_pack_loads_under_its_own_name_and_every_value_has_a_reference() -> None:
    assert pack_names() == ["pa58/629a"]
    for name in pack_names():
        pack = load_pack(name)
        assert pack.name == name
        assert pack.checked_until == date(2024, 12, 7)
        assert pack.in_force_from is None
        references = [number.reference for number in pack.numbers.values()]
        references += [option.reference for option in pack.options.values()]
        references += [exemption.reference for exemption in pack.exemptions]
        assert all(references)


def test_the_clauses_are_the_twenty_five_rows_and_all_are_judged() -> None:
    clauses = clause_list("pa58/629a")
    assert len({clause.id for clause in clauses}) == len(clauses) == 25
    assert all(clause.judged for clause in clauses)
    assert [clause.id[9:12] for clause in clauses] == [
        f"({letter})" for letter, rows in zip("abcdef", (3, 5, 2, 6, 3, 6), strict=True) for _ in range(rows)
    ]
    assert {clause.severity for clause in clauses} == {"critical", "major", "minor"}
    known = load_pack("pa58/629a").options
    assert {name for clause in clauses for name in clause.options} == set(known)
    for clause in clauses:
        assert clause.paraphrase.endswith(".")
        assert clause.citation == f"58 Pa. Code § {clause.id[3:12]}"
        assert clause.needs.events
        assert clause.how
        assert clause.checked_until == date(2024, 12, 7)


def test_an_unknown_pack_names_the_nearest() -> None:
    with pytest.raises(Fault, match="nearest is 'pa58/629a'"):
        load_pack("pa58/629b")


def test_all_faults_are_told_at_once_with_line_key_and_what_was_expected() -> None:
    text = changed(
        ("value = 0.95", "value = 95"),
        ("[numbers.lookback_s]", "[numbers.lookbak_s]"),
        ('-count" = "major"', '-count" = "majr"'),
        ("Q = 10", "Q = 0"),
        ('in_force_from = "unknown"', 'in_force_from = "never"'),
        ("title = ", "titel = "),
        ("default = true", 'default = "yes"'),
        ('"PA-629a.5(a)-intermix"', '"PA-629a.5(a)-intermx"'),
    )
    told = "\n".join(faults_of(text))
    for expected in (
        "numbers.coverage_share.value: found 95, expected a share between 0 and 1",
        "numbers.lookbak_s: found unknown 'lookbak_s', expected 'lookback_s'",
        "numbers: found nothing, expected the key 'lookback_s'",
        "severity.PA-629a.5(f)-count: found 'majr', expected one of critical",
        "numbers.burn_values.value: found",
        "text.in_force_from: found 'never', expected a day",
        "titel: found unknown 'titel', expected 'title'",
        "options.cards_on_felt_count.default: found 'yes', expected one of [True, False]",
        "found unknown 'PA-629a.5(a)-intermx', expected 'PA-629a.5(a)-intermix'",
    ):
        assert expected in told
    lines = text.splitlines()
    for problem in faults_of(text):
        line = int(problem.split(":")[1]) if problem.split(":")[1].isdigit() else None
        if "lookbak_s" in problem:
            assert line == lines.index("[numbers.lookbak_s]") + 1
        if "titel" in problem:
            assert line == 4


def test_two_exemptions_that_can_both_apply_need_an_order() -> None:
    problems = faults_of(changed(("order = 2\n", "")))
    assert len(problems) == 1
    assert "'preshuffled cards' and 'shuffled by a device' can both apply to PA-629a.5(a)-feather" in problems[0]
    assert "a different 'order' in each" in faults_of(changed(("order = 2", "order = 1")))[0]


def test_exemptions_that_exclude_each_other_need_none() -> None:
    text = changed(
        ("order = 1\n", ""),
        ("order = 2\n", ""),
        ('signal = "shuffle_method"\nvalue = "device"', 'signal = "preshuffled"\nvalue = false'),
    )
    assert [exemption.order for exemption in pack_from_text(text, "p").exemptions] == [None, None]


@pytest.mark.parametrize("text", ["not = [toml", "", "pack = 3", "\x00"])
def test_a_text_that_is_no_pack_is_refused(text: str) -> None:
    assert faults_of(text)


def test_a_missing_file_is_an_input_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match="cannot read the rule pack"):
        read_pack(tmp_path / "none.toml")


@pytest.mark.parametrize(
    ("first", "last", "checked", "day", "known"),
    [
        ("2012-06-01", None, "2024-12-07", "2012-05-31", False),
        ("2012-06-01", None, "2024-12-07", "2012-06-01", True),
        ("2012-06-01", None, "2024-12-07", "2024-12-07", True),
        ("2012-06-01", None, "2024-12-07", "2024-12-08", None),
        ("2012-06-01", "2020-01-01", None, "2020-01-01", True),
        ("2012-06-01", "2020-01-01", None, "2020-01-02", False),
        (None, None, "2024-12-07", "2020-01-01", None),
    ],
)
def test_whether_a_text_is_in_force(
    first: str | None, last: str | None, checked: str | None, day: str, known: bool | None
) -> None:
    days = [None if text is None else date.fromisoformat(text) for text in (first, last, checked)]
    clause = Clause(
        "x", "y", "z.", "shoe", Needs(), in_force_from=days[0], in_force_until=days[1], checked_until=days[2]
    )
    assert clause.in_force(date.fromisoformat(day)) is known


def test_the_rules_import_nothing_but_the_standard_library_and_faults() -> None:
    for path in Path(rules.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                room = name.split(".")[0]
                assert room in ("rules", "faults") or room in sys.stdlib_module_names, f"{path}: {name}"
