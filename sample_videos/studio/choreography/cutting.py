"""The cut: a cover card stabbed in by a player or the dealer, or a packet lifted by hand; what is then moved where."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol

from sample_videos.studio.choreography.dealer import us
from sample_videos.studio.choreography.dealing import Dealing
from sample_videos.studio.choreography.handling import Cover, grip_edge, hands_off, move
from sample_videos.studio.choreography.pack import Inserted, Pack, beyond, join, open_at, placed, split
from sample_videos.studio.choreography.seats import PlayerArm, Players
from sample_videos.studio.scene import CardPose, StackPose, Vec3
from sample_videos.studio.stack_shape import length_mm


@dataclass(frozen=True, slots=True)
class Stab:
    """How a cover card is put in."""

    cards_below: int
    up_mm: float = 12.0
    out_mm: float = 22.0
    lean: float = 0.0
    gap_mm: float = 1.0
    dwell_s: float = 0.5  # the hand stays at the card
    reseat_from: int | None = None  # it is first put in with so many cards below, and moved


class Fingers(Protocol):
    """A dealer's or a player's arm."""

    def to(self, t_us: int, grip: Vec3, *, pinch: float = ..., curl: float = ..., lift_mm: float = ...) -> int:
        """The finger tips are at `grip` at `t_us`, or as soon after it as a hand can; returns when."""
        ...

    def hold(self, until_us: int) -> None:
        """Stays where it is until `until_us`."""
        ...

    @property
    def free_us(self) -> int:
        """When its last movement ends."""
        ...


def depth_of(cards: int, cards_below: int) -> tuple[int, str]:
    """How many cards lie between the cover card and the nearer end, and which end that is."""
    above = cards - cards_below
    return (above, "top") if above <= cards_below else (cards_below, "bottom")


def player_cuts(d: Dealing, players: Players, seat: str, pack: Pack, cover: Cover, *, stab: Stab) -> None:
    """The player takes the cover card from the felt and puts it into the stack."""
    arm = players.hand(seat)
    players.idle(arm, d.now_us)
    _cut(d, arm, pack, cover, actor=seat, stab=stab)
    arm.to(arm.free_us + us(0.7), arm.home, curl=0.35, lift_mm=25)
    d.now_us += us(d.jitter(0.9))


def dealer_cuts(d: Dealing, pack: Pack, cover: Cover, *, stab: Stab) -> None:
    """The dealer puts the cover card in himself."""
    arm = d.right if cover.last.centre[0] >= 0 else d.left
    arm.hold(d.now_us)
    _cut(d, arm, pack, cover, actor="dealer", stab=stab)
    hands_off(d, 0.5)
    d.now_us += us(d.jitter(0.8))


def _cut(d: Dealing, arm: Fingers, pack: Pack, cover: Cover, *, actor: str, stab: Stab) -> None:
    start, end = insert(d, arm, pack, cover, stab)
    depth, nearest = depth_of(pack.count, stab.cards_below)
    d.event(
        "cut.insert", start, end, actor=actor, depth_cards=depth, depth_cards_low=depth, depth_cards_high=depth,
        **{"from": nearest},
    )  # fmt: skip
    d.moments["cut"] = end


def insert(d: Dealing, arm: Fingers, pack: Pack, cover: Cover, stab: Stab) -> tuple[int, int]:
    """Takes the cover card up, carries it over the stack and pushes it in; returns when the pushing began and ended."""
    x, y, z = cover.last.centre
    taken = arm.to(d.now_us + us(0.6), (x + 8, y - 20, z + 5.0), pinch=0.85, lift_mm=25)
    taken = max(taken, arm.free_us)
    first = stab.reseat_from if stab.reseat_from is not None else stab.cards_below
    held = Inserted(cover, first, 78.0, stab.out_mm, 0.0)
    above = held.in_stack(pack.pose)
    _lead(arm, cover, above, taken, 0.7, lift_mm=40.0)
    start = arm.free_us
    _open(pack, start, first, stab.gap_mm)
    held = replace(held, up_mm=stab.up_mm, lean=stab.lean)
    _lead(arm, cover, held.in_stack(pack.pose), start, 0.35)
    end = arm.free_us
    if stab.reseat_from is not None:
        arm.hold(end + us(0.3))
        start = arm.free_us
        out = replace(held, up_mm=78.0, lean=0.0, cards_below=stab.cards_below)
        _lead(arm, cover, replace(out, cards_below=first).in_stack(pack.pose), start, 0.3)
        _shut(pack, arm.free_us, first)
        _lead(arm, cover, out.in_stack(pack.pose), arm.free_us, 0.35, lift_mm=5.0)
        start = arm.free_us
        _open(pack, start, stab.cards_below, stab.gap_mm)
        held = replace(held, cards_below=stab.cards_below)
        _lead(arm, cover, held.in_stack(pack.pose), start, 0.35)
        end = arm.free_us
    pack.covers.append(held)
    cover.put(end, held.in_stack(pack.pose))
    arm.hold(end + us(d.jitter(stab.dwell_s)))
    d.now_us = arm.free_us
    return start, end


def _open(pack: Pack, t_us: int, cards_below: int, width_mm: float) -> None:
    pack.set(t_us, open_at(pack.pose, cards_below, width_mm))


def _shut(pack: Pack, t_us: int, cards_below: int) -> None:
    pose = pack.pose
    share = cards_below / pose.count
    shut = replace(pose, gaps=tuple(gap for gap in pose.gaps if abs(gap[0] - share) > 1e-9))
    pack.set(t_us, placed(shut, pose, (length_mm(shut) - length_mm(pose)) / 2))


def finger_on(card: CardPose) -> Vec3:
    """Where the finger tips hold a cover card: at its upper edge where it stands, else near its middle."""
    x, y, z = card.centre
    standing = abs(math.sin(card.roll))
    return (x + 8 * (1 - standing), y - 20 * (1 - standing), z + 30.0 * standing + 5.0 * (1 - standing))


def _lead(arm: Fingers, cover: Cover, goal: CardPose, start_us: int, seconds: float, *, lift_mm: float = 0.0) -> None:
    """The arm takes the card it holds to `goal`."""
    arm.hold(start_us)
    begin = arm.free_us
    end = arm.to(begin + us(seconds), finger_on(goal), pinch=0.85, lift_mm=lift_mm)
    end = max(end, arm.free_us)
    cover.move(begin, end, goal, lift_mm)


def pull_out(d: Dealing, pack: Pack, which: int, goal: CardPose) -> Cover:
    """The dealer pulls a cover card out of the stack and lays it at `goal`; returns it."""
    card = pack.covers.pop(which)
    arm = d.right if goal.centre[0] >= 0 else d.left
    move(d, [(arm, finger_on(card.cover.last))], 0.5, lift_mm=20, pinch=0.85)
    up = replace(card, up_mm=78.0).in_stack(pack.pose)
    _lead(arm, card.cover, up, d.now_us, 0.3)
    _shut(pack, arm.free_us, card.cards_below)
    _lead(arm, card.cover, goal, arm.free_us, 0.6, lift_mm=30.0)
    d.now_us = arm.free_us
    return card.cover


# -- the packet -------------------------------------------------------------------------------------------------------


def move_packet(d: Dealing, pack: Pack, below: int, *, left_behind: int = 0, with_cover: bool = True) -> None:
    """The dealer takes all but the lowest `below` cards, with the cover card there, and puts them behind the rest.

    `left_behind` of them, at the top, stay where they were.
    """
    total = pack.count
    moved = total - below - left_behind
    if left_behind:
        remnant = split(d, pack, total - left_behind)
    packet = split(d, pack, below, covers_go=with_cover)
    start, end = _to_the_back(d, pack, packet)
    if left_behind:
        _close_up(d, pack, remnant)
    _tidy(d, pack)
    facts = _counted("cards", moved) | _counted("left_behind_cards", left_behind)
    d.event("packet.move", start, end, actor="dealer", with_cover_card=with_cover, to="bottom", **facts)
    d.moments["packet"] = d.now_us


def _counted(name: str, cards: int) -> dict[str, int]:
    return {name: cards, f"{name}_low": cards, f"{name}_high": cards}


def _to_the_back(d: Dealing, rest: Pack, packet: Pack) -> tuple[int, int]:
    """The packet is lifted over the rest and joined to its lower end; `rest` is the whole stack again."""
    arms = (d.left, d.right)
    move(d, grip_edge(packet.pose, arms, 0.0), 0.4, lift_mm=15)
    out = replace(packet.pose, centre=_ahead(packet.pose, 12.0))
    start, _ = packet.carry(d, grip_edge(out, arms, 0.0), 0.25, out)
    goal = beyond(rest.pose, packet.pose, below=True)
    packet.carry(d, grip_edge(goal, arms, 0.0), 0.9, goal, 105.0)
    end = d.now_us
    lower, upper = packet, Pack(rest.stack, rest.covers)
    join(d, lower, upper)
    rest.stack, rest.covers = lower.stack, lower.covers
    return start, end


def _ahead(pose: StackPose, mm: float) -> Vec3:
    x, y, z = pose.centre
    return (x + math.cos(pose.yaw) * mm, y + math.sin(pose.yaw) * mm, z)


def _close_up(d: Dealing, pack: Pack, remnant: Pack) -> None:
    """Cards that stayed before the gap are pushed against the rest."""
    arms = (d.left, d.right)
    move(d, grip_edge(remnant.pose, arms, 0.0), 0.3, lift_mm=15)
    goal = beyond(pack.pose, remnant.pose, below=False)
    remnant.carry(d, grip_edge(goal, arms, 0.0), 0.4, goal)
    join(d, pack, remnant)


def _tidy(d: Dealing, pack: Pack) -> None:
    """The dealer squares the stack on edge with both hands and draws it to its place."""
    arms = (d.left, d.right)
    pose = pack.pose
    goal = replace(pose, centre=(0.0, 262.0, 0.0), gaps=tuple((at, min(w, 0.8)) for at, w in pose.gaps))
    move(d, grip_edge(pose, arms, 0.1), 0.3)
    pack.carry(d, grip_edge(goal, arms, 0.1), 0.35, goal)


def move_below(d: Dealing, pack: Pack) -> None:
    """The dealer takes the cards below the cover card and puts them on top: the order is the same, the way is not."""
    below = pack.covers[0].cards_below
    upper = split(d, pack, below, covers_go=True)
    arms = (d.left, d.right)
    lower = Pack(pack.stack, pack.covers)
    move(d, grip_edge(lower.pose, arms, 0.0), 0.4, lift_mm=15)
    back = replace(lower.pose, centre=_ahead(lower.pose, -10.0))
    start, _ = lower.carry(d, grip_edge(back, arms, 0.0), 0.25, back)
    goal = beyond(upper.pose, lower.pose, below=False)
    lower.carry(d, grip_edge(goal, arms, 0.0), 0.9, goal, 105.0)
    end = d.now_us
    join(d, upper, lower)
    pack.stack, pack.covers = upper.stack, upper.covers
    _tidy(d, pack)
    facts = _counted("cards", below) | _counted("left_behind_cards", 0)
    d.event("packet.move", start, end, actor="dealer", with_cover_card=False, to="top", **facts)
    d.moments["packet"] = d.now_us


def cut_by_hand(d: Dealing, players: Players, pack: Pack, seat: str, cards_below: int) -> None:
    """The player lifts a packet off with the fingers, without a cover card; the dealer puts the rest on it."""
    arm = players.hand(seat)
    players.idle(arm, d.now_us)
    packet = split(d, pack, cards_below)
    taken = _grasp(d, arm, packet)
    beside = replace(packet.pose, centre=(packet.pose.centre[0] + 118.0, packet.pose.centre[1] + 10, 0.0))
    x, y, z = beside.centre
    end = arm.to(taken + us(0.8), (x, y + 20, z + 62.0), pinch=0.7, curl=0.45, lift_mm=60)
    end = max(end, arm.free_us)
    packet.stack.move(taken, end, beside, 60.0)
    arm.to(end + us(0.7), arm.home, curl=0.35, lift_mm=20)
    d.now_us = end + us(0.3)
    facts = _counted("cards", packet.count) | _counted("left_behind_cards", 0)
    d.event("packet.move", taken, end, actor=seat, with_cover_card=False, to="felt", **facts)
    d.moments["cut"] = end
    arms = (d.left, d.right)
    move(d, grip_edge(packet.pose, arms, 0.0), 0.6, lift_mm=15)
    goal = beyond(pack.pose, packet.pose, below=True)
    packet.carry(d, grip_edge(goal, arms, 0.0), 0.9, goal, 80.0)
    upper = Pack(pack.stack, pack.covers)
    join(d, packet, upper)
    pack.stack, pack.covers = packet.stack, packet.covers
    _tidy(d, pack)
    d.moments["packet"] = d.now_us


def _grasp(d: Dealing, arm: PlayerArm, packet: Pack) -> int:
    x, y, z = packet.pose.centre
    arm.to(d.now_us + us(0.8), (x, y + 20, z + 62.0), pinch=0.7, curl=0.45, lift_mm=30)
    arm.hold(arm.free_us + us(0.2))
    return arm.free_us
