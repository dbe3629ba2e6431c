"""A burn after a shoe change, as a dealer does it: who moves what, when, and what that is in the truth.

The first card comes out of the shoe and is turned face up; then so many cards as its face says (or, where the dealer
errs, another number) go face down into the discard bucket, each drawn with the hand at the shoe and carried there by
it or handed to the other one; then a first round is dealt to player and banker.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import Generator

from sample_videos.second.layout import Layout
from sample_videos.second.motion import Track
from sample_videos.second.things import LAYER_MM

#: 58 Pa. Code 629a.5(f): ten for 10, jack, queen and king, one for the ace.
BURN_VALUES = {"A": 1, "J": 10, "Q": 10, "K": 10} | {str(pips): pips for pips in range(2, 11)}
ROUND = ("player", "banker", "player", "banker")
#: Fingers on a card, and at rest.
GRIP, REST = [24.0, 24.0, 24.0, 24.0, 24.0], [12.0, 20.0, 20.0, 22.0, 24.0]

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Plan:
    """What the dealer does: the first card, how many cards are burned, and the manner.

    `pace` is a factor on all times; `two_hands`: the other hand takes the cards to the bucket; `first_goes_last`: the
    first card stays in view until the others are burned; `dealt_up`: the round is dealt face up.
    """

    rank: str
    suit: str
    burned: int
    two_hands: bool
    first_goes_last: bool
    dealt_up: bool
    pace: float = 1.0

    @property
    def owed(self) -> int:
        """How many cards the first one calls for."""
        return BURN_VALUES[self.rank]


@dataclass(slots=True)
class Burn:
    """The tracks of cards and hands, and the truth's events.

    `cards` are tracks in the order in which they are drawn; `hands` by side.
    """

    layout: Layout
    plan: Plan
    shoe_at: Place
    shoe_turn_deg: float
    mouth_mm: float
    bucket_height_mm: float
    random: Generator
    cards: list[Track] = field(default_factory=list)
    hands: dict[str, Track] = field(default_factory=dict)
    events: list[dict[str, Any]] = field(default_factory=list)
    in_bucket: int = 0

    def __post_init__(self) -> None:
        for side in ("left", "right"):
            x = -150.0 if side == "left" else 150.0
            rest = {"tips": [x, 95.0, 6.0], "yaw": 97.0 if side == "left" else 83.0}
            self.hands[side] = Track(rest | {"pitch": 6.0, "roll": 0.0, "curl": REST, "spread": 3.0}, place="tips")

    # -- places ----------------------------------------------------------------------------------------------------

    @property
    def near(self) -> str:
        """The hand at the shoe."""
        return self.layout.shoe_side

    @property
    def far(self) -> str:
        """The other hand."""
        return "right" if self.near == "left" else "left"

    def out_of_shoe(self, mm: float) -> Place:
        """The point so far in front of the mouth."""
        a = np.radians(self.shoe_turn_deg)
        far = self.mouth_mm + mm
        return self.shoe_at[0] + far * float(np.cos(a)), self.shoe_at[1] + far * float(np.sin(a))

    def yaw(self, hand: str, x: float) -> float:
        """Where a hand's fingers point when they are at x: away from its shoulder."""
        shoulder = -210.0 if hand == "left" else 210.0
        return float(np.degrees(np.arctan2(520.0, (x - shoulder) * 0.62)))

    def tips(self, hand: str, x: float, y: float, z: float) -> dict[str, Any]:
        """A hand's values with its fingers on a card whose middle is at (x, y)."""
        return {"tips": [x, y - 12.0, z + 1.0], "yaw": self.yaw(hand, x)}

    # -- acts ------------------------------------------------------------------------------------------------------

    def seconds(self, about_s: float) -> float:
        """A time of about so long, at the dealer's pace."""
        return about_s * self.plan.pace * float(self.random.uniform(0.9, 1.12))

    def event(self, kind: str, start_s: float, end_s: float, facts: dict[str, Any]) -> None:
        """Notes what happened."""
        self.events.append({"kind": kind, "t_us": round(start_s * 1e6), "end_us": round(end_s * 1e6), "facts": facts})

    def to_shoe(self, not_before_s: float) -> float:
        """The near hand goes to the shoe's mouth; returns when its fingers are there."""
        hand = self.hands[self.near]
        start = max(hand.end_s, not_before_s)
        x, y = self.out_of_shoe(-8.0)
        return hand.go(
            start, start + self.seconds(0.3), lift_mm=18, curl=GRIP, pitch=8.0, **self.tips(self.near, x, y, 24.0)
        )

    def draw(self, not_before_s: float) -> tuple[Track, float, float]:
        """A card is drawn out of the shoe: its track, the first touch, and when it is clear of the shoe."""
        touch = self.to_shoe(not_before_s)
        x, y = self.out_of_shoe(-50.0)
        card = Track({"at": [x, y, 4.0], "turn": self.shoe_turn_deg - 90, "flip": 180.0, "shown": False})
        self.cards.append(card)
        start = card.go(touch, touch + 0.05, shown=True)
        x, y = self.out_of_shoe(75.0)
        end = start + self.seconds(0.26)
        card.go(start, end, at=[x, y, 6.0])
        self.hands[self.near].go(start, end, **self.tips(self.near, x, y, 6.0))
        return card, touch, end

    def carry(
        self, card: Track, hand: str, start_s: float, end_s: float, at: list[float], *, lift_mm: float, **pose: Any
    ) -> float:
        """A hand takes a card somewhere; card and fingers move as one."""
        card.go(start_s, end_s, lift_mm=lift_mm, at=at, **pose)
        self.hands[hand].go(start_s, end_s, lift_mm=lift_mm, curl=GRIP, **self.tips(hand, at[0], at[1], at[2]))
        return end_s

    def into_bucket(self, card: Track, hand: str, start_s: float, **pose: Any) -> float:
        """A hand takes a card over the bucket and lets it fall in; returns when it lies there."""
        x, y = self.layout.middle("discard")
        x, y = x + float(self.random.normal(0, 4)), y + float(self.random.normal(0, 4))
        turn = float(self.random.normal(0, 4))
        over = self.carry(
            card,
            hand,
            start_s,
            start_s + self.seconds(0.42),
            [x, y, self.bucket_height_mm + 4],
            lift_mm=30,
            turn=turn,
            **pose,
        )
        self.in_bucket += 1
        lies = card.go(over, over + 0.13, at=[x, y, 4.0 + LAYER_MM * self.in_bucket])
        away = self.hands[hand]
        back = 150.0 if hand == "right" else -150.0
        if hand == self.far:
            away.go(
                over + 0.05,
                over + 0.05 + self.seconds(0.3),
                lift_mm=10,
                curl=REST,
                tips=[back * 0.5, 100.0, 14.0],
                yaw=self.yaw(hand, back),
            )
        return lies

    def hand_over(self, card: Track, start_s: float) -> float:
        """The near hand gives a card to the far one in the middle; returns when that one has it."""
        x, y = float(self.random.normal(0, 12)), 128.0 + float(self.random.normal(0, 8))
        ready = self.hands[self.far]
        end = max(start_s + self.seconds(0.28), ready.end_s + 0.12)
        begin = max(ready.end_s, end - 0.3)
        ready.go(begin, end, curl=GRIP, **self.tips(self.far, x + (28 if self.far == "right" else -28), y, 9.0))
        self.carry(card, self.near, start_s, end, [x, y, 8.0], lift_mm=6, turn=0.0)
        return end

    # -- the whole -------------------------------------------------------------------------------------------------

    def show_first(self, start_s: float) -> tuple[Track, float]:
        """The first card is drawn and turned face up; returns it and since when it lies."""
        card, touch, clear = self.draw(start_s)
        x, y = float(self.random.normal(0, 25)), 325.0 + float(self.random.normal(0, 8))
        self.event("card.draw", touch, clear, {"source": "shoe", "hand": self.near})
        middle = self.carry(
            card, self.near, clear, clear + self.seconds(0.3), [x * 0.5 - 40, y - 40, 12.0], lift_mm=8, turn=0.0
        )
        lies = self.carry(card, self.near, middle, middle + self.seconds(0.4), [x, y, 1.0], lift_mm=42, flip=0.0)
        self.event(
            "card.place",
            lies,
            lies,
            {"zone": "shuffle", "hand": self.near, "face": "up", "rank": self.plan.rank, "suit": self.plan.suit},
        )
        back = -150.0 if self.near == "left" else 150.0
        self.hands[self.near].go(
            lies,
            lies + self.seconds(0.35),
            lift_mm=14,
            curl=REST,
            tips=[back, 110.0, 10.0],
            yaw=self.yaw(self.near, back),
        )
        return card, lies

    def take_first(self, card: Track, lies_s: float, not_before_s: float) -> float:
        """The first card goes into the bucket, face up."""
        hand = self.far if self.plan.two_hands else self.near
        x, y, z = card.at(not_before_s)["at"]
        start = max(self.hands[hand].end_s, not_before_s)
        there = self.hands[hand].go(
            start, start + self.seconds(0.38), lift_mm=14, curl=GRIP, **self.tips(hand, x, y, z)
        )
        end = self.into_bucket(card, hand, there)
        self.event("card.burn", lies_s, end, {"face": "up", "rank": self.plan.rank, "zone": "discard", "index": 0})
        return end

    def burn_one(self, index: int) -> float:
        """One more card goes face down into the bucket; returns when it lies there."""
        card, touch, clear = self.draw(0.0)
        given = self.hand_over(card, clear) if self.plan.two_hands else clear
        self.event("card.draw", touch, given, {"source": "shoe", "hand": self.near})
        lies = self.into_bucket(card, self.far if self.plan.two_hands else self.near, given)
        self.event("card.burn", lies, lies, {"face": "down", "zone": "discard", "index": index})
        return lies

    def deal(self, start_s: float) -> float:
        """A first round: two cards each."""
        self.event("round.start", start_s, start_s, {"round": 1})
        end = start_s
        for number, zone in enumerate(ROUND):
            card, touch, clear = self.draw(start_s)
            self.event("card.draw", touch, clear, {"source": "shoe", "hand": self.near})
            x, y = self.layout.middle(zone)
            x += -38.0 if number < 2 else 38.0
            turned: dict[str, Any] = {"flip": 0.0} if self.plan.dealt_up else {}
            lift = 44.0 if self.plan.dealt_up else 12.0
            end = self.carry(
                card, self.near, clear, clear + self.seconds(0.5), [x, y, 0.8], lift_mm=lift, turn=0.0, **turned
            )
            self.event(
                "card.place",
                end,
                end,
                {"zone": zone, "hand": self.near, "face": "up" if self.plan.dealt_up else "down", "number": number},
            )
        back = -150.0 if self.near == "left" else 150.0
        return self.hands[self.near].go(
            end, end + self.seconds(0.35), lift_mm=14, curl=REST, tips=[back, 95.0, 6.0], yaw=self.yaw(self.near, back)
        )

    def perform(self) -> float:
        """All of it; returns how long it takes, seconds."""
        first, lies = self.show_first(1.0)
        shown = lies + self.seconds(1.0)
        last = shown
        if not self.plan.first_goes_last:
            last = self.take_first(first, lies, shown)
        self.hands[self.near].go(
            max(self.hands[self.near].end_s, shown) + 0.01, max(self.hands[self.near].end_s, shown) + 0.02
        )
        for index in range(1, self.plan.burned + 1):
            last = self.burn_one(index)
        if self.plan.first_goes_last:
            last = self.take_first(first, lies, last + 0.2)
        return self.deal(last + self.seconds(0.7)) + 0.8
