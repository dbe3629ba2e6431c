"""The sentences of (f)'s findings: seen, asked, off. A step that was not done is "not seen": nobody is accused."""

from __future__ import annotations

from dataclasses import dataclass

from rules.explain import between_text, cards_text, list_text, number_word, rank_text
from rules.skeletons.burn import Burn
from rules.skeletons.cards import is_hand, sure
from rules.skeletons.tally import Interval, Tally

Three = tuple[str, str, str]

EXPOSE = "(f) asks that the first card out of a fresh shoe be shown face up"
VALUE = "(f) counts a 10, jack, queen or king as ten and an ace as one"
DOWN = "(f) asks that the additional cards be drawn face down"
BUCKET = "(f) asks that the first card and the additional cards lie in the discard bucket before play"
BEFORE = "(f) asks that the burn come before play"

ZONES = {"shuffle": "in the dealer's working area", "elsewhere": "on the felt", "tray_front": "in front of the tray"}
WHAT = {"faces": "whether all were face down", "places": "where all of them went"}
FRESH = {
    "shoe_load": "the shoe was seen loaded",
    "empty_bucket": "the discard bucket was seen empty before the first card",
    "burned": "cards went into the bucket before any was dealt",
}


@dataclass(frozen=True, slots=True)
class Words:
    """The sentences about one burn."""

    burn: Burn

    @property
    def _rank(self) -> str:
        """Such as "a king", or "the first card"."""
        ranks = {str(e.facts["rank"]) for e in self.burn.exposed if sure(e) and e.facts.get("rank") is not None}
        return rank_text(ranks.pop()) if len(ranks) == 1 else "the first card"

    def _asked(self, value: Interval) -> str:
        wanted = between_text(value.low, value.high, "additional card")
        return f"(f) asks for as many additional cards as the first card's value: {wanted}"

    # -- the first card -------------------------------------------------------------------------------------------

    def exposed(self) -> Three:
        """Compliant."""
        what = "the first card" if self._rank == "the first card" else f"the first card, {self._rank},"
        return f"{what} was seen face up", EXPOSE, "Nothing is missing"

    def not_exposed(self, zone: str) -> Three:
        """Violation."""
        where = {
            "discard": "into the discard bucket",
            "player": "to the player's hand",
            "banker": "to the banker's hand",
        }
        if is_hand(zone) and zone not in where:
            where[zone] = f"to {zone.replace(':', ' ')}"
        way = where.get(zone, "onto the felt")
        seen = (
            f"the first card was followed from the shoe {way}, and its face was not seen; {FRESH[self.burn.evidence]}"
        )
        return seen, EXPOSE, "The step was not seen, though the card was in view all the way"

    def first_unsure(self) -> Three:
        """Indeterminate."""
        return "the first card was seen, but not surely which side up", EXPOSE, "Whether its face showed cannot be told"

    def first_unwatched(self) -> Three:
        """Not observed."""
        return (
            "the first card's face was not seen",
            EXPOSE,
            "The shoe or the bucket was out of view meanwhile, so the step may have passed unseen",
        )

    def maybe_not_fresh(self) -> Three:
        """Not observed."""
        seen = "a card went into the bucket without its face being seen"
        return seen, EXPOSE, "The recording does not show that the shoe was fresh then"

    def first_lost(self, play_us: int | None) -> Three:
        """Not observed."""
        off = "Where it went was not seen" if play_us is not None else "The recording ended before it came to rest"
        return "the first card was drawn, and its face was not seen", EXPOSE, off

    def no_card(self, play_us: int | None) -> Three:
        """Not observed."""
        seen = (
            "a fresh shoe, and no card drawn from it"
            if play_us is None
            else "play started; no draw from the shoe was seen"
        )
        return seen, EXPOSE, "Nothing could be judged"

    def valued(self, value: int, rank: str) -> Three:
        """Compliant."""
        return f"the first card is {rank_text(rank)}", VALUE, f"Its value is {number_word(value)}"

    def unread(self, value: Interval) -> Three:
        """Indeterminate."""
        seen = "the first card's face was seen, but its rank could not be read"
        return seen, VALUE, f"Its value lies between {number_word(value.low)} and {number_word(value.high)}"

    def face_not_seen(self) -> Three:
        """Not observed."""
        return "the first card's face was not seen", VALUE, "Its value is not known"

    # -- the count ------------------------------------------------------------------------------------------------

    def value_unknown(self, count: Interval) -> Three:
        """Not observed."""
        seen = f"{between_text(count.low, count.high, 'additional card')} drawn; the first card's face was not seen"
        return seen, "(f) asks for as many additional cards as the first card's value", "That value is not known"

    def right_count(self, count: int) -> Three:
        """Compliant."""
        seen = f"{cards_text(count, 'additional card')} were drawn for the burn after {self._rank}"
        seen = seen.replace("one additional card were", "one additional card was")
        return seen, self._asked(Interval(count, count)), "The numbers agree"

    def too_few(self, count: Interval, value: Interval) -> Three:
        """Violation, or indeterminate where nobody was looking all the time."""
        seen = f"{between_text(count.low, count.high, 'additional card')} seen drawn for the burn after {self._rank}"
        low, high = value.low - count.high, value.high - count.low
        return (
            seen,
            self._asked(value),
            f"{between_text(low, high)} fewer than asked; the step was not seen to be completed",
        )

    def too_many(self, count: Interval, value: Interval) -> Three:
        """Violation."""
        seen = f"{between_text(count.low, max(count.low, count.high), 'additional card')} seen drawn after {self._rank}"
        return seen, self._asked(value), f"At least {cards_text(count.low - value.high)} more than asked"

    def count_covered(self, drawn: int) -> Three:
        """Indeterminate: as many as asked left the shoe, but what was burned was not seen all along."""
        seen = f"{cards_text(drawn, 'additional card')} drawn for the burn after {self._rank}"
        why = "The discard bucket was covered meanwhile, so what went into it was not all seen"
        return seen, self._asked(Interval(drawn, drawn)), why

    def doubtful_count(self, count: Interval, value: Interval, cards: Tally) -> Three:
        """Indeterminate or not observed."""
        seen = f"{between_text(count.low, count.high, 'additional card')} were drawn for the burn after {self._rank}"
        reasons = [f"{cards_text(len(cards.lost))} went out of sight"] if cards.lost else []
        reasons += [f"{cards_text(len(cards.doubtful))} not surely seen"] if cards.doubtful else []
        reasons += [f"up to {cards_text(cards.hidden)} may have left the shoe out of view"] if cards.hidden else []
        reasons += ["two cards may have been drawn as one"] if not reasons and count.single is None else []
        reasons += ["the first card's rank could not be read"] if value.single is None else []
        return seen, self._asked(value), f"Both may be right: {list_text(reasons)}"

    def never_played(self, count: Interval, value: Interval) -> Three:
        """Not observed."""
        seen = f"{between_text(count.low, count.high, 'additional card')} drawn after {self._rank} so far"
        return seen, self._asked(value), "The recording, or the shoe, ended before play started"

    # -- faces and places -----------------------------------------------------------------------------------------

    def face_up(self, cards: int) -> Three:
        """Violation."""
        return (
            f"{cards_text(cards, 'additional card')} showed the face",
            DOWN,
            f"{cards_text(cards)} face up, none is allowed",
        )

    def face_down(self, cards: Tally) -> Three:
        """Compliant."""
        return f"all {cards_text(len(cards.cards), 'additional draw')} seen face down", DOWN, "Nothing is missing"

    def faces_unsure(self, cards: int) -> Three:
        """Indeterminate."""
        return (
            f"{cards_text(cards, 'additional card')} not surely seen face down",
            DOWN,
            "Which side was up cannot be told",
        )

    def no_additional(self, exception: str) -> Three:
        """Not applicable."""
        return "no additional card was seen drawn", DOWN, f"The clause does not apply: {exception}"

    def not_all_seen(self, cards: Tally, what: str) -> Three:
        """Not observed or indeterminate."""
        known = len(cards.bucket) + len(cards.felt)
        seen = f"{cards_text(known)} of the burn seen to the end; {len(cards.lost) + len(cards.doubtful)} not surely"
        hidden = f", and up to {cards_text(cards.hidden)} may have passed out of view" if cards.hidden else ""
        return seen, DOWN if what == "faces" else BUCKET, f"{WHAT[what]} was not seen{hidden}"

    def all_in_bucket(self, cards: Tally, missed: int) -> Three:
        """Compliant, perhaps after a correction."""
        seen = f"the first card and {cards_text(len(cards.bucket) - 1, 'additional draw')} seen in the discard bucket"
        return seen, BUCKET, "One that missed was put in before play" if missed else "Nothing is missing"

    def left_on_felt(self, cards: Tally, zones: set[str], clear: bool) -> Three:
        """Violation, or indeterminate where the view was lost."""
        where = list_text(sorted(ZONES.get(zone, f"in the zone {zone}") for zone in zones))
        seen = f"{cards_text(len(cards.felt))} of the burn last seen {where} when play started"
        off = f"{cards_text(len(cards.felt))} not seen going into the bucket"
        return seen, BUCKET, off if clear else f"{off}; the view was lost meanwhile, so it may have"

    def nothing_burned(self) -> Three:
        """Not applicable."""
        return (
            "no card was drawn for a burn",
            BUCKET,
            "The clause does not apply; the missing burn is charged under (f)-before",
        )

    # -- before play ----------------------------------------------------------------------------------------------

    def burned_before(self) -> Three:
        """Compliant."""
        return "cards went into the discard bucket before the first card of play", BEFORE, "The order is right"

    def burned_late(self, cards: int, owed: bool) -> Three:
        """Violation, or indeterminate where all that was owed may have been burned before."""
        seen = f"{cards_text(cards)} drawn and burned after play had started"
        off = (
            "The burn was not done by then" if owed else "Whether these cards still belonged to the burn cannot be told"
        )
        return seen, BEFORE, off

    def no_burn(self, looked: bool) -> Three:
        """Violation, or not observed."""
        seen = f"play started and nothing was seen going into the bucket before it; {FRESH[self.burn.evidence]}"
        off = (
            "shoe and bucket were in view, and the step was not seen"
            if looked
            else "shoe or bucket was out of view meanwhile"
        )
        return seen, BEFORE, off

    def burn_unseen(self) -> Three:
        """Indeterminate."""
        seen = "cards were drawn before play, and none was surely seen going into the bucket"
        return seen, BEFORE, "Whether the burn was done cannot be told"

    def unwatched(self, what: str) -> Three:
        """Not observed."""
        asks = {"faces": DOWN, "places": BUCKET}[what]
        return (
            "no burn was seen before play",
            asks,
            "Shoe or bucket was out of view meanwhile, so it may have passed unseen",
        )

    def ended(self, what: str) -> Three:
        """Not observed."""
        asks = {"faces": DOWN, "places": BUCKET, "play": BEFORE}[what]
        return (
            "play was not seen to start",
            asks,
            "The recording, or the shoe, ended before the clause could be decided",
        )
