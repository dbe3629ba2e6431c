"""Pictures to an H.264 file at a surveillance bit rate, with exact times and no metadata."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
from numpy.typing import NDArray

TIME_BASE = Fraction(1, 90_000)


class VideoWriter:
    """Writes (image, time) pairs; times are microseconds and need not be evenly spaced.

    Recorders keep the time of each frame, so gaps and slow spells stay as they were. `crf` is used where no bit rate
    is given.
    """

    def __init__(
        self, path: Path, size: tuple[int, int], *, fps: float, bit_rate: int | None = None, crf: int = 23
    ) -> None:
        self._container: Any = av.open(str(path), "w", options={"movflags": "+faststart", "fflags": "+bitexact"})
        rate = Fraction(fps).limit_denominator(1001)
        stream: Any = self._container.add_stream("libx264", rate=rate)
        stream.width, stream.height = size[0] - size[0] % 2, size[1] - size[1] % 2
        stream.pix_fmt = "yuv420p"
        stream.time_base = TIME_BASE
        stream.codec_context.time_base = TIME_BASE
        stream.codec_context.gop_size = round(fps * 2)
        stream.options = {"preset": "superfast", "tune": "zerolatency", "flags": "+bitexact"}
        if bit_rate is None:
            stream.options = {**stream.options, "crf": str(crf)}
        else:
            stream.bit_rate = bit_rate
        self._stream = stream

    def write(self, image: NDArray[np.uint8], t_us: int) -> None:
        """Appends a picture (H, W, 3) BGR shown from `t_us` on."""
        even = image[: self._stream.height, : self._stream.width]
        planes = np.asarray(cv2.cvtColor(even, cv2.COLOR_BGR2YUV_I420), np.uint8)
        frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
        frame.pts = round(t_us * 90 / 1000)
        frame.time_base = TIME_BASE
        for packet in self._stream.encode(frame):
            self._container.mux(packet)

    def close(self) -> None:
        """Writes what is left and closes the file."""
        for packet in self._stream.encode():
            self._container.mux(packet)
        self._container.close()
