"""Intervals over a burn: what the first card is worth, how many cards followed it, who was looking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.event import Event
from rules.ruling import Sight
from rules.skeletons.burn import Burn
from rules.skeletons.cards import BUCKET, UNSURE, Card, sure, zone_of

S_US = 1_000_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A whole number known to lie between two bounds, both included."""

    low: int
    high: int

    @property
    def single(self) -> int | None:
        """The number, if it is known."""
        return self.low if self.low == self.high else None


@dataclass(frozen=True, slots=True)
class Tolerances:
    """What the pack says about looking.

    `act_us`: the shortest time in which a burn can be missed altogether. `draw_us`: nobody draws cards faster than
    one in this time. `share`: the least share of the time in view that proves an omission. `blind_share`: out of
    view for more than this share of the time, a clause was not observed.
    """

    act_us: int
    draw_us: int
    share: float
    blind_share: float

    def looked(self, sight: Sight, start_us: int, end_us: int, zones: Sequence[str]) -> bool:
        """Whether an act between the two moments would have been seen."""
        enough = sight.coverage.share(start_us, end_us, zones) >= self.share
        return enough and sight.coverage.longest_us(start_us, end_us, zones) <= self.act_us

    def blind(self, sight: Sight, start_us: int, end_us: int, zones: Sequence[str]) -> bool:
        """Whether too little was in view to say anything."""
        return sight.coverage.share(start_us, end_us, zones) < 1.0 - self.blind_share

    def hidden_cards(self, sight: Sight, start_us: int, end_us: int) -> int:
        """How many cards can have left the shoe unseen."""
        return sum((b - a) // self.draw_us for a, b in sight.coverage.gaps(start_us, end_us, ("shoe",)))


def worth(burn: Burn, values: Mapping[str, int]) -> tuple[Interval, list[Event]] | None:
    """What the first card is worth, and the events that its rank was read from; None if its face was never shown.

    Readings that differ widen the interval; without one it is the whole range of values.
    """
    shows = [event for event in burn.exposed if sure(event)]
    if not shows:
        return None
    read = [(e, v) for e in shows for v in _values(e, values)]
    found = [v for _, v in read] or list(values.values())
    return Interval(min(found), max(found)), list(dict.fromkeys(e for e, _ in read))


def _values(event: Event, values: Mapping[str, int]) -> list[int]:
    names = [event.facts[key] for key in ("rank", "rank_low", "rank_high") if event.facts.get(key) is not None]
    if "rank_low" in event.facts or "rank_high" in event.facts:
        names = names if len(names) > 1 else []
    return [values[str(name)] for name in names if str(name) in values]


@dataclass(frozen=True, slots=True)
class Tally:
    """The additional cards of a burn by a moment, sorted by what is known of them.

    Args:
        bucket: seen going into the bucket.
        felt: surely lying elsewhere on the felt.
        doubtful: seen, but not surely.
        lost: drawn, and where they went was not seen.
        hidden: how many more can have been drawn out of view.
    """

    bucket: tuple[Card, ...] = ()
    felt: tuple[Card, ...] = ()
    doubtful: tuple[Card, ...] = ()
    lost: tuple[Card, ...] = ()
    hidden: int = 0

    @property
    def cards(self) -> tuple[Card, ...]:
        """All of them."""
        return (*self.bucket, *self.felt, *self.doubtful, *self.lost)

    @property
    def whole(self) -> bool:
        """Whether every card is accounted for."""
        return not (self.doubtful or self.lost or self.hidden)

    def count(self, felt_counts: bool = True) -> Interval:
        """How many there are, surely to possibly; `felt_counts`: those that lie on the felt are among them."""
        known = (*self.bucket, *self.felt) if felt_counts else self.bucket
        low = sum(card.amount()[0] for card in known)
        high = sum(card.amount()[1] for card in (*known, *self.doubtful, *self.lost))
        return Interval(low, high + self.hidden)


def tally(burn: Burn, drawn_before_us: int | None, by_us: int | None, hidden: int) -> Tally:
    """The additional cards drawn before a moment, by where they were at a later one (None: in the end)."""
    groups: dict[str, list[Card]] = {"bucket": [], "felt": [], "doubtful": [], "lost": []}
    for card in burn.additional(drawn_before_us):
        groups[_group(card, by_us)].append(card)
    if any(card.maybe_another for card in groups["bucket"]):
        # What lay on the felt may be what was then burned as another card.
        groups["doubtful"] += groups["felt"]
        groups["felt"] = []
    bucket, felt, doubtful, lost = (tuple(groups[name]) for name in ("bucket", "felt", "doubtful", "lost"))
    return Tally(bucket, felt, doubtful, lost, hidden)


def _group(card: Card, by_us: int | None) -> str:
    last = card.rests(by_us)
    if last is None or zone_of(last) == UNSURE:
        return "lost"
    if not sure(last):
        return "doubtful"
    return "bucket" if zone_of(last) == BUCKET else "felt"


def strays(card: Card, area: Sequence[str], by_us: int | None) -> list[Event]:
    """When it lay neither in the bucket nor in the dealer's working area, before a moment."""
    return [
        event
        for event in (*card.placed, *((card.burned,) if card.burned else ()))
        if (by_us is None or event.end_us <= by_us) and zone_of(event) not in (BUCKET, UNSURE, *area)
    ]
