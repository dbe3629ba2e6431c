"""The truth of a shoe change: hand-written verdicts, the text's order, the contract's events, the scene's numbers."""

from __future__ import annotations

import functools
import json
import tomllib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from calibration.tablefile import load_table
from rules.event import KINDS, read_events
from sample_videos.studio.choreography.change_plan import ChangePlan
from sample_videos.studio.choreography.draw_change import CHANGE_VARIANTS
from sample_videos.studio.render import render_scenario
from sample_videos.studio.scenario import Scenario, ScenarioFault, load_scenario, scenario_from_seed
from sample_videos.studio.truth import reach_of, signal_rows, table_file, truth_events, truth_findings
from sample_videos.studio.truth_change import CHANGE_CLAUSES, REACHED, TABLES_DIR, Reach, change_table

ALL = [(kind, variant) for kind, names in CHANGE_VARIANTS.items() for variant in names]
VERDICTS = {"compliant", "violation", "indeterminate", "not_observed", "not_applicable"}
#: Per variant, the rows in which a breach must be found.
BREACHED = {
    "half_feathered": {"feather"},
    "squared": {"feather"},
    "slug": {"intermix", "feather"},
    "no_shuffle": {"shuffle", "intermix"},
    "device_never_started": {"shuffle", "intermix"},
    "never_offered": {"offer"},
    "backs_to_dealer": {"backs"},
    "wrong_first": {"first"},
    "skipped_seat": {"rotation"},
    "wrong_way": {"rotation"},
    "nobody_cuts": {"dealercut"},
    "by_hand": {"covercard"},
    "shallow": {"depth"},
    "cover_left": {"movecover"},
    "part_left": {"movepacket"},
    "not_moved": {"movepacket", "movecover"},
    "second_shallow": {"seconddepth"},
    "no_second": {"second"},
    "second_first": {"order"},
    "recut_same": {"who"},
    "recut_other": {"who"},
    "recut_none": {"recut"},
}


@functools.lru_cache(maxsize=100)
def scene(kind: str, variant: str, seed: int = 1, scale: float = 1.2, side: str | None = None) -> Scenario:
    return scenario_from_seed(seed, "train", scale, variant, kind=kind, shoe_side=side)


def short(clause: str) -> str:
    return clause.rsplit("-", 1)[1]


def change_rows(scenario: Scenario) -> list[dict[str, Any]]:
    return [f for f in truth_findings(scenario, "t") if f["clause"] in CHANGE_CLAUSES]


def test_every_clause_but_those_of_the_burn_is_judged_somewhere() -> None:
    letters = "".join(clause[len("PA-629a.5(")] for clause in CHANGE_CLAUSES)
    assert letters == "aaabbbbbccdddddd" + "eee"
    assert len(set(CHANGE_CLAUSES)) == 19
    acts: dict[str, set[str]] = {clause: set() for clause in CHANGE_CLAUSES}
    for variant in CHANGE_VARIANTS["shoe_change"]:
        for row in change_rows(scene("shoe_change", variant)):
            acts[row["clause"]].add(row["act"])
    for clause, seen in acts.items():
        assert "obeyed" in seen, clause
        # nothing but a spell out of view is staged for these two
        assert "breached" in seen or short(clause) in {"shoe", "load"}, clause


@pytest.mark.parametrize("variant", CHANGE_VARIANTS["shoe_change"])
def test_every_row_of_a_table_has_an_act_verdicts_and_a_reason(variant: str) -> None:
    table = tomllib.loads((TABLES_DIR / f"{variant}.toml").read_text(encoding="utf-8"))
    assert table["variant"] == variant
    assert table.get("like", "in_order") == "in_order"
    rows = {key: row for key, row in table.items() if isinstance(row, dict)}
    assert set(rows) | set(table.get("without", ())) <= set(CHANGE_CLAUSES)
    for row in rows.values():
        assert set(row) <= {"act", "accept", "why", "bands"}
        assert row["act"] in {"obeyed", "breached", "none"}
        assert set(row["accept"]) <= VERDICTS
        assert row["accept"]
        assert row["why"]


@pytest.mark.parametrize(("kind", "variant"), ALL)
def test_breaches_are_where_they_belong_and_obeyed_acts_accept_no_violation(kind: str, variant: str) -> None:
    rows = change_rows(scene(kind, variant))
    reached = {short(row["clause"]) for row in rows}
    assert reached <= set(REACHED[kind])
    breached = {short(row["clause"]) for row in rows if row["act"] == "breached"}
    assert breached == BREACHED.get(variant, set()) & reached
    assert breached or variant not in BREACHED
    for row in rows:
        assert ("violation" in row["accept"]) == (row["act"] == "breached") or row["act"] == "none"
        assert row["verdict"] == row["accept"][0]


@pytest.mark.parametrize(("kind", "variant"), ALL)
@pytest.mark.parametrize("seed", [2, 3])
def test_events_are_the_contracts_and_in_the_order_of_the_text(kind: str, variant: str, seed: int) -> None:
    scenario = scene(kind, variant, seed)
    events = truth_events(scenario, "t")
    for event in events:
        bare = {name.removesuffix("_low").removesuffix("_high") for name in event["facts"]}
        assert bare <= KINDS[event["kind"]], event
        assert 0 <= event["t_us"] <= event["end_us"] <= scenario.end_us
    first = {kind_: next((e["t_us"] for e in events if e["kind"] == kind_), None) for kind_ in KINDS}
    order = ["shuffle.riffle", "shuffle.end", "stack.square", "stack.present", "cut.insert", "packet.move"]
    if variant == "squared":
        order.remove("stack.square")
    if variant != "second_first":
        order.append("cover.insert")
    course = [*order, "shoe.load", "card.draw", "round.start"]
    times = [t_us for name in course if (t_us := first[name]) is not None]
    assert all(a < b for a, b in pairwise(times)), first


@pytest.mark.parametrize(("kind", "variant"), ALL)
def test_findings_name_their_events_and_end_no_earlier_than_they_begin(kind: str, variant: str) -> None:
    scenario = scene(kind, variant)
    events = {event["id"]: event for event in truth_events(scenario, "t")}
    for finding in truth_findings(scenario, "t"):
        assert set(finding["events"]) <= set(events)
        assert 0 <= finding["t_us"] <= finding["end_us"] <= scenario.end_us
        assert finding["citation"].startswith("58 Pa. Code § 629a.5(")
        assert short(finding["clause"]) not in {"depth", "seconddepth", "feather"} or finding["act"] == "none" or (
            finding["measured"] is not None
        )  # fmt: skip


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("seed", range(6))
def test_the_stack_is_offered_from_the_highest_number_clockwise(seed: int, side: str) -> None:
    """Seats count from the dealer's right on both kinds of table, and clockwise is downwards."""
    scenario = scene("cut", "all_refuse", seed, 1.2, side)
    assert scenario.change is not None
    offered = [int(str(e["facts"]["seat"])[5:]) for e in scenario.events() if e["kind"] == "stack.present"]
    assert offered == sorted((int(seat[5:]) for seat in scenario.change.occupied), reverse=True)
    for event in (e for e in scenario.events() if e["kind"] == "stack.present"):
        corners = scenario.spec.zones_mm[event["facts"]["seat"]]
        seat_x = sum(x for x, _ in corners) / len(corners)
        # when the offer is answered the stack has been pushed to that side of the dealer
        moved = max(scenario.state(event["end_us"]).stacks, key=lambda s: s.count).centre[0]
        assert moved * seat_x >= 0
        assert event["facts"]["outcome"] == "refused"


@pytest.mark.parametrize("side", ["left", "right"])
def test_who_cuts_reaches_from_that_seat(side: str) -> None:
    for seed in range(6):
        scenario = scene("cut", "in_order", seed, 1.2, side)
        cut = next(e for e in scenario.events() if e["kind"] == "cut.insert")
        state = scenario.state((cut["t_us"] + cut["end_us"]) // 2)
        card = next(c for c in state.cover_cards if abs(c.roll) > 1)
        near = min(state.hands, key=lambda h: sum((a - b) ** 2 for a, b in zip(h.wrist, card.centre, strict=True)))
        assert near.owner == cut["facts"]["actor"]


def test_the_other_shoe_side_keeps_the_numbers_and_the_acts() -> None:
    for kind, variant in (("cut", "shallow"), ("second_cover", "in_order"), ("shoe_change", "recut_next")):
        left, right = (scene(kind, variant, 5, 1.2, side) for side in ("left", "right"))
        assert left.change == right.change
        assert (left.spec.shoe_side, right.spec.shoe_side) == ("left", "right")
        a, b = truth_findings(left, "t"), truth_findings(right, "t")
        assert [(f["clause"], f["act"], f["measured"]) for f in a] == [
            (f["clause"], f["act"], f["measured"]) for f in b
        ]


def accept_at(variant: str, part: str, scale: float, **given: int) -> tuple[str, list[str]]:
    kind = "cut" if part == "depth" else "second_cover"
    scenario = scenario_from_seed(3, "train", 1.2, variant, kind=kind, change=dict(given))
    assert scenario.change is not None
    row = change_table(Reach(scenario.change, scale, True))[f"PA-629a.5({'c' if part == 'depth' else 'd'})-{part}"]
    return row["act"], row["accept"]


@pytest.mark.parametrize(
    ("scale", "depth", "accept"),
    [
        (1.46, 3, ["violation"]),
        (1.46, 4, ["violation", "indeterminate"]),
        (1.46, 9, ["violation", "indeterminate"]),
        (1.46, 10, ["compliant", "indeterminate"]),
        (1.46, 15, ["compliant", "indeterminate"]),
        (1.46, 16, ["compliant"]),
        (0.73, 6, ["violation"]),
        (0.73, 13, ["compliant"]),
        (0.73, 12, ["compliant", "indeterminate"]),
        (0.21, 8, ["violation"]),
        (0.21, 9, ["violation", "indeterminate"]),
        (0.21, 10, ["compliant", "indeterminate"]),
        (0.21, 11, ["compliant"]),
        (4.0, 60, ["compliant", "indeterminate"]),
    ],
)
def test_what_a_view_cannot_tell_is_accepted_as_undecided(scale: float, depth: int, accept: list[str]) -> None:
    variant = "shallow" if depth < 10 else "in_order"
    assert accept_at(variant, "depth", scale, depth_cards=depth) == ("breached" if depth < 10 else "obeyed", accept)


@pytest.mark.parametrize(
    ("scale", "below", "accept"),
    [
        (0.73, 13, ["violation"]),
        (0.73, 14, ["compliant", "indeterminate"]),
        (0.73, 15, ["compliant"]),
        (1.46, 11, ["violation"]),
        (1.46, 16, ["compliant", "indeterminate"]),
        (1.46, 17, ["compliant"]),
    ],
)
def test_a_ribbon_is_counted_card_by_card(scale: float, below: int, accept: list[str]) -> None:
    variant = "second_shallow" if below < 14 else "in_order"
    assert accept_at(variant, "seconddepth", scale, second_below=below)[1] == accept


def test_a_view_without_the_seats_makes_the_order_doubtful() -> None:
    rows = {f["clause"]: f for f in change_rows(scene("cut", "wrong_first", 4, 0.42))}
    assert rows["PA-629a.5(b)-first"]["accept"] == ["violation", "indeterminate", "not_observed"]
    whole = {f["clause"]: f for f in change_rows(scene("cut", "wrong_first", 4, 1.4))}
    assert whole["PA-629a.5(b)-first"]["accept"] == ["violation"]


def test_a_recut_is_ordered_between_the_cut_and_the_shoe() -> None:
    for variant in ("recut_next", "recut_same", "recut_other", "recut_none"):
        scenario = scene("shoe_change", variant)
        order = next(row for row in signal_rows(scenario) if row["name"] == "floor.recut")
        cuts = [e for e in truth_events(scenario, "t") if e["kind"] == "cut.insert"]
        load = next(e for e in truth_events(scenario, "t") if e["kind"] == "shoe.load")
        assert cuts[0]["end_us"] < order["t_us"] < load["t_us"]
        assert len(cuts) == (1 if variant == "recut_none" else 2)
        assert not cuts[1:] or cuts[1]["t_us"] > order["t_us"]
        assert (cuts[-1]["facts"]["actor"] == cuts[0]["facts"]["actor"]) == (variant in {"recut_same", "recut_none"})


def test_the_shares_that_can_be_seen_are_the_scenes_own() -> None:
    loads = {v: scene("load", v) for v in CHANGE_VARIANTS["load"]}
    shares = {
        v: next(e["facts"]["seen_share"] for e in s.events() if e["kind"] == "shoe.load") for v, s in loads.items()
    }
    assert shares["in_order"] == 1.0
    assert 0.2 < shares["hidden_arm"] < 0.95
    assert 0.2 < shares["hidden_leaves"] < 0.95
    hidden = loads["hidden_leaves"]
    assert min(s.centre[2] for t in range(0, hidden.end_us, 100_000) for s in hidden.state(t).stacks) < -100


@pytest.mark.parametrize("variant", ["in_order", "half_feathered", "squared", "slug"])
def test_the_feathered_fraction_is_that_of_the_stack_that_lies_there(variant: str) -> None:
    scenario = scene("shoe_change", variant, 6)
    end = next(e for e in scenario.events() if e["kind"] == "shuffle.end")
    stack = max(scenario.state(end["t_us"]).stacks, key=lambda s: s.count)
    laced = sum(b - a for a, b, mm in stack.lace if mm > 3)
    assert laced == pytest.approx(end["facts"]["feathered"], abs=1e-3)
    assert (laced == 1.0) == (variant == "in_order")
    assert (laced == 0.0) == (variant == "squared")
    assert stack.count == scenario.cards


def test_two_breaches_in_one_change_are_both_in_its_truth() -> None:
    scenario = scene("shoe_change", "wrong_first+second_shallow")
    breached = {short(row["clause"]) for row in change_rows(scenario) if row["act"] == "breached"}
    assert breached == {"first", "seconddepth"}
    with pytest.raises(ValueError, match="both change the cut"):
        scene("shoe_change", "shallow+cover_left")


def test_six_and_eight_decks_are_said_in_the_table_file() -> None:
    seen = set()
    for seed in range(8):
        scenario = scene("shuffle_end", "in_order", seed)
        game = table_file(scenario, "t")["game"]
        assert game["cards"] == scenario.cards == 52 * game["decks"]
        seen.add(game["decks"])
    assert seen == {6, 8}


def test_a_file_says_what_is_cut_where(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text(
        'seed = 4\nkind = "cut"\nvariant = "shallow"\nmm_per_px = 0.42\n'
        '[change]\ndecks = 6\ndepth_cards = 7\ncut_from = "bottom"\n',
        encoding="utf-8",
    )
    scenario = load_scenario(path)
    change = scenario.change
    assert isinstance(change, ChangePlan)
    assert change.cut is not None
    assert (scenario.cards, change.depth(change.cut)) == (312, (7, "bottom"))
    cut = next(e for e in scenario.events() if e["kind"] == "cut.insert")
    assert (cut["facts"]["depth_cards"], cut["facts"]["from"]) == (7, "bottom")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('seed = 4\nkind = "cutt"\n', "cutt"),
        ('seed = 4\nkind = "cut"\n[change]\ndept_cards = 7\n', "depth_cards"),
        ('seed = 4\nkind = "load"\nvariant = "shallow"\n', "shallow"),
        ('seed = 4\nkind = "cut"\nvariant = "in_order"\n[change]\ndepth_cards = 400\n', "400"),
        ('seed = 4\nkind = "second_cover"\nvariant = "in_order"\n[change]\nsecond_below = 60\n', "60"),
    ],
)
def test_a_file_that_cannot_be_is_refused(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ScenarioFault, match=said):
        load_scenario(path)


def test_a_folder_can_be_read_back(tmp_path: Path) -> None:
    scenario = scene("shoe_change", "recut_next", 2)
    render_scenario(scenario, tmp_path, video=False)
    table = load_table(tmp_path / "table.toml")
    assert table.layout.shoe_side == scenario.spec.shoe_side
    assert [e.kind for e in read_events(tmp_path / "truth" / "events.jsonl")] == [e["kind"] for e in scenario.events()]
    facts = json.loads((tmp_path / "truth" / "scene.json").read_text(encoding="utf-8"))
    assert (facts["kind"], facts["variant"]) == ("shoe_change", "recut_next")
    assert "floor.recut" in (tmp_path / "signals.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", CHANGE_VARIANTS)
def test_the_same_seed_gives_the_same_scene(kind: str) -> None:
    one, other = (scenario_from_seed(9, "eval", None, None, kind=kind) for _ in range(2))
    assert one.spec == other.spec
    assert one.change == other.change
    assert one.events() == other.events()
    assert one.state(3_000_000) == other.state(3_000_000)
    assert reach_of(one) == reach_of(other)
