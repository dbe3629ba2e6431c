"""The card ledger: which card left the shoe, and where it went.

Cards are counted by evidence, never by the number of track ids. A draw is a card that came from the shoe's exit, or
one that appeared in a hand which had just been there. A burn is a card that was followed into the discard bucket, or
lost from sight on the way while a hand went there. Each says how sure it is.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np

from vision.bucket import Bucket
from vision.card import Card
from vision.hands import Hand, nearest_hand
from vision.identity import exchange, mixed_up, passed_over, whose_place
from vision.piles import covering
from vision.places import Places
from vision.read import RankVote
from vision.sighting import Points, Sighting, overlap
from vision.track import Track
from vision.visits import Visits

Emit = Callable[..., None]

#: A card counts as drawn once it is this far out of the shoe.
DRAWN_MM = 60.0
#: Nobody draws two cards one after the other in less than this.
SAME_DRAW_US = 280_000
#: A card lost from sight is looked for this long.
SEARCH_US = 2_500_000
#: A card that vanished over the bucket has fallen in after this.
FALLEN_US = 300_000
#: A card that vanished short of it counts as burned only after this, if nothing else explains it.
HANDED_IN_US = 550_000
#: A card in the bucket is looked at for so long, to see which side is up.
SETTLED_US = 500_000
#: How sure it is that a card went with the rest of its pile.
RIDER = 0.9
#: A card that was drawn, as it seemed, and never came to lie anywhere: it may not have been one.
PHANTOM = 0.45
#: Hands reach the exit this long before the card shows.
TOUCH_US = 150_000
#: A card is not laid down before it has lain so long; longer where a hand still covers it.
LAID_US = 250_000
LAID_UNDER_HAND_US = 1_500_000
#: A hand that touches the card, or comes so near, may still hold it.
TOUCHING_MM = 25.0
#: A hand whose middle is this near to a moving card's carries it.
HOLDING_MM = 190.0
#: A lost card is looked for where a hand can have taken it.
HAND_REACH_MM = 90.0
HAND_SPEED_MM_S = 2300.0
#: A card that lay, and is missed for so long, may have been taken up; it shows again near by.
TAKEN_UP_US = 200_000
TAKEN_UP_MM = 170.0
IN_PLAY = ("player", "banker")


class Ledger:
    """`step(...)` follows the cards of one moment and reports draws, places and burns through `emit`."""

    def __init__(self, places: Places, emit: Emit) -> None:
        self._places = places
        self._emit = emit
        self._numbers = itertools.count(1)
        self.cards: list[Card] = []
        self._standing: set[int] = set()  # ids of tracks that lay there before, or lie in the bucket already
        self._visits = Visits(places)
        self._bucket = Bucket()
        self._first: Card | None = None
        self.draws = 0
        self._round = 0
        self._start_us: int | None = None
        #: Set while the shoe must be empty, its cards being on the table: whatever looks like a draw is doubted.
        self.held = False

    # -- one moment ---------------------------------------------------------------------------------------------

    def step(self, t_us: int, tracks: Sequence[Track], hands: Sequence[Hand]) -> None:
        """Takes in the living tracks and the dealer's hands at `t_us`."""
        self._start_us = t_us if self._start_us is None else self._start_us
        self._visits.step(t_us, hands)
        self._adopt(t_us, tracks, hands)
        for lay, other in mixed_up(self.cards):
            exchange(lay, other)
        for card in list(self.cards):
            self._follow(card, t_us, hands)
        self.cards = [c for c in self.cards if not (c.burned or c.gone)]

    def new_shoe(self) -> None:
        """A new shoe: burns are numbered from 0 again and the next cards dealt start round one."""
        self._round, self._first = 0, None
        self._bucket.new_shoe()

    # -- where a track comes from --------------------------------------------------------------------------------

    def _adopt(self, t_us: int, tracks: Sequence[Track], hands: Sequence[Hand]) -> None:
        owned = {id(c.track): c for c in self.cards if c.track is not None}
        for track in tracks:
            card = owned.get(id(track))
            if card is not None:
                if track.last.t_us == t_us:
                    card.sightings.append(track.last)
                continue
            if track.confirmed and track.last.t_us == t_us and track.id not in self._standing:
                self._origin(track, t_us, hands)

    def _origin(self, track: Track, t_us: int, hands: Sequence[Hand]) -> None:
        """Says where an unknown track comes from, if that can be said yet."""
        lay = whose_place(self.cards, track.sightings)
        if lay is not None:
            self._put_back(lay, track)
            return
        first = track.sightings[0]
        hidden = self._hidden_near(first, t_us)
        if self._places.near_exit(first.centre_mm):
            if hidden is not None and not self._places.outward(first.centre_mm, hidden.last.centre_mm):
                hidden = None
            if self._places.gone_outward_mm(first.centre_mm, track.last.centre_mm) >= DRAWN_MM:
                again = self._just_drawn(first)
                if again is not None:
                    self._join(again, track)
                else:
                    self._draw(track, first, hands)
            return
        if hidden is not None:
            self._join(hidden, track)
        elif track.rest_us is not None:
            self._found_lying(track, first, t_us)
        elif track.travelled_mm >= 2 * DRAWN_MM and not self._places.in_bucket(first.centre_mm):
            self._appeared_moving(track, first, hands)

    def _put_back(self, lay: Card, track: Track) -> None:
        """A card that lay was passed over, and its name went along with the other: gives both what is theirs."""
        other = passed_over(self.cards, lay) or Card(0, "unsure", track.sightings[0].t_us, "unsure", None, RankVote())
        other.track = track
        other.sightings.extend(track.sightings)
        exchange(lay, other)

    def _hidden_near(self, first: Sighting, t_us: int) -> Card | None:
        """The card lost from sight that this sighting most likely continues."""
        best: tuple[float, Card] | None = None
        for card in self.cards:
            gap_us = first.t_us - card.last.t_us
            distance = float(np.linalg.norm(first.centre_mm - card.last.centre_mm))
            if _may_continue(card, gap_us, distance, t_us - card.last.t_us) and (best is None or distance < best[0]):
                best = (distance, card)
        return best[1] if best else None

    def _just_drawn(self, first: Sighting) -> Card | None:
        """A card drawn so shortly before, and out of sight now, that this must be the same one seen anew."""
        for card in self.cards:
            unseen = card.track is None or card.track.missed_us is not None
            if card.drawn and unseen and 0 <= first.t_us - card.since_us < SAME_DRAW_US:
                return card
        return None

    def _join(self, card: Card, track: Track) -> None:
        card.track = track
        card.sightings.extend(track.sightings)
        card.hand_over_bucket_us = None

    def _draw(self, track: Track, first: Sighting, hands: Sequence[Hand]) -> None:
        hand, distance = nearest_hand(hands, track.last.centre_mm)
        card = self._new(track, "shoe", first.t_us, hand.side if hand and distance < 260 else "unsure")
        visit = self._visits.of_draw(first.t_us)
        touch_us = first.t_us - TOUCH_US
        if visit is not None:
            touch_us = max(visit.from_us, first.t_us - 2 * TOUCH_US)
            visit.used = True
        self._report_draw(card, max(touch_us, 0), track.last.t_us, confidence=1.0)

    def _appeared_moving(self, track: Track, first: Sighting, hands: Sequence[Hand]) -> None:
        """A card on the move that nobody saw leave: drawn under the hand, if a hand was just at the exit."""
        visit = self._visits.before(first.t_us)
        hand, _ = nearest_hand(hands, track.last.centre_mm)
        if visit is None:
            card = self._new(track, "unsure", first.t_us, "unsure")
            card.confidence = 0.4
            return
        visit.used = True
        card = self._new(track, "shoe", visit.from_us, self._places.shoe_side if hand else "unsure")
        self._report_draw(card, visit.from_us, first.t_us, confidence=0.65)

    def _found_lying(self, track: Track, first: Sighting, t_us: int) -> None:
        """A card at rest that nobody saw arrive: it lay there before, or was laid under a hand."""
        self._standing.add(track.id)

    def _new(self, track: Track, source: str, since_us: int, hand: str) -> Card:
        card = Card(next(self._numbers), source, since_us, hand, track, RankVote())
        card.sightings.extend(track.sightings)
        self.cards.append(card)
        return card

    def _report_draw(self, card: Card, t_us: int, end_us: int, confidence: float) -> None:
        card.drawn, card.drawn_us = True, t_us
        card.confidence = min(confidence, PHANTOM) if self.held else confidence
        card.pulled_us = end_us
        self.draws += 1

    def _tell_draw(self, card: Card, at_most: float = 1.0) -> None:
        """Reports the card's draw, once: when its fate is known, so that a phantom never counts as a card for sure."""
        if not card.drawn or card.told:
            return
        card.told = True
        facts = {"source": "shoe", "hand": card.hand, "card": card.number}
        self._emit("card.draw", card.drawn_us, card.pulled_us, facts, min(card.confidence, at_most))

    # -- where a card goes ---------------------------------------------------------------------------------------

    def _follow(self, card: Card, t_us: int, hands: Sequence[Hand]) -> None:
        seen = card.last.t_us == t_us
        if seen:
            self._follow_seen(card, t_us, hands)
        else:
            self._follow_unseen(card, t_us, hands)

    def _follow_seen(self, card: Card, t_us: int, hands: Sequence[Hand]) -> None:
        track = card.track
        card.hand_over_bucket_us = card.rides_on = None
        if card.exposed_us is None and card.face != "down" and _was_shown(card):
            card.exposed_us = card.last.t_us
        if track is None or track.rest_us is None:
            hand, distance = nearest_hand(hands, card.last.centre_mm)
            if hand is not None and distance < HOLDING_MM:
                card.carried_by = hand.side
            return
        if self._places.in_bucket(card.last.centre_mm):
            if t_us - track.rest_us >= SETTLED_US:
                self._burn(card, track.rest_us, 1.0)
            return
        held = any(touches(h.sighting.quad_mm, card.last.quad_mm) for h in hands)
        lain_us = t_us - track.rest_us
        if card.placed_us != track.rest_us and lain_us >= (LAID_UNDER_HAND_US if held else LAID_US):
            self._place(card, track.rest_us)

    def _follow_unseen(self, card: Card, t_us: int, hands: Sequence[Hand]) -> None:
        last, track = card.last, card.track
        gone_us = t_us - last.t_us
        lying = track is not None and track.rest_us is not None and not track.ended
        if self._places.in_bucket(last.centre_mm):
            if gone_us >= FALLEN_US:
                self._burn(card, last.t_us, 0.95)
            return
        if self._in_a_pile(card, t_us):
            return
        if any(self._places.hand_in_bucket(h.sighting.quad_mm) for h in hands):
            card.hand_over_bucket_us = t_us
        if lying and card.placed_us is not None and gone_us < SEARCH_US:
            return
        headed = track is not None and self._places.headed_for_bucket(last.centre_mm, track.velocity_mm_s())
        handed_in = card.hand_over_bucket_us is not None and (card.placed_us is None or _taken_by_hand(card))
        if gone_us >= HANDED_IN_US and (headed or handed_in):
            self._burn(card, card.hand_over_bucket_us or last.t_us, 0.85 if headed else 0.7)
        elif gone_us > SEARCH_US and not lying:
            self._lose(card)

    def _in_a_pile(self, card: Card, t_us: int) -> bool:
        """Whether an unseen card lies under or upon another one, or went with it: then it shares its way."""
        other = covering(card, self.cards, t_us)
        if other is not None:
            card.rides_on = other
            if card.placed_us is None:
                self._place(card, card.last.t_us)
            return True
        return card.rides_on is not None and card.rides_on in self.cards

    def _lose(self, card: Card) -> None:
        """Gives a card up. Of one that lay on the felt it is said that it lies there no more: nobody knows where."""
        card.gone = True
        self._tell_draw(card, PHANTOM)
        for rider in self._riders(card):
            self._lose(rider)
        if card.source == "shoe" and card.placed_us is not None and not card.in_play:
            facts = {"zone": "unsure", "hand": card.carried_by, "face": card.face, "card": card.number}
            self._emit("card.place", card.last.t_us, card.last.t_us, facts, min(card.confidence, PHANTOM))

    def _place(self, card: Card, rest_us: int) -> None:
        self._settle_first()
        self._tell_draw(card)
        zone = self._places.zone(card.last.quad_mm)
        card.placed_us, card.placed_zone, card.lay = rest_us, zone, card.last
        dealt = zone in IN_PLAY or zone.startswith("seat:")
        if dealt and card.source == "shoe" and not card.in_play:
            self._round_maybe(card)
        card.in_play = card.in_play or dealt
        facts = {"zone": zone, "hand": card.carried_by, "face": card.face, "card": card.number}
        if card.face == "up":
            facts.update(card.vote.facts())
        self._emit("card.place", rest_us, rest_us, facts, card.confidence)

    def _round_maybe(self, card: Card) -> None:
        """The first card dealt after a pause starts a round; it started just before that card was drawn."""
        if any(c.in_play for c in self.cards):
            return
        # a card that a hand still touches is told of late, so another one of the round may have come first
        dealt = [c for c in self.cards if c.drawn and c is not self._first]
        dealt = [c for c in dealt if self._places.zone(c.last.quad_mm) in IN_PLAY]
        start_us = min((c.drawn_us for c in dealt), default=card.drawn_us)
        self._round += 1
        self._emit("round.start", start_us, start_us, {"round": self._round}, card.confidence)

    def _burn(self, card: Card, t_us: int, confidence: float) -> None:
        card.burned = True
        self._tell_draw(card)
        if card.track is not None:
            self._standing.add(card.track.id)
        if card.in_play or card.source == "unsure":
            return
        self._settle_first()
        facts = self._bucket.put(card, first=self._is_first(card))
        start_us = t_us
        if self._is_first(card) and facts["face"] == "up":
            start_us = min(card.placed_us or card.exposed_us or t_us, t_us)
        self._emit("card.burn", start_us, t_us, facts, confidence * card.confidence)
        for rider in self._riders(card):
            self._burn(rider, t_us, confidence * RIDER)

    def _riders(self, card: Card) -> list[Card]:
        """The cards of its pile that have not shown again."""
        return [c for c in self.cards if c.rides_on is card and not c.burned and not c.gone]

    def _settle_first(self) -> None:
        """The first card of the shoe is the first drawn one that has not proved a phantom by the time one is laid."""
        if self._first is None:
            self._first = min((c for c in self.cards if c.drawn), key=lambda c: c.number, default=None)

    def _is_first(self, card: Card) -> bool:
        return card is self._first

    def finish(self, t_us: int) -> None:
        """Closes what can still be closed at the end of the stream."""
        for card in self.cards:
            if self._places.in_bucket(card.last.centre_mm) and not card.burned:
                self._burn(card, card.last.t_us, 0.8)
            self._tell_draw(card)


def _was_shown(card: Card) -> bool:
    """Whether its face was in view; in doubt yes, if it lies face up now: showing the first card is what is asked."""
    showed = card.showed_face
    return showed == "yes" or (showed == "unsure" and card.face == "up")


def _taken_by_hand(card: Card) -> bool:
    """Whether a card that lay was under a hand when it was lost, and is not where it lay."""
    track = card.track
    if track is None or not track.ended or card.hand_over_bucket_us is None:
        return False
    return card.last.t_us < track.covered_us <= card.hand_over_bucket_us + TAKEN_UP_US


def touches(hand_mm: Points, card_mm: Points) -> bool:
    """Whether a hand's outline, widened by `TOUCHING_MM`, meets the card's."""
    middle = hand_mm.mean(axis=0)
    reach = np.linalg.norm(hand_mm - middle, axis=1, keepdims=True)
    wide = middle + (hand_mm - middle) * (reach + TOUCHING_MM) / np.maximum(reach, 1e-6)
    return overlap(wide, card_mm) > 0.01


def _may_continue(card: Card, gap_us: int, distance_mm: float, unseen_us: int) -> bool:
    """Whether a sighting so much later and so far off can be the same card, lost from sight in between.

    A card that lay is believed taken up only once it has been missed for `unseen_us` up to now: one that the detector
    lost for a frame must not be carried off by another that passes.
    """
    if (card.track is not None and card.track.missed_us is None) or not 0 <= gap_us <= SEARCH_US:
        return False
    laid = card.track is not None and card.track.rest_us is not None and card.placed_us == card.track.rest_us
    if laid:
        reach_mm = max(TAKEN_UP_MM, HAND_REACH_MM + HAND_SPEED_MM_S * gap_us / 1e6)
        return unseen_us >= TAKEN_UP_US and distance_mm <= reach_mm
    return distance_mm <= HAND_REACH_MM + HAND_SPEED_MM_S * gap_us / 1e6
