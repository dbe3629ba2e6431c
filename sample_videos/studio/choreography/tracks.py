"""Stacks, packets and cover cards through time: a chain of poses, minimum-jerk in between."""

from __future__ import annotations

import bisect
import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from sample_videos.studio.choreography.motion import mix, mix3, smooth
from sample_videos.studio.scene import CARD_THICKNESS_MM, CARD_WIDTH_MM, CardPose, StackPose, Vec3
from sample_videos.studio.stack_shape import along_mm

EDGE = math.pi / 2  # the tip of a stack that stands on its long edge
Pose = TypeVar("Pose", CardPose, StackPose)


@dataclass(frozen=True, slots=True)
class Stop(Generic[Pose]):
    """Where a thing is at `t_us`; `lift_mm` is how far the way there arches up. A `jump` is not moved to, but is so."""

    t_us: int
    pose: Pose
    lift_mm: float = 0.0
    jump: bool = False


@dataclass(slots=True)
class Track(Generic[Pose]):
    """One thing that is on the table from its first stop until `gone_us`."""

    stops: list[Stop[Pose]] = field(default_factory=list)
    gone_us: int | None = None

    def put(self, t_us: int, pose: Pose) -> None:
        """The thing is like this from `t_us` on, without a way there."""
        self._add(Stop(t_us, pose, 0.0, True))

    def move(self, start_us: int, end_us: int, pose: Pose, lift_mm: float = 0.0) -> None:
        """From where it is at `start_us` it goes to `pose`."""
        self._add(Stop(start_us, self.last, 0.0, True))
        self._add(Stop(end_us, pose, lift_mm))

    def end(self, t_us: int) -> None:
        """The thing is no longer there: in the shoe, or part of another stack."""
        self.gone_us = t_us

    @property
    def last(self) -> Pose:
        """Where it was last put."""
        return self.stops[-1].pose

    def _add(self, stop: Stop[Pose]) -> None:
        if self.stops and stop.t_us < self.stops[-1].t_us:
            raise ValueError(f"a stop at {stop.t_us} after one at {self.stops[-1].t_us}")
        self.stops.append(stop)

    def at(self, t_us: int) -> Pose | None:
        """The pose at a time; None before the first stop and once it is gone."""
        if self.gone_us is not None and t_us >= self.gone_us:
            return None
        i = bisect.bisect_right([s.t_us for s in self.stops], t_us)
        if i == 0:
            return None
        if i == len(self.stops) or self.stops[i].jump:
            return self.stops[i - 1].pose
        a, b = self.stops[i - 1], self.stops[i]
        share = smooth((t_us - a.t_us) / (b.t_us - a.t_us))
        return between(a.pose, b.pose, share, b.lift_mm)


def present(tracks: Iterable[Track[Pose]], t_us: int) -> tuple[Pose, ...]:
    """The poses of those that are there at `t_us`."""
    return tuple(pose for track in tracks if (pose := track.at(t_us)) is not None)


def between(a: Pose, b: Pose, share: float, lift_mm: float = 0.0) -> Pose:
    """The pose `share` of the way from `a` to `b`; what cannot be in between stays as in `a` until the end."""
    x, y, z = mix3(a.centre, b.centre, share)
    centre = (x, y, z + lift_mm * 4 * share * (1 - share))
    yaw = mix(a.yaw, b.yaw, share)
    if isinstance(a, StackPose) and isinstance(b, StackPose):
        near = b if share >= 1.0 else a
        return replace(
            near,
            centre=centre,
            yaw=yaw,
            tip=mix(a.tip or 0.0, b.tip or 0.0, share),
            lace=_mixed_lace(a, b, share),
            gaps=_mixed_gaps(a, b, share),
            loose_mm=mix(a.loose_mm, b.loose_mm, share),
            lean=mix(a.lean, b.lean, share),
            end_looseness=mix(a.end_looseness, b.end_looseness, share),
        )
    if isinstance(a, CardPose) and isinstance(b, CardPose):
        return replace(a, centre=centre, yaw=yaw, pitch=mix(a.pitch, b.pitch, share), roll=mix(a.roll, b.roll, share))
    raise TypeError("a stack does not become a card on its way")


def _mixed_lace(a: StackPose, b: StackPose, share: float) -> tuple[tuple[float, float, float], ...]:
    if [part[:2] for part in a.lace] != [part[:2] for part in b.lace]:
        return (b if share >= 1.0 else a).lace
    return tuple((p[0], p[1], mix(p[2], q[2], share)) for p, q in zip(a.lace, b.lace, strict=True))


def _mixed_gaps(a: StackPose, b: StackPose, share: float) -> tuple[tuple[float, float], ...]:
    if len(a.gaps) != len(b.gaps):
        return (b if share >= 1.0 else a).gaps
    return tuple((mix(p[0], q[0], share), mix(p[1], q[1], share)) for p, q in zip(a.gaps, b.gaps, strict=True))


def normal(pose: StackPose) -> Vec3:
    """The direction from the bottom card to the top card."""
    tip = EDGE if pose.tip is None and pose.on_edge else pose.tip or 0.0
    return (math.sin(tip) * math.cos(pose.yaw), math.sin(tip) * math.sin(pose.yaw), math.cos(tip))


def body_point(pose: StackPose, along: float, up: float = 0.0, out: float = 0.0) -> Vec3:
    """A point of the stack's own frame, in table millimetres.

    `along` its normal from its middle, `up` from the middle of a card towards the edge that is uppermost when it
    stands, `out` along the cards' long sides.
    """
    tip = EDGE if pose.tip is None and pose.on_edge else pose.tip or 0.0
    nx, ny, nz = normal(pose)
    c, s = math.cos(tip), math.sin(tip)
    ux, uy, uz = -c * math.cos(pose.yaw), -c * math.sin(pose.yaw), s
    x, y, z = pose.centre
    middle = z + pose.count * CARD_THICKNESS_MM / 2 * c + CARD_WIDTH_MM / 2 * s
    return (
        x + nx * along + ux * up - math.sin(pose.yaw) * out,
        y + ny * along + uy * up + math.cos(pose.yaw) * out,
        middle + nz * along + uz * up,
    )


def tucked(cover: CardPose, pose: StackPose, cards_below: int, *, up: float, out: float, lean: float = 0.0) -> CardPose:
    """The cover card in a stack with `cards_below` cards below it, sticking out `up` and `out` millimetres.

    It leans, with the stack's cards and by `lean` more, about the line where it comes out of the stack, so that it is
    there where it belongs.
    """
    tip = EDGE if pose.tip is None and pose.on_edge else pose.tip or 0.0
    with_cards = pose.lean * math.sin(tip)
    shift = CARD_WIDTH_MM / 2 * math.tan(with_cards) - (CARD_WIDTH_MM / 2 - up) * math.tan(with_cards + lean)
    centre = body_point(pose, along_mm(pose, cards_below) + shift, up, out)
    return replace(cover, centre=centre, yaw=pose.yaw, roll=tip + with_cards + lean, pitch=0.0)
