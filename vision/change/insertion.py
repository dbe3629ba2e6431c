"""What the moment tells of an insertion: whose hand it was, and whether the stack stood still for it."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from vision.change.covers import Insertion
from vision.change.stand import MOVED_MM, Stand
from vision.sighting import Points

#: The stack rested while a cover card went in, but for so long; else nothing is made of it.
RESTED_US = 500_000
#: A hand that is so much less likely the dealer's is some player's.
PLAYERS = 1.5
#: A hand whose middle is so far from the stack's is on one side of it; one standard deviation of that side's direction.
BESIDE_MM = 45.0
SIDE = 0.7
SIDE_MOST = 5.0
#: So long after the stack was last seen in its place no cover card is put into it there.
GONE_US = 1_200_000


def from_where(insertion: Insertion, stand: Stand, people: Mapping[str, Points]) -> dict[str, float]:
    """The odds of each owner, with what the side on which the hand was at the stack adds to them.

    An outline does not tell which end of a hand the arm is at; that it lies between the stack and its owner does.
    """
    if insertion.hand_mm is None or insertion.host != "stack" or stand.rest is None:
        return dict(insertion.odds)
    side = insertion.hand_mm - stand.rest.centre_mm
    if float(np.linalg.norm(side)) < BESIDE_MM:
        return dict(insertion.odds)
    odds = {}
    for name, was in insertion.odds.items():
        ways = np.atleast_2d(people[name]) - stand.rest.centre_mm
        cosines = ways @ side / np.linalg.norm(ways, axis=1) / float(np.linalg.norm(side))
        off = math.acos(float(np.clip(cosines.max(), -1.0, 1.0)))
        odds[name] = was - min((off / SIDE) ** 2 / 2, SIDE_MOST)
    return odds


def players(odds: Mapping[str, float]) -> bool:
    """Whether the hand was some player's, nobody knows whose."""
    others = [worth for name, worth in odds.items() if name != "dealer"]
    return bool(others) and max(others) - odds.get("dealer", 0.0) >= PLAYERS


def rested(stand: Stand, insertion: Insertion) -> bool:
    """Whether the stack stood still while the cover card went in."""
    if stand.rest_us is None or stand.left_us is None:
        return False
    return stand.rest_us <= insertion.t_us + RESTED_US and stand.left_us >= insertion.end_us - RESTED_US


def gone(stand: Stand, insertion: Insertion) -> bool:
    """Whether nobody has seen the stack for a while: it is on its way into the shoe, with its cover cards."""
    left_us = stand.left_us
    return left_us is not None and insertion.t_us - left_us > GONE_US


def carried(stand: Stand) -> bool:
    """Whether the stack is on its way somewhere."""
    if stand.seen is None or stand.rest is None or stand.packet is None:
        return False
    return float(np.linalg.norm(stand.seen.centre_mm - stand.rest.centre_mm)) > MOVED_MM
