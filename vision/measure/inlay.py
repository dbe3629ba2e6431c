"""A cover card among the cards of a row: a strip of its colour that ends where the next card lies over it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.measure.cover import Colour
from vision.measure.row import Taken
from vision.measure.window import Patch

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

_HALF_CARD_MM = 44.45
#: Its colour is read off what sticks out, so far from the row.
_OUT_MM = (3.0, 14.0)
#: Its strip is looked for in bands so deep inside the row's rim: a hand may be over some of them.
_BANDS_MM = ((2.0, 10.0), (10.0, 18.0), (18.0, 26.0), (26.0, 34.0), (34.0, 42.0))
_BANDS_SEEN = 3
#: Before a card's edge this much is compared with as much behind it.
_BESIDE_MM, _CLEAR_MM = 3.0, 0.4
_ALIKE, _SHADE = 0.992, (0.65, 1.4)
#: Less of a strip than this is none; what one place shows less than another counts so much (nats).
_LEAST_SHOWN = 0.5
_LOUD = 18.0


@dataclass(frozen=True, slots=True, eq=False)
class Inlay:
    """Where the cover card's colour is seen: `alike` (rows, columns) at `s_mm` and `u_mm` from the row's middle."""

    alike: Flags
    s_mm: Floats
    u_mm: Floats
    side: int  # of the row from which it sticks out

    def under(self, edges_mm: Floats, taken: Taken, sign: int) -> dict[int, float]:
        """How many cards may lie under it, with what speaks against each number (nats); empty if no strip is seen."""
        slopes = np.interp(edges_mm, taken.edges_mm, taken.slopes)
        shown = [
            self._shown(float(edge), float(slope), sign, float(gap))
            for edge, slope, gap in zip(edges_mm[1:], slopes[1:], np.diff(edges_mm), strict=True)
        ]
        if max(shown, default=0.0) < _LEAST_SHOWN:
            return {}
        return {k + 1: _LOUD * (1.0 - part) for k, part in enumerate(shown)}

    def _shown(self, edge: float, slope: float, sign: int, gap: float) -> float:
        """How much more of the colour is seen before a card's edge than behind it, -1..1, where no hand is over it."""
        wide = min(_BESIDE_MM, 0.4 * gap)
        parts = []
        for near, far in _BANDS_MM:
            u = self.side * (_HALF_CARD_MM - np.array([near, far]))
            rows = (self.u_mm > u.min()) & (self.u_mm < u.max())
            at = edge + slope * float(u.mean())
            before = _share(self.alike[rows], self.s_mm * sign, at - wide, at - _CLEAR_MM)
            behind = _share(self.alike[rows], self.s_mm * sign, at + _CLEAR_MM, at + wide)
            parts.append(before - behind)
        return float(np.sort(parts)[-_BANDS_SEEN:].mean())


def _share(alike: Flags, s_mm: Floats, low: float, high: float) -> float:
    """The share of a stretch that is of the colour, its middle at least."""
    held = (s_mm >= low) & (s_mm <= high)
    if not held.any():
        held = np.arange(len(s_mm)) == int(np.argmin(np.abs(s_mm - (low + high) / 2)))
    return float(alike[:, held].mean()) if len(alike) else 0.0


def find_inlays(patch: Patch, middle_mm: float, places_mm: Floats, colour: Colour | None) -> list[Inlay]:
    """The cover cards whose corners were seen at `places_mm` (n, 4, 2), along and across, as far as their colour shows.

    `middle_mm` is where the row's middle lies across. Which of them is in the row, and from which side, shows only
    there: cover cards of one colour may stick out of both its sides.
    """
    u = patch.u_mm - middle_mm
    light = np.nan_to_num(patch.light)
    size = np.linalg.norm(light, axis=2)
    colours = [colour.light] if colour is not None else []
    for places in places_mm if colour is None else ():
        side = 1 if float(places[:, 1].mean()) > middle_mm else -1
        own = _colour(light, patch.s_mm, u, side=side, places_mm=places)
        if own is not None:
            colours.append(own)
    inlays = []
    for own in colours:
        length = float(np.linalg.norm(own))
        alike = (light @ own) / np.maximum(size * length, 1e-9) > _ALIKE
        alike &= (size > _SHADE[0] * length) & (size < _SHADE[1] * length)
        inlays += [Inlay(alike, patch.s_mm, u, side) for side in (1, -1)]
    return inlays


def _colour(light: Floats, s: Floats, u: Floats, *, side: int, places_mm: Floats) -> Floats | None:
    """The colour of most of what sticks out of the row and is no felt."""
    out = (side * u > _HALF_CARD_MM + _OUT_MM[0]) & (side * u < _HALF_CARD_MM + _OUT_MM[1])
    low, high = np.sort(places_mm[:, 0])[[0, -1]]
    here = (s > low + 4) & (s < high - 4)
    felt = np.median(light[np.ix_(out, (s < low - 8) | (s > high + 8))].reshape(-1, 3), axis=0)
    spots = light[np.ix_(out, here)].reshape(-1, 3)
    spots = spots[np.linalg.norm(spots - felt, axis=1) > 0.3 * max(float(np.linalg.norm(felt)), 0.05)]
    if len(spots) < 12:
        return None
    middle = np.median(spots, axis=0)
    near = np.linalg.norm(spots - middle, axis=1) < 0.25 * float(np.linalg.norm(middle))
    if near.mean() < 0.4:
        return None
    own: Floats = np.median(spots[near], axis=0)
    return own
