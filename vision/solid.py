"""Whether a card-sized thing is of one solid colour right to its edge, as a cover card is and a card's back is not.

A packet of a few cards and a cover card are rectangles of one size. A cover card is opaque and of one colour, plain to
tell from the cards' backs and edges; a back carries a pattern, and nearly always a white border.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Calibration
from vision.crops import card_crop
from vision.frame import Frame, Image
from vision.once import surest
from vision.sighting import Sighting, overlap

COVER = "cover_card"
#: Two finds of one cover card are no further apart than this.
SAME_MM = 25.0
#: ... or no further than this, with so much of the smaller in the larger.
COVERED_MM, COVERED = 38.0, 0.64

#: In CIE Lab, as OpenCV scales it to bytes: how strong the colour is, and how little it varies, light apart.
LEAST_CHROMA = 38.0
MOST_SPREAD = 22.0
#: The colour near the edge is at least so strong, relative to the middle's.
EDGE_SHARE = 0.72
#: By distance from the rim of the crop, whose margin is 6 % on each side: the card's own rim, and its middle.
RIM_PX = (8, 13)
MIDDLE_PX = 18


def with_cover_cards(seen: list[Sighting], frame: Frame, calibration: Calibration) -> list[Sighting]:
    """The sightings with those stacks that are a lying cover card called so, and each cover card told once."""
    named = [_renamed(s, frame, calibration) if s.cls == "stack" and _card_sized(s) else s for s in seen]
    return [*(s for s in named if s.cls != COVER), *surest((s for s in named if s.cls == COVER), _same)]


def _same(a: Sighting, b: Sighting) -> bool:
    """Whether two finds are of one cover card: two that lie over each other are farther apart than that."""
    apart = float(np.linalg.norm(a.centre_mm - b.centre_mm))
    return apart <= SAME_MM or (apart <= COVERED_MM and overlap(a.quad_mm, b.quad_mm) > COVERED)


def _renamed(sighting: Sighting, frame: Frame, calibration: Calibration) -> Sighting:
    if not is_solid(card_crop(frame, calibration, sighting.quad_mm)):
        return sighting
    return Sighting(sighting.t_us, COVER, sighting.quad_mm, sighting.score)


def _card_sized(sighting: Sighting) -> bool:
    short, long = sorted(sighting.sides_mm)
    return 48.0 <= short <= 76.0 and 72.0 <= long <= 106.0


def is_solid(crop: Image) -> bool:
    """Whether an upright crop (128, 96, 3) BGR, as `vision.crops` cuts them, shows one solid colour."""
    chroma, spread, edge = solidity(crop)
    return chroma >= LEAST_CHROMA and spread <= MOST_SPREAD and edge >= EDGE_SHARE * chroma


def solidity(crop: Image) -> tuple[float, float, float]:
    """Chroma of the middle, the spread of its hue (10th to 90th percentile), and the chroma near the edge."""
    lab = cv2.cvtColor(cv2.GaussianBlur(crop, (3, 3), 0), cv2.COLOR_BGR2LAB).astype(np.float32)[..., 1:] - 128
    middle = lab[MIDDLE_PX:-MIDDLE_PX, MIDDLE_PX:-MIDDLE_PX].reshape(-1, 2)
    low, high = np.percentile(middle, (10, 90), axis=0)
    rim = _rim(lab)
    return _chroma(middle), float((high - low).max()), _chroma(rim)


def _chroma(colours: NDArray[np.float32]) -> float:
    a, b = np.median(colours, axis=0)
    return float(np.hypot(a, b))


def _rim(lab: NDArray[np.float32]) -> NDArray[np.float32]:
    """The pixels of the rim's long and short sides, (N, 2)."""
    near, far = RIM_PX
    inside = slice(near, -near)
    parts = (lab[near:far, inside], lab[-far:-near, inside], lab[inside, near:far], lab[inside, -far:-near])
    return np.concatenate([part.reshape(-1, 2) for part in parts])
