"""§ 629a.5(d), how deep the second cover card lies: measured as it goes in, confirmed or corrected as it comes out."""

from __future__ import annotations

from typing import Any

from rules.event import Event
from rules.finding import Verdict
from rules.pa58.ch629a_cut import NO_BOUNDS, CutClause, cards_between
from rules.pa58.ch629a_stack_clause import C, I, V, header, ids
from rules.ruling import Ruling, Sight
from rules.skeletons.bounds import Estimate, at_least, estimate
from rules.skeletons.change import Change, Cut


class SecondDepth(CutClause):
    """At least fourteen cards lie below the second cover card.

    What was measured stands as pending until the card comes out of the shoe: the cards dealt after it and those still
    in the shoe then are exactly the ones that lay below it.
    """

    HEADER = header(
        "(d)-seconddepth",
        "At least fourteen cards lie below the second cover card.",
        "cut",
        "cover.insert cover.surface shoe.load",
        "cards below it as it was put in, the first cover card not counted; then what was dealt and left after it",
        options="first_cover_card_counts",
    )

    @property
    def _limit(self) -> int:
        return int(self.law.numbers["second_cover_min_cards"])

    def asks(self) -> str:
        """With the pack's limit."""
        return f"(d) asks for at least {self._limit} cards below the second cover card"

    def cases(self, change: Change) -> tuple[Cut, ...]:
        """The cuts with a second cover card."""
        return tuple(cut for cut in change.cuts if cut.seconds)

    def trigger_us(self, cut: Cut) -> int:
        """When it was put in."""
        return cut.seconds[0].t_us

    def judge(self, cut: Cut, sight: Sight) -> Ruling:
        """What came out of the shoe, if it says; else what was measured going in, last."""
        last = cut.seconds[-1]
        put_in, came_out = self._put_in(last), self._came_out(cut)
        if came_out is None:
            return self._measured(cut, last, put_in, sight)
        surface, exact = came_out
        verdict, before = self._verdict(exact), self._verdict(put_in)
        more: dict[str, Any] = {"events": ids(*cut.seconds, surface), "viewed_until_us": last.end_us}
        seen = f"{cards_between(exact)} were dealt, or left in the shoe, after the second cover card came out"
        agreed = verdict is before and verdict is not I
        end_us = last.end_us if agreed else surface.end_us
        off = f"{self._far(verdict, exact)}; {'that confirms' if agreed else 'that settles'} what was measured before"
        return self.say(cut, verdict, end_us, seen, off, measured=exact.measured("cards", self._limit), **more)

    def _measured(self, cut: Cut, last: Event, found: Estimate | None, sight: Sight) -> Ruling:
        """What was measured as it went in: it stands until more is known."""
        verdict = self._verdict(found)
        early = [e for e in cut.seconds if e is not last and self._verdict(self._put_in(e)) is V]
        more: dict[str, Any] = {
            "events": ids(*cut.seconds),
            "measured": None if found is None else found.measured("cards", self._limit),
            "decided": cut.again is not None or sight.ended,
        }
        seen = "a second cover card was put in" if found is None else f"it was put in above {cards_between(found)}"
        loaded = cut.again.start_us if cut.again else None if cut.change.load is None else cut.change.load.t_us
        if verdict is not I and loaded is not None and not self._kept(last, loaded, sight):
            off = "The stack was out of view before the loading, so the card may have been put in anew"
            return self.say(cut, I, last.end_us, seen, off, **more)
        corrected = verdict is C and bool(early)
        off = "One that lay too low was put in anew" if corrected else self._far(verdict, found)
        return self.say(cut, verdict, last.end_us, seen, off, corrected=corrected, **more)

    def _kept(self, last: Event, until_us: int, sight: Sight) -> bool:
        longest_us = sight.coverage.longest_us(last.end_us, max(until_us, last.end_us), self.header.needs.zones)
        return longest_us <= self.law.us("cut_act_s")

    def _verdict(self, found: Estimate | None) -> Verdict:
        return at_least(found, self._limit, self.law.share)

    def _put_in(self, event: Event) -> Estimate | None:
        return self._counted(estimate(event.facts, "above_bottom_cards"))

    def _counted(self, found: Estimate | None) -> Estimate | None:
        """With the first cover card among the cards, where the licensee reads the text so."""
        counts = found is not None and self.law.options["first_cover_card_counts"]
        return found.shifted(1) if found is not None and counts else found

    def _came_out(self, cut: Cut) -> tuple[Event, Estimate] | None:
        """The event by which it came out, and the cards that were below it; None if that is not known."""
        if cut.again is not None or cut.change.load is None:
            return None
        for event in reversed(cut.change.of("cover.surface")):
            if event.facts.get("which") == 2 and event.t_us >= cut.change.load.t_us:
                found = self._counted(_below(event))
                if found is not None and found.low is not None:
                    return event, found
        return None

    def _far(self, verdict: Verdict, found: Estimate | None) -> str:
        if verdict is C:
            return "That is enough"
        if verdict is I:
            return NO_BOUNDS if found is None or found.low is None else f"Both sides of {self._limit} are possible"
        high = found.one_sided(self.law.share) if found is not None else None
        return f"At least {self._limit - (high[1] if high else 0):.1f} cards are missing"


def _below(surface: Event) -> Estimate | None:
    """The cards dealt since the second cover card came out, and those left in the shoe, together."""
    since, left = estimate(surface.facts, "cards_since"), estimate(surface.facts, "cards_left")
    if since is None or left is None:
        return None
    since, left = _exact(since), _exact(left)
    if since.low is None or since.high is None or left.low is None or left.high is None:
        return None
    value = None if since.value is None or left.value is None else since.value + left.value
    return Estimate(value, since.low + left.low, since.high + left.high)


def _exact(found: Estimate) -> Estimate:
    """Cards that were dealt one by one are counted, not measured: without bounds the number is exact."""
    if found.low is None and found.high is None:
        return Estimate(found.value, found.value, found.value)
    return found


RULES: tuple[type[Any], ...] = (SecondDepth,)
