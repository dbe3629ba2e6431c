"""Whether a track that begins goes on with a card that was lost from sight."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vision.card import Card
from vision.fallen import FACE
from vision.fates import HAND_SPEED_MM_S, SEARCH_US, TAKEN_UP_US
from vision.places import Places
from vision.sighting import Sighting
from vision.track import Track

#: So few sightings, so weak, may be a slip beside a card that was seen at the same time.
SLIPS = 2
SLIP_SCORE = 0.5
#: A lost card is looked for where a hand can have taken it.
HAND_REACH_MM = 90.0
TAKEN_UP_MM = 170.0


def hidden_near(cards: Iterable[Card], track: Track, t_us: int, places: Places) -> Card | None:
    """The card lost from sight that this track most likely continues."""
    best: tuple[float, Card] | None = None
    for card in cards:
        first = first_since(track, card)
        if first is None or not can_be_in_bucket(card, first, places):
            continue
        gap_us = first.t_us - card.last.t_us
        distance = float(np.linalg.norm(first.centre_mm - card.last.centre_mm))
        if may_continue(card, gap_us, distance, t_us - card.last.t_us) and (best is None or distance < best[0]):
            best = (distance, card)
    return best[1] if best else None


def can_be_in_bucket(card: Card, first: Sighting, places: Places) -> bool:
    """Of a card that fell into the bucket: it neither comes out again nor turns its back up."""
    if not places.in_bucket(card.last.centre_mm):
        return True
    return places.in_bucket(first.centre_mm) and not (card.last.cls == FACE and first.cls != FACE)


def first_since(track: Track, card: Card) -> Sighting | None:
    """The track's first sighting that can be of the card, lost from sight; None if the track was another thing before.

    A slip of the detector beside the card may have begun the track that then goes on with it.
    """
    earlier = [s for s in track.sightings[: SLIPS + 1] if s.t_us < card.last.t_us]
    if len(earlier) > SLIPS or any(s.score >= SLIP_SCORE for s in earlier):
        return None
    return track.sightings[len(earlier)] if len(earlier) < len(track.sightings) else None


def may_be(card: Card, missing: Card) -> bool:
    """Whether a card that shows up may be one that is missing: of one that lay face up the face must show."""
    if missing.placed_us is None:
        return True
    faces = 2 * sum(s.cls == FACE for s in card.sightings) >= len(card.sightings)
    return faces and missing.lay is not None and missing.lay.cls == FACE


def may_continue(card: Card, gap_us: int, distance_mm: float, unseen_us: int) -> bool:
    """Whether a sighting so much later and so far off can be the same card, lost from sight in between.

    A card that lay is believed taken up only once it has been missed for `unseen_us` up to now: one that the detector
    lost for a frame must not be carried off by another that passes.
    """
    if (card.track is not None and card.track.missed_us is None) or not 0 <= gap_us <= SEARCH_US:
        return False
    laid = card.track is not None and card.track.rest_us is not None and card.placed_us == card.track.rest_us
    if laid:
        reach_mm = max(TAKEN_UP_MM, HAND_REACH_MM + HAND_SPEED_MM_S * gap_us / 1e6)
        return unseen_us >= TAKEN_UP_US and distance_mm <= reach_mm
    return distance_mm <= HAND_REACH_MM + HAND_SPEED_MM_S * gap_us / 1e6
