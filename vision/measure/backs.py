"""Where in a stack's outline a card's back shows: at the players' end, at the dealer's, or nowhere.

Cards' edges are paper white; a back is printed. Its colour is learned from the stack while it lies flat, the felt's
from around it. What is measured is how much of the outline's two ends is of the back's colour. Source of the need:
58 Pa. Code 629a.5(b), the backs of the cards face away from the dealer.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Calibration
from vision.crops import card_crop, crop_px
from vision.frame import Frame, Image
from vision.sighting import Points

#: A back's colour is told from paper and from felt by at least so much (CIE Lab, bytes; lightness counts little).
LEAST_APART = 10.0
LIGHTNESS = 0.35
#: A row is back from this share of such pixels on.
BACK_ROW = 0.5
#: An end reaches so far outside the outline, which often leaves a dark end out, and so far in; felt lies beyond.
OUTSIDE_MM, FELT_MM = 16.0, 8.0
END_MM = 36.0
#: Only the middle of the stack's width is looked at: hands hold its sides.
MIDDLE = slice(30, 66)


@dataclass(frozen=True, slots=True)
class Ends:
    """Millimetres of back seen at the far (players') and at the near end, and how much of all rows is back.

    `like` is how much of the back's hue what was taken for it has, beyond the paper's (1: all of it; 0 where there is
    none): an end card's face with red pips, in the shade, has about half of a red back's.
    """

    far_mm: float
    near_mm: float
    share: float
    rise_mm: float  # how much farther from the dealer the back's rows lie than the others; 0 where there are none
    like: float = 1.0


def flat_top(frame: Frame, calibration: Calibration, quad_mm: Points) -> NDArray[np.float64]:
    """Mean colour (3,) of the middle of a lying stack, its top card's back: lightness (weighed down), a and b."""
    colours = _colours(card_crop(frame, calibration, quad_mm))
    return np.asarray(colours[44:100, 26:70].reshape(-1, 3).mean(axis=0), dtype=np.float64)


def ends(
    frame: Frame, calibration: Calibration, quad_mm: Points, along: Points, back: NDArray[np.float64]
) -> Ends | None:
    """Where the back shows in an outline (4, 2) whose ends lie `along` (2,), a unit vector towards the players.

    `back` is the mean colour that `flat_top` gives. None where back, paper and felt cannot be told apart.
    """
    middle_mm, ahead = quad_mm.mean(axis=0), along
    aside = np.array([ahead[1], -ahead[0]])
    length_mm, width_mm = (float(np.ptp((quad_mm - middle_mm) @ axis)) for axis in (ahead, aside))
    reach, half = ahead * (length_mm / 2 + OUTSIDE_MM + FELT_MM), aside * width_mm / 2
    corners = middle_mm + np.array([reach - half, reach + half, -reach + half, -reach - half])
    colours = _colours(crop_px(frame, calibration.to_pixels(corners)))[:, MIDDLE]
    mm_a_row = (length_mm + 2 * (OUTSIDE_MM + FELT_MM)) / len(colours)
    rim, outside = round(FELT_MM / mm_a_row), round((FELT_MM + OUTSIDE_MM) / mm_a_row)
    felt = np.median(np.concatenate([colours[:rim], colours[-rim:]]).reshape(-1, 3), axis=0)
    within = colours[rim:-rim]
    kinds = np.stack([back, _paper(colours[outside:-outside], back), felt])
    # a grey back and paper in the shade are told apart by nothing
    if float(np.linalg.norm((back - kinds[1])[1:])) < LEAST_APART or float(np.linalg.norm(back - felt)) < LEAST_APART:
        return None
    nearest = np.linalg.norm(within[:, :, None] - kinds, axis=3).argmin(axis=2)
    rows = (nearest == 0).mean(axis=1) > BACK_ROW
    return _ends(rows, mm_a_row, _like(within[rows], kinds[0], kinds[1]) if rows.any() else 0.0)


def _like(found: NDArray[np.float64], back: NDArray[np.float64], paper: NDArray[np.float64]) -> float:
    """How far the hue of most of what was found (N, W, 3) is on the way from the paper's to the back's."""
    way = (back - paper)[1:]
    off = (found - paper).reshape(-1, 3)[:, 1:]
    return float(np.median(off @ way) / max(float(way @ way), 1e-9))


def _ends(rows: NDArray[np.bool_], mm_a_row: float, like: float) -> Ends:
    """Rows run from the far end to the near one."""
    deep = max(int(END_MM / mm_a_row), 1)
    places = -np.arange(len(rows)) * mm_a_row
    rise = float(places[rows].mean() - places[~rows].mean()) if rows.any() and not rows.all() else 0.0
    far, near = (float(part.sum()) * mm_a_row for part in (rows[:deep], rows[-deep:]))
    return Ends(far, near, float(rows.mean()), rise, like)


def _paper(colours: NDArray[np.float64], back: NDArray[np.float64]) -> NDArray[np.float64]:
    """The colour of the cards' edges: of the pixels that are least like the back."""
    flat = colours.reshape(-1, 3)
    least = np.argsort(np.linalg.norm(flat - back, axis=1))[-len(flat) // 3 :]
    return np.asarray(np.median(flat[least], axis=0), dtype=np.float64)


def _colours(crop: Image) -> NDArray[np.float64]:
    """CIE Lab (H, W, 3) around grey, lightness weighed down."""
    lab = cv2.cvtColor(cv2.GaussianBlur(crop, (3, 3), 0), cv2.COLOR_BGR2LAB).astype(np.float64) - 128.0
    return np.asarray(lab * np.array([LIGHTNESS, 1.0, 1.0]), dtype=np.float64)
