"""What (f) reads from its pack, and one burn as (f) looks at it: play, places, faces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rules.event import Event
from rules.pack import Pack
from rules.ruling import Sight
from rules.skeletons.burn import Burn
from rules.skeletons.cards import BUCKET, UNSURE, Card, sure, zone_of
from rules.skeletons.tally import S_US, Interval, Tally, Tolerances, tally, worth

SHOE = "shoe"


@dataclass(frozen=True, slots=True)
class BurnLaw:
    """The pack's numbers and the licensee's choices, as (f) reads them.

    `values`: what a rank counts. `area`: zones where a card may rest on its way. `proof_cards`: so many burned
    cards prove a fresh shoe where nothing else does. `felt_counts`: cards left on the felt count as drawn.
    `late_us`: so long after the start of play a burned card still belongs to the burn.
    """

    values: Mapping[str, int]
    look: Tolerances
    area: tuple[str, ...]
    proof_cards: int
    felt_counts: bool
    late_us: int


@dataclass(frozen=True)
class Case:
    """One burn at one moment: what the clauses of (f) ask of it."""

    law: BurnLaw
    burn: Burn
    sight: Sight

    # -- when -------------------------------------------------------------------------------------------------------

    @cached_property
    def ends(self) -> tuple[int | None, int, int]:
        """When play started (None: not seen to), until when cards were drawn for the burn, and when that was known."""
        burn = self.burn
        if burn.dealt_us is not None and burn.play_us is not None and burn.sure_us is not None:
            return burn.dealt_us, burn.play_us, burn.sure_us
        said_us = burn.round_after_burn_us() if self.sight.ended else None
        if said_us is not None:
            return said_us, said_us, said_us
        return None, self.sight.now_us, self.sight.now_us

    @property
    def play_us(self) -> int | None:
        """When the first card of play came to lie: the end of the time to burn. None while it was not seen to."""
        return self.ends[0]

    @property
    def drawn_us(self) -> int:
        """Cards drawn from here on are play."""
        return self.ends[1]

    @property
    def known_us(self) -> int:
        """When it was known that play had started."""
        return self.ends[2]

    @cached_property
    def first_us(self) -> int:
        """When the first card was first heard of; before one was, when the shoe was opened."""
        return self.burn.opened_us if self.burn.first is None else self.burn.first.start_us

    @cached_property
    def exposed_us(self) -> int:
        """When the first card showed its face; if it did not, when it was drawn."""
        return next((event.t_us for event in self.burn.exposed if sure(event)), self.first_us)

    # -- what -------------------------------------------------------------------------------------------------------

    @property
    def straight_to_play(self) -> bool:
        """Whether the first card of the shoe was dealt: there was no burn."""
        first, deal = self.burn.first, self.burn.deal
        return first is None or (deal is not None and first is deal[0][1])

    @cached_property
    def value(self) -> tuple[Interval, list[Event]] | None:
        """What the first card is worth, and what its rank was read from; None if its face was never shown."""
        return worth(self.burn, self.law.values)

    @cached_property
    def valued_us(self) -> int:
        """When the first card's rank was first told; when it showed its face, if it was not."""
        read = [] if self.value is None else self.value[1]
        return min((event.end_us for event in read), default=self.exposed_us)

    @cached_property
    def additional(self) -> Tally:
        """The additional cards when play started, or now."""
        hidden = self.law.look.hidden_cards(self.sight, self.first_us, self.drawn_us)
        if self.play_us is not None:
            return tally(self.burn, self.drawn_us, self.play_us, hidden)
        so_far = tally(self.burn, None, None, hidden)
        # A card that lies on the felt before play may still be on its way, into the bucket or to a hand.
        return replace(so_far, felt=(), doubtful=(*so_far.felt, *so_far.doubtful))

    @cached_property
    def count(self) -> Interval:
        """How many additional cards."""
        return self.additional.count(self.law.felt_counts)

    @cached_property
    def burned(self) -> Tally:
        """The first card and the additional ones, by where they lay when play started."""
        first, cards = self.burn.first, self.additional
        if first is None:
            return cards
        last = first.rests(self.play_us)
        if last is None or zone_of(last) == UNSURE:
            return replace(cards, lost=(first, *cards.lost))
        in_bucket = zone_of(last) == BUCKET
        if not sure(last) or (not in_bucket and self._may_have_gone(first, zone_of(last))):
            return replace(cards, doubtful=(first, *cards.doubtful))
        if in_bucket:
            return replace(cards, bucket=(first, *cards.bucket))
        return replace(cards, felt=(first, *cards.felt))

    def _may_have_gone(self, first: Card, zone: str) -> bool:
        """Whether a machine may have missed how the first card, lying where it belongs, was swept into the bucket."""
        followed = any(card.maybe_another for card in self.additional.bucket)
        return first.number is not None and (zone in self.law.area or followed)

    @property
    def short(self) -> bool:
        """Whether cards were surely still owed when play started."""
        return self.value is not None and self.count.high < self.value[0].low

    @property
    def maybe_short(self) -> bool:
        """Whether cards may still have been owed when play started."""
        return self.value is not None and self.count.low < self.value[0].high

    # -- whether anybody looked ---------------------------------------------------------------------------------------

    def looked(self, start_us: int, end_us: int, zones: Sequence[str] = (SHOE, BUCKET)) -> bool:
        """Whether an act between the two moments would have been seen."""
        return self.law.look.looked(self.sight, start_us, end_us, zones)

    @property
    def blind(self) -> bool:
        """Whether too little of the burn was in view to say anything."""
        return self.law.look.blind(self.sight, self.exposed_us, self.drawn_us, (SHOE, BUCKET))


def face_of(event: Event) -> str:
    """What an event says of a card's face: up, down, unsure, or unsaid."""
    return "up" if event.kind == "card.exposed" else str(event.facts.get("face", "")) or "unsaid"


def surely_down(card: Card) -> bool:
    """Whether it surely came to rest face down; that it showed its face on the way is another event."""
    last = card.rests(None)
    return last is not None and face_of(last) == "down" and sure(last)


def in_bucket(card: Card, by_us: int | None) -> bool:
    """Whether a card surely lay in the bucket at a moment (None: in the end)."""
    last = card.rests(by_us)
    return last is not None and zone_of(last) == BUCKET and sure(last)


def rests_of(cards: Sequence[Card], by_us: int | None = None) -> list[Event]:
    """Where each of the cards came to rest, of those that did."""
    return [event for event in (card.rests(by_us) for card in cards) if event is not None]


def law_of(pack: Pack, chosen: Mapping[str, Any]) -> BurnLaw:
    """The numbers of (f) from a pack and the licensee's choices."""
    look = Tolerances(
        act_us=round(pack.number("burn_act_s") * S_US),
        draw_us=round(pack.number("draw_period_min_s") * S_US),
        share=pack.number("coverage_share"),
        blind_share=pack.number("blind_share"),
    )
    return BurnLaw(
        values=pack.number("burn_values"),
        look=look,
        area=tuple(pack.number("burn_area_zones")),
        proof_cards=pack.number("burn_proof_cards"),
        felt_counts=bool(pack.option("cards_on_felt_count", chosen)),
        late_us=round(pack.number("late_burn_s") * S_US),
    )
