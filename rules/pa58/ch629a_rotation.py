"""§ 629a.5(b), who is offered the stack: the highest seat first, then clockwise; if nobody accepts, the dealer cuts."""

from __future__ import annotations

from typing import Any

from rules.finding import Verdict
from rules.pa58.ch629a_offer import OfferClause, next_offer, seat_text, seats_text
from rules.pa58.ch629a_stack_clause import C, I, N, StackClause, V, header, ids
from rules.ruling import Ruling, Sight
from rules.skeletons.change import Change, Cut, Offer, seat_of
from rules.skeletons.seating import Seating
from rules.skeletons.told import CUT

NOT_ON_MAP = "The seat is not on the table file's seat map"


class First(OfferClause):
    """The first offer goes to the highest-numbered seat that is taken."""

    HEADER = header(
        "(b)-first",
        "The first offer goes to the highest-numbered occupied seat.",
        "shuffle",
        "stack.present seat.occupy seat.leave",
        "the first offer's seat against the taken seats with higher numbers",
        options="silent_seats seat_map_against_text",
    )
    ASKS = "(b) asks that the first offer go to the player in the highest-numbered seat that is taken"

    def cases(self, change: Change) -> tuple[Change, ...]:
        """A stack that was offered before it was cut."""
        return (change,) if self.before_cut(change) else ()

    def trigger_us(self, change: Change) -> int:
        """The first offer."""
        return change.offers[0].t_us

    def judge(self, change: Change, sight: Sight) -> Ruling:
        """Is a higher seat taken?"""
        offer, seats = change.offers[0], self.law.seats
        end_us, seat = offer.events[0].end_us, offer.seat
        seen = f"the first offer that was seen went to {seat_text(seat)}"
        more: dict[str, Any] = {"events": ids(offer.events[0])}
        shuffled = self.watched(change, offer.t_us, sight)
        if not shuffled and not self._tipped(offer, sight):
            off = "The time from the shuffle to this offer was not in view, so another may have come before it"
            return self.say(change, N, end_us, seen, off, **more)
        if self.law.map_fault or seat not in seats.seats:
            return self.say(change, I, end_us, seen, self.law.map_fault or NOT_ON_MAP, **more)
        higher = seats.above(seat)
        seating = self.law.seating(change, sight.coverage, offer.t_us)
        taken = seating.occupied(higher)
        more["events"] = (*more["events"], *seating.events(taken or higher))
        if taken:
            off = f"{seats_text(taken)} taken and comes first"
            if not shuffled:
                return self.say(change, I, end_us, seen, f"{off}, unless it was asked before the recording", **more)
            return self.say(change, V, end_us, seen, off, **more)
        if seating.all_vacant(higher):
            off = "No seat has a higher number" if not higher else "No higher seat was taken"
            return self.say(change, C, end_us, seen, off, **more)
        return self.say(change, I, end_us, seen, "Whether a higher seat was taken is not known", **more)

    def _tipped(self, offer: Offer, sight: Sight) -> bool:
        """Whether the stack was seen lying flat, tipped up and offered: then no other offer came in between."""
        since_us = offer.events[0].facts.get("tipped_us")
        return isinstance(since_us, int) and self.law.looked(sight, since_us, offer.t_us, "offer_act_s")


class Rotation(StackClause):
    """Refused, the stack goes on to the next taken seat clockwise."""

    HEADER = header(
        "(b)-rotation",
        "Refused, it is offered on clockwise, seat by seat.",
        "offer",
        "stack.present cut.insert seat.occupy seat.leave",
        "the seats passed over between a refused offer and the next one, or the dealer's cut",
        options="silent_seats seat_map_against_text",
    )
    ASKS = "(b) asks that a refused stack be offered on, clockwise, to each player"

    def cases(self, change: Change) -> tuple[Offer, ...]:
        """Each offer before the first cut that was not taken, as far as was seen."""
        return tuple(offer for offer in OfferClause.before_cut(change) if self._refused(offer))

    @staticmethod
    def _refused(offer: Offer) -> bool:
        return offer.outcome == "refused" or next_offer(offer) is not None

    def trigger_us(self, offer: Offer) -> int:
        """The refusal."""
        return offer.t_us

    def judge(self, offer: Offer, sight: Sight) -> Ruling | None:
        """The next offer, or the cut, settles it."""
        change, following = offer.change, next_offer(offer)
        seen = f"the offer to {seat_text(offer.seat)} was not taken"
        if following is not None and following.seat is None:
            more = {"events": ids(*offer.events, *following.events)}
            return self.say(offer, I, following.end_us, seen, "To whom it went on cannot be told", **more)
        if following is not None:
            return self._on(offer, following.seat, following.events[0].t_us, following.events[0].end_us, sight)
        if change.cuts:
            cut = change.cuts[0]
            return self._cut(offer, cut, sight)
        if change.load is None and not sight.ended:
            return None
        return self.say(
            offer, N, offer.end_us, seen, "Neither another offer nor a cut was seen", events=ids(*offer.events)
        )

    def _cut(self, offer: Offer, cut: Cut, sight: Sight) -> Ruling:
        seat = seat_of(cut.actor)
        if seat is not None and seat != offer.seat:
            return self._on(offer, seat, cut.start_us, cut.end_us, sight)
        if cut.actor == "dealer":
            return self._on(offer, None, cut.start_us, cut.end_us, sight)
        seen = f"the offer to {seat_text(offer.seat)} was seen refused"
        off = "Who cut cannot be told" if seat is None else "The same player cut all the same"
        return self.say(offer, I, cut.end_us, seen, off, events=ids(*offer.events, cut.insert))

    def _on(self, offer: Offer, seat: int | None, start_us: int, end_us: int, sight: Sight) -> Ruling:
        """The stack went on to a seat, or (None) to the dealer."""
        seats, at = self.law.seats, offer.seat
        went = f"the stack went from {seat_text(at)} to {'the dealer' if seat is None else seat_text(seat)}"
        more: dict[str, Any] = {"events": ids(*offer.events)}
        if self.law.map_fault or at is None or at not in seats.seats or (seat is not None and seat not in seats.seats):
            return self.say(offer, I, end_us, went, self.law.map_fault or NOT_ON_MAP, **more)
        if offer.outcome == "accepted":
            return self.say(offer, I, end_us, went, "It had been seen accepted, so the evidence conflicts", **more)
        passed = self._passed(offer, at, seat)
        seating = self.law.seating(offer.change, sight.coverage, start_us)
        looked = self.law.looked(sight, offer.end_us, start_us, "offer_act_s")
        verdict, off = self._passed_over(passed, seating, looked)
        if verdict is V and any(other.seat is None for other in offer.change.offers[: offer.number + 1]):
            verdict, off = I, f"{off}, unless it was offered there before: to whom one offer went cannot be told"
        more["events"] = (*more["events"], *seating.events(seating.occupied(passed) or passed))
        return self.say(offer, verdict, end_us, went, off, **more)

    def _passed(self, offer: Offer, at: int, seat: int | None) -> tuple[int, ...]:
        """The seats passed over that had not been offered the stack."""
        had = {other.seat for other in offer.change.offers[: offer.number + 1]}
        row = self.law.seats.clockwise
        start = row.index(at) + 1
        way = (*row[start:], *row[: start - 1]) if seat is None else self.law.seats.between(at, seat)
        return tuple(other for other in way if other not in had)

    @staticmethod
    def _passed_over(passed: tuple[int, ...], seating: Seating, looked: bool) -> tuple[Verdict, str]:
        taken = seating.occupied(passed)
        if taken:
            off = f"{seats_text(taken)} taken and passed over"
            return (V, off) if looked else (I, f"{off}, unless it was offered while the view was lost")
        if not seating.all_vacant(passed):
            return I, "Whether a seat that was passed over was taken is not known"
        return C, "No taken seat was passed over"


class DealerCuts(OfferClause):
    """If nobody accepts, the dealer cuts. A dealer who cuts without an offer is charged under (b)-offer only."""

    HEADER = header(
        "(b)-dealercut",
        "If nobody accepts, the dealer cuts.",
        "shuffle",
        "stack.present cut.insert packet.move shoe.load",
        "who cut after the last refusal; a cut that was not made counts only if all was in view",
    )
    ASKS = "(b) asks that the dealer cut if no player accepts"

    def cases(self, change: Change) -> tuple[Change, ...]:
        """A stack that nobody accepted."""
        offers = self.before_cut(change)
        if any(offer.outcome == "accepted" for offer in offers):
            return ()
        if change.cuts:
            by_player = seat_of(change.cuts[0].actor) is not None
            return (change,) if offers and not by_player else ()
        refused = bool(offers) and all(offer.outcome == "refused" or next_offer(offer) for offer in offers)
        uncut = change.load is not None and change.ready_us is not None
        return (change,) if refused or (uncut and not offers) else ()

    def judge(self, change: Change, sight: Sight) -> Ruling | None:
        """The cut settles it, or the loading without one."""
        offers = self.before_cut(change)
        more: dict[str, Any] = {"events": ids(*(event for offer in offers for event in offer.events))}
        if change.cuts:
            return self._cut(change, offers, change.cuts[0], more)
        if change.load is None:
            if not sight.ended:
                return None
            off = "The recording, or the change, ended before a cut"
            return self.say(change, N, sight.now_us, "nobody was seen to accept the stack", off, **more)
        since_us = offers[-1].end_us if offers else change.ready_us or change.load.t_us
        end_us, seen = change.load.end_us, "nobody was seen to accept, and the stack went into the shoe uncut"
        if change.before_load(CUT, "packet.move", doubtful=True) or change.before_load("cover.insert"):
            return self.say(change, I, end_us, seen, "A cut may have been made: it was not surely seen", **more)
        if not self.law.looked(sight, since_us, change.load.t_us, "cut_act_s"):
            return self.say(
                change, N, end_us, seen, "The view was lost meanwhile, so it may have passed unseen", **more
            )
        return self.say(change, V, end_us, seen, "The step was not seen, though the stack was in view", **more)

    def _cut(self, change: Change, offers: tuple[Offer, ...], cut: Cut, more: dict[str, Any]) -> Ruling:
        more["events"] = (*more["events"], *ids(cut.insert, *cut.moves[:1]))
        if cut.actor != "dealer":
            return self.say(change, I, cut.end_us, "the stack was cut", "Who cut cannot be told", **more)
        if offers[-1].outcome == "refused":
            return self.say(change, C, cut.end_us, "nobody accepted, and the dealer cut", "Nothing is missing", **more)
        off = "Whether the last player refused cannot be told"
        return self.say(change, I, cut.end_us, "the dealer cut after the last offer", off, **more)


RULES = (First, Rotation, DealerCuts)
