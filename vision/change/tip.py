"""Which way the backs of a stack on edge face: from where a back shows while it is tipped up, and once it stands.

Half way up, the top card's back shows beside the cards' long edges, on the players' side if the backs will face them;
and a camera that does not hang straight above sees a little of one end of the standing stack. The dealer's hands come
from his own side, so what they hide can make a back look farther off than it is, never nearer; that the backs face
the dealer therefore takes more to be said.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Calibration
from vision.change.box import Box, box_of
from vision.change.look import Look, near_mm
from vision.change.stand import Stand
from vision.measure.backs import Ends, ends, flat_top
from vision.sighting import Sighting

#: Looks so long before it stood count.
TIPPING_US = 1_600_000
#: While it is tipped, the back takes up such a share of the outline, and lies so far to one side of the edges.
TIPPED = (0.08, 0.4)
RISE_MM = 15.0
#: Standing, a back shows on one end over so much, and over less than that on the other.
SHOWS_MM, HARDLY_MM = 3.0, 2.8
#: It has so much of the back's hue, or it is an end card's face; against the dealer, more.
LIKE, LIKE_TOWARDS = 0.7, 0.9
#: So many looks say that the backs face the players, or the dealer; a few others may differ.
AWAY_LOOKS, TOWARDS_LOOKS, TIPPED_LOOKS = 3, 12, 3
DIFFERING = 0.15
#: The back's colour is the median of so many looks at a lying stack; no more looks than this are taken of one standing.
COLOUR_LOOKS = 40
MOST_LOOKS = 40


class Backs:
    """Looks at frames for backs; `calibration` is the camera's."""

    def __init__(self, calibration: Calibration) -> None:
        self._calibration = calibration
        self._tops: deque[NDArray[np.float64]] = deque(maxlen=COLOUR_LOOKS)

    def lies(self, frame: Any, stack: Sighting) -> None:
        """A stack lies there, free of hands: its top card's back is learned."""
        self._tops.append(flat_top(frame, self._calibration, stack.quad_mm))

    def ends(self, frame: Any, box: Box) -> Ends | None:
        """Where the back shows in an outline, `box.along` towards the players; None where nothing tells."""
        if not self._tops:
            return None
        back = np.median(np.array(self._tops), axis=0)
        return ends(frame, self._calibration, box.quad_mm, box.along, back)


@dataclass(slots=True)
class _Votes:
    away: int = 0
    towards: int = 0
    tipped_towards: int = 0  # of those, seen while it was tipped up

    def told(self) -> bool | str:
        most = max(self.away, self.towards)
        if min(self.away, self.towards) > DIFFERING * most:
            return "unsure"
        if self.away >= AWAY_LOOKS:
            return True
        # a court card's coloured face at the near end looks like a back: what is held against him was seen tipping
        held = self.away == 0 and self.tipped_towards >= TIPPED_LOOKS and self.towards >= TOWARDS_LOOKS
        return False if held else "unsure"


class Tip:
    """`step(look, stand)`; `backs_away` is True, False or "unsure". Without `backs` nothing is ever told."""

    def __init__(self, backs: Backs | None = None) -> None:
        self._backs = backs
        self._tipping: list[tuple[int, float]] = []  # when, and how far towards the players the back lay
        self._votes = _Votes()
        self._looks = 0
        self.backs_away: bool | str = "unsure"

    def step(self, look: Look, stand: Stand) -> None:
        """Takes a look in."""
        if self._backs is None or look.frame is None:
            return
        if stand.rest is None:
            self._lies_or_tips(look, self._backs)
        elif stand.packet is not None and self._looks < MOST_LOOKS:
            self._stands(look, stand, self._backs)

    def forget(self) -> None:
        """The stack is gone."""
        self._tipping, self._votes, self._looks, self.backs_away = [], _Votes(), 0, "unsure"

    def _lies_or_tips(self, look: Look, backs: Backs) -> None:
        self._tipping = [s for s in self._tipping if look.t_us - s[0] <= 2 * TIPPING_US]
        for stack in look.stacks:
            if any(near_mm(arm, stack.quad_mm) <= 0.0 for arm in look.arms):
                found = backs.ends(look.frame, _ahead(stack))
                least = LIKE if found is not None and found.rise_mm > 0 else LIKE_TOWARDS
                if found is not None and TIPPED[0] <= found.share <= TIPPED[1] and found.like >= least:
                    self._tipping.append((look.t_us, found.rise_mm))
            else:
                backs.lies(look.frame, stack)

    def _stands(self, look: Look, stand: Stand, backs: Backs) -> None:
        if self._looks == 0:
            self._count_tipping(stand.since_us or look.t_us)
        self._looks += 1
        box = stand.seen
        found = None if box is None else backs.ends(look.frame, box)
        if found is None or found.like < LIKE:
            pass
        elif found.far_mm >= SHOWS_MM and found.near_mm < HARDLY_MM:
            self._votes.away += 1
        elif found.near_mm >= SHOWS_MM and found.far_mm < HARDLY_MM and found.like >= LIKE_TOWARDS:
            self._votes.towards += 0 if stand.touched(look) else 1
        self.backs_away = self._votes.told()

    def _count_tipping(self, stood_us: int) -> None:
        rises = [rise for at_us, rise in self._tipping if at_us >= stood_us - TIPPING_US][-4:]
        self._votes.away += sum(rise >= RISE_MM for rise in rises)
        self._votes.tipped_towards = sum(rise <= -RISE_MM for rise in rises)
        self._votes.towards += self._votes.tipped_towards


def _ahead(stack: Sighting) -> Box:
    """The stack's outline with `along` the side that points towards the players."""
    box = box_of(stack)
    if abs(box.along[1]) < abs(box.across[1]):
        box = Box(box.centre_mm, box.across, box.width_mm, box.length_mm)
    return box.turned(np.array([0.0, 1.0]))
