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
) -> tuple[list[Sighting], list[Sighting]]:
    """The backs of single cards among the stacks, and the stacks that are left.

    Args:
        stacks: what was found as a stack in this look.
        found: what was found as a card.
        known: the cards that the ledger follows.
        hands: the hands in view.
        places: the table's places.
        awaited: a hand was at the shoe just before, and no card that it may have brought has shown yet.
    """
    drawn = [card for card in known if card.drawn and not card.doubted]
    missing = [card for card in drawn if not any(_reaches(card, sighting) for sighting in found)]
    backs, left = [], []
    for stack in stacks:
        single = _sized(stack) and any(_reaches(card, stack) for card in drawn)
        in_hand = awaited and any(touches(hand.quad_mm, stack.quad_mm) for hand in hands)
        elsewhere = not places.at_shoe(stack.centre_mm) and not places.in_bucket(stack.centre_mm)
        goes_on = any(card.last.cls == BACK and _reaches(card, stack) for card in missing)
        if _sized(stack) and not _twice(stack, found) and (goes_on or (in_hand and elsewhere)):
            backs.append(replace(stack, cls=BACK, score=min(stack.score, LOOSE_SCORE)))
        elif not single:
            left.append(stack)
    return backs, left


def _sized(stack: Sighting) -> bool:
    short_mm, long_mm = stack.sides_mm
    return SHORT_MM[0] <= short_mm <= SHORT_MM[1] and long_mm <= LONG_MOST_MM


def _twice(stack: Sighting, found: Sequence[Sighting]) -> bool:
    """Whether a card was found there as well."""
    return any(overlap(card.quad_mm, stack.quad_mm) > FOUND_SHARE for card in found)


def _reaches(card: Card, sighting: Sighting) -> bool:
    """Whether a sighting is where a card lies, or is expected on its way."""
    track = card.track
    if track is None or track.ended:
        return False
    apart_mm = float(np.linalg.norm(track.predicted_mm(sighting.t_us) - sighting.centre_mm))
    return apart_mm <= (LAY_MM if track.rest_us is not None else MOVING_MM)
