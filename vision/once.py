"""Each hand told once: a hand half under another thing is often found whole and in part as well.

That matters because hands are counted: the dealer has two, so a third is somebody else's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.sighting import Sighting, overlap

HAND = "hand"
#: Two finds of one hand: so much of the smaller lies in the larger, and their middles are no further apart than this.
INSIDE = 0.7
SAME_MM = 75.0


def told_once(seen: Sequence[Sighting]) -> list[Sighting]:
    """The sightings, of two finds of one hand only the surer."""
    hands = sorted((s for s in seen if s.cls == HAND), key=lambda s: -s.score)
    kept: list[Sighting] = []
    for hand in hands:
        if not any(_same(hand, other) for other in kept):
            kept.append(hand)
    return [*(s for s in seen if s.cls != HAND), *kept]


def _same(a: Sighting, b: Sighting) -> bool:
    apart = float(np.linalg.norm(a.centre_mm - b.centre_mm))
    return apart <= SAME_MM and overlap(a.quad_mm, b.quad_mm) >= INSIDE
