"""Whose hand it is: the dealer's, or that of which seat.

Arms come from their owner's side of the table. What tells most is how near to an owner's place the hand was ever seen,
and the direction in which it lies; a hand that shows again in mid-table after it was covered goes on as the same one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linear_sum_assignment

from calibration.tablefile import Layout
from vision.sighting import Points, Sighting, angle_between

#: The dealer's shoulders, and how far his resting hands are from them.
SHOULDERS_MM = ((-190.0, -230.0), (190.0, -230.0))
DEALER_REST_MM = 330.0
#: Players sit this far outward of their zone's middle; their hands rest so far from there.
SEAT_BACK_MM = 330.0
SEAT_REST_MM = 330.0
#: One standard deviation of the closest approach and of an arm's direction.
APPROACH_MM = 140.0
DIRECTION = 0.4
MOST = 4.0
#: A hand that was never nearer to a seat's place than this beyond its rest tells seats apart by so much less.
FROM_SEAT_MM = 150.0
ELSEWHERE = 0.35
#: The dealer has two hands; a third that might be his is so much less likely.
THIRD_HAND = 4.0
#: How far apart the best two owners must be (log odds) before one is named.
SURE = 0.8
LOST_US = 900_000
#: A hand that lay still when it was seen last is most likely there still.
RESTING_LOST_US = 3_000_000
#: Only what was in view so lately counts among the dealer's two.
FRESH_US = 400_000
RESTING_MM_S = 90.0
#: How far a hand may have come: by its speed, and by what it may have gained or lost of it.
NEAR_MM = 60.0
PULL_MM_S2 = 14_000.0
LONGEST_S = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """A hand at one moment: `owner` is dealer, seat:N or unsure; `track` tells hands apart; `odds` are log odds."""

    owner: str
    track: int
    sighting: Sighting
    speed_mm_s: float = 0.0
    odds: Mapping[str, float] = field(default_factory=dict)

    @property
    def quad_mm(self) -> Points:
        """Its outline (4, 2)."""
        return self.sighting.quad_mm

    @property
    def centre_mm(self) -> Points:
        """Its middle (2,)."""
        return self.sighting.centre_mm


@dataclass(slots=True, eq=False)
class _Track:
    id: int
    last: Sighting
    approach_mm: Points  # closest approach to each owner's place
    direction: Points = field(default_factory=lambda: np.zeros(0))
    weight: float = 0.0
    recent: list[Sighting] = field(default_factory=list)


class People:
    """`step(t_us, sightings)` names the hands of one moment."""

    def __init__(self, layout: Layout) -> None:
        places = bodies(layout)
        self.owners = list(places)
        self._places = list(places.values())
        self._rest = np.array([DEALER_REST_MM] + [SEAT_REST_MM] * (len(places) - 1))
        self._tracks: list[_Track] = []
        self._count = 0

    def step(self, t_us: int, sightings: Sequence[Sighting]) -> list[Arm]:
        """The hands of this moment with their owners."""
        self._tracks = [t for t in self._tracks if t_us - t.last.t_us <= _kept_us(t)]
        pairs = self._matched(t_us, sightings)
        arms: list[tuple[_Track, Sighting]] = []
        for sighting in sightings:
            track = pairs.get(id(sighting)) or self._new(sighting)
            self._add(track, sighting)
            arms.append((track, sighting))
        spare = self._spare(t_us)
        return [self._arm(track, s, track.id in spare) for track, s in arms]

    def _arm(self, track: _Track, sighting: Sighting, spare: bool) -> Arm:
        score = self._score(track)
        if spare:
            score[0] -= THIRD_HAND
        self._blur(track, score)
        order = np.argsort(score)
        sure = len(order) < 2 or score[order[-1]] - score[order[-2]] >= SURE
        odds = dict(zip(self.owners, (score - score.max()).tolist(), strict=True))
        return Arm(self.owners[int(order[-1])] if sure else "unsure", track.id, sighting, _speed(track), odds)

    def _blur(self, track: _Track, score: Points) -> None:
        """Neighbours' hands look alike over the middle of the table: only where it came from tells one from another."""
        seats = score[1:]
        if not len(seats):
            return
        best = int(np.argmax(seats))
        if track.approach_mm[1 + best] > self._rest[1 + best] + FROM_SEAT_MM:
            seats[:] = seats.max() - ELSEWHERE * (seats.max() - seats)

    def _spare(self, t_us: int) -> set[int]:
        """Hands in view besides the two that are the dealer's most likely."""
        fresh = [t for t in self._tracks if t_us - t.last.t_us <= FRESH_US or _kept_us(t) > LOST_US]
        dealers = sorted(fresh, key=lambda t: -_lead(self._score(t)))
        return {t.id for t in dealers[2:]}

    def _matched(self, t_us: int, sightings: Sequence[Sighting]) -> dict[int, _Track]:
        if not self._tracks or not sightings:
            return {}
        cost = np.array(
            [[float(np.linalg.norm(t.last.centre_mm - s.centre_mm)) for s in sightings] for t in self._tracks]
        )
        gates = np.array([[_gate_mm(t, t_us)] for t in self._tracks])
        rows, columns = linear_sum_assignment(np.where(cost <= gates, cost, 1e6))
        return {
            id(sightings[c]): self._tracks[r]
            for r, c in zip(rows.tolist(), columns.tolist(), strict=True)
            if cost[r, c] <= gates[r, 0]
        }

    def _new(self, sighting: Sighting) -> _Track:
        self._count += 1
        track = _Track(self._count, sighting, np.full(len(self.owners), np.inf))
        track.direction = np.zeros(len(self.owners))
        self._tracks.append(track)
        return track

    def _add(self, track: _Track, sighting: Sighting) -> None:
        track.last = sighting
        track.recent = [s for s in track.recent if sighting.t_us - s.t_us <= 250_000] + [sighting]
        offsets = [place - sighting.centre_mm for place in self._places]
        distances = np.array([float(np.linalg.norm(o, axis=1).min()) for o in offsets])
        track.approach_mm = np.minimum(track.approach_mm, distances)
        short, long = sighting.sides_mm
        weight = min(max(long / max(short, 1e-6) - 1.15, 0.0), 0.6)
        if weight > 0:
            turns = [
                min(angle_between(sighting.angle, float(np.arctan2(v[1], v[0]))) for v in offset) for offset in offsets
            ]
            track.direction += weight * np.minimum((np.array(turns) / DIRECTION) ** 2 / 2, MOST)
            track.weight += weight

    def _score(self, track: _Track) -> Points:
        """The log odds of each owner."""
        score: Points = -np.minimum(np.maximum(track.approach_mm - self._rest, 0.0) / APPROACH_MM, MOST)
        if track.weight > 0:
            score = score - track.direction / track.weight
        return score


def bodies(layout: Layout) -> dict[str, Points]:
    """Where the arms of each owner come from, (n, 2): the dealer first, then the seats."""
    seats = [f"seat:{n}" for n in layout.seats if f"seat:{n}" in layout.zones_mm]
    return {"dealer": np.asarray(SHOULDERS_MM)} | {seat: _body(layout.zones_mm[seat])[None] for seat in seats}


def _body(zone_mm: Points) -> Points:
    middle = np.asarray(zone_mm, dtype=np.float64).mean(axis=0)
    outward = middle - np.array([0.0, -300.0])
    body: Points = middle + outward / float(np.linalg.norm(outward)) * SEAT_BACK_MM
    return body


def _speed(track: _Track) -> float:
    first, last = track.recent[0], track.recent[-1]
    if last.t_us <= first.t_us:
        return 0.0
    return float(np.linalg.norm(last.centre_mm - first.centre_mm)) / ((last.t_us - first.t_us) / 1e6)


def _kept_us(track: _Track) -> int:
    """How long a hand out of sight is remembered."""
    return RESTING_LOST_US if len(track.recent) > 2 and _speed(track) <= RESTING_MM_S else LOST_US


def _gate_mm(track: _Track, t_us: int) -> float:
    """How far from where it was seen last the hand may be now."""
    seconds = min((t_us - track.last.t_us) / 1e6, LONGEST_S)
    return NEAR_MM + _speed(track) * seconds + PULL_MM_S2 * seconds**2 / 2


def _lead(score: Points) -> float:
    """By how much the dealer is likelier than anybody else."""
    return float(score[0] - score[1:].max()) if len(score) > 1 else float(score[0])
