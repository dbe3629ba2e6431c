"""Cards laid on cards: one that another covers has not gone anywhere, and goes where the other is taken.

Some dealers put the burned cards straight into the bucket, others pile them up on the felt and clear the pile. In a
pile only the uppermost card can be seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.card import Card
from vision.sighting import overlap

#: A card covers another from this share of its outline on.
COVERS = 0.3
#: A card lost from sight no further than this from one that lies there can have been laid upon it.
UPON_MM = 50.0
#: ... if it has not shown again for so long.
LAID_ON_US = 450_000


def covering(card: Card, cards: Sequence[Card], t_us: int) -> Card | None:
    """The card at rest, in view at `t_us`, that lies over a card which is out of sight, or that it was laid upon.

    A card that lay is covered where the outlines meet. One that was lost on its way has been laid upon a card near the
    place where it was lost, once it has not shown again for a while.
    """
    lay = card.placed_us is not None
    if not lay and t_us - card.last.t_us < LAID_ON_US:
        return None
    best: tuple[float, Card] | None = None
    for other in cards:
        if other is card or other.rides_on is card or other.in_play != card.in_play or not _rests(other, t_us):
            continue
        apart = float(np.linalg.norm(other.last.centre_mm - card.last.centre_mm))
        near = overlap(other.last.quad_mm, card.last.quad_mm) > COVERS if lay else apart <= UPON_MM
        if near and (best is None or apart < best[0]):
            best = (apart, other)
    return best[1] if best else None


def _rests(card: Card, t_us: int) -> bool:
    return card.track is not None and card.track.rest_us is not None and card.last.t_us == t_us
