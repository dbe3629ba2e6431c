"""When hands were at the shoe's exit: the evidence for a draw that nobody saw begin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vision.hands import Hand
from vision.places import Places

#: A hand that is back at the exit so soon never left it.
SAME_VISIT_US = 250_000
#: A card that a hand took out shows again within this of the hand's leaving the exit.
SHOWS_AFTER_US = 1_500_000
#: A card seen coming out belongs to a visit that ended no longer ago than this.
ENDED_BEFORE_US = 300_000
#: A card shows no sooner after a hand came for it.
BACK_US = 30_000
#: A hand that has just taken a card leaves the exit with it; it takes another only if it stays so long.
LINGERS_US = 300_000
KEPT = 20


@dataclass(slots=True, eq=False)
class Visit:
    """A hand at the exit, from..until; `used` once a draw has been put down to it."""

    from_us: int
    until_us: int
    side: str | None = None  # whose hand it is, 'left' or 'right'; None while both or neither are known
    used: bool = False
    lingers: bool = False  # the hand had not left since a draw was put down to it


class Visits:
    """`step(t_us, hands)` notes who is at the exit."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._visits: list[Visit] = []

    def step(self, t_us: int, hands: Sequence[Hand]) -> None:
        """Takes in the dealer's hands at `t_us`."""
        there = [h for h in hands if self._places.touches_exit(h.sighting.quad_mm)]
        if not there:
            return
        last = self._visits[-1] if self._visits else None
        if last is not None and not last.used and t_us - last.until_us <= SAME_VISIT_US:
            last.until_us = t_us
        else:
            lingers = last is not None and t_us - last.until_us <= SAME_VISIT_US
            last = Visit(t_us, t_us, lingers=lingers)
            self._visits.append(last)
        sides = {h.side for h in there} - {"unsure"}
        last.side = sides.pop() if len(sides) == 1 else last.side
        self._visits = self._visits[-KEPT:]

    def take(self, visit: Visit, busy_us: int) -> None:
        """Puts a draw down to a visit; with that card the hand was busy up to `busy_us`.

        A draw may be known only long after, when the hand is back at the shoe for the next one: that is another visit.
        """
        visit.used = True
        if visit.until_us > busy_us:
            later = Visit(busy_us, visit.until_us, visit.side, lingers=True)
            visit.until_us = busy_us
            self._visits.insert(self._visits.index(visit) + 1, later)

    def of_draw(self, first_us: int) -> Visit | None:
        """The unused visit in which a card first seen at the exit at `first_us` was taken.

        A hand that comes back for the next card did not bring this one.
        """
        for visit in reversed(self._visits):
            if not visit.used and visit.from_us < first_us - BACK_US:
                return visit if visit.until_us >= first_us - ENDED_BEFORE_US else None
        return None

    def before(self, first_us: int) -> Visit | None:
        """The latest unused visit after which a card can have shown up elsewhere at `first_us`."""
        for visit in reversed(self._visits):
            stayed = not visit.lingers or visit.until_us - visit.from_us >= LINGERS_US
            if stayed and not visit.used and visit.from_us <= first_us <= visit.until_us + SHOWS_AFTER_US:
                return visit
        return None
