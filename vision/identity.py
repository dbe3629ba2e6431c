"""Which card is which where one passes over another: a card that lies where one lay, as it lay, is that one.

A card carried over a lying one can take over its track, and leave it its own. Later the mix-up shows: the lying card
seems to have been carried off, and another lies in its very place, the same side up. Nobody lays a card down to the
millimetre and the degree where another was taken up, so the two are exchanged back.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.card import Card
from vision.sighting import Sighting, angle_between
from vision.vote import RankVote

#: As near as this, and turned no further, two sightings are of one lying card.
SAME_PLACE_MM = 14.0
SAME_ANGLE = 0.2
#: ... and after it was out of sight, its box may be a little off.
FOUND_MM = 20.0
#: So far from its place a card has left it.
LEFT_MM = 40.0
#: A card was lost from sight no longer than this before the one it passed over seemed to move.
LOST_BEFORE_US = 600_000
#: So many sightings in that place settle it.
SETTLED_SIGHTINGS = 2


def mixed_up(cards: Sequence[Card]) -> list[tuple[Card, Card]]:
    """Pairs (card that lay, card that now seems to lie in its place)."""
    pairs = []
    for lay in cards:
        if lay.lay is None or _distance(lay.last, lay.lay) < LEFT_MM:
            continue
        for other in cards:
            if other is not lay and other.lay is None and _lies_as(other, lay):
                pairs.append((lay, other))
                break
    return pairs


def whose_place(cards: Sequence[Card], sightings: Sequence[Sighting]) -> Card | None:
    """The card that lay where a track nobody knows lies now, and that seems to have moved off meanwhile."""
    for lay in cards:
        if lay.lay is None or _distance(lay.last, lay.lay) < LEFT_MM or sightings[-1].cls != lay.lay.cls:
            continue
        if _run(sightings, lay.lay) >= SETTLED_SIGHTINGS and sightings[-1].t_us >= lay.last.t_us:
            return lay
    return None


def lay_there(cards: Sequence[Card], sighting: Sighting) -> Card | None:
    """The card that lay, at any of its rests, where one is found lying now; that rest becomes its `lay`."""
    for card in cards:
        for rest in reversed(card.lays):
            if _distance(rest, sighting) <= FOUND_MM and angle_between(rest.angle, sighting.angle) <= SAME_ANGLE:
                card.lay = rest
                return card
    return None


def passed_over(cards: Sequence[Card], lay: Card) -> Card | None:
    """The card lost from sight about when `lay` seemed to move off: it is that one which moves."""
    since_us = _left_us(lay)
    lost = [
        c for c in cards
        if c is not lay and c.lay is None and since_us - LOST_BEFORE_US <= c.last.t_us < lay.last.t_us
    ]  # fmt: skip
    return max(lost, key=lambda card: card.last.t_us, default=None)


def exchange(lay: Card, other: Card) -> None:
    """Gives each of the two its own sightings, readings and track back, from the moment of the mix-up on."""
    assert lay.lay is not None
    since_us = min(s.t_us for s in other.sightings[-max(_run(other.sightings, lay.lay), 1) :])
    since_us = min(since_us, _left_us(lay))
    lay.track, other.track = other.track, lay.track
    for name in ("sightings", "face_reads"):
        mine, theirs = getattr(lay, name), getattr(other, name)
        late_mine = [x for x in mine if _time(x) >= since_us]
        late_theirs = [x for x in theirs if _time(x) >= since_us]
        setattr(lay, name, [x for x in mine if _time(x) < since_us] + late_theirs)
        setattr(other, name, [x for x in theirs if _time(x) < since_us] + late_mine)
    lay.sightings, other.sightings = lay.sightings or [lay.lay], other.sightings or [lay.lay]
    other.vote, other.exposed_us = RankVote(), None
    lay.hand_over_bucket_us, other.hand_over_bucket_us = None, lay.hand_over_bucket_us


def _lies_as(other: Card, lay: Card) -> bool:
    assert lay.lay is not None
    same_side = other.last.cls == lay.lay.cls
    return same_side and other.last.t_us >= lay.last.t_us and _run(other.sightings, lay.lay) >= SETTLED_SIGHTINGS


def _run(sightings: Sequence[Sighting], place: Sighting) -> int:
    """How many of the latest sightings, without a break, are in that place."""
    count = 0
    for sighting in reversed(sightings):
        if _distance(sighting, place) > SAME_PLACE_MM or angle_between(sighting.angle, place.angle) > SAME_ANGLE:
            break
        count += 1
    return count


def _left_us(lay: Card) -> int:
    """When the card that lay seemed to leave its place."""
    assert lay.lay is not None
    since_us = lay.last.t_us
    for sighting in reversed(lay.sightings):
        if _distance(sighting, lay.lay) <= SAME_PLACE_MM:
            break
        since_us = sighting.t_us
    return since_us


def _distance(a: Sighting, b: Sighting) -> float:
    return float(np.linalg.norm(a.centre_mm - b.centre_mm))


def _time(thing: Sighting | tuple[int, float]) -> int:
    return thing[0] if isinstance(thing, tuple) else thing.t_us
