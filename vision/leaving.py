"""Which card leaves the shoe, and when, where little of it shows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.card import Card
from vision.continuing import can_be_in_bucket, may_be
from vision.fates import PHANTOM
from vision.places import Places
from vision.sighting import Sighting
from vision.track import Track
from vision.visits import Visit

#: What shows nearer to the bucket than this may have come out of it.
BESIDE_MM = 90.0
#: How sure a draw is that was covered by the hand.
UNDER_HAND = 0.65
#: A card that stays within this for so long, in the shoe's mouth, waits to be drawn.
WAITS_MM, WAITS_US = 12.0, 250_000
#: A drawn card that went out of sight so shortly before, or after, may be the one that shows up.
MISSING_US = 1_000_000


def leaving(track: Track, places: Places) -> tuple[Sighting, int]:
    """How a card was seen last before it left the shoe, or first at all, and when it was out, as far as was seen.

    Its back may have shown in the shoe's window, or in its mouth, before any hand came for it.
    """
    seen = track.sightings
    waited = _waited(track, places)
    out = next((i for i, s in enumerate(seen) if i >= waited and not places.in_shoe(s.centre_mm)), waited)
    before = seen[max(out - 1, 0)]
    return seen[out] if seen[out].t_us - before.t_us > WAITS_US else before, seen[out].t_us


def _waited(track: Track, places: Places) -> int:
    """The first sighting in which it had moved, of a card that lay in the shoe's mouth for a while; else 0."""
    seen = track.sightings
    start = seen[0]
    moved = next((i for i, s in enumerate(seen) if np.linalg.norm(s.centre_mm - start.centre_mm) > WAITS_MM), 0)
    waits = places.at_shoe(start.centre_mm) and seen[max(moved - 1, 0)].t_us - start.t_us >= WAITS_US
    return moved if waits else 0


def follows(hidden: Card, first: Sighting, visit: Visit | None, places: Places) -> bool:
    """Whether what shows first at `first` is the next card, the hidden one having been on its way into the bucket.

    It is, where a hand has been at the shoe since that one was lost, unless it comes out of the bucket. `visit`: the
    one after which it can have shown up.
    """
    if visit is None or visit.until_us <= hidden.last.t_us or places.to_bucket_mm(first.centre_mm) < BESIDE_MM:
        return False
    track = hidden.track
    headed = track is not None and places.headed_for_bucket(hidden.last.centre_mm, track.velocity_mm_s())
    return hidden.hand_over_bucket_us is not None or headed


def under_hand(card: Card, first: Sighting, visit: Visit, cards: Sequence[Card], places: Places) -> float:
    """How sure a draw is that was covered by the hand: not, while another of the `cards` is missing that it may be."""
    missing = [
        c for c in cards
        if c is not card and c.drawn and c.track is not None and c.track.missed_us is not None
        and abs(first.t_us - c.last.t_us) <= MISSING_US and may_be(card, c)
        and can_be_in_bucket(c, first, places) and not follows(c, first, visit, places)
    ]  # fmt: skip
    return PHANTOM if missing else UNDER_HAND
