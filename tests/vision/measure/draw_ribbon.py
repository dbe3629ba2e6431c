"""Pictures of ribbons of cards with backs up, each card drawn over the one below it, supersampled."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Calibration
from tests.vision.measure.draw import Camera, expose

Floats = NDArray[np.float64]
SHORT_MM, LONG_MM = 63.5, 88.9


def rectangle(x0: float, x1: float, y: float) -> Floats:
    """A quad from x0 to x1, a card long, about `y`."""
    return np.array([(x0, y - LONG_MM / 2), (x1, y - LONG_MM / 2), (x1, y + LONG_MM / 2), (x0, y + LONG_MM / 2)])


@dataclass
class Spread:
    """A ribbon along +x (or -x) from the bottom card up; `cover_after` cards lie below the cover card."""

    cards: int = 30
    pitch_mm: float = 9.0
    uneven: float = 0.1
    to_right: bool = True
    seed: int = 0
    border_mm: float = 4.0
    back_bgr: tuple[float, float, float] = (0.35, 0.06, 0.05)
    cover_after: int | None = None
    cover_bgr: tuple[float, float, float] = (0.03, 0.55, 0.80)
    out_mm: float = 25.0
    felt_bgr: tuple[float, float, float] = (0.07, 0.16, 0.05)
    pattern: str = "lattice"  # or dots
    first_cover: bool = False  # the other cover card, of the same colour, lies under the bottom card
    hand_from: int | None = None  # fingers lie over the near part of eight cards from this one on

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        steps = self.pitch_mm * (1 + self.uneven * np.clip(rng.standard_normal(self.cards - 1), -2, 2))
        x = np.concatenate([[0.0], np.cumsum(steps)]) * (1 if self.to_right else -1)
        self.x_mm = x - (x[0] + x[-1]) / 2
        self.y_mm = 400 + rng.normal(0, 1.0, self.cards)
        self.turn = np.radians(rng.normal(0, 0.5, self.cards))

    @property
    def quad_mm(self) -> Floats:
        """The rectangle around all cards."""
        low, high = self.x_mm.min() - SHORT_MM / 2, self.x_mm.max() + SHORT_MM / 2
        return rectangle(low, high, 400)

    @property
    def cover_mm(self) -> tuple[float, float]:
        """Where the cover card's middle lies."""
        assert self.cover_after is not None
        return float(self.x_mm[self.cover_after - 1] + self.x_mm[self.cover_after]) / 2, 400 - self.out_mm

    @property
    def cover_quad_mm(self) -> Floats:
        """The whole cover card, hidden part included."""
        x, y = self.cover_mm
        return rectangle(x - SHORT_MM / 2, x + SHORT_MM / 2, y)


def _back(spread: Spread, px_mm: float) -> Floats:
    """One card's back (H, W, 3), linear light: border, and a lattice inside."""
    size = (round(SHORT_MM / px_mm), round(LONG_MM / px_mm))
    x, y = np.meshgrid((np.arange(size[0]) + 0.5) * px_mm, (np.arange(size[1]) + 0.5) * px_mm)
    if spread.pattern == "dots":
        printed = np.hypot((x % 4.0) - 2.0, (y % 3.0) - 1.5) < 1.0
    else:
        printed = (np.abs(((x + y) % 5.0) - 2.5) < 0.5) | (np.abs(((x - y) % 5.0) - 2.5) < 0.5)
    light = np.where(printed[..., None], 0.6, np.array(spread.back_bgr))
    rim = (np.minimum(x, SHORT_MM - x) < spread.border_mm) | (np.minimum(y, LONG_MM - y) < spread.border_mm)
    light = np.where(rim[..., None], np.array([0.78, 0.80, 0.81]), light)
    line = (np.minimum(x, SHORT_MM - x) < 0.25) | (np.minimum(y, LONG_MM - y) < 0.25)
    return np.where(line[..., None], 0.6 * light, light)


def ribbon_picture(spread: Spread, camera: Camera, *, seed: int = 0, noise: float = 2.0, blur_px: float = 0.6,
                   quality: int = 85, fine: int = 3) -> NDArray[np.uint8]:  # fmt: skip
    """The picture of a ribbon, drawn at `fine` times the camera's pixels and averaged down."""
    inward = camera.calibration()
    width, height = camera.size_px
    px_mm = camera.mm_per_px / fine
    canvas = np.empty((height * fine, width * fine, 3))
    canvas[:] = spread.felt_bgr
    card = _back(spread, px_mm)
    solid_card = np.empty_like(card)
    solid_card[:] = spread.cover_bgr
    if spread.first_cover:
        under = float(spread.x_mm[0]) + 4.0, 400 + spread.out_mm
        _lay(canvas, solid_card, under, 0.0, inward=inward, fine=fine)
    for index in range(spread.cards):
        centre = (float(spread.x_mm[index]), float(spread.y_mm[index]))
        _lay(canvas, card, centre, float(spread.turn[index]), inward=inward, fine=fine)
        if spread.cover_after == index + 1:
            _lay(canvas, solid_card, spread.cover_mm, 0.0, inward=inward, fine=fine)
    if spread.hand_from is not None:
        _fingers(canvas, spread, inward, fine)
    small = np.asarray(cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA), dtype=np.float64)
    return expose(small, noise=noise, blur_px=blur_px, gamma=2.2, quality=quality, seed=seed)


def _fingers(canvas: Floats, spread: Spread, inward: Calibration, fine: int) -> None:
    """Four fingers from the dealer's side, 25 mm into the row."""
    assert spread.hand_from is not None
    near = spread.x_mm[spread.hand_from : spread.hand_from + 8]
    for x in np.linspace(near.min(), near.max(), 4):
        ends = (inward.to_pixels(np.array([(x, 330.0), (x, 380.0)])) + 0.5) * fine - 0.5
        px_mm = float(np.linalg.norm(ends[1] - ends[0])) / 50.0
        (x0, y0), (x1, y1) = np.round(ends).astype(int).tolist()
        cv2.line(canvas, (x0, y0), (x1, y1), (0.14, 0.22, 0.42), round(15.0 * px_mm))


def _lay(
    canvas: Floats, card: Floats, centre: tuple[float, float], turn: float, *, inward: Calibration, fine: int
) -> None:
    """Lays one card on the canvas, with a soft dark line where its shadow falls."""
    corners = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * np.array([SHORT_MM, LONG_MM]) / 2
    cos, sin = np.cos(turn), np.sin(turn)
    places = corners @ np.array([[cos, sin], [-sin, cos]]) + np.array(centre)
    pixels = (inward.to_pixels(places) + 0.5) * fine - 0.5
    height, width = card.shape[:2]
    own = np.array([(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)], np.float32)
    warp = cv2.getPerspectiveTransform(own, pixels.astype(np.float32))
    size = (canvas.shape[1], canvas.shape[0])
    shade = np.asarray(cv2.warpPerspective(np.ones(card.shape[:2]), warp, size, flags=cv2.INTER_LINEAR))
    soft = np.asarray(cv2.GaussianBlur(shade, (0, 0), 1.2 * fine))
    canvas *= 1 - 0.25 * soft[..., None]
    laid = np.asarray(cv2.warpPerspective(card, warp, size, flags=cv2.INTER_LINEAR))
    canvas[:] = np.where(shade[..., None] > 0.5, laid, canvas)
