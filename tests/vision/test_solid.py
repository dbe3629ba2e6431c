"""A cover card is told from a card's back by its one colour, right to the edge."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.solid import is_solid

FELT = (60, 90, 20)
MARGIN = 6


def crop(
    colour: tuple[int, int, int], *, border: bool = False, pattern: bool = False, shine: bool = False
) -> np.ndarray:
    image = np.full((128, 96, 3), FELT, np.uint8)
    cv2.rectangle(image, (MARGIN, MARGIN), (95 - MARGIN, 127 - MARGIN), (245, 245, 245) if border else colour, -1)
    inset = MARGIN + (8 if border else 0)
    cv2.rectangle(image, (inset, inset), (95 - inset, 127 - inset), colour, -1)
    if pattern:
        for y in range(inset, 127 - inset, 8):
            cv2.line(image, (inset, y), (95 - inset, y), (245, 245, 245), 4)
    if shine:
        glare = np.linspace(0, 60, 96, dtype=np.float32)[None, :, None]
        image = np.clip(image + glare, 0, 255).astype(np.uint8)
    noise = np.random.default_rng(1).normal(0, 4, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("colour", [(30, 200, 240), (30, 30, 200), (200, 80, 30), (60, 180, 60)])
@pytest.mark.parametrize("shine", [False, True])
def test_one_colour_to_the_edge_is_a_cover_card(colour: tuple[int, int, int], shine: bool) -> None:
    assert is_solid(crop(colour, shine=shine))


def test_a_white_border_is_a_back() -> None:
    assert not is_solid(crop((30, 30, 200), border=True))


def test_a_pattern_is_a_back() -> None:
    assert not is_solid(crop((30, 30, 200), pattern=True))


def test_paper_is_no_cover_card() -> None:
    assert not is_solid(crop((240, 240, 240)))
