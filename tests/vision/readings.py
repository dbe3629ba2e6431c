"""Readings of a card, made up."""

from __future__ import annotations

import numpy as np

from vision.read import RANKS, SUITS, Reading


def reading(
    rank: str,
    sure: float = 0.97,
    *,
    face: float = 0.99,
    other: str | None = None,
    suit: str = "H",
    suit_sure: float = 0.997,
) -> Reading:
    """A reading of `rank` with probability `sure`; the rest goes to `other`, or to all the others alike.

    The suit is `suit` with probability `suit_sure`.
    """
    ranks = np.full(len(RANKS), 0.0 if other else (1 - sure) / (len(RANKS) - 1))
    if other:
        ranks[RANKS.index(other)] = 1 - sure
    ranks[RANKS.index(rank)] = sure
    suits = np.full(len(SUITS), (1 - suit_sure) / (len(SUITS) - 1))
    suits[SUITS.index(suit)] = suit_sure
    return Reading(ranks, suits, np.array([face, 1 - face, 0.0]), 0.02, 0.8)
