"""Cards as they lie about: alone, side by side, in cascades, fans and ribbons, washed over the felt in a heap."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np

from sample_videos.studio.scene import CARD_LENGTH_MM, CARD_WIDTH_MM, CardPose, Vec2
from sample_videos.studio.stills.places import Places
from sample_videos.studio.stills.still import Random

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
#: So many different faces of a deck are drawn in one scene; each costs a picture.
FACES = 16
HEAP_DEPTH_MM = 14.0


class Dealer:
    """Gives out cards of a table's decks by chance: `decks` is how many it has, `seed` the table's."""

    def __init__(self, rng: Random, decks: int, seed: int) -> None:
        self.decks = decks
        self._rng = rng
        cards = list(itertools.product(RANKS, "CDHS"))
        chosen = np.random.default_rng([seed, 41]).choice(len(cards), FACES, replace=False)
        self._faces = [cards[int(index)] for index in chosen]
        self._given = 0

    def deck(self) -> int:
        """One of the decks; the first is the game's."""
        return 0 if self._rng.random() < 0.7 else int(self._rng.integers(self.decks))

    def card(
        self,
        centre: tuple[float, float, float],
        yaw: float,
        face_up: bool,
        deck: int,
        *,
        tilt: float = 0.0,
        roll: float = 0.0,
    ) -> CardPose:
        """A card there, bowed a little and tilted by about `tilt`."""
        rng = self._rng
        rank, suit = self._faces[int(rng.integers(FACES))]
        self._given += 1
        pitch, off = float(rng.normal(0, 1) * tilt), float(rng.normal(0, 1) * tilt)
        bend = float(abs(rng.normal(0, 0.4)))
        return CardPose(self._given, rank, suit, face_up, centre, yaw, pitch, roll + off, bend, deck=deck)


Spread = Iterator[CardPose]


def _turned(vector: Vec2, yaw: float) -> Vec2:
    c, s = math.cos(yaw), math.sin(yaw)
    return (vector[0] * c - vector[1] * s, vector[0] * s + vector[1] * c)


def _row(
    rng: Random, places: Places, dealer: Dealer, *, count: int, step: Vec2, turn: float = 0.0, wobble: float = 0.03
) -> Spread:
    """Cards one step after the other in a row that bends by `turn` a card."""
    size = (CARD_WIDTH_MM + abs(step[0]) * (count - 1), CARD_LENGTH_MM + abs(step[1]) * (count - 1))
    found = places.find(size, below_mm=3.0)
    if found is None:
        return
    middle, yaw = found
    deck, face_up = dealer.deck(), bool(rng.random() < 0.5)
    mixed = rng.random() < 0.15
    along = yaw - turn * (count - 1) / 2
    spots = [(0.0, 0.0)]
    for index in range(count - 1):
        dx, dy = _turned(step, along + turn * index)
        spots.append((spots[-1][0] + dx, spots[-1][1] + dy))
    shift = (middle[0] - sum(x for x, _ in spots) / count, middle[1] - sum(y for _, y in spots) / count)
    lean = 0.02 * math.copysign(1, step[0]) if abs(step[0]) > 1 and not step[1] else 0.0
    for index, (x, y) in enumerate(spots):
        centre = (x + shift[0] + float(rng.normal(0, 0.8)), y + shift[1] + float(rng.normal(0, 0.8)))
        turned = along + turn * index + float(rng.normal(0, 1) * wobble)
        z = places.lay_card(centre, turned)
        if z is not None:
            shown = face_up if not mixed else bool(rng.random() < 0.5)
            yield dealer.card((*centre, z), turned, shown, deck, tilt=0.004, roll=lean)


def single(rng: Random, places: Places, dealer: Dealer) -> Spread:
    """One card."""
    yield from _row(rng, places, dealer, count=1, step=(0.0, 0.0))


def side_by_side(rng: Random, places: Places, dealer: Dealer) -> Spread:
    """Two to eight cards beside each other, as hands and boards lie."""
    gap = CARD_WIDTH_MM + float(rng.uniform(-4, 14))
    yield from _row(rng, places, dealer, count=int(rng.integers(2, 9)), step=(gap, 0.0), wobble=0.04)


def cascade(rng: Random, places: Places, dealer: Dealer) -> Spread:
    """Cards that overlap so that their corners show: along, across or both."""
    kind = int(rng.integers(3))
    steps = (
        (float(rng.uniform(12, 30)), float(rng.uniform(12, 30))),
        (0.0, float(rng.uniform(15, 42))),
        (float(rng.uniform(11, 40)), 0.0),
    )
    x, y = steps[kind]
    step = (x * float(rng.choice([-1, 1])), y * float(rng.choice([-1, 1])))
    yield from _row(rng, places, dealer, count=int(rng.integers(2, 13)), step=step)


def ribbon(rng: Random, places: Places, dealer: Dealer) -> Spread:
    """A deck or a part of one drawn out into a band, straight or bent."""
    count = int(rng.integers(16, 110))
    step = float(rng.uniform(2.5, 14.0)) if count < 60 else float(rng.uniform(1.5, 7.0))
    turn = float(rng.normal(0, 0.006)) * (1.0 if rng.random() < 0.6 else 0.0)
    yield from _row(rng, places, dealer, count=count, step=(step, 0.0), turn=turn, wobble=0.015)


def fan(rng: Random, places: Places, dealer: Dealer) -> Spread:
    """Cards turned about a common point below them, on the felt or in a hand over it."""
    count = int(rng.integers(3, 22))
    radius, each = float(rng.uniform(45, 110)), math.radians(float(rng.uniform(3.5, 17)))
    each = min(each, math.radians(170) / count) * float(rng.choice([-1, 1]))
    found = places.find((1.6 * radius + 90, radius + 90), below_mm=3.0)
    if found is None:
        return
    middle, yaw = found
    deck, face_up = dealer.deck(), bool(rng.random() < 0.55)
    held = float(rng.uniform(20, 120)) if rng.random() < 0.2 else 0.0
    dx, dy = _turned((0.0, -radius * 0.8), yaw)
    for index in range(count):
        turned = yaw + each * (index - (count - 1) / 2)
        ox, oy = _turned((0.0, radius), turned)
        centre = (middle[0] + dx + ox, middle[1] + dy + oy)
        z = held + 0.35 * index if held else places.lay_card(centre, turned)
        if z is not None:
            yield dealer.card((*centre, z), turned + float(rng.normal(0, 0.012)), face_up, deck, tilt=0.004)


def heap(rng: Random, places: Places, dealer: Dealer) -> Spread:
    """50 to 400 cards washed over the felt, most or all of them face down, of one deck or of several."""
    count = int(math.exp(rng.uniform(math.log(50), math.log(400))))
    area = count * CARD_WIDTH_MM * CARD_LENGTH_MM / float(math.exp(rng.uniform(math.log(1.2), math.log(7.0))))
    shape = float(math.exp(rng.normal(0, 0.35)))
    half = (math.sqrt(area * shape) / 2, math.sqrt(area / shape) / 2)
    found = places.find((half[0], half[1]), below_mm=3.0)
    if found is None:
        return
    middle, yaw = found
    decks = [dealer.deck()] if rng.random() < 0.75 else list(range(dealer.decks))
    faces = 0.0 if rng.random() < 0.6 else float(rng.uniform(0.0, 0.12))
    gauss, ordered = rng.random() < 0.5, float(rng.choice([0.15, 0.5, 3.2], p=[0.1, 0.25, 0.65]))
    tilt = float(rng.uniform(0.005, 0.045))
    for _ in range(count):
        spot = rng.normal(0, 0.5, 2) if gauss else rng.uniform(-1, 1, 2) + rng.normal(0, 0.12, 2)
        dx, dy = _turned((float(spot[0]) * half[0], float(spot[1]) * half[1]), yaw)
        centre, turned = (middle[0] + dx, middle[1] + dy), yaw + float(rng.uniform(-1, 1)) * ordered
        z = places.lay_card(centre, turned, below_mm=HEAP_DEPTH_MM)
        if z is not None:
            shown, deck = bool(rng.random() < faces), decks[int(rng.integers(len(decks)))]
            yield dealer.card((*centre, z), turned, shown, deck, tilt=tilt)


def strewn(rng: Random, places: Places, dealer: Dealer) -> Spread:
    """A handful of cards anyhow, some over each other."""
    found = places.find((160.0, 160.0), below_mm=3.0)
    if found is None:
        return
    middle, _ = found
    deck, faces, reach = dealer.deck(), float(rng.choice([0.0, 0.5, 1.0])), float(rng.uniform(40, 160))
    for _ in range(int(rng.integers(3, 16))):
        centre = (middle[0] + float(rng.normal(0, reach)), middle[1] + float(rng.normal(0, reach * 0.7)))
        yaw = float(rng.uniform(-math.pi, math.pi))
        z = places.lay_card(centre, yaw)
        if z is not None:
            yield dealer.card((*centre, z), yaw, bool(rng.random() < faces), deck, tilt=0.006)


SPREADS: dict[str, Callable[[Random, Places, Dealer], Spread]] = {
    "single": single, "side_by_side": side_by_side, "cascade": cascade, "ribbon": ribbon, "fan": fan, "heap": heap,
    "strewn": strewn,
}  # fmt: skip
