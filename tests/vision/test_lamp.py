"""Lamps are told by their own light, under casts and exposures; where that is no use, it is unsure."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.drawn_lamps import BOX, LEDS, Drawn, draw
from models.evaluate_lamps import measure
from vision.lamp import read_lamp

#: BGR gains of white balances that are off.
CASTS = {"none": (1.0, 1.0, 1.0), "tungsten": (0.65, 1.0, 1.25), "cold": (1.25, 1.0, 0.75), "green": (0.85, 1.15, 0.85)}


@pytest.mark.parametrize("cast", CASTS.values(), ids=CASTS)
@pytest.mark.parametrize("exposure", [0.35, 0.7, 1.4])
@pytest.mark.parametrize("colour", LEDS)
def test_a_lit_lamp_is_told_under_casts_and_exposures(
    colour: str, exposure: float, cast: tuple[float, float, float]
) -> None:
    picture, white = draw(Drawn(colour, cast=cast, exposure=exposure))
    assert read_lamp(picture, BOX, white).colour == colour
    assert read_lamp(picture, BOX).colour in (colour, None)


@pytest.mark.parametrize("colour", LEDS)
@pytest.mark.parametrize("exposure", [0.35, 0.7, 1.0])
def test_an_unlit_lens_is_no_light(colour: str, exposure: float) -> None:
    picture, white = draw(Drawn(colour, lit=False, exposure=exposure))
    assert read_lamp(picture, BOX, white).colour in ("off", None)
    assert read_lamp(picture, BOX).colour in ("off", None)


def test_an_unlit_lens_at_a_common_exposure_is_off() -> None:
    for colour in LEDS:
        picture, white = draw(Drawn(colour, lit=False))
        assert read_lamp(picture, BOX, white).colour == "off"


def test_a_lamp_burnt_out_to_white_is_told_by_its_glow() -> None:
    picture, white = draw(Drawn("green", strength=30.0, exposure=1.0))
    assert picture[32, 32].min() >= 250
    assert read_lamp(picture, BOX, white).colour == "green"


def test_chance_lamps_are_hardly_ever_called_by_another_colour() -> None:
    for neutral in (True, False):
        figure = measure(300, neutral)
        assert figure.answers >= 0.6 * figure.lamps
        assert figure.wrong <= 0.01 * figure.lamps


def test_a_white_lamp_and_one_outside_the_picture_are_unsure_with_a_reason() -> None:
    picture, _ = draw(Drawn("red", lit=False))
    picture[26:38, 26:38] = 255
    assert read_lamp(picture, BOX).colour is None
    assert "no colour" in read_lamp(picture, BOX).why
    outside = read_lamp(picture, (60.0, 60.0, 70.0, 70.0))
    assert outside.colour is None
    assert "not wholly" in outside.why


def test_the_neutral_surface_takes_out_a_strong_cast() -> None:
    lamp = Drawn("amber", strength=1.5, cast=(0.5, 0.6, 1.3))
    picture, white = draw(lamp)
    assert read_lamp(picture, BOX, white).colour == "amber"
    plain, _ = draw(replace(lamp, cast=(1.0, 1.0, 1.0)))
    assert read_lamp(plain, BOX).colour == "amber"
