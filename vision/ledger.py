"""The card ledger: which card left the shoe, and where it went.

Cards are counted by evidence, never by the number of track ids. A draw is a card that came from the shoe's exit, or
one that appeared in a hand which had just been there. A burn is a card that was followed into the discard bucket, or
lost from sight on the way while a hand went there. Each says how sure it is.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np

from vision.card import Card
from vision.carrier import HandLog
from vision.continuing import hidden_near, may_continue
from vision.fallen import fallen_there, fell_upon
from vision.fates import PHANTOM, Fates
from vision.hands import Hand, nearest_hand
from vision.identity import exchange, lay_there, mixed_up, passed_over, whose_place
from vision.leaving import follows, leaving, under_hand
from vision.places import Places
from vision.sighting import Sighting
from vision.track import Track
from vision.twins import twins
from vision.visits import Visit, Visits
from vision.vote import RankVote

Emit = Callable[..., None]

#: A card counts as drawn once it is this far out of the shoe.
DRAWN_MM = 60.0
#: Nobody draws two cards one after the other in less than this.
SAME_DRAW_US = 280_000
#: A shoe that gave a card so shortly before is not empty, whatever lies on the table.
QUIET_US = 60_000_000
#: What lies there in the first moments lay there before.
BEFORE_US = 700_000
#: Hands reach the exit this long before the card shows.
TOUCH_US = 150_000
#: A hand that covers the card leaves the exit with it so long after it touched it.
PULL_US = 350_000


class Ledger:
    """`step(...)` follows the cards of one moment and reports draws, places and burns through `emit`."""

    def __init__(self, places: Places, emit: Emit) -> None:
        self._places = places
        self._emit = emit
        self._numbers = itertools.count(1)
        self.cards: list[Card] = []
        self._standing: set[int] = set()  # ids of tracks that lay there before anybody looked
        self._left: dict[int, Card] = {}  # by the id of a track that it was on before
        self._visits = Visits(places)
        self._log = HandLog()
        self._fates = Fates(places, emit, self.cards, self._log)
        self.draws = 0
        self._start_us: int | None = None
        self._held = False
        self._full_us: int | None = None  # when the shoe was filled last
        self._drawn_us: int | None = None  # when a card was drawn last for sure
        self._shown = False  # whether a card that seems drawn was laid face up

    # -- one moment ---------------------------------------------------------------------------------------------

    def step(
        self,
        t_us: int,
        tracks: Sequence[Track],
        hands: Sequence[Hand],
        *,
        held: bool = False,
        bucket_covered_us: int | None = None,
    ) -> None:
        """Takes in the living tracks and the dealer's hands at `t_us`.

        `held`: the shoe must be empty, its cards being on the table, so whatever looks like a draw is none.
        `bucket_covered_us`: since when the bucket has been covered, so that what goes in is not seen to; None while it
        is in view.
        """
        self._held = held
        self._start_us = t_us if self._start_us is None else self._start_us
        self._visits.step(t_us, hands)
        self._log.step(t_us, hands)
        self._adopt(t_us, tracks, hands)
        for card in self.cards:
            self._fell_upon(card, t_us, tracks)
        self._fates.look(t_us, bucket_covered_us)
        for lay, other in mixed_up(self.cards):
            exchange(lay, other)
        for elder, younger in twins(self.cards):
            self._one(elder, younger)
        for card in list(self.cards):
            self._fates.follow(card, t_us, hands)
        self._shown = self._shown or any(c.drawn and c.exposed_us is not None for c in self.cards)
        self.cards[:] = [c for c in self.cards if not (c.burned or c.gone)]

    @property
    def gives(self) -> bool:
        """Whether the shoe gives cards: one was surely drawn from it, or shown. Before, cards may be in the shuffle."""
        return self._drawn_us is not None or self._shown

    def awaits(self, t_us: int) -> bool:
        """Whether a hand was at the shoe so shortly before `t_us` that a card which it took may show now."""
        return self._visits.before(t_us) is not None

    def new_shoe(self, t_us: int) -> None:
        """The shoe is full at `t_us`: burns are numbered from 0 again, the next cards dealt start round one.

        What seems to have been drawn before then came with the stack.
        """
        self._full_us = t_us
        self._fates.new_shoe()

    # -- where a track comes from --------------------------------------------------------------------------------

    def _adopt(self, t_us: int, tracks: Sequence[Track], hands: Sequence[Hand]) -> None:
        owned = {id(c.track): c for c in self.cards if c.track is not None}
        for track in tracks:
            card = owned.get(id(track))
            if card is not None:
                if track.last.t_us == t_us:
                    card.see(track.last)
                continue
            if track.last.t_us != t_us or not track.confirmed:
                continue
            if track.id in self._left:
                self._back_on(track)
            elif track.id not in self._standing and track.id not in self._fates.buried:
                self._origin(track, t_us, hands)

    def _back_on(self, track: Track) -> None:
        """A track that a card had left for another goes on, and the other does not: the card was on it all along."""
        card = self._left[track.id]
        gap_us = track.last.t_us - card.last.t_us
        apart_mm = float(np.linalg.norm(track.last.centre_mm - card.last.centre_mm))
        if card not in self.cards:
            del self._left[track.id]
        elif gap_us > 0 and self._stays_in(card, track) and may_continue(card, gap_us, apart_mm, gap_us):
            del self._left[track.id]
            self._join(card, track)

    def _origin(self, track: Track, t_us: int, hands: Sequence[Hand]) -> None:
        """Says where an unknown track comes from, if that can be said yet."""
        lay = whose_place(self.cards, track.sightings)
        if lay is not None:
            self._put_back(lay, track)
            return
        first = track.sightings[0]
        fallen = fallen_there(self.cards, track, self._places)
        if fallen is not None:
            self._join(fallen, track)
            return
        near = self._places.near_exit(first.centre_mm)
        if near and self._places.gone_outward_mm(first.centre_mm, track.last.centre_mm) >= DRAWN_MM:
            again = self._just_drawn(first)
            if again is not None:
                self._join(again, track)
            else:
                self._draw(track, hands)
            return
        if near and (track.rest_us is None or not self._places.clear_of_shoe(track.last.centre_mm)):
            return
        hidden = hidden_near(self.cards, track, t_us, self._places)
        if hidden is not None and not follows(hidden, first, self._visits.before(first.t_us), self._places):
            self._join(hidden, track)
        elif track.rest_us is not None:
            self._found_lying(track, first, t_us)
        elif not self._places.in_bucket(first.centre_mm):
            self._appeared_moving(track, first)

    def _put_back(self, lay: Card, track: Track) -> None:
        """A card that lay was passed over, and its name went along with the other: gives both what is theirs."""
        other = passed_over(self.cards, lay) or Card(0, "unsure", track.sightings[0].t_us, "unsure", None, RankVote())
        other.track = track
        other.sightings.extend(track.sightings)
        exchange(lay, other)
        if other not in self.cards:  # what moves on is no card known: where its track began says nothing of it
            track.left = False
            if other.track is not None:
                other.track.begin_anew(other.sightings[0].t_us - 1)

    def _stays_in(self, card: Card, track: Track) -> bool:
        return self._places.in_bucket(track.last.centre_mm) or not self._places.in_bucket(card.last.centre_mm)

    def _fell_upon(self, card: Card, t_us: int, tracks: Sequence[Track]) -> None:
        """A card that fell face up upon another face takes over that one's track."""
        upper = fell_upon(card, t_us, tracks, self._places)
        if upper is not None:
            upper.begin_anew(card.last.t_us)
            self._fates.buried.discard(upper.id)
            self._join(card, upper)

    def _just_drawn(self, first: Sighting) -> Card | None:
        """A card drawn so shortly before, and out of sight now, that this must be the same one seen anew."""
        for card in self.cards:
            unseen = card.track is None or card.track.missed_us is not None
            if card.drawn and unseen and 0 <= first.t_us - card.since_us < SAME_DRAW_US:
                return card
        return None

    def _join(self, card: Card, track: Track) -> None:
        if card.track is not None and card.track is not track:
            self._standing.add(card.track.id)  # should it show again, it is no other card
            self._left[card.track.id] = card
            card.track.left = True
        card.track = track
        track.left = False
        since_us = card.last.t_us
        card.sightings.extend(s for s in track.sightings if s.t_us > since_us)
        card.hand_over_bucket_us = None

    def _one(self, elder: Card, younger: Card) -> None:
        """Two that are one card: the elder goes on where either was seen last."""
        if elder not in self.cards or younger not in self.cards:
            return
        self.cards.remove(younger)
        self.draws -= 1
        elder.confidence = max(elder.confidence, younger.confidence)
        elder.vote.take_in(younger.vote)
        elder.face_reads = sorted([*elder.face_reads, *younger.face_reads])
        elder.pair_reads += younger.pair_reads
        goes_on = younger.track if younger.last.t_us > elder.last.t_us else elder.track
        elder.sightings = sorted([*elder.sightings, *younger.sightings], key=lambda s: s.t_us)
        for track in (elder.track, younger.track):
            if track is not None and track is not goes_on:
                self._standing.add(track.id)
                self._left[track.id] = elder
                track.left = True
        elder.track = goes_on

    def _draw(self, track: Track, hands: Sequence[Hand]) -> None:
        first, out_us = leaving(track, self._places)
        visit = self._visits.of_draw(out_us)
        hand, distance = nearest_hand(hands, track.last.centre_mm)
        side = hand.side if hand and distance < 260 else "unsure"
        touch_us = first.t_us - TOUCH_US
        if visit is not None:
            touch_us, side = max(visit.from_us, first.t_us - 2 * TOUCH_US), visit.side or side
            visit.used = True
        card = self._new(track, "shoe", first.t_us, side)
        self._report_draw(card, max(touch_us, 0), track.last.t_us, confidence=1.0)

    def _appeared_moving(self, track: Track, first: Sighting) -> None:
        """A card on the move that nobody saw leave: drawn under the hand, if a hand was just at the exit.

        What comes from a shoe that gives cards need not be followed as far as what comes from anywhere: a card in the
        fingers may be out of sight again after two looks. Before that it may be one of those that are being shuffled.
        """
        visit = self._visits.before(first.t_us)
        if track.travelled_mm < (DRAWN_MM if visit is not None and self.gives else 2 * DRAWN_MM):
            return
        if visit is None:
            card = self._new(track, "unsure", first.t_us, "unsure")
            card.confidence = 0.4
            return
        self._drawn_in(visit, track, first)

    def _drawn_in(self, visit: Visit, track: Track, first: Sighting) -> None:
        """A draw under the hand, some time in its visit to the exit: near the end, as hands rest there before."""
        self._visits.take(visit, track.last.t_us if track.rest_us is None else track.rest_us)
        at_us = max(visit.from_us, min(visit.until_us, first.t_us) - PULL_US)
        card = self._new(track, "shoe", at_us, visit.side or self._places.shoe_side)
        self._report_draw(card, at_us, first.t_us, confidence=under_hand(card, first, visit, self.cards, self._places))

    def _found_lying(self, track: Track, first: Sighting, t_us: int) -> None:
        """A card at rest that nobody saw arrive: it lay there before, or a hand that had been at the shoe laid it.

        A dealer whose hand covers the card all the way shows it only where it comes to lie.
        """
        lost = self._fates.lost_at(first)
        if lost is not None:
            self.cards.append(lost)
            self._join(lost, track)
            return
        owner = lay_there(self.cards, first)
        if owner is not None:
            if owner.last.t_us < t_us:
                self._join(owner, track)
            else:
                self._put_back(owner, track)
            return
        visit = self._visits.before(first.t_us)
        fresh = self._start_us is not None and first.t_us - self._start_us > BEFORE_US
        if visit is None or not fresh or self._places.in_bucket(first.centre_mm):
            self._standing.add(track.id)
            return
        self._drawn_in(visit, track, first)

    def _new(self, track: Track, source: str, since_us: int, hand: str) -> Card:
        card = Card(next(self._numbers), source, since_us, hand, track, RankVote())
        card.sightings.extend(track.sightings)
        self.cards.append(card)
        return card

    def _report_draw(self, card: Card, t_us: int, end_us: int, confidence: float) -> None:
        card.drawn, card.drawn_us = True, t_us
        early = self._full_us is not None and t_us < self._full_us
        card.doubted = early or (self._held and (self._drawn_us is None or t_us - self._drawn_us > QUIET_US))
        card.confidence = min(confidence, PHANTOM) if card.doubted else confidence
        if not card.doubted and confidence >= 1.0:
            self._drawn_us = end_us
        card.pulled_us = end_us
        self.draws += 1

    def finish(self, t_us: int) -> None:
        """Closes what can still be closed at the end of the stream."""
        self._fates.finish(t_us)
