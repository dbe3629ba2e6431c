"""Corners of drawn cards: aslant, blurred, noisy, under a finger, on another card, and where there is nothing."""

import cv2
import numpy as np
import pytest

from vision.corners import refined
from vision.frame import Frame, Image
from vision.sighting import Points

FELT, PAPER, BACK, SKIN = (60, 110, 30), (235, 240, 238), (130, 70, 60), (90, 120, 190)
#: A card in millimetres, its corners rounded by so much.
CARD_MM = np.array([[0, 0], [63.5, 0], [63.5, 88.9], [0, 88.9]])
ROUND_MM = 3.5
ASLANT = np.array([[64, 50], [146, 66], [140, 152], [50, 134]], np.float64)
FLAT = np.array([[70, 50], [133.5, 50], [133.5, 138.9], [70, 138.9]], np.float64)


def drawn(corners: Points, picture: Image | None = None, *, back: bool = False) -> Image:
    """The picture with a card of rounded corners in it, drawn four times finer and averaged down."""
    picture = np.full((200, 210, 3), FELT, np.uint8) if picture is None else picture
    fine = cv2.resize(picture, None, fx=4, fy=4, interpolation=cv2.INTER_NEAREST)
    where = ((corners + 0.5) * 4 - 0.5).astype(np.float32)
    matrix = np.asarray(cv2.getPerspectiveTransform(CARD_MM.astype(np.float32), where), np.float64)
    turns = np.linspace(0, np.pi / 2, 8)
    arc = 1 - np.stack([np.cos(turns), np.sin(turns)], axis=1)
    far = CARD_MM[2] / ROUND_MM
    right, left = np.stack([far[0] - arc[::-1, 0], arc[::-1, 1]], axis=1), np.stack([arc[:, 0], far[1] - arc[:, 1]], 1)
    outline = np.concatenate([arc, right, far - arc, left[::-1]]) * ROUND_MM
    cv2.fillPoly(fine, [_at(outline, matrix)], BACK if back else PAPER, cv2.LINE_AA, 4)
    for place in ((16, 22), (47, 22), (32, 45), (16, 67), (47, 67)) if not back else ():
        pip = np.array(place) + 6 * np.array([[0, -1], [1, 0], [0, 1], [-1, 0]])
        cv2.fillPoly(fine, [_at(pip.astype(np.float64), matrix)], (40, 30, 200), cv2.LINE_AA, 4)
    return np.asarray(cv2.resize(fine, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA), np.uint8)


def _at(points: Points, matrix: Points) -> Image:
    return np.round(cv2.perspectiveTransform(points[None], matrix) * 16).astype(np.int32)


def box_of(corners: Points, grown: float = 1.0) -> Points:
    """A detector's box: the smallest rectangle, clockwise, its corners nearest the card's."""
    middle, size, angle = cv2.minAreaRect(corners.astype(np.float32))
    box = cv2.boxPoints((middle, (size[0] * grown, size[1] * grown), angle)).astype(np.float64)
    return min((np.roll(box, k, axis=0) for k in range(4)), key=lambda q: float(np.abs(q - corners).sum()))


def worn(picture: Image, blur: float = 0.0, noise: float = 0.0) -> Image:
    """The picture as a worse camera gives it."""
    soft = cv2.GaussianBlur(picture, (0, 0), blur) if blur else picture
    grains = np.random.default_rng(5).normal(0, noise, picture.shape)
    return np.clip(soft + grains, 0, 255).astype(np.uint8)


def error_px(found: Points, true: Points) -> float:
    """The worst corner's distance from the truth."""
    return float(np.linalg.norm(found - true, axis=1).max())


@pytest.mark.parametrize(("blur", "noise", "within"), [(0.0, 0.0, 0.7), (1.5, 4.0, 0.8), (1.0, 14.0, 1.2)])
def test_card_aslant_is_found_to_a_part_of_a_pixel(blur: float, noise: float, within: float) -> None:
    box = box_of(ASLANT)
    assert error_px(box, ASLANT) > 4

    corners = refined(worn(drawn(ASLANT), blur, noise), box)

    assert corners.moved
    assert error_px(corners.quad, ASLANT) < within
    assert corners.support.min() > 0.7


def test_order_of_the_corners_is_the_boxs() -> None:
    box = box_of(ASLANT)
    for turn in range(4):
        for step in (1, -1):
            mine, true = np.roll(box, turn, axis=0)[::step], np.roll(ASLANT, turn, axis=0)[::step]
            assert error_px(refined(drawn(ASLANT), mine).quad, true) < 0.7


def test_frame_gives_what_its_picture_gives() -> None:
    picture = drawn(ASLANT)

    corners = refined(Frame.of(0, picture), box_of(ASLANT))

    np.testing.assert_allclose(corners.quad, refined(picture, box_of(ASLANT)).quad)


def test_finger_over_a_corner_leads_no_side_astray() -> None:
    picture = drawn(ASLANT)
    cv2.ellipse(picture, (146, 144), (10, 30), 30, 0, 360, SKIN, -1, cv2.LINE_AA)

    corners = refined(worn(picture, 0.8, 3.0), box_of(ASLANT))

    assert corners.moved
    assert error_px(corners.quad, ASLANT) < 1.5


def test_card_on_another_card() -> None:
    under = FLAT + np.array([22, -24])
    picture = drawn(FLAT, drawn(under, back=True))

    corners = refined(worn(picture, 0.6, 2.0), FLAT + np.array([3.0, -2.5]))

    assert corners.moved
    assert error_px(corners.quad, FLAT) < 1.0


def test_covered_side_is_placed_by_the_cards_size() -> None:
    picture = drawn(FLAT)
    cv2.rectangle(picture, (40, 112), (170, 180), SKIN, -1)
    box = FLAT + 2.0

    corners = refined(worn(picture, 0.8, 2.0), box, (63.5, 88.9))

    assert corners.moved
    assert corners.support[2] < 0.3
    assert error_px(corners.quad, FLAT) < 2.0
    assert error_px(corners.quad, FLAT) < error_px(box, FLAT)


@pytest.mark.parametrize("noise", [0.0, 6.0])
def test_without_an_edge_the_box_remains(noise: float) -> None:
    felt = worn(np.full((200, 210, 3), FELT, np.uint8), noise=noise)
    box = box_of(ASLANT)

    corners = refined(felt, box)

    assert not corners.moved
    np.testing.assert_array_equal(corners.quad, box)


def test_box_outside_the_picture_remains() -> None:
    picture = drawn(ASLANT)
    for box in (FLAT + 500, FLAT * np.nan, np.zeros((4, 2))):
        corners = refined(picture, box)
        assert not corners.moved
        assert corners.support.max() == 0


@pytest.mark.parametrize("sides_mm", [None, (63.5, 88.9), (0.0, 88.9)])
def test_box_that_is_no_quadrilateral_remains(sides_mm: tuple[float, float] | None) -> None:
    for box in ([[60, 50], [90, 80], [120, 110], [70, 60]], [[60, 50], [140, 150], [140, 50], [60, 150]]):
        assert not refined(drawn(ASLANT), np.array(box, np.float64), sides_mm).moved


def test_narrower_card_than_expected_keeps_its_own_edges() -> None:
    bridge = FLAT.copy()
    bridge[[1, 2], 0] -= 6.4

    corners = refined(worn(drawn(bridge), 0.6, 2.0), bridge + 2.0, (57.1, 88.9))

    assert corners.moved
    assert error_px(corners.quad, bridge) < 1.2
