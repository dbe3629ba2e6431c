"""A card as events tell of it: drawn, laid, shown, put into the bucket.

Events that carry the fact `card` (a custody number) are bound by it. Others are bound by order: what is laid or burned
is the card drawn last whose place is not known yet; without one, a card that lies on the felt.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rules.event import Event

#: Below this confidence an event makes something possible, not sure.
SURE = 0.5

#: Below this confidence a machine's draw may be a card that lay on the felt, followed anew.
PLAIN_DRAW = 0.9

BUCKET = "discard"
#: A place that the observer could not tell: the card was lost from sight.
UNSURE = "unsure"

KINDS = frozenset({"card.draw", "card.place", "card.burn", "card.exposed"})


def is_hand(zone: object) -> bool:
    """Whether a card in this zone has been dealt to somebody."""
    return zone in ("player", "banker") or str(zone).startswith("seat:")


def sure(event: Event) -> bool:
    """Whether an event is sure enough to accuse or acquit by."""
    return event.confidence >= SURE


def zone_of(event: Event) -> str:
    """Where a card came to lie; a burn that names no zone went into the bucket."""
    return str(event.facts.get("zone", BUCKET if event.kind == "card.burn" else UNSURE))


def amount(facts: Mapping[str, Any]) -> tuple[int, int] | None:
    """How many cards an event tells of, at least and at most; None if it does not say."""
    cards = facts.get("cards")
    pair = list(cards) if isinstance(cards, list | tuple) and cards else [cards, cards]
    low, high = facts.get("cards_low", pair[0]), facts.get("cards_high", pair[-1])
    if low is None and high is None:
        return None
    low = high if low is None else low
    high = low if high is None else high
    return int(low), int(high)


@dataclass(frozen=True, slots=True)
class Card:
    """One draw's card (or cards, where two were drawn as one)."""

    number: Any = None
    drawn: Event | None = None
    placed: tuple[Event, ...] = ()
    shown: tuple[Event, ...] = ()
    burned: Event | None = None

    @property
    def start_us(self) -> int:
        """When it was first heard of."""
        return min(event.t_us for event in self.events)

    @property
    def events(self) -> tuple[Event, ...]:
        """All that tells of it."""
        ends = (self.drawn, *self.placed, *self.shown, self.burned)
        return tuple(event for event in ends if event is not None)

    @property
    def maybe_another(self) -> bool:
        """Whether a machine may have taken a card that it had lost for a new one."""
        return self.number is not None and (self.drawn is None or self.drawn.confidence < PLAIN_DRAW)

    @property
    def index(self) -> int | None:
        """Its number in the burn, from 0, if somebody counted."""
        return None if self.burned is None else self.burned.facts.get("index")

    def rests(self, by_us: int | None) -> Event | None:
        """The event that says where it lay at a moment (None: in the end)."""
        known = [e for e in (*self.placed, self.burned) if e is not None and (by_us is None or e.end_us <= by_us)]
        return max(known, key=lambda event: (event.end_us, event.t_us), default=None)

    def amount(self) -> tuple[int, int]:
        """How many cards it is, at least and at most; events that disagree widen the interval."""
        said = [a for a in (amount(e.facts) for e in (self.drawn, self.burned) if e is not None) if a is not None]
        return (min(low for low, _ in said), max(high for _, high in said)) if said else (1, 1)

    def with_event(self, event: Event) -> Card:
        """The card after one more event of its own."""
        if event.kind == "card.draw":
            return replace(self, drawn=self.drawn or event)
        if event.kind == "card.exposed":
            return replace(self, shown=(*self.shown, event))
        if event.kind == "card.burn" and (self.burned is None or not sure(self.burned)):
            return replace(self, burned=event)
        return replace(self, placed=(*self.placed, event))


def with_card_event(cards: tuple[Card, ...], event: Event) -> tuple[Card, ...]:
    """The cards after an event, bound to the card that it tells of."""
    number = event.facts.get("card")
    if number is not None:
        at = next((i for i, card in enumerate(cards) if card.number == number), None)
    else:
        at = None if event.kind == "card.draw" else _by_order(cards, event)
    if at is None:
        return (*cards, Card(number).with_event(event))
    return (*cards[:at], cards[at].with_event(event), *cards[at + 1 :])


def _by_order(cards: tuple[Card, ...], event: Event) -> int | None:
    """Which card an event without a custody number tells of."""
    unbound = [i for i, card in enumerate(cards) if card.number is None]
    on_its_way = [i for i in unbound if cards[i].rests(None) is None and cards[i].drawn is not None]
    if event.kind == "card.burn":
        return _burned_one(cards, unbound, on_its_way, event)
    if event.kind == "card.exposed" and not on_its_way:
        return unbound[-1] if unbound else None
    return on_its_way[-1] if on_its_way else None


def _burned_one(cards: tuple[Card, ...], unbound: list[int], on_its_way: list[int], event: Event) -> int | None:
    lying = [i for i in unbound if _lies_on_felt(cards[i])]
    if event.facts.get("index") == 0:
        first = [i for i in unbound if cards[i].burned is None][:1]
        return first[0] if first == unbound[:1] and first else None
    if on_its_way:
        return on_its_way[-1]
    boxed = [i for i in unbound if cards[i].burned is None and i not in lying]
    later = [i for i in (*lying, *boxed) if i != unbound[0]]
    return next(iter(later or lying), None)


def _lies_on_felt(card: Card) -> bool:
    last = card.rests(None)
    return last is not None and card.burned is None and not is_hand(zone_of(last))
