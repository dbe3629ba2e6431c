"""What happens to the shoe and the bucket as a whole: loaded, and empty."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vision.places import Places
from vision.sighting import Sighting
from vision.track import CardTracker, Track

Emit = Callable[..., None]

#: The bucket must be seen without a card for this long before it is called empty.
EMPTY_US = 600_000
#: A stack that went out of sight in the shoe's place for so long has been loaded.
LOADED_US = 500_000
#: A stack must come from at least this far.
CARRIED_MM = 80.0


class BucketWatch:
    """Reports `rack.empty` once for each time the discard bucket is seen to be empty."""

    def __init__(self, places: Places, emit: Emit) -> None:
        self._places = places
        self._emit = emit
        self._since_us: int | None = None
        self._reported = False

    def step(self, t_us: int, cards: Sequence[Sighting], cover_share: float) -> None:
        """`cards`: every card seen now; `cover_share`: how much of the bucket is covered, 0..1."""
        if any(self._places.in_bucket(c.centre_mm) for c in cards):
            self._since_us, self._reported = None, False
            return
        if cover_share > 0.25:
            return
        self._since_us = t_us if self._since_us is None else self._since_us
        if not self._reported and t_us - self._since_us >= EMPTY_US:
            self._reported = True
            facts = {"zone": "discard", "cards": 0, "exposed": False}
            self._emit("rack.empty", self._since_us, t_us, facts, 0.9)


class ShoeWatch:
    """Reports `shoe.load` when a stack that was carried to the shoe has gone into it."""

    def __init__(self, places: Places, emit: Emit, loaded: Callable[[], None]) -> None:
        self._places = places
        self._emit = emit
        self._loaded = loaded
        self._tracker = CardTracker()
        self._done: set[int] = set()

    def step(self, t_us: int, stacks: Sequence[Sighting]) -> None:
        """`stacks`: every stack seen now."""
        self._tracker.step(t_us, stacks)
        for track in self._tracker.tracks:
            if track.id not in self._done and self._went_in(track, t_us):
                self._done.add(track.id)
                first = next((s.t_us for s in track.sightings if self._places.at_shoe(s.centre_mm)), track.last.t_us)
                self._emit("shoe.load", first, track.last.t_us, {"by": "dealer"}, 0.9)
                self._loaded()

    def _went_in(self, track: Track, t_us: int) -> bool:
        at_shoe = self._places.at_shoe(track.last.centre_mm)
        rested = track.rest_us is not None and t_us - track.rest_us >= LOADED_US
        unseen = t_us - track.last.t_us >= LOADED_US
        return at_shoe and track.travelled_mm >= CARRIED_MM and (unseen or rested)
