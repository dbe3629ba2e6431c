"""The renderer's pictures and the labels made with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from sample_videos.studio.camera import project
from sample_videos.studio.cards_gl import card_corners, card_matrix
from sample_videos.studio.labels import clockwise, id_picture, label_objects, shows_face
from sample_videos.studio.renderer import Renderer
from sample_videos.studio.scene import CardPose, SceneState
from sample_videos.studio.things import numbered
from tests.sample_videos.studio_scene import camera, scene, state


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    with Renderer(scene()) as made:
        yield made


def area(quad: object) -> float:
    return float(cv2.contourArea(np.asarray(quad, np.float32)))


def test_the_picture_has_the_cameras_size_and_shows_felt_and_cards(renderer: Renderer) -> None:
    picture = renderer.render(state())
    assert picture.shape == (360, 640, 3)
    assert picture.dtype == np.uint8
    blue, green, red = picture[120, 320].astype(int)
    assert green > red + 20
    assert green > blue + 20
    x, y = project(renderer.spec.camera, [(-190.0, 300.0, 0.3)])[0]
    assert picture[round(y), round(x)].min() > 150


def test_the_same_seed_gives_the_same_picture_and_another_seed_another_felt() -> None:
    pictures = []
    for seed in (4, 4, 5):
        with Renderer(scene(seed)) as made:
            pictures.append(made.render(state()))
    assert np.array_equal(pictures[0], pictures[1])
    assert not np.array_equal(pictures[0], pictures[2])


def test_a_picture_hardly_depends_on_what_was_drawn_before(renderer: Renderer) -> None:
    fresh = renderer.render(state(30.0), previous=SceneState(0))
    for shift in (0.0, 10.0, 20.0, 30.0, 30.0, 30.0):
        last = renderer.render(state(shift))
    assert np.abs(last.astype(int) - fresh).mean() < 0.1
    assert np.mean(np.abs(last.astype(int) - fresh) > 24) < 2e-3


def test_an_empty_state_leaves_only_the_fixed_things(renderer: Renderer) -> None:
    empty, full = renderer.render(SceneState(0)), renderer.render(state())
    x, y = project(renderer.spec.camera, [(-190.0, 300.0, 0.3)])[0]
    assert empty[round(y), round(x)].max() < 140
    assert np.abs(full.astype(int) - empty).max() > 100


def test_a_dimmer_room_is_darker(renderer: Renderer) -> None:
    bright = renderer.render(state()).mean()
    assert renderer.render(replace(state(), light=0.5)).mean() < 0.8 * bright


def test_a_hands_shadow_falls_on_the_felt(renderer: Renderer) -> None:
    without = renderer.render(replace(state(), hands=())).astype(int)
    picture = renderer.render(state()).astype(int)
    ids, _ = id_picture(renderer, state())
    open_felt = cv2.resize((ids == 0).astype(np.uint8), (640, 360), interpolation=cv2.INTER_NEAREST) > 0
    darker = (without - picture).sum(2)
    assert np.count_nonzero((darker > 12) & open_felt) > 200


@pytest.mark.parametrize(("tilt_deg", "roll"), [(0.0, 0.0), (25.0, np.pi)])
def test_quads_lie_where_the_things_are_drawn(tilt_deg: float, roll: float) -> None:
    with Renderer(scene(view=camera(tilt_deg, roll, (1280, 720), 1.0))) as made:
        now = replace(state(), hands=())
        ids, alone = id_picture(made, now)
        labels = label_objects(made, now)
        things = numbered(now)
        checked = 0
        for thing, pose in things.items():
            visible = int(np.count_nonzero(ids == thing))
            if not isinstance(pose, CardPose) or visible < 0.97 * alone[thing]:
                continue
            drawn = (ids == thing).astype(np.uint8)
            quad = project(made.spec.camera, card_corners(card_matrix(pose)))
            filled = cv2.fillConvexPoly(np.zeros_like(drawn), np.round((quad + 0.5) / 2 - 0.5).astype(np.int32), 1)
            overlap = np.count_nonzero(drawn & filled) / np.count_nonzero(drawn | filled)
            assert overlap > 0.9
            best = min(np.abs(np.asarray(label["quad"]) - clockwise(quad)).max() for label in labels)
            assert best < 0.02
            checked += 1
        assert checked >= 2


def test_hidden_shares(renderer: Renderer) -> None:
    spec = renderer.spec
    low = CardPose(1, "7", "H", True, (0.0, 400.0, 0.3), 0.0)
    half_over = CardPose(2, "8", "S", True, (63.5 / 2, 400.0, 0.9), 0.0)
    labels = label_objects(renderer, SceneState(0, (low, half_over)))
    by_rank = {label["rank"]: label for label in labels if label["cls"] == "card_face"}
    assert by_rank["7"]["occluded"] == pytest.approx(0.5, abs=0.06)
    assert by_rank["8"]["occluded"] == pytest.approx(0.0, abs=0.04)
    in_shoe = CardPose(3, "9", "D", False, (*spec.equipment.shoe_centre, 20.0), 1.5)
    hidden = [label for label in label_objects(renderer, SceneState(0, (in_shoe,))) if label["cls"] == "card_back"]
    assert [label["occluded"] for label in hidden] == [pytest.approx(1.0, abs=0.05)]


def test_every_kind_of_thing_is_labelled_clockwise(renderer: Renderer) -> None:
    labels = label_objects(renderer, state())
    assert {label["cls"] for label in labels} == {
        "card_face", "card_back", "stack", "cover_card", "shoe", "discard", "chips", "hand"
    }  # fmt: skip
    for label in labels:
        quad = np.asarray(label["quad"])
        assert quad.shape == (4, 2)
        following = np.roll(quad, -1, axis=0)
        assert np.sum(quad[:, 0] * following[:, 1] - following[:, 0] * quad[:, 1]) > 0
        assert 0.0 <= label["occluded"] <= 1.0
        assert ("rank" in label) == (label["cls"] == "card_face")


def test_a_face_label_starts_at_the_printed_upper_left(renderer: Renderer) -> None:
    card = CardPose(1, "7", "H", True, (0.0, 400.0, 0.3), 0.0)
    (label,) = [label for label in label_objects(renderer, SceneState(0, (card,))) if label["cls"] == "card_face"]
    first, second, _, fourth = np.asarray(label["quad"])
    assert first[0] < second[0]
    assert first[1] < fourth[1]


def test_the_side_that_faces_the_camera_decides(renderer: Renderer) -> None:
    spec = renderer.spec.camera
    card = CardPose(1, "7", "H", True, (0.0, 400.0, 60.0), 0.3)
    assert shows_face(spec, card)
    assert shows_face(spec, replace(card, roll=1.2))
    assert not shows_face(spec, replace(card, roll=2.0))
    assert not shows_face(spec, replace(card, face_up=False))
    assert shows_face(spec, replace(card, face_up=False, roll=np.pi))


def test_things_outside_the_picture_are_left_out(renderer: Renderer) -> None:
    away = CardPose(1, "7", "H", True, (5000.0, 400.0, 0.3), 0.0)
    classes = [label["cls"] for label in label_objects(renderer, SceneState(0, (away,)))]
    assert "card_face" not in classes


def test_cards_held_as_one_are_one_object_with_its_count(renderer: Renderer) -> None:
    pair = CardPose(1, "7", "H", True, (0.0, 420.0, 0.3), 0.0, count=2, fan_mm=(12.0, 6.0))
    found = [label for label in label_objects(renderer, SceneState(0, (pair,))) if label["cls"] == "card_face"]
    assert [label["cards"] for label in found] == [2]
    single = list(label_objects(renderer, SceneState(0, (replace(pair, count=1),))))
    alone_px = next(area(label["quad"]) for label in single if label["cls"] == "card_face")
    both_px = area(found[0]["quad"])
    _, alone = id_picture(renderer, SceneState(0, (pair,)))
    assert 4 * alone[1] > 1.1 * alone_px  # more of it shows than of one card
    assert 1.15 * alone_px < both_px < 1.5 * alone_px  # and the quad holds both


def test_labels_before_the_first_picture_leave_the_cards_their_print() -> None:
    pictures = []
    for labelled in (False, True):
        with Renderer(scene()) as made:
            with Renderer(scene()) as other:
                other.render(state())  # another scene's graphics are current now
                if labelled:
                    label_objects(made, state())
            pictures.append(made.render(state()))
    assert np.array_equal(*pictures)
