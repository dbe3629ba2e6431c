"""Dice drawn by chance: body, pips, the sides that a lens sees, light and what lies around."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Random = np.random.Generator
Float = NDArray[np.float32]

#: Drawn so many times as large as wanted, and shrunk.
FINE = 4
#: Places of the pips on a face of half side 1, for each number; a 2, 3 and 6 may also lie the other way.
_D = 0.5
PLACES: dict[int, list[tuple[float, float]]] = {
    1: [(0, 0)],
    2: [(-_D, -_D), (_D, _D)],
    3: [(-_D, -_D), (0, 0), (_D, _D)],
    4: [(-_D, -_D), (_D, -_D), (-_D, _D), (_D, _D)],
    5: [(-_D, -_D), (_D, -_D), (0, 0), (-_D, _D), (_D, _D)],
    6: [(-_D, -_D), (-_D, 0), (-_D, _D), (_D, -_D), (_D, 0), (_D, _D)],
}


@dataclass(frozen=True, slots=True, eq=False)
class _Top:
    """The upper face: its middle, half its side, its turn, the colour of its pips."""

    middle: NDArray[np.float64]
    half: float
    turn: float
    ink: Float


def drawn_die(rng: Random, ground: Image, pips: int) -> Image:
    """A patch (H, W, 3) as `ground` with a die whose box takes half of its sides."""
    height, width = ground.shape[:2]
    size = (width * FINE, height * FINE)
    image = cv2.resize(ground, size, interpolation=cv2.INTER_LINEAR).astype(np.float32)
    body, ink = _colours(rng)
    half = size[0] / 4 * 0.72
    turn = rng.uniform(0, 2 * np.pi)
    lean = rng.normal(0, 0.16, 2) * half  # the sides that an oblique camera sees
    middle = np.array(size) / 2
    top, foot = middle + lean / 2, middle - lean / 2
    _shadow(rng, image, foot, half, turn)
    round_share = float(rng.uniform(0.05, 0.5))
    for share in np.linspace(0, 1, 14)[:-1]:
        at = foot + share * (top - foot)
        cv2.fillPoly(
            image, [_outline(at, half, turn, round_share)], (body * (0.55 + 0.2 * share)).tolist(), cv2.LINE_AA
        )
    upper = _Top(top, half, turn, ink)
    _sides_pips(rng, image, foot, upper)
    cv2.fillPoly(image, [_outline(top, half, turn, round_share)], body.tolist(), cv2.LINE_AA)
    if rng.random() < 0.4:
        _marble(rng, image, _outline(top, half, turn, round_share), body)
    _pips(rng, image, upper, pips)
    if rng.random() < 0.35:
        _glint(rng, image, top, half)
    shown = np.clip(image, 0, 255).astype(np.uint8)
    return np.asarray(cv2.resize(shown, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _colours(rng: Random) -> tuple[Float, Float]:
    """Colours of the body and of the pips, apart enough to be seen."""
    while True:
        body, ink = rng.uniform(0, 255, 3), rng.uniform(0, 255, 3)
        kind = rng.random()
        if kind < 0.35:  # the usual: white pips on a strong colour
            ink = np.full(3, rng.uniform(215, 255))
        elif kind < 0.6:  # black on light
            body, ink = rng.uniform(190, 255) - rng.uniform(0, 30, 3), np.full(3, rng.uniform(0, 40))
        elif kind < 0.75:  # casino dice: red, green, amber
            body = np.array([(30, 20, 190), (40, 130, 30), (20, 140, 220)][rng.integers(3)]) + rng.normal(0, 15, 3)
            ink = np.full(3, rng.uniform(225, 255))
        if np.abs(body - ink).max() > 75:
            return np.clip(body, 0, 255).astype(np.float32), np.clip(ink, 0, 255).astype(np.float32)


def _outline(middle: NDArray[np.float64], half: float, turn: float, round_share: float) -> NDArray[np.int32]:
    """A square with round corners."""
    angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    power = 2 / (2 + 10 * (1 - round_share))
    unit = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    shape = np.sign(unit) * np.abs(unit) ** power
    shape = shape / np.abs(shape).max() * half
    return np.asarray(np.rint(shape @ _turned(turn).T + middle), np.int32)


def _turned(turn: float) -> NDArray[np.float64]:
    return np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])


def _pips(rng: Random, image: Float, upper: _Top, pips: int) -> None:
    """The pips on top; some are rings."""
    spread, radius = rng.uniform(0.75, 1.2), upper.half * rng.uniform(0.12, 0.2)
    if pips == 1 and rng.random() < 0.4:
        radius *= rng.uniform(1.2, 1.8)
    places = np.array(PLACES[pips], np.float64) * spread * upper.half
    if rng.random() < 0.5:
        places = places * [-1, 1]
    thick = max(2, round(radius * 0.35)) if rng.random() < 0.12 else -1
    for place in places @ _turned(upper.turn).T + upper.middle:
        at = tuple(np.rint(place).astype(int).tolist())
        cv2.circle(image, at, round(radius), upper.ink.tolist(), thick, cv2.LINE_AA)


def _sides_pips(rng: Random, image: Float, foot: NDArray[np.float64], upper: _Top) -> None:
    """Pips on the sides, seen flat, that must not be counted."""
    half, rise = upper.half, upper.middle - foot
    for index in range(4):
        outward, along = (_turned(upper.turn + (index + more) * np.pi / 2) @ [half, 0.0] for more in (0, 1))
        if float(outward @ -rise) <= 0.045 * half * half:
            continue
        for across, up in PLACES[int(rng.integers(1, 7))]:
            at = foot + (up + 1) / 2 * rise + outward + across * along
            axes = (max(1, round(half * 0.13)), max(1, round(0.13 * float(np.linalg.norm(rise)))))
            angle = float(np.degrees(np.arctan2(along[1], along[0])))
            centre = tuple(np.rint(at).astype(int).tolist())
            cv2.ellipse(image, centre, axes, angle, 0, 360, (upper.ink * 0.7).tolist(), -1, cv2.LINE_AA)


def _shadow(rng: Random, image: Float, foot: NDArray[np.float64], half: float, turn: float) -> None:
    mask = np.zeros(image.shape[:2], np.float32)
    offset = rng.normal(0, 0.15, 2) * half
    cv2.fillPoly(mask, [_outline(foot + offset, half * 1.05, turn, 0.3)], 1.0)
    soft = cv2.GaussianBlur(mask, (0, 0), float(half * rng.uniform(0.05, 0.3)))
    image *= 1 - float(rng.uniform(0.1, 0.6)) * soft[..., None]


def _marble(rng: Random, image: Float, outline: NDArray[np.int32], body: Float) -> None:
    """Streaks of another colour in the body."""
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(mask, [outline], 1)
    rough = cv2.resize(rng.uniform(0, 1, (6, 6)).astype(np.float32), mask.shape[::-1], interpolation=cv2.INTER_CUBIC)
    other = np.clip(body + rng.normal(0, 45, 3), 0, 255).astype(np.float32)
    share = (np.clip(rough * 2 - 0.5, 0, 1) * mask)[..., None] * 0.8
    image += share * (other - image)


def _glint(rng: Random, image: Float, top: NDArray[np.float64], half: float) -> None:
    """A lamp's reflection."""
    mask = np.zeros(image.shape[:2], np.float32)
    at = tuple(np.rint(top + rng.uniform(-0.7, 0.7, 2) * half).astype(int).tolist())
    axes = (max(1, round(half * rng.uniform(0.1, 0.4))), max(1, round(half * rng.uniform(0.03, 0.15))))
    cv2.ellipse(mask, at, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1, cv2.LINE_AA)
    mask = cv2.GaussianBlur(mask, (0, 0), half * 0.05)[..., None] * float(rng.uniform(0.4, 1.0))
    image += mask * (255 - image)
