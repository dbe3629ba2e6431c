"""Cards that lie all over the work area: washed in circles, or in rows for inspection; drawn together into piles."""

from __future__ import annotations

import math
from dataclasses import replace

from sample_videos.studio.choreography.dealer import us
from sample_videos.studio.choreography.dealing import RANKS, SUITS, Dealing
from sample_videos.studio.choreography.handling import Stack, flat, move, new_stack, recount
from sample_videos.studio.choreography.riffling import LEFT_PILE, RIGHT_PILE
from sample_videos.studio.choreography.tracks import Track
from sample_videos.studio.scene import CARD_THICKNESS_MM, CardPose

WASH_GROUP_CARDS = 8
ROW_GROUPS = 13


def wash(d: Dealing, cards: int, seconds: float = 3.0) -> list[Track[CardPose]]:
    """The cards lie face down all over the work area and are stirred in circles by both hands."""
    groups = [_group(d, i) for i in range(cards // WASH_GROUP_CARDS)]
    if rest := cards % WASH_GROUP_CARDS:
        groups.append(_group(d, len(groups), rest))
    start = d.now_us
    turns = max(3, round(seconds / 0.55))
    for _ in range(turns):
        begin, end = d.now_us, d.now_us + us(0.55)
        for group in groups:
            group.move(begin, end, _stirred(d, group.last))
        for arm in (d.left, d.right):
            arm.hold(begin)
            angle = float(d.rng.uniform(0, 2 * math.pi))
            spot = (arm.side * 105 + 70 * math.cos(angle), 265 + 55 * math.sin(angle), 12.0)
            arm.to(end, spot, curl=0.1, pinch=0.0)
            end = max(end, arm.free_us)
        d.now_us = end
    d.event("shuffle.wash", start, d.now_us)
    return groups


def _group(d: Dealing, number: int, count: int = WASH_GROUP_CARDS) -> Track[CardPose]:
    spot = (float(d.rng.uniform(-215, 215)), float(d.rng.uniform(190, 345)), 0.6 + 0.35 * number)
    pose = CardPose(
        2000 + number,
        str(d.rng.choice(RANKS)),
        str(d.rng.choice(SUITS)),
        False,
        spot,
        float(d.rng.uniform(-math.pi, math.pi)),
        count=count,
        fan_mm=(d.about(9), d.about(9)),
    )
    track: Track[CardPose] = Track()
    track.put(0, pose)
    d.loose.append(track)
    return track


def _stirred(d: Dealing, pose: CardPose) -> CardPose:
    """Where a card gets in one circle of the hand on its side."""
    x, y, z = pose.centre
    side = 1.0 if x > 0 else -1.0
    cx, cy = side * 105.0, 268.0
    angle = side * float(d.rng.uniform(0.5, 1.4))
    dx, dy = x - cx, y - cy
    nx = cx + dx * math.cos(angle) - dy * math.sin(angle) * 1.2 + d.about(25)
    ny = cy + (dx * math.sin(angle) + dy * math.cos(angle)) * 0.85 + d.about(15)
    spot = (min(max(nx, -225.0), 225.0), min(max(ny, 185.0), 350.0), z)
    return replace(pose, centre=spot, yaw=pose.yaw + angle * 0.7 + d.about(0.5))


def gather(d: Dealing, groups: list[Track[CardPose]], yaw: float) -> tuple[Stack, Stack]:
    """The cards that lie about are drawn together into two piles."""
    spots = (LEFT_PILE, RIGHT_PILE)
    order = sorted(groups, key=lambda g: abs(g.last.centre[0]), reverse=True)
    sides: tuple[list[Track[CardPose]], ...] = ([], [])
    for number, group in enumerate(sorted(order, key=lambda g: g.last.centre[0])):
        sides[0 if number < len(order) / 2 else 1].append(group)
    piles: list[Stack] = []
    start = d.now_us
    for side, spot in zip(sides, spots, strict=True):
        side.sort(key=lambda g: math.dist(g.last.centre[:2], spot))
        pile: Stack | None = None
        for number, group in enumerate(side):
            begin = start + us(0.25 + 0.055 * number)
            end = begin + us(0.45)
            height = 0.0 if pile is None else pile.last.count * CARD_THICKNESS_MM
            group.move(begin, end, replace(group.last, centre=(*spot, height + 1.0), yaw=yaw))
            group.end(end)
            if pile is None:
                pile = new_stack(d, flat(d, group.last.count, spot, yaw), end)
            else:
                recount(pile, end, pile.last.count + group.last.count)
        assert pile is not None
        piles.append(pile)
    for sweep in range(4):
        grips = [
            (arm, (arm.side * (215 if sweep % 2 else 130), 300.0 + d.about(30), 14.0)) for arm in (d.left, d.right)
        ]
        move(d, grips, 0.42, curl=0.15)
    d.now_us = max(d.now_us, *(stack.stops[-1].t_us for stack in piles))
    return piles[0], piles[1]


def rows(d: Dealing, cards: int) -> list[Track[CardPose]]:
    """The cards lie face down in rows, as they are spread for inspection; nobody stirs them."""
    groups = []
    count = -(-cards // WASH_GROUP_CARDS)
    lines = -(-count // ROW_GROUPS)
    for number in range(count):
        line, place = divmod(number, ROW_GROUPS)
        held = min(WASH_GROUP_CARDS, cards - number * WASH_GROUP_CARDS)
        track = _group(d, number, held)
        spot = (-204.0 + 34.0 * place + d.about(3), 345.0 - 150.0 * line / max(lines - 1, 1) + d.about(3), 0.0)
        pose = replace(track.last, centre=(*spot[:2], 0.6 + 0.35 * place), yaw=d.about(0.04), fan_mm=(4.0, 0.0))
        track.stops[0] = replace(track.stops[0], pose=pose)
        groups.append(track)
    return groups
