"""A seed to a shoe-change scene or an episode of one: its plan, its people and cover cards, its camera."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sample_videos.studio.choreography.change_plan import ChangePlan
from sample_videos.studio.choreography.draw_change import CHANGE_VARIANTS, FINE_MM_PER_PX, Frame, draw_change
from sample_videos.studio.choreography.draw_plan import draw_plan
from sample_videos.studio.choreography.plan import Plan
from sample_videos.studio.choreography.shoe_change import ShoeChange
from sample_videos.studio.framing import action_box, camera_over, table_box
from sample_videos.studio.randomise import Setting, box, mirror_camera
from sample_videos.studio.scene import Vec3

#: Cover cards are of one solid colour that neither backs nor edges have.
COVER_COLOURS: tuple[Vec3, ...] = (
    (0.95, 0.80, 0.10),
    (0.80, 0.10, 0.12),
    (0.95, 0.45, 0.08),
    (0.10, 0.55, 0.25),
    (0.10, 0.35, 0.75),
    (0.75, 0.15, 0.55),
)
WHOLE_TABLE_FROM = 1.0  # mm per pixel: coarser than this, the whole table is in the picture
LONGEST_BURN = 6
SMALL_ENDS = ("lammer", "pen")  # odd ends that a stack may be pushed past


@dataclass(frozen=True, slots=True)
class Given:
    """What a scenario says of its shoe change; None follows from the seed."""

    kind: str
    variant: str | None = None  # or several, as "wrong_first+no_second"
    decks: int | None = None
    depth_cards: int | None = None
    cut_from: str | None = None
    second_below: int | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """All that a scenario needs of it."""

    setting: Setting
    change: ChangePlan
    plan: Plan
    scene: ShoeChange


def default_scale(rng: np.random.Generator, kind: str) -> float:
    """Millimetres per pixel where nothing is said: the whole table for a whole shoe change, anything for episodes."""
    low, high = (0.8, 1.5) if kind in ("shoe_change", "load") else (0.21, 1.46)
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def build_change(rng: np.random.Generator, setting: Setting, given: Given) -> Change:
    """The scene of a setting drawn with this `rng`, with a camera over its action.

    Raises:
        ValueError: what is given does not fit together; it says why.
    """
    variants = CHANGE_VARIANTS[given.kind]
    chance = str(rng.choice(variants)) if rng.random() > 0.3 else variants[0]
    variant = given.variant or chance
    for part in variant.split("+"):
        if part not in variants:
            raise ValueError(f"{part!r} cannot be seen in a {given.kind!r}; {', '.join(variants)} can")
    setting = _dressed(rng, setting)
    if "device" in variant:
        setting = _with_shuffler(setting)
    frame = Frame(given.kind, setting.spec.seats, setting.mm_per_px < FINE_MM_PER_PX)
    change = _as_given(draw_change(rng, variant, frame), given)
    plan = draw_plan(rng, "right")
    while plan.additional > LONGEST_BURN:
        plan = draw_plan(rng, "right")
    plan = replace(plan, load_shoe=False, style=replace(plan.style, dealt=2))
    scene = ShoeChange(plan, setting.equipment, setting.zones, rng, change=change, mirrored=setting.mirrored)
    return Change(_framed(rng, setting, scene), change, plan, scene)


def _as_given(change: ChangePlan, given: Given) -> ChangePlan:
    if given.decks is not None and change.cut is not None:
        depth, end = change.depth(change.cut)
        change = replace(change, decks=given.decks)
        change = _cut_at(change, min(depth, change.cards // 2), end)
    if change.cut is not None and (given.depth_cards is not None or given.cut_from is not None):
        depth, end = change.depth(change.cut)
        change = _cut_at(change, given.depth_cards or depth, given.cut_from or end)
    if change.second is not None and given.second_below is not None:
        if not 1 <= given.second_below < change.second.cards:
            raise ValueError(f"second_below = {given.second_below} does not lie in a ribbon of {change.second.cards}")
        change = replace(change, second=replace(change.second, below=given.second_below))
    return change


def _cut_at(change: ChangePlan, depth: int, end: str) -> ChangePlan:
    if not 1 <= depth <= change.cards // 2:
        raise ValueError(f"a depth of {depth} is not in a stack of {change.cards} cards, counted from the nearer end")
    if change.cut is None:
        raise ValueError(f"nobody cuts in {change.variant!r}")
    return replace(change, cut=replace(change.cut, cards_below=change.cards - depth if end == "top" else depth))


def _dressed(rng: np.random.Generator, setting: Setting) -> Setting:
    """The setting with cover cards of chance colours, and none lying about as an odd end."""
    first, second = (COVER_COLOURS[int(i)] for i in rng.choice(len(COVER_COLOURS), 2, replace=False))
    if rng.random() < 0.35:
        second = first
    extras = tuple(name for name in setting.equipment.extras if name in SMALL_ENDS)
    return replace(
        setting,
        equipment=replace(setting.equipment, extras=extras),
        spec=replace(
            setting.spec, cover_colours=(first, second), equipment=replace(setting.spec.equipment, extras=extras)
        ),
    )


def _with_shuffler(setting: Setting) -> Setting:
    """The setting with a place for a shuffler at the dealer's side, beyond the discard bucket."""
    equipment = setting.equipment
    x = equipment.bucket_centre[0] + equipment.bucket_size_mm[0] / 2 + 25.0
    zone = box(x, 95.0, x + 210.0, 345.0)
    shown = tuple((-px, py) for px, py in reversed(zone)) if setting.mirrored else zone
    spec = replace(setting.spec, zones_mm={**setting.spec.zones_mm, "shuffler": shown})
    return replace(setting, zones={**setting.zones, "shuffler": zone}, spec=spec)


def _framed(rng: np.random.Generator, setting: Setting, scene: ShoeChange) -> Setting:
    """The setting with a camera over the action; a scene that ends at the shoe keeps that of the dealer's area."""
    kind, scale = scene.change.kind, setting.mm_per_px
    camera = setting.spec.camera
    if kind != "load":
        whole = kind == "shoe_change" or scale >= WHOLE_TABLE_FROM
        area = table_box(setting) if whole else action_box([scene.state(t) for t in range(0, scene.end_us, 400_000)])
        camera = camera_over(rng, area, scale, steep=bool(rng.random() < 0.5))
        camera = mirror_camera(camera) if setting.mirrored else camera
    occupied = tuple(int(seat[5:]) for seat in scene.change.occupied)
    return replace(setting, spec=replace(setting.spec, camera=camera, occupied=occupied))


def seats_in_view(kind: str, setting: Setting) -> bool:
    """Whether the camera sees the places of all players."""
    return kind == "shoe_change" or (kind != "load" and setting.mm_per_px >= WHOLE_TABLE_FROM)
