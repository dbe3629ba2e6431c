"""Which way the backs face: told from drawn pictures of a stack that lies, is tipped up, and stands."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from calibration.geometry import Calibration
from vision.change.box import Box
from vision.change.look import Look
from vision.change.people import Arm
from vision.change.tip import Backs, Tip
from vision.frame import Frame, Image
from vision.sighting import Sighting

#: The picture: 1 px a millimetre, 400 x 400, y up on the table.
SIDE_PX = 400
FELT, PAPER, BACK, GREY = (60, 110, 40), (225, 230, 232), (150, 70, 40), (110, 112, 111)


def camera() -> Calibration:
    to_mm = np.array([[1.0, 0.0, -200.0], [0.0, -1.0, 400.0], [0.0, 0.0, 1.0]])
    return Calibration(homography=to_mm, width_px=SIDE_PX, height_px=SIDE_PX, error_mm=0.1)


def picture(parts: list[tuple[tuple[int, int, int], tuple[int, int]]]) -> Image:
    """Felt with a stack 90 mm wide about x = 0; each part a colour from y to y in mm."""
    image = np.full((SIDE_PX, SIDE_PX, 3), FELT, np.uint8)
    for colour, (low, high) in parts:
        image[400 - high : 400 - low, 155:245] = colour
    return image


def outline(low: int, high: int) -> Sighting:
    quad = np.array([[-45, high], [45, high], [45, low], [-45, low]], dtype=np.float64)
    return Sighting(0, "stack", quad, 0.9)


def watch(tip: Tip, stages: list[tuple[Image, Sighting, bool, bool]], looks: int = 8) -> object:
    """Shows `tip` each stage (picture, stack, whether it stands, whether hands hold it) for some looks."""
    t_us = 0
    for image, stack, stands, held in stages:
        for _ in range(looks):
            t_us += 66_000
            arms = [Arm("dealer", 1, Sighting(t_us, "hand", stack.quad_mm + 10.0, 0.9))] if held else []
            look = Look(t_us, [stack], arms=arms, frame=Frame.of(t_us, image))
            low, high = stack.quad_mm[:, 1].min(), stack.quad_mm[:, 1].max()
            box = Box(stack.centre_mm, np.array([0.0, 1.0]), float(high - low), 90.0)
            standing = SimpleNamespace(
                rest=box if stands else None,
                packet=object() if stands else None,
                seen=box,
                since_us=t_us,
                touched=lambda look: bool(look.arms),
            )
            tip.step(look, standing)  # type: ignore[arg-type]  # what it asks of a Stand, no more
    return tip.backs_away


LIES = (picture([(BACK, (180, 245))]), outline(180, 245), False, False)


def stands(low_end: tuple[int, int, int], high_end: tuple[int, int, int]) -> tuple[Image, Sighting, bool, bool]:
    image = picture([(low_end, (172, 180)), (PAPER, (180, 308)), (high_end, (308, 316))])
    return image, outline(174, 314), True, False


def test_a_back_at_the_players_end_faces_them() -> None:
    assert watch(Tip(Backs(camera())), [LIES, stands(PAPER, BACK)]) is True


def test_a_back_at_the_dealers_end_faces_him() -> None:
    tipping = (picture([(BACK, (180, 210)), (PAPER, (210, 290))]), outline(180, 290), False, True)
    assert watch(Tip(Backs(camera())), [LIES, tipping, stands(BACK, PAPER)], looks=15) is False


def test_a_coloured_near_end_alone_may_be_a_court_cards_face() -> None:
    assert watch(Tip(Backs(camera())), [LIES, stands(BACK, PAPER)], looks=30) == "unsure"


def with_face(picture_: Image, low: int, high: int) -> Image:
    """The picture with an end card's face from y to y in mm: white in the shade, pips of the back's colour on it."""
    shown = picture_.copy()
    shown[400 - high : 400 - low, 155:245] = (104, 84, 74)
    for x in range(158, 245, 15):
        shown[400 - high : 400 - low, x : x + 6] = BACK
    return shown


def test_an_end_cards_face_in_the_shade_is_no_back_whatever_its_pips() -> None:
    tipping = with_face(picture([(PAPER, (180, 290))]), 180, 210)
    image, outlined, standing, held = stands(PAPER, PAPER)
    for low, high in ((172, 180), (308, 316)):
        shown = (with_face(image, low, high), outlined, standing, held)
        stages = [LIES, (tipping, outline(180, 290), False, True), shown]
        assert watch(Tip(Backs(camera())), stages, looks=15) == "unsure"


def test_ends_that_show_no_back_tell_nothing() -> None:
    assert watch(Tip(Backs(camera())), [LIES, stands(PAPER, PAPER)]) == "unsure"


def test_what_hands_hold_at_the_dealers_end_is_not_held_against_him() -> None:
    image, stack, standing, _ = stands(BACK, PAPER)
    assert watch(Tip(Backs(camera())), [LIES, (image, stack, standing, True)]) == "unsure"


@pytest.mark.parametrize("colour", [GREY, FELT])
def test_a_back_like_shaded_paper_or_felt_tells_nothing(colour: tuple[int, int, int]) -> None:
    lies = (picture([(colour, (180, 245))]), outline(180, 245), False, False)
    assert watch(Tip(Backs(camera())), [lies, stands(PAPER, colour)]) == "unsure"


def test_a_back_that_rises_on_the_players_side_while_it_is_tipped_faces_them() -> None:
    tipping = (picture([(PAPER, (180, 260)), (BACK, (260, 290))]), outline(180, 290), False, True)
    assert watch(Tip(Backs(camera())), [LIES, tipping, stands(PAPER, PAPER)]) is True


def test_without_pictures_nothing_is_told() -> None:
    assert watch(Tip(), [LIES, stands(PAPER, BACK)]) == "unsure"
