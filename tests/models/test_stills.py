"""Labels of still lifes in the top view: what is cut off, what is round, and which classes a source labels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from calibration.geometry import Calibration
from models.train import recipe
from models.train.samples import Sample, without
from models.train.stills import clipped, shown_part, things_in
from sample_videos.studio.stills.labels import Label
from vision.detections import CLASSES
from vision.topview import Bounds, TopView

SHOWN = np.array([[0, 0], [100, 0], [100, 80], [0, 80]], np.float32)


def square(x: float, y: float, half: float = 10.0) -> np.ndarray:
    return np.array([[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]])


def test_a_card_that_is_shown_keeps_its_corners() -> None:
    card = square(50, 40)[[2, 3, 0, 1]]
    assert np.array_equal(clipped("card_back", card, SHOWN), card)


def test_a_thing_at_the_rim_is_boxed_as_far_as_it_is_shown() -> None:
    quad = clipped("hand", square(2, 40), SHOWN)
    assert quad is not None
    assert quad[:, 0].min() == pytest.approx(0, abs=1e-3)
    assert quad[:, 0].max() == pytest.approx(12, abs=1e-3)
    assert clipped("hand", square(-8, 40), SHOWN) is None
    assert clipped("person", square(-8, 40), SHOWN) is not None
    assert clipped("hand", square(-60, 40), SHOWN) is None


def test_a_round_things_box_lies_straight() -> None:
    angle = np.linspace(0.13, 2 * np.pi + 0.13, 24, endpoint=False)
    ring = np.stack([50 + 20 * np.cos(angle), 40 + 20 * np.sin(angle)], axis=1)
    quad = clipped("shaker_lid", ring, SHOWN)
    assert quad is not None
    assert len(set(np.round(quad[:, 0], 3))) == len(set(np.round(quad[:, 1], 3))) == 2
    diamond = np.array([[50, 20], [70, 40], [50, 60], [30, 40.0], [31, 39.0]])
    turned = clipped("shaker", diamond, SHOWN)
    assert turned is not None
    assert len(set(np.round(turned[:, 0], 1))) > 2


def test_hidden_things_are_not_labelled_and_nothing_outside_the_picture_is() -> None:
    calibration = Calibration(np.diag([2.0, -2.0, 1.0]), 100, 80, 1.0)
    top = TopView(calibration, Bounds(0.0, -320.0, 320.0, 0.0), 2.0)
    seen = shown_part(top, calibration)
    assert seen[:, 0].max() == pytest.approx(98.5, abs=1.0)
    labels = [
        Label("card_back", square(30, 30), 0.64),
        Label("card_back", square(60, 30), 0.66),
        Label("lamp", square(60, 60, 3), 0.8),
        Label("hand", square(150, 60), 0.0),
    ]
    assert [thing["cls"] for thing in things_in(top, calibration, labels)] == ["card_back", "lamp"]


def test_moving_scenes_are_not_asked_for_what_they_do_not_label() -> None:
    sample = Sample(Path("a.jpg"), "studio", CLASSES, np.zeros((0, 4, 2)), np.zeros(0, int), np.zeros(0, bool))
    known = without(sample, recipe.NOT_LABELLED["studio"]).known
    assert set(CLASSES) - set(known) == {"shuffler", "lamp", "person"}
    assert known[0] == CLASSES[0]


def test_the_stages_of_weights_are_those_up_to_their_last() -> None:
    assert [stage.name for stage in recipe.stages_up_to("whole")] == ["photographs", "table", "change", "whole"]
    trained = [stage for stage in recipe.STAGES if isinstance(stage, recipe.Stage)]
    assert all(sum(stage.shares.values()) == pytest.approx(1.0) for stage in trained)


def test_a_blend_is_of_stages_before_it() -> None:
    for stage in recipe.STAGES:
        if isinstance(stage, recipe.Blend):
            before = {s.name for s in recipe.stages_up_to(stage.name)[:-1]}
            assert {stage.first, stage.second} <= before
            assert 0 < stage.share < 1
