"""The stack into the shoe, with whatever hides it on the way."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sample_videos.studio.choreography.dealer import us
from sample_videos.studio.choreography.dealing import Dealing
from sample_videos.studio.choreography.extras import Extras
from sample_videos.studio.choreography.handling import grip_edge, hands_off, move
from sample_videos.studio.choreography.pack import Pack
from sample_videos.studio.choreography.tracks import EDGE

#: Over the table's edge, and under its top.
EDGE_Y_MM, UNDER_Y_MM, UNDER_Z_MM = -105.0, 70.0, -150.0


@dataclass(frozen=True, slots=True)
class Loading:
    """`hidden`: None, 'arm' (somebody's arm over the stack) or 'leaves' (it leaves the table), for `hidden_s`."""

    hidden: str | None = None
    hidden_s: float = 2.4


def load_shoe(d: Dealing, pack: Pack, plan: Loading) -> None:
    """The lid is opened, the stack turned and laid into the shoe, the lid shut."""
    unseen_us = 0
    if plan.hidden == "leaves":
        unseen_us = _leave_table(d, pack, plan.hidden_s)
    elif plan.hidden == "arm":
        unseen_us = _arm_over(d, pack, plan.hidden_s)
    x, y = d.equipment.shoe_centre
    length, _, height = d.equipment.shoe_size_mm
    move(d, [(d.left, (x - length * 0.25, y - 10, height + 14))], 0.5, lift_mm=40, pinch=0.7)
    move(d, [(d.left, (x - length * 0.33, y - 35, height + 45))], 0.3, pinch=0.7)
    arms = (d.left, d.right)
    move(d, grip_edge(pack.pose, arms), 0.5, lift_mm=30)
    over = replace(pack.pose, centre=(x - 10.0, y, height + 8.0), yaw=0.0, tip=EDGE, gaps=())
    start, _ = pack.carry(d, grip_edge(over, arms, 0.1), 1.4, over, 60.0)
    inside = replace(over, centre=(x - 10.0, y, 4.0))
    pack.carry(d, grip_edge(inside, arms, 0.1), 0.5, inside)
    end = d.now_us
    pack.stack.end(end)
    for card in pack.covers:
        card.cover.end(end)
    d.loaded_us = end
    since = d.moments.get("cut", 0)  # a scene that starts later shows that much of it
    seen = round(1.0 - unseen_us / max(end - since, 1), 3)
    d.event("shoe.load", start, end, by="dealer", seen_share=seen)
    d.moments["open"] = start
    d.moments["loaded"] = end
    move(d, [(d.left, (x - length * 0.25, y - 10, height + 14))], 0.4, pinch=0.7)
    hands_off(d, 0.6)


def _leave_table(d: Dealing, pack: Pack, seconds: float) -> int:
    """The dealer takes the stack over the table's edge and under it, and comes back; returns how long it was gone."""
    arms = (d.left, d.right)
    move(d, grip_edge(pack.pose, arms), 0.4, lift_mm=15)
    back = pack.pose
    edge = replace(back, centre=(back.centre[0], EDGE_Y_MM, 15.0))
    under = replace(back, centre=(back.centre[0], UNDER_Y_MM, UNDER_Z_MM))
    pack.carry(d, grip_edge(edge, arms), 0.8, edge, 60.0)
    begin, end = pack.carry(d, grip_edge(under, arms), 0.5, under)
    d.now_us += us(seconds)
    again, done = pack.carry(d, grip_edge(edge, arms), 0.5, edge)
    pack.carry(d, grip_edge(back, arms), 0.8, back, 60.0)
    return (again - end) + (end - begin) // 2 + (done - again) // 2


def _arm_over(d: Dealing, pack: Pack, seconds: float) -> int:
    """Somebody's arm comes over the stack and stays; returns for how long the stack cannot be seen."""
    x, y, _ = pack.pose.centre
    hands_off(d, 0.4)
    start = d.now_us + us(1.3)
    cover_spot(d.extras, (x, y), start, seconds, from_right=bool(d.rng.random() < 0.5))
    d.now_us = start + us(seconds + 0.3)
    return us(seconds)


def cover_spot(extras: Extras, spot: tuple[float, float], from_us: int, seconds: float, *, from_right: bool) -> None:
    """A floorperson's arm lies over a place for a while."""
    extras.arm_over(spot, from_us, seconds, 1 if from_right else -1, height_mm=95.0)
