"""The chapter of § 629a.5 as the engine runs it: its rows, the numbers it reads, its judged parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.pa58.ch629a import RULES
from rules.pa58.ch629a_law import law_of
from rules.pa58.ch629a_listed import LISTED
from rules.pack import Pack
from rules.ruling import Chapter, Part
from rules.skeletons.shoe import WATCHED, Limits, ShoeWatch
from rules.skeletons.tally import S_US

NUMBERS = {
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


def parts(pack: Pack, chosen: Mapping[str, Any]) -> tuple[Part[Any], ...]:
    """The judged part of the chapter: the burn."""
    limits = Limits(
        fresh=tuple(pack.number("fresh_shoe")),
        lookback_us=round(pack.number("lookback_s") * S_US),
        reload_us=round(pack.number("reload_s") * S_US),
        late_us=round(pack.number("late_burn_s") * S_US),
    )
    law = law_of(pack, chosen)
    return (Part(ShoeWatch(limits), tuple(rule(law, rule.HEADER) for rule in RULES), WATCHED),)


CHAPTER = Chapter(
    name="pa58/629a",
    clauses=(*LISTED, *(rule.HEADER for rule in RULES)),
    numbers=NUMBERS,
    options=("cards_on_felt_count",),
    parts=parts,
)
