"""Each thing told once, by its right name.

A hand half under another thing is often found whole and in part as well. That matters because hands are counted: the
dealer has two, so a third is somebody else's. Two cover cards that lie side by side are also found as one stack, and
a stack's lighter end as a second one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import cv2
import numpy as np

from vision.sighting import Sighting, overlap

HAND, STACK, COVER = "hand", "stack", "cover_card"
#: Two finds of one hand: so much of the smaller lies in the larger, and their middles are no further apart than this.
INSIDE = 0.7
SAME_MM = 75.0
#: A cover card lies flat if its shorter side is so long; two that fill so much of a stack are what was taken for one.
FLAT_MM = 40.0
FILLED = 0.65
#: A part of a stack lies in it but for so little; two packets lie over each other by no more than that.
NESTED = 0.88
APART = 0.25


def told_once(seen: Sequence[Sighting]) -> list[Sighting]:
    """The sightings, of two finds of one hand only the surer, without stacks that are two lying cover cards."""
    hands = surest((s for s in seen if s.cls == HAND), _same)
    covers = [s for s in seen if s.cls == COVER and s.sides_mm[0] >= FLAT_MM]
    stacks = [s for s in seen if s.cls == STACK and not _two_covers(s, covers)]
    return [*(s for s in seen if s.cls not in (HAND, STACK)), *_stacks(stacks), *hands]


def surest(seen: Iterable[Sighting], same: Callable[[Sighting, Sighting], bool]) -> list[Sighting]:
    """Of finds that are the same thing, by `same`, only the surest; in the order of how sure they are."""
    kept: list[Sighting] = []
    for sighting in sorted(seen, key=lambda s: -s.score):
        if not any(same(sighting, other) for other in kept):
            kept.append(sighting)
    return kept


def _stacks(stacks: Sequence[Sighting]) -> list[Sighting]:
    """Without the parts of a stack that were found besides the whole, or the whole where it is really two packets."""
    gone: set[int] = set()
    for whole in stacks:
        parts = [s for s in stacks if s is not whole and s.area_mm2 < whole.area_mm2 and _in(s, whole)]
        apart = [p for i, p in enumerate(parts) if not any(overlap(p.quad_mm, q.quad_mm) > APART for q in parts[:i])]
        if len(apart) >= 2 and sum(p.area_mm2 for p in apart) >= FILLED * whole.area_mm2:
            gone.add(id(whole))
        else:
            gone |= {id(p) for p in parts}
    return [s for s in stacks if id(s) not in gone]


def _in(part: Sighting, whole: Sighting) -> bool:
    return overlap(part.quad_mm, whole.quad_mm) >= NESTED


def _two_covers(stack: Sighting, covers: Sequence[Sighting]) -> bool:
    """Whether cover cards that lie beside each other, at least two, make up what looks like a stack."""
    inside = [c for c in covers if overlap(c.quad_mm, stack.quad_mm) >= INSIDE]
    if len(inside) < 2:
        return False
    outline = cv2.convexHull(np.concatenate([c.quad_mm for c in inside]).astype(np.float32))
    return float(cv2.contourArea(outline)) >= FILLED * stack.area_mm2


def _same(a: Sighting, b: Sighting) -> bool:
    apart = float(np.linalg.norm(a.centre_mm - b.centre_mm))
    return apart <= SAME_MM and overlap(a.quad_mm, b.quad_mm) >= INSIDE
