"""§ 629a.5(b), the offer: the stack is held out to the players, backs away; see ch629a_rotation for to whom."""

from __future__ import annotations

from typing import Any, ClassVar

from rules.explain import list_text
from rules.pa58.ch629a_stack_clause import C, I, N, StackClause, V, header, ids
from rules.ruling import Ruling, Sight
from rules.skeletons.change import Change, Cut, Offer, seat_of
from rules.skeletons.told import OFFER

NOBODY_SEATED = "no player was seated"


class OfferClause(StackClause):
    """A clause about the change's offers: it shares how offers before the first cut are found."""

    def trigger_us(self, change: Change) -> int:
        """When the stack was ready to be offered; if that was not seen, the first that was done with it."""
        handled = change.handled or change.load
        first_us = change.opened_us if handled is None else handled.t_us
        return first_us if change.ready_us is None else min(change.ready_us, first_us)

    @staticmethod
    def before_cut(change: Change) -> tuple[Offer, ...]:
        """The offers before the first cut."""
        cut_us = change.cuts[0].start_us if change.cuts else None
        return tuple(offer for offer in change.offers if cut_us is None or offer.t_us < cut_us)

    def watched(self, change: Change, until_us: int, sight: Sight) -> bool:
        """Whether every offer from the end of the shuffle to a moment would have been seen."""
        ready_us = change.ready_us
        return ready_us is not None and self.law.looked(sight, ready_us, until_us, "offer_act_s")


class Offered(OfferClause):
    """The stack is offered. Breached only where the dealer cuts, somebody sits there, and no offer can be missed."""

    HEADER = header(
        "(b)-offer",
        "The stack is offered to the players to be cut.",
        "shuffle",
        "stack.present cut.insert packet.move seat.occupy seat.leave",
        "the stack presented to a seat; its lack counts only if the dealer cuts, a seat is taken and all was in view",
        options="silent_seats",
    )
    ASKS = "(b) asks that the stack be offered to the players to be cut"

    def cases(self, change: Change) -> tuple[Change, ...]:
        """A stack that was offered, cut, or loaded after a shuffle that was seen."""
        told = change.offers or change.cuts or (change.ready_us is not None and change.load is not None)
        return (change,) if told else ()

    def judge(self, change: Change, sight: Sight) -> Ruling | None:
        """An offer settles it, or the cut that came without one."""
        offers = self.before_cut(change)
        if offers:
            first = offers[0].events[0]
            seen = f"the stack was offered to {seat_text(offers[0].seat)}"
            return self.say(change, C, first.end_us, seen, "Nothing is missing", events=ids(first))
        if not change.cuts:
            return self._uncut(change, sight)
        return self._unoffered(change, change.cuts[0], sight)

    def _uncut(self, change: Change, sight: Sight) -> Ruling:
        """Loaded with neither an offer nor a cut seen."""
        end_us = sight.now_us if change.load is None else change.load.end_us
        off = "A word or a glance may have been the offer; a cut was not seen either"
        verdict = I if self.watched(change, end_us, sight) else N
        return self.say(change, verdict, end_us, "no offer and no cut was seen before the loading", off)

    def _unoffered(self, change: Change, cut: Cut, sight: Sight) -> Ruling:
        more: dict[str, Any] = {"events": ids(cut.insert, *cut.moves[:1])}
        cutter = seat_of(cut.actor)
        if cutter is not None:
            seen = f"{seat_text(cutter)} cut, and the offer itself was not seen"
            return self.say(change, C, cut.end_us, seen, "Who cuts was offered the stack", **more)
        if not self.watched(change, cut.start_us, sight):
            off = "The time between shuffle and cut was not in view, so it may have been offered unseen"
            return self.say(change, N, cut.end_us, "no offer was seen before the cut", off, **more)
        if cut.actor != "dealer" or change.before_load(OFFER, doubtful=True):
            off = "Whether the stack was offered cannot be told"
            return self.say(change, I, cut.end_us, "no offer was surely seen before the cut", off, **more)
        return self._dealer_alone(change, cut, sight, more)

    def _dealer_alone(self, change: Change, cut: Cut, sight: Sight, more: dict[str, Any]) -> Ruling:
        seating = self.law.seating(change, sight.coverage, cut.start_us)
        seats = self.law.seats.seats or tuple(sorted(seating.told))
        taken = seating.occupied(seats)
        seen = "the dealer cut, and no offer to a player was seen"
        if taken:
            more["events"] = (*more["events"], *seating.events(taken))
            off = f"{seats_text(taken)} taken, and the gesture was not seen in all the time from the shuffle to the cut"
            return self.say(change, V, cut.end_us, seen, off, **more)
        if seats and seating.all_vacant(seats):
            return self.off(change, cut.end_us, seen, NOBODY_SEATED, **more)
        return self.say(change, I, cut.end_us, seen, "Whether anybody was seated is not known", **more)


class Backs(StackClause):
    """At each offer the backs of the cards face away from the dealer."""

    HEADER = header(
        "(b)-backs",
        "It is offered with the backs away from the dealer.",
        "offer",
        "stack.present",
        "how the stack was tipped at the offer",
    )
    ASKS = "(b) asks that the stack be offered with the backs away from the dealer"
    AWAY: ClassVar[bool] = True

    def cases(self, change: Change) -> tuple[Offer, ...]:
        """Each offer."""
        return change.offers

    def trigger_us(self, offer: Offer) -> int:
        """The offer."""
        return offer.t_us

    def judge(self, offer: Offer, sight: Sight) -> Ruling:
        """What was seen of the stack, last."""
        told = [event.facts.get("backs_away") for event in offer.events]
        who, more = seat_text(offer.seat), {"events": ids(*offer.events)}
        if not isinstance(told[-1], bool):
            off = "Which way the backs faced cannot be told"
            return self.say(offer, I, offer.end_us, f"the stack was offered to {who}", off, **more)
        if told[-1] is not self.AWAY:
            seen = f"the stack was offered to {who} with the backs towards the dealer"
            cut_us = [cut.start_us for cut in offer.change.cuts if cut.start_us >= offer.end_us][:1]
            until_us = min([*cut_us, *([after.t_us] if (after := next_offer(offer)) else [])], default=offer.end_us)
            if not self.law.looked(sight, offer.end_us, until_us, "offer_act_s"):
                off = "It may have been turned round while the view was lost"
                return self.say(offer, I, offer.end_us, seen, off, **more)
            return self.say(offer, V, offer.end_us, seen, "The faces were turned to the players", **more)
        turned = (not self.AWAY) in told
        off = "It was turned round before the cut" if turned else "Nothing is missing"
        seen = f"the stack was offered to {who} with the backs away"
        return self.say(offer, C, offer.end_us, seen, off, corrected=turned, **more)


def seat_text(seat: int | None) -> str:
    """Such as "seat 7"."""
    return "the players" if seat is None else f"seat {seat}"


def next_offer(offer: Offer) -> Offer | None:
    """The offer after it, before the first cut; None: there was none."""
    offers = OfferClause.before_cut(offer.change)
    return offers[offer.number + 1] if offer.number + 1 < len(offers) else None


def seats_text(seats: tuple[int, ...]) -> str:
    """Such as "Seat 7 was" or "Seats 5 and 7 were"."""
    names = list_text(str(seat) for seat in sorted(seats))
    return f"seat {names} was" if len(seats) == 1 else f"seats {names} were"


RULES: tuple[type[Any], ...] = (Offered, Backs)
