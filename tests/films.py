"""Recordings whose every picture tells its own number, whole or spoilt."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

WIDTH_PX, HEIGHT_PX = 192, 128
BITS, BAR_PX = 12, 16
MS = Fraction(1, 1000)


def numbered(number: int, size: tuple[int, int] = (WIDTH_PX, HEIGHT_PX)) -> NDArray[np.uint8]:
    """A picture (H, W, 3) with its number in bars along the top and a pattern on the move below."""
    width, height = size
    image = np.zeros((height, width, 3), np.uint8)
    image[:] = ((np.add.outer(2 * np.arange(height), np.arange(width)) + 3 * number) % 200)[..., None]
    for bit in range(BITS):
        image[:40, bit * BAR_PX : (bit + 1) * BAR_PX] = 220 if number >> bit & 1 else 20
    return image


def number_of(image: NDArray[np.uint8]) -> int:
    """The number that a picture tells."""
    bars = [image[10:30, bit * BAR_PX + 4 : (bit + 1) * BAR_PX - 4].mean() > 120 for bit in range(BITS)]
    return sum(1 << bit for bit, bright in enumerate(bars) if bright)


def is_whole(image: NDArray[np.uint8], number: int) -> bool:
    """Whether a picture looks as it was recorded."""
    return bool(np.abs(image.astype(int) - numbered(number)).mean() < 12)


def write_film(
    path: Path,
    times_ms: Sequence[int],
    *,
    codec: str = "libx264",
    gop: int = 25,
    b_frames: int = 0,
    turned_deg: int = 0,
    size: tuple[int, int] = (WIDTH_PX, HEIGHT_PX),
) -> Path:
    """A film of the pictures 0, 1, 2, ... at these times; `turned_deg` is a tag alone."""
    options = {"preset": "ultrafast", "g": str(gop), "bf": str(b_frames), "sc_threshold": "0"}
    if codec == "libx265":
        options["x265-params"] = "log-level=none:pools=none:frame-threads=1"
    movflags = {"movflags": "faststart"} if path.suffix == ".mp4" else {}
    with av.open(str(path), "w", options=movflags) as container:
        stream: Any = container.add_stream(codec, rate=25, options=options)
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        stream.codec_context.time_base = MS
        if turned_deg:
            stream.set_display_rotation(turned_deg)
        for number, t_ms in enumerate(times_ms):
            frame = av.VideoFrame.from_ndarray(numbered(number, size), format="bgr24")
            frame.pts, frame.time_base = t_ms, MS
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def even(count: int, every_ms: int = 40) -> list[int]:
    """The times of a steady camera."""
    return [every_ms * number for number in range(count)]


def uneven() -> list[int]:
    """The times, 19 s in all, of a camera that falls from 25 to 5 pictures a second for 10 s."""
    times, t_ms = [], 0
    for number in range(250):
        times.append(t_ms)
        t_ms += 200 if 100 <= number < 150 else 40
    return times
