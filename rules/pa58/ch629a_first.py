"""§ 629a.5(f), the first card: it is exposed, and it is valued."""

from __future__ import annotations

from rules.clause import Clause, Needs
from rules.event import Event
from rules.finding import Measured, Verdict
from rules.pa58.ch629a_clause import CITATION, BurnClause
from rules.pa58.ch629a_law import SHOE, Case, face_of
from rules.pa58.ch629a_words import Words
from rules.ruling import Ruling
from rules.skeletons.cards import BUCKET, is_hand, sure, zone_of

AREA = "shuffle"


class Expose(BurnClause):
    """The first card is exposed. Breached when it was followed all its way and never showed its face."""

    HEADER = Clause(
        id="PA-629a.5(f)-expose",
        citation=CITATION,
        paraphrase="The first card out of a fresh shoe is shown face up before play starts.",
        occasion="shoe",
        needs=Needs(("shoe.load", "card.draw", "card.place", "card.burn", "card.exposed"), (SHOE, BUCKET)),
        how="a face-up first card, seen lying, shown or burned; or its whole way to the bucket or a hand without one",
        judged=True,
    )

    def early(self, case: Case) -> Ruling | None:
        """A face settles it; so does the bucket, if nobody can have missed the face."""
        shown = [event for event in case.burn.exposed if sure(event)]
        if shown:
            ids = tuple(event.id for event in shown)
            return self.say(case, Verdict.COMPLIANT, shown[0].t_us, Words(case.burn).exposed(), events=ids)
        rest = None if case.burn.first is None else case.burn.first.rests(case.play_us)
        if rest is None or zone_of(rest) != BUCKET:
            return None
        ruling = self._unexposed(case, rest)
        return ruling if ruling.verdict is Verdict.VIOLATION else None

    def at_play(self, case: Case, play_us: int) -> Ruling:
        """Where did the first card go, and was it in view on the way?"""
        first = case.burn.first
        rest = None if first is None else first.rests(play_us)
        if rest is not None:
            return self._unexposed(case, rest)
        words = Words(case.burn).no_card(play_us) if first is None else Words(case.burn).first_lost(play_us)
        return self.say(case, Verdict.NOT_OBSERVED, case.known_us, words)

    def unplayed(self, case: Case) -> Ruling:
        """The same, with the recording's end for play."""
        first = case.burn.first
        rest = None if first is None else first.rests(None)
        if rest is not None and zone_of(rest) == BUCKET:
            return self._unexposed(case, rest)
        words = Words(case.burn).no_card(None) if first is None else Words(case.burn).first_lost(None)
        return self.say(case, Verdict.NOT_OBSERVED, case.known_us, words)

    def _unexposed(self, case: Case, rest: Event) -> Ruling:
        """The first card came to rest and its face was not surely seen."""
        words, first = Words(case.burn), case.burn.first
        more = {"events": tuple(event.id for event in first.events) if first else ()}
        doubted = face_of(rest) == "unsure" and not is_hand(zone_of(rest))
        if case.burn.exposed or not sure(rest) or doubted:
            return self.say(case, Verdict.INDETERMINATE, case.known_us, words.first_unsure(), **more)
        if not self._followed(case, rest):
            return self.say(case, Verdict.NOT_OBSERVED, case.known_us, words.first_unwatched(), **more)
        fresh_us = self._fresh_us(case, rest.end_us)
        if fresh_us is None:
            return self.say(case, Verdict.NOT_OBSERVED, case.known_us, words.maybe_not_fresh(), **more)
        end_us = case.known_us if is_hand(zone_of(rest)) else fresh_us
        return self.say(case, Verdict.VIOLATION, end_us, words.not_exposed(zone_of(rest)), **more)

    def _followed(self, case: Case, rest: Event) -> bool:
        """Whether the card was in view from the shoe to where it went, and no card can have left the shoe before it."""
        drawn = case.burn.first.drawn if case.burn.first is not None else None
        if drawn is None or not sure(drawn):
            return False
        way = case.sight.coverage.whole(drawn.t_us, rest.end_us, (zone_of(rest), AREA))
        return way and case.looked(case.burn.since_us, rest.end_us, (SHOE,))

    def _fresh_us(self, case: Case, rest_us: int) -> int | None:
        """When it was sure that the card was the shoe's first; where only the burn tells, after enough cards of it.

        A machine (its events carry custody numbers) counts from the first card that it saw, which proves nothing.
        """
        burn = case.burn
        if burn.evidence != "burned":
            return rest_us
        if any(card.number is not None for card in burn.cards):
            return None
        ends = sorted(c.burned.end_us for c in burn.cards if c.burned is not None and sure(c.burned))
        return max(rest_us, ends[self.law.proof_cards - 1]) if len(ends) >= self.law.proof_cards else None


class Value(BurnClause):
    """The first card is valued as the burn counts. What can be seen of it is the card's rank."""

    HEADER = Clause(
        id="PA-629a.5(f)-value",
        citation=CITATION,
        paraphrase="The first card's face value is taken as 10 for a 10, jack, queen or king, as 1 for an ace.",
        occasion="shoe",
        needs=Needs(("card.place", "card.burn", "card.exposed")),
        how="the rank read off the exposed first card; never breached by itself: a wrong value shows as a wrong count",
        judged=True,
    )

    def early(self, case: Case) -> Ruling | None:
        """A rank settles it."""
        if case.value is None or case.value[0].single is None:
            return None
        value, read = case.value[0].low, case.value[1]
        words = Words(case.burn).valued(value, str(read[0].facts.get("rank", "")))
        measured = Measured(value, value, value, "cards", None)
        ids = tuple(event.id for event in read)
        return self.say(case, Verdict.COMPLIANT, case.valued_us, words, measured=measured, events=ids)

    def at_play(self, case: Case, play_us: int) -> Ruling:
        """No single value was read."""
        return self.unplayed(case)

    def unplayed(self, case: Case) -> Ruling:
        """Likewise."""
        words = Words(case.burn)
        if case.value is None:
            return self.say(case, Verdict.NOT_OBSERVED, case.known_us, words.face_not_seen())
        value = case.value[0]
        measured = Measured(None, value.low, value.high, "cards", None)
        ids = tuple(event.id for event in case.burn.exposed)
        said = words.unread(value)
        return self.say(case, Verdict.INDETERMINATE, case.known_us, said, measured=measured, events=ids)
