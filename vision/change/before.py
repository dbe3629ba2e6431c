"""A cut that was made before anybody looked: a cover card found in a stack that has stood on edge from the start.

On edge a cover card is a thin line that is seldom found by itself; measuring finds it in the strip, and how deep it is.
"""

from __future__ import annotations

from vision.change.covers import Covers, thin_in
from vision.change.look import Look, quads_apart_mm
from vision.change.measures import Gauge, Measured, Measures
from vision.change.stand import Stand

#: A hand whose outline is no nearer to a stack's does not hide it.
FREE_MM = 2.0
#: So many looks tell; no more than that are taken.
LEAST_LOOKS, MOST_LOOKS = 3, 12


class Before:
    """`step(look, stand, covers)` before any cut was seen; `found` is whether a cover card stands in the stack."""

    def __init__(self, measures: Measures) -> None:
        self._gauge: Gauge = measures.depth()
        self._looks = 0
        self.found = False

    def step(self, look: Look, stand: Stand, covers: Covers) -> None:
        """Takes a look in. A stack that was seen to be tipped up had none in it."""
        if stand.tipped_us is not None or self._looks >= MOST_LOOKS or look.frame is None:
            return
        if stand.rest is None or stand.packet is None or stand.packet.rest_us is None or stand.moved is not None:
            return
        if any(quads_apart_mm(arm.quad_mm, stand.rest.quad_mm) <= FREE_MM for arm in look.arms):
            return
        thin = next((s.quad_mm for s in covers.thin if thin_in(stand.rest, [s])), None)
        self._gauge.add(look.t_us, look.frame, stand.rest, thin)
        self._looks += 1
        self.found = self._looks >= LEAST_LOOKS and self._gauge.result().known

    def depth(self) -> Measured:
        """Cards above the cover card."""
        return self._gauge.result()
