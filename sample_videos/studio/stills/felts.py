"""Table tops of many games: printed boxes for cards, circles, letters, arcs, and felts with a pattern all over."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sample_videos.studio import felt
from sample_videos.studio.lettering import FONTS, Canvas, suit_polygons
from sample_videos.studio.scene import CARD_LENGTH_MM, CARD_WIDTH_MM, SceneSpec
from sample_videos.studio.stills.solids import Colour
from sample_videos.studio.stills.still import Random

PATTERNS = ("plain", "plain", "plain", "suits", "diamonds", "damask", "stripes")
WORDS = (
    "BLACKJACK PAYS 3 TO 2", "INSURANCE PAYS 2 TO 1", "DEALER", "ANTE", "PLAY", "PAIR PLUS", "BONUS", "TIE", "PLAYER",
    "BANKER", "FORTUNE", "PAI GOW POKER", "HIGH HAND", "LOW HAND", "HOUSE WAY", "CASINO", "BET", "RAISE", "BLIND",
    "TRIPS", "FLOP", "TURN", "RIVER", "DISCARD", "SHOE", "CARIBBEAN STUD", "3 CARD POKER",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FeltStyle:
    """How a table top looks beyond its spec; `game` None prints the spec's own zones, as in moving scenes."""

    game: int | None
    pattern: str
    second: Colour
    seed: int


def draw_style(rng: Random) -> FeltStyle:
    """A style by chance."""
    game = None if rng.random() < 0.35 else int(rng.integers(4))
    seconds = ((0.85, 0.15, 0.15), (0.95, 0.95, 0.95), (0.9, 0.75, 0.2), (0.1, 0.1, 0.1), (0.2, 0.35, 0.85))
    second = seconds[int(rng.integers(len(seconds)))]
    return FeltStyle(game, str(rng.choice(PATTERNS)), second, int(rng.integers(1 << 30)))


def draw_still_top(spec: SceneSpec, style: FeltStyle, px_per_mm: float) -> felt.Top:
    """The felt with its print at `px_per_mm`."""
    if style.game is None and style.pattern == "plain":
        return felt.draw_top(spec, px_per_mm)
    origin = (-spec.table_width_mm / 2 - felt.MARGIN_MM, -felt.MARGIN_MM)
    size = (spec.table_width_mm + 2 * felt.MARGIN_MM, spec.table_depth_mm + 2 * felt.MARGIN_MM)
    rng = np.random.default_rng([style.seed, 9])
    canvas = Canvas(size[0], size[1], px_per_mm, spec.felt_colour, oversample=1)
    _pattern(rng, canvas, spec, style.pattern, size)
    _Print(rng, canvas, spec, style).draw()
    return felt.Top(felt.weave(canvas.finish(), spec.seed, px_per_mm), origin, size)


def _pattern(rng: Random, canvas: Canvas, spec: SceneSpec, pattern: str, size: tuple[float, float]) -> None:
    """A pattern all over the felt, in a shade near to its own."""
    if pattern == "plain":
        return
    strength = float(rng.uniform(0.12, 0.5)) * (1 if rng.random() < 0.5 else -1)
    ink = np.clip(np.asarray(spec.felt_colour) * (1 + strength) + max(strength, 0) * 0.05, 0, 1)
    step = float(rng.uniform(35, 110))
    turn = np.linspace(0, 2 * math.pi, 24, endpoint=False)
    disc = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    if pattern == "stripes":
        for x in np.arange(0, size[0], step):
            canvas.line([[x, 0], [x, size[1]]], ink, step * 0.4)
        return
    for row, y in enumerate(np.arange(step / 2, size[1], step)):
        for column, x in enumerate(np.arange(step * (0.25 + 0.5 * (row % 2)), size[0], step)):
            if pattern == "suits":
                canvas.fill_each([p * step * 0.42 for p in suit_polygons("CDHS"[(row + column) % 4])], ink, (x, y))
            elif pattern == "diamonds":
                canvas.line(np.array([[0, 0.5], [0.4, 0], [0, -0.5], [-0.4, 0]]) * step + [x, y], ink, 2.0, closed=True)
            else:
                wave = 1 + 0.35 * np.sin(4 * turn)
                canvas.line(disc * wave[:, None] * step * 0.36 + [x, y], ink, 3.0, closed=True)


class _Print:
    """The print of one game: places of cards and bets along an arc, boxes before the dealer, words."""

    def __init__(self, rng: Random, canvas: Canvas, spec: SceneSpec, style: FeltStyle) -> None:
        self._rng, self._canvas, self._spec, self._style = rng, canvas, spec, style
        self._shift = np.array([spec.table_width_mm / 2 + felt.MARGIN_MM, felt.MARGIN_MM])
        self._font = str(rng.choice(FONTS))
        self._facing = float(rng.choice([0.0, math.pi]))

    def draw(self) -> None:
        """Draws all of it."""
        rng, depth = self._rng, self._spec.table_depth_mm
        seats = int(rng.integers(3, 8))
        reach = (self._spec.table_width_mm / 2 - 260, depth - 280)
        for index in range(seats):
            angle = math.pi * (0.08 + 0.84 * index / (seats - 1))
            x, y = reach[0] * math.cos(angle), 60 + reach[1] * math.sin(angle)
            self._place(x, y, angle - math.pi / 2)
        for row in range(int(rng.integers(0, 3))):
            count = int(rng.integers(1, 8))
            self._boxes(count, 170.0 + 130.0 * row, _card_box(rng))
        for index in range(int(rng.integers(1, 5))):
            radius = 260 + 95 * index
            self._arc_words(radius)

    def _ink(self) -> Colour:
        return self._spec.print_colour if self._rng.random() < 0.6 else self._style.second

    def _place(self, x: float, y: float, angle: float) -> None:
        """A player's place: a circle or two, or a box of a card's size, with a word or a number."""
        canvas, rng = self._canvas, self._rng
        state = rng.bit_generator.state["state"]["state"]
        kind = self._style.game or 0
        middle = np.array([x, y]) + self._shift
        turn = np.linspace(0, 2 * math.pi, 40, endpoint=False)
        disc = np.stack([np.cos(turn), np.sin(turn)], axis=1)
        ink = self._spec.print_colour
        c, s = math.cos(angle), math.sin(angle)
        rotation = np.array([[c, s], [-s, c]])
        if kind in (0, 2):
            canvas.line(disc * 48 + middle, ink, 2.5, closed=True)
            if kind == 2:
                canvas.line(disc * 38 + middle + np.array([0.0, 95.0]) @ rotation, self._style.second, 2.0, closed=True)
        if kind in (1, 2, 3):
            for shift in (0.0,) if kind == 1 else (-1.0, 1.0):
                box = felt_box(CARD_WIDTH_MM * 1.25, CARD_LENGTH_MM * 1.15) + np.array([shift * 46, -130.0])
                canvas.line(box @ rotation + middle, ink, 2.0, closed=True)
        word = WORDS[int(state % len(WORDS))] if kind == 3 else WORDS[(kind * 5 + 3) % len(WORDS)]
        canvas.text(word, self._font, 15.0, middle, self._style.second, angle=angle + self._facing)

    def _boxes(self, count: int, y: float, box: NDArray[np.float64]) -> None:
        """A row of boxes for cards in the middle of the table, with letters in or under them."""
        rng, ink = self._rng, self._ink()
        width = float(np.ptp(box[:, 0])) + float(rng.uniform(6, 40))
        word = WORDS[int(rng.integers(len(WORDS)))]
        filled = rng.random() < 0.2
        for index in range(count):
            middle = np.array([(index - (count - 1) / 2) * width, y]) + self._shift
            if filled:
                self._canvas.fill([box], np.clip(np.asarray(self._spec.felt_colour) * 0.6 + 0.25, 0, 1), middle)
            self._canvas.line(box + middle, ink, float(rng.uniform(1.5, 4)), closed=True)
            text = word if rng.random() < 0.3 else word[: 1 + int(rng.integers(2))]
            self._canvas.text(text, self._font, 16.0, middle, ink, angle=self._facing)

    def _arc_words(self, radius: float) -> None:
        rng = self._rng
        words, ink = WORDS[int(rng.integers(len(WORDS)))], self._ink()
        start = float(rng.uniform(0.15, 0.5))
        for angle in np.arange(math.pi * start, math.pi * (1 - start) + 0.01, math.pi * 0.3):
            at = np.array([radius * 1.3 * math.cos(angle), 60 + radius * math.sin(angle)]) + self._shift
            height = float(rng.uniform(16, 44))
            self._canvas.text(words, self._font, height, at, ink, angle=angle - math.pi / 2 + self._facing)


def felt_box(width: float, length: float) -> NDArray[np.float64]:
    """The corners of a box about the origin."""
    return np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * [width, length]


def _card_box(rng: Random) -> NDArray[np.float64]:
    """A box as large as a card or a little larger, upright or lying."""
    scale = float(rng.uniform(1.0, 1.4))
    width, length = CARD_WIDTH_MM * scale, CARD_LENGTH_MM * scale
    return felt_box(length, width) if rng.random() < 0.3 else felt_box(width, length)
