"""Calibrations from point pairs: right on simulated cameras, honest about their error, clear about bad pairs."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.fit import Fit, fit, fit_pairs
from calibration.geometry import Calibration
from calibration.lens import Points
from calibration.pairs import PointPairs, PointsFault
from tests.calibration.views import pixels_over, view

#: Eight clicks as a technician would spread them, as shares of the picture.
EIGHT = np.array(
    [[0.05, 0.08], [0.5, 0.1], [0.95, 0.07], [0.07, 0.5], [0.93, 0.52], [0.06, 0.93], [0.5, 0.9], [0.94, 0.92]]
)


def clicks(true: Calibration, seed: int, noise_px: float = 1.0, shares: Points = EIGHT) -> PointPairs:
    """Pairs whose millimetres are right and whose pixels are off by `noise_px`, each way."""
    random = np.random.default_rng(seed)
    size = np.array([true.width_px, true.height_px])
    exact = (shares + random.uniform(-0.03, 0.03, shares.shape)) * size
    noisy = exact + random.normal(0, noise_px, exact.shape)
    return PointPairs.of(noisy.clip(0, size - 1), true.to_table(exact))


def off_mm(found: Calibration, true: Calibration) -> Points:
    """How far the found calibration puts places that the points surround from where they are."""
    pixels = pixels_over(true)
    middle = np.array([true.width_px, true.height_px]) / 2
    pixels = middle + (pixels - middle) * 0.85
    distance: Points = np.linalg.norm(found.to_table(pixels) - true.to_table(pixels), axis=1)
    return distance


def test_exact_pairs_give_the_exact_view() -> None:
    true = view((200.0, 900.0, 3400.0), (0.0, 420.0), focal_px=3400.0)
    pairs = clicks(true, 1, noise_px=0.0)
    assert off_mm(fit(pairs, 1920, 1080), true).max() < 1e-3
    four = PointPairs(pairs.px[[0, 2, 5, 7]], pairs.mm[[0, 2, 5, 7]], pairs.names[:4])
    assert off_mm(fit(four, 1920, 1080), true).max() < 1e-3


def test_a_known_lens_is_used_as_it_is() -> None:
    true = view(distortion=(-0.2, 0.05, 0.001, 0.0, 0.0), focal_px=2200.0)
    found = fit(clicks(true, 2, noise_px=0.0), 1920, 1080, lens=true.lens)
    assert off_mm(found, true).max() < 1e-3
    assert found.lens == true.lens
    assert found.camera_mm == pytest.approx(true.camera_mm, abs=0.5)


def test_the_lens_is_found_from_eight_points() -> None:
    true = view(distortion=(-0.12,), focal_px=2600.0)
    straight = true.lens.undistort(pixels_over(true)) if true.lens else pixels_over(true)
    bend_px = np.linalg.norm(straight - pixels_over(true), axis=1).max()
    found = fit(clicks(true, 3, noise_px=0.3), 1920, 1080)
    assert bend_px > 10
    assert off_mm(found, true).max() < 1.5


VIEWS = [
    pytest.param(0.5, (0.0, 400.0, 3000.0), (), id="straight down, 0.5 mm a pixel"),
    pytest.param(0.9, (150.0, 900.0, 3200.0), (-0.05,), id="tilted, 0.9 mm a pixel, a slight barrel"),
    pytest.param(1.3, (-300.0, 1200.0, 2900.0), (-0.1, 0.01), id="tilted, 1.3 mm a pixel, a barrel"),
    pytest.param(1.5, (0.0, -200.0, 3000.0), (0.03,), id="from the dealer's side, 1.5 mm a pixel, a cushion"),
]


@pytest.mark.parametrize(("scale", "place", "distortion"), VIEWS)
@pytest.mark.parametrize("noise_px", [0.5, 1.0, 2.0])
def test_the_stated_error_holds_for_95_percent_of_places(
    scale: float, place: tuple[float, float, float], distortion: tuple[float, ...], noise_px: float
) -> None:
    true = view(place, focal_px=place[2] / scale, distortion=distortion)
    within = []
    stated = []
    for seed in range(30):
        found = fit(clicks(true, seed, noise_px), 1920, 1080)
        within.append(float(np.mean(off_mm(found, true) <= found.error_mm)))
        stated.append(found.error_mm)
    # Thirty fits leave about 2 % of doubt in the share; the prior for clicks makes small noise look a bit larger.
    assert 0.90 <= np.mean(within) <= 0.999
    assert np.median(stated) < 3.0 * scale * noise_px + 1.0 * scale


def test_more_points_make_a_smaller_error() -> None:
    true = view()
    many = np.stack(np.meshgrid(np.linspace(0.05, 0.95, 6), np.linspace(0.05, 0.95, 5)), axis=-1).reshape(-1, 2)
    four = EIGHT[[0, 2, 5, 7]]
    errors = [fit(clicks(true, 5, shares=shares), 1920, 1080).error_mm for shares in (four, EIGHT, many)]
    assert errors[0] > errors[1] > errors[2]


def test_the_camera_is_placed_where_the_view_tells_it() -> None:
    true = view((100.0, 1600.0, 2600.0), (0.0, 420.0), focal_px=2400.0)
    found = fit(clicks(true, 6, noise_px=0.5), 1920, 1080)
    assert found.camera_mm is not None
    assert np.linalg.norm(np.subtract(found.camera_mm, (100.0, 1600.0, 2600.0))) < 150


def test_straight_down_the_height_is_not_invented() -> None:
    true = view((0.0, 400.0, 3000.0), (0.0, 400.0))
    assert fit(clicks(true, 7), 1920, 1080).camera_mm is None
    measured = fit(clicks(true, 7), 1920, 1080, camera_mm=(0.0, 400.0, 3000.0))
    assert measured.camera_mm == (0.0, 400.0, 3000.0)


def test_a_mirrored_picture_gives_a_mirrored_calibration() -> None:
    true = view((100.0, 1600.0, 2600.0), mirrored=True)
    found = fit(clicks(true, 8, noise_px=0.3), 1920, 1080)
    assert found.is_mirrored
    assert found.camera_mm is not None
    assert found.camera_mm[2] == pytest.approx(2600, rel=0.1)


def test_a_good_set_is_never_refused() -> None:
    true = view(distortion=(-0.05,))
    found = [fit_pairs(clicks(true, seed, noise_px=1.5), 1920, 1080) for seed in range(40)]
    assert all(isinstance(one, Fit) and one.off_mm.max() < 8 for one in found)


@pytest.mark.parametrize("wrong", [0, 3, 6])
def test_one_wrong_pair_is_named_with_its_distance(wrong: int) -> None:
    true = view()
    pairs = clicks(true, 9)
    pairs.mm[wrong] += [35.0, 0.0]
    with pytest.raises(PointsFault, match=rf"point {wrong + 1} is (3\d|40) mm off") as caught:
        fit(pairs, 1920, 1080)
    assert caught.value.exit_code == 2


def test_two_swapped_pairs_are_both_named() -> None:
    pairs = clicks(view(), 10)
    pairs.mm[[1, 4]] = pairs.mm[[4, 1]]
    with pytest.raises(PointsFault, match=r"point 2 is \d+ mm off, point 5 is \d+ mm off"):
        fit(pairs, 1920, 1080)


def test_too_few_pairs_to_say_which_is_wrong_are_refused_as_a_whole() -> None:
    pairs = clicks(view(), 11, shares=EIGHT[[0, 2, 4, 5, 7]])
    pairs.mm[2] += [60.0, 60.0]
    with pytest.raises(PointsFault, match="do not fit one view") as caught:
        fit(pairs, 1920, 1080)
    assert "not certain which" in caught.value.why


SQUARE = [[0.0, 0.0], [9.0, 300.0], [900.0, 9.0], [700.0, 800.0]]
LINE = [[100.0, 100.0], [400.0, 200.0], [700.0, 300.0], [1000.0, 400.0]]


@pytest.mark.parametrize(
    ("px", "mm", "what"),
    [
        ([[0, 0], [9, 0], [0, 9]], [[0, 0], [9, 0], [0, 9]], "only 3 point pairs"),
        (LINE, [[0, 0], [100, 3], [200, 180], [50, 300]], "the points lie on one line in px"),
        ([[9, 9], [900, 0], [30, 900], [950, 980]], LINE, "the points lie on one line in mm"),
        ([*LINE, [50.0, 900.0]], [*LINE, [50.0, 900.0]], "all points but one lie on one line"),
        ([[9, 9], [10, 9], [30, 900], [950, 980]], SQUARE, "points 1 and 2 are the same place in px"),
        ([[9, 9], [2000, 9], [30, 900], [950, 980]], SQUARE, r"point 2 at \(2000, 9\) px is outside"),
    ],
)
def test_degenerate_points_are_refused(px: list[list[float]], mm: list[list[float]], what: str) -> None:
    with pytest.raises(PointsFault, match=what):
        fit(PointPairs.of(px, mm), 1920, 1080)


def test_points_in_a_corner_leave_the_layout_too_uncertain() -> None:
    true = view()
    pairs = clicks(true, 12, shares=0.05 * EIGHT + 0.05)
    with pytest.raises(PointsFault, match="the felt is only known to"):
        fit(pairs, 1920, 1080, area_mm=true.to_table(pixels_over(true)))
