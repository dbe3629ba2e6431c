"""When a cover card has been put in: by the hand that worked at the stack and went, or lying among a ribbon's cards."""

from __future__ import annotations

import numpy as np

from vision.change.box import Box
from vision.change.covercard import THIN_MM, CoverCard, far, stay
from vision.change.look import Look
from vision.change.which import pokes
from vision.sighting import Points

#: The hand must have been at the stack for so long, and be away from it, or not be seen, for so long.
AT_STACK_US = 250_000
AWAY_US = 200_000
#: ... and so far from where it worked.
AWAY_MM = 60.0
#: One among a ribbon's cards sticks out of them, its middle no further from theirs than this.
AMONG_MM = 60.0
#: Beside a ribbon, one that is brought to the stack was seen so lately, or nobody knows that this hand still has it.
BROUGHT_US = 1_000_000
#: A hand, or a card, that stays within this is in one place.
HAND_STAY_MM = 14.0
CARD_STAY_MM = 10.0
#: So soon after it came to its place a card has been put in, however long the hand stays.
SETTLED_US = 300_000
#: One look that finds it so surely is enough to say where it is.
SURELY = 0.5
#: A card seen so far from where it lay has been taken.
LEFT_MM = 45.0
#: A ribbon has lain for so long before a cover card is put into it: its cards are counted first.
LAID_US = 500_000


def into_stack(
    look: Look, cover: CoverCard, stack: Box, work: tuple[int, int], *, beside_ribbon: bool
) -> tuple[int, int, Points | None] | None:
    """From when to when it was put in, and where (2,) if it was seen there; None if it was not, or not yet.

    `work` is the last stay of the hand that has it, at the stack.
    """
    start_us, end_us = work
    arm = cover.carrier(look)
    if not cover.left(look):
        return None
    gone = arm is None or float(np.linalg.norm(arm.centre_mm - cover.work[-1][1])) > AWAY_MM
    seen_flat = cover.last.sides_mm[0] >= THIN_MM and look.t_us - cover.last.t_us < 400_000
    elsewhere = not pokes(stack, cover.last.centre_mm)
    laid = beside_ribbon and start_us - cover.last.t_us > BROUGHT_US
    out = elsewhere and (seen_flat or _seen_out(cover, stack, start_us) or laid)
    if not gone or out or end_us - start_us < AT_STACK_US or look.t_us - end_us < AWAY_US:
        return None
    place = np.median([p for _, p in cover.seen_in[-8:]], axis=0) if cover.seen_in else None
    if len(cover.seen_in) >= 5:
        since_us = stay(cover.seen_in, CARD_STAY_MM)[0]
        if any(0 < since_us - at_us < 450_000 for at_us, _ in cover.seen_in):  # it was elsewhere just before
            start_us = max(start_us, min(since_us, end_us))
        if since_us + SETTLED_US >= start_us:  # the hand stayed; the card lay in its place already
            end_us = min(end_us, since_us + SETTLED_US)
    return start_us, end_us, place


def _seen_out(cover: CoverCard, stack: Box, since_us: int) -> bool:
    """Whether it was seen outside the stack since then: surely, or more than once. A cuff may look like one once."""
    seen = [s for s in cover.recent if s.t_us >= since_us and not pokes(stack, s.centre_mm)]
    return len(seen) > 1 or any(s.score >= SURELY for s in seen)


def into_ribbon(look: Look, cover: CoverCard, ribbon: Box, ribbon_us: int | None) -> tuple[int, int] | None:
    """From when to when it came to lie among the cards of a ribbon, laid since `ribbon_us`; None if it did not."""
    _, across = ribbon.local_mm(cover.last.centre_mm)
    still = [s for s in cover.recent if not far(s.centre_mm, cover.last.centre_mm)]
    held = look.t_us - still[0].t_us
    if held < 150_000 or abs(across) > AMONG_MM or not _brought(cover, ribbon_us):
        return None
    if ribbon_us is not None and still[0].t_us < ribbon_us + LAID_US:
        return None  # it was among the cards while they were laid out
    before = [s for s in cover.recent if s.t_us < still[0].t_us]
    return max(before[0].t_us if before else still[0].t_us, still[0].t_us - 450_000), still[0].t_us


def _brought(cover: CoverCard, ribbon_us: int | None) -> bool:
    """Whether it came from elsewhere: from where it lay, or, never seen lying, from beside the laid ribbon."""
    if cover.taken or cover.lay_mm is not None or ribbon_us is None:
        return cover.taken
    since = [s for s in cover.recent if s.t_us >= ribbon_us + LAID_US]
    return any(float(np.linalg.norm(s.centre_mm - cover.last.centre_mm)) > LEFT_MM for s in since)
