"""Packets, feathering, ribbons, and the second cover card put right by what surfaces."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.measure.draw import Camera, Strip, picture, stack_quad
from tests.vision.measure.draw_ribbon import Spread, ribbon_picture
from vision.measure.cover import Colour
from vision.measure.feather import combine_feathered, read_feathered_strip
from vision.measure.packet import Length, combine_length, conserved, packet_cards, read_length
from vision.measure.ribbon import combine_ribbon, read_ribbon
from vision.measure.second import Span, settle_second, surfaced


def length_of(strip: Strip, seed: int) -> Length:
    camera = Camera(1.46)
    image = picture(strip, camera, seed=seed, rays=3)
    quad = stack_quad(strip, camera, np.random.default_rng(seed))
    reading, why = read_length(image, 0, camera.calibration(), quad, (0, 1))
    assert reading is not None, why
    length, why = combine_length([reading])
    assert length is not None, why
    return length


def test_a_packet_is_counted_by_the_stack_it_came_from_and_nothing_is_lost() -> None:
    whole = length_of(Strip(cards=416, seed=1), 1)
    parts = [length_of(Strip(cards=n, seed=seed), seed) for n, seed in ((150, 2), (266, 3))]
    packet, why = packet_cards(whole, parts[0], 416)
    assert packet is not None, why
    assert packet.low <= 150 <= packet.high
    assert packet.half_width < 1.25 * 1.96 * 3.5
    assert conserved(whole, parts, 416).holds
    assert not conserved(whole, parts[:1], 416).holds


def test_a_packet_longer_than_its_stack_is_refused() -> None:
    whole, part = length_of(Strip(cards=312, seed=1), 1), length_of(Strip(cards=416, seed=1), 1)
    assert packet_cards(whole, part, 312)[0] is None


@pytest.mark.parametrize(
    ("lace", "truth"), [((), 0.0), (((0.0, 1.0, 12.0),), 1.0), (((0.0, 0.5, 20.0),), 0.5), (((0.4, 1.0, 30.0),), 0.6)]
)
def test_the_laced_fraction(lace: tuple[tuple[float, float, float], ...], truth: float) -> None:
    strip, camera = Strip(seed=3, lace=lace), Camera(1.46, size_mm=(240, 240))
    quad = stack_quad(strip, camera, np.random.default_rng(1))
    reading, why = read_feathered_strip(picture(strip, camera, rays=2), 0, camera.calibration(), quad, (0, 1))
    assert reading is not None, why
    result, _ = combine_feathered([reading, reading])
    assert result is not None
    assert result.low <= truth <= result.high
    assert result.half_width < 0.1
    assert bool(result.marks.polygons_px) == (truth < 1.0)  # the squared part is what is drawn


@pytest.mark.parametrize("seed", range(4))
def test_a_ribbon_is_counted_exactly_and_the_cover_card_found_in_it(seed: int) -> None:
    spread = Spread(24 + 2 * seed, 8.0 + 1.2 * seed, 0.1, seed % 2 == 0, seed, border_mm=4.0, cover_after=11 + seed)
    camera = Camera(0.73, size_mm=(500, 180))
    image = ribbon_picture(spread, camera, seed=seed, fine=2)
    colour = Colour(np.array(spread.cover_bgr) ** (1.6 / 2.2))
    reading, why = read_ribbon(
        image, 0, camera.calibration(), spread.quad_mm, (1, 0), cover_quad_mm=spread.cover_quad_mm, colour=colour
    )
    assert reading is not None, why
    assert reading.count == spread.cards
    assert reading.below_cover == spread.cover_after
    assert [line[4] for line in reading.marks.lines_px] == [*map(str, range(1, spread.cards + 1)), "cover card"]
    result, _ = combine_ribbon([reading])
    assert result is not None
    assert (result.value, result.below) == (spread.cards, spread.cover_after)


def test_bare_felt_is_no_ribbon() -> None:
    camera = Camera(1.46, size_mm=(500, 180))
    image = np.full((*camera.size_px[::-1], 3), 90, np.uint8)
    quad = [(-150, 360), (150, 360), (150, 440), (-150, 440)]
    reading, why = read_ribbon(image, 0, camera.calibration(), quad, (1, 0))
    assert reading is None
    assert why


def test_what_surfaces_confirms_or_corrects() -> None:
    later = surfaced(Span(9, 9, 9), Span(6, 5, 7))
    assert (later.low, later.high) == (14, 16)
    confirmed, _ = settle_second(Span(16, 13, 19), later)
    assert confirmed is not None
    assert (confirmed.low, confirmed.high, confirmed.outcome) == (14, 16, "confirmed")
    corrected, _ = settle_second(Span(20, 19, 21), later)
    assert corrected is not None
    assert (corrected.value, corrected.outcome, corrected.gap_cards) == (15, "corrected", 3)
    early, _ = settle_second(Span(16, 13, 19), None)
    assert early is not None
    assert early.outcome == "early"
    assert settle_second(None, None) == (None, "neither the insertion nor the cards after it were seen")
