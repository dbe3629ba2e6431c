"""Which card leaves the shoe, and when, where little of it shows."""

from __future__ import annotations

from vision.card import Card
from vision.places import Places
from vision.sighting import Sighting
from vision.track import Track
from vision.visits import Visit

#: What shows nearer to the bucket than this may have come out of it.
BESIDE_MM = 90.0


def leaving(track: Track, places: Places) -> tuple[Sighting, int]:
    """How a card was seen last before it left the shoe, or first at all, and when it was out, as far as was seen.

    Its back may have shown in the shoe's window before any hand came for it.
    """
    out = next((i for i, s in enumerate(track.sightings) if not places.in_shoe(s.centre_mm)), 0)
    return track.sightings[max(out - 1, 0)], track.sightings[out].t_us


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
