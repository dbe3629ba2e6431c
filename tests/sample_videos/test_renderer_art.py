"""The card library, the hands and the felt."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from sample_videos.art import fetch
from sample_videos.studio import art, felt, foreign_decks, many_backs
from sample_videos.studio.hands import arm_mesh, rig, skin
from sample_videos.studio.scene import HandPose
from tests.sample_videos.studio_scene import scene


def test_faces_differ_by_card_and_by_deck() -> None:
    drawn = art.face_names("train", fetched=False)
    assert len(drawn) >= 8
    assert len(set(art.texture_sha256("casino-jumbo"))) == 52
    for one, other in itertools.combinations(drawn, 2):
        assert not set(art.texture_sha256(one)) & set(art.texture_sha256(other))


def test_no_artist_is_on_both_sides() -> None:
    sides = {split: {d.artist for d in art.DESIGNS.values() if d.split == split} for split in ("train", "eval")}
    assert not sides["train"] & sides["eval"]
    assert len(art.face_names("eval")) >= 5
    assert not set(art.back_names("train")) & set(art.back_names("eval"))


def test_backs_look_the_same_turned_round() -> None:
    for name in ("lattice", "solid", "diamonds"):
        back = art.back(name, (0.6, 0.1, 0.1))[..., :3].astype(int)
        assert np.abs(back - back[::-1, ::-1]).mean() < 1


def test_seeded_backs_are_many_and_each_its_own() -> None:
    backs = [art.back(f"{art.SEEDED}{seed}", (0.0, 0.0, 0.0))[..., :3].astype(int) for seed in range(60)]
    for back in backs:
        assert np.array_equal(back, back[::-1, ::-1])
    assert np.array_equal(backs[7], many_backs.draw_back(7))
    for one, other in itertools.combinations(backs, 2):
        assert np.abs(one - other).mean() > 5
    names = {
        split: {art.seeded_back(np.random.default_rng(i), split) for i in range(50)} for split in ("train", "eval")
    }
    assert not names["train"] & names["eval"]


def test_no_seeded_back_is_of_one_colour_like_a_cover_card() -> None:
    for seed in range(300):
        back = many_backs.draw_back(seed).reshape(-1, 3).astype(float)
        assert back.std(axis=0).max() > 8, seed


def test_an_unknown_deck_is_a_fault_that_names_the_known_ones() -> None:
    with pytest.raises(art.ArtFault, match="casino-jumbo"):
        art.face("no-such-deck", "A", "S")


def test_a_deck_that_cannot_be_fetched_is_a_clear_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITWATCH_CACHE", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(fetch.FetchFault, match="gnome-cards-data"):
        foreign_decks.faces("anglo")


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_flat_hand_has_a_grown_mans_length_and_the_thumb_on_its_side(side: str) -> None:
    points, normals, _ = skin(HandPose("dealer", side, (0.0, 0.0, 50.0), 0.0, curl=(0, 0, 0, 0, 0)))
    assert 170 < points[:, 1].max() < 200
    thumb = points[np.argmax(rig(side).weights[:, rig(side).chains[0][-2]])]
    assert (thumb[0] > 0) == (side == "left")
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-6)


def test_a_fist_is_shorter_and_a_pinch_brings_thumb_and_finger_together() -> None:
    flat = HandPose("dealer", "left", (0.0, 0.0, 0.0), 0.0, curl=(0, 0, 0, 0, 0))
    fist = skin(replace(flat, curl=(1, 1, 1, 1, 1)))[0]
    assert fist[:, 1].max() < 0.75 * skin(flat)[0][:, 1].max()
    assert fist[:, 2].min() < -40
    model = rig("left")

    def gap(hand: HandPose) -> float:
        points = skin(hand)[0]
        thumb, finger = (points[model.weights[:, model.chains[k][-2]] > 0.9].mean(0) for k in (0, 1))
        return float(np.linalg.norm(thumb - finger))

    assert gap(replace(flat, pinch=1.0)) < 0.4 * gap(flat)


def test_an_arm_reaches_from_finger_tips_to_elbow() -> None:
    look = scene().arms["dealer"]
    hand = HandPose("dealer", "right", (100.0, 200.0, 40.0), 0.0, elbow=(120.0, -100.0, 120.0))
    points = arm_mesh(hand, look, 3).vertices[:, :3]
    assert points[:, 1].max() > 350
    assert points[:, 1].min() < -90


def test_the_print_agrees_with_the_zones() -> None:
    spec = scene()
    top = felt.draw_top(spec, 0.5)
    x, y = np.array(spec.zones_mm["player"][0]) - top.origin_mm
    row, column = round(top.picture.shape[0] - y * 0.5), round(x * 0.5)
    patch = top.picture[row - 4 : row + 4, column - 4 : column + 4].astype(int)
    ground = np.array(spec.felt_colour) * 255
    assert np.abs(patch - ground).sum(2).max() > 150


def test_the_table_holds_all_zones() -> None:
    spec = scene()
    edge = felt.outline(spec)
    corners = np.array([p for zone in spec.zones_mm.values() for p in zone])
    assert corners[:, 1].max() < edge[:, 1].max()
    assert np.abs(corners[:, 0]).max() < edge[:, 0].max()
