"""From the drawn picture to what a surveillance camera sends: exposure, colour, blur, noise, JPEG."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Light = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Film:
    """How a camera sees: `gain`, `gamma`, a factor for blue, green and red, `blur_px`, `noise` (of 255).

    `quality` is that of JPEG; `sharpen` is the overshoot that cameras add; `vignette` the loss of light in the corners.
    """

    gain: float = 1.0
    gamma: float = 1.0
    cast: tuple[float, float, float] = (1.0, 1.0, 1.0)
    blur_px: float = 0.0
    sharpen: float = 0.0
    noise: float = 0.0
    vignette: float = 0.0
    quality: int = 95

    def keys(self) -> dict[str, Any]:
        """The values, for the record."""
        return asdict(self)


def film(random: Generator) -> Film:
    """A camera of some kind, most of them fair, some of them poor."""
    poor = random.random() < 0.25
    warm = random.normal(0, 0.06)
    return Film(
        gain=float(np.exp(random.normal(0, 0.28 if poor else 0.14))),
        gamma=float(np.exp(random.normal(0, 0.12))),
        cast=(float(1 - warm), float(1 + random.normal(0, 0.02)), float(1 + warm)),
        blur_px=float(abs(random.normal(0.3, 0.7 if poor else 0.3))),
        sharpen=float(random.choice([0.0, 0.0, 0.4, 0.8])),
        noise=float(abs(random.normal(2, 5 if poor else 2))),
        vignette=float(0.35 * random.random() ** 2),
        quality=int(random.integers(45, 80) if poor else random.integers(70, 96)),
    )


def develop(drawn: Image, how: Film, random: Generator) -> Image:
    """The picture (H, W, 3) BGR as that camera gives it, before it is compressed."""
    steps = np.power(np.arange(256, dtype=np.float32) / 255, how.gamma)[:, None] * (how.gain * np.array(how.cast))
    if not (how.vignette or how.sharpen or how.noise):
        tinted = cv2.LUT(drawn, np.clip(steps * 255, 0, 255).astype(np.uint8)[None])
        return np.asarray(cv2.GaussianBlur(tinted, (0, 0), how.blur_px) if how.blur_px > 0.15 else tinted, np.uint8)
    light: Light = np.stack([steps[drawn[..., c], c] for c in range(3)], axis=-1).astype(np.float32)
    if how.vignette:
        height, width = drawn.shape[:2]
        y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
        light *= (1 - how.vignette * (x * x + y * y) / 2)[..., None]
    if how.blur_px > 0.15:
        light = _blurred(light, how.blur_px)
    if how.sharpen:
        light = light + np.float32(how.sharpen) * (light - _blurred(light, 1.2))
    if how.noise:
        rough = random.standard_normal(drawn.shape, dtype=np.float32)
        rough = np.float32(1.4) * _blurred(rough, 0.8) + np.float32(0.3) * rough
        more = np.float32(0.6) + np.float32(0.8) * np.sqrt(np.clip(light, 0, 1))
        light = light + rough * np.float32(how.noise / 255) * more
    return np.asarray(np.clip(light * 255, 0, 255), np.uint8)


def _blurred(light: Light, sigma_px: float) -> Light:
    return np.asarray(cv2.GaussianBlur(light, (0, 0), sigma_px), np.float32)


def compressed(picture: Image, how: Film) -> bytes:
    """The picture as JPEG."""
    return bytes(cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, how.quality])[1])
