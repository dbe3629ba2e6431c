"""§ 629a.5(e), the recut: made when the floor asks for it, by the next person entitled, and then into the shoe.

The order is speech: it is known by the signal `floor.recut` only. A second cut without one is unexplained.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.event import Event
from rules.finding import Verdict
from rules.pa58.ch629a_rotation import NOT_ON_MAP
from rules.pa58.ch629a_stack_clause import C, I, N, StackClause, V, header, ids
from rules.pa58.ch629a_stack_law import AREA, SHOE
from rules.pa58.ch629a_transfer import CUT_AGAIN, ENDED, UNSEEN
from rules.ruling import Ruling, Sight
from rules.skeletons.change import Change, Cut, seat_of
from rules.skeletons.told import CUT, MOVE, RECUT

NO_ORDER = "no recut was ordered"
UNKNOWN_ORDER = f"Whether the floor had ordered a recut is not known (signal {RECUT})"


@dataclass(frozen=True)
class Recut:
    """An order to cut again (None: none is known), the cut before it, and the one that followed, if any."""

    change: Change
    order: Event | None
    before: Cut
    after: Cut | None

    @property
    def trigger(self) -> str:
        """What the findings get their ids from."""
        return f"recut@{self.t_us}"

    @property
    def t_us(self) -> int:
        """When it was ordered; without an order, when the stack was cut again."""
        if self.order is not None:
            return self.order.t_us
        return self.after.start_us if self.after is not None else self.before.end_us

    @property
    def signals(self) -> Mapping[str, Any]:
        """The signals that held."""
        return self.change.signals

    @property
    def denied(self) -> bool:
        """Whether it was said that no recut was ordered."""
        return self.order is None and self.change.signals.get(RECUT) is False


def recuts(change: Change) -> tuple[Recut, ...]:
    """The recuts of a change: ordered and made, made without an order, ordered and not made."""
    cuts = change.cuts
    found = [Recut(change, cut.order, cuts[cut.number - 1], cut) for cut in cuts[1:]]
    pending = next((order for order in change.orders if cuts and _within(order, cuts[-1])), None)
    return (*found, *([Recut(change, pending, cuts[-1], None)] if pending is not None else []))


def _within(order: Event, last: Cut) -> bool:
    """Whether an order came after the last cut and before the loading."""
    load = last.change.load
    return order.t_us >= last.start_us and (load is None or order.t_us < load.t_us) and order is not last.order


class RecutClause(StackClause):
    """A clause whose occasion is a recut that was made."""

    def cases(self, change: Change) -> tuple[Recut, ...]:
        """Each second cut."""
        return tuple(recut for recut in recuts(change) if recut.after is not None)

    def trigger_us(self, recut: Recut) -> int:
        """The order, or the second cut."""
        return recut.t_us


class Recuts(RecutClause):
    """A recut that the floor orders is made."""

    HEADER = header(
        "(e)-recut",
        "A recut that the floor orders is made.",
        "recut",
        "cut.insert packet.move shoe.load",
        "another cut between the order and the loading; breached only where the order was logged",
        signals=RECUT,
    )
    ASKS = "(e) asks that the cards be cut again if a floorperson requires it before the shoe is loaded"

    def cases(self, change: Change) -> tuple[Recut, ...]:
        """Each order, and each second cut."""
        return recuts(change)

    def judge(self, recut: Recut, sight: Sight) -> Ruling | None:
        """The second cut settles it, or the loading without one."""
        after, load = recut.after, recut.change.load
        if after is not None:
            return self._made(recut, after)
        seen = "a recut was ordered, and no second cut was seen"
        if load is None:
            return self.say(recut, N, sight.now_us, seen, ENDED, events=ids(recut.order)) if sight.ended else None
        more = {"events": ids(recut.order, load)}
        if recut.before.number > 0 and recut.before.order is None:
            off = "The stack had been cut twice before the order, which may have been logged late"
            return self.say(recut, I, load.end_us, seen, off, **more)
        doubtful = [e for e in recut.change.before_load(CUT, MOVE, doubtful=True) if e.t_us >= recut.t_us]
        if doubtful:
            return self.say(recut, I, load.end_us, seen, "It may have been made: it was not surely seen", **more)
        if not self.law.looked(sight, recut.t_us, load.t_us, "cut_act_s"):
            return self.say(recut, N, load.end_us, seen, UNSEEN, **more)
        return self.say(recut, V, load.end_us, seen, "The stack went into the shoe, in view, as it was", **more)

    def _made(self, recut: Recut, after: Cut) -> Ruling:
        more = {"events": ids(recut.order, after.insert, *after.moves[:1])}
        if recut.order is not None:
            seen = "a recut was ordered, and the stack was cut again"
            return self.say(recut, C, after.end_us, seen, "Nothing is missing", **more)
        seen = "the stack was cut a second time"
        if recut.denied:
            return self.off(recut, after.end_us, seen, NO_ORDER, **more)
        return self.say(recut, N, after.end_us, seen, UNKNOWN_ORDER, **more)


class Who(RecutClause):
    """The next person entitled to cut makes the recut: not the one who had cut."""

    HEADER = header(
        "(e)-who",
        "The next person entitled to cut makes the recut.",
        "recut",
        "cut.insert stack.present seat.occupy seat.leave",
        "the second cutter against the taken seats clockwise after the first",
        signals=RECUT,
        options="recut_after_last_seat silent_seats seat_map_against_text",
    )
    ASKS = "(e) asks that the next person entitled to cut, clockwise, make the recut"

    def judge(self, recut: Recut, sight: Sight) -> Ruling | None:
        """Who cut again?"""
        after = recut.after
        if after is None:
            return None
        first, again = recut.before.actor, after.actor
        seen = f"{_name(first)} cut first, {_name(again)} cut again"
        verdict, off, seats = self._entitled(recut, after, first, again, sight)
        seating = self.law.seating(recut.change, sight.coverage, after.start_us)
        more = {"events": (*ids(recut.order, recut.before.insert, after.insert), *seating.events(seats))}
        if recut.denied:
            return self.off(recut, after.end_us, seen, NO_ORDER, **more)
        if recut.order is None and verdict is V:
            return self.say(recut, I, after.end_us, seen, f"{off}. {UNKNOWN_ORDER}", **more)
        return self.say(recut, verdict, after.end_us, seen, off, **more)

    def _entitled(
        self, recut: Recut, after: Cut, first: str, again: str, sight: Sight
    ) -> tuple[Verdict, str, tuple[int, ...]]:
        """The verdict, why, and the seats that it rests on."""
        was, now = seat_of(first), seat_of(again)
        if (was is None and first != "dealer") or (now is None and again != "dealer"):
            return I, "Who cut cannot be told", ()
        if was is not None and was == now:
            return V, "The same player cut twice", ()
        row = self.law.seats.seats
        if self.law.map_fault or any(seat not in row for seat in (was, now) if seat is not None):
            return I, self.law.map_fault or NOT_ON_MAP, ()
        waiting = self._waiting(recut, after, was, now)
        if waiting is None:
            return V, "The turn had passed that player", ()
        if was is None and (now is None or now == self.law.seats.highest):
            return C, "Nobody else was next", ()
        return self._by_seats(recut, after, waiting, sight)

    def _waiting(self, recut: Recut, after: Cut, was: int | None, now: int | None) -> tuple[int, ...] | None:
        """The seats that had a better right than who cut again; None if that one had none."""
        seats, round_again = self.law.seats, self.law.options["recut_after_last_seat"] == "round_again"
        row = seats.clockwise if was is None else seats.after(was)
        if was is not None and round_again:
            row = (*row, *(seat for seat in seats.clockwise if seat not in row and seat != was))
        if now is not None and now not in row:
            return None
        better = row if now is None else row[: row.index(now)]
        had = {
            offer.seat
            for offer in recut.change.offers
            if recut.before.end_us <= offer.t_us < after.start_us and offer.outcome == "refused"
        }
        return tuple(seat for seat in better if seat not in had)

    def _by_seats(
        self, recut: Recut, after: Cut, waiting: tuple[int, ...], sight: Sight
    ) -> tuple[Verdict, str, tuple[int, ...]]:
        seating = self.law.seating(recut.change, sight.coverage, after.start_us)
        taken = seating.occupied(waiting)
        if taken:
            looked = self.law.looked(sight, recut.before.end_us, after.start_us, "offer_act_s")
            off = f"Seat {taken[0]} was taken and came next"
            return (V, off, taken) if looked else (I, f"{off}, unless it refused out of view", taken)
        if seating.all_vacant(waiting):
            return C, "Nobody else was next", waiting
        return I, "Whether a seat that came before was taken is not known", waiting


class Load(RecutClause):
    """After a recut the stack goes into the shoe."""

    HEADER = header(
        "(e)-load",
        "After a recut the stack goes into the shoe.",
        "recut",
        "cut.insert cover.insert shoe.load card.draw",
        "the loading after the second cut",
        zones=(AREA, SHOE),
        signals=RECUT,
        options="recut_repeats_second_cover",
    )
    ASKS = "(e) asks that the stack be put into the shoe after the recut"

    def judge(self, recut: Recut, sight: Sight) -> Ruling | None:
        """The loading settles it."""
        after, change = recut.after, recut.change
        if after is None:
            return None
        seen = "the stack was put into the shoe after it was cut again"
        if after.again is not None:
            return self.off(recut, after.again.start_us, "the stack was cut again", CUT_AGAIN)
        if change.load is None:
            return self._unloaded(recut, sight)
        more = {"events": ids(after.insert, change.load)}
        displaced = any(cut.seconds for cut in change.cuts[:-1]) and not after.seconds
        if displaced and self.law.options["recut_repeats_second_cover"] == "unsettled":
            off = "The second cover card was not put in again; whether it has to be the text does not say"
            return self.say(recut, I, change.load.end_us, seen, off, **more)
        return self.say(recut, C, change.load.end_us, seen, "Nothing is missing", **more)

    def _unloaded(self, recut: Recut, sight: Sight) -> Ruling | None:
        dealt, drawn = recut.change.dealt_by_hand, recut.change.drawn_from_shoe
        if dealt is not None:
            seen, verdict = "cards were dealt from the hand after the recut", I if recut.order is None else V
            return self.say(
                recut, verdict, dealt.end_us, seen, "The stack was not put into the shoe", events=ids(dealt)
            )
        if drawn is not None:
            seen = "cards were drawn from the shoe; its loading was not seen"
            return self.say(recut, I, drawn.end_us, seen, "Whether it was this stack cannot be told", events=ids(drawn))
        seen = "the stack was cut again, and not seen going into the shoe"
        return self.say(recut, N, sight.now_us, seen, ENDED) if sight.ended else None


def _name(actor: str) -> str:
    seat = seat_of(actor)
    return f"seat {seat}" if seat is not None else "the dealer" if actor == "dealer" else "somebody"


RULES: tuple[type[Any], ...] = (Recuts, Who, Load)
