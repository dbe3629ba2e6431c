"""The shoe change as it is played out: cards, cover cards and hands from the gathered cards until play starts."""

from __future__ import annotations

import functools
import math

import pytest

from sample_videos.studio.choreography.draw_change import CHANGE_VARIANTS
from sample_videos.studio.scenario import Scenario, scenario_from_seed
from sample_videos.studio.scene import CARD_WIDTH_MM, CardPose, SceneState, StackPose
from sample_videos.studio.stacks import _along

EPISODES = [(kind, v) for kind, names in CHANGE_VARIANTS.items() if kind != "shoe_change" for v in names]
WHOLE = [("shoe_change", v) for v in CHANGE_VARIANTS["shoe_change"]]
ALL = EPISODES + WHOLE


@functools.lru_cache(maxsize=200)
def scene(kind: str, variant: str, seed: int = 1, side: str | None = None) -> Scenario:
    return scenario_from_seed(
        seed, "train", 0.42 if kind in ("cut", "second_cover") else 1.2, variant, kind=kind, shoe_side=side
    )


def counted(state: SceneState) -> int:
    return sum(s.count for s in state.stacks) + sum(c.count for c in state.cards) + state.shoe_cards


def of(scenario: Scenario, kind: str) -> list[dict[str, object]]:
    return [event for event in scenario.events() if event["kind"] == kind]


@pytest.mark.parametrize(("kind", "variant"), ALL)
def test_no_card_is_lost_or_made(kind: str, variant: str) -> None:
    scenario = scene(kind, variant)
    assert scenario.cards in (312, 416)
    for t_us in range(0, scenario.end_us, 130_000):
        state = scenario.state(t_us)
        assert counted(state) == scenario.cards, t_us
        assert len({card.card_id for card in state.cards}) == len(state.cards)
        assert len(state.cover_cards) in (0, 1, 2)


@pytest.mark.parametrize(("kind", "variant"), ALL)
def test_hands_and_things_move_no_faster_than_people_do(kind: str, variant: str) -> None:
    scenario = scene(kind, variant)
    step = 40_000
    before = scenario.state(0)
    for t_us in range(step, scenario.end_us, step):
        now = scenario.state(t_us)
        for a, b in zip(before.hands, now.hands, strict=True):
            assert math.dist(a.wrist, b.wrist) / step * 1e3 < 3.0, (b.owner, b.side, t_us)
        old = {card.card_id: card for card in (*before.cards, *before.cover_cards)}
        for card in (*now.cards, *now.cover_cards):
            if card.card_id in old:
                assert math.dist(old[card.card_id].centre, card.centre) / step * 1e3 < 3.0, (card.card_id, t_us)
        before = now


def in_box(point: tuple[float, ...], stack: StackPose, slack: float) -> bool:
    return math.dist(point[:2], stack.centre[:2]) < slack


@pytest.mark.parametrize(("kind", "variant"), EPISODES)
def test_a_stack_in_motion_is_in_a_hand(kind: str, variant: str) -> None:
    """What moves is within reach of the finger tips of somebody's hand."""
    scenario = scene(kind, variant)
    step = 40_000
    for t_us in range(0, scenario.end_us - step, step):
        now, soon = scenario.state(t_us), scenario.state(t_us + step)
        if len(now.stacks) != len(soon.stacks):
            continue
        for a, b in zip(now.stacks, soon.stacks, strict=True):
            if a.count == b.count and math.dist(a.centre, b.centre) > 6.0:
                nearest = min(math.dist(h.wrist[:2], a.centre[:2]) for h in now.hands)
                assert nearest < 240, (t_us, a)


def comes_out_mm(card: CardPose, stack: StackPose) -> float:
    """How far above the stack's middle a cover card comes out of its upper edge, along it, from the pose alone."""
    ux, uy = math.cos(stack.yaw), math.sin(stack.yaw)
    up_mm = stack.centre[2] + CARD_WIDTH_MM - card.centre[2]
    along = (card.centre[0] - stack.centre[0]) * ux + (card.centre[1] - stack.centre[1]) * uy
    return along + up_mm * math.tan(abs(card.roll) - math.pi / 2)


def drawn_opening_mm(stack: StackPose) -> float:
    """Where the drawn stack, its cards leaning as they do, is open at its upper edge."""
    low, high, _ = _along(stack, stack.count)
    after = round(stack.gaps[0][0] * stack.count)
    return float((high[after - 1] + low[after]) / 2 + CARD_WIDTH_MM / 2 * math.tan(stack.lean))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("variant", ["in_order", "shallow", "all_refuse"])
def test_the_cover_card_stands_where_the_truth_says(variant: str, seed: int) -> None:
    scenario = scene("cut", variant, seed)
    cut = of(scenario, "cut.insert")[0]
    state = scenario.state(int(str(cut["end_us"])) + 1000)
    stack = max(state.stacks, key=lambda s: s.count)
    card = next(c for c in state.cover_cards if abs(c.roll) > 1)
    facts = cut["facts"]
    assert isinstance(facts, dict)
    below = stack.count - facts["depth_cards"] if facts["from"] == "top" else facts["depth_cards"]
    assert round(stack.gaps[0][0] * stack.count) == below
    assert comes_out_mm(card, stack) == pytest.approx(drawn_opening_mm(stack), abs=0.02)
    assert facts["depth_cards"] == facts["depth_cards_low"] == facts["depth_cards_high"]
    assert (facts["depth_cards"] < 10) == (variant == "shallow")
