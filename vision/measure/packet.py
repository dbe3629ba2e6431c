"""How many cards a moved packet holds, from the length of its strip, and whether the parts make up the whole.

The stack before the split is the ruler: a packet of length a out of a stack of `cards` cards and length L holds
cards x a / L, since both strips' upper edges are at one height. No card is assumed to be so or so thick.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from calibration.geometry import Calibration
from vision.frame import Image
from vision.measure.cut import END_LOOSENESS_CARDS
from vision.measure.reading import Z95, Line, Marks, Measured
from vision.measure.strip import find_strip

#: A whole stack and its parts are gripped differently: their packing differs by this share (1 sigma).
PACKING = 0.006


@dataclass(frozen=True, slots=True)
class LengthReading:
    """A strip's length in one frame, seeming mm at its edge's height, off by `sigma_mm` (1 sigma, in all frames)."""

    t_us: int
    length_mm: float
    sigma_mm: float
    marks: Marks


@dataclass(frozen=True, slots=True)
class Length:
    """A strip's length over settled frames, with `sigma_mm`; `marks` show the frame nearest to it."""

    length_mm: float
    sigma_mm: float
    frames: int
    marks: Marks


@dataclass(frozen=True, slots=True)
class Conservation:
    """Do the parts make up the whole? `missing_cards` (with 95 % between `low` and `high`) were in neither part."""

    missing_cards: float
    low: float
    high: float

    @property
    def holds(self) -> bool:
        """True if nothing missing and nothing too much is within the interval."""
        return self.low <= 0.0 <= self.high


def read_length(
    image: Image, t_us: int, calibration: Calibration, quad_mm: ArrayLike, along: ArrayLike
) -> tuple[LengthReading | None, str]:
    """The length of a stack or packet on its long edge, in one frame, or None and why not."""
    strip, why = find_strip(image, t_us, calibration, quad_mm, along)
    if strip is None:
        return None, why
    middle = (strip.u_mm[0] + strip.u_mm[1]) / 2
    lines: list[Line] = []
    for end in (strip.low, strip.high):
        u = np.array(strip.u_mm)
        ends = calibration.to_pixels(strip.axes.places(end.at_mm + end.slope * (u - middle), u))
        lines.append((float(ends[0, 0]), float(ends[0, 1]), float(ends[1, 0]), float(ends[1, 1]), "end"))
    return LengthReading(t_us, strip.length_mm, strip.sigma_mm, Marks(t_us, tuple(lines))), ""


def combine_length(
    readings: Sequence[LengthReading], *, why: str = "no frame could be measured"
) -> tuple[Length | None, str]:
    """The length over settled frames: their median, and the error that all of them share."""
    if not readings:
        return None, why
    lengths = np.array([r.length_mm for r in readings])
    middle = float(np.median(lengths))
    spread = 1.48 * float(np.median(np.abs(lengths - middle)))
    noise = 1.25 * spread / np.sqrt(len(readings))
    best = min(readings, key=lambda r: abs(r.length_mm - middle))
    sigma = float(np.hypot(np.median([r.sigma_mm for r in readings]), noise))
    return Length(middle, sigma, len(readings), best.marks), ""


def packet_cards(whole: Length, packet: Length, cards: int, *, opening_mm: float = 0.0) -> tuple[Measured | None, str]:
    """Cards in a packet out of a stack of `cards`; `opening_mm` is what openings add to the whole stack's length."""
    packed = whole.length_mm - opening_mm
    if packed <= 0 or packet.length_mm > 1.1 * packed:
        return None, "the packet is longer than the stack it was taken from"
    share = packet.length_mm / packed
    value = min(float(cards), cards * share)
    ends = END_LOOSENESS_CARDS * (1 - min(share, 1.0))
    length = cards / packed * float(np.hypot(packet.sigma_mm, share * whole.sigma_mm))
    half = Z95 * float(np.sqrt(length**2 + ends**2 + (PACKING * value) ** 2))
    return Measured(
        value=value, low=max(0.0, value - half), high=min(float(cards), value + half), unit="cards",
        marks=packet.marks, frames=packet.frames,
    ), ""  # fmt: skip


def conserved(whole: Length, parts: Sequence[Length], cards: int, *, opening_mm: float = 0.0) -> Conservation:
    """Whether the parts' lengths add up to the whole stack's, in cards."""
    packed = whole.length_mm - opening_mm
    per_mm = cards / packed
    missing = (packed - sum(part.length_mm for part in parts)) * per_mm
    squares = whole.sigma_mm**2 + sum(part.sigma_mm**2 for part in parts)
    ends = END_LOOSENESS_CARDS**2 * max(0, len(parts) - 1)
    half = Z95 * float(np.sqrt(squares * per_mm**2 + ends + (PACKING * cards) ** 2))
    return Conservation(missing, missing - half, missing + half)
