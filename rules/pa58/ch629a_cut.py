"""§ 629a.5(c), the cut: made by putting in a cover card, at least ten cards from either end."""

from __future__ import annotations

from typing import Any

from rules.event import Event
from rules.finding import Verdict
from rules.pa58.ch629a_stack_clause import C, I, N, StackClause, V, header, ids
from rules.ruling import Ruling, Sight
from rules.skeletons.bounds import Estimate, at_least, estimate
from rules.skeletons.change import Change, Cut
from rules.skeletons.told import CUT

LIFTED = "no cover card was put in; that is charged under (c)-covercard"


class CutClause(StackClause):
    """A clause whose occasion is a cut."""

    def cases(self, change: Change) -> tuple[Cut, ...]:
        """Each cut."""
        return change.cuts

    def trigger_us(self, cut: Cut) -> int:
        """The cut's beginning."""
        return cut.start_us

    @staticmethod
    def moved_us(cut: Cut) -> int | None:
        """When the cut could not be changed any more: the packet moved, or the stack was cut again, or loaded."""
        if cut.moves:
            return cut.moves[0].t_us
        if cut.again is not None:
            return cut.again.start_us
        return None if cut.change.load is None else cut.change.load.t_us


class CoverCard(CutClause):
    """The cut is made with a cover card, not by lifting a packet."""

    HEADER = header(
        "(c)-covercard",
        "The cut is made by putting a cover card into the stack.",
        "cut",
        "cut.insert packet.move",
        "a cover card seen put in, or moving with the packet; a packet lifted without one",
    )
    ASKS = "(c) asks that the cards be cut by putting a cover card into the stack"

    def judge(self, cut: Cut, sight: Sight) -> Ruling:
        """The insertion settles it, or the packet that moved without one."""
        if cut.inserts:
            first = cut.inserts[0]
            seen = "a cover card was put into the stack"
            return self.say(cut, C, first.end_us, seen, "Nothing is missing", events=ids(first))
        move = cut.moves[0]
        more = {"events": ids(move)}
        if cut.by_hand is None:
            off = "Whether a cover card marked the place cannot be told"
            return self.say(cut, I, move.end_us, "a packet was lifted off the stack", off, **more)
        if not cut.by_hand:
            seen = "the cover card moved with the packet; its insertion was not seen"
            return self.say(cut, C, move.end_us, seen, "It was put in before", **more)
        return self._lifted(cut, move, sight)

    def _lifted(self, cut: Cut, move: Event, sight: Sight) -> Ruling:
        """A packet moved and no cover card was with it."""
        more, seen = {"events": ids(move)}, "a packet was lifted off the stack with no cover card"
        if cut.change.before_load(CUT, doubtful=True):
            return self.say(cut, I, move.end_us, seen, "One may have been put in: it was not surely seen", **more)
        since_us = self._since_us(cut)
        if since_us is None:
            off = "The recording does not show what came before, so one may have been put in and taken out"
            return self.say(cut, N, move.end_us, seen, off, **more)
        if not self.law.looked(sight, since_us, move.end_us, "cut_act_s"):
            return self.say(cut, N, move.end_us, seen, "The view was lost meanwhile, so one may have been used", **more)
        return self.say(cut, V, move.end_us, seen, "None was seen put in, though the stack was in view", **more)

    @staticmethod
    def _since_us(cut: Cut) -> int | None:
        """The last moment before the cut at which it was surely not yet made."""
        if cut.number > 0:
            return cut.change.cuts[cut.number - 1].end_us
        offers = [offer.end_us for offer in cut.change.offers if offer.t_us < cut.start_us]
        moments = [*offers, *([cut.change.ready_us] if cut.change.ready_us is not None else [])]
        return min(max(moments), cut.start_us) if moments else None


class Depth(CutClause):
    """The cover card lies deep enough. The last place before the packet moves counts; a short cut may be refused."""

    HEADER = header(
        "(c)-depth",
        "The cover card goes in at least ten cards from either end.",
        "cut",
        "cut.insert packet.move",
        "cards between the cover card and the nearer end, as it lay last before the packet moved, against ten",
    )

    @property
    def _limit(self) -> int:
        return int(self.law.numbers["cut_min_cards"])

    def asks(self) -> str:
        """With the pack's limit."""
        return f"(c) asks for at least {self._limit} cards between the cover card and either end"

    def judge(self, cut: Cut, sight: Sight) -> Ruling | None:
        """The cover card's place when the packet moves."""
        insert, moved_us = cut.insert, self.moved_us(cut)
        if insert is None:
            return self._unseen(cut)
        if cut.again is not None and not cut.moves:
            seen = "the stack was cut again before the packet moved"
            return self.off(cut, insert.end_us, seen, "cut again", events=ids(insert))
        depth = estimate(insert.facts, "depth_cards")
        verdict = at_least(depth, self._limit, self.law.share)
        measured = None if depth is None else depth.measured("cards", self._limit)
        shallow = [e for e in cut.inserts if e is not insert and self._verdict(e) is V]
        more: dict[str, Any] = {
            "events": ids(*cut.inserts),
            "measured": measured,
            "decided": moved_us is not None or sight.ended,
        }
        doubt = self._doubt(cut, insert, verdict, moved_us, sight)
        if doubt and verdict is not I:
            return self.say(cut, I, insert.end_us, self._seen(depth), doubt, **more)
        corrected = verdict is C and bool(shallow)
        off = "A cut that was too short was put right before the packet moved" if corrected else ""
        off = off or self._far(verdict, depth)
        return self.say(cut, verdict, insert.end_us, self._seen(depth), off, corrected=corrected, **more)

    def _unseen(self, cut: Cut) -> Ruling:
        move = cut.moves[0]
        if cut.by_hand:
            return self.off(cut, move.end_us, "a packet was lifted off the stack", LIFTED, events=ids(move))
        off = "How deep the cover card lay is not known"
        return self.say(cut, N, move.end_us, "a packet was moved; the cut was not seen", off, events=ids(move))

    def _verdict(self, insert: Event) -> Verdict:
        return at_least(estimate(insert.facts, "depth_cards"), self._limit, self.law.share)

    def _doubt(self, cut: Cut, insert: Event, verdict: Verdict, moved_us: int | None, sight: Sight) -> str:
        """Why the place may not have been the last, or not the one that was measured; "" if there is no reason."""
        if moved_us is not None and not self._kept(insert, moved_us, sight):
            return "The stack was out of view before the packet moved, so the cover card may have been put in anew"
        packet = self._by_packet(cut, insert)
        opposite = packet is not None and {packet, verdict} == {C, V}
        return "The packet that was moved speaks against it, so the evidence conflicts" if opposite else ""

    def _kept(self, insert: Event, moved_us: int, sight: Sight) -> bool:
        longest_us = sight.coverage.longest_us(insert.end_us, max(moved_us, insert.end_us), self.header.needs.zones)
        return longest_us <= self.law.us("cut_act_s")

    def _by_packet(self, cut: Cut, insert: Event) -> Verdict | None:
        """What the moved packet's own cards say; None where they do not say it all."""
        moved = estimate(cut.moves[0].facts, "cards") if cut.moves else None
        if (
            moved is None
            or moved.low is None
            or moved.high is None
            or insert.facts.get("from") not in ("top", "bottom")
        ):
            return None
        near = moved if insert.facts["from"] == "top" else _rest(moved, self.law.cards)
        return at_least(near, self._limit, self.law.share)

    @staticmethod
    def _seen(depth: Estimate | None) -> str:
        if depth is None:
            return "a cover card was put into the stack"
        return f"the cover card lay {cards_between(depth)} from the nearer end"

    def _far(self, verdict: Verdict, depth: Estimate | None) -> str:
        if verdict is I:
            return NO_BOUNDS if depth is None or depth.low is None else f"Both sides of {self._limit} are possible"
        if verdict is C:
            return "It was deep enough"
        high = depth.one_sided(self.law.share) if depth is not None else None
        return f"It lacked at least {self._limit - (high[1] if high else 0):.1f} cards"


NO_BOUNDS = "How exact that is was not told, so it decides nothing"


def cards_between(found: Estimate) -> str:
    """Such as "150 cards", "8.6 to 11.4 cards", "about 150 cards"."""
    if found.low is None or found.high is None:
        return f"about {found.value:g} cards" if found.value is not None else "some cards"
    if found.low == found.high:
        return f"{found.low:g} card{'' if found.low == 1 else 's'}"
    return f"{found.low:.3g} to {found.high:.3g} cards"


def _rest(found: Estimate, total: int) -> Estimate:
    """What is left of the stack without the packet."""
    value, low, high = found.value, found.low, found.high
    return Estimate(
        None if value is None else total - value,
        None if high is None else total - high,
        None if low is None else total - low,
    )


RULES: tuple[type[Any], ...] = (CoverCard, Depth)
