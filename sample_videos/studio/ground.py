"""What a picture is laid over: the picture of all that rests, and where each of its pixels lies on the table.

Pictures are put together here and not on the graphics card: Mesa's software driver is several times slower at it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_videos.studio.touched import Rect

Image = NDArray[np.uint8]
FULL = 255  # a cell's or pixel's share of light, as a byte


@dataclass(frozen=True, slots=True)
class Ground:
    """`picture` (H, W, 3) BGR; `maps` tell, for `cv2.remap`, the cell of the shadow table that each pixel lies in.

    `shadow` (rows, columns) is the light that each cell of the table gets in the picture.
    """

    picture: Image
    maps: tuple[NDArray[np.int16], NDArray[np.uint16]]
    shadow: NDArray[np.float32]

    def copy(self) -> Ground:
        """One that can be changed on its own."""
        return Ground(self.picture.copy(), (self.maps[0].copy(), self.maps[1].copy()), self.shadow.copy())

    def set_spots(self, spots: NDArray[np.float32], rect: Rect) -> None:
        """Says where the pixels of a rectangle lie: shares of the table's area, -1 where they are not near the felt."""
        rows, columns = self.shadow.shape
        cells = spots * np.array([columns, rows], np.float32) - 0.5
        cells[spots[..., 0] < 0] = -1000.0
        x0, y0, x1, y1 = rect
        whole, part = cv2.convertMaps(cells, np.zeros(0, np.float32), cv2.CV_16SC2)
        self.maps[0][y0:y1, x0:x1], self.maps[1][y0:y1, x0:x1] = whole, part

    def dimmed(self, shadow: NDArray[np.float32], cells: Rect) -> Image:
        """How much darker each cell of the table is shown under a shadow picture's part; 255 where nothing changed."""
        x0, y0, x1, y1 = cells
        out = np.full(self.shadow.shape, FULL, np.uint8)
        share = np.sqrt(np.clip(shadow / self.shadow[y0:y1, x0:x1], 0, 1))
        out[y0:y1, x0:x1] = np.round(FULL * share)
        return out

    def shaded(self, dimmed: Image, rects: Sequence[Rect], light: float) -> Image:
        """The picture (a new one) with those shadows in the given rectangles, in a room of brightness `light`."""
        out = self.picture.copy()
        scale = float(np.sqrt(light)) / FULL
        for x0, y0, x1, y1 in rects:
            part = out[y0:y1, x0:x1]
            maps = (self.maps[0][y0:y1, x0:x1], self.maps[1][y0:y1, x0:x1])
            share = cv2.remap(dimmed, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=FULL)
            cv2.multiply(part, cv2.cvtColor(share, cv2.COLOR_GRAY2BGR), dst=part, scale=scale)
        return out


def lay_over(picture: Image, rects: Sequence[Rect], glimpses: Sequence[Callable[[Rect], Image]]) -> None:
    """Lays the mean of four glimpses over a picture, in place.

    A glimpse gives the colours (h, w, 4) of a rectangle, RGBA with the colours times their share.
    """
    for rect in rects:
        one, two, three, four = (glimpse(rect) for glimpse in glimpses)
        mean = cv2.addWeighted(
            cv2.addWeighted(one, 0.5, two, 0.5, 0), 0.5, cv2.addWeighted(three, 0.5, four, 0.5, 0), 0.5, 0
        )
        x0, y0, x1, y1 = rect
        part = picture[y0:y1, x0:x1]
        rest = cv2.cvtColor(cv2.bitwise_not(cv2.extractChannel(mean, 3)), cv2.COLOR_GRAY2BGR)
        cv2.multiply(part, rest, dst=part, scale=1 / FULL)
        cv2.add(part, cv2.cvtColor(mean, cv2.COLOR_RGBA2BGR), dst=part)
