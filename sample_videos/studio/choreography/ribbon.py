"""The second cover card: a ribbon of some thirty cards from the back of the stack, counted, and the card put in."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sample_videos.studio.choreography.cutting import Stab, insert
from sample_videos.studio.choreography.dealer import us
from sample_videos.studio.choreography.dealing import RANKS, SUITS, Dealing
from sample_videos.studio.choreography.handling import Cover, Grip, grip_edge, hands_off, move, new_stack
from sample_videos.studio.choreography.pack import Inserted, Pack, beyond, join, split
from sample_videos.studio.choreography.tracks import Track
from sample_videos.studio.scene import CARD_WIDTH_MM, CardPose, StackPose, Vec3

RIBBON_TILT = 0.035  # each card rests on the one before
RIBBON_Z_MM = 1.8
FIRST_RIBBON_ID = 3000


@dataclass(frozen=True, slots=True)
class Ribbon:
    """How the second cover card is put in: `below` cards under it, out of a ribbon of `cards`."""

    below: int
    cards: int = 30
    pitch_mm: float = 9.0
    to_right: bool = True  # the bottom card lies at the left end, the ribbon runs to the right
    far: bool = True  # on the players' side of the stack, else between it and the dealer
    out_mm: float = 24.0
    count_s: float = 0.16  # for each pair that the finger counts
    uneven: float = 0.12  # how much the pitch varies


def second_by_ribbon(d: Dealing, pack: Pack, cover: Cover, plan: Ribbon) -> None:
    """Takes the back end off, spreads it, counts, puts the cover card in, gathers it and puts it back."""
    rest, chunk = _take_back_end(d, pack, plan)
    spread, base = _spread(d, chunk, plan)
    _count(d, spread, plan)
    start, end = _put_in(d, spread, cover, plan)
    tell(d, start, end, plan.below)
    _gather(d, chunk, spread, cover, base=base, plan=plan)
    _put_back(d, pack, rest, chunk)


def tell(d: Dealing, start_us: int, end_us: int, below: int) -> None:
    """The event of the second cover card."""
    d.event(
        "cover.insert", start_us, end_us, which=2, actor="dealer", above_bottom_cards=below,
        above_bottom_cards_low=below, above_bottom_cards_high=below,
    )  # fmt: skip
    d.moments["second"] = end_us


def second_by_hand(d: Dealing, pack: Pack, cover: Cover, stab: Stab) -> None:
    """The dealer stabs the second cover card straight into the standing stack."""
    arm = d.right if cover.last.centre[0] >= 0 else d.left
    arm.hold(d.now_us)
    start, end = insert(d, arm, pack, cover, stab)
    tell(d, start, end, stab.cards_below)
    hands_off(d, 0.4)


def _take_back_end(d: Dealing, pack: Pack, plan: Ribbon) -> tuple[Pack, Pack]:
    arms = (d.left, d.right)
    if not plan.far:
        ahead = replace(pack.pose, centre=(pack.pose.centre[0], pack.pose.centre[1] + 85.0, 0.0))
        move(d, grip_edge(pack.pose, arms), 0.3, lift_mm=10)
        pack.carry(d, grip_edge(ahead, arms), 0.4, ahead)
    upper = split(d, pack, plan.cards)
    chunk = Pack(pack.stack, pack.covers)
    move(d, grip_edge(chunk.pose, arms, 0.0), 0.4, lift_mm=10)
    y = upper.pose.centre[1] + (130.0 if plan.far else -165.0)
    goal = replace(chunk.pose, centre=(_start_x(plan), y, 0.0), yaw=0.0, tip=0.0, on_edge=False, lean=0.0)
    chunk.carry(d, _at_ribbon(d, goal), 0.8, goal, 95.0)
    return upper, chunk


def _start_x(plan: Ribbon) -> float:
    half = (plan.cards - 1) * plan.pitch_mm / 2
    return -half if plan.to_right else half


def _at_ribbon(d: Dealing, pose: StackPose) -> list[Grip]:
    x, y, _ = pose.centre
    z = pose.count * 0.3 + 3.0
    return [(d.left, (x - 26, y - 20, z)), (d.right, (x + 26, y - 20, z))]


def _card_at(d: Dealing, number: int, plan: Ribbon, base: StackPose, x: float) -> CardPose:
    tilt = RIBBON_TILT if plan.to_right else -RIBBON_TILT
    return CardPose(
        FIRST_RIBBON_ID + number,
        str(d.rng.choice(RANKS)),
        str(d.rng.choice(SUITS)),
        False,
        (x, base.centre[1] + d.about(1.5), RIBBON_Z_MM),
        d.about(0.025),
        roll=tilt,
        deck=base.deck,
    )


def _spread(d: Dealing, chunk: Pack, plan: Ribbon) -> tuple[list[Track[CardPose]], StackPose]:
    """The packet becomes a ribbon: the bottom card stays, the hand draws the others along and leaves them behind."""
    base = chunk.pose
    sign = 1.0 if plan.to_right else -1.0
    arm = d.right if plan.to_right else d.left
    start = d.now_us
    length = (plan.cards - 1) * plan.pitch_mm
    end_x = base.centre[0] + sign * length
    sweep = us(d.jitter(1.3))
    other = d.left if plan.to_right else d.right
    begin = start + us(0.1)
    arm.hold(begin)
    end = max(begin + sweep, arm.to(begin + sweep, (end_x, base.centre[1] - 25, 6.0), curl=0.2, pinch=0.1))
    chunk.stack.end(start)
    xs = _places(d, plan, base.centre[0], sign)
    cards = []
    for number, place in enumerate(xs):
        goal = _card_at(d, number, plan, base, place)
        share = number / (plan.cards - 1)
        until = begin + max(60_000, round((end - begin) * (0.25 + 0.75 * share)))
        cards.append(_laid(d, goal, base.centre, (start, begin, until)))
    for card in chunk.covers:
        flat = replace(card.in_stack(base), roll=0.0)
        card.cover.put(start, replace(flat, centre=(flat.centre[0], flat.centre[1], 0.45)))
    other.hold(end - us(0.3))
    other.to(end, (other.idle[0], other.idle[1], other.idle[2]), curl=0.25, lift_mm=15)
    d.now_us = max(end, arm.free_us)
    return cards, base


def _places(d: Dealing, plan: Ribbon, x: float, sign: float) -> list[float]:
    places = [x]
    for _ in range(plan.cards - 1):
        places.append(places[-1] + sign * plan.pitch_mm * (1 + d.about(plan.uneven)))
    return places


def _laid(d: Dealing, goal: CardPose, base: Vec3, times_us: tuple[int, int, int]) -> Track[CardPose]:
    """One card of the ribbon, from its place in the packet at `base` to where it lies; since when, from, until."""
    there, begin, until = times_us
    number = goal.card_id - FIRST_RIBBON_ID
    track: Track[CardPose] = Track()
    track.put(there, replace(goal, centre=(base[0], base[1], 0.3 + 0.3 * number), yaw=0.0, roll=0.0))
    track.move(begin, until, goal, 2.0 if number else 0.0)
    d.loose.append(track)
    return track


def _count(d: Dealing, spread: list[Track[CardPose]], plan: Ribbon) -> None:
    """A finger goes from pair to pair, from the bottom end up to where the cover card is to go."""
    arm = d.left if plan.to_right else d.right
    move(d, [(arm, _over(spread[0].last))], 0.45, lift_mm=20, pinch=0.1, curl=0.35)
    for number in range(1, plan.below, 2):
        move(
            d, [(arm, _over(spread[min(number, len(spread) - 1)].last))], plan.count_s, lift_mm=4, pinch=0.1, curl=0.35
        )


def _over(card: CardPose) -> tuple[float, float, float]:
    x, y, _ = card.centre
    return (x, y - 38.0, 6.0)


def _put_in(d: Dealing, spread: list[Track[CardPose]], cover: Cover, plan: Ribbon) -> tuple[int, int]:
    """The other hand takes the cover card and slides it between two cards of the ribbon, from the dealer's side."""
    arm = d.right if cover.last.centre[0] >= 0 else d.left
    other = d.left if arm is d.right else d.right
    x, y, _ = cover.last.centre
    away = (other.idle[0], other.idle[1], other.idle[2])
    move(d, [(arm, (x, y - 30, 6.0)), (other, away)], 0.55, pinch=0.8, lift_mm=25)
    inside = slot(spread, cover.last, plan)
    ready = replace(inside, centre=(inside.centre[0], inside.centre[1] - 72.0, 9.0))
    move(d, [(arm, _hold(ready))], 0.65, covers=[(cover, ready)], pinch=0.8, lift_mm=25)
    start, end = move(d, [(arm, _hold(inside))], 0.4, covers=[(cover, inside)], pinch=0.8)
    return start, end


def slot(spread: list[Track[CardPose]], cover: CardPose, plan: Ribbon) -> CardPose:
    """The cover card's place between the ribbon's cards, sticking out towards the dealer."""
    low = spread[plan.below - 1].last
    high = spread[min(plan.below, len(spread) - 1)].last
    x = (low.centre[0] + high.centre[0]) / 2
    return replace(cover, centre=(x, low.centre[1] - plan.out_mm, RIBBON_Z_MM), yaw=0.0, roll=low.roll, pitch=0.0)


def _hold(card: CardPose) -> tuple[float, float, float]:
    x, y, z = card.centre
    return (x, y - 34.0, z + 3.0)


def _gather(
    d: Dealing, chunk: Pack, spread: list[Track[CardPose]], cover: Cover, *, base: StackPose, plan: Ribbon
) -> None:
    """Both hands push the ribbon together again; the cover card stays where it was put."""
    y = base.centre[1]
    ends = (spread[0].last.centre[0], spread[-1].last.centre[0])
    left, right = min(ends) - CARD_WIDTH_MM / 2 - 3, max(ends) + CARD_WIDTH_MM / 2 + 3
    move(d, [(d.left, (left, y - 8, 8.0)), (d.right, (right, y - 8, 8.0))], 0.5, lift_mm=15)
    start = d.now_us
    middle = (ends[0] + ends[1]) / 2
    goal = replace(base, centre=(middle, y, 0.0), seed=base.seed + 2)
    half = CARD_WIDTH_MM / 2 + 3
    move(d, [(d.left, (middle - half, y - 8, 8.0)), (d.right, (middle + half, y - 8, 8.0))], 0.6)
    end = d.now_us
    for number, card in enumerate(spread):
        card.move(start, end, replace(card.last, centre=(middle, y, 0.3 + 0.3 * number), yaw=0.0, roll=0.0))
        card.end(end)
    chunk.stack = new_stack(d, goal, end)
    second = Inserted(cover, plan.below, d.about(6.0), -plan.out_mm, 0.0)
    cover.move(start, end, second.in_stack(goal))
    for first in chunk.covers:
        first.cover.move(start, end, first.in_stack(goal))
    chunk.covers.append(second)


def _put_back(d: Dealing, pack: Pack, rest: Pack, chunk: Pack) -> None:
    arms = (d.left, d.right)
    goal = beyond(rest.pose, chunk.pose, below=True)
    goal = replace(goal, yaw=rest.pose.yaw)
    move(d, _at_ribbon(d, chunk.pose), 0.25, lift_mm=8)
    chunk.carry(d, grip_edge(goal, arms, 0.0), 0.9, goal, 95.0)
    join(d, chunk, rest)
    pack.stack, pack.covers = chunk.stack, chunk.covers
