"""The same card over time: a small tracker in millimetres and microseconds.

Two rounds of assignment: cards at rest first claim what lies where they lie, then cards on the move, by prediction, and
those that were out of sight share the rest. A card covered by a hand is kept, not ended: whether it is still there is
for the ledger to say, by evidence. Nothing is counted in frames, so 15 and 30 frames a second tell the same story.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linear_sum_assignment

from vision.sighting import Points, Sighting, angle_between, overlap

#: A hand is not faster than this with a card in it; measured dealers stay under 2 m/s.
TOP_SPEED_MM_S = 2500.0
#: A resting card is found again within this distance (detector noise at 1.3 mm/px is about 2 mm).
REST_MM = 14.0
#: A card taken up is first seen again within this distance of where it lay.
PICKED_UP_MM = 90.0
#: How far a card must be from where it lay to count as moved.
MOVED_MM = 22.0
#: Seen so long within `REST_MM`, it lies.
REST_US = 240_000
#: An unseen track on the move is kept this long.
KEEP_US = 700_000
#: ... one at rest so long after its place was last covered by a hand
KEEP_IN_VIEW_US = 350_000
#: ... and in any case no longer than this after it was last seen.
KEEP_REST_US = 6_000_000
#: ... under another card longer, as cards lie in a pile
KEEP_UNDER_US = 30_000_000
#: The price of a sighting for a card that was out of sight: one that passes over it may be meant.
MISSED_MM = 8.0
#: The price of a sighting that shows the card's other side.
OTHER_SIDE_MM = 25.0
#: ... and turned by more than this, it is another card's, that passes over the one which lies there.
OTHER_SIDE_TURN = 0.25
#: Another card over this share of it hides it.
UNDER_CARD = 0.3
#: ... and so much of what shows of it lies where it lay.
LOOKS_OUT = 0.85
#: Seen so often, a track is confirmed; unconfirmed tracks carry no evidence.
CONFIRM_SIGHTINGS = 2
#: A card seen once only, over so much of another one, was that one's smear.
SMEAR = 0.2
#: What lies there for long is seen the same for hours: of so many sightings those after the first so many are dropped.
MOST_SIGHTINGS, FIRST_SIGHTINGS = 1200, 100
#: Elsewhere a single sighting waits so long for the next; so does a moving track whose card was found on another.
LOOSE_US = 250_000


@dataclass(slots=True, eq=False)
class Track:
    """One card's sightings, oldest first. `rest_us` is since when it has lain still, None while it moves.

    Of a long rest the first and the latest sightings are kept.
    """

    id: int
    sightings: list[Sighting] = field(default_factory=list)
    rest_us: int | None = None
    anchor_mm: Points | None = None  # where it came to lie, or was first seen
    ended: bool = False
    covered_us: int = 0  # when a hand, or another card, was last over it while it was not seen
    under_card: bool = False  # whether another card is over it now
    missed_us: int | None = None  # since when it has been looked for in vain
    beside: bool = False  # first seen over another card: both may be one
    left: bool = False  # its card was found on another track
    buried: bool = False  # it lies in the discard bucket: nobody takes it up or turns it over

    @property
    def last(self) -> Sighting:
        """The latest sighting."""
        return self.sightings[-1]

    @property
    def confirmed(self) -> bool:
        """Seen often enough to be evidence."""
        return len(self.sightings) >= CONFIRM_SIGHTINGS

    @property
    def travelled_mm(self) -> float:
        """Distance between the first and the latest sighting."""
        return float(np.linalg.norm(self.last.centre_mm - self.sightings[0].centre_mm))

    def begin_anew(self, after_us: int) -> None:
        """Makes it the track of another card, which has lain over the first one since then."""
        self.sightings[:] = [s for s in self.sightings if s.t_us > after_us] or self.sightings[-1:]
        self.rest_us, self.anchor_mm, self.buried = None, self.sightings[0].centre_mm, False

    def velocity_mm_s(self) -> Points:
        """Mean velocity over the last fifth of a second, (2,)."""
        last = self.last
        recent = [s for s in self.sightings[-8:] if last.t_us - s.t_us <= 200_000]
        if len(recent) < 2:
            return np.zeros(2)
        span_s = (last.t_us - recent[0].t_us) / 1e6
        velocity: Points = (last.centre_mm - recent[0].centre_mm) / span_s
        return velocity

    def predicted_mm(self, t_us: int) -> Points:
        """Where it should be at `t_us`; at most a quarter of a second ahead is trusted."""
        if self.rest_us is not None:
            return self.last.centre_mm
        ahead_s = min((t_us - self.last.t_us) / 1e6, 0.25)
        predicted: Points = self.last.centre_mm + self.velocity_mm_s() * ahead_s
        return predicted

    def add(self, sighting: Sighting) -> None:
        """Takes a sighting in and says anew whether the card lies or moves."""
        self.sightings.append(sighting)
        self.missed_us = None
        if self.anchor_mm is None:
            self.anchor_mm = sighting.centre_mm
        if float(np.linalg.norm(sighting.centre_mm - self.anchor_mm)) > MOVED_MM:
            self.rest_us = None
        self._settle(sighting)

    def _settle(self, sighting: Sighting) -> None:
        since = sighting.t_us
        enough = False
        for old in reversed(self.sightings):
            if float(np.linalg.norm(old.centre_mm - sighting.centre_mm)) > REST_MM:
                break
            since = old.t_us
            enough = sighting.t_us - since >= REST_US
            if enough and self.rest_us is not None:
                break
        if enough and self.rest_us is None:
            self.rest_us = since
        if enough:
            self.anchor_mm = sighting.centre_mm
            if len(self.sightings) > MOST_SIGHTINGS:
                del self.sightings[FIRST_SIGHTINGS : MOST_SIGHTINGS // 2]


class CardTracker:
    """`step(t_us, sightings)` matches what is seen to what was known; `tracks` are the living ones."""

    def __init__(self) -> None:
        self._ids = itertools.count(1)
        self.tracks: list[Track] = []

    def step(self, t_us: int, sightings: Sequence[Sighting], hands_mm: Sequence[Points] = ()) -> list[Track]:
        """Returns the tracks that ended with this step; the living ones are in `tracks`.

        `hands_mm`: outlines (N, 2) of the hands in view; a card that lay under one may still be there.
        """
        free = list(sightings)
        waiting = list(self.tracks)
        under = [t for t in waiting if t.rest_us is not None and t.under_card]
        for turn in (_lies_in_view, _others):
            some = [t for t in waiting if turn(t)]
            taken = _assign(some, free, t_us, under)
            for track, sighting in taken:
                track.add(sighting)
                waiting.remove(track)
                free.remove(sighting)
        # a card that lay and is not there any more may be the one that now moves off nearby
        for track, sighting in _assign(waiting, free, t_us, under, picked_up=True):
            if _looks_out(track, sighting):
                free.remove(sighting)
                continue
            track.rest_us = None
            track.add(sighting)
            waiting.remove(track)
            free.remove(sighting)
        # a box that was there once, and then not, claims only what nothing else explains
        for track, sighting in _assign([t for t in waiting if _stray(t)], free, t_us, under):
            track.add(sighting)
            waiting.remove(track)
            free.remove(sighting)
        for track in waiting:
            track.missed_us = track.missed_us if track.missed_us is not None else t_us
            track.under_card = any(_covers(s, track.last) for s in sightings)
            if track.under_card or any(overlap(hand, track.last.quad_mm) > 0.05 for hand in hands_mm):
                track.covered_us = t_us
        for sighting in free:
            if self._smears(sighting):
                continue
            track = Track(next(self._ids))
            track.beside = any(s is not sighting and overlap(s.quad_mm, sighting.quad_mm) > SMEAR for s in sightings)
            track.add(sighting)
            self.tracks.append(track)
        return self._retire(t_us)

    def _smears(self, sighting: Sighting) -> bool:
        """Whether it lies over a card on the move that was found in this look: a blurred card is easily boxed twice."""
        moving = [t.last for t in self.tracks if t.rest_us is None and t.last.t_us == sighting.t_us and t.confirmed]
        return any(overlap(last.quad_mm, sighting.quad_mm) > SMEAR for last in moving)

    def _retire(self, t_us: int) -> list[Track]:
        ended = [t for t in self.tracks if _is_over(t, t_us)]
        for track in ended:
            track.ended = True
        self.tracks = [t for t in self.tracks if not t.ended]
        return ended

    def end(self, track: Track) -> None:
        """Forgets a track that something else has explained."""
        track.ended = True
        self.tracks = [t for t in self.tracks if t is not track]


def _lies_in_view(track: Track) -> bool:
    return track.rest_us is not None and track.missed_us is None


def _others(track: Track) -> bool:
    return not _stray(track)


def _stray(track: Track) -> bool:
    return not track.confirmed and track.missed_us is not None


def _covers(sighting: Sighting, lay: Sighting) -> bool:
    """Whether a card seen now hides one that lay; one in the very same place is that one, or claims to be."""
    apart = float(np.linalg.norm(sighting.centre_mm - lay.centre_mm))
    return apart > REST_MM and overlap(sighting.quad_mm, lay.quad_mm) > UNDER_CARD


def _looks_out(track: Track, sighting: Sighting) -> bool:
    """Whether it is but the part of a lying card that shows beside the one which lies on it."""
    inside = overlap(track.last.quad_mm, sighting.quad_mm) > LOOKS_OUT
    return track.under_card and inside and track.last.cls == sighting.cls


def _shows_another(track: Track, sighting: Sighting, under: Sequence[Track]) -> bool:
    """Whether a card's other side is rather that of the one which lies under it, and of which it is the right side."""
    if track.rest_us is None or track.last.cls == sighting.cls:
        return False
    same = (t.last.centre_mm for t in under if t is not track and t.last.cls == sighting.cls)
    return any(float(np.linalg.norm(centre - sighting.centre_mm)) < PICKED_UP_MM for centre in same)


def _is_over(track: Track, t_us: int) -> bool:
    """Whether a track that was looked for in vain is given up: where it lay is in view, and it is not there."""
    unseen_us = t_us - track.last.t_us
    if track.beside and not track.confirmed and unseen_us > 0:
        return True
    if track.rest_us is None:
        return unseen_us > (LOOSE_US if track.left or not track.confirmed else KEEP_US)
    in_view_us = t_us - max(track.last.t_us, track.covered_us)
    longest_us = KEEP_UNDER_US if track.under_card else KEEP_REST_US
    return in_view_us > KEEP_IN_VIEW_US or unseen_us > longest_us


def _assign(
    tracks: Sequence[Track],
    sightings: Sequence[Sighting],
    t_us: int,
    under: Sequence[Track],
    *,
    picked_up: bool = False,
) -> list[tuple[Track, Sighting]]:
    """The cheapest matching within the gates; `under` are the cards that lie under others."""
    if not tracks or not sightings:
        return []
    cost = np.array([[_cost(track, sighting, t_us, picked_up) for sighting in sightings] for track in tracks])
    if under:
        cost[[[_shows_another(track, sighting, under) for sighting in sightings] for track in tracks]] = np.inf
    rows, columns = linear_sum_assignment(np.minimum(cost, 1e6))
    return [(tracks[int(r)], sightings[int(c)]) for r, c in zip(rows, columns, strict=True) if np.isfinite(cost[r, c])]


def _cost(track: Track, sighting: Sighting, t_us: int, picked_up: bool) -> float:
    """Millimetres between prediction and sighting, with a price for turning; infinite outside the gate."""
    distance = float(np.linalg.norm(track.predicted_mm(t_us) - sighting.centre_mm))
    turn = angle_between(track.last.angle, sighting.angle)
    if track.buried and (picked_up or track.last.cls != sighting.cls):
        return float("inf")
    if picked_up:
        return distance if track.rest_us is not None and distance < PICKED_UP_MM else float("inf")
    if track.rest_us is not None:
        passes = track.last.cls != sighting.cls and turn > OTHER_SIDE_TURN
        if distance > REST_MM or (turn > 0.35 and distance > REST_MM / 2) or passes:
            return float("inf")
        missed = track.missed_us is not None
        turned = track.last.cls != sighting.cls  # out of sight, it is rather the side of what passes over it
        side = 0.0 if not turned else OTHER_SIDE_MM if missed else OTHER_SIDE_MM / 2
        return distance + 20 * turn + (MISSED_MM if missed else 0.0) + side
    gap_s = max((t_us - track.last.t_us) / 1e6, 0.02)
    gate = 35.0 + TOP_SPEED_MM_S * gap_s * (0.5 if len(track.sightings) > 2 else 0.7)
    if distance > min(gate, 260.0):
        return float("inf")
    side = OTHER_SIDE_MM if track.last.cls != sighting.cls else 0.0
    return distance + 15 * turn + side
