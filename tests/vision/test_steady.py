"""A camera that is pushed in the midst of a recording is told, and until it hangs as before nothing is proved."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.drift import Drift
from calibration.geometry import Calibration
from calibration.tablefile import Camera, Game, Table
from rules.coverage import losses
from rules.event import Event
from tests.vision.ledgers import LAYOUT
from vision.frame import Frame, Image
from vision.steady import Stand

WIDTH_PX, HEIGHT_PX = 320, 240
CALIBRATION = Calibration(np.array([[4.5, 0, -720.0], [0, -4.5, 540.0], [0, 0, 1.0]]), WIDTH_PX, HEIGHT_PX, 1.5)
TABLE = Table("midi-1", (Camera(WIDTH_PX, HEIGHT_PX),), CALIBRATION, LAYOUT, Game("pa58/629a", 8, 416))


def printed() -> Image:
    """A felt full of print."""
    coarse = np.random.default_rng(2).integers(0, 2, (HEIGHT_PX // 12 + 2, WIDTH_PX // 12 + 2))
    return np.repeat((60 + 120 * np.kron(coarse, np.ones((12, 12))))[..., None], 3, axis=2).astype(np.uint8)


def seen(x_px: int) -> Image:
    """The felt by a camera that was pushed so far."""
    return np.ascontiguousarray(printed()[:HEIGHT_PX, x_px : x_px + WIDTH_PX])


def told(pushed: dict[range, int], seconds: int = 40) -> tuple[list[Event], Stand]:
    """The events of pictures, two a second, pushed by so many pixels in so many of them."""
    stand, events = Stand(TABLE), []
    for number in range(2 * seconds):
        image = seen(next((px for spell, px in pushed.items() if number in spell), 0))
        events += stand.step(Frame.of(500_000 * number, image))
    return events, stand


@pytest.mark.parametrize("pushed_px", [6, 12])
def test_the_table_is_out_of_view_from_the_push_until_it_is_put_right(pushed_px: int) -> None:
    events, stand = told({range(20, 50): pushed_px})
    assert [event.kind for event in events] == ["camera.moved", "view.lost", "view.back"]
    assert events[0].end_us <= 16_000_000  # six seconds after the push
    (loss,) = losses(events)
    assert loss.zone == "table"
    assert loss.start_us <= 10_000_000
    assert loss.end_us is not None
    assert 25_000_000 <= loss.end_us <= 27_000_000
    assert stand.moved is None


def test_a_camera_that_stays_pushed_is_told_once_and_says_by_how_much() -> None:
    events, stand = told({range(20, 80): 8})
    assert [event.kind for event in events] == ["camera.moved", "view.lost"]
    assert stand.moved == "places on the felt are off by 36 mm"
    (loss,) = losses(events)
    assert loss.end_us is None


def test_what_moves_no_place_out_of_its_zone_is_not_told() -> None:
    assert told({range(20, 80): 2, range(10, 12): 30})[0] == []


def test_a_turn_is_told_by_the_zones_that_it_moves() -> None:
    stand = Stand(TABLE)
    whole = cv2.getRotationMatrix2D(((WIDTH_PX - 1) / 2, (HEIGHT_PX - 1) / 2), 2.0, 1.0)
    turned = np.asarray(cv2.warpAffine(seen(0), whole, (WIDTH_PX, HEIGHT_PX), borderMode=cv2.BORDER_REFLECT), np.uint8)
    for number in range(40):
        stand.step(Frame.of(500_000 * number, seen(0) if number < 10 else turned))
    assert stand.moved is not None
    off_mm = float(stand.moved.split()[-2])
    corners = np.concatenate(list(LAYOUT.zones_mm.values()))
    middle = CALIBRATION.to_table(np.array([(WIDTH_PX - 1) / 2, (HEIGHT_PX - 1) / 2]))
    assert off_mm == pytest.approx(np.radians(2.0) * np.linalg.norm(corners - middle, axis=1).max(), rel=0.1)


def test_a_horizon_in_the_picture_is_never_still_and_moves_no_zone() -> None:
    """A camera that looks along the table: beyond the layout a part of a pixel is metres."""
    tilt = np.array([[4.5, 0, -720.0], [0, -4.5, 540.0], [0, 0.0042, 0.0]])
    low = Calibration(tilt / tilt[2, 1] / 120, WIDTH_PX, HEIGHT_PX, 1.5)
    trembled = cv2.warpAffine(seen(0), np.array([[1, 0, 0.1], [0, 1, 0.3]]), (WIDTH_PX, HEIGHT_PX))
    shift = Drift(seen(0), low).step(np.asarray(trembled, np.uint8))
    assert shift is not None
    assert shift.off_mm > 50  # over the whole picture
    stand = Stand(replace(TABLE, calibration=low))
    for number in range(60):
        image = seen(0) if number < 10 else np.asarray(trembled, np.uint8)
        assert stand.step(Frame.of(500_000 * number, image)) == []


def test_a_first_picture_that_shows_nothing_is_replaced_by_one_that_does() -> None:
    stand = Stand(TABLE)
    dark = np.zeros((HEIGHT_PX, WIDTH_PX, 3), np.uint8)
    pictures = [dark] * 10 + [seen(0)] * 20 + [seen(10)] * 20
    events = [e for n, image in enumerate(pictures) for e in stand.step(Frame.of(500_000 * n, image))]
    assert [event.kind for event in events] == ["camera.moved", "view.lost"]
