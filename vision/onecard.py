"""A card that the detector takes for a stack: a striped or finely printed back looks like the edges of many cards.

Seen alone, a card and a squared stack from above look alike. What tells them apart is where they come from: what a hand
brings from the shoe, or what lies where a card drawn from it lay a moment ago, is a card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.card import Card
from vision.laying import touches
from vision.places import Places
from vision.sighting import Sighting, overlap

BACK = "card_back"
#: A card in the fingers, nearer to the camera and boxed loosely, measures as much as this at most, and this at least.
SHORT_MM = (45.0, 95.0)
LONG_MOST_MM = 120.0
#: Over so much of it a card was found as well: then there is nothing to mend.
FOUND_SHARE = 0.3
#: A stack's box is a loose one for a card, so its size and its picture say nothing of how many cards it is.
LOOSE_SCORE = 0.5
#: A card that lay is found again so near; one on the move, so near to where it is expected.
LAY_MM = 20.0
MOVING_MM = 110.0


def cards_among(
    stacks: Sequence[Sighting],
    found: Sequence[Sighting],
    known: Sequence[Card],
    hands: Sequence[Sighting],
    places: Places,
    *,
    awaited: bool,
) -> list[tuple[Sighting, Sighting]]:
    """Of the stacks those that are single cards: pairs (stack, the card's back in its place).

    Args:
        stacks: what was found as a stack in this look.
        found: what was found as a card.
        known: the cards that the ledger follows.
        hands: the hands in view.
        places: the table's places.
        awaited: a hand was at the shoe just before, and no card that it may have brought has shown yet.
    """
    missing = [card for card in known if card.drawn and not _is_found(card, found)]
    out = []
    for stack in stacks:
        if not _sized(stack) or any(overlap(card.quad_mm, stack.quad_mm) > FOUND_SHARE for card in found):
            continue
        goes_on = any(_goes_on(card, stack) for card in missing)
        in_hand = awaited and any(touches(hand.quad_mm, stack.quad_mm) for hand in hands)
        elsewhere = not places.at_shoe(stack.centre_mm) and not places.in_bucket(stack.centre_mm)
        if goes_on or (in_hand and elsewhere):
            out.append((stack, replace(stack, cls=BACK, score=min(stack.score, LOOSE_SCORE))))
    return out


def _sized(stack: Sighting) -> bool:
    short_mm, long_mm = stack.sides_mm
    return SHORT_MM[0] <= short_mm <= SHORT_MM[1] and long_mm <= LONG_MOST_MM


def _is_found(card: Card, found: Sequence[Sighting]) -> bool:
    return any(_reaches(card, sighting) for sighting in found)


def _goes_on(card: Card, stack: Sighting) -> bool:
    """Whether a stack is where a card is expected to be, if not turned face up there before."""
    return card.last.cls == BACK and _reaches(card, stack)


def _reaches(card: Card, sighting: Sighting) -> bool:
    track = card.track
    if track is None or track.ended:
        return False
    apart_mm = float(np.linalg.norm(track.predicted_mm(sighting.t_us) - sighting.centre_mm))
    return apart_mm <= (LAY_MM if track.rest_us is not None else MOVING_MM)
