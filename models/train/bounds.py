"""How sure the reader of cards must be, by the size of the card in the recording that it is cut from.

The one bound of reader.onnx was chosen on crops of all sizes together; a single reading of a small, coded card errs
more often at the same confidence. Here cards that the reader did not learn are recorded as `models.coded` does it,
photographs of the `valid` split and drawn decks that were kept for the calibration, and for each size the least
confidence is found that keeps wrong answers under a share. The table goes into reader.json; the model stays as it is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta

from models.coded import Recording, recorded
from models.real_cards import RealCard, split_cards
from models.train.say import say
from models.train.textures import Textures
from vision.read import RANKS, SUITS, CardReader, Reading

REPO = Path(__file__).parents[2]
#: Short sides in pixels, and the share of wrong answers allowed at each.
ALLOWED = ((24.0, 0.01), (40.0, 0.01), (60.0, 0.01), (110.0, 0.005))
#: The cards are recorded at these rates (megabits a second at 1080p25), by turns.
RATES_MBIT_S = (2.0, 4.0, 6.0)
DRAWN, SEED = 300, 31
#: The bound is where the wrong answers that may be behind those seen, at this confidence, are as many as allowed.
CONFIDENCE = 0.5
#: ... and it is never lower than this.
LEAST = 0.6


def drawn_cards(textures: Textures, count: int) -> list[RealCard]:
    """Flat cards of decks kept for the calibration, seen a little aslant on a plain table."""
    rng = np.random.default_rng(SEED)
    out = []
    for index in rng.choice(len(textures.faces), count, replace=False):
        face = textures.faces[index]
        height, width = face.shape[:2]
        scale = rng.uniform(1.0, 1.4)
        flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
        angle = rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * scale
        quad = (flat - flat.mean(axis=0)) * [1, rng.uniform(0.75, 1.0)] @ turn.T + rng.normal(0, 4, (4, 2)) + 320
        matrix = cv2.getPerspectiveTransform(flat.astype(np.float32), quad.astype(np.float32))
        ground = np.clip(rng.uniform(10, 150, 3) + rng.normal(0, 5, (640, 640, 1)), 0, 255).astype(np.uint8)
        mask = cv2.warpPerspective(np.full(face.shape[:2], 255, np.uint8), matrix, (640, 640), flags=cv2.INTER_AREA)
        over = cv2.warpPerspective(face, matrix, (640, 640), flags=cv2.INTER_AREA)
        light = rng.uniform(0.6, 1.05) * rng.uniform(0.92, 1.06, 3)
        image = np.where(mask[..., None] > 127, over, ground) * light
        rank, suit = textures.labels[index]
        picture = np.clip(image, 0, 255).astype(np.uint8)
        out.append(RealCard(picture, quad, RANKS[rank], SUITS[suit] if suit >= 0 else None, "drawn"))
    return out


def bound(confidence: NDArray[np.float64], right: NDArray[np.bool_], allowed: float) -> float:
    """The least confidence at which the share of wrong answers is likelier under `allowed` than over it."""
    order = np.argsort(-confidence)
    answers = np.arange(1, len(order) + 1)
    wrong = np.cumsum(~right[order])
    share = beta.ppf(CONFIDENCE, wrong + 1, answers - wrong)
    good = np.flatnonzero(share <= allowed)
    return float(confidence[order][good.max()]) if len(good) else 1.0


def read(reader: CardReader, cards: Sequence[RealCard], short_px: float) -> list[Reading]:
    """What is read of the cards recorded at a size."""
    rates = [RATES_MBIT_S[seed % len(RATES_MBIT_S)] for seed in range(len(cards))]
    crops = [recorded(card, Recording(short_px, rates[seed]), seed) for seed, card in enumerate(cards)]
    return reader.read(crops)


def ranks_bound(readings: Sequence[Reading], cards: Sequence[RealCard], allowed: float) -> float:
    """The least confidence of a rank that keeps wrong answers under a share."""
    right = np.array([RANKS[int(r.ranks.argmax())] == c.rank for r, c in zip(readings, cards, strict=True)])
    sure = np.array([reading.confidence for reading in readings])
    least = max(bound(sure, right, allowed), LEAST)
    answers = sure >= least
    say(f"least {least:.4f}: answers {answers.mean():.3f} of {len(cards)}, wrong {int((~right[answers]).sum())}")
    return round(least, 5)


def main(data: Path, out: Path) -> None:
    """Writes the table into models/reader.json."""
    card = REPO / "models" / "reader.json"
    cards, _ = split_cards(data, "cards_poker4", "valid")
    cards += drawn_cards(Textures.load(out / "textures_valid.npz"), DRAWN)
    stated = json.loads(card.read_text(encoding="utf-8"))
    reader = CardReader(REPO / "models" / "reader.onnx")
    stated["least_confidence_by_short_px"] = [
        (short_px, ranks_bound(read(reader, cards, short_px), cards, allowed)) for short_px, allowed in ALLOWED
    ]
    card.write_text(json.dumps(stated, indent=2) + "\n", encoding="utf-8")
