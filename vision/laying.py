"""When a card that has come to rest is laid down, and not just held still for a moment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.card import Card
from vision.carrier import UPON_SHARE, HandLog
from vision.hands import Hand
from vision.sighting import Points, angle_between, overlap

#: A card is not laid down before it has lain so long.
LAID_US = 250_000
#: ... where the hand that brought it still covers it: a hand may wait with a card before it lays it.
LAID_UNDER_HAND_US = 1_500_000
#: ... where that hand left it alone and another one has come over it since, perhaps to take it up.
LAID_BESIDE_HAND_US = 700_000
#: A hand that touches the card, or comes so near, may still hold it.
TOUCHING_MM = 25.0
#: A card found again lies no further from where it was lost, nor turned by more than this.
FOUND_MM = 20.0
FOUND_ANGLE = 0.2
#: ... but for one half of which is seen, whose box turns as well.
HALF_SEEN_MM = 14.0


def waits_us(card: Card, rest_us: int, hands: Sequence[Hand], log: HandLog) -> int:
    """How long a card, at rest since `rest_us`, must have lain to be laid down, given the hands now and before."""
    brought = log.carrier(card.sightings, rest_us)
    there = [(hand.side, hand.sighting.quad_mm) for hand in hands]
    for side, quad in there:
        held = "unsure" in (side, brought) or side == brought
        if held and touches(quad, card.last.quad_mm):
            return LAID_UNDER_HAND_US
    if not any(covers(quad, card.last.quad_mm) for side, quad in there if side != brought):
        return LAID_US
    return LAID_BESIDE_HAND_US if log.left_alone(brought, card.last.quad_mm, rest_us) else LAID_UNDER_HAND_US


def lies_as_before(card: Card) -> bool:
    """Whether a card seen again lies where it was said to lie, the same side up: then there is nothing new to say."""
    if card.lay is None or card.placed_zone == "unsure" or card.lay.cls != card.last.cls:
        return False
    apart_mm = float(np.linalg.norm(card.lay.centre_mm - card.last.centre_mm))
    turned = angle_between(card.lay.angle, card.last.angle) > FOUND_ANGLE
    return apart_mm <= (HALF_SEEN_MM if turned else FOUND_MM)


def covers(hand_mm: Points, card_mm: Points) -> bool:
    """Whether a hand's outline meets the card's."""
    return overlap(hand_mm, card_mm) > UPON_SHARE


def touches(hand_mm: Points, card_mm: Points) -> bool:
    """Whether a hand's outline, widened by `TOUCHING_MM`, meets the card's."""
    middle = hand_mm.mean(axis=0)
    reach = np.linalg.norm(hand_mm - middle, axis=1, keepdims=True)
    wide = middle + (hand_mm - middle) * (reach + TOUCHING_MM) / np.maximum(reach, 1e-6)
    return overlap(wide, card_mm) > 0.01
