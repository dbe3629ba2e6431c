"""Oriented rectangles of what people draw."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.evaluate_photos import quad_overlap
from models.labels.shapes import clockwise, is_straight, part_inside, smallest_rectangle, straight_box, turned_box

SIDE = st.floats(2, 300)


@given(SIDE, SIDE, st.floats(-360, 360), st.booleans())
def test_a_rectangle_keeps_its_corners_whatever_its_direction(
    width: float, height: float, degrees: float, backwards: bool
) -> None:
    corners = turned_box((500, 400), (width, height), degrees)
    found = smallest_rectangle(corners[::-1] if backwards else corners)
    assert found is not None
    assert quad_overlap(found.astype(np.float32), corners.astype(np.float32)) == pytest.approx(1, abs=1e-3)
    assert np.array_equal(found, clockwise(found))


@given(SIDE, SIDE, st.floats(1, 89))
def test_points_on_a_rectangles_edge_give_it_back(width: float, height: float, degrees: float) -> None:
    corners = turned_box((500, 400), (width, height), degrees)
    middles = (corners + np.roll(corners, -1, axis=0)) / 2
    found = smallest_rectangle(np.concatenate([corners, middles]))
    assert found is not None
    assert quad_overlap(found.astype(np.float32), corners.astype(np.float32)) > 0.98


def test_a_tiny_outline_in_shares_of_a_picture_is_one() -> None:
    points = np.array([[0.5, 0.5], [0.502, 0.501], [0.501, 0.503], [0.499, 0.502]])
    assert smallest_rectangle(points) is not None


@pytest.mark.parametrize("points", [[[1, 1], [2, 2]], [[1, 1], [2, 2], [3, 3], [4, 4]], [[1, 1]] * 4])
def test_a_line_or_a_point_encloses_nothing(points: list[list[float]]) -> None:
    assert smallest_rectangle(np.array(points, float)) is None


def test_only_an_axis_aligned_rectangle_is_straight() -> None:
    assert is_straight(straight_box(10, 20, 50, 40))
    assert is_straight(turned_box((30, 30), (40, 20), 90))
    assert not is_straight(turned_box((30, 30), (40, 20), 1))
    assert not is_straight(np.array([[0, 0], [10, 0], [10, 10], [0, 0]], float))


def test_the_part_of_a_thing_inside_the_picture() -> None:
    part, share = part_inside(straight_box(-10, 0, 10, 10), 100, 100)
    assert share == pytest.approx(0.5)
    assert part.tolist() == [[0, 0], [10, 0], [10, 10], [0, 10]]
    assert part_inside(straight_box(200, 0, 220, 10), 100, 100)[1] == 0
    whole = turned_box((50, 50), (20, 10), 30)
    assert part_inside(whole, 100, 100)[0] is whole
