"""A packet that was moved without ever being seen by itself: what the whole stack and the hands did says so.

Nearly all of a stack put behind the few cards below the cover card looks like the stack going back by its own length; a
packet of a few cards is too thin to be seen, and then both hands go from one end of a stack that stays to the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.change.box import Box
from vision.change.look import Look, near_mm
from vision.change.stand import Stand
from vision.sighting import Points

#: The whole stack in its place, and behind it, in shares of its length; so far aside; in so many looks, within so long.
AT_HOME, BEHIND, BESIDE_MM = 0.2, -0.6, 35.0
BEHIND_LOOKS, BEHIND_US = 4, 2_500_000
#: The hands' way from end to end, as a share of the strip.
HANDS_WAY = 0.55
SWEEP_US = 2_200_000
#: They are in view all the way, but for so long.
SWEEP_GAP_US = 450_000


@dataclass(frozen=True, slots=True)
class Transfer:
    """A packet moved: `from_end` and `to_end` are 'far' (the players' end of the strip), 'near', 'felt' or 'unsure'.

    `length_mm` is that of the packet, if it was seen by itself; `rest_mm` that of what it was taken from. `sure`: it
    was seen long and well enough to be held against anybody.
    """

    t_us: int
    end_us: int
    actor: str
    from_end: str
    to_end: str
    length_mm: float | None
    rest_mm: float | None
    pieces: bool
    sure: bool = False


class UnseenMoves:
    """`note(look, home)` follows the hands, `step(look, stand, place)` gives the transfer decided with this look."""

    def __init__(self) -> None:
        self._sides: list[tuple[int, float]] = []  # where along the strip the dealer's hands hold it from both sides
        self._home_us: int | None = None  # when the whole stack was last in its place
        self._far_us: list[int] = []  # looks since in which it was far behind that

    def step(self, look: Look, stand: Stand, place: Box | None) -> Transfer | None:
        """Takes a look in; `place` is the stack's before the dealer."""
        return self._whole_moved(stand, place) or self._behind(look, stand, place) or self._swept(look, stand)

    def note(self, look: Look, home: Box) -> None:
        """Where along the strip of `home` both of the dealer's hands hold it."""
        wide = reach_of(home)
        dealers = [arm for arm in look.arms if not arm.owner.startswith("seat:")]
        dealers = [arm for arm in dealers if near_mm(arm, wide.quad_mm) <= 0.0]
        if len(dealers) == 2:
            (a, left), (b, right) = (home.local_mm(arm.centre_mm) for arm in dealers)
            if left * right < 0 and min(abs(left), abs(right)) > 25.0 and abs(a - b) < 60.0:
                tips = [tip_along(arm.quad_mm, home, "dealer") for arm in dealers]
                self._sides.append((look.t_us, float(np.mean(tips))))
        self._sides = [h for h in self._sides if look.t_us - h[0] <= SWEEP_US]

    def _whole_moved(self, stand: Stand, place: Box | None) -> Transfer | None:
        """Nearly all of the stack was put behind the few cards below the cover card: it went back by its own length."""
        move = stand.moved
        if move is None or place is None or float(np.linalg.norm(move.from_box.centre_mm - place.centre_mm)) > 30.0:
            return None
        along, across = move.from_box.local_mm(move.to_box.centre_mm)
        if not -1.35 <= along / move.from_box.length_mm <= -0.4 or abs(across) > 40.0:
            return None
        return Transfer(move.t_us, move.end_us, "dealer", "far", "near", None, None, False)

    def _behind(self, look: Look, stand: Stand, place: Box | None) -> Transfer | None:
        """The same, seen on its way: nearly all of the stack went straight back by more than half of its length."""
        if stand.packet is None or stand.seen is None or place is None:
            return None
        along, across = place.local_mm(stand.seen.centre_mm)
        share = along / max(place.length_mm, 1.0)
        if abs(share) <= AT_HOME and abs(across) <= BESIDE_MM:
            self._home_us, self._far_us = look.t_us, []
        elif share <= BEHIND and abs(across) <= BESIDE_MM and self._home_us is not None:
            self._far_us.append(look.t_us)
        if self._home_us is None or len(self._far_us) < BEHIND_LOOKS or look.t_us - self._home_us > BEHIND_US:
            return None
        start_us, self._home_us = self._home_us, None
        return Transfer(start_us, look.t_us, "dealer", "far", "near", None, None, False)

    def _swept(self, look: Look, stand: Stand) -> Transfer | None:
        """Both of the dealer's hands went along both sides of a stack that stays, from its far end to its near end."""
        if stand.packet is None or stand.rest is None:
            return None
        path = unbroken(self._sides)
        if len(path) < 4:
            return None
        half = stand.rest.length_mm / 2
        now = float(np.median([a for _, a in path[-3:]]))
        top = max(path, key=lambda h: h[1])
        slow = abs(path[-1][1] - path[-3][1]) < 12.0
        if not slow or top[1] - now < HANDS_WAY * 2 * half or top[1] < 0.2 * half:
            return None
        start = next((t for t, a in reversed(path) if a >= top[1] - 8.0), top[0])
        self._sides = []
        return Transfer(start, look.t_us, "dealer", "far", "near", None, None, False)


def unbroken(sides: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    """The latest part of the hands' way, (time in us, place in mm) each, in which they were in view."""
    path: list[tuple[int, float]] = []
    for at_us, place in reversed(sides):
        if path and path[-1][0] - at_us > SWEEP_GAP_US:
            break
        path.append((at_us, place))
    return path[::-1]


def reach_of(home: Box) -> Box:
    """The stack's outline with what hands that work at it lie over."""
    return Box(home.centre_mm, home.along, home.length_mm + 60, home.width_mm + 20)


def tip_along(quad_mm: Points, home: Box, owner: str) -> float:
    """Where a hand's finger tips are along the strip: its end away from its owner's body."""
    along = (quad_mm - home.centre_mm) @ home.along
    reach = np.sort(along)
    tips = reach[-2:] if owner != "" and not owner.startswith("seat:") else reach[:2]
    return float(np.mean(tips)) - (20.0 if not owner.startswith("seat:") else -20.0)
