"""Where a card out of the shoe goes: laid on the felt, dealt, into the bucket, or nobody knows.

A burn is a card that was followed into the discard bucket, or lost from sight on the way while a hand went there; one
of a pile goes where the pile goes. Each says how sure it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from vision.bucket import Bucket
from vision.card import Card
from vision.carrier import HandLog
from vision.hands import Hand
from vision.laying import FOUND_MM, lies_as_before, waits_us
from vision.piles import covering
from vision.places import Places
from vision.shown import read_lying, was_shown
from vision.sighting import Sighting
from vision.twins import seen_apart
from vision.view import COVER_US

Emit = Callable[..., None]

#: A card lost from sight is looked for this long.
SEARCH_US = 2_500_000
#: A card that vanished over the bucket has fallen in after this.
FALLEN_US = 300_000
#: ... of a clear view of the bucket, so that what lies there is seen; no longer than this, though.
FALLEN_LATEST_US = 1_100_000
#: It was put in no later than this, however long the hand stays.
CARRIED_IN_US = 700_000
#: A card put into a covered bucket is waited for longer: by then the cover is known to be no passing hand.
COVERED_LATEST_US = 1_700_000
#: ... and one that was lost so shortly before was on its way.
BESIDE_US = 150_000
#: After so long nothing is said any more of what happened in the dark.
FORGOTTEN_US = 30_000_000
#: A card that vanished short of it counts as burned only after this, if nothing else explains it.
HANDED_IN_US = 550_000
#: A card that came over the bucket and did not leave it lies there after this, whatever the detector makes of it.
ENTERED_LATEST_US = 1_600_000
#: ... and came to lie within this.
FALLS_US = 500_000
#: A card in the bucket is looked at for so long, to see which side is up.
SETTLED_US = 500_000
#: No hand is faster: one that is at the bucket sooner did not bring this card.
HAND_SPEED_MM_S = 2300.0
#: How sure it is that a card went with the rest of its pile.
RIDER = 0.9
#: A card that was drawn, as it seemed, and never came to lie anywhere: it may not have been one.
PHANTOM = 0.45
#: A card that lay, and is missed for so long, may have been taken up; it shows again near by.
TAKEN_UP_US = 200_000
IN_PLAY = ("player", "banker")


#: Two that come into the bucket within so long, the one not seen drawn as surely as this, may be one.
TOGETHER_US = 500_000
SEEN_DRAWN = 0.8


class Fates:
    """`follow(card, t_us, hands)` for each of the `cards` out of the shoe; reports draws, places and burns."""

    def __init__(self, places: Places, emit: Emit, cards: list[Card], log: HandLog) -> None:
        self._places = places
        self._log = log
        self._told = emit
        self._cards = cards
        self._bucket = Bucket()
        self._first: Card | None = None
        self._round = 0
        self._begun: Card | None = None  # the one card dealt so far: a round, or a card of the burn gone astray
        self._burned: tuple[int, Card] | None = None  # the card that came into the bucket last, and when
        #: Ids of tracks that lie in the bucket already.
        self.buried: set[int] = set()
        self._lost: list[Card] = []
        self._covered = False
        self._blind: dict[int, int] = {}  # when the bucket was covered for long: from, until

    def _emit(self, card: Card, kind: str, span_us: tuple[int, int], facts: dict[str, Any], confidence: float) -> None:
        if not card.doubted:
            self._told(kind, *span_us, facts, confidence)

    def new_shoe(self) -> None:
        """A new shoe: burns are numbered from 0 again and the next cards dealt start round one."""
        self._round, self._first, self._lost, self._begun = 0, None, [], None
        self._bucket.new_shoe()

    def look(self, t_us: int, covered_us: int | None) -> None:
        """Notes since when the bucket has been covered at `t_us`, None while it is in view."""
        self._covered = covered_us is not None
        if covered_us is not None and t_us - covered_us >= COVER_US:
            self._blind[covered_us] = t_us
            self._blind = {since: until for since, until in self._blind.items() if t_us - until <= FORGOTTEN_US}

    def _unseen(self, t_us: int) -> bool:
        """Whether the bucket was covered at that moment for longer than it takes to lay a card in."""
        return any(since - BESIDE_US <= t_us <= until for since, until in self._blind.items())

    def tell_draw(self, card: Card, at_most: float = 1.0) -> None:
        """Reports the card's draw, once: when its fate is known, so that a phantom never counts as a card for sure."""
        if not card.drawn or card.told:
            return
        card.told = True
        facts = {"source": "shoe", "hand": card.hand, "card": card.number}
        self._emit(card, "card.draw", (card.drawn_us, card.pulled_us), facts, min(card.confidence, at_most))

    def follow(self, card: Card, t_us: int, hands: Sequence[Hand]) -> None:
        """Says where the card has gone, if that can be said by now."""
        seen = card.last.t_us == t_us
        if seen:
            self._follow_seen(card, t_us, hands)
        else:
            self._follow_unseen(card, t_us, hands)

    def _follow_seen(self, card: Card, t_us: int, hands: Sequence[Hand]) -> None:
        track = card.track
        card.hand_over_bucket_us = card.rides_on = None
        if not self._places.in_bucket(card.last.centre_mm):
            card.entered_us = None
        elif card.entered_us is None:
            card.entered_us = t_us
        elif t_us - card.entered_us >= ENTERED_LATEST_US:
            self._burn(card, t_us, 0.95)
            return
        if card.exposed_us is None and card.face != "down" and was_shown(card):
            card.exposed_us = card.last.t_us
        if track is None or track.rest_us is None:
            return
        if self._places.in_bucket(card.last.centre_mm):
            if t_us - track.rest_us >= SETTLED_US:
                self._burn(card, track.rest_us, 1.0)
            return
        self._tell_reading(card, t_us)
        rest_us = track.rest_us
        if card.placed_us == rest_us or t_us - rest_us < waits_us(card, rest_us, hands, self._log):
            return
        if lies_as_before(card):
            card.placed_us = rest_us
        else:
            self._place(card, rest_us)

    def _follow_unseen(self, card: Card, t_us: int, hands: Sequence[Hand]) -> None:
        last, track = card.last, card.track
        gone_us = t_us - last.t_us
        lying = track is not None and track.rest_us is not None and not track.ended
        if self._places.in_bucket(last.centre_mm):
            if any(self._places.hand_in_bucket(h.sighting.quad_mm) for h in hands):
                card.hidden_us = t_us
            if self._covered:
                card.hidden_us = t_us
            clear_us = t_us - max(last.t_us, card.hidden_us)
            if clear_us >= FALLEN_US or gone_us >= (COVERED_LATEST_US if self._covered else FALLEN_LATEST_US):
                self._burn(card, last.t_us, 0.95)
            return
        if self._in_a_pile(card, t_us):
            return
        there = any(self._places.hand_in_bucket(h.sighting.quad_mm) for h in hands)
        if there and gone_us >= 1e6 * self._places.to_bucket_mm(last.centre_mm) / HAND_SPEED_MM_S:
            card.hand_over_bucket_us = t_us
        if lying and card.placed_us is not None and gone_us < SEARCH_US:
            return
        headed = track is not None and self._places.headed_for_bucket(last.centre_mm, track.velocity_mm_s())
        handed_in = card.hand_over_bucket_us is not None and (card.placed_us is None or _taken_by_hand(card))
        wait_us = COVERED_LATEST_US if self._covered else HANDED_IN_US
        if gone_us >= wait_us and (headed or handed_in):
            in_us = min(card.hand_over_bucket_us or last.t_us, last.t_us + CARRIED_IN_US)
            self._burn(card, in_us, 0.85 if headed else 0.7)
        elif gone_us > SEARCH_US and not lying:
            self._lose(card)

    def lost_at(self, sighting: Sighting) -> Card | None:
        """The card that was given up and lay where one is seen now; it was there all the time."""
        for card in self._lost:
            if card.lay is not None and float(np.linalg.norm(card.lay.centre_mm - sighting.centre_mm)) <= FOUND_MM:
                self._lost.remove(card)
                card.gone = False
                return card
        return None

    def _in_a_pile(self, card: Card, t_us: int) -> bool:
        """Whether an unseen card lies under or upon another one, or went with it: then it shares its way."""
        other = covering(card, self._cards, t_us)
        if other is not None:
            card.rides_on = other
            if card.placed_us is None:
                self._place(card, card.last.t_us)
            return True
        return card.rides_on is not None and card.rides_on in self._cards

    def _lose(self, card: Card) -> None:
        """Gives a card up. Of one that lay on the felt it is said that it lies there no more: nobody knows where."""
        card.gone = True
        if card.lay is not None:
            self._lost.append(card)
        self.tell_draw(card, PHANTOM)
        for rider in self._riders(card):
            self._lose(rider)
        if card.source == "shoe" and card.placed_us is not None and not card.in_play:
            hand = self._log.carrier(card.sightings, card.last.t_us)
            facts = {"zone": "unsure", "hand": hand, "face": card.face, "card": card.number}
            self._emit(card, "card.place", (card.last.t_us, card.last.t_us), facts, min(card.confidence, PHANTOM))
            card.placed_zone = "unsure"

    def _place(self, card: Card, rest_us: int) -> None:
        self._settle_first()
        self.tell_draw(card)
        zone = self._places.zone(card.last.quad_mm)
        card.placed_us, card.placed_zone, card.lay = rest_us, zone, card.last
        card.laid_us = rest_us if card.laid_us is None else card.laid_us
        card.lays.append(card.last)
        dealt = zone in IN_PLAY or zone.startswith("seat:")
        if dealt and card.source == "shoe" and not card.in_play:
            self._round_maybe(card)
        card.in_play = card.in_play or dealt
        lay_us = max(rest_us, card.turned_us)
        hand = self._log.carrier(card.sightings, lay_us)
        facts = {"zone": zone, "hand": hand, "face": card.face, "card": card.number}
        if card.face == "up" and card.vote.settled:
            facts.update(card.vote.facts())
            card.rank_told = "rank" in facts
        self._emit(card, "card.place", (lay_us, lay_us), facts, card.confidence)

    def _tell_reading(self, card: Card, t_us: int) -> None:
        """Tells the first card's rank once it is sure, while it lies there: cards too many are so at once."""
        facts = read_lying(card, t_us) if self._is_first(card) else None
        if facts is not None:
            card.rank_told = True
            self._emit(card, "card.exposed", (t_us - facts["duration_us"], t_us), facts, card.confidence)

    def _round_maybe(self, card: Card) -> None:
        """Two cards dealt after a pause start a round; it started just before the first of them was drawn.

        One card alone before a player may be a card of the burn that missed the bucket, and is yet put in.
        """
        if self._begun is not None and self._begun is not card:
            self._tell_round(self._begun)
        elif not any(c.in_play for c in self._cards):
            self._begun = card

    def _tell_round(self, card: Card) -> None:
        self._begun = None
        # a card that a hand still touches is told of late, so another one of the round may have come first
        dealt = [c for c in self._cards if c.drawn and c is not self._first]
        dealt = [c for c in dealt if self._places.zone(c.last.quad_mm) in IN_PLAY]
        start_us = min([card.drawn_us, *(c.drawn_us for c in dealt)])
        self._round += 1
        self._emit(card, "round.start", (start_us, start_us), {"round": self._round}, card.confidence)

    def _burn(self, card: Card, t_us: int, confidence: float) -> None:
        """Reports that a card lies in the bucket since `t_us`, or soon after it came there at the latest."""
        card.burned = True
        if card.entered_us is not None:
            t_us = min(t_us, card.entered_us + FALLS_US)
        confidence = min(confidence, PHANTOM) if self._unseen(t_us) else confidence
        self.tell_draw(card)
        if card.track is not None:
            self.buried.add(card.track.id)
            card.track.buried = True
        if card is self._begun and self._latest_drawn(card):
            self._begun, card.in_play = None, False
        if card.in_play or card.source == "unsure" or card.doubted:
            return
        self._settle_first()
        facts = self._bucket.put(card, first=self._is_first(card), shown=self._first)
        start_us = t_us
        if self._is_first(card) and facts["face"] == "up":
            start_us = min(card.laid_us or card.exposed_us or t_us, t_us)
        sure = confidence * card.confidence
        if card.confidence < SEEN_DRAWN and self._came_with_another(card, t_us):
            sure = min(sure, PHANTOM)  # one that nobody saw drawn, with another: perhaps the same one found again
        self._burned = (t_us, card)
        self._emit(card, "card.burn", (start_us, t_us), facts, sure)
        for rider in self._riders(card):
            self._burn(rider, t_us, confidence * RIDER)

    def _came_with_another(self, card: Card, t_us: int) -> bool:
        """Whether one came into the bucket just before that may be the same: the two were not seen apart."""
        if self._burned is None:
            return False
        before_us, before = self._burned
        return abs(t_us - before_us) <= TOGETHER_US and not seen_apart(before, card)

    def _latest_drawn(self, card: Card) -> bool:
        """Whether nothing has been drawn since: a card that lies alone before a player has not been played with."""
        return all(c.drawn_us <= card.drawn_us for c in self._cards if c.drawn)

    def _riders(self, card: Card) -> list[Card]:
        """The cards of its pile that have not shown again."""
        return [c for c in self._cards if c.rides_on is card and not c.burned and not c.gone]

    def _settle_first(self) -> None:
        """The first card of the shoe is the first drawn one that has not proved a phantom by the time one is laid."""
        if self._first is None:
            drawn = [c for c in self._cards if c.drawn and not c.doubted]
            self._first = min(drawn, key=lambda c: c.number, default=None)

    def _is_first(self, card: Card) -> bool:
        return card is self._first

    def finish(self, t_us: int) -> None:
        """Closes what can still be closed at the end of the stream."""
        for card in self._cards:
            if self._places.in_bucket(card.last.centre_mm) and not card.burned:
                self._burn(card, card.last.t_us, 0.8)
            self.tell_draw(card)
        if self._begun is not None:
            self._tell_round(self._begun)


def _taken_by_hand(card: Card) -> bool:
    """Whether a card that lay was under a hand when it was lost, and is not where it lay."""
    track = card.track
    if track is None or not track.ended or card.hand_over_bucket_us is None:
        return False
    return card.last.t_us < track.covered_us <= card.hand_over_bucket_us + TAKEN_UP_US
