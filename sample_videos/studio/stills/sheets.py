"""Flat printed things that are no cards: pictures of paper, bank notes, club and business cards, tickets, napkins."""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sample_videos.studio.lettering import FONTS, Canvas, suit_polygons
from sample_videos.studio.scene import Vec2
from sample_videos.studio.stills.solids import pick
from sample_videos.studio.stills.still import Random

PX_PER_MM = 3.0
WORDS = (
    "CASINO", "ROYAL", "CLUB", "GOLD", "REWARDS", "MEMBER", "GRAND", "LUCKY", "RESORT", "VIP", "PALACE", "HOTEL",
    "PLAYER", "RESERVED", "BANK", "TOTAL", "WELCOME", "BAR", "CASH", "MANAGER",
)  # fmt: skip
WHITES = ((0.96, 0.96, 0.95), (0.93, 0.92, 0.86), (0.9, 0.93, 0.96), (0.97, 0.93, 0.8))
BRIGHT = (
    (0.1, 0.1, 0.12), (0.7, 0.1, 0.12), (0.1, 0.2, 0.55), (0.75, 0.6, 0.2), (0.05, 0.4, 0.3), (0.45, 0.12, 0.5),
    (0.6, 0.62, 0.65), (0.9, 0.5, 0.1),
)  # fmt: skip
INKS = ((0.1, 0.1, 0.12), (0.15, 0.2, 0.5), (0.5, 0.1, 0.1), (0.3, 0.3, 0.32))


def _word(rng: Random) -> str:
    return WORDS[int(rng.integers(len(WORDS)))]


def _lines(rng: Random, canvas: Canvas, size: Vec2, ink: NDArray[np.float64], pitch: float) -> None:
    """Rows of writing, as bars of chance lengths."""
    for y in np.arange(size[1] - pitch * 1.6, pitch, -pitch):
        end = size[0] * float(rng.uniform(0.4, 0.93))
        for start in np.arange(size[0] * 0.07, end, pitch * 1.7):
            canvas.line([[start, y], [min(start + pitch * float(rng.uniform(0.6, 1.4)), end), y]], ink, pitch * 0.32)


def _frame(size: Vec2, margin: float) -> NDArray[np.float64]:
    """The corners of a frame so far inside the edge."""
    return np.array(
        [[margin, margin], [size[0] - margin, margin], [size[0] - margin, size[1] - margin], [margin, size[1] - margin]]
    )


def _paper(rng: Random, size: Vec2) -> Canvas:
    canvas = Canvas(*size, PX_PER_MM, tuple(pick(rng, WHITES, 0.06)), oversample=1)
    kind = int(rng.integers(4))
    ink = pick(rng, INKS)
    if kind == 0:
        _lines(rng, canvas, size, ink, float(rng.uniform(4, 9)))
    elif kind == 1:  # a form with a grid
        for x in np.linspace(size[0] * 0.06, size[0] * 0.94, int(rng.integers(4, 12))):
            canvas.line([[x, size[1] * 0.06], [x, size[1] * 0.86]], ink, 0.5)
        for y in np.linspace(size[1] * 0.06, size[1] * 0.86, int(rng.integers(5, 16))):
            canvas.line([[size[0] * 0.06, y], [size[0] * 0.94, y]], ink, 0.5)
    elif kind == 2:
        canvas.text(_word(rng), str(rng.choice(FONTS)), size[0] * 0.1, (size[0] / 2, size[1] * 0.86), ink)
        _lines(rng, canvas, (size[0], size[1] * 0.78), ink, 6.0)
    return canvas


def _score_card(rng: Random, size: Vec2) -> Canvas:
    """A player's score card of rings, red and blue, in a grid."""
    canvas = _grid(rng, size)
    turn = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1) * 2.4
    for x in np.arange(6.0, size[0] - 4, 6.0):
        for y in np.arange(size[1] - 8, size[1] * float(rng.uniform(0.2, 0.7)), -6.0):
            if rng.random() < 0.7:
                canvas.line(
                    ring + np.array([x, y]),
                    (0.8, 0.1, 0.1) if rng.random() < 0.5 else (0.1, 0.2, 0.7),
                    0.9,
                    closed=True,
                )
    return canvas


def _grid(rng: Random, size: Vec2) -> Canvas:
    canvas = Canvas(*size, PX_PER_MM, tuple(pick(rng, WHITES, 0.05)), oversample=1)
    for x in np.arange(3.0, size[0], 6.0):
        canvas.line([[x, 3], [x, size[1] - 5]], (0.6, 0.65, 0.7), 0.4)
    for y in np.arange(3.0, size[1] - 4, 6.0):
        canvas.line([[3, y], [size[0] - 3, y]], (0.6, 0.65, 0.7), 0.4)
    return canvas


def _note(rng: Random, size: Vec2) -> Canvas:
    """A bank note across the sheet: guilloche, a portrait's oval, figures in the corners. Its long side is along."""
    ground = pick(rng, ((0.75, 0.8, 0.68), (0.85, 0.75, 0.6), (0.62, 0.72, 0.85), (0.85, 0.65, 0.65)), 0.12)
    ink = np.clip(ground * 0.4, 0, 1)
    canvas = Canvas(*size, PX_PER_MM, tuple(ground), oversample=1)
    wave = np.linspace(0, size[1], 60)
    for k in range(int(rng.integers(5, 12))):
        bent = size[0] * (0.1 + 0.8 * k / 11) + 4 * np.sin(wave / 9 + k)
        canvas.line(np.stack([bent, wave], axis=1), np.clip(ground * 0.8, 0, 1), 0.7)
    turn = np.linspace(0, 2 * np.pi, 30, endpoint=False)
    oval = np.stack([np.cos(turn) * size[0] * 0.36, np.sin(turn) * size[0] * 0.28], axis=1)
    canvas.fill([oval], np.clip(ground * 0.7, 0, 1), (size[0] / 2, size[1] * float(rng.uniform(0.3, 0.55))))
    canvas.fill([oval * 0.6], ink, (size[0] / 2, size[1] * 0.45))
    canvas.line(_frame(size, 2), ink, 1.0, closed=True)
    value = str(rng.choice(["1", "5", "10", "20", "50", "100"]))
    for x, y in ((0.2, 0.93), (0.8, 0.93), (0.2, 0.07), (0.8, 0.07)):
        canvas.text(value, "serif", 9.0, (size[0] * x, size[1] * y), ink, angle=np.pi / 2)
    return canvas


def _club_card(rng: Random, size: Vec2) -> Canvas:
    ground = pick(rng, BRIGHT)
    canvas = Canvas(*size, PX_PER_MM, tuple(ground), oversample=1)
    pale = np.clip(0.35 * ground + 0.6, 0, 1)
    kind = int(rng.integers(4))
    if kind == 0:  # a magnetic strip
        canvas.fill([np.array([[6.0, 0], [18, 0], [18, size[1]], [6, size[1]]])], (0.05, 0.05, 0.05))
    elif kind == 1:
        canvas.fill([np.array([[0, 0], [size[0], size[1] * 0.3], [size[0], size[1] * 0.7], [0, size[1] * 0.5]])], pale)
    elif kind == 2:
        canvas.fill_each(
            [p * size[0] * 0.6 for p in suit_polygons("CDHS"[int(rng.integers(4))])], pale, (size[0] / 2, size[1] * 0.6)
        )
    canvas.text(
        _word(rng),
        str(rng.choice(FONTS)),
        7.5,
        (size[0] * 0.5, size[1] * 0.25),
        pale,
        angle=float(rng.choice([0, np.pi / 2])),
    )
    _numbers(rng, canvas, size, pale)
    return canvas


def _numbers(rng: Random, canvas: Canvas, size: Vec2, ink: NDArray[np.float64]) -> None:
    text = "".join(str(int(v)) for v in rng.integers(0, 10, 8))
    canvas.text(text, "sans", 4.0, (size[0] * 0.5, size[1] * 0.1), ink)


def _business_card(rng: Random, size: Vec2) -> Canvas:
    canvas = Canvas(*size, PX_PER_MM, tuple(pick(rng, (*WHITES, *BRIGHT[:2]), 0.05)), oversample=1)
    ink = pick(rng, INKS) if canvas.pixels.mean() > 120 else np.array([0.9, 0.88, 0.8])
    canvas.text(
        _word(rng),
        str(rng.choice(FONTS)),
        5.0,
        (size[0] / 2, size[1] * 0.7),
        ink,
        angle=np.pi / 2 * int(rng.integers(2)),
    )
    for y in np.arange(0.2, 0.45, 0.07) * size[1]:
        canvas.line([[size[0] * 0.2, y], [size[0] * float(rng.uniform(0.4, 0.85)), y]], ink, 1.0)
    return canvas


def _ticket(rng: Random, size: Vec2) -> Canvas:
    canvas = Canvas(*size, PX_PER_MM, tuple(pick(rng, (*WHITES, (0.95, 0.75, 0.6)), 0.06)), oversample=1)
    for y in np.arange(size[1] * 0.3, size[1] * 0.75, 1.6):
        if rng.random() < 0.55:
            canvas.line([[size[0] * 0.2, y], [size[0] * 0.6, y]], (0.08, 0.08, 0.08), float(rng.uniform(0.5, 1.4)))
    canvas.text(_word(rng), "sans", 7.0, (size[0] * 0.8, size[1] / 2), (0.1, 0.1, 0.1), angle=np.pi / 2)
    return canvas


def _napkin(rng: Random, size: Vec2) -> Canvas:
    ground = pick(rng, (*WHITES, (0.2, 0.2, 0.22), (0.6, 0.1, 0.12)), 0.08)
    canvas = Canvas(*size, PX_PER_MM, tuple(ground), oversample=1)
    fold = np.clip(ground * 0.9, 0, 1)
    canvas.line([[size[0] / 2, 0], [size[0] / 2, size[1]]], fold, 0.8)
    canvas.line([[0, size[1] / 2], [size[0], size[1] / 2]], fold, 0.8)
    canvas.line(_frame(size, 4), fold, 2.0, closed=True)
    if rng.random() < 0.4:
        canvas.text(_word(rng), str(rng.choice(FONTS)), 9.0, (size[0] / 2, size[1] / 2), pick(rng, BRIGHT))
    return canvas


def _sign(rng: Random, size: Vec2) -> Canvas:
    """A rule card or a sign: large letters, suits, a frame, as cards have them."""
    ground = pick(rng, (*WHITES, *BRIGHT))
    canvas = Canvas(*size, PX_PER_MM, tuple(ground), oversample=1)
    ink = np.array([0.95, 0.93, 0.85]) if ground.mean() < 0.5 else pick(rng, INKS)
    canvas.line(_frame(size, 3), ink, 1.5, closed=True)
    canvas.text(_word(rng), str(rng.choice(FONTS)), size[0] * 0.14, (size[0] / 2, size[1] * 0.75), ink)
    for k, suit in enumerate("CDHS"[: int(rng.integers(0, 5))]):
        at = (size[0] * (0.2 + 0.2 * k), size[1] * 0.5)
        canvas.fill_each(
            [p * size[0] * 0.13 for p in suit_polygons(suit)], (0.75, 0.1, 0.1) if suit in "DH" else ink, at
        )
    canvas.text(
        str(int(rng.integers(5, 500))), str(rng.choice(FONTS)), size[0] * 0.2, (size[0] / 2, size[1] * 0.25), ink
    )
    return canvas


def _screen(rng: Random, size: Vec2) -> Canvas:
    """A telephone's lit screen: a picture, rows of symbols, a message."""
    ground = pick(rng, (*BRIGHT, *WHITES))
    canvas = Canvas(*size, PX_PER_MM, tuple(ground), oversample=1)
    if rng.random() < 0.6:
        for y in np.arange(size[1] * 0.15, size[1] * 0.85, size[0] * 0.24):
            for x in np.arange(size[0] * 0.14, size[0] * 0.95, size[0] * 0.24):
                side = size[0] * 0.075
                canvas.fill(
                    [np.array([[-side, -side], [side, -side], [side, side], [-side, side]])],
                    rng.uniform(0.1, 1, 3),
                    (x, y),
                )
    else:
        _lines(rng, canvas, size, pick(rng, INKS) if ground.mean() > 0.5 else np.array([0.9, 0.9, 0.9]), 6.0)
    return canvas


def _coaster(rng: Random, size: Vec2) -> Canvas:
    ground = pick(rng, (*WHITES, *BRIGHT))
    canvas = Canvas(*size, PX_PER_MM, tuple(ground), oversample=1)
    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1) * size[0] * 0.42
    canvas.line(ring + np.array(size) / 2, np.clip(1 - ground, 0, 1), 1.5, closed=True)
    canvas.text(
        _word(rng), str(rng.choice(FONTS)), size[0] * 0.13, (size[0] / 2, size[1] / 2), np.clip(1 - ground, 0, 1)
    )
    return canvas


#: Who draws a kind of sheet, and between which sizes it is: across and along, mm.
KINDS: dict[str, tuple[Callable[[Random, Vec2], Canvas], Vec2, Vec2]] = {
    "paper": (_paper, (60.0, 80.0), (215.0, 300.0)),
    "score_card": (_score_card, (90.0, 60.0), (110.0, 160.0)),
    "note": (_note, (62.0, 125.0), (78.0, 160.0)),
    "club_card": (_club_card, (53.0, 84.0), (55.0, 87.0)),
    "business_card": (_business_card, (49.0, 82.0), (56.0, 92.0)),
    "ticket": (_ticket, (62.0, 150.0), (68.0, 160.0)),
    "napkin": (_napkin, (110.0, 110.0), (170.0, 170.0)),
    "sign": (_sign, (60.0, 80.0), (160.0, 220.0)),
    "screen": (_screen, (60.0, 130.0), (75.0, 158.0)),
    "coaster": (_coaster, (85.0, 85.0), (105.0, 105.0)),
}


def size_of(rng: Random, kind: str) -> Vec2:
    """A size for a sheet of that kind, across and along, mm."""
    _, low, high = KINDS[kind]
    share = float(rng.uniform(0, 1))
    spread = rng.uniform(-0.08, 0.08, 2)
    return tuple(float(np.clip(a + (b - a) * (share + d), a, b)) for a, b, d in zip(low, high, spread, strict=True))  # type: ignore[return-value]


@functools.lru_cache(maxsize=256)
def draw_sheet(kind: str, seed: int) -> NDArray[np.uint8]:
    """The picture (H, W, 3) RGB of a sheet; the same seed gives the same picture."""
    rng = np.random.default_rng([seed, 5])
    draw, low, high = KINDS[kind]
    return draw(rng, ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2)).finish()
