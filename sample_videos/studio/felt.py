"""The table top as a picture: woven felt with the printed layout, drawn from the scene's zones so that both agree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from sample_videos.studio.lettering import Canvas, Colour
from sample_videos.studio.scene import SceneSpec, Vec2

MARGIN_MM = 60.0
Points = NDArray[np.float64]
SEAT = re.compile(r"^seat:(\d+)$")
STYLES = 6


@dataclass(frozen=True, slots=True)
class Top:
    """The picture (H, W, 3) RGB, and where it lies: lower left corner and size in mm."""

    picture: NDArray[np.uint8]
    origin_mm: Vec2
    size_mm: Vec2


def outline(spec: SceneSpec, count: int = 96) -> NDArray[np.float64]:
    """The table's edge (count, 2), from the dealer's right round the players' side to his left.

    A half superellipse as round as the zones allow.
    """
    half, depth = spec.table_width_mm / 2, spec.table_depth_mm
    corners = np.array([p for zone in spec.zones_mm.values() for p in zone] or [(0.0, 0.0)], float)
    for power in (2.4, 2.8, 3.4, 4.2, 5.5, 8.0, 14.0):
        reach = np.abs(corners[:, 0] / (half - 30)) ** power + np.clip(corners[:, 1] / (depth - 30), 0, None) ** power
        if (reach < 1.0).all():
            break
    angle = np.linspace(0, np.pi, count)
    c, s = np.cos(angle), np.sin(angle)
    x = np.sign(c) * np.abs(c) ** (2 / power) * half
    return np.stack([x, np.clip(s, 0, 1) ** (2 / power) * depth], axis=1)


def draw_top(spec: SceneSpec, px_per_mm: float) -> Top:
    """The felt with its print at `px_per_mm`."""
    origin = (-spec.table_width_mm / 2 - MARGIN_MM, -MARGIN_MM)
    size = (spec.table_width_mm + 2 * MARGIN_MM, spec.table_depth_mm + 2 * MARGIN_MM)
    canvas = Canvas(size[0], size[1], px_per_mm, spec.felt_colour, oversample=1)
    shift = -np.asarray(origin)
    _Layout(canvas, spec, shift).draw()
    return Top(weave(canvas.finish(), spec.seed, px_per_mm), origin, size)


def weave(picture: NDArray[np.uint8], seed: int, px_per_mm: float) -> NDArray[np.uint8]:
    """Cloth: fine grain, nap in large soft patches, faint wear where hands go."""
    rng = np.random.default_rng(seed + 41)
    height, width = picture.shape[:2]
    grain = rng.normal(0, 1, (height, width)).astype(np.float32)
    grain = 0.6 * grain + 0.8 * cv2.GaussianBlur(grain, (0, 0), max(0.5, 1.2 * px_per_mm))
    small = rng.normal(0, 1, (max(2, height // 60), max(2, width // 60))).astype(np.float32)
    nap = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC)
    factor = 1 + rng.uniform(0.02, 0.06) * grain + rng.uniform(0.01, 0.035) * nap
    return np.clip(picture * factor[..., None], 0, 255).astype(np.uint8)


class _Layout:
    """Draws the print of one style."""

    def __init__(self, canvas: Canvas, spec: SceneSpec, shift: NDArray[np.float64]) -> None:
        self.canvas, self.spec, self.shift = canvas, spec, shift
        self.style = spec.felt_style % STYLES
        rng = np.random.default_rng(spec.felt_style * 7 + 3)
        self.font = ("roman", "slab", "serif", "narrow", "grotesk", "lato")[self.style]
        self.ink: Colour = spec.print_colour
        second = [(0.85, 0.15, 0.15), (0.2, 0.35, 0.85), (0.95, 0.95, 0.95), (0.9, 0.75, 0.2), (0.1, 0.1, 0.1)]
        self.second: Colour = second[int(rng.integers(len(second)))]
        self.facing = np.pi if self.style in (0, 2, 5) else 0.0  # letters read from the players' side, or the dealer's

    def draw(self) -> None:
        """Draws all of the print."""
        seats = {int(m[1]): np.asarray(z, float) for k, z in self.spec.zones_mm.items() if (m := SEAT.match(k))}
        if seats:
            self._bands(seats)
            for number, zone in seats.items():
                self._seat(number, zone)
        for name, words in (("player", "PLAYER"), ("banker", "BANKER")):
            if name in self.spec.zones_mm:
                self._card_box(np.asarray(self.spec.zones_mm[name], float), words)
        for name in ("discard", "shoe"):
            if name in self.spec.zones_mm and self.style in (1, 3, 4):
                self._ring(np.asarray(self.spec.zones_mm[name], float), 2.0)
        self._commission(sorted(seats))
        self._title()

    def _ring(self, zone: Points, width: float, colour: Colour | None = None) -> None:
        self.canvas.line(zone + self.shift, colour or self.ink, width, closed=True)

    def _text(self, words: str, height: float, at: Points, angle: float = 0.0, colour: Colour | None = None) -> None:
        self.canvas.text(words, self.font, height, at + self.shift, colour or self.ink, angle=angle)

    def _bands(self, seats: dict[int, Points]) -> None:
        """Three arcs of bets between the dealer and the seat circles: TIE nearest to him, BANKER, PLAYER."""
        middles = np.array([zone.mean(0) for zone in seats.values()])
        hub = np.array([0.0, -0.35 * self.spec.table_depth_mm])
        angles = np.arctan2(middles[:, 1] - hub[1], middles[:, 0] - hub[0])
        order = np.argsort(angles)
        angles = angles[order]
        reach = np.linalg.norm(middles - hub, axis=1)[order]
        fine = np.linspace(angles[0] - 0.06, angles[-1] + 0.06, 90)
        seat_reach = np.interp(fine, angles, reach)
        ray = np.stack([np.cos(fine), np.sin(fine)], axis=1)
        step = 0.052 * self.spec.table_depth_mm
        curves = [hub + ray * (seat_reach - 58.0 - step * index)[:, None] for index in range(4)]
        for curve, width in zip(curves, (3.0, 1.6, 1.6, 3.0), strict=True):
            self.canvas.line(curve + self.shift, self.second if self.style in (3, 5) else self.ink, width)
        gaps = (angles[:-1] + angles[1:]) / 2 if len(angles) > 1 else angles
        words = ("PLAYER", "BANKER", "TIE 8 TO 1")
        for index, word in enumerate(words):
            middle = (curves[index] + curves[index + 1]) / 2
            colour = self.second if (self.style + index) % 3 == 0 else self.ink
            for gap in gaps.tolist():
                self._along(middle, fine, gap, word=word, height=0.55 * step, colour=colour)

    def _along(self, curve: Points, fine: Points, angle: float, *, word: str, height: float, colour: Colour) -> None:
        """A word on a curve that runs counter-clockwise, its foot towards the reader."""
        index = int(np.clip(np.searchsorted(fine, angle), 1, len(curve) - 2))
        step = curve[index + 1] - curve[index - 1]
        tilt = float(np.arctan2(step[1], step[0])) + np.pi
        self._text(word, height, curve[index], tilt + self.facing, colour)

    def _seat(self, number: int, zone: Points) -> None:
        """The seat's number in a circle, to be read from the seat, or from the dealer in some styles."""
        middle = zone.mean(0)
        span = float(np.min(zone.max(0) - zone.min(0)))
        angle = float(-np.arctan2(middle[0], middle[1] + 200.0)) + self.facing
        radius = min(42.0, span * 0.3)
        turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        circle = np.stack([np.cos(turn), np.sin(turn)], axis=1) * radius
        if self.style in (1, 4):
            self._ring(zone, 2.0)
        self.canvas.line(circle + middle + self.shift, self.ink, 2.5, closed=True)
        if self.style in (2, 5):
            self.canvas.line(circle * 1.16 + middle + self.shift, self.second, 1.5, closed=True)
        self._text(str(number), radius * 0.9, middle, angle)

    def _commission(self, numbers: Sequence[int]) -> None:
        """A row of small numbered boxes before the tray, where the bank's commissions are marked."""
        tray = self.spec.zones_mm.get("tray")
        if tray is None or not numbers or self.style in (2, 4):
            return
        corners = np.asarray(tray, float)
        size, foot = 34.0, float(corners[:, 1].max()) + 14.0
        for index, number in enumerate(numbers):
            x = float(corners[:, 0].mean()) + (index - (len(numbers) - 1) / 2) * size
            low = np.array([x - size / 2, foot])
            box = low + np.array([[0, 0], [size, 0], [size, size * 0.8], [0, size * 0.8]])
            self._ring(box, 1.2)
            self._text(str(number), 13.0, box.mean(0), self.facing)

    def _card_box(self, zone: Points, words: str) -> None:
        colour = self.second if self.style in (0, 3, 5) else self.ink
        self._ring(zone, 3.0, colour)
        low, high = zone.min(0), zone.max(0)
        at = np.array([(low[0] + high[0]) / 2, high[1] + 20.0])
        self._text(words, 24.0, at, self.facing, colour)

    def _title(self) -> None:
        words = ("MIDI BACCARAT", "BACCARAT", "PUNTO BANCO", "MIDI BACCARAT", "BACCARAT", "MINI BACCARAT")[self.style]
        self._text(words, 40.0, np.array([0.0, 0.5 * self.spec.table_depth_mm]), self.facing, self.second)


def draw_floor(style: int, seed: int) -> NDArray[np.uint8]:
    """A carpet tile (256, 256, 3) RGB of 600 mm that repeats."""
    rng = np.random.default_rng(seed + 53 + style)
    ground, one, two = rng.uniform(0.05, 0.35, 3), rng.uniform(0.1, 0.55, 3), rng.uniform(0.1, 0.6, 3)
    one, two = 0.6 * one + 0.4 * one.mean(), 0.6 * two + 0.4 * two.mean()  # carpets are duller than paint
    canvas = Canvas(600.0, 600.0, 256 / 600.0, tuple(ground), 2)
    turn = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    disc = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    kind = style % 4
    for x in (0.0, 150.0, 300.0, 450.0, 600.0):
        for y in (0.0, 150.0, 300.0, 450.0, 600.0):
            odd = (x + y) % 300 > 1
            if kind == 0:
                canvas.fill([disc * (60 if odd else 35)], tuple(one if odd else two), (x, y))
            elif kind == 1:
                canvas.fill([np.array([[0, 70], [70, 0], [0, -70], [-70, 0]])], tuple(one if odd else two), (x, y))
            elif kind == 2:
                canvas.line(disc * 55 + np.array([x, y]), tuple(one if odd else two), 14.0, closed=True)
    picture = canvas.finish().astype(float)
    picture *= 1 + rng.normal(0, 0.07, picture.shape[:2])[..., None]
    return np.asarray(np.clip(picture, 0, 255), np.uint8)
