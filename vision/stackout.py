"""Whether the whole stack is on the table: then the shoe is empty, and nothing can have been drawn from it."""

from __future__ import annotations

from collections.abc import Sequence

from vision.places import Places
from vision.sighting import Sighting

#: A stack on edge at least this long holds more than half of a six-deck shoe.
LONG_MM = 60.0
#: ... and the detector must be fairly sure of it.
LEAST_SCORE = 0.55
#: It must have been seen for so long, with no longer gap than that.
SINCE_US = 1_500_000
GAP_US = 1_200_000
#: Then it is on its way into the shoe, unless it is not seen going in for so long.
AWAY_US = 7_000_000


#: More cards than this never lie on the felt in play.
WASHED = 9


class StackOut:
    """`step(t_us, stacks)` says whether a stack that large is on the table, or on its way into the shoe.

    It has been seen there for a while, away from shoe and bucket; `loaded()` says that it has gone in.
    """

    def __init__(self, places: Places) -> None:
        self._places = places
        self._since_us: int | None = None
        self._seen_us = 0
        self._held = False
        self._first_us: int | None = None

    @property
    def held(self) -> bool:
        """What the latest step said."""
        return self._held

    def loaded(self) -> None:
        """The stack has gone into the shoe."""
        self._since_us, self._held = None, False

    def step(self, t_us: int, stacks: Sequence[Sighting], loose: int = 0) -> bool:
        """Takes in the stacks seen at `t_us`, and how many cards lie there; so many lie loose only in a wash.

        When the looking begins, one look at a stack is enough.
        """
        self._first_us = t_us if self._first_us is None else self._first_us
        young = t_us - self._first_us <= SINCE_US
        if loose >= WASHED or (young and any(self._counts(stack) for stack in stacks)):
            self._held, self._seen_us = True, t_us
        if any(self._counts(stack) for stack in stacks):
            if self._since_us is None or t_us - self._seen_us > GAP_US:
                self._since_us = t_us
            self._seen_us = t_us
        if self._since_us is not None and self._seen_us - self._since_us >= SINCE_US:
            self._held = True
        if t_us - self._seen_us > AWAY_US:
            self._held = False
        return self._held

    def _counts(self, stack: Sighting) -> bool:
        at = stack.centre_mm
        if stack.score < LEAST_SCORE:
            return False
        return min(stack.sides_mm) >= LONG_MM and not self._places.at_shoe(at) and not self._places.in_bucket(at)
