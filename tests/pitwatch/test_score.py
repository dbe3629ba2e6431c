"""The score against truths made by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from faults import Fault, InputFault
from pitwatch.figures import share
from pitwatch.folder import findings_of
from pitwatch.matching import match_events
from pitwatch.score import Score, count_events, count_findings, pairs_of, score_folder, score_folders
from pitwatch.score_text import text_of
from tests.pitwatch.fakes import event, finding, write_lines

COUNT = "PA-629a.5(f)-count"


def truth(act: str, accept: list[str], t_us: int = 1_000_000, clause: str = COUNT, **more: Any) -> dict[str, Any]:
    return finding(clause, accept[0], t_us, act=act, accept=accept, **more)


def scored(truths: list[dict[str, Any]], found: list[dict[str, Any]]) -> Score:
    score = Score()
    count_findings(score, truths, found)
    return score


def test_events_match_within_a_second_and_not_beyond() -> None:
    true = [event(1, "card.draw", 5_000_000, source="shoe")]
    assert len(match_events(true, [event(2, "card.draw", 6_000_000)])) == 1
    assert match_events(true, [event(2, "card.draw", 6_000_001)]) == []


def test_events_of_another_kind_never_match() -> None:
    assert match_events([event(1, "card.draw", 0)], [event(2, "card.burn", 0)]) == []


@pytest.mark.parametrize("fact", ["seat", "zone", "hand", "face", "actor", "state"])
def test_a_telling_fact_of_the_truth_must_agree(fact: str) -> None:
    true = [event(1, "card.place", 0, **{fact: "right"})]
    assert match_events(true, [event(2, "card.place", 0, **{fact: "left"})]) == []
    assert match_events(true, [event(2, "card.place", 0)]) == []
    assert len(match_events(true, [event(2, "card.place", 0, **{fact: "right"})])) == 1


def test_a_fact_that_the_truth_leaves_out_does_not_matter() -> None:
    assert len(match_events([event(1, "card.burn", 0)], [event(2, "card.burn", 0, zone="discard", hand="left")])) == 1


def test_each_event_matches_once_and_as_many_as_can_be() -> None:
    true = [event(1, "card.draw", 1_000_000), event(2, "card.draw", 1_900_000)]
    # The greedy choice, nearest first, would pair 1.9 with 1.8 and leave the other two more than a second apart.
    seen = [event(3, "card.draw", 1_800_000), event(4, "card.draw", 2_800_000)]
    pairs = {(one.t_us, other.t_us) for one, other in match_events(true, seen)}
    assert pairs == {(1_000_000, 1_800_000), (1_900_000, 2_800_000)}


def test_f1_counts_what_is_missing_and_what_is_too_much() -> None:
    score = Score()
    true = [event(n, "card.draw", n * 10_000_000) for n in range(4)]
    seen = [event(n, "card.draw", n * 10_000_000 + 200_000) for n in (0, 1, 2, 8, 9)]
    count_events(score, true, seen)
    kind = score.kinds["card.draw"]
    assert (kind.matched, kind.true, kind.seen) == (3, 4, 5)
    assert kind.precision == pytest.approx(3 / 5)
    assert kind.recall == pytest.approx(3 / 4)
    assert kind.f1 == pytest.approx(2 * 3 / 9)


def test_the_macro_mean_is_over_the_kinds_of_the_truth() -> None:
    score = Score()
    true = [event(1, "card.draw", 0), event(2, "card.burn", 0)]
    count_events(score, true, [event(3, "card.draw", 0), event(4, "view.lost", 0), event(5, "signal", 0)])
    assert score.macro_f1 == pytest.approx(0.5)
    assert "signal" not in score.kinds


def test_a_breach_that_got_a_violation_is_found() -> None:
    score = scored([truth("breached", ["violation"])], [finding(COUNT, "violation", 1_200_000)])
    assert (score.found, score.breached, score.false) == (1, 1, 0)
    assert score.confusion[COUNT]["breached", "violation"] == 1
    assert score.accepted[COUNT] == 1


def test_a_breach_that_nobody_could_tell_is_not_asked_for() -> None:
    score = scored([truth("breached", ["indeterminate"])], [finding(COUNT, "indeterminate")])
    assert score.breached == 0
    assert score.accepted[COUNT] == 1


def test_a_violation_on_an_obeyed_occasion_is_false() -> None:
    score = scored([truth("obeyed", ["compliant"])], [finding(COUNT, "violation")])
    assert (score.false, score.obeyed, score.decided, score.decidable) == (1, 1, 0, 1)


def test_one_violation_among_several_findings_of_an_occasion_counts() -> None:
    found = [finding(COUNT, "compliant"), finding(COUNT, "violation", 1_400_000)]
    assert scored([truth("obeyed", ["compliant"])], found).false == 1


def test_an_occasion_without_a_finding_is_missing_even_where_not_observed_is_accepted() -> None:
    score = scored([truth("breached", ["not_observed", "indeterminate"])], [])
    assert score.confusion[COUNT]["breached", "missing"] == 1
    assert score.accepted[COUNT] == 0


def test_a_finding_of_another_occasion_does_not_count() -> None:
    score = scored([truth("breached", ["violation"])], [finding(COUNT, "violation", 60_000_000)])
    assert (score.found, score.breached, score.stray) == (0, 1, 1)


def test_a_finding_belongs_to_the_occasion_that_it_overlaps_most() -> None:
    first = truth("obeyed", ["compliant"], 0) | {"end_us": 10_000_000}
    second = truth("breached", ["violation"], 9_000_000) | {"end_us": 20_000_000}
    late = finding(COUNT, "violation", 9_500_000) | {"end_us": 15_000_000}
    score = scored([first, second], [late])
    assert (score.found, score.false) == (1, 0)


def test_a_withdrawn_finding_does_not_stand() -> None:
    assert scored([truth("obeyed", ["compliant"])], [finding(COUNT, "violation", state="withdrawn")]).false == 0


def test_a_clause_that_the_truth_does_not_list_is_not_judged() -> None:
    score = scored([truth("obeyed", ["compliant"])], [finding("PA-629a.5(f)-bucket", "violation")])
    assert (score.false, score.stray) == (0, 0)


def test_measured_quantities_get_bias_error_and_coverage() -> None:
    def measured(value: float, low: float, high: float) -> dict[str, Any]:
        return {"value": value, "low": low, "high": high, "unit": "cards", "limit": 10}

    truths = [truth("obeyed", ["compliant"], n * 10_000_000, measured=measured(10, 10, 10)) for n in range(4)]
    values = [(10, 10, 10), (11, 10, 12), (13, 12, 14), (10, 9, 11)]
    found = [finding(COUNT, "compliant", n * 10_000_000, measured=measured(*v)) for n, v in enumerate(values)]
    figures = scored(truths, found).quantities[f"{COUNT} (cards)"].to_plain()
    assert figures["count"] == 4
    assert figures["exact"] == 2
    assert figures["bias"] == pytest.approx(1.0)
    assert figures["median_error"] == pytest.approx(0.5)
    assert figures["held"] == pytest.approx(3 / 4)
    assert figures["median_half_width"] == pytest.approx(1.0)


def test_readings_count_answers_and_right_answers() -> None:
    score = Score()
    true = [event(n, "card.burn", n * 5_000_000, rank="K") for n in range(3)]
    seen = [
        event(10, "card.burn", 0, rank="K"),
        event(11, "card.burn", 5_000_000, rank="Q"),
        event(12, "card.burn", 10_000_000),
    ]
    count_events(score, true, seen)
    read = score.readings["card.burn rank"]
    assert (read.asked, read.answered, read.right) == (3, 2, 1)


def test_the_interval_of_nothing_seen_is_the_rule_of_three() -> None:
    none = share(0, 300)
    assert none.low == 0.0
    assert none.high == pytest.approx(1 - 0.025 ** (1 / 300), rel=1e-9)
    assert share(300, 300).high == 1.0
    assert share(0, 0).value is None


def test_counts_of_folders_add_up(tmp_path: Path) -> None:
    for name, verdict in (("one", "violation"), ("two", "compliant")):
        (tmp_path / "truth" / name / "truth").mkdir(parents=True)
        (tmp_path / "review" / name).mkdir(parents=True)
        write_lines(tmp_path / "truth" / name / "truth" / "findings.jsonl", [truth("breached", ["violation"])])
        write_lines(tmp_path / "review" / name / "findings.jsonl", [finding(COUNT, verdict)])
    pairs = pairs_of(tmp_path / "truth", tmp_path / "review")
    total = score_folders(pairs)
    assert (total.folders, total.found, total.breached) == (2, 1, 2)
    assert json.loads(json.dumps(total.to_plain()))["violations_found"]["count"] == 1
    assert "violations found   50.00 % (1 of 2;" in text_of(total)


def test_a_folder_without_anything_is_a_fault(tmp_path: Path) -> None:
    write_lines(tmp_path / "findings.jsonl", [])
    (tmp_path / "empty").mkdir()
    with pytest.raises(Fault, match="it holds neither"):
        score_folder(tmp_path, tmp_path / "empty")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"t_us": "soon"}, "t_us"),
        ({"end_us": True}, "end_us"),
        ({"id": None}, "lacks id"),
        ({"verdict": "guilty"}, "verdict"),
        ({"measured": [6]}, "measured"),
        ({"measured": {"value": "six"}}, "measured"),
        ({"coverage": float("nan")}, "coverage"),
        ({"events": "E1"}, "events"),
        ({"act": "did it"}, "act"),
        ({"accept": "violation"}, "accept"),
        ({"accept": []}, "accept"),
        ({"state": "open"}, "state"),
    ],
)
def test_a_line_that_is_no_finding_is_refused_with_its_place(
    tmp_path: Path, changed: dict[str, object], said: str
) -> None:
    write_lines(tmp_path / "findings.jsonl", [finding(), finding(t_us=5) | changed])
    with pytest.raises(InputFault, match=said) as caught:
        findings_of(tmp_path)
    assert caught.value.where.endswith("findings.jsonl:2")
