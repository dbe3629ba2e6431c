"""Whether two cards lying face down are of one back design, by colour and texture; or that it cannot be told.

Measured are the colour of the card's middle apart from its brightness, its brightness, how strong its texture is, how
well the two textures lie on each other at the best of small shifts and either end up. A logistic model makes one
probability of that; its weights and bounds were fitted by `python -m models.evaluate_backs --fit` on drawn backs of the
training patterns, seen small, blurred, dim and noisy. Between the bounds the answer is None.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import CROP_HEIGHT_PX, CROP_WIDTH_PX
from vision.frame import Image

Float = NDArray[np.float64]

#: The part of a crop that is compared: inside its margin and a white border.
INNER = (slice(18, 110), slice(14, 82))
#: Light added before logarithms, so that black has a colour too.
DARK = 0.03
#: The texture is what is finer than this (standard deviation in pixels of the crop), and coarser than the second.
COARSE_PX, FINE_PX = 7.0, 0.8
#: A pixel that differs so much (grey levels) from those around it is a speck, no texture.
SPECK = 90
#: Textures may lie so many pixels of the crop beside each other.
SHIFT_PX = 4
#: Texture weaker than this share of the brightness is not to be told from noise.
CLEAR_TEXTURE = 0.025
#: With so much more light on one (a logarithm; 1.6 times) and no more than this of another colour, what differs may be
#: what the light shows.
OTHER_LIGHT, OTHER_COLOUR = 0.5, 0.3
#: The model: the weight of each of `FEATURES`, and the constant.
FEATURES = ("colour", "light", "agreement", "clear", "relief", "disagreement")
WEIGHTS = (-9.92, -1.23, 2.57, 0.903, -4.45, -8.1)
CONSTANT = 4.32
#: Same from here on, different up to here: one answer in two hundred was wrong at these on the training patterns.
SAME, DIFFERENT = 0.9792, 0.0146


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two backs are.

    Attributes:
        colour: distance of the colours, in logarithms of the ratios of light.
        light: how much brighter one is, in logarithms.
        agreement: correlation of the textures at the best place, -1..1, counted for less where they are hardly clear.
        clear: 0..1, how clear the weaker texture is.
        relief: how much stronger one texture is, in logarithms.
        probability: that both are of one design, 0..1.
    """

    colour: float
    light: float
    agreement: float
    clear: float
    relief: float
    probability: float

    @property
    def same(self) -> bool | None:
        """Whether both are of one design; None where that cannot be told, or where the light on them differs much."""
        if self.light > OTHER_LIGHT and self.colour < OTHER_COLOUR:
            return None
        if self.probability >= SAME:
            return True
        return False if self.probability <= DIFFERENT else None


@dataclass(frozen=True, slots=True, eq=False)
class BackLook:
    """What is measured of one back: logarithms of its light (blue, green, red), texture (92, 68), its strength."""

    light: Float
    texture: NDArray[np.float32]
    strength: float


def look_at(crop: Image) -> BackLook:
    """What is measured of an upright crop (128, 96, 3) BGR of a card's back, as `vision.crops` makes it.

    Raises:
        ValueError: the crop has another shape.
    """
    if crop.shape != (CROP_HEIGHT_PX, CROP_WIDTH_PX, 3):
        raise ValueError(f"a crop has shape {crop.shape}, expected ({CROP_HEIGHT_PX}, {CROP_WIDTH_PX}, 3)")
    # specks and reflections are few: medians and percentiles pass over them
    calm = np.asarray(cv2.medianBlur(crop, 3))
    inner = np.where(cv2.absdiff(crop, calm) > SPECK, calm, crop)[INNER].astype(np.float32) / 255
    coarse = cv2.GaussianBlur(inner, (0, 0), COARSE_PX)
    light = np.median((coarse**2.2).reshape(-1, 3), axis=0).astype(np.float64)
    grey = inner @ np.array([0.114, 0.587, 0.299], np.float32)
    texture = cv2.GaussianBlur(grey, (0, 0), FINE_PX) - cv2.GaussianBlur(grey, (0, 0), COARSE_PX)
    strong = float(np.percentile(np.abs(texture), 75))
    texture = np.clip(texture, -4 * strong, 4 * strong)
    return BackLook(np.log(light + DARK), texture, strong / (float(np.median(grey)) + 0.05))


def features(first: BackLook, second: BackLook) -> Float:
    """The numbers of `FEATURES` of two backs, (6,)."""
    apart = first.light - second.light
    light = abs(float(apart.mean()))
    colour = float(np.linalg.norm(apart - apart.mean()))
    clear = min(1.0, min(first.strength, second.strength) / CLEAR_TEXTURE)
    inner = np.ascontiguousarray(second.texture[SHIFT_PX:-SHIFT_PX, SHIFT_PX:-SHIFT_PX])
    turned = np.ascontiguousarray(inner[::-1, ::-1])
    best = max(float(cv2.matchTemplate(first.texture, t, cv2.TM_CCOEFF_NORMED).max()) for t in (inner, turned))
    relief = abs(float(np.log((first.strength + 0.01) / (second.strength + 0.01))))
    return np.array([colour, light, best * clear, clear, relief, max(0.0, 0.5 - best) * clear])


def compare(first: BackLook, second: BackLook) -> Likeness:
    """How alike two backs are; the order does not matter beyond the rounding of shifts."""
    measured = features(first, second)
    logit = float(measured @ np.array(WEIGHTS)) + CONSTANT
    colour, light, agreement, clear, relief, _ = (float(value) for value in measured)
    return Likeness(colour, light, agreement, clear, relief, float(1 / (1 + np.exp(-np.clip(logit, -50, 50)))))
