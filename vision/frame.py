"""A picture at an exact time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


class Frame:
    """One picture of one source: `t_us` on the source's timeline and, on demand, its pixels.

    Pixels are converted only when somebody looks (`image`), because most frames of a table at rest are never
    looked at. `image` is (height_px, width_px, 3), BGR, 8 bits, and is kept once made.
    """

    __slots__ = ("_image", "_load", "height_px", "t_us", "width_px")

    def __init__(self, t_us: int, width_px: int, height_px: int, load: Callable[[], Image]) -> None:
        self.t_us = t_us
        self.width_px = width_px
        self.height_px = height_px
        self._load = load
        self._image: Image | None = None

    @classmethod
    def of(cls, t_us: int, image: Image) -> Frame:
        """A frame of pixels that are already there, (H, W, 3) BGR."""
        height_px, width_px = image.shape[:2]
        return cls(t_us, width_px, height_px, lambda: image)

    @property
    def image(self) -> Image:
        """The pixels, (height_px, width_px, 3), BGR."""
        if self._image is None:
            self._image = self._load()
        return self._image
