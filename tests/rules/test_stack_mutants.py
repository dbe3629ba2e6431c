"""§ 629a.5 (a) to (e): a clause whose comparison, limit or order is changed is noticed by the scenario table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from rules.finding import Verdict
from rules.pa58 import (
    ch629a_cut,
    ch629a_loading,
    ch629a_offer,
    ch629a_recut,
    ch629a_rotation,
    ch629a_second,
    ch629a_shuffle,
    ch629a_transfer,
)
from rules.pa58.ch629a_stack_law import StackLaw
from rules.pack import Number
from rules.packs import clauses_of, load_pack
from rules.ruling import Ruling
from rules.skeletons import bounds, change
from rules.skeletons.bounds import Estimate
from rules.skeletons.change import Change, Cut
from rules.skeletons.changewatch import ChangeWatch
from rules.skeletons.seating import Seating, SeatMap
from tests.rules.stacks import rows

ROWS = rows()
Patch = Callable[[pytest.MonkeyPatch], None]
BY = "tests.rules.stacks.load_pack"


def number(name: str, value: Any) -> Patch:
    """A pack with another number."""
    pack = load_pack("pa58/629a")
    changed = replace(pack, numbers={**pack.numbers, name: Number(value, "wrong")})
    return lambda patch: patch.setattr(BY, lambda _: changed)


def default(name: str, value: Any) -> Patch:
    """A pack with another reading of the text."""
    pack = load_pack("pa58/629a")
    changed = replace(pack, options={**pack.options, name: replace(pack.options[name], default=value)})
    return lambda patch: patch.setattr(BY, lambda _: changed)


def no_exemption(clause: str) -> Patch:
    """A pack whose exemptions leave a clause on."""
    pack = load_pack("pa58/629a")
    kept = tuple(replace(e, clauses=tuple(c for c in e.clauses if not c.endswith(clause))) for e in pack.exemptions)
    return lambda patch: patch.setattr(BY, lambda _: replace(pack, exemptions=kept))


def method(owner: Any, name: str, value: Any) -> Patch:
    """Something else in the place of a method or function."""
    return lambda patch: patch.setattr(owner, name, value)


def compared(owner: Any, name: str, verdict: Callable[[Estimate, float], Verdict]) -> Patch:
    """A module that compares otherwise."""
    unknown = Verdict.INDETERMINATE
    return method(owner, name, lambda found, limit, *_: unknown if found is None else verdict(found, limit))


def strictly_more(found: Estimate, limit: float) -> Verdict:
    """As if the limit itself were not enough."""
    low, high = found.one_sided(1.0) or (0.0, 1000.0)
    return Verdict.COMPLIANT if low > limit else Verdict.VIOLATION if high <= limit else Verdict.INDETERMINATE


def by_value(found: Estimate, limit: float) -> Verdict:
    """As if the best value were exact."""
    return Verdict.COMPLIANT if (found.value or 0) >= limit else Verdict.VIOLATION


def at_most(found: Estimate, limit: float) -> Verdict:
    """The wrong way round."""
    low, high = found.one_sided(1.0) or (0.0, 1000.0)
    return Verdict.COMPLIANT if high <= limit else Verdict.VIOLATION if low > limit else Verdict.INDETERMINATE


def generous(found: Estimate, limit: float) -> Verdict:
    """As if what may be right were right."""
    _, high = found.one_sided(1.0) or (0.0, 1000.0)
    return Verdict.COMPLIANT if high >= limit - 0.5 else Verdict.VIOLATION


def fine(clause: Any, case: Any) -> Ruling:
    """Compliant, whatever was seen."""
    ruling: Ruling = clause.say(case, Verdict.COMPLIANT, 0, "seen", "fine")
    return ruling


ALWAYS_LOOKED = method(StackLaw, "looked", lambda *_: True)
NEVER_LOOKED = method(StackLaw, "looked", lambda *_: False)

MUTANTS: dict[str, dict[str, Patch]] = {
    "shuffle": {
        "loading a device is a shuffle": method(ch629a_shuffle.Shuffle, "_ran", lambda _, c: c.of("shuffler.load")),
        "strips are a shuffle": method(ch629a_shuffle, "REAL", ("shuffle.wash", "shuffle.riffle", "shuffle.strip")),
        "a wash is none": method(ch629a_shuffle, "REAL", ("shuffle.device",)),
        "red is a run": number("device_run_colours", ["red"]),
        "a shuffle takes a second": number("shuffle_act_s", 1.0),
        "a shuffle takes ten minutes": number("shuffle_act_s", 600.0),
        "90 % in view is enough": number("coverage_share", 0.9),
        "all of the time must be in view": number("coverage_share", 1.0),
        "nobody needs to have looked": ALWAYS_LOOKED,
        "nobody ever looked": NEVER_LOOKED,
        "preshuffled cards are shuffled": no_exemption("(a)-shuffle"),
    },
    "intermix": {
        "a slug has 21 cards": number("slug_cards", 21),
        "a slug has 9 cards": number("slug_cards", 9),
        "one riffle is enough": number("intermix_riffles", 1),
        "three riffles are asked": number("intermix_riffles", 3),
        "nobody needs to have looked": ALWAYS_LOOKED,
        "what was never mixed is fine": compared(ch629a_shuffle, "at_least", at_most),
        "preshuffled cards are mixed": no_exemption("(a)-intermix"),
    },
    "feather": {
        "half of the stack is enough": number("feathered_share", 0.5),
        "a sixteenth is no matter": number("feathered_tolerance", 0.0625),
        "a twenty-fifth matters": number("feathered_tolerance", 0.04),
        "squared is asked": compared(ch629a_shuffle, "at_least", at_most),
        "the best value is exact": compared(ch629a_shuffle, "at_least", by_value),
        "the floor is slow": number("floor_look_s", 3.0),
        "the floor needs no time": number("floor_look_s", 0.1),
        "a device feathers": no_exemption("(a)-feather"),
    },
    "offer": {
        "no gesture is needed": method(ch629a_offer.Offered, "_dealer_alone", lambda s, c, *_: fine(s, c)),
        "an empty table is offered, too": method(Seating, "all_vacant", lambda *_: False),
        "everybody is seated": method(Seating, "occupied", lambda _, seats: seats),
        "an offer takes no time": number("offer_act_s", 0.3),
        "an offer takes a second": number("offer_act_s", 1.0),
        "nobody needs to have looked": ALWAYS_LOOKED,
    },
    "backs": {
        "backs towards the dealer": method(ch629a_offer.Backs, "AWAY", False),
        "one finding for all offers": method(ch629a_offer.Backs, "cases", lambda _, change: change.offers[:1]),
    },
    "first": {
        "the lowest seat first": method(
            SeatMap, "above", lambda s, seat: tuple(other for other in s.seats if other < seat)
        ),
        "only empty seats matter": method(Seating, "occupied", lambda *_: ()),
        "what was not told is vacant": method(Seating, "all_vacant", lambda *_: True),
        "any seat map will do": method(SeatMap, "fault", ""),
        "nobody needs to have looked": ALWAYS_LOOKED,
        "whoever left stays": method(Seating, "of", lambda s, seat: "occupied" if seat in s.told else "vacant"),
        "silence means nothing": default("silent_seats", "unknown"),
        "a seat out of view is in view": number("seat_notice_s", 0.001),
    },
    "rotation": {
        "counter-clockwise": method(SeatMap, "clockwise", property(lambda s: s.seats)),
        "nobody is passed over": method(SeatMap, "between", lambda *_: ()),
        "empty seats are passed over": method(Seating, "occupied", lambda _, seats: seats),
        "any seat map will do": method(SeatMap, "fault", ""),
        "nobody needs to have looked": ALWAYS_LOOKED,
        "nobody ever looked": NEVER_LOOKED,
    },
    "dealercut": {
        "anybody may cut": method(ch629a_rotation, "seat_of", lambda who: None),
        "nobody needs to have looked": ALWAYS_LOOKED,
        "nobody ever looked": NEVER_LOOKED,
        "a cut takes three seconds": number("cut_act_s", 3.0),
        "acceptance does not matter": method(change.Offer, "outcome", "refused"),
    },
    "covercard": {
        "a hand will do": method(Cut, "by_hand", False),
        "every packet is lifted by hand": method(Cut, "by_hand", True),
        "nobody needs to have looked": ALWAYS_LOOKED,
        "nobody ever looked": NEVER_LOOKED,
    },
    "depth": {
        "nine are enough": number("cut_min_cards", 9),
        "eleven are asked": number("cut_min_cards", 11),
        "ten are not enough": compared(ch629a_cut, "at_least", strictly_more),
        "the best value is exact": compared(ch629a_cut, "at_least", by_value),
        "at most ten": compared(ch629a_cut, "at_least", at_most),
        "what may be right is right": compared(ch629a_cut, "at_least", generous),
        "both bounds count": number("bound_share", 1.0),
        "the bounds are nearer": number("bound_share", 0.7),
        "part of a card is a card": compared(
            ch629a_cut, "at_least", lambda f, limit: bounds.at_least(f, limit, 0.84, 0.0)
        ),
        "the first place counts": method(Cut, "insert", property(lambda cut: cut.inserts[0] if cut.inserts else None)),
        "the view does not matter": number("cut_act_s", 5.0),
        "the packet has no say": method(ch629a_cut.Depth, "_by_packet", lambda *_: None),
        "the packet is always the part above": method(ch629a_cut, "_rest", lambda found, _: found),
    },
    "movepacket": {
        "three cards may stay": compared(ch629a_transfer, "at_most", lambda f, _: at_most(f, 3)),
        "no half card may stay": compared(ch629a_transfer, "at_most", at_most),
        "all must stay": compared(ch629a_transfer, "at_most", by_value),
        "the first move counts": method(Cut, "move", property(lambda cut: cut.moves[0] if cut.moves else None)),
        "the felt is the bottom": method(ch629a_transfer.MovePacket, "_on_felt", ch629a_transfer.MovePacket._to_bottom),
        "the other part is the same": default("equivalent_move", "compliant"),
        "the other part is a plain breach": default("equivalent_move", "violation"),
        "packets agree to twenty cards": number("packet_tolerance_cards", 100),
        "packets agree to one card": number("packet_tolerance_cards", 1),
        "nobody needs to have looked": ALWAYS_LOOKED,
        "nobody ever looked": NEVER_LOOKED,
        "moving takes no time": number("move_act_s", 3.0),
    },
    "movecover": {
        "it may stay": method(ch629a_transfer.MoveCover, "_moved", lambda s, c, _: fine(s, c)),
        "nobody needs to have looked": ALWAYS_LOOKED,
        "nobody ever looked": NEVER_LOOKED,
    },
    "second": {
        "any cover card will do": method(change, "second", lambda _: True),
        "nobody needs to have looked": ALWAYS_LOOKED,
        "nobody ever looked": NEVER_LOOKED,
        "putting it in takes no time": number("cover_act_s", 0.3),
        "putting it in takes a second": number("cover_act_s", 1.0),
        "after a recut it is asked": default("recut_repeats_second_cover", "required"),
        "after a recut it is not asked": default("recut_repeats_second_cover", "not_required"),
    },
    "seconddepth": {
        "thirteen are enough": number("second_cover_min_cards", 13),
        "fifteen are asked": number("second_cover_min_cards", 15),
        "fourteen are not enough": compared(ch629a_second, "at_least", strictly_more),
        "the best value is exact": compared(ch629a_second, "at_least", by_value),
        "at most fourteen": compared(ch629a_second, "at_least", at_most),
        "what may be right is right": compared(ch629a_second, "at_least", generous),
        "the first cover card counts": default("first_cover_card_counts", True),
        "what comes out says nothing": method(ch629a_second.SecondDepth, "_came_out", lambda *_: None),
        "only what was left counts": method(ch629a_second, "_below", lambda e: bounds.estimate(e.facts, "cards_left")),
        "the view does not matter": method(ch629a_second.SecondDepth, "_kept", lambda *_: True),
        "a device's shuffle ends the shoe": method(
            ChangeWatch, "_opens", lambda s, e, opens=ChangeWatch._opens: opens(replace(s, long=False), e)
        ),
    },
    "order": {
        "the order does not matter": number("order_tolerance_s", 100.0),
        "the times are exact": number("order_tolerance_s", 0.1),
        "the times are less exact": number("order_tolerance_s", 0.3),
        "nobody needs to have looked": ALWAYS_LOOKED,
        "nobody ever looked": NEVER_LOOKED,
        "only the loading counts": method(ch629a_loading.Order, "_too_early", lambda s, c, *_: fine(s, c)),
    },
    "shoe": {
        "half of the way in view is enough": number("custody_share", 0.5),
        "all of the way must be in view": number("custody_share", 1.0),
        "two seconds are too short to exchange it": number("custody_gap_s", 2.0),
        "a third of a second is enough to exchange it": number("custody_gap_s", 0.3),
        "the hand is a shoe": method(Change, "dealt_by_hand", None),
        "any place on the way is fine": method(ch629a_loading.IntoShoe, "_elsewhere", staticmethod(lambda *_: False)),
        "every place is elsewhere": method(ch629a_loading.IntoShoe, "_elsewhere", staticmethod(lambda *_: True)),
    },
    "recut": {
        "an order after the loading counts": method(
            ch629a_recut, "_within", lambda order, cut: order.t_us >= cut.start_us
        ),
        "an order before the cut counts": method(ch629a_recut, "_within", lambda order, cut: order is not cut.order),
        "nobody needs to have looked": ALWAYS_LOOKED,
        "nobody ever looked": NEVER_LOOKED,
        "every order is answered": method(ch629a_recut, "_within", lambda *_: False),
    },
    "who": {
        "the same player may": method(ch629a_recut, "seat_of", lambda who: None),
        "counter-clockwise": method(SeatMap, "after", lambda s, seat: s.seats[s.seats.index(seat) + 1 :]),
        "anybody after may": method(Seating, "occupied", lambda *_: ()),
        "always round again": default("recut_after_last_seat", "round_again"),
        "any seat map will do": method(SeatMap, "fault", ""),
        "nobody needs to have looked": ALWAYS_LOOKED,
        "nobody ever looked": NEVER_LOOKED,
    },
    "load": {
        "the hand is a shoe": method(Change, "dealt_by_hand", None),
        "the text asks for the second cover card": default("recut_repeats_second_cover", "required"),
        "every recut is loaded": method(ch629a_recut.Load, "_unloaded", lambda s, r, _: fine(s, r)),
    },
}


@pytest.mark.parametrize(
    ("clause", "name"), [(clause, name) for clause, mutants in MUTANTS.items() for name in mutants]
)
def test_a_changed_limit_order_or_comparison_is_noticed_by_the_table(
    clause: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    MUTANTS[clause][name](monkeypatch)
    about = [row for row in ROWS if clause in row.raw["verdicts"]]
    assert any(said.startswith(f"{clause}:") for row in about for said in row.departures(row.judge()))


def test_every_clause_that_is_judged_here_has_mutants() -> None:
    judged = [clause.id.rsplit("-", 1)[1] for clause in clauses_of(load_pack("pa58/629a")) if "(f)" not in clause.id]
    assert list(MUTANTS) == judged
