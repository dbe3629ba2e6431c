"""Lays things on a table for one picture: a theme first, then whatever else there is room for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sample_videos.studio import felt
from sample_videos.studio.camera import mm_per_px
from sample_videos.studio.stills import gear
from sample_videos.studio.stills.laying import (
    Scene,
    bezel,
    burned,
    chips,
    clutter,
    cover,
    hand,
    held,
    loose_dice,
    put,
    rim,
    shaker,
    spread,
    stack,
)
from sample_videos.studio.stills.places import Box, Places
from sample_videos.studio.stills.shufflers import shuffler
from sample_videos.studio.stills.spreads import SPREADS, Dealer
from sample_videos.studio.stills.still import Still
from sample_videos.studio.stills.table import Table
from sample_videos.studio.stills.view import draw_camera, draw_finish, draw_sensor, seen_box

PICTURE_SALT = 77
#: Themes and how often they come; "negative" has none of the game's things. "deal" comes only where it is asked for.
THEMES = {
    "heap": 0.20, "spreads": 0.22, "stacks": 0.12, "gear": 0.16, "dice": 0.12, "rim": 0.12, "negative": 0.06,
}  # fmt: skip
VIEW_OF = {
    "heap": (0.7, 0.2, 0.1), "spreads": (0.62, 0.13, 0.25), "stacks": (0.65, 0.15, 0.2), "gear": (0.75, 0.2, 0.05),
    "dice": (0.5, 0.1, 0.4), "rim": (0.3, 0.65, 0.05), "negative": (0.5, 0.25, 0.25),
    "deal": (0.8, 0.1, 0.1),
}  # fmt: skip


def compose(table: Table, number: int, theme: str | None = None) -> Still:
    """Picture `number` of a table; its theme by chance where none is given."""
    rng = np.random.default_rng([PICTURE_SALT, table.spec.seed, number, table.split == "train"])
    theme = theme or str(rng.choice(list(THEMES), p=list(THEMES.values())))
    view = str(rng.choice(["area", "wide", "close"], p=VIEW_OF[theme]))
    spec = table.spec
    size = (spec.table_width_mm, spec.table_depth_mm)
    camera, sensor = draw_camera(rng, view, size), draw_sensor(rng)
    scale = mm_per_px(camera)
    x0, y0, x1, y1 = seen_box(camera, scale)
    whole: Box = (-size[0] / 2 - 300, -400.0, size[0] / 2 + 300, size[1] + 300)
    edge = felt.outline(spec)
    pad = 30.0
    region = (max(x0, -size[0] / 2) + pad, max(y0, 0.0) + pad, min(x1, size[0] / 2) - pad, min(y1, size[1]) - pad)
    scene = Scene(rng, table, Places(rng, whole, _sane(region)), Dealer(rng, len(spec.decks), spec.seed))
    _close_rim(scene, edge)
    LAY[theme](scene)
    _others(scene, theme, view)
    spec = replace(spec, camera=camera, sensor=sensor)
    return Still(
        spec, draw_finish(rng, scale, int(rng.integers(1 << 30))), tuple(scene.things), tuple(scene.cards),
        tuple(scene.covers), tuple(scene.stacks), tuple(scene.sheets), tuple(scene.waiting),
    )  # fmt: skip


def _sane(region: Box) -> Box:
    """The region, at least a hand wide."""
    x0, y0, x1, y1 = region
    if x1 - x0 < 120:
        x0, x1 = (x0 + x1) / 2 - 60, (x0 + x1) / 2 + 60
    if y1 - y0 < 120:
        y0, y1 = (y0 + y1) / 2 - 60, (y0 + y1) / 2 + 60
    return x0, y0, x1, y1


def _close_rim(scene: Scene, edge: NDArray[np.float64]) -> None:
    """Nothing is laid on or beyond the rail."""
    inner = edge * 0.93 + [0.0, 5.0]
    scene.places.shut_outside(np.concatenate([inner, [[inner[-1, 0], 5.0], [inner[0, 0], 5.0]]]), 60.0)


def _heap(scene: Scene) -> None:
    for _ in range(1 if scene.chance(0.75) else 2):
        spread(scene, "heap")
    for _ in range(scene.number(0, 2)):
        hand(scene)


def _spreads(scene: Scene) -> None:
    kinds = [kind for kind in SPREADS if kind != "heap"]
    for _ in range(scene.number(2, 6)):
        spread(scene, str(scene.rng.choice(kinds, p=_odds(kinds))))


def _odds(kinds: list[str]) -> list[float]:
    weight = {"single": 1.0, "side_by_side": 1.5, "cascade": 3.0, "ribbon": 2.0, "fan": 3.0, "strewn": 1.5}
    total = sum(weight[kind] for kind in kinds)
    return [weight[kind] / total for kind in kinds]


def _stacks(scene: Scene) -> None:
    for _ in range(scene.number(2, 6)):
        stack(scene)
    for _ in range(scene.number(0, 3)):
        cover(scene)


def _gear(scene: Scene) -> None:
    for make, share in ((gear.shoe, 0.6), (shuffler, 0.75), (gear.bucket, 0.45), (gear.rack, 0.5), (gear.tray, 0.3)):
        if scene.chance(share):
            put(scene, make(scene.rng))
    if scene.chance(0.5):
        bezel(scene)


def _dice(scene: Scene) -> None:
    for _ in range(scene.number(1, 2)):
        shaker(scene)
    for _ in range(scene.number(0, 3)):
        loose_dice(scene)
    if scene.chance(0.5):
        spread(scene, "side_by_side")


def _rim(scene: Scene) -> None:
    for _ in range(scene.number(2, 6)):
        rim(scene)
    for _ in range(scene.number(1, 6)):
        chips(scene)


def _deal(scene: Scene) -> None:
    """Cards on their way from the shoe, lying before the dealer and dropped into a bucket, in small numbers."""
    if scene.chance(0.8):
        put(scene, gear.shoe(scene.rng))
    if scene.chance(0.85):
        burned(scene)
    if scene.chance(0.5):
        put(scene, gear.tray(scene.rng))
    for _ in range(scene.number(0, 3)):
        spread(scene, "single" if scene.chance(0.6) else "side_by_side")
    for _ in range(scene.number(1, 3)):
        held(scene)


def _negative(scene: Scene) -> None:
    for _ in range(scene.number(3, 12)):
        clutter(scene)


LAY: dict[str, Callable[[Scene], None]] = {
    "heap": _heap, "spreads": _spreads, "stacks": _stacks, "gear": _gear, "dice": _dice, "rim": _rim,
    "negative": _negative, "deal": _deal,
}  # fmt: skip


def _others(scene: Scene, theme: str, view: str) -> None:
    """What else there is: a negative scene gets hands, people and chips at most."""
    many = {"area": 5, "wide": 9, "close": 2}[view]
    if theme == "negative":
        for _ in range(scene.number(0, 3) if scene.chance(0.4) else 0):
            (hand, chips, rim)[scene.number(0, 2)](scene)
        return
    makers: tuple[tuple[Callable[[Scene], object], float], ...] = (
        (chips, 3.0), (clutter, 3.0), (lambda s: spread(s, "single"), 1.5), (lambda s: spread(s, "cascade"), 1.5),
        (lambda s: spread(s, "side_by_side"), 1.0), (lambda s: spread(s, "fan"), 0.8), (cover, 0.9), (stack, 1.0),
        (hand, 1.6), (rim, 1.2), (bezel, 0.5), (loose_dice, 0.5), (lambda s: put(s, gear.shoe(s.rng)), 0.5),
        (lambda s: put(s, shuffler(s.rng)), 0.4), (lambda s: put(s, gear.bucket(s.rng)), 0.4), (shaker, 0.3),
        (lambda s: put(s, gear.rack(s.rng)), 0.3), (lambda s: put(s, gear.tray(s.rng)), 0.3),
    )  # fmt: skip
    odds = np.array([weight for _, weight in makers])
    for _ in range(scene.number(1, many)):
        makers[int(scene.rng.choice(len(makers), p=odds / odds.sum()))][0](scene)
