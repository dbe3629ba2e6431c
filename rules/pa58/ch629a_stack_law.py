"""What § 629a.5 (a) to (e) read from their pack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.context import GameContext
from rules.coverage import Coverage
from rules.pack import Pack
from rules.ruling import Sight
from rules.skeletons.change import Change
from rules.skeletons.seating import Seating, SeatMap
from rules.skeletons.tally import S_US

AREA = "shuffle"
SHOE = "shoe"
DEVICE = "shuffler"

NUMBERS = {
    "cut_min_cards": "count",
    "second_cover_min_cards": "count",
    "feathered_share": "share",
    "feathered_tolerance": "share",
    "bound_share": "share",
    "shuffle_act_s": "seconds",
    "offer_act_s": "seconds",
    "cut_act_s": "seconds",
    "move_act_s": "seconds",
    "cover_act_s": "seconds",
    "custody_gap_s": "seconds",
    "custody_share": "share",
    "order_tolerance_s": "seconds",
    "floor_look_s": "seconds",
    "seat_notice_s": "seconds",
    "intermix_riffles": "count",
    "slug_cards": "count",
    "packet_tolerance_cards": "count",
    "device_run_colours": "names",
}

OPTIONS = (
    "first_cover_card_counts",
    "equivalent_move",
    "recut_repeats_second_cover",
    "recut_after_last_seat",
    "silent_seats",
    "seat_map_against_text",
)


@dataclass(frozen=True)
class StackLaw:
    """The pack's numbers, the licensee's choices, and the table, as (a) to (e) read them."""

    numbers: Mapping[str, Any]
    options: Mapping[str, Any]
    seats: SeatMap
    cards: int

    def us(self, name: str) -> int:
        """A number of seconds as microseconds."""
        return round(float(self.numbers[name]) * S_US)

    @property
    def share(self) -> float:
        """How much nearer a one-sided bound lies than a two-sided one."""
        return float(self.numbers["bound_share"])

    def looked(self, sight: Sight, start_us: int, end_us: int, act: str, zones: tuple[str, ...] = (AREA,)) -> bool:
        """Whether an act between the two moments would have been seen; `act` names the shortest time it takes."""
        enough = sight.coverage.share(start_us, end_us, zones) >= self.numbers["coverage_share"]
        return enough and sight.coverage.longest_us(start_us, end_us, zones) <= self.us(act)

    def seating(self, change: Change, coverage: Coverage, at_us: int) -> Seating:
        """Who sat where at a moment."""
        silent = self.options["silent_seats"] == "vacant"
        return Seating(change, coverage, at_us, self.us("seat_notice_s"), silent)

    @property
    def map_fault(self) -> str:
        """Why seats cannot be put in the text's order; "" if they can, or the licensee says that they can."""
        return "" if self.options["seat_map_against_text"] == "trust" and self.seats.seats else self.seats.fault


def stack_law(pack: Pack, context: GameContext) -> StackLaw:
    """The numbers and choices of (a) to (e) for a table."""
    numbers = {name: pack.number(name) for name in (*NUMBERS, "coverage_share")}
    options = {name: pack.option(name, context.options) for name in OPTIONS}
    return StackLaw(numbers, options, SeatMap(tuple(context.seats)), context.cards)
