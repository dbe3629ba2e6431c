"""Faces in the discard bucket: which card shows them, where the tracker took the new card for an older one.

A face down there is evidence against the dealer, so it must not be lost to a card that has lain there all along.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.card import Card
from vision.places import Places
from vision.track import Track

FACE = "card_face"
#: A card that fell into the bucket lies within this of where it was seen last.
UPON_MM = 40.0
#: One that came with its back up may turn over in its fall; after this a back that is seen there can be its own.
TURNED_BY_US = 200_000


def fallen_there(cards: Sequence[Card], track: Track, places: Places) -> Card | None:
    """The card that went out of sight over the bucket, where a track that nobody knows shows a face in it now.

    A slip of the detector may have begun that track before the card came: what counts is who is there after it.
    """
    ends = (track.sightings[0].centre_mm, track.last.centre_mm)
    if track.last.cls != FACE or not all(places.in_bucket(end) for end in ends):
        return None
    since_us = track.sightings[0].t_us
    lost = [c for c in cards if _lost_over_bucket(c, places) and since_us <= c.last.t_us < track.last.t_us]
    return max(lost, key=lambda card: card.last.t_us, default=None)


def fell_upon(card: Card, t_us: int, tracks: Sequence[Track], places: Places) -> Track | None:
    """The track of a card in the bucket that this one fell upon, the same side up: the upper one is seen there now."""
    if not _lost_over_bucket(card, places):
        return None
    if card.last.cls != FACE and t_us - card.last.t_us < TURNED_BY_US:
        return None
    under = [t for t in tracks if t.buried and t.last.t_us == t_us and t.last.cls == card.last.cls]
    apart = [(float(np.linalg.norm(t.last.centre_mm - card.last.centre_mm)), t.id, t) for t in under]
    apart_mm, _, nearest = min(apart, default=(float("inf"), 0, None))
    return nearest if apart_mm <= UPON_MM else None


def _lost_over_bucket(card: Card, places: Places) -> bool:
    unseen = card.track is not None and card.track.missed_us is not None
    return unseen and places.in_bucket(card.last.centre_mm)
