"""Reads the pips on top of a die from its picture, or says that it is unsure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.network import Network

#: What a crop may show; 'none' is a hand, felt, the edge of a lid.
PIPS = ("1", "2", "3", "4", "5", "6", "none")
#: Side of a die's crop in pixels.
SIDE_PX = 48
#: The crop's side in longer sides of the die's box.
AROUND = 1.15
#: A die smaller than this cannot be cut out.
LEAST_PX = 4.0
PAD_GREY = 114


@dataclass(frozen=True, slots=True, eq=False)
class PipReading:
    """What one crop shows.

    Attributes:
        shares: probability of each of `PIPS`, (7,).
        least: the pips are read only if their probability reaches this.
    """

    shares: NDArray[np.float64]
    least: float

    def __post_init__(self) -> None:
        if self.shares.shape != (len(PIPS),):
            raise ValueError(f"PipReading.shares has shape {self.shares.shape}, expected ({len(PIPS)},)")

    @property
    def likeliest(self) -> int:
        """The likeliest number of pips, 1..6, sure or not."""
        return 1 + int(self.shares[:-1].argmax())

    @property
    def confidence(self) -> float:
        """Probability of the likeliest number of pips."""
        return float(self.shares[:-1].max())

    @property
    def pips(self) -> int | None:
        """The pips on top, 1..6, or None where the reader is unsure or sees no die."""
        return self.likeliest if self.confidence >= self.least else None


def die_crop(picture: Image, box_px: NDArray[np.floating]) -> Image:
    """The die inside a box (x0, y0, x1, y1) or corners (N, 2) in pixels, (48, 48, 3).

    The crop is square, along the picture's axes, about the middle of the box; beyond the picture it is grey.

    Raises:
        ValueError: the box is narrower than 4 pixels, or is neither four numbers nor points.
    """
    x0, y0, x1, y1 = _hull(np.asarray(box_px, np.float64))
    side = max(x1 - x0, y1 - y0)
    if side < LEAST_PX:
        raise ValueError(f"the box of a die is {side:.1f} px, expected at least {LEAST_PX:.0f}")
    side *= AROUND
    left, above = (x0 + x1 - side) / 2, (y0 + y1 - side) / 2
    # shrinking by bilinear samples alone would skip pixels, so the crop is taken at whole multiples and averaged
    times = max(1, int(np.ceil(side / SIDE_PX)))
    size = SIDE_PX * times
    scale = side / size
    # pixel centres lie half a pixel in
    matrix = np.array([[scale, 0, left + 0.5 * scale - 0.5], [0, scale, above + 0.5 * scale - 0.5]], np.float64)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    grey = (PAD_GREY, PAD_GREY, PAD_GREY)
    crop = cv2.warpAffine(picture, matrix, (size, size), flags=flags, borderMode=cv2.BORDER_CONSTANT, borderValue=grey)
    return np.asarray(cv2.resize(crop, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA), np.uint8)


def _hull(box: NDArray[np.float64]) -> tuple[float, float, float, float]:
    """The hull x0, y0, x1, y1 of a box or of points."""
    if box.shape == (4,):
        points = box.reshape(2, 2)
    elif box.ndim == 2 and box.shape[1] == 2 and len(box):
        points = box
    else:
        raise ValueError(f"a box has shape {box.shape}, expected (4,) or (N, 2)")
    (x0, y0), (x1, y1) = points.min(axis=0), points.max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


class PipReader:
    """The reader of dice, of crops made by `die_crop`.

    Args:
        path: the .onnx file.
        threads: how many threads one run may use.

    Raises:
        ModelFault: the file is missing, no model, tells other classes apart, takes crops of another size, or is not the
            one that the card beside it describes.
    """

    def __init__(self, path: Path, *, threads: int = 1) -> None:
        self._network = Network(path, threads=threads)
        self._network.expect("pips", PIPS)
        self._network.expect_number("side_px", SIDE_PX, "the side of a die's crop in pixels")
        self._network.expect_card()
        notes = self._network.notes
        self._temperature = float(notes["temperature"])
        self._least = float(notes["least_confidence"])
        self.provider = self._network.provider

    def read(self, crops: Sequence[Image]) -> list[PipReading]:
        """One reading for each crop (48, 48, 3) BGR; no crops, no readings."""
        if not crops:
            return []
        for crop in crops:
            if crop.shape != (SIDE_PX, SIDE_PX, 3):
                raise ValueError(f"a crop has shape {crop.shape}, expected ({SIDE_PX}, {SIDE_PX}, 3)")
        batch = np.stack(crops).transpose(0, 3, 1, 2).astype(np.float32) / np.float32(255)
        logits = self._network.run(batch)[0].astype(np.float64) / self._temperature
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        return [PipReading(row, self._least) for row in raised / raised.sum(axis=1, keepdims=True)]
