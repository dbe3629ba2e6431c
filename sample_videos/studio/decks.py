"""Casino decks drawn here: vector pips, jumbo indices, framed abstract court figures; and patterned backs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sample_videos.studio.lettering import Canvas, Colour, Polygon, suit_polygons
from sample_videos.studio.scene import CARD_LENGTH_MM, CARD_WIDTH_MM

W, L = CARD_WIDTH_MM, CARD_LENGTH_MM
RED, BLACK = (0.78, 0.06, 0.1), (0.07, 0.07, 0.09)
TWO_COLOURS = {"C": BLACK, "S": BLACK, "H": RED, "D": RED}
FOUR_COLOURS = {"C": (0.05, 0.45, 0.15), "S": BLACK, "H": RED, "D": (0.1, 0.25, 0.72)}
PX_PER_MM = 4.0


@dataclass(frozen=True, slots=True)
class FaceStyle:
    """How the faces of one drawn deck look. Lengths in mm."""

    font: str
    index_mm: float
    corners: int = 2
    four_colours: bool = False
    paper: Colour = (0.98, 0.98, 0.97)
    pip_mm: float = 11.0
    index_pip_mm: float = 9.0
    squeeze: float = 0.85
    beside: bool = False  # the index pip stands beside the index instead of below it
    frame: bool = True
    many_pips: bool = True  # one pip a point; else one large pip in the middle
    court: int = 0


STYLES: dict[str, FaceStyle] = {
    "casino-jumbo": FaceStyle("grotesk", 15.0, pip_mm=10.5),
    "casino-serif": FaceStyle("roman", 13.0, pip_mm=11.5, court=1),
    "casino-four-corner": FaceStyle("sans", 9.5, corners=4, pip_mm=11.0, index_pip_mm=6.5, court=2),
    "casino-narrow": FaceStyle("narrow", 17.0, squeeze=1.0, pip_mm=10.0, court=1),
    "casino-cream": FaceStyle("slab", 12.0, paper=(0.97, 0.95, 0.88), pip_mm=11.0, court=2),
    "casino-four-colour": FaceStyle("lato", 14.0, four_colours=True, pip_mm=10.5),
    "casino-giant": FaceStyle("condensed", 24.0, pip_mm=26.0, index_pip_mm=12.0, many_pips=False, frame=False),
    "casino-standard": FaceStyle("serif", 8.5, pip_mm=12.0, index_pip_mm=6.5, court=1),
    "casino-beside": FaceStyle("grotesk", 13.0, beside=True, index_pip_mm=10.0, pip_mm=10.0, court=2),
    "casino-four-corner-roman": FaceStyle("roman", 10.5, corners=4, pip_mm=10.0, index_pip_mm=7.0, court=0),
}

_COLUMNS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((0, 1), (0, -1)),
    3: ((0, 1), (0, 0), (0, -1)),
    4: ((-1, 1), (1, 1), (-1, -1), (1, -1)),
    5: ((-1, 1), (1, 1), (0, 0), (-1, -1), (1, -1)),
    6: ((-1, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (1, -1)),
    7: ((-1, 1), (1, 1), (0, 0.5), (-1, 0), (1, 0), (-1, -1), (1, -1)),
    8: ((-1, 1), (1, 1), (0, 0.5), (-1, 0), (1, 0), (0, -0.5), (-1, -1), (1, -1)),
    9: ((-1, 1), (1, 1), (-1, 0.33), (1, 0.33), (0, 0), (-1, -0.33), (1, -0.33), (-1, -1), (1, -1)),
    10: ((-1, 1), (1, 1), (0, 0.66), (-1, 0.33), (1, 0.33), (-1, -0.33), (1, -0.33), (0, -0.66), (-1, -1), (1, -1)),
}


def draw_face(style: FaceStyle, rank: str, suit: str) -> NDArray[np.uint8]:
    """One face (356, 254, 3) RGB, upright."""
    canvas = Canvas(W, L, PX_PER_MM, style.paper)
    ink = (FOUR_COLOURS if style.four_colours else TWO_COLOURS)[suit]
    if rank in ("J", "Q", "K"):
        _court(canvas, style, rank, suit, ink)
    elif style.many_pips:
        _pips(canvas, style, rank, suit, ink)
    else:
        canvas.fill_each([p * style.pip_mm for p in suit_polygons(suit)], ink, (W / 2, L / 2))
    _indices(canvas, style, rank, suit, ink)
    return canvas.finish()


def _pips(canvas: Canvas, style: FaceStyle, rank: str, suit: str, ink: Colour) -> None:
    count = 1 if rank == "A" else int(rank)
    size = style.pip_mm * (2.2 if count == 1 else 1.0)
    room = W / 2 - 3.2 - style.index_mm * 0.84 - size / 2 + (1.0 if style.corners == 2 else 0.0)
    across = float(np.clip(room, 0.62 * size if count > 1 else 0.0, 13.0))
    along = 22.0 if style.beside else 29.0
    for column, row in _COLUMNS[count]:
        flip = -1.0 if row < 0 else 1.0
        shape = [p * [size, size * flip] for p in suit_polygons(suit)]
        canvas.fill_each(shape, ink, (W / 2 + column * across, L / 2 + row * along))


def _indices(canvas: Canvas, style: FaceStyle, rank: str, suit: str, ink: Colour) -> None:
    squeeze = style.squeeze * (0.72 if rank == "10" else 1.0)
    half_width = style.index_mm * 0.42
    x = 3.0 + half_width
    y = L - 3.0 - style.index_mm / 2
    pip = [p * style.index_pip_mm for p in suit_polygons(suit)]
    drop = style.index_mm / 2 + style.index_pip_mm / 2 + 1.2
    pip_at = (x + half_width + style.index_pip_mm * 0.55, y) if style.beside else (x, y - drop)
    for mirrored in (False, True) if style.corners == 4 else (False,):
        for turned in (False, True):
            sign = -1.0 if turned else 1.0
            angle = np.pi if turned else 0.0
            at, small = _turn((x, y), mirrored, turned), _turn(pip_at, mirrored, turned)
            canvas.text(rank, style.font, style.index_mm, at, ink, angle=angle, squeeze=squeeze)
            canvas.fill_each([p * sign for p in pip], ink, small)


def _turn(point: tuple[float, float], mirrored: bool, turned: bool) -> tuple[float, float]:
    x, y = point
    if mirrored:
        x = W - x
    return (W - x, L - y) if turned else (x, y)


_COURT_COLOURS = {
    0: ((0.85, 0.12, 0.12), (0.95, 0.78, 0.15), (0.12, 0.2, 0.6)),
    1: ((0.75, 0.1, 0.15), (0.9, 0.7, 0.2), (0.1, 0.1, 0.12)),
    2: ((0.15, 0.35, 0.65), (0.92, 0.8, 0.3), (0.72, 0.12, 0.2)),
}


def _court(canvas: Canvas, style: FaceStyle, rank: str, suit: str, ink: Colour) -> None:
    """A double-headed figure in a frame: head, crown or cap, shoulders in stripes and lozenges."""
    left = 4.0 + style.index_mm * 0.8 if style.corners == 2 and not style.beside else 11.0
    left = min(left, 16.0)
    low, right, high = 9.0, W - left, L - 9.0
    frame = np.array([[left, low], [right, low], [right, high], [left, high]])
    first, second, third = _COURT_COLOURS[style.court]
    for turned in (False, True):
        draw = _Half(canvas, turned)
        _robe(draw, left, first, second, third)
        _head(draw, rank, second, ink, first if rank == "Q" else third)
    if style.frame:
        canvas.line(frame, (0.15, 0.2, 0.5), 0.5, closed=True)
    for turned in (False, True):
        sign = -1.0 if turned else 1.0
        at = _turn((left + 6.0, high - 6.5), False, turned)
        canvas.fill_each([p * 8.5 * sign for p in suit_polygons(suit)], ink, at)


@dataclass(frozen=True, slots=True)
class _Half:
    """Draws on the upper half, or on the lower one turned by half a turn; origin in the middle of the card."""

    canvas: Canvas
    turned: bool

    def fill(self, polygon: Polygon, colour: Colour) -> None:
        sign = -1.0 if self.turned else 1.0
        self.canvas.fill([np.asarray(polygon, float) * sign], colour, (W / 2, L / 2))


def _robe(draw: _Half, left: float, first: Colour, second: Colour, third: Colour) -> None:
    half = W / 2 - left
    draw.fill(np.array([[-half, 0.0], [half, 0.0], [half, 8.0], [8.0, 17.0], [-8.0, 17.0], [-half, 8.0]]), first)
    for index in range(-3, 4):
        x = index * half / 3.2
        draw.fill(np.array([[x - 1.3, 0.0], [x + 1.3, 0.0], [x * 0.55 + 0.8, 14.0], [x * 0.55 - 0.8, 14.0]]), second)
    for index in range(-2, 3):
        middle = np.array([index * half / 2.6, 4.5])
        draw.fill(middle + np.array([[0, 2.4], [1.9, 0], [0, -2.4], [-1.9, 0]]), third)
    draw.fill(np.array([[-half, 0.0], [half, 0.0], [half, 1.4], [-half, 1.4]]), third)


def _head(draw: _Half, rank: str, gold: Colour, ink: Colour, cloth: Colour) -> None:
    turn = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    oval = np.stack([np.cos(turn) * 5.2, np.sin(turn) * 6.2], axis=1)
    hair = (0.9, 0.75, 0.3) if rank == "Q" else (0.3, 0.2, 0.12)
    draw.fill(oval * [1.4, 1.1] + np.array([0, 21.5]), hair)
    draw.fill(oval + np.array([0, 21.5]), (0.96, 0.84, 0.72))
    if rank == "K":
        draw.fill(np.array([[-4.6, 19.5], [4.6, 19.5], [2.6, 13.5], [0, 12.0], [-2.6, 13.5]]), hair)
    for x in (-2.0, 2.0):
        draw.fill(oval * 0.13 + np.array([x, 22.5]), ink)
    draw.fill(np.array([[-1.6, 18.6], [1.6, 18.6], [1.2, 18.0], [-1.2, 18.0]]), (0.7, 0.15, 0.15))
    if rank == "J":
        draw.fill(np.array([[-7, 26], [7, 26], [8, 30.5], [-5.5, 30.5]]), cloth)
    else:
        tips = [[-7.5, 25.5], [7.5, 25.5], [8.5, 33], [4, 29], [0, 34.2], [-4, 29], [-8.5, 33]]
        draw.fill(np.array(tips), gold)


BACK_PATTERNS = ("lattice", "diamonds", "stripes", "solid", "logo", "bleed", "waves", "checks", "dots", "rings")


def draw_back(pattern: str, colour: Colour) -> NDArray[np.uint8]:
    """One back (356, 254, 3) RGB, the same upright and turned."""
    canvas = Canvas(W, L, PX_PER_MM, (0.97, 0.97, 0.96))
    shade = np.asarray(colour, float)
    light = 0.45 * shade + 0.55 * np.array([0.97, 0.97, 0.96])
    margin = {"bleed": 0.0, "solid": 4.5, "lattice": 4.0, "diamonds": 5.0, "logo": 3.5}.get(pattern, 4.0)
    canvas.fill([_rectangle(margin)], tuple(shade))
    _PAINT[pattern](canvas, margin, tuple(shade), tuple(light))
    picture = canvas.finish()
    half = len(picture) // 2
    picture[half:] = picture[:half][::-1, ::-1]
    return picture


def _rectangle(margin: float) -> Polygon:
    return np.array([[margin, margin], [W - margin, margin], [W - margin, L - margin], [margin, L - margin]])


def _clip(canvas: Canvas, margin: float, paper: Colour = (0.97, 0.97, 0.96)) -> None:
    """Covers what a pattern drew over its border."""
    if margin > 0:
        outer = _rectangle(-2.0)
        canvas.fill([outer, _rectangle(margin)], paper)


def _lattice(canvas: Canvas, margin: float, shade: Colour, light: Colour) -> None:
    for k in np.arange(-L, W + L, 5.0):
        canvas.line([[k, 0], [k + L, L]], light, 0.7)
        canvas.line([[k, L], [k + L, 0]], light, 0.7)
    _clip(canvas, margin)
    canvas.line(_rectangle(margin + 1.6), light, 0.6, closed=True)


def _diamonds(canvas: Canvas, margin: float, shade: Colour, light: Colour) -> None:
    unit = np.array([[0, 3.0], [2.2, 0], [0, -3.0], [-2.2, 0]])
    for row, y in enumerate(np.arange(L / 2 % 4.5, L, 4.5)):
        for x in np.arange((W / 2 + (row % 2) * 3.0) % 6.0, W, 6.0):
            canvas.fill([unit * 0.8 + [x, y]], light)
    _clip(canvas, margin)


def _stripes(canvas: Canvas, margin: float, shade: Colour, light: Colour) -> None:
    for k in np.arange(-L, W + L, 6.0):
        canvas.line([[k, 0], [k + L, L]], light, 1.6)
    _clip(canvas, margin)


def _solid(canvas: Canvas, margin: float, shade: Colour, light: Colour) -> None:
    canvas.line(_rectangle(margin + 3.0), light, 0.8, closed=True)


def _logo(canvas: Canvas, margin: float, shade: Colour, light: Colour) -> None:
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    disc = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    for x in np.arange(margin, W, 3.2):
        canvas.line([[x, 0], [x, L]], light, 0.35)
    _clip(canvas, margin)
    canvas.fill([disc * 17.0], (0.97, 0.97, 0.96), (W / 2, L / 2))
    canvas.fill([disc * 15.5], shade, (W / 2, L / 2))
    star = np.stack([np.cos(turn[::3]), np.sin(turn[::3])], axis=1) * np.where(np.arange(16) % 2, 5.0, 13.0)[:, None]
    canvas.fill([star], light, (W / 2, L / 2))


def _bleed(canvas: Canvas, margin: float, shade: Colour, light: Colour) -> None:
    for k in np.arange(-L, W + L, 3.2):
        canvas.line([[k, 0], [k + L, L]], light, 0.5)
        canvas.line([[k, L], [k + L, 0]], light, 0.5)


def _waves(canvas: Canvas, margin: float, shade: Colour, light: Colour) -> None:
    x = np.linspace(0, W, 60)
    for y in np.arange(2.0, L, 3.4):
        canvas.line(np.stack([x, y + 1.2 * np.sin(x * 0.75)], axis=1), light, 0.8)
    _clip(canvas, margin)


def _checks(canvas: Canvas, margin: float, shade: Colour, light: Colour) -> None:
    for i, x in enumerate(np.arange(0, W, 4.0)):
        for y in np.arange((i % 2) * 4.0, L, 8.0):
            canvas.fill([np.array([[x, y], [x + 4, y], [x + 4, y + 4], [x, y + 4]])], light)
    _clip(canvas, margin)


def _dots(canvas: Canvas, margin: float, shade: Colour, light: Colour) -> None:
    turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    disc = np.stack([np.cos(turn), np.sin(turn)], axis=1) * 1.0
    for row, y in enumerate(np.arange(margin, L, 3.0)):
        for x in np.arange(margin + (row % 2) * 2.0, W, 4.0):
            canvas.fill([disc], light, (x, y))
    _clip(canvas, margin)


def _rings(canvas: Canvas, margin: float, shade: Colour, light: Colour) -> None:
    turn = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    for radius in np.arange(4.0, 56.0, 4.5):
        ring = np.stack([W / 2 + np.cos(turn) * radius, L / 2 + np.sin(turn) * radius], axis=1)
        canvas.line(ring, light, 1.1, closed=True)
    _clip(canvas, margin)


_PAINT = {
    "lattice": _lattice, "diamonds": _diamonds, "stripes": _stripes, "solid": _solid, "logo": _logo,
    "bleed": _bleed, "waves": _waves, "checks": _checks, "dots": _dots, "rings": _rings,
}  # fmt: skip
