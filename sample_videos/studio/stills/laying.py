"""Lays single things where there is room: stacks, cover cards, chips, machines, dice, hands, people, clutter."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sample_videos.studio import felt, props
from sample_videos.studio.choreography.tracks import tucked
from sample_videos.studio.meshes import turn_z
from sample_videos.studio.scene import (
    CARD_LENGTH_MM,
    CARD_THICKNESS_MM,
    CARD_WIDTH_MM,
    ArmLook,
    CardPose,
    ChipStack,
    StackPose,
    Vec2,
)
from sample_videos.studio.stills import dice, gear, negatives, people
from sample_videos.studio.stills.places import Places, rectangle
from sample_videos.studio.stills.solids import lamp, pick, rounded_box, tilted
from sample_videos.studio.stills.spreads import SPREADS, Dealer
from sample_videos.studio.stills.still import Random, Sheet, Thing
from sample_videos.studio.stills.table import Table

#: No arm reaches farther in from the rim.
ARM_MM = 480.0
#: The rim is in view where it lies no farther than this beyond what is looked at.
RIM_MM = 90.0
CHIPS = tuple(props.CHIP_COLOURS)


@dataclass(slots=True)
class Scene:
    """What is on the table so far."""

    rng: Random
    table: Table
    places: Places
    dealer: Dealer
    things: list[Thing] = field(default_factory=list)
    cards: list[CardPose] = field(default_factory=list)
    covers: list[CardPose] = field(default_factory=list)
    stacks: list[StackPose] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    waiting: list[tuple[int, NDArray[np.float64]]] = field(default_factory=list)

    def chance(self, share: float) -> bool:
        """True so often."""
        return bool(self.rng.random() < share)

    def number(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        return int(self.rng.integers(low, high + 1))


def put(scene: Scene, piece: gear.Piece, yaw: float | None = None) -> tuple[Vec2, float] | None:
    """Puts a piece where there is room; tells where and how it is turned, None where there was none."""
    found = scene.places.find((piece.size[0] + 6, piece.size[1] + 6), yaw=yaw)
    if found is None:
        return None
    (x, y), turn = found
    scene.places.raise_to(rectangle((x, y), piece.size, turn), 90.0)
    scene.things.append(piece.thing.moved((x, y, 0.0), turn))
    rotation = turn_z(turn)
    for matrix in piece.waiting:
        pose = np.column_stack([rotation @ matrix[:, :3], rotation @ matrix[:, 3] + [x, y, 0.0]])
        scene.waiting.append((0, pose))
    for stack in piece.stacks:
        middle = rotation @ np.array(stack.centre) + [x, y, 0.0]
        scene.stacks.append(replace(stack, centre=(middle[0], middle[1], middle[2]), yaw=stack.yaw + turn))
    return found


def burned(scene: Scene) -> None:
    """A tub or a bucket with cards dropped into it, lying anyhow."""
    piece = gear.tub(scene.rng) if scene.chance(0.7) else gear.bucket(scene.rng)
    found = put(scene, piece)
    if found is None or piece.stacks or scene.chance(0.35):
        return
    (x, y), turn = found
    deck, rng = scene.dealer.deck(), scene.rng
    for number in range(scene.number(1, 10)):
        off = rng.normal(0, 3.0, 2)
        yaw = turn + float(rng.normal(0, 0.3)) + (math.pi / 2 if piece.size[0] > piece.size[1] else 0.0)
        centre = (x + float(off[0]), y + float(off[1]), 4.0 + 0.9 * number)
        scene.cards.append(scene.dealer.card(centre, yaw, scene.chance(0.12), deck, tilt=0.03))


def held(scene: Scene) -> None:
    """A card, now and then two, between the fingers of a hand, on its way over what lies there."""
    rng = scene.rng
    found = scene.places.find((90.0, 90.0), below_mm=30.0, yaw=0.0)
    if found is None:
        return
    x, y = found[0]
    reach = _reach(scene, x, y)
    if reach is None:
        return
    dealer, yaw = reach
    arms, side = people.look(rng), str(rng.choice(["left", "right"]))
    high = scene.places.top_mm(rectangle((x, y), (120.0, 170.0), yaw)) + float(rng.choice([3.0, rng.uniform(5, 140)]))
    card_yaw = yaw + float(rng.choice([0.0, 0.0, math.pi / 2])) + float(rng.normal(0, 0.35))
    along = CARD_LENGTH_MM if abs(math.cos(card_yaw - yaw)) > 0.7 else CARD_WIDTH_MM
    ahead = along / 2 - float(rng.uniform(4, 0.55 * along))
    beside = float(rng.normal(0, 12))
    grip = (
        x + math.sin(yaw) * ahead + math.cos(yaw) * beside, y - math.cos(yaw) * ahead + math.sin(yaw) * beside, high,
    )  # fmt: skip
    pose = people.pinching(rng, grip, yaw, side, dealer=dealer)
    scene.things += people.arm_things(rng, pose, arms)
    card = scene.dealer.card((x, y, high), card_yaw, scene.chance(0.3), scene.dealer.deck(), tilt=0.12)
    if scene.chance(0.12):
        card = replace(card, count=2, fan_mm=(float(rng.normal(0, 4)), float(rng.normal(0, 5))))
    scene.cards.append(card)


def spread(scene: Scene, kind: str) -> None:
    """One spread of cards."""
    scene.cards.extend(SPREADS[kind](scene.rng, scene.places, scene.dealer))


def stack(scene: Scene) -> None:
    """A squared stack of any height, a stepped or loose one, or one on its long edge; cover cards in some."""
    rng = scene.rng
    count = int(math.exp(rng.uniform(math.log(6), math.log(416))))
    on_edge = count > 60 and scene.chance(0.35)
    size = (CARD_WIDTH_MM, CARD_LENGTH_MM) if not on_edge else (count * CARD_THICKNESS_MM + 20, CARD_LENGTH_MM)
    found = scene.places.find((size[0] + 8, size[1] + 8), below_mm=0.6)
    if found is None:
        return
    (x, y), yaw = found
    loose = float(rng.choice([0.3, 0.8, 2.5, 6.0], p=[0.5, 0.25, 0.15, 0.1]))
    pose = StackPose(
        (x, y, 0.0), count, yaw, on_edge, deck=scene.dealer.deck(), tip=math.pi / 2 if on_edge else None,
        loose_mm=loose * (0.4 if on_edge else 1.0), seed=scene.number(0, 1 << 20),
        lean=float(rng.normal(0, 0.05)) if on_edge else 0.0, end_looseness=float(rng.uniform(0, 0.1)),
    )  # fmt: skip
    if scene.chance(0.2):
        start = float(rng.uniform(0, 0.7))
        pose = replace(pose, lace=((start, min(1.0, start + float(rng.uniform(0.1, 0.4))), float(rng.uniform(8, 45))),))
    if on_edge and scene.chance(0.3):
        pose = replace(pose, gaps=((float(rng.uniform(0.1, 0.9)), float(rng.uniform(3, 25))),))
    high = CARD_WIDTH_MM if on_edge else count * CARD_THICKNESS_MM
    scene.places.raise_to(rectangle((x, y), size, yaw), max(high, 0.9))
    scene.stacks.append(pose)
    if scene.chance(0.5):
        _cover_in(scene, pose)


def _cover_in(scene: Scene, pose: StackPose) -> None:
    """A cover card in, on or under a stack."""
    rng = scene.rng
    card = CardPose(0, "A", "S", True, (0.0, 0.0, 0.0), pose.yaw, deck=_cover_colour(scene))
    if not pose.on_edge and scene.chance(0.4):  # on top
        off, high = rng.normal(0, 2.0, 2), pose.count * CARD_THICKNESS_MM + 0.35
        centre = (pose.centre[0] + float(off[0]), pose.centre[1] + float(off[1]), pose.centre[2] + high)
        scene.covers.append(replace(card, centre=centre, yaw=pose.yaw + float(rng.normal(0, 0.05))))
        return
    below = scene.number(1, max(1, pose.count - 1))
    up, out = float(rng.uniform(0, 14)), float(rng.choice([-1, 1])) * float(rng.uniform(8, 50))
    if scene.chance(0.4):
        up, out = float(rng.choice([-1, 1])) * float(rng.uniform(8, 34)), float(rng.uniform(-6, 6))
    if pose.on_edge:
        up = abs(up)
    scene.covers.append(tucked(card, pose, below, up=up, out=out))


def _cover_colour(scene: Scene) -> int:
    """One of the ten colours; a deck's own shoe mostly has the first three."""
    return scene.number(0, len(scene.table.spec.cover_colours) - 1)


def cover(scene: Scene) -> None:
    """A cover card on the felt or over what lies there."""
    found = scene.places.find((CARD_WIDTH_MM, CARD_LENGTH_MM), below_mm=4.0)
    if found is None:
        return
    (x, y), yaw = found
    z = scene.places.lay_card((x, y), yaw)
    if z is not None:
        scene.covers.append(CardPose(0, "A", "S", True, (x, y, z), yaw, deck=_cover_colour(scene)))


def chips(scene: Scene) -> None:
    """A chip, a stack, a group of stacks or a row of chips leaning on each other."""
    rng = scene.rng
    kind = scene.number(0, 3)
    groups = (1, scene.number(2, 9), 1, 1)[kind]
    found = scene.places.find((42.0 + 20 * math.sqrt(groups), 42.0 + 20 * math.sqrt(groups)), below_mm=1.2)
    if found is None:
        return
    (x, y), yaw = found
    colour = str(rng.choice(CHIPS))
    if kind == 3:
        _leaning(scene, (x, y), yaw, colour)
        return
    for index in range(groups):
        at = (x, y) if index == 0 else (x + float(rng.normal(0, 45)), y + float(rng.normal(0, 45)))
        count = 1 if kind == 0 else scene.number(1, 20)
        room = rectangle(at, (38.0, 38.0), 0.0)
        low = scene.places.top_mm(room)
        if low > 1.5:
            continue
        shade = colour if scene.chance(0.6) else str(rng.choice(CHIPS))
        mesh = props.chip_stack(ChipStack((*at, low), count, shade), float(rng.uniform(0, 6)))
        scene.things.append(Thing("chips", mesh))
        scene.places.raise_to(room, low + count * props.CHIP_HEIGHT_MM)


def _leaning(scene: Scene, at: Vec2, yaw: float, colour: str) -> None:
    """Chips spread in a row, each leaning on the one before."""
    rng = scene.rng
    step, tip = float(rng.uniform(9, 36)), 0.09
    for index in range(scene.number(3, 14)):
        spot = (at[0] + step * index * math.cos(yaw), at[1] + step * index * math.sin(yaw))
        room = rectangle(spot, (34.0, 34.0), 0.0)
        if scene.places.top_mm(room) > 9.0:
            return
        one = props.chip_stack(ChipStack((0.0, 0.0, 0.0), 1, colour), float(rng.uniform(0, 6)))
        leaning = tilted(one, -tip if index else 0.0)
        scene.things.append(Thing("chips", leaning).moved((*spot, 1.7 if index else 0.0), yaw))
        scene.places.raise_to(room, 5.0)


def bezel(scene: Scene) -> None:
    """A panel in the table with one to three indicator lamps."""
    length, wide = float(scene.rng.uniform(30, 130)), float(scene.rng.uniform(22, 60))
    plate = rounded_box((length, wide, 2.0), 4.0, pick(scene.rng, gear.PLASTICS), 0.4)
    lamps = [
        lamp(scene.rng, float(scene.rng.uniform(4, 16))).moved((length * (index - 0.5) * 0.5, 0, 2.0))
        for index in range(scene.number(1, 2))
    ]
    put(scene, gear.Piece(Thing(None, plate, tuple(lamps)), (length, wide)))


def shaker(scene: Scene) -> None:
    """A shaker, and its lid where that lies by itself."""
    base, lid = dice.shaker(scene.rng)
    put(scene, base)
    if lid is not None:
        put(scene, lid)


def loose_dice(scene: Scene) -> None:
    """Some dice on the felt."""
    found = scene.places.find((70.0, 70.0), below_mm=0.6)
    if found is None:
        return
    (x, y), yaw = found
    scene.places.raise_to(rectangle((x, y), (60.0, 60.0), yaw), 20.0)
    scene.things += [one.moved((x, y, 0.0), yaw) for one in dice.dice(scene.rng)]


def hand(scene: Scene) -> None:
    """Somebody's hand on or over what lies there, from any side, most often from the dealer's or the players'."""
    rng, places = scene.rng, scene.places
    found = places.find((90.0, 90.0), below_mm=30.0, yaw=0.0)
    if found is None:
        return
    x, y = found[0]
    reach = _reach(scene, x, y)
    if reach is None:
        return
    dealer, yaw = reach
    rest = places.top_mm(rectangle((x, y), (90.0, 170.0), yaw))
    high = rest + (4.0 if scene.chance(0.6) else float(rng.uniform(10, 110)))
    grip = (x - math.sin(yaw) * 60, y + math.cos(yaw) * 60, high)
    arms = people.look(rng)
    for side in ("left", "right") if scene.chance(0.4) else (str(rng.choice(["left", "right"])),):
        shift = float(rng.uniform(55, 130)) * (-1 if side == "left" else 1) * (0.0 if scene.chance(0.3) else 1.0)
        at = (grip[0] + shift * math.cos(yaw), grip[1] + shift * math.sin(yaw), high)
        pose = people.hand_of(rng, at, yaw + float(rng.normal(0, 0.15)), side, dealer=dealer)
        scene.things += people.arm_things(rng, pose, arms)


def _reach(scene: Scene, x: float, y: float) -> tuple[bool, float] | None:
    """Whether the dealer's hand is there or a player's, and which way it points; None where nobody's arm reaches."""
    dealer = y < ARM_MM and scene.chance(0.6)
    yaw = float(scene.rng.normal(0, 0.35))
    if not dealer:
        edge = felt.outline(scene.table.spec)
        away = np.hypot(*(edge - [x, y]).T)
        if away.min() > ARM_MM:
            return None
        near = edge[int(away.argmin())]
        yaw += math.atan2(near[0] - x, y - near[1])
    return dealer, yaw


def rim(scene: Scene) -> None:
    """Somebody at the rim: now and then a person, now and then only hands on the rail or on the felt."""
    rng, spec = scene.rng, scene.table.spec
    x0, y0, x1, y1 = scene.places.region
    edge = felt.outline(spec)[6:-6]
    seen = edge[(np.abs(edge[:, 0] - (x0 + x1) / 2) < (x1 - x0) / 2 + RIM_MM) & (edge[:, 1] < y1 + RIM_MM)]
    at_dealers = y0 < RIM_MM + 40.0
    arms = people.look(rng)
    if at_dealers and (len(seen) == 0 or scene.chance(0.3)):  # the dealer, or somebody behind him
        middle = float(np.clip(rng.normal(0, 250), x0, x1))
        at, facing = (middle, float(rng.uniform(-300, -150))), float(rng.normal(0, 0.15))
        inner = (at[0], float(rng.uniform(30, 260)))
    elif len(seen) == 0:
        return
    else:
        spot = seen[int(rng.integers(len(seen)))]
        out = spot - np.array([0.0, 0.35 * spec.table_depth_mm])
        out /= np.linalg.norm(out) + 1e-9
        at_ = spot + out * float(rng.uniform(30, 190))
        at, facing = (float(at_[0]), float(at_[1])), math.atan2(out[0], -out[1]) + float(rng.normal(0, 0.25))
        inner_ = spot - out * float(rng.uniform(-20, 230))
        inner = (float(inner_[0]), float(inner_[1]))
    if scene.chance(0.7):
        scene.things.append(people.person(rng, at, facing, arms))
    if scene.chance(0.8):
        _resting_hands(scene, inner, facing, arms)


def _resting_hands(scene: Scene, at: Vec2, facing: float, arms: ArmLook) -> None:
    rng = scene.rng
    for side in ("left", "right") if scene.chance(0.6) else (str(rng.choice(["left", "right"])),):
        shift = float(rng.uniform(40, 150)) * (-1 if side == "left" else 1)
        x, y = at[0] + shift * math.cos(facing), at[1] + shift * math.sin(facing)
        rest = min(scene.places.top_mm(rectangle((x, y), (60.0, 60.0), facing)), 45.0)
        pose = people.hand_of(rng, (x, y, rest + 5.0), facing + float(rng.normal(0, 0.3)), side, dealer=False)
        scene.things += people.arm_things(rng, pose, arms)


def clutter(scene: Scene) -> None:
    """Something that is nothing to the detector."""
    if scene.chance(0.5):
        made = negatives.sheet(scene.rng, scene.places)
        if made is not None:
            scene.sheets.append(made)
        return
    thing, screen = negatives.solid(scene.rng, scene.places)
    scene.things += [thing] if thing is not None else []
    scene.sheets += [screen] if screen is not None else []
