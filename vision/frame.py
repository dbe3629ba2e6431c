"""A picture at an exact time."""

from __future__ import annotations

from collections.abc import Callable

from vision.planes import Image, Planes

__all__ = ["Frame", "Image"]


class Frame:
    """One picture of one source: `t_us` on the source's timeline and, on demand, its pixels.

    Pixels are converted only when somebody looks (`image`), because most frames of a table at rest are never
    looked at. `image` is (height_px, width_px, 3), BGR, 8 bits, and is kept once made. Who needs only a part asks for
    `part`, or takes `planes`, which is None where the picture came otherwise.
    """

    __slots__ = ("_image", "_load", "height_px", "planes", "t_us", "width_px")

    def __init__(
        self, t_us: int, width_px: int, height_px: int, load: Callable[[], Image], planes: Planes | None = None
    ) -> None:
        self.t_us = t_us
        self.width_px = width_px
        self.height_px = height_px
        self._load = load
        self.planes = planes
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

    def part(self, x0: int, y0: int, x1: int, y1: int) -> Image:
        """The pixels from (x0, y0) up to (x1, y1), all inside the picture: (y1 - y0, x1 - x0, 3), BGR."""
        if self.planes is None or self._image is not None:
            return self.image[y0:y1, x0:x1]
        return self.planes.bgr(self.planes.part(x0, y0, x1, y1))
