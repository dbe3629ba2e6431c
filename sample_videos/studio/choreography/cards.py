"""Where each card is at any time: a chain of spells - in the shoe, in a hand, falling, lying."""

from __future__ import annotations

import bisect
import math
from dataclasses import dataclass, field, replace

from sample_videos.studio.choreography.motion import GripPath, mix, mix3, smooth, turn
from sample_videos.studio.scene import CardPose, Vec2, Vec3


@dataclass(frozen=True, slots=True)
class Lie:
    """A card lying still from `t_us` on."""

    t_us: int
    centre: Vec3
    yaw: float
    face_up: bool

    def pose(self, t_us: int, base: CardPose) -> CardPose:
        """The card's pose."""
        return replace(base, centre=self.centre, yaw=self.yaw, face_up=self.face_up)


@dataclass(frozen=True, slots=True)
class Held:
    """A card held from `t_us` on: its middle is `offset` (across, along the fingers, up) from the grip.

    Between `turn_us[0]` and `turn_us[1]` it is turned over about its long axis.
    """

    t_us: int
    path: GripPath
    offset: Vec3
    yaw_offset: float
    face_up: bool
    turn_us: tuple[int, int] | None = None
    tilt: float = 0.0

    def pose(self, t_us: int, base: CardPose) -> CardPose:
        """The card's pose, carried by the hand."""
        key = self.path.at(t_us)
        dx, dy = turn(self.offset[0], self.offset[1], key.yaw)
        centre = (key.grip[0] + dx, key.grip[1] + dy, key.grip[2] + self.offset[2])
        face_up, roll, lift = self._turning(t_us)
        return replace(
            base,
            centre=(centre[0], centre[1], centre[2] + lift),
            yaw=key.yaw + self.yaw_offset,
            face_up=face_up,
            roll=roll,
            pitch=self.tilt,
            bend_mm=2.0,
        )

    def _turning(self, t_us: int) -> tuple[bool, float, float]:
        """Which side is up, the roll, and how far the turning lifts the middle."""
        if self.turn_us is None or t_us <= self.turn_us[0]:
            return self.face_up, 0.0, 0.0
        if t_us >= self.turn_us[1]:
            return not self.face_up, 0.0, 0.0
        angle = math.pi * smooth((t_us - self.turn_us[0]) / (self.turn_us[1] - self.turn_us[0]))
        lift = 32.0 * math.sin(angle)
        if angle <= math.pi / 2:
            return self.face_up, angle, lift
        return not self.face_up, angle - math.pi, lift


@dataclass(frozen=True, slots=True)
class Slide:
    """A card let go at `t_us`, sliding or falling from where it was to where it lies by `until_us`."""

    t_us: int
    until_us: int
    start: CardPose
    end: Lie

    def pose(self, t_us: int, base: CardPose) -> CardPose:
        """The card's pose on the way."""
        share = min(1.0, (t_us - self.t_us) / (self.until_us - self.t_us))
        x, y, _ = mix3(self.start.centre, self.end.centre, smooth(share))
        z = mix(self.start.centre[2], self.end.centre[2], share * share)
        return replace(
            base,
            centre=(x, y, z),
            yaw=mix(self.start.yaw, self.end.yaw, share),
            face_up=self.end.face_up,
            pitch=self.start.pitch * (1 - share),
        )


Spell = Lie | Held | Slide


@dataclass(slots=True)
class CardPath:
    """One card (or a pair held as one) through its spells; unseen before the first."""

    card_id: int
    rank: str
    suit: str
    count: int = 1
    fan_mm: Vec2 = (0.0, 0.0)
    deck: int = 0
    spells: list[Spell] = field(default_factory=list)

    def add(self, spell: Spell) -> None:
        """Appends a spell; they come in order of time."""
        if self.spells and spell.t_us < self.spells[-1].t_us:
            raise ValueError(f"card {self.card_id}: a spell at {spell.t_us} after one at {self.spells[-1].t_us}")
        self.spells.append(spell)

    def at(self, t_us: int) -> CardPose | None:
        """The pose at a time, None while the card is in the shoe."""
        i = bisect.bisect_right([s.t_us for s in self.spells], t_us)
        if i == 0:
            return None
        base = CardPose(
            self.card_id,
            self.rank,
            self.suit,
            False,
            (0, 0, 0),
            0.0,
            count=self.count,
            fan_mm=self.fan_mm,
            deck=self.deck,
        )
        return self.spells[i - 1].pose(t_us, base)

    def must(self, t_us: int) -> CardPose:
        """The pose at a time at which the card is out of the shoe."""
        pose = self.at(t_us)
        if pose is None:
            raise ValueError(f"card {self.card_id} is in the shoe at {t_us}")
        return pose
