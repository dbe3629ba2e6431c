"""A strip: two packets between which a hand goes to and fro until one is used up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.change.box import Box, clearance_mm
from vision.change.look import Look, near_mm
from vision.change.packets import Packet

#: Two packets worked on lie no further apart than this, and keep within that of where they lay.
APART_MM = 45.0
STILL_MM = 20.0
STRIP_STILL_MM = 32.0
#: A hand is at a packet that is no further from it than this.
HAND_MM = 22.0
LEAST_US = 400_000
#: A hand's way to and fro counts from this length on.
SWING_MM = 38.0
#: Without both packets and hands for so long, the work is over.
OVER_US = 350_000


@dataclass(slots=True, eq=False)
class Pair:
    """Two packets under the hands, from `t_us` to `last_us`."""

    a: Box
    b: Box
    t_us: int
    last_us: int
    hands: dict[int, list[float]] = field(default_factory=dict)  # each hand's places between the two, mm

    def swings(self) -> int:
        """The most turns that one hand made."""
        return max((_turns(path) for path in self.hands.values()), default=0)


class Stripping:
    """`step(look, packets)` gives the pair that was worked on for long enough, once that is over; `pair` is at work."""

    def __init__(self) -> None:
        self.pair: Pair | None = None

    @property
    def swinging(self) -> bool:
        """Whether a hand goes to and fro between two packets."""
        return self.pair is not None and self.pair.swings() >= 2

    def step(self, look: Look, packets: Sequence[Packet]) -> Pair | None:
        """Takes a look in."""
        found, done = self._candidate(look, packets), None
        if found is not None:
            a, b = found
            if self.pair is None or not _same(self.pair, a, b):
                done = self._close()
                self.pair = Pair(a, b, look.t_us, look.t_us)
            self.pair.last_us = look.t_us
        if self.pair is not None:
            _note_hands(look, self.pair)
            if look.t_us - self.pair.last_us > (2 * OVER_US if self.swinging else OVER_US):
                done = self._close()
        return done

    def forget(self) -> None:
        """No more of it is shuffled."""
        self.pair = None

    def _close(self) -> Pair | None:
        pair, self.pair = self.pair, None
        return pair if pair is not None and pair.last_us - pair.t_us >= LEAST_US else None

    def _candidate(self, look: Look, packets: Sequence[Packet]) -> tuple[Box, Box] | None:
        dealers = look.dealers or [arm for arm in look.arms if arm.owner == "unsure"]
        best: tuple[float, Box, Box] | None = None
        for i, one in enumerate(packets):
            for other in packets[i + 1 :]:
                apart = clearance_mm(one.box, other.box)
                if apart > APART_MM or not all(
                    any(near_mm(arm, box.quad_mm) <= HAND_MM for arm in dealers) for box in (one.box, other.box)
                ):
                    continue
                known = self.pair is not None and _same(self.pair, one.box, other.box)
                cost = apart - (1000.0 if known else 0.0)
                if best is None or cost < best[0]:
                    best = (cost, one.box, other.box)
        return None if best is None else best[1:]


def _note_hands(look: Look, pair: Pair) -> None:
    axis = pair.b.centre_mm - pair.a.centre_mm
    axis = axis / max(float(np.linalg.norm(axis)), 1e-6)
    for arm in look.arms:
        if min(near_mm(arm, pair.a.quad_mm), near_mm(arm, pair.b.quad_mm)) <= HAND_MM:
            pair.hands.setdefault(arm.track, []).append(float((arm.centre_mm - pair.a.centre_mm) @ axis))


def _pair_off_mm(pair: Pair, a: Box, b: Box) -> float:
    """How far two packets lie from where the pair's lay, the farther of them."""
    straight = max(_off_mm(pair.a, a), _off_mm(pair.b, b))
    return min(straight, max(_off_mm(pair.a, b), _off_mm(pair.b, a)))


def _same(pair: Pair, a: Box, b: Box) -> bool:
    """Whether two packets lie where the pair's lie."""
    return _pair_off_mm(pair, a, b) <= (STRIP_STILL_MM if pair.swings() >= 2 else STILL_MM)


def _off_mm(a: Box, b: Box) -> float:
    return float(np.linalg.norm(a.centre_mm - b.centre_mm))


def _turns(path: Sequence[float]) -> int:
    """How often something going to and fro turned, ways shorter than `SWING_MM` left out."""
    turns, way, extreme = 0, 0, path[0] if path else 0.0
    for place in path:
        if (way >= 0 and place > extreme) or (way <= 0 and place < extreme):
            if way == 0 and abs(place - extreme) < SWING_MM:
                continue
            way = way or (1 if place > extreme else -1)
            extreme = place
        elif abs(place - extreme) >= SWING_MM:
            turns, way, extreme = turns + 1, -way if way else 1, place
    return turns
