"""What the camera's electronics do to an ideal picture: light, colour, fall-off, sharpening, noise."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_videos.studio.scene import Sensor

Image = NDArray[np.uint8]
#: So many different fields of noise are made and taken in turn, shifted at random; fresh ones for each frame cost more.
NOISE_FIELDS = 6


class Exposure:
    """`expose(image)` is the picture that the sensor gives; the same seed gives the same noise."""

    def __init__(self, sensor: Sensor, size: tuple[int, int], *, seed: int) -> None:
        self._sensor = sensor
        self._rng = np.random.default_rng([seed, 77])
        width, height = size
        self._curves = _curves(sensor)
        self._falloff = _falloff(width, height, sensor.vignetting)
        sigma = sensor.noise_sigma
        shape = (height, width, 3)
        self._noise = [_noise(self._rng, shape, sigma) for _ in range(NOISE_FIELDS)] if sigma > 0 else []

    def expose(self, image: Image) -> Image:
        """The sensor's picture of an ideal one, (H, W, 3) BGR."""
        picture: Image = np.asarray(cv2.LUT(image, self._curves), dtype=np.uint8)
        if self._falloff is not None:
            cv2.multiply(picture, self._falloff, dst=picture, scale=1 / 255)
        if self._sensor.sharpen > 0:
            soft = cv2.GaussianBlur(picture, (5, 5), 1.0)
            amount = self._sensor.sharpen
            cv2.addWeighted(picture, 1 + amount, soft, -amount, 0, dst=picture)
        if self._noise:
            field = self._noise[int(self._rng.integers(len(self._noise)))]
            height = picture.shape[0]
            shift = int(self._rng.integers(height))
            # A field is rolled by a number of rows; added in two pieces, none of it is copied.
            for part, rows in ((picture[:shift], field[height - shift :]), (picture[shift:], field[: height - shift])):
                if len(rows):
                    cv2.add(part, rows, dst=part, dtype=cv2.CV_8U)
        return picture


def _curves(sensor: Sensor) -> NDArray[np.uint8]:
    """One tone curve for each of blue, green and red, (256, 1, 3)."""
    levels = np.linspace(0, 1, 256)
    red, green, blue = sensor.white_balance
    curves = [np.clip(np.power(levels, sensor.gamma) * sensor.gain * w, 0, 1) for w in (blue, green, red)]
    result: NDArray[np.uint8] = np.round(np.stack(curves, axis=1) * 255).astype(np.uint8).reshape(256, 1, 3)
    return result


def _falloff(width: int, height: int, strength: float) -> NDArray[np.uint8] | None:
    if strength <= 0:
        return None
    x = np.linspace(-1, 1, width)[None, :]
    y = np.linspace(-1, 1, height)[:, None] * height / width
    field = np.clip(1 - strength * (x * x + y * y), 0, 1) * 255
    return np.repeat(np.round(field).astype(np.uint8)[:, :, None], 3, axis=2)


def _noise(rng: np.random.Generator, shape: tuple[int, int, int], sigma: float) -> NDArray[np.int16]:
    """Mostly grey noise with a little colour in it, as a denoised sensor has."""
    height, width, _ = shape
    grey = rng.normal(0, sigma * 0.85, (height, width, 1))
    colour = rng.normal(0, sigma * 0.5, (height // 2 + 1, width // 2 + 1, 3))
    spread = cv2.resize(colour, (width, height), interpolation=cv2.INTER_LINEAR)
    result: NDArray[np.int16] = np.round(grey + np.asarray(spread)).astype(np.int16)
    return result
