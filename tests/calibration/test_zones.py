"""Which zone a thing is in, and where the shoe's cards come out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.polygon import centroid, contains, crossing_edges, overlap_area, signed_area, signed_distance
from calibration.table import Layout
from calibration.zones import LayoutFault, share_in_zone, shares_in_zones, shoe_exit, zone_of, zones_of

TRAY = np.array([[-300.0, 0.0], [300.0, 0.0], [300.0, 140.0], [-300.0, 140.0]])
SHOE = np.array([[-295.0, 250.0], [-645.0, 250.0], [-645.0, 100.0], [-295.0, 100.0]])
SEAT = np.array([[600.0, 200.0], [900.0, 200.0], [900.0, 500.0], [600.0, 500.0]])
BET = np.array([[650.0, 250.0], [700.0, 250.0], [700.0, 300.0], [650.0, 300.0]])
#: An L: not convex.
BEND = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [1.0, 1.0], [1.0, 4.0], [0.0, 4.0]])
LAYOUT = Layout("left", (1,), {"bet:1:ante": BET, "tray": TRAY, "shoe": SHOE, "seat:1": SEAT})

coordinates = st.floats(-5, 9)


def turned(outline: np.ndarray, degrees: float) -> np.ndarray:
    """The outline turned about its middle."""
    angle = np.radians(degrees)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    moved: np.ndarray = (outline - outline.mean(axis=0)) @ turn.T + outline.mean(axis=0)
    return moved


def test_the_smallest_zone_around_a_place_has_its_name() -> None:
    assert zone_of((0.0, 50.0), LAYOUT) == "tray"
    assert zone_of((675.0, 275.0), LAYOUT) == "bet:1:ante"
    assert zone_of((800.0, 275.0), LAYOUT) == "seat:1"
    assert zone_of((0.0, 1000.0), LAYOUT) == "elsewhere"
    assert zone_of((np.nan, np.nan), LAYOUT) == "elsewhere"
    assert zones_of([[0, 50], [-400, 200], [0, -1]], LAYOUT) == ["tray", "shoe", "elsewhere"]


def test_share_of_a_card_in_a_zone() -> None:
    card = np.array([[-30.0, 100.0], [30.0, 100.0], [30.0, 180.0], [-30.0, 180.0]])
    assert share_in_zone(card, TRAY) == pytest.approx(0.5)
    assert share_in_zone(card[::-1], TRAY[::-1]) == pytest.approx(0.5)
    assert share_in_zone(card, SHOE) == 0.0
    assert share_in_zone(BET, SEAT) == pytest.approx(1.0)
    assert shares_in_zones(BET, LAYOUT.zones_mm) == pytest.approx({"bet:1:ante": 1.0, "seat:1": 1.0})


def test_a_thing_without_area_counts_by_its_middle() -> None:
    line = np.array([[0.0, 10.0], [10.0, 10.0], [20.0, 10.0], [10.0, 10.0]])
    assert share_in_zone(line, TRAY) == 1.0
    assert share_in_zone(line, SHOE) == 0.0


def test_overlap_with_a_bent_zone() -> None:
    square = np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [0.0, 4.0]])
    assert overlap_area(square, BEND) == pytest.approx(7.0)
    assert overlap_area(square + 2.0, BEND) == pytest.approx(0.0)
    assert overlap_area(square + np.array([0.0, 0.5]), BEND) == pytest.approx(0.5 * 4 + 3)
    assert signed_area(BEND) == pytest.approx(7.0)
    assert signed_area(BEND[::-1]) == pytest.approx(-7.0)
    assert centroid(square) == pytest.approx([2.0, 2.0])


@given(coordinates, coordinates)
def test_distance_and_containment_agree(x: float, y: float) -> None:
    distance = float(signed_distance([x, y], BEND))
    inside = (0 < x < 4 and 0 < y < 1) or (0 < x < 1 and 0 < y < 4)
    if abs(distance) > 1e-9:
        assert (distance > 0) == inside == bool(contains([x, y], BEND))
    # No place is farther from the outline than from any of its corners.
    assert abs(distance) <= np.linalg.norm(BEND - [x, y], axis=1).min() + 1e-9


def test_distances_in_millimetres() -> None:
    assert signed_distance([[0.0, 70.0], [0.0, -10.0], [303.0, 144.0]], TRAY) == pytest.approx([70.0, -10.0, -5.0])


def test_simple_and_crossing_outlines() -> None:
    assert crossing_edges(BEND) is None
    assert crossing_edges(TRAY[[0, 1, 3, 2]]) == (1, 3)
    assert crossing_edges(np.array([[0.0, 0.0], [4.0, 0.0], [1.0, 0.0], [0.0, 3.0]])) is not None
    assert crossing_edges(np.array([[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 0.0], [0.0, 4.0]])) is not None


def test_cards_leave_a_shoe_on_the_left_towards_the_dealers_right() -> None:
    place, direction = shoe_exit(LAYOUT)
    assert place == pytest.approx([-295.0, 175.0])
    assert direction == pytest.approx([1.0, 0.0])


@pytest.mark.parametrize("degrees", [-50.0, -20.0, 0.0, 30.0, 50.0])
@pytest.mark.parametrize("corners", [SHOE, SHOE[::-1], np.roll(SHOE, 1, axis=0)])
def test_a_turned_shoe(degrees: float, corners: np.ndarray) -> None:
    place, direction = shoe_exit(Layout("left", (), {"shoe": turned(corners, degrees)}))
    along = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees))])
    assert direction == pytest.approx(along, abs=1e-4)
    assert place == pytest.approx(SHOE.mean(axis=0) + 175 * along, abs=0.05)


def test_a_shoe_on_the_right_is_the_mirror_image() -> None:
    place, direction = shoe_exit(Layout("right", (), {"shoe": SHOE * [-1.0, 1.0]}))
    assert place == pytest.approx([295.0, 175.0])
    assert direction == pytest.approx([-1.0, 0.0])


def test_a_table_without_a_shoe() -> None:
    with pytest.raises(LayoutFault, match="no shoe"):
        shoe_exit(Layout("none", (), {"tray": TRAY}))
