"""Tells one shoe from the next: when a fresh shoe is known to be open, and when its burn is over.

A shoe is fresh when it was seen loaded; when the discard bucket was seen empty before the first card that the
recording shows; or when cards go into the bucket before any is dealt. A recording that begins in the middle of a shoe
shows none of these and opens no occasion. Once judged, a shoe is not judged again until it was emptied or loaded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rules.event import Event
from rules.skeletons.burn import KINDS as BURN_KINDS
from rules.skeletons.burn import Burn
from rules.skeletons.cards import BUCKET, KINDS, sure, zone_of

WATCHED = BURN_KINDS | {"shoe.load", "shoe.empty", "rack.empty", "signal"}

#: More cards than this without a burn or a deal belong to no burn.
STRAY_CARDS = 40

#: A draw that was inferred, because a hand hid it, is less sure than this and opens no shoe by itself.
SEEN_DRAWN = 0.8


@dataclass(frozen=True, slots=True)
class Limits:
    """What the pack says about telling shoes apart.

    `fresh`: which evidence counts. `lookback_us`: cards drawn longer ago than this belong to no burn that is only
    now beginning to show. `reload_us`: a shoe is not loaded again sooner than this. `late_us`: cards burned so long
    after play started still belong to the burn.
    """

    fresh: tuple[str, ...] = ("shoe_load", "empty_bucket", "burned")
    lookback_us: int = 60_000_000
    reload_us: int = 20_000_000
    late_us: int = 20_000_000


@dataclass(frozen=True)
class ShoeWatch:
    """`step(event)` gives the next state, and the burn that has just ended.

    Args:
        limits: see `Limits`.
        open: the burn that is going on, or still settling after play started.
        hint: cards seen while no shoe is known to be fresh.
        played: cards of the shoe in use have been dealt, so an empty bucket proves nothing.
        empty: the bucket was seen empty.
        since_us: since when this shoe, or the recording, has been watched.
    """

    limits: Limits = field(default_factory=Limits)
    open: Burn | None = None
    hint: Burn | None = None
    played: bool = False
    empty: Event | None = None
    since_us: int = 0
    signals: Mapping[str, Any] = field(default_factory=dict)

    def step(self, event: Event) -> tuple[ShoeWatch, Burn | None]:
        """The state after an event, and the burn that it ended."""
        burn = self.open
        if burn is not None and burn.dealt_us is not None and event.end_us > burn.dealt_us + self.limits.late_us:
            played = replace(self, open=None, hint=None, played=True, empty=None, since_us=burn.dealt_us)
            after, _ = played.step(event)
            return after, burn
        if event.kind == "shoe.load":
            return self._loaded(event)
        if event.kind == "shoe.empty":
            return replace(self, open=None, hint=None, played=False, empty=None, since_us=event.end_us), burn
        return self._within(event), None

    def _within(self, event: Event) -> ShoeWatch:
        """The state after an event that ends no shoe."""
        match event.kind:
            case "signal":
                name, value = str(event.facts.get("name")), event.facts.get("value")
                return replace(self, signals={**self.signals, name: value})
            case "rack.empty" if self.open is None and not self.played and _bucket_is_empty(event):
                return replace(self, empty=event)._promoted()
            case kind if kind in BURN_KINDS:
                return self._card(event)
        return self

    def _loaded(self, event: Event) -> tuple[ShoeWatch, Burn | None]:
        burn = self.open
        handled = [e.end_us for card in burn.cards for e in card.events if sure(e)] if burn else []
        last_us = max(handled, default=None)
        if last_us is not None and event.end_us - last_us < self.limits.reload_us:
            return self, None
        if "shoe_load" not in self.limits.fresh:
            return replace(self, open=None, hint=None, played=False, empty=None, since_us=event.end_us), burn
        fresh = Burn("shoe_load", f"shoe.load@{event.t_us}", event.t_us, event.end_us, dict(self.signals), (event.id,))
        after = replace(self, open=fresh, hint=None, played=False, empty=None, since_us=event.end_us)
        return after, burn if burn is not None and burn.cards else None

    def _card(self, event: Event) -> ShoeWatch:
        if self.open is not None:
            burn = self.open.step(event)
            return self if burn is self.open else replace(self, open=burn)
        hint = self.hint or Burn("", "", event.t_us, self.since_us)
        recent = tuple(card for card in hint.cards if card.start_us >= event.t_us - self.limits.lookback_us)
        return replace(self, hint=replace(hint, cards=recent, rounds=hint.rounds[-2:]).step(event))._promoted()

    def _promoted(self) -> ShoeWatch:
        """The state with its hint opened as a burn, if there is evidence now, or dropped, if it was play."""
        hint = self.hint
        if hint is None:
            return self
        evidence = self._evidence(hint)
        if evidence:
            return replace(self, open=self._opened(hint, evidence), hint=None, played=False, empty=None)
        if hint.deal is not None or len(hint.cards) > STRAY_CARDS:
            return replace(self, hint=None, played=True, empty=None, since_us=hint.dealt_us or self.since_us)
        return self

    def _evidence(self, hint: Burn) -> str:
        fresh = self.limits.fresh
        drawn = [card.drawn for card in hint.cards if card.drawn is not None]
        boxed = [e.end_us for e, c in hint.boxed if c is not hint.first or e.facts.get("face") != "up"]
        after_empty = [
            d for d in drawn if self.empty is not None and d.t_us >= self.empty.t_us and d.confidence >= SEEN_DRAWN
        ]
        if "empty_bucket" in fresh and any(not boxed or d.t_us < min(boxed) for d in after_empty):
            return "empty_bucket"
        burned = [
            c.burned for c in hint.cards if c.burned is not None and sure(c.burned) and zone_of(c.burned) == BUCKET
        ]
        # Who counts the burn knows it for one. A machine's count starts with whatever it saw first.
        counted = all(card.number is None for card in hint.cards)
        before_play = [
            b for b in burned if not boxed or b.end_us < min(boxed) or (counted and b.facts.get("index") is not None)
        ]
        first_shown = any(b.facts.get("index") == 0 and b.facts.get("face") == "up" for b in before_play)
        if "burned" in fresh and before_play and (first_shown or (drawn and not self.played)):
            return "burned"
        return ""

    def _opened(self, hint: Burn, evidence: str) -> Burn:
        start_us = min(card.start_us for card in hint.cards)
        empty = self.empty if evidence == "empty_bucket" else None
        return replace(
            hint,
            evidence=evidence,
            key=f"card.draw@{start_us}",
            opened_us=start_us,
            since_us=min(self.since_us if empty is None else empty.t_us, start_us),
            signals=dict(self.signals),
            opened_by=() if empty is None else (empty.id,),
        )


def _bucket_is_empty(event: Event) -> bool:
    return event.facts.get("zone") == BUCKET and event.facts.get("cards", 0) == 0


__all__ = ["KINDS", "WATCHED", "Limits", "ShoeWatch"]
