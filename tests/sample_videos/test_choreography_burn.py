"""The burn as it is played out: what is drawn, what is burned, where it lies."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from sample_videos.studio.choreography.mirror import flip
from sample_videos.studio.choreography.plan import BURN_VALUE, DISTRACTORS, VARIANTS
from sample_videos.studio.scenario import Scenario, scenario_from_seed
from sample_videos.studio.scene import CardPose

SEEDS = (1, 2, 3, 4)


def scene(variant: str, seed: int = 1, distractors: tuple[str, ...] = (), shoe_side: str = "left") -> Scenario:
    return scenario_from_seed(seed, "train", 0.9, variant, distractors, shoe_side=shoe_side)


def facts(scenario: Scenario, kind: str) -> list[dict[str, object]]:
    return [event["facts"] for event in scenario.events() if event["kind"] == kind]


def in_bucket(scenario: Scenario, card: CardPose) -> bool:
    bucket = scenario.spec.equipment
    dx, dy = (c - b for c, b in zip(card.centre, bucket.bucket_centre, strict=False))
    length, width, _ = bucket.bucket_size_mm
    return abs(dx) < length / 2 and abs(dy) < width / 2


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("distractors", [(), DISTRACTORS])
def test_as_many_cards_are_burned_as_planned(variant: str, distractors: tuple[str, ...], seed: int) -> None:
    scenario = scene(variant, seed, distractors)
    plan = scenario.plan
    burned = sum(int(str(f.get("cards", 1))) for f in facts(scenario, "card.burn"))
    left_out = 0 if plan.fixed_before_play else len(plan.missed)
    assert burned == (plan.additional + 1 - left_out if plan.burn else 0)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_no_card_is_lost_or_made(variant: str, seed: int) -> None:
    scenario = scene(variant, seed, DISTRACTORS)
    for t_us in range(0, scenario.end_us, 500_000):
        state = scenario.state(t_us)
        assert state.shoe_cards + sum(card.count for card in state.cards) == 416
        assert len({card.card_id for card in state.cards}) == len(state.cards)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("variant", ["right", "over", "not_exposed", "corrected_missed", "faceup"])
def test_burned_cards_end_inside_the_bucket(variant: str, seed: int) -> None:
    scenario = scene(variant, seed)
    cards = scenario.state(scenario.end_us).cards
    burned = cards[: scenario.plan.additional + 1]
    bucket = scenario.spec.equipment
    length, width, _ = bucket.bucket_size_mm
    for card in burned:
        half_x = 31.75 * abs(math.cos(card.yaw)) + 44.45 * abs(math.sin(card.yaw))
        half_y = 44.45 * abs(math.cos(card.yaw)) + 31.75 * abs(math.sin(card.yaw))
        assert abs(card.centre[0] - bucket.bucket_centre[0]) + half_x < length / 2 + 12
        assert abs(card.centre[1] - bucket.bucket_centre[1]) + half_y < width / 2 + 12
        assert 0 < card.centre[2] < bucket.bucket_depth_mm
    heights = sorted(card.centre[2] for card in burned)
    assert all(b > a for a, b in pairwise(heights))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_missed_card_lies_outside_when_play_starts(seed: int) -> None:
    scenario = scene("missed_bucket", seed)
    play_us = next(e["t_us"] for e in scenario.events() if e["kind"] == "round.start")
    out = scenario.scene.cards[scenario.plan.missed[0] + 1]
    lies = next(c for c in scenario.state(play_us).cards if c.card_id == out.card_id)
    assert not in_bucket(scenario, lies)
    assert lies.centre[2] < 2


@pytest.mark.parametrize("rank", list(BURN_VALUE))
def test_the_first_card_lies_face_up_until_it_is_burned(rank: str) -> None:
    scenario = next(s for s in (scene("right", seed) for seed in range(400)) if s.plan.rank == rank)
    burn = next(e for e in scenario.events() if e["kind"] == "card.burn" and e["facts"]["index"] == 0)
    first = next(c for c in scenario.state(burn["t_us"]).cards if c.card_id == 1)
    assert first.face_up
    assert (first.rank, first.suit) == (scenario.plan.rank, scenario.plan.suit)
    assert not in_bucket(scenario, first)
    assert in_bucket(scenario, next(c for c in scenario.state(burn["end_us"]).cards if c.card_id == 1))
    assert scenario.plan.additional == {"A": 1, "J": 10, "Q": 10, "K": 10}.get(rank) or int(rank)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_shown_card_lies_in_no_hands_box(seed: int) -> None:
    place = next(f for f in facts(scene("right", seed), "card.place") if f["face"] == "up")
    assert place["zone"] not in {"player", "banker"}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_hands_and_cards_move_no_faster_than_people_do(variant: str, seed: int) -> None:
    scenario = scene(variant, seed, DISTRACTORS)
    step = 20_000
    before = scenario.state(0)
    for t_us in range(step, scenario.end_us, step):
        now = scenario.state(t_us)
        for a, b in zip(before.hands, now.hands, strict=True):
            assert math.dist(a.wrist, b.wrist) / step * 1e3 < 2.4, (b.owner, b.side, t_us)
        old = {card.card_id: card for card in before.cards}
        for card in now.cards:
            if card.card_id in old:
                assert math.dist(old[card.card_id].centre, card.centre) / step * 1e3 < 2.6, (card.card_id, t_us)
        before = now


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_other_shoe_side_is_the_mirror_image(variant: str, seed: int) -> None:
    left, right = (scene(variant, seed, DISTRACTORS, side) for side in ("left", "right"))
    assert (left.spec.shoe_side, right.spec.shoe_side) == ("left", "right")
    assert left.spec.equipment.shoe_exit_mm[0] == -right.spec.equipment.shoe_exit_mm[0]
    for t_us in range(0, left.end_us, 700_000):
        a, b = left.state(t_us), right.state(t_us)
        assert [flip(card.centre) for card in a.cards] == [card.centre for card in b.cards]
        assert [flip(hand.wrist) for hand in a.hands] == [hand.wrist for hand in b.hands]
        assert [left.spec.arms[h.owner] for h in a.hands] == [right.spec.arms[h.owner] for h in b.hands]
        assert [hand.side != other.side for hand, other in zip(a.hands, b.hands, strict=True)] == [True] * len(a.hands)
    for one, other in zip(left.events(), right.events(), strict=True):
        assert (one["kind"], one["t_us"], one["end_us"]) == (other["kind"], other["t_us"], other["end_us"])
        if "hand" in one["facts"]:
            assert {one["facts"]["hand"], other["facts"]["hand"]} == {"left", "right"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_same_seed_gives_the_same_scene(variant: str) -> None:
    one, other = scene(variant, 5, DISTRACTORS), scene(variant, 5, DISTRACTORS)
    assert one.spec == other.spec
    assert one.events() == other.events()
    assert one.state(3_000_000) == other.state(3_000_000)
    assert scene(variant, 6).spec != one.spec


@pytest.mark.parametrize("seed", SEEDS)
def test_a_covering_arm_is_over_the_bucket_while_cards_go_in(seed: int) -> None:
    found = (scene("hidden_hand", number) for number in range(seed * 50, seed * 50 + 50))
    scenario = next(s for s in found if s.plan.cover == "discard")
    burns = [e["t_us"] for e in scenario.events() if e["kind"] == "card.burn" and e["facts"]["index"] > 0]
    bucket = scenario.spec.equipment.bucket_centre
    hidden = []
    for t_us in burns:
        others = [hand for hand in scenario.state(t_us).hands if hand.owner != "dealer"]
        if min(math.dist(hand.wrist[:2], bucket) for hand in others) < 120:
            hidden.append(t_us)
    assert hidden
    assert scenario.plan.cover_s >= 2.0


def test_a_pair_is_one_draw_of_two_cards() -> None:
    scenario = next(s for s in (scene("right", n, ("pair",)) for n in range(20)) if s.plan.pair is not None)
    assert [f["cards"] for f in facts(scenario, "card.draw")].count(2) == 1
    pair = next(card for card in scenario.state(scenario.end_us).cards if card.count == 2)
    assert 5 <= math.hypot(*pair.fan_mm) <= 30
