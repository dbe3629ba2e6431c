"""What happens to the discard bucket as a whole: whether it is empty."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from vision.places import Places
from vision.sighting import Sighting

Emit = Callable[..., None]

#: The bucket must be seen without a card for this long before it is called empty.
EMPTY_US = 600_000


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
