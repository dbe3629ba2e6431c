"""Stacks as they are drawn: single cards' edges, laced parts, openings, cover cards, ribbons, and their labels."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from sample_videos.studio.camera import project
from sample_videos.studio.cards_gl import card_corners, card_matrix
from sample_videos.studio.labels import label_objects, together
from sample_videos.studio.renderer import Renderer
from sample_videos.studio.scene import (
    CARD_LENGTH_MM,
    CARD_THICKNESS_MM,
    CARD_WIDTH_MM,
    CardPose,
    SceneState,
    StackPose,
)
from sample_videos.studio.stacks import stack_frame, stack_mesh
from tests.sample_videos.studio_scene import camera, scene

EDGE = math.pi / 2
PLACE = (0.0, 380.0, 0.0)
Picture = NDArray[np.uint8]


def on_edge(count: int = 100, **looks: object) -> StackPose:
    return replace(StackPose(PLACE, count, 0.0, tip=EDGE, loose_mm=0.0, seed=5), **looks)  # type: ignore[arg-type]


def draw(made: Renderer, **things: object) -> Picture:
    return made.render(SceneState(0, **things), previous=SceneState(0))  # type: ignore[arg-type]


def covered(made: Renderer, stack: StackPose) -> NDArray[np.bool_]:
    """Where the stack's light edges are: what is far brighter than the felt was."""
    before = made.render(SceneState(0), previous=SceneState(0)).astype(int)
    return np.asarray((draw(made, stacks=(stack,)).astype(int) - before).min(2) > 20)


@pytest.fixture(scope="module")
def near() -> Renderer:
    view = camera(tilt_deg=0.0, size=(480, 960), mm_per_px=0.1)
    return Renderer(scene(view=replace(view, distortion=(0.0,) * 5)))


@pytest.fixture(scope="module")
def far() -> Renderer:
    return Renderer(scene(view=camera(tilt_deg=8.0, size=(640, 480), mm_per_px=0.5)))


@pytest.fixture(scope="module")
def above() -> Renderer:
    return Renderer(scene(view=camera(tilt_deg=0.0, size=(640, 480), mm_per_px=0.5)))


@pytest.mark.parametrize("count", [60, 83])
def test_each_card_of_a_stack_on_edge_shows_its_own_edge(near: Renderer, count: int) -> None:
    stack = on_edge(count)
    picture = draw(near, stacks=(stack,)).astype(float).mean(2)
    half = count * CARD_THICKNESS_MM / 2
    ends = project(near.spec.camera, [(side * half, 380.0, CARD_WIDTH_MM) for side in (-1, 1)])
    profile = picture[400:560].mean(0)
    across = np.interp(np.linspace(ends[0, 0], ends[1, 0], 2048), np.arange(picture.shape[1]), profile)
    strength = np.abs(np.fft.rfft(across - across.mean()))
    assert count // 2 + int(np.argmax(strength[count // 2 : 2 * count])) == count


def test_no_coarse_pattern_appears_where_single_cards_cannot_be_told_apart(far: Renderer) -> None:
    stack = on_edge(300)
    fine, coarse = (draw(far, stacks=(replace(stack, centre=(dx, 380.0, 0.0)),)).astype(float) for dx in (0.0, 0.25))
    row = project(far.spec.camera, [(0.0, 380.0, CARD_WIDTH_MM)])[0].round().astype(int)
    part = (slice(row[1] - 20, row[1] + 20), slice(row[0] - 70, row[0] + 70))
    assert np.abs(fine[part] - coarse[part]).mean() < 9.0
    assert fine[part].mean(2).std() < 22.0


@pytest.mark.parametrize("lace", [8.0, 16.0])
def test_a_laced_part_is_wider_by_what_its_cards_stick_out(above: Renderer, lace: float) -> None:
    stack = on_edge(300, lace=((0.5, 1.0, lace),))
    columns = covered(above, stack).sum(0)
    x = [project(above.spec.camera, [(dx, 380.0, CARD_WIDTH_MM)])[0, 0] for dx in (-30.0, 30.0)]
    squared, laced = (float(np.median(columns[round(at) - 6 : round(at) + 7])) for at in x)
    ends = project(above.spec.camera, [(0.0, 380.0 + side * 50.0, CARD_WIDTH_MM) for side in (-1, 1)])
    px_per_mm = abs(ends[1, 1] - ends[0, 1]) / 100.0
    assert (laced - squared) / px_per_mm == pytest.approx(lace, abs=2.0)


@pytest.mark.parametrize("mm_per_px", [0.1, 0.9])
def test_lace_and_openings_have_their_measures_at_every_scale(mm_per_px: float) -> None:
    stack = on_edge(120, lace=((0.0, 1.0, 14.0),), gaps=((0.5, 6.0),))
    low, high = (f(stack_mesh(stack, mm_per_px).vertices[:, :3], axis=0) for f in (np.min, np.max))
    assert high[1] - low[1] == pytest.approx(CARD_LENGTH_MM + 14.0, abs=0.5)
    assert high[0] - low[0] == pytest.approx(120 * CARD_THICKNESS_MM + 6.0, abs=0.5)
    assert (low[2], high[2]) == (pytest.approx(0.0, abs=0.1), pytest.approx(CARD_WIDTH_MM, abs=0.1))


@pytest.mark.parametrize("tip", np.linspace(0.0, EDGE, 5))
def test_a_stack_being_tipped_stays_on_the_felt(tip: float) -> None:
    z = stack_mesh(on_edge(300, tip=tip), 0.5).vertices[:, 2]
    assert z.min() == pytest.approx(0.0, abs=1.0)
    axes, middle = stack_frame(on_edge(300, tip=tip))
    assert np.allclose(axes.T @ axes, np.eye(3))
    assert middle[2] > 30.0


def test_an_opening_shows_the_felt(far: Renderer) -> None:
    mask = covered(far, on_edge(300, gaps=((0.5, 14.0),)))
    x, y = project(far.spec.camera, [(0.0, 380.0, CARD_WIDTH_MM)])[0].round().astype(int)
    assert not mask[y - 10 : y + 10, x - 3 : x + 4].any()
    assert mask[y - 10 : y + 10, x - 50 : x - 25].mean() > 0.8


@pytest.mark.parametrize("deck", [0, 1])
def test_a_cover_cards_colour_appears_where_it_stands_out_of_a_stack(far: Renderer, deck: int) -> None:
    stack = on_edge(200, gaps=((0.4, 1.0),))
    pose = CardPose(900, "", "", True, (-6.0, 380.0, CARD_WIDTH_MM + 6.0), 0.0, roll=EDGE + 0.5, deck=deck)
    picture = draw(far, stacks=(stack,), cover_cards=(pose,)).astype(float)
    corners = card_corners(card_matrix(pose))
    upper = corners[np.argsort(-corners[:, 2])[:2]].mean(0)
    spot = upper + 0.12 * (np.asarray(pose.centre) - upper)
    x, y = project(far.spec.camera, [spot])[0].round().astype(int)
    blue, green, red = picture[y - 2 : y + 3, x - 2 : x + 3].mean((0, 1))
    want_red, want_green, want_blue = np.asarray(far.spec.cover_colours[deck])
    assert green / red == pytest.approx(want_green / want_red, abs=0.2)
    assert blue / red == pytest.approx(want_blue / want_red, abs=0.2)
    labels = label_objects(far, SceneState(0, stacks=(stack,), cover_cards=(pose,)))
    (label,) = [label for label in labels if label["cls"] == "cover_card"]
    assert 0.15 < label["occluded"] < 0.85
    expected = project(far.spec.camera, corners)
    assert cv2.contourArea(np.asarray(label["quad"], np.float32)) == pytest.approx(
        cv2.contourArea(expected.astype(np.float32)), rel=0.02
    )


def test_the_quad_of_a_stack_on_edge_takes_in_its_top_at_its_height(far: Renderer) -> None:
    stack = on_edge(300, yaw=0.3)
    (label,) = [it for it in label_objects(far, SceneState(0, stacks=(stack,))) if it["cls"] == "stack"]
    quad = np.asarray(label["quad"], np.float32)
    c, s = math.cos(0.3), math.sin(0.3)
    for along in (-45.0, 45.0):
        for out in (-44.4, 44.4):
            spot = (along * c - out * s, 380.0 + along * s + out * c, CARD_WIDTH_MM)
            point = project(far.spec.camera, [spot])[0]
            assert cv2.pointPolygonTest(quad, (float(point[0]), float(point[1])), True) > -2.0
    assert label["occluded"] == pytest.approx(0.0, abs=0.05)


def test_each_card_of_a_ribbon_is_labelled_with_what_the_next_one_hides(far: Renderer) -> None:
    cards = tuple(CardPose(i, "5", "H", False, (-120.0 + 6.4 * i, 380.0, 0.3 + 0.2 * i), 0.0) for i in range(40))
    labels = [label for label in label_objects(far, SceneState(0, cards)) if label["cls"] == "card_back"]
    hidden = [label["occluded"] for label in labels]
    assert len(hidden) == 40
    assert hidden[-1] < 0.05
    assert np.median(hidden[:-1]) == pytest.approx(1 - 6.4 / CARD_WIDTH_MM, abs=0.04)


def test_a_flat_stack_shows_its_back_and_the_same_stack_twice_is_the_same_picture(far: Renderer) -> None:
    stack = StackPose(PLACE, 200, 0.2, tip=0.0, seed=9)
    first, second = (draw(far, stacks=(stack,)) for _ in range(2))
    assert np.array_equal(first, second)
    x, y = project(far.spec.camera, [(0.0, 380.0, 60.0)])[0].round().astype(int)
    blue, _, red = first[y - 20 : y + 20, x - 20 : x + 20].mean((0, 1))
    assert blue > red + 25


def test_what_moves_while_the_shutter_is_open_is_smeared(far: Renderer) -> None:
    cards = [CardPose(1, "A", "S", True, (x, 380.0, 0.3), 0.0) for x in (-12.0, 12.0)]
    still = draw(far, cards=(cards[0],)).astype(int)
    smeared = far.render(SceneState(0, (cards[0],)), SceneState(0), until=SceneState(1, (cards[1],))).astype(int)
    empty = draw(far).astype(int)
    x, y = project(far.spec.camera, [(-CARD_WIDTH_MM / 2, 395.0, 0.3)])[0].round().astype(int)
    white, between, felt = (float(picture[y, x].sum()) for picture in (still, smeared, empty))
    assert felt + 0.25 * (white - felt) < between < felt + 0.75 * (white - felt)


def test_the_label_of_two_cards_held_as_one_holds_both() -> None:
    upper = np.array([[0.0, 0, 1], [63.5, 0, 1], [63.5, -88.9, 1], [0, -88.9, 1]])
    lower = upper + np.array([9.0, 4.0, -0.3])
    quad = together([lower, upper])
    assert np.ptp(quad[:, 0]) == pytest.approx(72.5)
    assert np.ptp(quad[:, 1]) == pytest.approx(92.9)
    assert np.allclose(together([upper]), upper)
