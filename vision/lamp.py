"""The colour of a signal lamp, by measuring the light that it adds to its surroundings.

A lit lamp adds light of its own colour to what is around it, and its middle is often so bright that the camera shows
white. So the colour is taken from what the lamp's box and the glow around it have above the surroundings, in linear
light, leaving out clipped pixels; whether it is lit, from how far its brightest part stands above what white paper
would have there. A neutral surface in view (paper, a grey housing) takes out the cast of the light and the exposure;
without one the surroundings serve where they are nearly grey, and the bounds are wide enough for common casts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.frame import Image

COLOURS = ("red", "amber", "green")
Float = NDArray[np.float64]

#: Hue in degrees of linear light: to here red, amber, green; between two ranges it is unsure. From tables of LEDs
#: (630 nm about 0, 590 nm 15 to 35, 570 to 525 nm 80 to 150) as cameras show them, widened by casts of a fifth.
HUES_DEG = {"red": (-25.0, 8.5), "amber": (13.0, 58.0), "green": (74.0, 172.0)}
#: Light less saturated than this has no colour to be told by.
LEAST_SATURATION = 0.35
#: The brightest part's light in units of white paper's: from here a lamp is lit, below the second it is off.
LIT, OFF = 0.75, 0.35
#: ... and, so that a saturated lens in daylight is not taken for a light, in units of the surroundings'.
LIT_CONTRAST, OFF_CONTRAST = 3.0, 1.25
#: White paper where no neutral surface is given: a common exposure puts it here.
PAPER = 0.7
#: A channel from here on (0..255) may be clipped.
CLIPPED = 250
#: With more of the lens burnt out to white than this, what is left of it may be mere glass: only the glow counts.
#: ... from so far outside the box, in sides of it: a box is never quite right.
BURNT_OUT, EDGE = 0.4, 0.1
#: Surroundings may stand in for a neutral surface where no channel is so many times another, and bright enough.
NEARLY_GREY, LEAST_GREY = 1.8, 0.03
#: The surroundings reach so far beyond the box, in sides of it; the glow is looked at so far.
RING, GLOW = 1.0, 0.35
#: Fewer pixels than this on a side, and nothing is measured.
LEAST_PX = 3


@dataclass(frozen=True, slots=True)
class LampReading:
    """What a lamp shows.

    Attributes:
        colour: 'red', 'amber', 'green', 'off', or None where it is unsure.
        hue_deg: hue of the lamp's own light, -180..180 in linear RGB, or None where it adds none.
        saturation: of that light, 0..1.
        brightness: its brightest part in units of white paper under the same light.
        why: why it is unsure, or an empty text.
    """

    colour: str | None
    hue_deg: float | None
    saturation: float
    brightness: float
    why: str = ""


def read_lamp(picture: Image, box_px: tuple[float, float, float, float], neutral: Float | None = None) -> LampReading:
    """The lamp inside a box (x0, y0, x1, y1) of a picture (H, W, 3) BGR.

    Args:
        picture: the whole picture, or enough of it around the lamp.
        box_px: the lamp's lens, in pixels.
        neutral: BGR 0..255 of a white or light grey surface under the same light, e.g. the median over a card's paper.
    """
    x0, y0, x1, y1 = (round(value) for value in box_px)
    width, height = x1 - x0, y1 - y0
    if min(width, height) < LEAST_PX or min(x0, y0) < 0 or x1 > picture.shape[1] or y1 > picture.shape[0]:
        return LampReading(None, None, 0.0, 0.0, "the lamp is too small or not wholly in the picture")
    reach = round(RING * max(width, height))
    left, above = max(x0 - reach, 0), max(y0 - reach, 0)
    part = picture[above : y1 + reach, left : x1 + reach]
    box = (x0 - left, y0 - above, x1 - left, y1 - above)
    around = _outside(part.shape[:2], box, GLOW * max(width, height))
    if around.sum() < LEAST_PX**2:
        return LampReading(None, None, 0.0, 0.0, "nothing around the lamp is in the picture")
    light = to_linear(part)
    ground = np.asarray(np.median(light[around], axis=0), np.float64)
    white = _white(ground, neutral)
    inside = np.s_[box[1] : box[3], box[0] : box[2]]
    lens = light[inside].reshape(-1, 3)
    peak = np.percentile((lens / white).max(axis=1), 90)
    contrast = peak / max(float((ground / white).max()), 1e-3)
    clear = (part < CLIPPED).all(axis=2) & ~around
    if (part[inside] >= CLIPPED).all(axis=2).mean() > BURNT_OUT:
        clear &= _outside(part.shape[:2], box, max(1.5, EDGE * max(width, height)))
    hue, saturation = _own_colour((light - ground) / white, clear)
    return _judge(float(peak), float(contrast), hue, saturation)


def _judge(peak: float, contrast: float, hue: float | None, saturation: float) -> LampReading:
    """The reading by the bounds."""
    if peak < OFF or contrast < OFF_CONTRAST:
        return LampReading("off", hue, saturation, peak)
    if peak < LIT or contrast < LIT_CONTRAST:
        return LampReading(None, hue, saturation, peak, "it may be lit or only reflect")
    if hue is None or saturation < LEAST_SATURATION:
        return LampReading(None, hue, saturation, peak, "it is bright but has no colour")
    for name in COLOURS:
        low, high = HUES_DEG[name]
        if low <= hue <= high:
            return LampReading(name, hue, saturation, peak)
    return LampReading(None, hue, saturation, peak, "its colour lies between those of lamps")


def to_linear(picture: Image) -> Float:
    """Light 0..1 of a picture's values (IEC 61966-2-1, sRGB)."""
    return np.asarray(_LINEAR[picture])


def _curve() -> Float:
    values = np.arange(256) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


_LINEAR = _curve()


def _outside(shape: tuple[int, ...], box: tuple[int, int, int, int], distance: float) -> NDArray[np.bool_]:
    """Pixels further than `distance` from the box."""
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]]
    across = np.maximum(np.maximum(box[0] - x, x - (box[2] - 1)), 0)
    down = np.maximum(np.maximum(box[1] - y, y - (box[3] - 1)), 0)
    return np.asarray(np.hypot(across, down) > distance)


def _white(ground: Float, neutral: Float | None) -> Float:
    """Linear BGR of white paper: by the neutral surface, else by grey surroundings, else as commonly exposed."""
    if neutral is not None:
        index = np.clip(np.rint(np.asarray(neutral, np.float64)), 0, 255).astype(np.uint8)
        return np.maximum(np.asarray(_LINEAR[index]), LEAST_GREY)
    if ground.min() > LEAST_GREY and ground.max() / ground.min() < NEARLY_GREY:
        return np.asarray(PAPER * ground / ground.max(), np.float64)
    return np.full(3, PAPER)


def _own_colour(added: Float, clear: NDArray[np.bool_]) -> tuple[float | None, float]:
    """Hue in degrees and saturation of the light that unclipped pixels have above the surroundings."""
    light = np.maximum(added[clear], 0)
    total = light[light.sum(axis=1) > 0.03].sum(axis=0) if len(light) else np.zeros(3)
    blue, green, red = (float(value) for value in total)
    high, low = max(red, green, blue), min(red, green, blue)
    if high <= 0:
        return None, 0.0
    if high == low:
        return None, 0.0
    if high == red:
        hue = 60 * (green - blue) / (high - low)
    elif high == green:
        hue = 60 * (2 + (blue - red) / (high - low))
    else:
        hue = 60 * (4 + (red - green) / (high - low))
    return (hue + 180) % 360 - 180, (high - low) / high
