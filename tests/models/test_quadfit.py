"""Outlines of cards from boxes: found where they are, refused where they are not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.train.quadfit import fit_card, gradients


def desk(angle_deg: float, paper: int = 245, ground: int = 90) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """A noisy desk with a card turned by `angle_deg` on it, and the card's corners."""
    rng = np.random.default_rng(3)
    picture = np.full((400, 400, 3), ground, np.uint8)
    corners = cv2.boxPoints(((200.0, 190.0), (126.0, 176.0), angle_deg)).astype(np.float64)
    cv2.fillPoly(picture, [np.rint(corners).astype(np.int32)], (paper, paper, paper), cv2.LINE_AA)
    cv2.circle(picture, (200, 190), 22, (30, 20, 190), -1, cv2.LINE_AA)
    noisy = picture + rng.normal(0, 1.5, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), corners


def box_of(corners: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.concatenate([corners.min(axis=0), corners.max(axis=0)])


@pytest.mark.parametrize("angle_deg", [0.0, 12.0, 35.0, 60.0, 85.0, 140.0])
def test_a_whole_card_is_found_to_a_few_pixels(angle_deg: float) -> None:
    picture, corners = desk(angle_deg)
    fit = fit_card(gradients(picture), box_of(corners))
    assert fit.accepted
    gaps = np.linalg.norm(fit.quad[:, None] - corners[None], axis=2).min(axis=1)
    assert gaps.max() < 8


def test_a_white_card_on_a_white_desk_is_found_by_its_faint_edges() -> None:
    picture, corners = desk(28.0, paper=232, ground=214)
    fit = fit_card(gradients(picture), box_of(corners))
    assert fit.accepted
    assert np.linalg.norm(fit.quad[:, None] - corners[None], axis=2).min(axis=1).max() < 9


def test_a_half_hidden_card_is_not_given_an_outline() -> None:
    picture, corners = desk(30.0)
    box = box_of(corners)
    picture[:, 215:] = 60
    box[2] = 215
    assert not fit_card(gradients(picture), box).accepted


def test_an_empty_desk_has_no_outline() -> None:
    picture, corners = desk(30.0, paper=90)
    assert not fit_card(gradients(picture), box_of(corners)).accepted
