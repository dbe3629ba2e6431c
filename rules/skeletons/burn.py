"""The burn of a shoe, as a frozen state that events advance: which card was first, what followed, when play started.

Everything here is a fact about the table. What the facts mean is said by the clauses.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from rules.event import Event
from rules.skeletons.cards import BUCKET, Card, is_hand, sure, with_card_event, zone_of
from rules.skeletons.cards import KINDS as CARD_KINDS

KINDS = CARD_KINDS | {"round.start"}


@dataclass(frozen=True)
class Burn:
    """The time from a fresh shoe to the first card of play, and the cards that were drawn in it.

    Args:
        evidence: why the shoe is believed to be fresh: "shoe_load", "empty_bucket", "burned", or "" while it is not.
        key: kind and time of what began it.
        opened_us: when it began.
        since_us: from when on the shoe has to have been in view if nothing is to have been missed.
        signals: the signals that held.
        opened_by: ids of the events that are the evidence.
        cards: in the order in which they were first heard of.
        rounds: when rounds were said to start, with the ids.
        over: nothing more will come.
    """

    evidence: str
    key: str
    opened_us: int
    since_us: int
    signals: Mapping[str, Any] = field(default_factory=dict)
    opened_by: tuple[str, ...] = ()
    cards: tuple[Card, ...] = ()
    rounds: tuple[tuple[int, str], ...] = ()
    over: bool = False

    def ended(self) -> Burn:
        """The same, known to be over: nothing that could change it will come."""
        return replace(self, over=True)

    @property
    def trigger(self) -> str:
        """What the findings get their ids from."""
        return self.key

    @property
    def until_us(self) -> int | None:
        """The view matters until it is over."""
        return None

    def step(self, event: Event) -> Burn:
        """The state after an event."""
        match event.kind:
            case "round.start":
                return replace(self, rounds=(*self.rounds, (event.t_us, event.id)))
            case "card.draw" if event.facts.get("source", "shoe") != "shoe":
                return self
            case kind if kind in CARD_KINDS:
                return replace(self, cards=with_card_event(self.cards, event))
        return self

    # -- which card was what --------------------------------------------------------------------------------------

    @cached_property
    def first(self) -> Card | None:
        """The first card of the shoe: the one counted as 0, or the earliest of those that were surely seen.

        A machine's own count is not asked: it follows from the order in which it saw the cards.
        """
        counted = [
            c for c in self.cards if c.index == 0 and c.number is None and c.burned is not None and sure(c.burned)
        ]
        seen = [card for card in self.cards if any(map(sure, card.events))]
        return min(counted or seen or self.cards, key=lambda card: card.start_us, default=None)

    @cached_property
    def boxed(self) -> list[tuple[Event, Card]]:
        """The cards that came to lie in a hand's box, with the event that says so, in order of time."""
        laid = [(e, card) for card in self.cards for e in card.placed if is_hand(zone_of(e)) and sure(e)]
        return sorted(laid, key=lambda pair: (pair[0].end_us, pair[0].t_us, pair[0].id))

    @cached_property
    def deal(self) -> tuple[tuple[Event, Card], Event] | None:
        """The first card of play with the event that it came to lie, and the event that made that sure.

        One card in a hand's box is not yet play: the first card of a shoe may be shown there, and another may be
        dropped there on its way to the bucket. It was play if a round was announced before it, if a second card
        follows it before any goes into the bucket, or if nothing follows at all.
        """
        for place, (event, card) in enumerate(self.boxed):
            if self._announced(event, card):
                return (event, card), event
            following = next((e for e, c in self.boxed[place + 1 :] if c is not card), None)
            if not self._burn_went_on(event, following) and (following is not None or self.over):
                return (event, card), following or event
        return None

    def _announced(self, event: Event, card: Card) -> bool:
        """Whether a round was said to start just before the draw, by somebody who did not infer it from the card.

        Events with custody numbers come from a machine, whose rounds start with whatever it saw in a box.
        """
        if card.number is not None or card.drawn is None:
            return False
        drawn_us = card.drawn.t_us
        earlier = [e.end_us for c in self.cards if c is not card for e in c.events if e.t_us < drawn_us]
        return any(max(earlier, default=self.opened_us) <= t <= drawn_us for t, _ in self.rounds)

    def _burn_went_on(self, event: Event, following: Event | None) -> bool:
        """Whether a card was burned, or a round only started, between a card in a box and the next one."""
        burned = [card.burned.end_us for card in self.cards if card.burned is not None]
        end_us = None if following is None else following.end_us
        announced = all(card.number is None for card in self.cards)
        moments = [*burned, *(t for t, _ in self.rounds if announced)]
        return any(event.end_us < t and (end_us is None or t <= end_us) for t in moments)

    # -- when play started ----------------------------------------------------------------------------------------

    @property
    def dealt_us(self) -> int | None:
        """When the first card of play came to lie before a player or the banker: the end of the time to burn."""
        return None if self.deal is None else self.deal[0][0].end_us

    @property
    def sure_us(self) -> int | None:
        """When it was sure that this card was play."""
        return None if self.deal is None else self.deal[1].end_us

    @property
    def play_us(self) -> int | None:
        """When that card was drawn: what is drawn from here on is play."""
        if self.deal is None:
            return None
        event, card = self.deal[0]
        if card.drawn is not None:
            return card.drawn.t_us
        return max((t for t, _ in self.rounds if self.opened_us <= t <= event.t_us), default=event.t_us)

    def round_after_burn_us(self) -> int | None:
        """When a round was said to start after the last card was heard of, if no card of it was seen."""
        last = max((event.end_us for card in self.cards for event in card.events), default=self.opened_us)
        return next((t for t, _ in sorted(self.rounds) if t >= last), None)

    # -- what was drawn for the burn --------------------------------------------------------------------------------

    def additional(self, before_us: int | None) -> tuple[Card, ...]:
        """The cards after the first that were drawn before a moment (None: at all) and not dealt to anybody."""
        dealt = None if self.deal is None else self.deal[0][1]
        return tuple(
            card
            for card in self.cards
            if card is not self.first
            and card is not dealt
            and (before_us is None or card.start_us < before_us)
            and (card.drawn is not None or card.burned is not None or all(map(sure, card.events)))
            and not self._in_play(card)
        )

    def _in_play(self, card: Card) -> bool:
        last, dealt_us = card.rests(None), self.dealt_us
        return last is not None and is_hand(zone_of(last)) and dealt_us is not None and last.end_us >= dealt_us

    @property
    def exposed(self) -> tuple[Event, ...]:
        """What showed the first card's face outside the hands' boxes, sure or not, in order of time.

        A card laid face up in a box counts where it turned out that it was not dealt.
        """
        first = self.first
        if first is None:
            return ()
        dealt = None if self.deal is None else self.deal[0][0]
        shows = [e for e in first.events if e.kind == "card.exposed" or e.facts.get("face") == "up"]
        shows = [e for e in shows if e is not dealt and (dealt is None or e.t_us < dealt.t_us)]
        return tuple(sorted(shows, key=lambda event: (event.t_us, event.id)))

    def in_bucket(self, card: Card, by_us: int | None) -> bool:
        """Whether a card was in the bucket at a moment (None: in the end), as far as was seen."""
        last = card.rests(by_us)
        return last is not None and zone_of(last) == BUCKET
