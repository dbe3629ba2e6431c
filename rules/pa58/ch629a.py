"""58 Pa. Code § 629a.5, midibaccarat: shuffle, cut and burn. Judged here: subsection (f), the burn of a fresh shoe.

Before play the dealer takes the first card out of the shoe and shows it, and puts it into the discard bucket together
with as many more cards, drawn face down, as its face value; 10, jack, queen and king count ten, the ace one.

The first card's own two clauses stand in `ch629a_first`. All six are in the past form: at the card that starts play (or
at the card that settles it earlier), what had been seen since the shoe was opened?
"""

from __future__ import annotations

from typing import Any

from rules.clause import Clause, Needs
from rules.event import Event
from rules.finding import Measured, Verdict
from rules.pa58.ch629a_clause import CITATION, BurnClause, OnExposed
from rules.pa58.ch629a_first import Expose, Value
from rules.pa58.ch629a_law import SHOE, Case, face_of, in_bucket, rests_of, surely_down
from rules.pa58.ch629a_words import Three, Words
from rules.ruling import Ruling
from rules.skeletons.cards import BUCKET, Card, sure, zone_of
from rules.skeletons.tally import Interval, strays


def compare(count: Interval, value: Interval) -> Verdict:
    """As many as asked: two intervals that do not meet breach it, two equal numbers obey it, anything else is open."""
    if count.low > value.high or count.high < value.low:
        return Verdict.VIOLATION
    obeyed = count.single is not None and count.single == value.single
    return Verdict.COMPLIANT if obeyed else Verdict.INDETERMINATE


class Count(OnExposed):
    """As many additional cards are burned as the first card is worth.

    Compares two intervals: cards surely to possibly drawn for the burn, and what the first card can be worth.
    """

    HEADER = Clause(
        id="PA-629a.5(f)-count",
        citation=CITATION,
        paraphrase="As many additional cards are drawn and burned as the first card's face value.",
        occasion="shoe",
        needs=Needs(("card.draw", "card.burn", "card.place", "round.start"), (SHOE, BUCKET)),
        how="cards surely and possibly drawn for the burn by the start of play, against the first card's value",
        options=("cards_on_felt_count",),
        judged=True,
    )

    def early(self, case: Case) -> Ruling | None:
        """Too many are too many at once."""
        if case.value is None or case.count.low <= case.value[0].high:
            return None
        value = case.value[0]
        words = Words(case.burn).too_many(case.count, value)
        return self._measured(case, compare(case.count, value), self._exceeded_us(case, value.high), words)

    def at_play(self, case: Case, play_us: int) -> Ruling:
        """The count is closed."""
        if case.value is None:
            return self.unplayed(case)
        value, words = case.value[0], Words(case.burn)
        verdict = compare(case.count, value)
        if verdict is Verdict.COMPLIANT and not case.looked(case.exposed_us, case.drawn_us, (BUCKET,)):
            return self._measured(case, Verdict.INDETERMINATE, case.known_us, words.count_covered(case.count.low))
        if verdict is Verdict.COMPLIANT:
            return self._measured(case, verdict, case.known_us, words.right_count(case.count.low))
        if verdict is Verdict.VIOLATION:
            looked = case.looked(case.exposed_us, case.drawn_us, (SHOE,))
            verdict = Verdict.VIOLATION if looked else Verdict.INDETERMINATE
            return self._measured(case, verdict, case.known_us, words.too_few(case.count, value))
        verdict = Verdict.NOT_OBSERVED if case.blind else verdict
        return self._measured(case, verdict, case.known_us, words.doubtful_count(case.count, value, case.additional))

    def unplayed(self, case: Case) -> Ruling:
        """More cards may have followed."""
        words = Words(case.burn)
        if case.value is None:
            ids = tuple(event.id for event in rests_of(case.additional.cards))
            said = words.value_unknown(case.count)
            return self.say(case, Verdict.NOT_OBSERVED, case.known_us, said, events=ids)
        said = words.never_played(case.count, case.value[0])
        return self._measured(case, Verdict.NOT_OBSERVED, case.known_us, said)

    def _measured(self, case: Case, verdict: Verdict, end_us: int, words: Three) -> Ruling:
        count, limit = case.count, case.value[0].single if case.value is not None else None
        ids = [event.id for event in case.burn.exposed]
        ids += [(card.rests(None) or card.events[-1]).id for card in case.additional.cards]
        measured = Measured(count.low, count.low, count.high, "cards", limit)
        return self.say(case, verdict, end_us, words, measured=measured, events=tuple(ids))

    def _exceeded_us(self, case: Case, limit: int) -> int:
        """When the first card too many lay where it went, and it was known how many are."""
        felt = case.additional.felt if self.law.felt_counts else ()
        known = sorted(
            (event.end_us, card.amount()[0])
            for card in (*case.additional.bucket, *felt)
            for event in rests_of([card], case.play_us)
        )
        total, end_us = 0, case.exposed_us
        for rest_us, low in known:
            total, end_us = total + low, max(end_us, rest_us)
            if total > limit:
                break
        return max(end_us, case.valued_us)


class FaceDown(OnExposed):
    """The additional cards are drawn face down. One seen face up is a breach at once."""

    HEADER = Clause(
        id="PA-629a.5(f)-facedown",
        citation=CITATION,
        paraphrase="The additional cards are drawn face down.",
        occasion="shoe",
        needs=Needs(("card.draw", "card.burn", "card.place", "card.exposed"), (SHOE, BUCKET)),
        how="the face of each additional card from the shoe to the bucket",
        judged=True,
    )

    def early(self, case: Case) -> Ruling | None:
        """A face seen is a breach."""
        up = sorted((e for e in self._faces(case) if sure(e)), key=lambda event: (event.end_us, event.id))
        if not up:
            return None
        ids = tuple(event.id for event in up)
        return self.say(case, Verdict.VIOLATION, up[0].end_us, Words(case.burn).face_up(len(ids)), events=ids)

    @staticmethod
    def _faces(case: Case) -> list[Event]:
        return [event for card in case.additional.cards for event in card.events if face_of(event) == "up"]

    def at_play(self, case: Case, play_us: int) -> Ruling:
        """All of them must have been seen."""
        words, cards = Words(case.burn), case.additional
        if not cards.cards and not cards.hidden:
            return self._none(case, play_us)
        more = {"events": tuple(event.id for event in rests_of(cards.cards))}
        doubts = [card for card in (*cards.bucket, *cards.felt, *cards.doubtful) if not surely_down(card)]
        if doubts or self._faces(case):
            said = words.faces_unsure(max(len(doubts), 1))
            return self.say(case, Verdict.INDETERMINATE, case.known_us, said, **more)
        if not cards.whole:
            return self.say(case, Verdict.NOT_OBSERVED, case.known_us, words.not_all_seen(cards, "faces"), **more)
        return self.say(case, Verdict.COMPLIANT, case.known_us, words.face_down(cards), **more)

    def _none(self, case: Case, play_us: int) -> Ruling:
        if not case.looked(case.burn.since_us, play_us):
            return self.say(case, Verdict.NOT_OBSERVED, case.known_us, Words(case.burn).unwatched("faces"))
        none = "no additional card was drawn"
        words = Words(case.burn).no_additional(none)
        return self.say(case, Verdict.NOT_APPLICABLE, case.known_us, words, exception=none)

    def unplayed(self, case: Case) -> Ruling:
        """More cards may have followed."""
        return self.say(case, Verdict.NOT_OBSERVED, case.known_us, Words(case.burn).ended("faces"))


class IntoBucket(OnExposed):
    """The first card and the additional cards lie in the discard bucket when play starts."""

    HEADER = Clause(
        id="PA-629a.5(f)-bucket",
        citation=CITATION,
        paraphrase="The first card and the additional cards are put into the discard bucket before play starts.",
        occasion="shoe",
        needs=Needs(("card.burn", "card.place", "round.start"), (SHOE, BUCKET)),
        how="where each card of the burn lay when play started",
        judged=True,
    )

    def at_play(self, case: Case, play_us: int) -> Ruling:
        """Where does each card lie?"""
        if case.straight_to_play:
            return self._none(case, play_us)
        words, where = Words(case.burn), case.burned
        more = {"events": tuple(event.id for event in rests_of(where.cards, play_us))}
        if where.felt:
            left = rests_of(where.felt, play_us)
            zones = {zone_of(event) for event in left}
            clear = case.looked(min(event.t_us for event in left), play_us, (*zones, BUCKET))
            verdict = Verdict.VIOLATION if clear else self._unclear(case)
            return self.say(case, verdict, case.known_us, words.left_on_felt(where, zones, clear), **more)
        if not where.whole:
            return self.say(case, self._unclear(case), case.known_us, words.not_all_seen(where, "places"), **more)
        missed = [event for card in where.bucket for event in strays(card, self.law.area, play_us)]
        said = words.all_in_bucket(where, len(missed))
        return self.say(case, Verdict.COMPLIANT, case.known_us, said, corrected=bool(missed), **more)

    @staticmethod
    def _unclear(case: Case) -> Verdict:
        return Verdict.NOT_OBSERVED if case.blind else Verdict.INDETERMINATE

    def _none(self, case: Case, play_us: int) -> Ruling:
        if not case.looked(case.burn.since_us, play_us):
            return self.say(case, Verdict.NOT_OBSERVED, case.known_us, Words(case.burn).unwatched("places"))
        none = "nothing was drawn for a burn; that is charged under (f)-before"
        words = Words(case.burn).nothing_burned()
        return self.say(case, Verdict.NOT_APPLICABLE, case.known_us, words, exception=none)

    def unplayed(self, case: Case) -> Ruling:
        """The cards may yet have been put in."""
        return self.say(case, Verdict.NOT_OBSERVED, case.known_us, Words(case.burn).ended("places"))


class Before(BurnClause):
    """The burn comes before play. Breached when play starts without one, or when cards are burned after it started."""

    HEADER = Clause(
        id="PA-629a.5(f)-before",
        citation=CITATION,
        paraphrase="The burn is done before the first card of play is dealt.",
        occasion="shoe",
        needs=Needs(("shoe.load", "card.draw", "card.place", "card.burn", "round.start"), (SHOE, BUCKET)),
        how="a burned card before the first hand card; its lack counts only if shoe and bucket were in view all along",
        judged=True,
    )

    def at_play(self, case: Case, play_us: int) -> Ruling:
        """Had anything been burned?"""
        first = () if case.straight_to_play or case.burn.first is None else (case.burn.first,)
        burned = [card for card in (*first, *case.additional.bucket) if in_bucket(card, play_us)]
        if not burned:
            return self._nothing(case, play_us)
        words, ids = Words(case.burn), tuple(event.id for event in rests_of(burned, play_us))
        late = self._late(case)
        if late:
            ends = rests_of(late)
            more = {"events": (*ids, *(event.id for event in ends))}
            end_us = min(event.end_us for event in ends)
            verdict = Verdict.VIOLATION if case.short else Verdict.INDETERMINATE
            return self.say(case, verdict, end_us, words.burned_late(len(late), case.short), **more)
        settled = not case.maybe_short or case.sight.now_us > play_us + self.law.late_us
        said = words.burned_before()
        return self.say(case, Verdict.COMPLIANT, case.known_us, said, events=ids, decided=settled)

    def _nothing(self, case: Case, play_us: int) -> Ruling:
        """Play started and nothing had surely gone into the bucket."""
        words, looked = Words(case.burn), case.looked(case.burn.since_us, play_us)
        deal = case.burn.deal
        ids = (*case.burn.opened_by, *((deal[0][0].id,) if deal else ()))
        unclear = not case.straight_to_play and len(case.burned.felt) < len(case.burned.cards)
        if looked and (unclear or case.additional.hidden):
            return self.say(case, Verdict.INDETERMINATE, case.known_us, words.burn_unseen(), events=ids)
        verdict = Verdict.VIOLATION if looked else Verdict.NOT_OBSERVED
        return self.say(case, verdict, case.known_us, words.no_burn(looked), events=ids)

    @staticmethod
    def _late(case: Case) -> list[Card]:
        """Cards drawn after play had started, and burned as if owed."""
        if not case.maybe_short:
            return []
        drawn = [card for card in case.burn.additional(None) if card.start_us >= case.drawn_us]
        return [card for card in drawn if in_bucket(card, None) and card.index != 0]

    def unplayed(self, case: Case) -> Ruling:
        """There was no play to come before."""
        return self.say(case, Verdict.NOT_OBSERVED, case.known_us, Words(case.burn).ended("play"))


RULES: tuple[type[Any], ...] = (Expose, Value, Count, FaceDown, IntoBucket, Before)
