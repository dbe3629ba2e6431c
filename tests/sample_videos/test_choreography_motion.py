"""Hands and cards move as people move them, and can be asked for at any time."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from sample_videos.studio.choreography.cards import CardPath, Lie
from sample_videos.studio.choreography.dealer import Arm, carry, hand_pose, let_go, take, turn_over
from sample_videos.studio.choreography.motion import GripPath, Key, smooth
from sample_videos.studio.hands import _bone_matrices, apply, rig
from sample_videos.studio.meshes import pose_matrix


def arm() -> Arm:
    made = Arm("right", 1, GripPath(), (115.0, 150.0, 6.0))
    made.to(0, made.idle)
    return made


def test_a_reach_starts_and_ends_at_rest() -> None:
    assert (smooth(0.0), smooth(0.5), smooth(1.0)) == (0.0, 0.5, 1.0)
    assert smooth(0.01) < 1e-4
    assert smooth(-1.0) == 0.0
    assert smooth(2.0) == 1.0


def test_a_path_passes_its_keys_and_rests_outside_them() -> None:
    path = GripPath()
    path.add(Key(1_000_000, (0.0, 0.0, 0.0), 0.0, 0.0, 0.0))
    path.add(Key(2_000_000, (100.0, 50.0, 0.0), 0.5, 1.0, 0.4, lift_mm=40.0))
    assert path.at(0).grip == (0.0, 0.0, 0.0)
    assert path.at(9_000_000).grip == (100.0, 50.0, 0.0)
    assert path.at(1_500_000).grip == pytest.approx((50.0, 25.0, 40.0))


def test_no_reach_is_faster_than_a_hand() -> None:
    hand = arm()
    arrived = hand.to(10_000, (500.0, 150.0, 6.0))
    steps = [hand.path.at(t).grip for t in range(0, arrived + 1, 5_000)]
    top = max(math.dist(a, b) / 5_000 * 1e6 for a, b in pairwise(steps))
    assert arrived > 10_000
    assert top < 2_000.0


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(("pinch", "curl"), [(0.0, 0.1), (0.3, 0.3), (0.8, 0.4), (1.0, 0.45)])
def test_the_index_finger_is_where_the_grip_says(side: str, pinch: float, curl: float) -> None:
    hand = hand_pose(Key(0, (100.0, 200.0, 10.0), 0.4, pinch, curl), "dealer", side, (190.0, -230.0))
    model = rig(side)
    bones = _bone_matrices(model, hand)
    tip = apply(bones[model.chains[1][-1]], model.joints[model.chains[1][-1]])
    place = pose_matrix(hand.yaw, hand.pitch, hand.roll) @ tip + np.array(hand.wrist)
    assert np.linalg.norm(place - [100.0, 200.0, 10.0]) < 9.0


def test_a_held_card_stays_where_it_is_held() -> None:
    hand, card = arm(), CardPath(1, "7", "H")
    card.add(Lie(0, (120.0, 190.0, 0.6), 0.1, False))
    take(hand, card, 100_000)
    before = card.must(100_000)
    assert before.centre == pytest.approx((120.0, 190.0, 0.6))
    there = carry(hand, card, 600_000, (300.0, 120.0, 60.0), 30.0)
    assert card.must(there).centre == pytest.approx((300.0, 120.0, 60.0), abs=0.5)


def test_a_card_that_is_turned_over_shows_its_edge_on_the_way() -> None:
    hand, card = arm(), CardPath(1, "7", "H")
    take(hand, card, 0, now=((120.0, 190.0, 10.0), 0.0, False))
    turn_over(card, 100_000, 500_000)
    assert not card.must(50_000).face_up
    assert abs(card.must(299_000).roll) == pytest.approx(math.pi / 2, abs=0.05)
    assert card.must(600_000).face_up
    assert card.must(600_000).roll == 0.0


def test_a_card_let_go_lies_where_it_was_to_lie() -> None:
    hand, card = arm(), CardPath(1, "7", "H")
    take(hand, card, 0, now=((120.0, 190.0, 60.0), 0.0, False))
    done = let_go(card, 200_000, (130.0, 200.0, 0.6), 0.2, 80_000)
    assert card.must(done).centre == (130.0, 200.0, 0.6)
    assert card.must(done + 10_000_000) == card.must(done)


def test_a_card_is_unseen_in_the_shoe_and_its_spells_come_in_order() -> None:
    card = CardPath(1, "7", "H")
    card.add(Lie(500_000, (0.0, 0.0, 0.6), 0.0, False))
    assert card.at(499_999) is None
    with pytest.raises(ValueError, match="after one at"):
        card.add(Lie(400_000, (0.0, 0.0, 0.6), 0.0, False))
