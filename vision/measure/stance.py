"""How a stack on its long edge lies in the picture: its axes, turned until they follow its cards.

A detector's quad is a few degrees and millimetres off, it holds the stack's side as far as the camera looks at it from
aside, and that of six decks is nearly square. The cards tell better: their edges are lines across the strip.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.geometry import Calibration
from vision.frame import Image
from vision.measure.window import Axes, Eye, Patch, axes_of, eye_of, px_per_mm, sample

Floats = NDArray[np.float64]

#: A card on its long edge: how high its upper edge is, and how long it is.
EDGE_HEIGHT_MM = 63.5
CARD_LONG_MM = 88.9
#: A quad whose sides differ by less than this share may have its strip along either of them.
_SQUARE = 1.4
#: Within this of a quad's own direction its cards are.
_TURN_DEG = 7.0
#: The cards are looked at within this of the middle of the strip.
_CORE_MM = 32.0
_SOFT_MM = 0.5
#: Lines across are so many times as strong as whatever there is along, or the quad's longer side is believed.
_SURE = 1.3


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What finding the ends of one strip needs: the picture, the axes, light, and the camera's place."""

    image: Image
    calibration: Calibration
    axes: Axes
    eye: Eye
    px_mm: float
    across_px_mm: float
    half_mm: float  # of the quad, along

    def patch(
        self, s_mm: tuple[float, float], u_mm: tuple[float, float], slope: float = 0.0, *, coarsest_mm: float = 0.0
    ) -> Patch:
        """Light between two places along and across, at half a pixel along and a whole one across, or at that step."""
        s, u = (*s_mm, max(self.px_mm / 2, coarsest_mm)), (*u_mm, max(self.across_px_mm, coarsest_mm))
        return sample(self.image, self.calibration, self.axes, s, u, slope=slope)

    def lean(self, s_mm: float, u_mm: float = 0.0) -> tuple[float, float]:
        """How far (along, across) what is seen at a place seems shifted for each mm that it is above the felt."""
        shift = self.eye.lean(self.axes.places(s_mm, u_mm))
        return float(shift @ np.array(self.axes.along)), float(shift @ np.array(self.axes.across))


def look_at(image: Image, calibration: Calibration, quad_mm: ArrayLike, along: ArrayLike) -> Look:
    """A look at the strip in a detector's quad (4, 2), whose cards lie one after the other roughly along `along`.

    Where the quad is nearly square its cards may as well lie across `along`: the picture tells. `Look.axes` then points
    to whichever side of them is nearer to the players.
    """
    eye = eye_of(calibration)
    axes = axes_of(quad_mm, along)
    long, wide = _sides(quad_mm, axes)
    turn, lines = _cards(image, calibration, axes, eye)
    if max(long, wide) < _SQUARE * min(long, wide):
        other = _towards_players(Axes(axes.origin_mm, axes.across))
        other_turn, other_lines = _cards(image, calibration, other, eye)
        if other_lines > (_SURE if long >= wide else 1 / _SURE) * lines:
            axes, turn, long = other, other_turn, wide
    axes = _turned(axes, turn)
    fine, across = px_per_mm(calibration, axes)
    return Look(image, calibration, axes, eye, 1 / fine, 1 / across, long / 2)


def _sides(quad_mm: ArrayLike, axes: Axes) -> tuple[float, float]:
    """The quad's sides along the axes and across them, mm."""
    places = np.sort(axes.inside(quad_mm), axis=0)
    long, wide = places[2:].mean(axis=0) - places[:2].mean(axis=0)
    return float(long), float(wide)


def _towards_players(axes: Axes) -> Axes:
    return axes if axes.along[1] >= 0 else Axes(axes.origin_mm, (-axes.along[0], -axes.along[1]))


def _turned(axes: Axes, turn: float) -> Axes:
    cos, sin = float(np.cos(turn)), float(np.sin(turn))
    x, y = axes.along
    return Axes(axes.origin_mm, (cos * x - sin * y, sin * x + cos * y))


def _cards(image: Image, calibration: Calibration, axes: Axes, eye: Eye) -> tuple[float, float]:
    """By how much (radians) the axes are to be turned so that lines run across them, and how strong those lines are."""
    fine, across = px_per_mm(calibration, axes)
    lean = eye.lean(axes.origin_mm)
    # The top face lies aside of the middle of all that is seen of the stack by half of what its side takes up.
    middle = [EDGE_HEIGHT_MM / 2 * float(lean @ np.array(way)) for way in (axes.along, axes.across)]
    step, row = max(0.5 / fine, 0.25), max(1.0 / across, 0.7)
    reach = ((middle[0] - _CORE_MM, middle[0] + _CORE_MM, step), (middle[1] - _CORE_MM, middle[1] + _CORE_MM, row))
    patch = sample(image, calibration, axes, *reach)
    light = np.nan_to_num(patch.light).mean(axis=2).astype(np.float32)
    # Single cards are all alike, a whole card's shift makes no difference: told by what is coarser than a card.
    light = cv2.GaussianBlur(light, (0, 0), sigmaX=max(_SOFT_MM / step, 0.3), sigmaY=0.5)
    turns = np.radians(np.arange(-_TURN_DEG, _TURN_DEG + 0.1, 0.5))
    strong = np.array([_lines(light, patch, float(turn)) for turn in turns])
    best = int(np.argmax(strong))
    near = turns[best] + np.radians(np.arange(-0.5, 0.51, 0.1))
    finer = np.array([_lines(light, patch, float(turn)) for turn in near])
    at = int(np.argmax(finer))
    return float(near[at]), float(finer[at])


def _lines(light: NDArray[np.float32], patch: Patch, turn: float) -> float:
    """How strong lines across are in light (rows, columns) turned by an angle: variance of their mean, edges first."""
    shift = -np.tan(turn) * (patch.u_mm - patch.u_mm.mean()) / patch.step_mm
    columns = np.arange(light.shape[1], dtype=np.float32)[None, :] + shift[:, None].astype(np.float32)
    rows = np.broadcast_to(np.arange(light.shape[0], dtype=np.float32)[:, None], columns.shape)
    turned = cv2.remap(light, columns, np.ascontiguousarray(rows), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    edge = int(np.ceil(np.abs(shift).max())) + 1
    profile = turned.mean(axis=0)[edge:-edge] if 2 * edge < light.shape[1] - 8 else turned.mean(axis=0)
    return float(np.diff(profile).var())
