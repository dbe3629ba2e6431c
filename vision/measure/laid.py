"""A row of cards that runs off from under a card: how far the felt beside it is covered by cards, evenly laid.

Of cards that lie over each other the detector finds the topmost alone. What lies beside it in one line with it, is not
of the felt's colour and shows white borders at an even pitch is a ribbon. Its cards are counted by
`vision.measure.ribbon`; here only its ends are found.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.signal import find_peaks

from calibration.geometry import Calibration
from vision.frame import Image
from vision.measure.window import Axes, Floats, axes_of, sample

CARD_MM = (63.5, 88.9)
#: A ribbon reaches no farther than this, and at least so far beyond the card at its end.
FARTHEST_MM, BEYOND_MM = 420.0, 90.0
#: What of the card's length is looked at, and where the felt beside the row is.
BAND_MM, FELT_MM = 32.0, (56.0, 70.0)
STEP_MM = 1.5
#: A place is covered if so much of it differs from the felt by so much (square root of light, 0..1); print is thinner.
DIFFERS, COVERED = 0.07, 0.7
GAP_MM = 6.0
#: Less bare felt at the end of a box than this is in order: the row's ends are looked for about there.
BARE_MM = 18.0
#: White borders stand out so much, and come every so many millimetres.
BORDER = 0.02
PITCH_MM = (4.0, 18.0)


def laid_row(image: Image, calibration: Calibration, card_quad_mm: ArrayLike) -> Floats | None:
    """The outline (4, 2), table mm, of a row of cards with the card (4, 2) at one of its ends; None if none runs off.

    The row runs along the card's short side, as cards are spread.
    """
    axes = _short_side(card_quad_mm)
    looked = _covered(image, calibration, axes, FARTHEST_MM)
    if looked is None:
        return None
    covered, band, s_mm = looked
    low, high = _run(covered, s_mm)
    half = CARD_MM[0] / 2
    right = high - half >= max(-low - half, 0.0)  # the card lies at the other end
    reach = (high - half) if right else (-low - half)
    if reach < BEYOND_MM or not _bordered(np.nan_to_num(band).mean(axis=(0, 2)), s_mm, low, high):
        return None
    start, end = (-half, high) if right else (low, half)
    s, u = np.array([start, end, end, start]), np.array([-1, -1, 1, 1]) * CARD_MM[1] / 2
    return axes.places(s, u)


def without_felt(image: Image, calibration: Calibration, quad_mm: ArrayLike, along: ArrayLike) -> Floats:
    """The quad (4, 2) round a row of cards that runs `along` (2,), without bare felt at its ends.

    A box may reach beyond the cards, as far as the shoe. It stays as it is where cards cover it nearly to its ends.
    """
    quad, axes = np.asarray(quad_mm, float), axes_of(quad_mm, along)
    inside = axes.inside(quad)
    reach = np.sort(inside[:, 0])
    first, last = float(reach[:2].mean()), float(reach[2:].mean())
    looked = _covered(image, calibration, axes, max(last, -first))
    low, high = (first, last) if looked is None else _run(looked[0], looked[2])
    if high - low < CARD_MM[0] or max(low - first, last - high) < BARE_MM:
        return quad
    low, high = (low if low - first >= BARE_MM else first), (high if last - high >= BARE_MM else last)
    across = np.sort(inside[:, 1])
    u = np.array([-1, -1, 1, 1]) * float(across[2:].mean() - across[:2].mean()) / 2
    return axes.places(np.array([low, high, high, low]), u + float(across.mean()))


def _covered(
    image: Image, calibration: Calibration, axes: Axes, far_mm: float
) -> tuple[NDArray[np.bool_], Floats, Floats] | None:
    """Which places along (columns,) are covered, the light there (rows, columns, 3), and the places; None without felt.

    What the felt looks like is told by what lies beside the row.
    """
    patch = sample(image, calibration, axes, (-far_mm, far_mm, STEP_MM), (-FELT_MM[1], FELT_MM[1], STEP_MM))
    light = np.sqrt(np.maximum(patch.light, 0.0))
    around = light[np.abs(patch.u_mm) >= FELT_MM[0]].reshape(-1, 3)
    around = around[np.isfinite(around).all(axis=1)]
    if not len(around):
        return None
    band = light[np.abs(patch.u_mm) <= BAND_MM]
    felt = np.median(around, axis=0)
    covered = (np.abs(band - felt).max(axis=2) > DIFFERS).mean(axis=0) >= COVERED
    return covered, band, patch.s_mm


def _short_side(quad_mm: ArrayLike) -> Axes:
    """Axes through the card's middle, along its short side."""
    quad = np.asarray(quad_mm, float)
    sides = (quad[1] - quad[0], quad[2] - quad[1])
    return axes_of(quad, min(sides, key=lambda side: float(np.linalg.norm(side))))


def _run(covered: NDArray[np.bool_], s_mm: Floats) -> tuple[float, float]:
    """From where to where it is covered without a gap, from the middle on."""
    ends = []
    for places in (np.flatnonzero(s_mm <= 0)[::-1], np.flatnonzero(s_mm >= 0)):
        last = 0.0
        for index in places:
            if covered[index]:
                last = float(s_mm[index])
            elif abs(float(s_mm[index]) - last) > GAP_MM:
                break
        ends.append(last)
    return ends[0], ends[1]


def _bordered(profile: Floats, s_mm: Floats, low: float, high: float) -> bool:
    """Whether borders follow each other evenly enough between the ends, the card at its end left out."""
    inside = (s_mm > low + 4.0) & (s_mm < high - 4.0) & (np.abs(s_mm) > CARD_MM[0] / 2 + 4.0)
    part = profile[inside]
    if len(part) * STEP_MM < BEYOND_MM / 2:
        return False
    peaks, _ = find_peaks(part, prominence=BORDER)
    if len(peaks) < 4:
        return False
    pitch = float(np.median(np.diff(peaks))) * STEP_MM
    return PITCH_MM[0] <= pitch <= PITCH_MM[1] and len(peaks) >= 0.6 * len(part) * STEP_MM / pitch
