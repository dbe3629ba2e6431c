"""The chapter of § 629a.5 as the engine runs it: its rows, the numbers it reads, its judged parts."""

from __future__ import annotations

from typing import Any

from rules.clause import Clause
from rules.context import GameContext
from rules.pa58 import (
    ch629a,
    ch629a_cut,
    ch629a_loading,
    ch629a_offer,
    ch629a_recut,
    ch629a_rotation,
    ch629a_second,
    ch629a_shuffle,
    ch629a_stack_law,
    ch629a_transfer,
)
from rules.pa58.ch629a_law import law_of
from rules.pa58.ch629a_stack_law import stack_law
from rules.pack import Pack
from rules.ruling import Chapter, Part
from rules.skeletons import changewatch
from rules.skeletons.changewatch import ChangeWatch
from rules.skeletons.shoe import WATCHED, Limits, ShoeWatch
from rules.skeletons.tally import S_US

NUMBERS = {
    **ch629a_stack_law.NUMBERS,
    "burn_values": "values",
    "draw_period_min_s": "seconds",
    "burn_act_s": "seconds",
    "coverage_share": "share",
    "blind_share": "share",
    "burn_proof_cards": "count",
    "fresh_shoe": "names",
    "burn_area_zones": "names",
    "lookback_s": "seconds",
    "reload_s": "seconds",
    "late_burn_s": "seconds",
}


#: Judged when the stack is loaded, or before.
STACK_RULES: tuple[type[Any], ...] = (
    *ch629a_shuffle.RULES,
    *ch629a_offer.RULES,
    *ch629a_rotation.RULES,
    *ch629a_cut.RULES,
    *ch629a_transfer.RULES,
    *ch629a_loading.RULES,
    *ch629a_recut.RULES,
)
#: Judged when the second cover card comes out of the shoe.
LATE_RULES: tuple[type[Any], ...] = ch629a_second.RULES
#: The rows in the text's order.
ORDER = "shuffle intermix feather offer backs first rotation dealercut covercard depth movepacket movecover second"
ORDER += " seconddepth order shoe recut who load expose value count facedown bucket before"


def parts(pack: Pack, context: GameContext) -> tuple[Part[Any], ...]:
    """The judged parts of the chapter: the change of the shoe, and the burn."""
    return (*_change(pack, context), _burn(pack, context))


def _change(pack: Pack, context: GameContext) -> tuple[Part[Any], ...]:
    law, reload_us = stack_law(pack, context), round(pack.number("reload_s") * S_US)
    rules, late = (tuple(rule(law, rule.HEADER) for rule in some) for some in (STACK_RULES, LATE_RULES))
    return (
        Part(ChangeWatch(reload_us), rules, changewatch.KINDS),
        Part(ChangeWatch(reload_us, long=True), late, changewatch.KINDS),
    )


def _burn(pack: Pack, context: GameContext) -> Part[Any]:
    limits = Limits(
        fresh=tuple(pack.number("fresh_shoe")),
        lookback_us=round(pack.number("lookback_s") * S_US),
        reload_us=round(pack.number("reload_s") * S_US),
        late_us=round(pack.number("late_burn_s") * S_US),
    )
    law = law_of(pack, context.options)
    return Part(ShoeWatch(limits), tuple(rule(law, rule.HEADER) for rule in ch629a.RULES), WATCHED)


def _in_order() -> tuple[Clause, ...]:
    found = [rule.HEADER for rule in (*STACK_RULES, *LATE_RULES, *ch629a.RULES)]
    return tuple(sorted(found, key=lambda clause: ORDER.split().index(clause.id.rsplit("-", 1)[1])))


CHAPTER = Chapter(
    name="pa58/629a",
    clauses=_in_order(),
    numbers=NUMBERS,
    options=("cards_on_felt_count", *ch629a_stack_law.OPTIONS),
    parts=parts,
)
