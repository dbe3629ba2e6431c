"""Lamps drawn in linear light: lens, glow, housing, cast, exposure, noise."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

#: Linear BGR of LEDs as cameras show them, full strength.
LEDS = {"red": (0.02, 0.03, 1.0), "amber": (0.01, 0.36, 1.0), "green": (0.22, 1.0, 0.06)}
#: The same lenses unlit.
LENSES = {"red": (0.03, 0.03, 0.22), "amber": (0.03, 0.16, 0.3), "green": (0.08, 0.2, 0.04)}
BOX = (24.0, 24.0, 40.0, 40.0)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A lamp: its colour, lit or not, strength in units of white, housing's grey, cast (BGR gains) and exposure."""

    colour: str
    lit: bool = True
    strength: float = 4.0
    housing: float = 0.05
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    exposure: float = 0.7
    noise: float = 2.0
    seed: int = 0


def draw(lamp: Drawn) -> tuple[Image, NDArray[np.float64]]:
    """A picture (64, 64, 3) BGR with the lamp at `BOX`, and what white paper has in it, BGR 0..255."""
    rng = np.random.default_rng(lamp.seed)
    light = np.full((64, 64, 3), lamp.housing)
    disc = np.zeros((64, 64), np.float32)
    cv2.circle(disc, (32 * 16, 32 * 16), 8 * 16, 1.0, -1, cv2.LINE_AA, 4)
    light = light * (1 - disc[..., None]) + disc[..., None] * np.array(LENSES[lamp.colour])
    if lamp.lit:
        core = cv2.GaussianBlur(disc, (0, 0), 2.0) + 0.15 * cv2.GaussianBlur(disc, (0, 0), 7.0)
        light = light + lamp.strength * core[..., None] * np.array(LEDS[lamp.colour])
    # a ceiling lamp's reflection in the lens
    glint = np.zeros((64, 64), np.float32)
    cv2.circle(glint, (29, 29), 1, 1.0, -1)
    light = light + 0.4 * glint[..., None]
    gains = np.array(lamp.cast) * lamp.exposure
    shown = to_values(light * gains) + rng.normal(0, lamp.noise, light.shape)
    return np.clip(np.rint(shown), 0, 255).astype(np.uint8), to_values(gains)


def by_chance(rng: np.random.Generator, seed: int) -> Drawn:
    """A lamp by chance: three in four lit, casts of up to a third, exposures from dim to glaring."""
    cast = np.exp(rng.uniform(-0.3, 0.3, 3)).tolist()
    return Drawn(
        list(LEDS)[seed % len(LEDS)],
        lit=bool(rng.random() < 0.75),
        strength=float(np.exp(rng.uniform(0, 2.5))),
        housing=float(rng.uniform(0.02, 0.5)),
        cast=(cast[0], cast[1], cast[2]),
        exposure=float(np.exp(rng.uniform(np.log(0.25), np.log(1.5)))),
        noise=4.0,
        seed=seed,
    )


def to_values(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """0..255 of linear light 0..1, clipped (sRGB)."""
    light = np.clip(light, 0, 1)
    return np.asarray(255 * np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055))
