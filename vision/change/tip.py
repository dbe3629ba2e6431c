"""Which way the backs of a stack on edge face: told while it is tipped up from lying flat.

Half way up, the back of the top card shows beside the cards' long edges: on the players' side if the backs will face
them. The dealer's hands come from his own side, so what they hide can make a back look farther off than it is, never
nearer; that the backs face the dealer therefore takes more to be said.
"""

from __future__ import annotations

import numpy as np

from vision.change.look import Look
from vision.change.stand import Stand
from vision.sighting import overlap

#: Looks so long before it stood count.
TIPPING_US = 1_600_000
#: A back's middle lies so far to one side of the stack's.
AWAY_MM, TOWARDS_MM = 9.0, 14.0
AWAY_LOOKS, TOWARDS_LOOKS = 3, 6
#: A back that is all of what is seen is that of a stack lying flat.
WHOLE = 0.85


class Tip:
    """`step(look, stand)`; `backs_away` is True, False or "unsure"."""

    def __init__(self) -> None:
        self._sides: list[tuple[int, float]] = []  # when, and how far towards the players the back lay
        self.backs_away: bool | str = "unsure"

    def step(self, look: Look, stand: Stand) -> None:
        """Takes a look in."""
        if stand.rest is not None:
            if self._sides:
                self.backs_away = self._told(stand.since_us or look.t_us)
                self._sides = []
            return
        self.backs_away = "unsure"
        self._sides = [s for s in self._sides if look.t_us - s[0] <= 2 * TIPPING_US]
        backs = [s for s in look.cards if s.cls == "card_back" and s.sides_mm[1] > 70.0]
        for stack in look.stacks:
            on = [b for b in backs if overlap(stack.quad_mm, b.quad_mm) > 0.6 and b.area_mm2 < WHOLE * stack.area_mm2]
            if len(on) == 1:
                self._sides.append((look.t_us, float(on[0].centre_mm[1] - stack.centre_mm[1])))

    def forget(self) -> None:
        """The stack is gone."""
        self._sides, self.backs_away = [], "unsure"

    def _told(self, stood_us: int) -> bool | str:
        sides = np.array([side for at_us, side in self._sides if at_us >= stood_us - TIPPING_US])
        if len(sides) >= AWAY_LOOKS and bool((np.sort(sides)[: len(sides) - 1] > 0).all()):
            return True if float(np.median(sides)) >= AWAY_MM else "unsure"
        if len(sides) >= TOWARDS_LOOKS and bool((sides[-TOWARDS_LOOKS:] <= -TOWARDS_MM).all()):
            return False
        return "unsure"
