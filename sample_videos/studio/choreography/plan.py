"""What is to happen in a burn scene: plain values, drawn by a variant or written in a scenario file."""

from __future__ import annotations

from dataclasses import dataclass, field

#: 58 Pa. Code 629a.5(f): what the first card calls for. Written here by hand, apart from the rules that judge it.
BURN_VALUE = {"A": 1, **{str(n): n for n in range(2, 11)}, "J": 10, "Q": 10, "K": 10}
VARIANTS = (
    "right",
    "short",
    "short_zero",
    "over",
    "faceup",
    "missed_bucket",
    "not_exposed",
    "no_burn",
    "corrected_missed",
    "corrected_late",
    "hidden_hand",
    "lost_video",
)
DISTRACTORS = ("empty_trip", "chips_through_bucket", "pair", "dropped", "resting_hand")


#: In the middle of the work area, between the hands' boxes, before the tray, beside the bucket.
FIRST_RESTS = ("middle", "gap", "tray", "bucket")


@dataclass(frozen=True, slots=True)
class Style:
    """One dealer's way of doing it."""

    reach_s: float = 0.22  # from rest to the shoe's mouth
    draw_s: float = 0.45
    carry_s: float = 0.55
    pause_s: float = 0.15
    lift_mm: float = 45.0
    grip_mm: float = 25.0  # how far the finger tips lie over the card
    two_hands: bool = True
    first_rests: str = "middle"  # where the shown card lies: see FIRST_RESTS
    first_goes_last: bool = True
    show_s: float = 1.0
    deal_face_up: bool = False
    dealt: int = 4  # cards of the first round that the scene shows
    overlap: bool = False  # the next card is drawn while the other hand still carries the last one


@dataclass(frozen=True, slots=True)
class Plan:
    """One scene. `additional`: cards burned after the first. Indices count the additional draws from 0."""

    variant: str
    rank: str
    suit: str
    additional: int
    expose: bool = True
    burn: bool = True
    load_shoe: bool = False
    play: bool = True
    face_up: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()
    fixed_before_play: bool = False  # a missed card is put in, or a late card burned, before play
    pause_before: int | None = None  # the dealer stops before this draw, clears his hands, and goes on
    pair: int | None = None
    dropped: int | None = None
    empty_trip: int | None = None
    chips: bool = False
    resting_hand: bool = False
    cover: str | None = None  # zone that a stranger's arm covers: discard or shoe
    cover_s: float = 2.4
    lost_s: float = 0.0
    style: Style = field(default_factory=Style)

    @property
    def limit(self) -> int:
        """How many additional cards the first one calls for."""
        return BURN_VALUE[self.rank]
