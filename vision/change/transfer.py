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
from vision.sighting import Points

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
#: The whole stack in its place, and behind it, in shares of its length; so far aside; in so many looks, within so long.
AT_HOME, BEHIND, BESIDE_MM = 0.2, -0.6, 35.0
BEHIND_LOOKS, BEHIND_US = 4, 2_500_000
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
#: Apart for so long, the packet has been left on the felt.
FELT_US = 3_500_000
NEAR_MM = 190.0
#: The hands' way from end to end, as a share of the strip.
HANDS_WAY = 0.55
LATERAL_MM = 55.0
SWEEP_US = 2_200_000


@dataclass(frozen=True, slots=True)
class Transfer:
    """A packet moved: `from_end` and `to_end` are 'far' (the players' end of the strip), 'near', 'felt' or 'unsure'.

    `length_mm` is that of the packet, if it was seen by itself; `rest_mm` that of what it was taken from. `sure`: it
    was seen long and well enough to be held against anybody.
    """

    t_us: int
    end_us: int
    actor: str
    from_end: str
    to_end: str
    length_mm: float | None
    rest_mm: float | None
    pieces: bool
    sure: bool = False


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


class Transfers:
    """`step(look, stand)` gives the transfer that was decided with this look, or None."""

    def __init__(self) -> None:
        self._act: _Act | None = None
        self._hands: list[tuple[int, float, str]] = []
        self._whole: Box | None = None
        self._sides: list[tuple[int, float]] = []  # where along the strip the dealer's hands hold it from both sides
        self._home_us: int | None = None  # when the whole stack was last in its place
        self._far_us: list[int] = []  # looks since in which it was far behind that
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
        pieces = self._pieces(home, boxes)
        if pieces:
            self._take(look, home, pieces)
        elif self._act is not None and boxes:
            self._act.looks += 1
        elif stand.packet is not None and stand.seen is not None:
            self._whole = stand.seen
        found = self._decide(look, stand)
        if found is None and expected and self.split_us is None:
            found = self._whole_moved(stand, place) or self._behind(look, stand, place) or self._swept(look, stand)
        return found

    def _last_whole(self, rest: Box) -> Box:
        """Where it stood when it was last seen whole; it may have come there without resting."""
        if self._whole is None or float(np.linalg.norm(self._whole.centre_mm - rest.centre_mm)) < 22.0:
            return rest
        return self._whole

    def _whole_moved(self, stand: Stand, place: Box | None) -> Transfer | None:
        """Nearly all of the stack was put behind the few cards below the cover card: it went back by its own length."""
        move = stand.moved
        if move is None or place is None or float(np.linalg.norm(move.from_box.centre_mm - place.centre_mm)) > 30.0:
            return None
        along, across = move.from_box.local_mm(move.to_box.centre_mm)
        if not -1.35 <= along / move.from_box.length_mm <= -0.4 or abs(across) > 40.0:
            return None
        return Transfer(move.t_us, move.end_us, "dealer", "far", "near", None, None, False)

    def _behind(self, look: Look, stand: Stand, place: Box | None) -> Transfer | None:
        """The same, seen on its way: nearly all of the stack went straight back by more than half of its length."""
        if stand.packet is None or stand.seen is None or place is None:
            return None
        along, across = place.local_mm(stand.seen.centre_mm)
        share = along / max(place.length_mm, 1.0)
        if abs(share) <= AT_HOME and abs(across) <= BESIDE_MM:
            self._home_us, self._far_us = look.t_us, []
        elif share <= BEHIND and abs(across) <= BESIDE_MM and self._home_us is not None:
            self._far_us.append(look.t_us)
        if self._home_us is None or len(self._far_us) < BEHIND_LOOKS or look.t_us - self._home_us > BEHIND_US:
            return None
        start_us, self._home_us = self._home_us, None
        return Transfer(start_us, look.t_us, "dealer", "far", "near", None, None, False)

    def _swept(self, look: Look, stand: Stand) -> Transfer | None:
        """Both of the dealer's hands went along both sides of a stack that stays, from its far end to its near end."""
        if stand.packet is None or stand.rest is None:
            return None
        path = [h for h in self._sides if look.t_us - h[0] <= SWEEP_US]
        if len(path) < 4:
            return None
        half = stand.rest.length_mm / 2
        now = float(np.median([a for _, a in path[-3:]]))
        top = max(path, key=lambda h: h[1])
        slow = abs(path[-1][1] - path[-3][1]) < 12.0
        if not slow or top[1] - now < HANDS_WAY * 2 * half or top[1] < 0.2 * half:
            return None
        start = next((t for t, a in reversed(path) if a >= top[1] - 8.0), top[0])
        self._sides = []
        return Transfer(start, look.t_us, "dealer", "far", "near", None, None, False)

    def _note_hands(self, look: Look, home: Box) -> None:
        wide = Box(home.centre_mm, home.along, home.length_mm + 60, home.width_mm + 20)
        for arm in look.arms:
            if near_mm(arm, wide.quad_mm) <= 0.0:
                tip = _tip_along(arm.quad_mm, home, arm.owner)
                self._hands.append((look.t_us, tip, arm.owner))
        self._hands = [h for h in self._hands if look.t_us - h[0] <= 4_000_000]
        dealers = [arm for arm in look.arms if not arm.owner.startswith("seat:")]
        dealers = [arm for arm in dealers if near_mm(arm, wide.quad_mm) <= 0.0]
        if len(dealers) == 2:
            (a, left), (b, right) = (home.local_mm(arm.centre_mm) for arm in dealers)
            if left * right < 0 and min(abs(left), abs(right)) > 25.0 and abs(a - b) < 60.0:
                tips = [_tip_along(arm.quad_mm, home, "dealer") for arm in dealers]
                self._sides.append((look.t_us, float(np.mean(tips))))
        self._sides = [h for h in self._sides if look.t_us - h[0] <= SWEEP_US]

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
        enough = (
            len(act.pieces_us) >= 3
            and act.pieces_us[-1] - act.pieces_us[0] >= PIECES_US
            and len(act.pieces_us) >= PIECES_SHARE * act.looks
            and _shifted(act)
        )
        self.split_us = act.t_us if enough else None
        act.hands += [h for h in self._hands if h[0] == look.t_us]
        if _is_whole(look, act, stand):
            act.whole_us = act.whole_us or look.t_us
        elif act.whole_us is not None and len([t for t in act.pieces_us if t > look.t_us - 250_000]) >= 3:
            act.whole_us = None
        if act.whole_us is not None and look.t_us - act.whole_us >= WHOLE_US:
            self._act, self.split_us = None, None
            transfer = self._transfer(act, act.whole_us, stand.seen)
            real = transfer.from_end != transfer.to_end and transfer.end_us - transfer.t_us >= LEAST_US
            return transfer if enough and real else None
        if look.t_us - act.last_us > BREAK_US and not enough:
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
        if from_end == to_end and whole is not None:
            from_end, to_end = _crossed(act, whole) or (from_end, to_end)
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


def _crossed(act: _Act, whole: Box) -> tuple[str, str] | None:
    """From which end to which a packet went that was soon lost from sight; None if it was put back.

    A stack that gives at one end and gets at the other has moved by the packet's length; put back, it has not.
    """
    shift = act.home.local_mm(whole.centre_mm)[0]
    lengths = act.far_mm if shift < 0 else act.near_mm
    if not lengths or abs(shift) < max(LEAST_SHIFT_MM, SHIFT_SHARE * float(np.median(lengths))):
        return None
    return ("far", "near") if shift < 0 else ("near", "far")


def _is_whole(look: Look, act: _Act, stand: Stand) -> bool:
    """Whether the stack is seen in one piece again, as long as it was."""
    if stand.packet is None or stand.seen is None or act.pieces_us[-1] == look.t_us:
        return False
    if float(np.linalg.norm(stand.seen.centre_mm - act.home.centre_mm)) > NEAR_MM:
        return False  # it is on its way into the shoe
    return _extent(act.home, stand.seen) >= WHOLE_SHARE * act.home.length_mm


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


def _tip_along(quad_mm: Points, home: Box, owner: str) -> float:
    """Where a hand's finger tips are along the strip: its end away from its owner's body."""
    along = (quad_mm - home.centre_mm) @ home.along
    reach = np.sort(along)
    tips = reach[-2:] if owner != "" and not owner.startswith("seat:") else reach[:2]
    return float(np.mean(tips)) - (20.0 if not owner.startswith("seat:") else -20.0)


def _extent(home: Box, box: Box) -> float:
    corners = (box.quad_mm - home.centre_mm) @ home.along
    return float(np.ptp(corners))
