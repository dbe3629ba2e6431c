"""A riffle: both of the dealer's hands stay where they are, each at one of two packets side by side, which become one.

The packets themselves are seen badly meanwhile (thumbs and fingers lie over them), the hands well; so it is the hands
that must keep still, and the packets need only be seen now and then. A push that slides laced halves into each other
brings the hands together, a strip takes one of them to and fro: neither keeps still.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.change.box import Box, clearance_mm
from vision.change.look import Look, near_mm
from vision.change.packets import Packet
from vision.change.people import Arm
from vision.sighting import Points

#: The hands keep within this of where they are, and are no nearer to each other than that.
STILL_MM = 24.0
HANDS_APART_MM = 70.0
ANCHOR_LOOKS = 5
#: A hand is at a packet that is no further from it than this; two packets are no further apart than that.
HAND_MM = 22.0
APART_MM = 30.0
#: It takes so long; two packets are seen in this share of the looks, and in so many.
LEAST_US = 760_000
TWO_SHARE, TWO_LOOKS = 0.3, 3
#: The hands may be lost from sight for so long.
LOST_US = 220_000
#: What has been riffled is riffled again only after it lay in packets so far apart, in so many looks.
PARTED_MM, PARTED_LOOKS = 12.0, 3
#: Then one stack is seen there within so long.
JOINED_US = 1_600_000
JOINED_MM = 22.0


@dataclass(frozen=True, slots=True)
class Riffle:
    """From when to when, and where both packets lay."""

    t_us: int
    end_us: int
    middles_mm: Points  # (2, 2)


@dataclass(slots=True, eq=False)
class _Stay:
    t_us: int
    last_us: int
    hands: list[Points] = field(default_factory=list)  # of the first looks, (2, 2) each, left before right
    anchor: Points = field(default_factory=lambda: np.full((2, 2), np.nan))  # where they are kept
    looks: int = 0
    pairs: list[Points] = field(default_factory=list)  # (2, 2) each, the packets' middles


class Riffling:
    """`step(look, packets)` gives the riffle that is sure with this look, or None."""

    def __init__(self) -> None:
        self._stay: _Stay | None = None
        self._waits: Riffle | None = None  # for the packets to be seen as one
        self._parted = PARTED_LOOKS  # looks since the last riffle in which the cards lay in packets apart

    def step(self, look: Look, packets: Sequence[Packet]) -> Riffle | None:
        """Takes a look in."""
        found = self._joined(look, packets)
        if found is not None:
            self._parted = 0
        self._parted += _apart(packets, look.t_us)
        hands = _two_hands(look)
        stay = self._stay
        if hands is None:
            if stay is not None and look.t_us - stay.last_us > LOST_US:
                self._close()
            return found
        places = np.array([arm.centre_mm for arm in hands])
        if stay is None or not _keeps(stay, places):
            self._close()
            stay = self._stay = _Stay(look.t_us, look.t_us)
        stay.last_us = look.t_us
        if len(stay.hands) < ANCHOR_LOOKS:
            stay.hands.append(places)
            stay.anchor = np.median(np.array(stay.hands), axis=0)
        stay.looks += 1
        pair = _pair(hands, packets, look.t_us)
        if pair is not None:
            stay.pairs.append(pair)
        return found

    def forget(self) -> None:
        """The stack is gone."""
        self._stay, self._waits, self._parted = None, None, PARTED_LOOKS

    def _close(self) -> None:
        stay, self._stay = self._stay, None
        if stay is None or stay.last_us - stay.t_us < LEAST_US:
            return
        if self._parted < PARTED_LOOKS or len(stay.pairs) < max(TWO_LOOKS, TWO_SHARE * stay.looks):
            return
        self._waits = Riffle(stay.t_us, stay.last_us, np.median(np.array(stay.pairs), axis=0))

    def _joined(self, look: Look, packets: Sequence[Packet]) -> Riffle | None:
        waits = self._waits
        if waits is None:
            return None
        if look.t_us - waits.end_us > JOINED_US:
            self._waits = None
            return None
        fresh = [p.box for p in packets if p.seen_us == look.t_us]
        if any(all(box.gap_mm(m) <= JOINED_MM for m in waits.middles_mm) for box in fresh) or _one(fresh, waits):
            self._waits = None
            return waits
        return None


def _apart(packets: Sequence[Packet], t_us: int) -> bool:
    """Whether there are packets now that do not touch."""
    fresh = [p.box for p in packets if p.seen_us == t_us]
    return any(clearance_mm(a, b) >= PARTED_MM for i, a in enumerate(fresh) for b in fresh[i + 1 :])


def _one(boxes: Sequence[Box], waits: Riffle) -> bool:
    """Whether a single stack lies between where both packets lay."""
    middle, apart = waits.middles_mm.mean(axis=0), float(np.linalg.norm(waits.middles_mm[0] - waits.middles_mm[1]))
    near = [b for b in boxes if float(np.linalg.norm(b.centre_mm - middle)) < apart]
    return len(near) == 1 and float(np.linalg.norm(near[0].centre_mm - middle)) <= JOINED_MM


def _two_hands(look: Look) -> tuple[Arm, Arm] | None:
    arms = look.dealers if len(look.dealers) >= 2 else [a for a in look.arms if not a.owner.startswith("seat:")]
    if len(arms) != 2:
        return None
    left, right = sorted(arms, key=lambda arm: float(arm.centre_mm[0]))
    apart = float(np.linalg.norm(left.centre_mm - right.centre_mm))
    return (left, right) if apart >= HANDS_APART_MM else None


def _keeps(stay: _Stay, places: Points) -> bool:
    return bool((np.linalg.norm(places - stay.anchor, axis=1) <= STILL_MM).all())


def _pair(hands: tuple[Arm, Arm], packets: Sequence[Packet], t_us: int) -> Points | None:
    """The middles (2, 2) of two packets side by side, seen now, a hand at each; None if there are none."""
    fresh = [p.box for p in packets if p.seen_us == t_us]
    for i, one in enumerate(fresh):
        for other in fresh[i + 1 :]:
            a, b = sorted((one, other), key=lambda box: float(box.centre_mm[0]))
            at = near_mm(hands[0], a.quad_mm) <= HAND_MM and near_mm(hands[1], b.quad_mm) <= HAND_MM
            if at and clearance_mm(a, b) <= APART_MM and float(b.centre_mm[0] - a.centre_mm[0]) > JOINED_MM:
                return np.array([a.centre_mm, b.centre_mm])
    return None
