"""The engine: order within the latency, live and in review, hidden moments, and the limits that carry the verdicts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from faults import Fault
from rules.engine import LATENCY_US, Judge
from rules.event import Event
from rules.finding import Finding, State, Verdict
from rules.judge import standing
from rules.pa58 import ch629a
from rules.pack import Exemption, Number
from rules.packs import clauses_of, load_pack
from rules.skeletons.tally import Interval
from tests.rules.scenarios import US, Scenario, scenarios

ROWS = scenarios("629a5f.toml")
ROW = {row.name: row for row in ROWS}
QUICK = settings(max_examples=80, deadline=None)
CLAUSES = [clause.id for clause in clauses_of(load_pack("pa58/629a"))]
WEAKER = {
    Verdict.COMPLIANT: {Verdict.COMPLIANT, Verdict.INDETERMINATE, Verdict.NOT_OBSERVED},
    Verdict.VIOLATION: {Verdict.VIOLATION, Verdict.INDETERMINATE, Verdict.NOT_OBSERVED},
    Verdict.INDETERMINATE: {Verdict.INDETERMINATE, Verdict.NOT_OBSERVED},
    Verdict.NOT_OBSERVED: {Verdict.NOT_OBSERVED},
    Verdict.NOT_APPLICABLE: {Verdict.NOT_APPLICABLE, Verdict.NOT_OBSERVED},
}


def by_id(findings: list[Finding]) -> dict[str, Finding]:
    return {finding.id: finding for finding in findings}


def live(row: Scenario, delays_us: list[int], frame_us: int = 200_000) -> list[Finding]:
    """The findings when every event is told some time after its end, and `tick` follows every frame."""
    judge = Judge(row.context, row.pack)
    told = [one.end_us + delay_us for one, delay_us in zip(row.events, delays_us, strict=True)]
    coming = sorted(zip(told, range(len(told)), row.events, strict=True))
    found: list[Finding] = []
    for now_us in range(0, max(row.end_us, told[-1], *told) + frame_us, frame_us):
        while coming and coming[0][0] <= now_us:
            found += judge.step(coming.pop(0)[2])
        found += judge.tick(now_us - LATENCY_US)
    return found + judge.finish(row.end_us)


@QUICK
@given(st.sampled_from(ROWS), st.randoms(use_true_random=False))
def test_events_told_late_give_the_same_findings_live_as_in_review(row: Scenario, rng: Random) -> None:
    delays = [rng.randrange(0, LATENCY_US // 2) for _ in row.events]
    assert standing(live(row, delays), CLAUSES) == row.judge()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_events_told_at_once_give_the_same_findings_live_as_in_review(row: Scenario) -> None:
    assert standing(live(row, [0] * len(row.events)), CLAUSES) == row.judge()


@QUICK
@given(st.sampled_from(ROWS), st.randoms(use_true_random=False))
def test_the_order_in_which_events_are_told_does_not_matter(row: Scenario, rng: Random) -> None:
    ordered = sorted(row.events, key=lambda one: one.end_us)
    told = sorted(ordered, key=lambda one: one.end_us + rng.randrange(0, LATENCY_US // 2))
    judge = Judge(row.context, row.pack)
    found = [finding for one in told for finding in judge.step(one)]
    assert standing(found + judge.finish(row.end_us), CLAUSES) == row.judge()


@settings(max_examples=250, deadline=None)
@given(
    st.sampled_from(ROWS),
    st.sampled_from(["shoe", "discard", "shuffle", "table", "elsewhere"]),
    st.integers(0, 25_000_000),
    st.integers(1, 25_000_000),
    st.booleans(),
)
def test_a_moment_hidden_keeps_a_verdict_or_weakens_it(
    row: Scenario, zone: str, start_us: int, length_us: int, back: bool
) -> None:
    lost = Event(
        "L1", "midi-3", "view.lost", start_us, start_us + (0 if back else length_us), {"zone": zone, "cause": "x"}
    )
    seen = Event("L2", "midi-3", "view.back", start_us + length_us, start_us + length_us, {"zone": zone, "cause": "x"})
    before = by_id(row.judge())
    after = by_id(row.judge([*row.events, lost, *([seen] if back else [])]))
    assert before.keys() == after.keys()
    for one, finding in before.items():
        assert after[one].verdict in WEAKER[finding.verdict], finding.clause
        assert after[one].coverage <= finding.coverage


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(ROWS), st.data())
def test_a_burn_that_is_not_told_accuses_nobody_while_its_draw_is(row: Scenario, data: st.DataObject) -> None:
    burns = [
        e for e in row.events if e.kind == "card.burn" and e.facts.get("index") != 0 and e.facts.get("card") is None
    ]
    drawn = [e for e in burns if any(d.kind == "card.draw" and d.end_us <= e.t_us for d in row.events)]
    if not drawn:
        return
    dropped = data.draw(st.sampled_from(drawn))
    before, after = by_id(row.judge()), by_id(row.judge([e for e in row.events if e.id != dropped.id]))
    for one, finding in after.items():
        if (
            one in before
            and before[one].verdict is Verdict.COMPLIANT
            and finding.clause.endswith(("count", "facedown"))
        ):
            assert finding.verdict is not Verdict.VIOLATION


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(ROWS), st.sampled_from(["card.burn", "card.exposed", "card.place"]), st.integers(0, 20_000_000))
def test_an_event_too_unsure_to_count_accuses_nobody(row: Scenario, kind: str, t_us: int) -> None:
    facts: dict[str, dict[str, Any]] = {
        "card.burn": {"zone": "discard", "face": "up", "index": 3},
        "card.place": {"zone": "elsewhere", "face": "down"},
        "card.exposed": {"zone": "discard"},
    }
    doubt = Event("D1", "midi-3", kind, t_us, t_us, {**facts[kind], "card": 999}, 0.4)
    after = by_id(row.judge([*row.events, doubt]))
    for one, finding in by_id(row.judge()).items():
        if one in after and finding.verdict is not Verdict.VIOLATION:
            assert after[one].verdict is not Verdict.VIOLATION, finding.clause


def test_a_finding_is_pending_until_it_is_closed_under_the_same_id() -> None:
    row = ROW["seven burned on a seven"]
    told = [finding for finding in live(row, [0] * len(row.events)) if "(f)" in finding.clause]
    pending = [finding for finding in told if finding.state is State.PENDING]
    closed = [finding for finding in told if finding.state is State.CLOSED]
    assert told[:6] == pending
    assert {f.id for f in pending} == {f.id for f in closed}
    assert len(pending) == len({f.id for f in closed}) == 6
    assert {f.verdict for f in pending} == {Verdict.NOT_OBSERVED}


def test_a_breach_is_told_at_the_event_that_decides_it() -> None:
    row = ROW["eleven burned on an ace"]
    judge = Judge(row.context, row.pack)
    second = sorted(row.events, key=lambda e: e.end_us)
    told = [(e, f) for e in second for f in judge.step(e) if f.verdict is Verdict.VIOLATION]
    deciding, finding = told[0]
    assert deciding.facts["index"] == 2
    assert (finding.clause, finding.state, finding.end_us) == ("PA-629a.5(f)-count", State.CLOSED, deciding.end_us)


def test_a_view_lost_that_is_told_late_takes_a_breach_back() -> None:
    row = ROW["six burned on a king"]
    judge = Judge(row.context, row.pack)
    found = [f for e in sorted(row.events, key=lambda e: e.end_us) for f in judge.step(e)]
    count = next(f for f in found if f.verdict is Verdict.VIOLATION)
    late = judge.step(Event("L", "midi-3", "view.lost", 7 * US, 10 * US, {"zone": "shoe", "cause": "gap"}))
    assert [(f.id, f.verdict) for f in late if f.id == count.id] == [(count.id, Verdict.INDETERMINATE)]


def test_an_occasion_that_turns_out_to_be_none_is_withdrawn() -> None:
    row = ROW["a second stack at the shoe in the midst of the burn is no new shoe"]
    judge = Judge(row.context, row.pack)
    loads = [e for e in row.events if e.kind == "shoe.load"]
    found = [finding for finding in judge.step(loads[1]) if "(f)" in finding.clause]
    assert {f.state for f in found} == {State.PENDING}
    for one in [e for e in sorted(row.events, key=lambda e: e.end_us) if e is not loads[1] and e.id != loads[1].id]:
        found += judge.step(one)
    withdrawn = {f.id for f in found if f.state is State.WITHDRAWN and "(f)" in f.clause}
    assert withdrawn == {f.id for f in found[:6]}
    assert standing(found + judge.finish(row.end_us), CLAUSES) == row.judge()


def test_a_long_watch_forgets_what_is_over_and_judges_each_shoe_alike() -> None:
    row = ROW["six burned on a king"]
    judge = Judge(row.context, row.pack)
    found: list[Finding] = []
    for shoe in range(30):
        for one in sorted(row.events, key=lambda e: e.end_us):
            moved = replace(
                one, id=f"{shoe}-{one.id}", t_us=one.t_us + shoe * 60 * US, end_us=one.end_us + shoe * 60 * US
            )
            found += judge.step(moved)
            at = moved.end_us
            judge.step(Event(f"v{at}", "midi-3", "view.lost", at, at + 1, {"zone": "tray", "cause": "hand"}))
    found += judge.finish(31 * 60 * US)
    verdicts = [f.verdict for f in standing(found) if f.clause.endswith("count")]
    assert verdicts == [Verdict.VIOLATION] * 30
    thread = judge._threads[0]
    assert len(thread._recent) < 40
    assert len(thread._said) <= 12
    assert len(judge._view) < 200


def test_another_table_has_other_ids_and_judging_again_the_same() -> None:
    row = ROW["six burned on a king"]
    other = Judge(replace(row.context, table="midi-4"), row.pack)
    found = [f for one in row.events for f in other.step(one)] + other.finish(row.end_us)
    assert [f.id for f in row.judge()] == [f.id for f in row.judge()]
    assert not {f.id for f in found} & {f.id for f in row.judge()}


def test_no_events_are_no_findings() -> None:
    row = ROW["seven burned on a seven"]
    judge = Judge(row.context, row.pack)
    assert judge.tick(10**9) == []
    assert judge.finish(10**9) == []


def test_unknown_options_are_refused() -> None:
    row = ROW["six burned on a king"]
    with pytest.raises(Fault, match="cards_on_felt_count"):
        Judge(replace(row.context, options={"card_on_felt_count": True}), row.pack)
    with pytest.raises(Fault, match="True, False"):
        Judge(replace(row.context, options={"cards_on_felt_count": 1}), row.pack)


@pytest.mark.parametrize(
    ("signals", "verdict", "exception"),
    [
        ({"name": "preshuffled", "value": True}, Verdict.NOT_APPLICABLE, "a test"),
        ({"name": "preshuffled", "value": False}, Verdict.VIOLATION, None),
        ({"name": "preshuffled", "value": None}, Verdict.INDETERMINATE, None),
        ({"name": "bank", "value": "house"}, Verdict.INDETERMINATE, None),
    ],
)
def test_an_exemption_switches_a_clause_off_and_an_unknown_gate_makes_no_violation(
    signals: dict[str, Any], verdict: Verdict, exception: str | None
) -> None:
    row = ROW["six burned on a king"]
    exemption = Exemption("a test", ("PA-629a.5(f)-count",), "preshuffled", True, 1, "none")
    pack = replace(row.pack, exemptions=(exemption,))
    told = Event("S", "midi-3", "signal", 0, 0, signals)
    count = row.of_its_shoe(row.judge([told, *row.events], pack))["count"]
    assert (count.verdict, count.exception) == (verdict, exception)


def _with_value(rank: str, value: int) -> Callable[[pytest.MonkeyPatch], None]:
    pack = load_pack("pa58/629a")
    numbers = {**pack.numbers, "burn_values": Number({**pack.number("burn_values"), rank: value}, "wrong")}
    changed = replace(pack, numbers=numbers)
    return lambda patch: patch.setattr("tests.rules.scenarios.load_pack", lambda name: changed)


def _with_number(name: str, value: Any) -> Callable[[pytest.MonkeyPatch], None]:
    pack = load_pack("pa58/629a")
    changed = replace(pack, numbers={**pack.numbers, name: Number(value, "wrong")})
    return lambda patch: patch.setattr("tests.rules.scenarios.load_pack", lambda _: changed)


def _with_comparison(verdict: Callable[[Interval, Interval], Verdict]) -> Callable[[pytest.MonkeyPatch], None]:
    return lambda patch: patch.setattr(ch629a, "compare", verdict)


def _yes(obeyed: bool) -> Verdict:
    return Verdict.COMPLIANT if obeyed else Verdict.VIOLATION


MUTANTS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "a queen counts nothing": _with_value("Q", 0),
    "an ace counts eleven": _with_value("A", 11),
    "a seven counts six": _with_value("7", 6),
    "more is fine": _with_comparison(lambda count, value: _yes(count.high >= value.low)),
    "fewer is fine": _with_comparison(lambda count, value: _yes(count.low <= value.high)),
    "one fewer is fine": _with_comparison(
        lambda count, value: _yes(value.low - 1 <= count.high and count.low <= value.high)
    ),
    "what may be right is right": _with_comparison(
        lambda count, value: _yes(count.low <= value.high and value.low <= count.high)
    ),
    "nobody needs to have looked": lambda patch: patch.setattr(
        "rules.skeletons.tally.Tolerances.looked", lambda *_: True
    ),
    "nothing can pass unseen": lambda patch: patch.setattr(
        "rules.skeletons.tally.Tolerances.hidden_cards", lambda *_: 0
    ),
    "less than half in view is enough": lambda patch: patch.setattr(
        "rules.skeletons.tally.Tolerances.blind", lambda *_: False
    ),
    "a draw takes a second": _with_number("draw_period_min_s", 1.0),
    "90 % in view is enough": _with_number("coverage_share", 0.9),
    "the whole time must be in view": _with_number("coverage_share", 1.0),
    "only a seen loading opens a shoe": _with_number("fresh_shoe", ["shoe_load"]),
    "a shoe may be loaded again at once": _with_number("reload_s", 0.001),
    "late cards are nobody's": _with_number("late_burn_s", 0.001),
    "the order does not matter": lambda patch: patch.setattr(ch629a.Before, "_late", staticmethod(lambda case: [])),
    "the felt is a bucket": lambda patch: patch.setattr("rules.skeletons.tally.zone_of", lambda event: "discard"),
    "the first thing in a box is play": lambda patch: patch.setattr(
        "rules.skeletons.burn.Burn._burn_went_on", lambda *_: False
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_changed_limit_order_or_comparison_is_noticed_by_the_tables(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    MUTANTS[name](monkeypatch)
    assert any(row.departures(row.judge()) for row in ROWS)
