"""Which cover card is which of the sightings of a look: by where each was, how it went, and where it may be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linear_sum_assignment

from vision.change.box import Box
from vision.change.covercard import THIN_MM, CoverCard
from vision.change.look import quads_apart_mm
from vision.once import surest
from vision.sighting import Points, Sighting, overlap

#: One that shows at least so much lies flat.
FLAT_MM = 52.0
STUCK_OUT_MM = 60.0
SPEED_MM_S = 2200.0
#: One not seen for so long may be anywhere; that it is what is seen now counts so many millimetres less.
LOST_S, LOST_COST_MM = 0.25, 100.0
#: ... and that one comes out of where it is, while another is on its way, by so many.
OUT_COST_MM = 250.0
#: One that is found less surely is believed no farther than this from where it is looked for, and is no new one.
SURE_SCORE, WEAK_MM = 0.35, 70.0
#: What is seen so near to where a cover card was is that one.
NEAR_MM = 60.0
#: Among a ribbon's cards one lies still, but for what of it is seen.
LIES_MM = 30.0
#: A cover card seems no larger than this; one that lies flat does not lie over so much of a stack on edge.
LARGEST_MM = (85.0, 118.0)
OVER_STACK = 0.7
#: A hand that is in view has not let it get so far from where it held it: not so soon, and not while it stays there.
GRIP_MM, GRIP_S, STAYS_MM = 110.0, 0.6, 60.0
#: Two finds of one cover card lie over each other by so much.
ONE_CARD = 0.55


@dataclass(frozen=True, slots=True, eq=False)
class Which:
    """Tells cover cards where `stack` is the whole stack on edge and `ribbon` a row of cards; None: there is none.

    `hands`: the middle (2,) of each hand in view, by the number of its track.
    """

    stack: Box | None
    ribbon: Box | None
    hands: Mapping[int, Points] = field(default_factory=dict)

    def told(
        self, covers: Sequence[CoverCard], seen: Sequence[Sighting]
    ) -> tuple[list[tuple[CoverCard, Sighting]], list[Sighting]]:
        """Each cover card that was seen with its sighting, and the sightings that are none of them."""
        free = surest((s for s in seen if self._may_be_one(s)), _one_card)
        lost, found = list(covers), []
        for most_mm in (NEAR_MM, float("inf")):  # what is seen where one was is that one, however the others are told
            for cover, sighting in self._pairs(lost, free, most_mm):
                found.append((cover, sighting))
                lost.remove(cover)
                free.remove(sighting)
        return found, free

    def in_stack(self, sighting: Sighting) -> bool:
        """Whether a cover card seen there may stick in the stack."""
        return self.stack is not None and pokes(self.stack, sighting.centre_mm)

    def at_ribbon(self, sighting: Sighting) -> bool:
        """Whether a sighting lies at the ribbon."""
        return self.ribbon is not None and quads_apart_mm(self.ribbon.quad_mm, sighting.quad_mm) <= 0.0

    def _may_be_one(self, sighting: Sighting) -> bool:
        """Whether it is no larger than a card, and no part of the standing stack that an arm leaves in view."""
        short, long = sighting.sides_mm
        if short > LARGEST_MM[0] or long > LARGEST_MM[1]:
            return False
        return short < FLAT_MM or self.stack is None or overlap(sighting.quad_mm, self.stack.quad_mm) < OVER_STACK

    def _pairs(
        self, covers: Sequence[CoverCard], seen: Sequence[Sighting], most_mm: float
    ) -> list[tuple[CoverCard, Sighting]]:
        """The likeliest pairs, at a cost of `most_mm` each at the most."""
        if not covers or not seen:
            return []
        cost = np.array([[self._cost(cover, s) for s in seen] for cover in covers])
        cost = np.where(cost <= most_mm, cost, np.inf)
        rows, columns = linear_sum_assignment(np.minimum(cost, 1e5))
        pairs = zip(rows.tolist(), columns.tolist(), strict=True)
        return [(covers[r], seen[c]) for r, c in pairs if np.isfinite(cost[r, c])]

    def _cost(self, cover: CoverCard, sighting: Sighting) -> float:
        """Millimetres that speak against a sighting being this cover card; infinite if it cannot be."""
        if cover.place in ("stack", "ribbon"):
            return self._cost_inside(cover, sighting)
        distance, gap_s = _apart(cover, sighting)
        way = min(distance, float(np.linalg.norm(cover.ahead_mm(sighting.t_us) - sighting.centre_mm)))
        near = distance < 40.0 + SPEED_MM_S * min(gap_s, LOST_S)
        lies = cover.place == "felt" and cover.rest_us is not None
        weak = sighting.score < SURE_SCORE and way > WEAK_MM
        if weak or not (near or (gap_s > LOST_S and distance < 700.0)):
            return float("inf")
        if (lies and self._thin(sighting)) or self._out_of_hand(cover, sighting):
            return float("inf")
        # one that was seen a moment ago is likelier to be it
        return (way if near else distance) + (LOST_COST_MM if gap_s > LOST_S else 0.0)

    def _out_of_hand(self, cover: CoverCard, sighting: Sighting) -> bool:
        """Whether it would have left the hand that has it, and that is in view: a cuff, say, that looks like one."""
        distance, gap_s = _apart(cover, sighting)
        if cover.place != "hand" or cover.grip is None or cover.grip[0] not in self.hands:
            return False
        held_mm = self.hands[cover.grip[0]] + cover.grip[1]
        moved_mm = float(np.linalg.norm(held_mm - cover.last.centre_mm))
        off_mm = min(distance, float(np.linalg.norm(held_mm - sighting.centre_mm)))
        return off_mm > GRIP_MM and (gap_s <= GRIP_S or moved_mm <= STAYS_MM)

    def _cost_inside(self, cover: CoverCard, sighting: Sighting) -> float:
        """... of one that is in the stack or among a ribbon's cards: it is seen there, or comes out."""
        distance, gap_s = _apart(cover, sighting)
        if self._thin(sighting) if cover.place == "stack" else distance <= LIES_MM and self.at_ribbon(sighting):
            return distance * 0.2
        far_off = distance >= 60.0 + SPEED_MM_S * min(gap_s, 0.3)
        weak = sighting.score < SURE_SCORE and distance > WEAK_MM
        return float("inf") if far_off or weak else distance + OUT_COST_MM

    def _thin(self, sighting: Sighting) -> bool:
        """Whether it is seen on edge in the stack."""
        return self.in_stack(sighting) and sighting.sides_mm[0] < THIN_MM


def _apart(cover: CoverCard, sighting: Sighting) -> tuple[float, float]:
    """How far a sighting is from where the cover card was seen last, mm, and how long after that, s."""
    distance = float(np.linalg.norm(cover.last.centre_mm - sighting.centre_mm))
    return distance, (sighting.t_us - cover.last.t_us) / 1e6


def _one_card(a: Sighting, b: Sighting) -> bool:
    """Whether two finds are of one cover card: a part of it, and the whole."""
    return overlap(a.quad_mm, b.quad_mm) > ONE_CARD


def pokes(stack: Box, point_mm: Points) -> bool:
    """Whether a cover card with its middle here may stick in the stack."""
    along, across = stack.local_mm(point_mm)
    return abs(along) <= stack.length_mm / 2 + 14.0 and abs(across) <= stack.width_mm / 2 + STUCK_OUT_MM - 20.0
