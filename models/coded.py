"""A card of a photograph as a surveillance camera would have recorded it: small, with sensor noise, in H.264.

The surroundings of the card are resampled so that its short side has a given number of pixels, repeated as a short
film with fresh noise in every frame, coded by libx264 as a camera's encoder would (no B frames, no look-ahead, two key
frames a second, constant bit rate) and decoded again. The bit rate is stated for a film of 1920 x 1080 at 25 frames a
second; the coded window gets its share of it by area, so the whole picture is taken to be as full of detail as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from models.real_cards import RealCard
from vision.crops import crop_px, upright, widened
from vision.frame import Image

FPS = 25
FULL_PX = 1920 * 1080
#: Frames from one key frame to the next; read is a frame of the second such group, when the rate has settled.
GROUP, FRAMES = 12, 18
#: Grey levels of the sensor's noise in each frame.
NOISE = 2.0
#: The coded window's sides in short sides of the card, and at least in pixels.
WINDOW, LEAST_WINDOW_PX = (2.4, 2.8), (240, 192)


@dataclass(frozen=True, slots=True)
class Recording:
    """How a card was recorded: its short side in pixels, megabits a second (None: not coded), blur in pixels.

    The bit rate is of 1080p25. `blur_px` is the standard deviation of a Gaussian in the recorded picture's own pixels.
    """

    short_px: float
    mbit_s: float | None
    blur_px: float = 0.0


def recorded(card: RealCard, how: Recording, seed: int) -> Image:
    """The card's upright crop (128, 96, 3) for the reader, cut from the recording by its known corners."""
    window, quad = resampled(card, how.short_px)
    if how.blur_px > 0:
        window = np.asarray(cv2.GaussianBlur(window, (0, 0), how.blur_px), np.uint8)
    if how.mbit_s is not None:
        window = through_h264(window, how.mbit_s, seed)
    # `upright` takes table axes, y up; the picture's run down
    return crop_px(window, widened(upright(quad * [1, -1]) * [1, -1]))


def resampled(card: RealCard, short_px: float) -> tuple[Image, NDArray[np.float64]]:
    """The surroundings of a card whose short side is then `short_px`, and its corners in them."""
    scale = short_px / card.short_px
    width, height = (
        2 * round(max(least, share * short_px) / 2) for share, least in zip(WINDOW, LEAST_WINDOW_PX, strict=True)
    )
    method = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    # only what the window needs is resampled; where the photograph ends, its border goes on
    middle = card.quad.mean(axis=0)
    reach = np.array([width, height]) / scale / 2 + 2
    low, high = np.floor(middle - reach).astype(int), np.ceil(middle + reach).astype(int)
    rows, columns = card.image.shape[:2]
    inside_low, inside_high = np.maximum(low, 0), np.minimum(high, [columns, rows])
    part = card.image[inside_low[1] : inside_high[1], inside_low[0] : inside_high[0]]
    (left, above), (right, below) = inside_low - low, high - inside_high
    part = np.asarray(cv2.copyMakeBorder(part, above, below, left, right, cv2.BORDER_REPLICATE), np.uint8)
    small = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=method), np.uint8)
    scales = np.array([small.shape[1] / part.shape[1], small.shape[0] / part.shape[0]])
    quad = (card.quad - low + 0.5) * scales - 0.5
    x0, y0 = (np.array([small.shape[1], small.shape[0]]) - (width, height)) // 2
    return np.ascontiguousarray(small[y0 : y0 + height, x0 : x0 + width]), quad - (x0, y0)


def through_h264(picture: Image, mbit_s: float, seed: int) -> Image:
    """The picture (even sides) as it is decoded from a film of it with noise, at `mbit_s` for 1080p25."""
    height, width = picture.shape[:2]
    rng = np.random.default_rng(seed)
    coder: Any = av.CodecContext.create("libx264", "w")
    coder.width, coder.height, coder.pix_fmt = width, height, "yuv420p"
    coder.time_base, coder.framerate, coder.gop_size = Fraction(1, FPS), Fraction(FPS), GROUP
    bits = max(2000, round(mbit_s * 1e6 * width * height / FULL_PX))
    coder.bit_rate = bits
    rate = {"maxrate": str(bits), "bufsize": str(bits), "preset": "veryfast", "tune": "zerolatency"}
    coder.options = {**rate, "profile": "main", "threads": "1"}
    decoder: Any = av.CodecContext.create("h264", "r")
    frames: list[Any] = []
    base, noise = picture.astype(np.int16), _noise(height, width)
    for index in range(FRAMES):
        fresh = np.roll(noise, rng.integers(0, (height, width)), axis=(0, 1))
        frame = av.VideoFrame.from_ndarray(np.clip(base + fresh, 0, 255).astype(np.uint8), format="bgr24")
        frame.pts = index
        for packet in coder.encode(frame):
            frames += decoder.decode(packet)
    for packet in coder.encode(None):
        frames += decoder.decode(packet)
    frames += decoder.decode(None)
    return np.asarray(frames[FRAMES - 1].to_ndarray(format="bgr24"), np.uint8)


@lru_cache(maxsize=4)
def _noise(height: int, width: int) -> NDArray[np.int16]:
    """One frame of noise; rolled by chance it serves for all."""
    return np.rint(np.random.default_rng(0).normal(0, NOISE, (height, width, 3))).astype(np.int16)
