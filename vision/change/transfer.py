"""A packet is taken off the standing stack and put somewhere else: which end it came from, where it went, how long.

What proves it is a look or more in which the stack is in two pieces; a packet of a few cards is too thin to be seen,
then both of the dealer's hands going from one end of a stack that stays to the other say the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.change.box import Box, box_of
from vision.change.look import Look, near_mm
from vision.change.stand import Stand
from vision.change.unseen import Transfer, UnseenMoves, reach_of, tip_along

#: Only what lasts so long, and leaves no doubt which piece stayed, is sure.
SURE_US = 500_000
SURE_STAYS = 0.7
#: A piece that goes so far from where it was is moved; without that the detector broke the stack in two.
MOVED_MM = 20.0
BEGUN_MM = 8.0
#: Pieces must be seen over so long, in this share of the looks.
PIECES_US = 180_000
PIECES_SHARE = 0.3
#: Looks with pieces that are further apart belong to two acts.
BREAK_US = 900_000
#: A packet put aside is seen there for so long, free of hands.
ASIDE_US = 450_000
#: ... and what it was taken from is shorter than it was.
SHORTER = 0.92
#: Nobody takes a packet off and puts it down again in less time.
LEAST_US = 350_000
#: A stack whose packet went to its other end has moved by at least so much, and this share of the packet's length.
LEAST_SHIFT_MM = 6.0
SHIFT_SHARE = 0.25
#: The stack is whole again for so long.
WHOLE_US = 300_000
WHOLE_SHARE = 0.93
WHOLE_GAP_US = 250_000
#: A packet that soon could not be told from the rest is united with it within so long ...
UNITED_US = 2_000_000
#: ... and went behind it, if the whole has moved by its length, so exactly.
BEHIND_MM = 16.0
#: Apart for so long, the packet has been left on the felt.
FELT_US = 3_500_000
NEAR_MM = 190.0
#: Apart by so much across the strip, a piece has been put beside the stack.
LATERAL_MM = 55.0


@dataclass(slots=True, eq=False)
class _Act:
    home: Box
    t_us: int
    last_us: int
    pieces_us: list[int] = field(default_factory=list)
    looks: int = 0
    far_mm: list[float] = field(default_factory=list)
    near_mm: list[float] = field(default_factory=list)
    places: list[tuple[int, list[float]]] = field(default_factory=list)  # the pieces' middles along the strip
    hands: list[tuple[int, float, str]] = field(default_factory=list)  # time, place along the strip, whose
    aside_us: list[int] = field(default_factory=list)
    aside: Box | None = None
    whole_us: int | None = None
    again_us: int | None = None  # since when it has been whole without a break
    whole_last_us: int = 0

    @property
    def apart(self) -> bool:
        """Whether it was seen in pieces for long enough, in enough of the looks."""
        spread_us = self.pieces_us[-1] - self.pieces_us[0]
        return len(self.pieces_us) >= 3 and spread_us >= PIECES_US and len(self.pieces_us) >= PIECES_SHARE * self.looks


class Transfers:
    """`step(look, stand)` gives the transfer that was decided with this look, or None."""

    def __init__(self) -> None:
        self._act: _Act | None = None
        self._hands: list[tuple[int, float, str]] = []
        self._whole: Box | None = None
        self._unseen = UnseenMoves()
        self.split_us: int | None = None  # since when the stack has been in pieces, None if it is whole

    def step(self, look: Look, stand: Stand, home: Box | None, *, expected: bool) -> Transfer | None:
        """Takes a look in; `home` is the stack's place before the dealer; `expected` if a cut waits to be completed."""
        if stand.rest is None:
            self._act, self.split_us = None, None
            return None
        place = home
        home = self._act.home if self._act is not None else self._last_whole(stand.rest)
        boxes = [box_of(s) for s in look.stacks]
        boxes = [b for b in boxes if float(np.linalg.norm(b.centre_mm - home.centre_mm)) < NEAR_MM + home.length_mm]
        self._note_hands(look, home)
        self._unseen.note(look, home)
        pieces = self._pieces(home, boxes)
        if pieces:
            self._take(look, home, pieces)
        elif self._act is not None and boxes:
            self._act.looks += 1
        elif stand.packet is not None and stand.seen is not None:
            self._whole = stand.seen
        found = self._decide(look, stand)
        if found is None and expected:
            found = self._unseen.step(look, stand, place)
        return found

    def _last_whole(self, rest: Box) -> Box:
        """Where it stood when it was last seen whole; it may have come there without resting."""
        if self._whole is None or float(np.linalg.norm(self._whole.centre_mm - rest.centre_mm)) < 22.0:
            return rest
        return self._whole

    def _note_hands(self, look: Look, home: Box) -> None:
        wide = reach_of(home)
        for arm in look.arms:
            if near_mm(arm, wide.quad_mm) <= 0.0:
                tip = tip_along(arm.quad_mm, home, arm.owner)
                self._hands.append((look.t_us, tip, arm.owner))
        self._hands = [h for h in self._hands if look.t_us - h[0] <= 4_000_000]

    def _pieces(self, home: Box, boxes: Sequence[Box]) -> list[Box]:
        """Two boxes or more that may be parts of the stack."""
        parts = [b for b in boxes if max(b.length_mm, b.width_mm) < home.length_mm + 45.0]
        if len(parts) < 2:
            return []
        return list(parts)

    def _take(self, look: Look, home: Box, pieces: Sequence[Box]) -> None:
        act = self._act
        if act is None or look.t_us - act.last_us > BREAK_US:
            act = self._act = _Act(home, look.t_us, look.t_us)
            act.hands = [h for h in self._hands if look.t_us - h[0] <= 700_000]
        act.last_us = look.t_us
        act.looks += 1
        act.pieces_us.append(look.t_us)
        order = sorted(pieces, key=lambda b: home.local_mm(b.centre_mm)[0])
        act.places.append((look.t_us, [home.local_mm(b.centre_mm)[0] for b in order]))
        if len(act.pieces_us) <= 4:
            act.near_mm.append(_extent(home, order[0]))
            act.far_mm.append(_extent(home, order[-1]))
        aside = [b for b in pieces if abs(home.local_mm(b.centre_mm)[1]) > LATERAL_MM]
        aside = [b for b in aside if not any(near_mm(arm, b.quad_mm) <= 0.0 for arm in look.arms)]
        if aside:
            act.aside_us.append(look.t_us)
            act.aside = aside[0]

    def _decide(self, look: Look, stand: Stand) -> Transfer | None:
        act = self._act
        if act is None:
            self.split_us = None
            return None
        enough = act.apart and _shifted(act)
        self.split_us = act.t_us if enough else None
        act.hands += [h for h in self._hands if h[0] == look.t_us]
        if _is_whole(look, act, stand):
            lately = act.again_us is not None and look.t_us - act.whole_last_us <= WHOLE_GAP_US
            act.again_us, act.whole_last_us = act.again_us if lately else look.t_us, look.t_us
            act.whole_us = act.whole_us or look.t_us
        elif act.whole_us is not None and _in_pieces(look, act, stand):
            act.whole_us = None
        if act.apart and act.whole_us is not None and look.t_us - act.whole_last_us > WHOLE_GAP_US:
            act.whole_us = None  # what seemed whole was a packet on its way over the rest
        behind = not enough and act.apart and _behind_now(look, act, stand)
        waits = act.apart and not enough and not behind and look.t_us - act.last_us <= UNITED_US
        if act.whole_us is not None and look.t_us - act.whole_us >= WHOLE_US and not waits:
            self._act, self.split_us = None, None
            transfer = self._transfer(act, act.whole_us, stand.seen)
            real = transfer.from_end != transfer.to_end and transfer.end_us - transfer.t_us >= LEAST_US
            return transfer if (enough or behind) and real else None
        if look.t_us - act.last_us > (UNITED_US if act.apart else BREAK_US) and not enough:
            self._act = None
        if enough and self._left_aside(look, act):
            self._act, self.split_us = None, None
            transfer = self._transfer(act, act.aside_us[0], felt=True)
            return transfer if transfer.end_us > transfer.t_us else None
        if look.t_us - act.t_us > 3 * FELT_US:
            self._act, self.split_us = None, None
        return None

    @staticmethod
    def _left_aside(look: Look, act: _Act) -> bool:
        """A player who lifted a packet has put it down beside the stack and let go."""
        if not act.aside_us or act.aside is None or not _actor(act).startswith("seat:"):
            return False
        if act.aside_us[-1] - act.aside_us[0] < ASIDE_US:
            return False
        there = [box_of(s) for s in look.stacks]
        left = [_extent(act.home, b) for b in there if abs(act.home.local_mm(b.centre_mm)[1]) <= LATERAL_MM]
        return bool(left) and max(left) <= SHORTER * act.home.length_mm

    def _transfer(self, act: _Act, end_us: int, whole: Box | None = None, *, felt: bool = False) -> Transfer:
        from_end, to_end, sure = _ends(act)
        if whole is not None and not sure:
            ways = _crossed(act, whole, exactly=from_end != to_end)
            from_end, to_end = ways or (from_end, to_end)
        if felt:
            from_end, to_end = "far", "felt"
        sure = sure and act.pieces_us[-1] - act.pieces_us[0] >= SURE_US
        lengths = (act.far_mm, act.near_mm) if from_end == "far" else (act.near_mm, act.far_mm)
        moved, rest = (float(np.median(x)) if x else None for x in lengths)
        return Transfer(_began(act), end_us, _actor(act), from_end, to_end, moved, rest, True, sure)


def _began(act: _Act) -> int:
    """When the pieces first moved against each other; they may have stood apart for a while."""
    first = act.places[0][1]
    start = act.t_us
    for at_us, places in act.places:
        if max(min(abs(x - y) for y in first) for x in places) > BEGUN_MM:
            break
        start = at_us
    return start if start - act.t_us < 2_500_000 else act.t_us


def _shifted(act: _Act) -> bool:
    """Whether a piece was seen, more than once, away from where both were at first."""
    first = act.places[0][1]
    far = [max(min(abs(x - y) for y in first) for x in places) > MOVED_MM for _, places in act.places]
    return sum(far) >= 2 or act.aside is not None


def _ends(act: _Act) -> tuple[str, str, bool]:
    """Which end the packet came from, where it went, whether that is sure.

    By which piece stayed; where that is unclear, by the hands.
    """
    near, far = act.places[0][1][0], act.places[0][1][-1]
    last = [p for t, p in act.places if t >= act.places[-1][0] - 300_000]
    near_stays = np.mean([min(abs(x - near) for x in p) < 15.0 for p in last])
    far_stays = np.mean([min(abs(x - far) for x in p) < 15.0 for p in last])
    sure = bool(abs(near_stays - far_stays) >= SURE_STAYS and len(last) >= 3)
    if near_stays > far_stays + 0.3:
        return "far", "near" if float(np.median([min(p) for p in last])) < near - 8.0 else "far", sure
    if far_stays > near_stays + 0.3:
        return "near", "far" if float(np.median([max(p) for p in last])) > far + 8.0 else "near", sure
    start, end = _way(act)
    return ("far", "near", False) if end < start else ("near", "far", False)


def _crossed(act: _Act, whole: Box, *, exactly: bool) -> tuple[str, str] | None:
    """From which end to which a packet went that was soon lost from sight; None if it was put back.

    A stack that gives at one end and gets at the other has moved by the packet's length (`exactly` so, where other
    evidence says otherwise); put back, it has not.
    """
    shift = act.home.local_mm(whole.centre_mm)[0]
    lengths = act.far_mm if shift < 0 else act.near_mm
    if not lengths or abs(shift) < max(LEAST_SHIFT_MM, SHIFT_SHARE * float(np.median(lengths))):
        return None
    if exactly and abs(abs(shift) - float(np.median(lengths))) > BEHIND_MM:
        return None
    return ("far", "near") if shift < 0 else ("near", "far")


def _behind_now(look: Look, act: _Act, stand: Stand) -> bool:
    """Whether the far piece, soon lost from sight, is at the near end now: the whole moved back by its length."""
    if act.again_us is None or act.whole_last_us != look.t_us or look.t_us - act.again_us < WHOLE_US:
        return False
    if stand.seen is None or not act.far_mm:
        return False
    shift = act.home.local_mm(stand.seen.centre_mm)[0]
    return abs(shift + float(np.median(act.far_mm))) <= BEHIND_MM


def _is_whole(look: Look, act: _Act, stand: Stand) -> bool:
    """Whether the stack is seen in one piece again, as long as it was."""
    if stand.packet is None or stand.seen is None or act.pieces_us[-1] == look.t_us:
        return False
    if float(np.linalg.norm(stand.seen.centre_mm - act.home.centre_mm)) > NEAR_MM:
        return False  # it is on its way into the shoe
    usual_mm = act.home.length_mm if stand.rest is None else min(act.home.length_mm, stand.rest.length_mm)
    return _extent(act.home, stand.seen) >= WHOLE_SHARE * usual_mm


def _in_pieces(look: Look, act: _Act, stand: Stand) -> bool:
    """Whether a stack that seemed whole a moment ago is in pieces: in most looks, or in some where none is whole."""
    lately = sum(t > look.t_us - 250_000 for t in act.pieces_us)
    return lately >= 3 or (lately >= 2 and stand.packet is None)


def _actor(act: _Act) -> str:
    owners = [owner for _, _, owner in act.hands if owner != "unsure"]
    if not owners:
        return "unsure"
    seats = [o for o in owners if o.startswith("seat:")]
    if len(seats) > len(owners) / 2:
        return max(set(seats), key=seats.count)
    return "dealer"


def _way(act: _Act) -> tuple[float, float]:
    """Where along the strip, in mm from its middle, the hands were at the beginning and at the end."""
    hands = [(t, a) for t, a, owner in act.hands if owner in ("dealer", "unsure") and t <= act.last_us + 200_000]
    if not hands:
        return 0.0, 0.0
    first, last = hands[0][0], hands[-1][0]
    early = [a for t, a in hands if t <= max(act.t_us + 100_000, first + 300_000)]
    late = [a for t, a in hands if t >= last - 300_000]
    return float(np.median(early)), float(np.median(late))


def _extent(home: Box, box: Box) -> float:
    corners = (box.quad_mm - home.centre_mm) @ home.along
    return float(np.ptp(corners))
