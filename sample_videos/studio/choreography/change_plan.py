"""What is to happen in a shoe change: plain values, drawn by a variant or written in a scenario file."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from sample_videos.studio.choreography.cutting import depth_of
from sample_videos.studio.choreography.offering import Manner
from sample_videos.studio.choreography.ribbon import Ribbon
from sample_videos.studio.choreography.shuffling import Shuffle

#: What a scene shows of a shoe change.
KINDS = ("shoe_change", "shuffle_end", "cut", "second_cover", "load")
#: What is done with the packet above the cover card.
MOVES = ("packet", "part_left", "cover_left", "below", "none")


@dataclass(frozen=True, slots=True)
class Offer:
    """One offer of the stack: to which seat (as the layout counts), and how it is refused; None where accepted."""

    seat: str
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Cut:
    """One cut: who makes it and where; by hand without a cover card; what the dealer then moves."""

    actor: str  # dealer or seat:N as the layout counts
    cards_below: int
    by_hand: bool = False
    reseat_from: int | None = None
    move: str = "packet"
    left_behind: int = 0
    up_mm: float = 12.0
    out_mm: float = 22.0
    lean: float = 0.0
    gap_mm: float = 1.0
    dwell_s: float = 0.5


@dataclass(frozen=True, slots=True)
class ChangePlan:
    """One shoe change. Seats are named as the layout counts them."""

    variant: str
    kind: str = "shoe_change"
    decks: int = 8
    occupied: tuple[str, ...] = ()
    shuffle: Shuffle | None = field(default_factory=Shuffle)
    preshuffled: bool = False
    device: str | None = None  # None, 'ran' or 'never_started'
    backs_away: bool = True
    offers: tuple[Offer, ...] = ()
    manner: Manner = field(default_factory=Manner)
    cut: Cut | None = None
    recut_ordered: bool = False
    recut_offers: tuple[Offer, ...] = ()
    recut: Cut | None = None
    second: Ribbon | None = field(default_factory=lambda: Ribbon(14))
    second_by_hand: bool = False  # stabbed into the standing stack, no ribbon
    second_first: bool = False  # before the packet is moved
    hidden: str | None = None
    hidden_s: float = 2.4
    cover_side: int = 1  # the cover cards lie at the dealer's right (1) or left (-1) of the unmirrored table
    cover_near: bool = False  # and near the stack, where a close view has them in it

    @property
    def cards(self) -> int:
        """How many cards the shoe has."""
        return self.decks * 52

    @property
    def yaw(self) -> float:
        """Which way the stack's upper end points once it stands."""
        return math.pi / 2 if self.backs_away else -math.pi / 2

    def depth(self, cut: Cut) -> tuple[int, str]:
        """How deep a cut is, and from which end."""
        return depth_of(self.cards, cut.cards_below)
