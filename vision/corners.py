"""A card's four corners, from the box that found it to a part of a pixel.

A box is a rectangle that lies a few pixels beside the card, and a card seen aslant is no rectangle. So the picture
is drawn with the box as a square, in which a side of the card is a straight line near a side of the square. Along each
side stand stretches, and across each stretch runs a profile of colours; where it changes there may be an edge. Every
line near a side is asked for the edges under it (a Hough transform, done as one product of matrices); lines of
opposite sides are chosen together, since they are nearly parallel. A line is then fitted to the places of the edges
to a part of a pixel, outliers losing weight, and four lines meet in four corners. Rounded corners are left out of the
profiles: the lines meet where a square corner would be, as they do in labels.

All this is done twice: the second square fits the card far better, and knows the colour just inside its edge.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Frame, Image
from vision.sighting import Points

Array = NDArray[np.float32]

#: The square that the box is drawn as, what is drawn around it, and how deep a profile goes to either side of a side.
INNER, REACH = 48, 12
#: Left out at a side's ends, where a card's corners are round, and what is averaged along it to one profile.
ROUND, STRETCH = 6, 3
COUNT, DEPTH = (INNER - 2 * ROUND) // STRETCH, 2 * REACH
#: Where along its side each profile stands, from -1/2 to 1/2.
ALONG: Array = ((ROUND + STRETCH * (np.arange(COUNT) + 0.5)) / INNER - 0.5).astype(np.float32)
#: Colours are compared over so many samples, two, on either side of a place.
SPAN = 2
#: A difference in colour counts as half an edge at so many times the median around the card, within these bounds.
HALF_OF_MEDIAN, HALF_EDGE = 5.0, (15.0, 50.0)
#: A colour so far from the border's is hardly the card's.
OTHER_COLOUR = 45.0
#: Lines that are asked, by their middle's distance from the side and by how much more that is at its end.
WIDE = (np.arange(-9, 10, 1.0), np.arange(-14, 15, 2.0))
NEAR = (np.arange(-5, 6, 1.0), np.arange(-5, 6, 1.0))
#: What a line's distance, its turn, and opposite sides that are not parallel cost, by their squares.
FAR_COST, TURN_COST, ASKEW_COST = 0.0053, 0.0007, 0.0035
#: In the second square, which fits the card, they cost so many times as much.
SECOND = 2.0
#: Where the card's size is known: what a wrong size costs, and a place away from the box.
SIZE_COST, KNOWN_FAR_COST, KNOWN_TURN_COST = 0.021, 0.0014, 0.0007
#: A poker card in millimetres; a size is known only where the box is not much smaller or larger.
SHORT_MM, LONG_MM = 63.5, 88.9
MOST_SIZE = 12.0
#: Edges are looked for so far from the line, and one that far from the fitted line counts half.
WINDOW, OUTLIER, FITS = 2.2, 0.6, 2
#: An edge of this strength supports its line, where it is nearer than this; the share of a side that must have one.
EDGE, CLOSE, LEAST_SUPPORT = 0.35, 1.0, 0.35
#: Holds a fitted line's turn where edges are few and near together.
LEVEL = 0.004
#: A box must be so large.
LEAST_PX = 6
#: The mean support without which nothing is believed, and by how much the area may change.
LEAST_MEAN, AREA = 0.5, (0.6, 1.5)

_SQUARE: Points = np.array([[0, 0], [INNER, 0], [INNER, INNER], [0, INNER]], np.float64) + REACH - 0.5
_BEFORE = [3, 0, 1, 2]
_PLACES: Array = np.arange(DEPTH, dtype=np.float32)
_ONES: Array = np.ones(DEPTH, np.float32)
_POWERS: Array = np.stack([np.ones_like(ALONG), ALONG, ALONG**2], axis=1)
#: From axes in which a side is the upper one to the square's, for each side.
_TURNED: Points = np.array([[[1, 0], [0, 1]], [[0, -1], [1, 0]], [[-1, 0], [0, -1]], [[0, 1], [-1, 0]]], np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Corners:
    """A card's outline.

    Attributes:
        quad: its corners (4, 2) in pixels, in the order of the box's; the box's own where nothing better was found.
        support: the share of each side, from corner k to corner k + 1, that lies on an edge of the picture, (4,) 0..1.
        moved: whether the corners are not the box's.
    """

    quad: Points
    support: Points
    moved: bool


def refined(picture: Image | Frame, quad: Points, sides_mm: tuple[float, float] | None = None) -> Corners:
    """The corners of the card that a box was put around.

    Args:
        picture: (H, W, 3) BGR, or a frame.
        quad: the box's corners (4, 2) in pixels, in order around it.
        sides_mm: how long the box's sides from corner 0 to 1 and from 1 to 2 are on the felt; with them the card is
            held to a card's size.
    """
    box = np.asarray(quad, np.float64)
    cut = around(picture, box)
    if cut is None:
        return Corners(box, np.zeros(4), False)
    part, first = cut
    found, size = box - first, sides_mm
    for again in (False, True):
        square, matrix = _drawn(part, found)
        colours = _profiles(square)
        inside, change = _changes(colours)
        strength = change / (change + _half(change))
        if again:
            like = _like_border(inside)
            strength, change = strength * like, change * like
        lines = _chosen(strength, size, near=again)
        lines, support = _fitted(strength, change, lines)
        found = cv2.perspectiveTransform(_met(lines)[None], matrix)[0]
        size = None if size is None else _resized(size, lines)
    if not _plausible(found, box - first, support):
        return Corners(box, support, False)
    return Corners(found + first, support, True)


def around(picture: Image | Frame, quad: Points) -> tuple[Image, Points] | None:
    """What `refined` looks at: part of the picture, (h, w, 3), and the pixel (2,) it begins at; None if too little."""
    if not np.isfinite(quad).all():
        return None
    height, width = (picture.height_px, picture.width_px) if isinstance(picture, Frame) else picture.shape[:2]
    x, y = quad.T.tolist()
    reach = max(max(x) - min(x), max(y) - min(y)) * REACH / INNER
    x0, y0 = max(math.floor(min(x) - reach), 0), max(math.floor(min(y) - reach), 0)
    x1, y1 = min(math.ceil(max(x) + reach) + 1, width), min(math.ceil(max(y) + reach) + 1, height)
    if min(x1 - x0, y1 - y0) < LEAST_PX:
        return None
    part = picture.part(x0, y0, x1, y1) if isinstance(picture, Frame) else picture[y0:y1, x0:x1]
    return part, np.array([x0, y0], np.float64)


def _drawn(part: Image, quad: Points) -> tuple[Image, Points]:
    """The quad as a square with what is around it, and the matrix from the square to the picture."""
    matrix = cv2.getPerspectiveTransform(_SQUARE.astype(np.float32), quad.astype(np.float32))
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (INNER + 2 * REACH, INNER + 2 * REACH)
    square = cv2.warpPerspective(part, matrix, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(square, np.uint8), np.asarray(matrix, np.float64)


def _profiles(square: Image) -> Array:
    """The colours across each side, from outside to inside: (4, COUNT, DEPTH, 3)."""
    out = np.empty((4, COUNT, DEPTH, 3), np.float32)
    ends = slice(REACH + ROUND, REACH + INNER - ROUND)
    near, far = slice(0, DEPTH), slice(INNER + 2 * REACH - DEPTH, None)
    for side, strip in ((0, square[near, ends]), (2, square[far, ends])):
        thin = cv2.resize(strip, (COUNT, DEPTH), interpolation=cv2.INTER_AREA).swapaxes(0, 1)
        out[side] = thin if side == 0 else thin[::-1, ::-1]
    for side, strip in ((1, square[ends, far]), (3, square[ends, near])):
        thin = cv2.resize(strip, (DEPTH, COUNT), interpolation=cv2.INTER_AREA)
        out[side] = thin[:, ::-1] if side == 1 else thin[::-1]
    return out


def _changes(colours: Array) -> tuple[Array, Array]:
    """The colour on the inner side of each place, (4, COUNT, DEPTH, 3), and how far it is from the outer side's.

    Place j lies between samples j - 1 and j, so place REACH lies on the square's side; SPAN samples count on each side.
    """
    inside = np.zeros_like(colours)
    inside[:, :, :-1] = (colours[:, :, :-1] + colours[:, :, 1:]) * np.float32(0.5)
    apart = inside[:, :, SPAN:-1] - inside[:, :, : -SPAN - 1]
    change = np.zeros(colours.shape[:3], np.float32)
    np.sqrt(np.einsum("abcd,abcd->abc", apart, apart), out=change[:, :, SPAN:-1])
    return inside, change


def _half(change: Array) -> np.float32:
    """The change that counts as half an edge: less where nothing else changes, as around a white card on white."""
    some = change[:, ::2, SPAN:-SPAN:2].ravel()
    some.partition(len(some) // 2)
    least, most = HALF_EDGE
    return np.float32(min(max(HALF_OF_MEDIAN * float(some[len(some) // 2]), least), most))


def _like_border(inside: Array) -> Array:
    """How alike the colour inside a place is to the card's border, 0..1, in a square that fits the card.

    A blurred edge has its colour a little further in.
    """
    border = np.sort(inside[:, :, REACH : REACH + SPAN].reshape(-1, 3), axis=0)
    apart = inside - border[len(border) // 2]
    like = np.exp(np.einsum("abcd,abcd->abc", apart, apart) / np.float32(-2 * OTHER_COLOUR**2))
    best: Array = like.copy()
    for step in range(1, SPAN + 1):
        np.maximum(best[:, :, :-step], like[:, :, step:], out=best[:, :, :-step])
    return best


@lru_cache(maxsize=2)
def _votes(near: bool) -> Array:
    """The weight of every place in every line, (COUNT * DEPTH, distances * turns)."""
    distances, turns = NEAR if near else WIDE
    middle, turn = np.meshgrid(distances, turns, indexing="ij")
    places = middle.ravel() + ALONG[:, None] * turn.ravel() + REACH
    weights = np.maximum(0, 1 - np.abs(places[:, None] - np.arange(DEPTH)[:, None])) / COUNT
    return np.ascontiguousarray(weights.reshape(COUNT * DEPTH, -1), np.float32)


def _chosen(strength: Array, sides_mm: tuple[float, float] | None, *, near: bool) -> Array:
    """The likeliest line at each side, (4, 2): its distance, inwards, in the side's middle, and its turn."""
    distances, turns = NEAR if near else WIDE
    score = (strength.reshape(4, -1) @ _votes(near)).reshape(4, len(distances), len(turns))
    growth = None if sides_mm is None else _growth(sides_mm)
    if sides_mm is not None and growth is not None:
        return _rectangle(score, sides_mm, growth, near=near)
    cost = SECOND if near else 1.0
    score -= (cost * (FAR_COST * distances[:, None] ** 2 + TURN_COST * turns**2)).astype(np.float32)
    return _pairs(score, distances, turns)


def _pairs(score: Array, distances: Points, turns: Points) -> Array:
    """Lines of opposite sides that are nearly parallel, whatever the card's proportions."""
    nearest, best = score.argmax(axis=1), score.max(axis=1)
    askew = ASKEW_COST * (turns[:, None] - turns) ** 2
    lines = np.empty((4, 2), np.float32)
    for side in (0, 1):
        joint = best[side][:, None] + best[side + 2] - askew
        for k, turn in zip((side, side + 2), np.unravel_index(int(joint.argmax()), joint.shape), strict=True):
            lines[k] = distances[nearest[k, turn]], turns[turn]
    return lines


def _rectangle(score: Array, sides_mm: tuple[float, float], growth: tuple[float, float], *, near: bool) -> Array:
    """The lines of a rectangle of known size."""
    distances, turns = NEAR if near else WIDE
    cost = SECOND if near else 1.0
    slant = (sides_mm[1] / sides_mm[0]) ** 2  # a turn shows so much more at sides 1 and 3 than at 0 and 2
    both = turns * min(1.0, 1 / slant), turns * min(1.0, slant)
    total = -KNOWN_TURN_COST * cost * turns**2
    sums, squares = _two(near)
    picks = []
    for side in (0, 1):
        fit = (SIZE_COST * (sums - growth[side]) ** 2 + KNOWN_FAR_COST * cost * squares).astype(np.float32)
        index = ((both[side] - turns[0]) / (turns[1] - turns[0]) + 0.5).astype(int)
        first, second = score[side].T[index], score[side + 2].T[index]
        joint = (first[:, :, None] + (second[:, None] - fit)).reshape(len(turns), -1)
        picks.append(joint.argmax(axis=1))
        total += joint.max(axis=1)
    best = int(total.argmax())
    lines = np.empty((4, 2), np.float32)
    for side in (0, 1):
        near_one, far_one = divmod(int(picks[side][best]), len(distances))
        lines[side] = distances[near_one], both[side][best]
        lines[side + 2] = distances[far_one], both[side][best]
    return lines


@lru_cache(maxsize=2)
def _two(near: bool) -> tuple[Points, Points]:
    """The sums of two distances and of their squares, (distances, distances) each."""
    distances = (NEAR if near else WIDE)[0]
    return distances[:, None] + distances, distances[:, None] ** 2 + distances**2


def _growth(sides_mm: tuple[float, float]) -> tuple[float, float] | None:
    """How much further in, together, the sides 0 and 2, and 1 and 3, would lie; None where the box is no whole card."""
    width, height = sides_mm
    if not min(width, height) > 0:
        return None
    true = (SHORT_MM, LONG_MM) if width < height else (LONG_MM, SHORT_MM)
    growth = INNER * (1 - true[1] / height), INNER * (1 - true[0] / width)
    return growth if max(abs(growth[0]), abs(growth[1])) < MOST_SIZE else None


def _resized(sides_mm: tuple[float, float], lines: Array) -> tuple[float, float]:
    """The sides' lengths after the lines have moved."""
    width = sides_mm[0] * float(1 - (lines[1, 0] + lines[3, 0]) / INNER)
    return width, sides_mm[1] * float(1 - (lines[0, 0] + lines[2, 0]) / INNER)


def _fitted(strength: Array, change: Array, lines: Array) -> tuple[Array, Points]:
    """Lines through the places of the edges near each line, and the share of each that lies on edges.

    A line with too few keeps as it is.
    """
    line = lines[:, :1] + lines[:, 1:] * ALONG + REACH
    window = 1 - ((_PLACES - line[..., None]) * np.float32(1 / WINDOW)) ** 2
    np.maximum(window, 0, out=window)
    edge = (strength * window).max(axis=2)
    weights = change * change * window
    seen = (weights @ _PLACES) / (weights @ _ONES + np.float32(1e-6))
    for _ in range(FITS):
        trust = edge / (1 + ((seen - line) * np.float32(1 / OUTLIER)) ** 2) + np.float32(1e-4)
        (total, first, second), (level, tilted, _) = (trust @ _POWERS).T, ((trust * seen) @ _POWERS).T
        middle, level = first / total, level / total
        turn = (tilted / total - middle * level) / (second / total - middle * middle + np.float32(LEVEL))
        line = (level - turn * middle)[:, None] + turn[:, None] * ALONG
    support = ((edge > EDGE) & (np.abs(seen - line) < CLOSE)).mean(axis=1)
    fitted = np.stack([level - turn * middle - REACH, turn], axis=1)
    return np.where((support >= LEAST_SUPPORT)[:, None], fitted, lines), support


def _met(lines: Array) -> Points:
    """Where neighbouring lines meet, (4, 2) in the square: corner k is between the sides k - 1 and k."""
    # as if each side were the upper one: y = offset + slope * x, with x and y from the square's middle
    offset, slope = lines[:, 0] - INNER / 2, lines[:, 1] / INNER
    before, own, bend, turn = offset[_BEFORE], offset, slope[_BEFORE], slope
    # the side before, seen so, is the left one: x = before - bend * y
    x = (before - bend * own) / (1 + bend * turn)
    y = own + turn * x
    corners: Points = np.einsum("kij,jk->ki", _TURNED, np.stack([x, y])) + (REACH + INNER / 2 - 0.5)
    return corners


def _plausible(quad: Points, box: Points, support: Points) -> bool:
    """Whether the corners may be a card's: convex, about as large as its box, with edges under them."""
    if float(support.mean()) < LEAST_MEAN or not np.isfinite(quad).all():
        return False
    if not cv2.isContourConvex(quad.astype(np.float32)):
        return False
    share = cv2.contourArea(quad.astype(np.float32)) / max(cv2.contourArea(box.astype(np.float32)), 1e-6)
    return AREA[0] <= share <= AREA[1]
