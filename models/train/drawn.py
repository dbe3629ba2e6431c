"""Drawn cards for the reader: the studio's training decks, and decks that nobody has designed.

Runs in the run-time environment, because the studio draws them. Two of the decks by other artists are kept out of
the training and serve to tell how sure the reader may be of a hand that it has never seen.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.train.say import say
from models.train.textures import TEXTURE_PX, Textures
from sample_videos.studio import art, decks
from sample_videos.studio.lettering import FONTS, Canvas, add_fonts, suit_polygons
from vision.read import RANKS, SUITS

Image = NDArray[np.uint8]
Random = np.random.Generator
Colour = tuple[float, float, float]

#: Decks by other artists that are for the calibration only.
HELD_OUT = ("tango", "dondorf")
STYLES, MADE_UP = 32, 150
#: Many more hands than the studio's own for what stands in a card's corner; every eighth is for the calibration only.
INDICES = Path(__file__).with_name("indices.json.gz")
HELD_OUT_OF = 8
#: How the pips of made-up decks lie, and how often: as everywhere, in other columns, anyhow, or too many or too few of
#: them, so that the corner has to be read. The last is for the training only: with its corner covered nobody reads it.
LAYOUTS = {"usual": 0.45, "columns": 0.25, "strewn": 0.15, "other": 0.15}
BACKS_OF_A_PATTERN = 12
W, L = 63.5, 88.9
CARDS = tuple(itertools.product(range(len(RANKS)), range(len(SUITS))))


def textures(split: str) -> Textures:
    """All drawn cards of a split; `valid` has the held-out decks and other made-up ones."""
    rng = np.random.default_rng(11 if split == "train" else 12)
    train = split == "train"
    fonts = index_fonts(split)
    pictures: list[Image] = []
    for name in art.face_names("train"):
        if (name in HELD_OUT) != train:
            # A deck by another artist is worth two made-up ones.
            pictures += [_sized(art.face(name, RANKS[r], SUITS[s])[..., 2::-1]) for r, s in CARDS]
    for _ in range(STYLES if train else 4):
        style = random_style(rng, fonts)
        pictures += [_sized(decks.draw_face(style, RANKS[r], SUITS[s])[..., ::-1]) for r, s in CARDS]
    for _ in range(MADE_UP if train else 8):
        deck = made_up(rng, fonts, astray=train)
        pictures += [_sized(draw_made_up(rng, deck, r, s)[..., ::-1]) for r, s in CARDS]
    labels = np.array(CARDS * (len(pictures) // len(CARDS)), np.int64)
    say(f"{split}: {len(pictures)} drawn cards")
    return Textures(np.stack(pictures), labels, np.stack(backs(rng)))


def backs(rng: Random) -> list[Image]:
    """Backs in the training patterns and random colours, (224, 160, 3) BGR."""
    out = []
    for name in art.back_names("train"):
        out += [_sized(decks.draw_back(name, _colour(rng, 0.05, 0.9))[..., ::-1]) for _ in range(BACKS_OF_A_PATTERN)]
    return out


def index_fonts(split: str) -> tuple[str, ...]:
    """The fonts of a split: the studio's and most of the others to train on, the rest to calibrate on."""
    more = add_fonts(INDICES)
    held_out = more[::HELD_OUT_OF]
    return held_out if split != "train" else (*FONTS, *(name for name in more if name not in held_out))


def random_style(rng: Random, fonts: tuple[str, ...]) -> decks.FaceStyle:
    """One of the studio's drawn decks with its measures changed."""
    corners = 4 if rng.random() < 0.25 else 2
    large = rng.random() < 0.15
    index_mm = float(rng.uniform(8, 12 if corners == 4 else 19))
    return decks.FaceStyle(
        font=str(rng.choice(fonts)),
        index_mm=float(rng.uniform(20, 26)) if large else index_mm,
        corners=2 if large else corners,
        four_colours=bool(rng.random() < 0.2),
        paper=_paper(rng),
        pip_mm=26.0 if large else float(rng.uniform(8.5, 13)),
        index_pip_mm=float(rng.uniform(5, 7) if corners == 4 else rng.uniform(6, 11)),
        squeeze=float(rng.uniform(0.7, 1.1)),
        beside=bool(corners == 2 and not large and rng.random() < 0.15),
        frame=bool(rng.random() < 0.75),
        many_pips=not large,
        court=int(rng.integers(3)),
    )


@dataclass(frozen=True, slots=True)
class Deck:
    """The measures of a made-up deck, in mm: where its indices and pips stand, what colours it has."""

    font: str
    paper: Colour
    inks: tuple[Colour, Colour, Colour, Colour]
    index_mm: float
    squeeze: float
    margin: tuple[float, float]
    small_pip_mm: float
    small_pip_gap_mm: float
    corners: int
    pip_mm: float
    column_mm: float
    row_mm: float
    frame: float | None  # a frame round the pips, so far from them
    bare: bool  # no pips at all, only indices
    ace_mm: float
    layout: str  # one of LAYOUTS


def made_up(rng: Random, fonts: tuple[str, ...], *, astray: bool) -> Deck:
    """A deck by chance; `astray`: its pips may lead astray."""
    layouts = dict(LAYOUTS) if astray else {name: share for name, share in LAYOUTS.items() if name != "other"}
    odds = np.array(list(layouts.values())) / sum(layouts.values())
    corners = 4 if rng.random() < 0.25 else 2
    red, black = _colour(rng, 0.6, 0.9, hue=rng.normal(0, 8) % 360), (float(rng.uniform(0, 0.2)),) * 3
    four = rng.random() < 0.15
    inks = ((0.05, 0.45, 0.15), (0.1, 0.25, 0.72), red, black) if four else (black, red, red, black)
    return Deck(
        font=str(rng.choice(fonts)),
        paper=_paper(rng),
        inks=inks,
        index_mm=float(rng.uniform(7, 12 if corners == 4 else 20)),
        squeeze=float(rng.uniform(0.65, 1.15)),
        margin=(float(rng.uniform(1.5, 5)), float(rng.uniform(2, 5))),
        small_pip_mm=float(rng.uniform(4.5, 10)),
        small_pip_gap_mm=float(rng.uniform(0.5, 3)),
        corners=corners,
        pip_mm=float(rng.uniform(6, 14)),
        column_mm=float(rng.uniform(7.5, 14.5)),
        row_mm=float(rng.uniform(18, 31)),
        frame=float(rng.uniform(1, 5)) if rng.random() < 0.35 else None,
        bare=bool(rng.random() < 0.12),
        ace_mm=float(rng.uniform(9, 40)),
        layout=str(rng.choice(list(layouts), p=odds)),
    )


def draw_made_up(rng: Random, deck: Deck, rank: int, suit: int) -> Image:
    """One face of a made-up deck, (356, 254, 3) RGB."""
    canvas = Canvas(W, L, 4.0, deck.paper)
    ink, shape = deck.inks[suit], suit_polygons(SUITS[suit])
    if RANKS[rank] in ("J", "Q", "K"):
        _figure(rng, canvas, deck, ink, shape)
    elif RANKS[rank] == "A":
        canvas.fill_each([p * deck.ace_mm for p in shape], ink, (W / 2, L / 2))
    elif not deck.bare:
        for column, row in pip_places(rng, deck.layout, rank + 1):
            pip = [p * [deck.pip_mm, -deck.pip_mm if row < 0 else deck.pip_mm] for p in shape]
            canvas.fill_each(pip, ink, (W / 2 + column * deck.column_mm, L / 2 + row * deck.row_mm))
    if deck.frame is not None:
        half = np.array([deck.column_mm + deck.pip_mm / 2, deck.row_mm + deck.pip_mm / 2]) + deck.frame
        box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + [W / 2, L / 2]
        canvas.line(box, (0.4, 0.45, 0.7), 0.4, closed=True)
    _corners(canvas, deck, RANKS[rank], ink, shape)
    return canvas.finish()


def pip_places(rng: Random, layout: str, count: int) -> list[tuple[float, float]]:
    """Where the pips of a card lie, in shares of the deck's columns and rows."""
    if layout == "other" and rng.random() < 0.7:
        count = int(rng.integers(1, 11))
    if layout == "strewn":
        return [(float(x), float(y)) for x, y in rng.uniform(-1.05, 1.05, (count, 2))]
    if layout != "columns":
        return list(decks._COLUMNS[count])
    left, middle = (count + 1) // 2, 0
    if count >= 3 and rng.random() < 0.4:
        middle = int(rng.integers(1, min(count, 5)))
        left = (count - middle + 1) // 2
    heights = ((-1.0, left), (0.0, middle), (1.0, count - middle - left))
    return [(column, float(row)) for column, some in heights for row in _spaced(some)]


def _spaced(count: int) -> NDArray[np.float64]:
    """`count` places from end to end of a column; one alone is in its middle."""
    return np.linspace(-1, 1, count) if count > 1 else np.zeros(count)


def _corners(canvas: Canvas, deck: Deck, rank: str, ink: Colour, shape: tuple[NDArray[np.float64], ...]) -> None:
    squeeze = deck.squeeze * (0.72 if rank == "10" else 1.0)
    half = deck.index_mm * 0.42 * max(deck.squeeze, 0.8)
    x, y = deck.margin[0] + half, L - deck.margin[1] - deck.index_mm / 2
    below = y - deck.index_mm / 2 - deck.small_pip_gap_mm - deck.small_pip_mm / 2
    for mirrored in (False, True) if deck.corners == 4 else (False,):
        for turned in (False, True):
            at, small = (decks._turn((x, v), mirrored, turned) for v in (y, below))
            canvas.text(rank, deck.font, deck.index_mm, at, ink, angle=np.pi if turned else 0.0, squeeze=squeeze)
            sign = -deck.small_pip_mm if turned else deck.small_pip_mm
            canvas.fill_each([p * sign for p in shape], ink, small)


def _figure(rng: Random, canvas: Canvas, deck: Deck, ink: Colour, shape: tuple[NDArray[np.float64], ...]) -> None:
    """A court card's middle that says nothing about its rank: patches of colour, the same turned."""
    half = np.array([rng.uniform(13, 20), rng.uniform(26, 36)])
    middle = np.array([W / 2, L / 2])
    palette = [_colour(rng, 0.2, 0.95) for _ in range(int(rng.integers(2, 6)))]
    for _ in range(int(rng.integers(6, 26))):
        centre = rng.uniform(-1, 1, 2) * half * 0.85
        size = half * rng.uniform(0.08, 0.5, 2)
        count = int(rng.choice([3, 4, 5, 24]))
        turn = np.linspace(0, 2 * np.pi, count, endpoint=False) + rng.uniform(0, 3)
        polygon = np.clip(centre + np.stack([np.cos(turn), np.sin(turn)], axis=1) * size, -half, half)
        colour = palette[int(rng.integers(len(palette)))]
        for sign in (1.0, -1.0):
            canvas.fill([polygon * sign], colour, middle)
    if rng.random() < 0.75:
        box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + middle
        canvas.line(box, _colour(rng, 0.1, 0.7), float(rng.uniform(0.3, 0.8)), closed=True)
    for sign in (1.0, -1.0):
        at = middle + sign * (half * [-1, 1] + [deck.pip_mm * 0.6, -deck.pip_mm * 0.7])
        canvas.fill_each([p * deck.pip_mm * 0.9 * sign for p in shape], ink, at)


def _paper(rng: Random) -> Colour:
    tone = rng.uniform(0.9, 1.0)
    return (float(tone), float(tone * rng.uniform(0.96, 1.0)), float(tone * rng.uniform(0.86, 1.0)))


def _colour(rng: Random, dark: float, light: float, hue: float | None = None) -> Colour:
    hsv = [
        rng.uniform(0, 360) if hue is None else hue,
        rng.uniform(0.3, 1) if hue is None else 0.9,
        rng.uniform(dark, light),
    ]
    r, g, b = cv2.cvtColor(np.array([[hsv]], np.float32), cv2.COLOR_HSV2RGB)[0, 0]
    return (float(r), float(g), float(b))


def _sized(bgr: Image) -> Image:
    return np.asarray(cv2.resize(np.ascontiguousarray(bgr), TEXTURE_PX, interpolation=cv2.INTER_AREA), np.uint8)


def write(out: Path) -> None:
    """Writes `out`/textures_train.npz and textures_valid.npz."""
    for split in ("valid", "train"):
        textures(split).save(out / f"textures_{split}.npz")
