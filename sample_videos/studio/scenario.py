"""Scenario files: a small TOML with a seed, everything else by choice or by chance.

name = "king_six"
seed = 41                 # everything not said below follows from it
split = "eval"            # which decks and backs: train or eval
kind = "burn"             # or shoe_change, shuffle_end, cut, second_cover, load
variant = "short"         # the verdict table, sample_videos/studio/variants; of a shoe change also two, "a+b"
mm_per_px = 0.9
shoe_side = "left"        # the dealer's
rank = "K"
suit = "S"
additional = 6
distractors = ["empty_trip"]
[change]                  # of the kinds but burn: decks, depth_cards, cut_from (top, bottom), second_below
decks = 8
[sensor]                  # any field of scene.Sensor
fps = 30
[camera]                  # any field of scene.CameraSpec
width_px = 1920
"""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from faults import Fault, InputFault
from sample_videos.studio.choreography.burn import BurnScene
from sample_videos.studio.choreography.change_plan import KINDS as CHANGE_KINDS
from sample_videos.studio.choreography.change_plan import ChangePlan
from sample_videos.studio.choreography.draw_change import CHANGE_VARIANTS
from sample_videos.studio.choreography.draw_plan import SUITS, draw_plan, misfit, with_distractors
from sample_videos.studio.choreography.mirror import mirror_facts, mirror_state
from sample_videos.studio.choreography.plan import BURN_VALUE, DISTRACTORS, VARIANTS, Plan, Style
from sample_videos.studio.randomise import Setting, draw_spec
from sample_videos.studio.scenario_change import Given, build_change, default_scale
from sample_videos.studio.scenario_check import impossible
from sample_videos.studio.scene import CameraSpec, SceneSpec, SceneState, Sensor

SPLITS = ("train", "eval")
#: Seeds of the splits are disjoint by construction, whatever number a file or a recipe gives.
SPLIT_SALT = {"train": 1_000_003, "eval": 2_000_003}
PLAN_KEYS = {f.name for f in fields(Plan)} - {"variant", "style"}
SIDES = ("left", "right")
SECTIONS: dict[str, type[Sensor] | type[CameraSpec] | type[Style]] = {
    "sensor": Sensor, "camera": CameraSpec, "style": Style
}  # fmt: skip
KINDS = ("burn", *CHANGE_KINDS)
CHANGE_KEYS = {f.name for f in fields(Given)} - {"kind", "variant"}
ALL_VARIANTS = tuple(dict.fromkeys((*VARIANTS, *(v for names in CHANGE_VARIANTS.values() for v in names))))
KEYS = {
    "name", "seed", "split", "variant", "mm_per_px", "shoe_side", "distractors", "sensor", "camera", "style",
    "kind", "change",
} | PLAN_KEYS  # fmt: skip
CHOICES = {
    "split": SPLITS,
    "variant": ALL_VARIANTS,
    "kind": KINDS,
    "shoe_side": SIDES,
    "rank": tuple(BURN_VALUE),
    "suit": SUITS,
}


class ScenarioFault(Fault):
    """A scenario file that cannot be understood."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scene with what happens in it."""

    name: str
    seed: int
    split: str
    setting: Setting
    plan: Plan
    scene: BurnScene
    distractors: tuple[str, ...]
    kind: str = "burn"
    change: ChangePlan | None = None  # None for a burn alone

    @property
    def variant(self) -> str:
        """The name of the verdict table."""
        return self.plan.variant if self.change is None else self.change.variant

    @property
    def cards(self) -> int:
        """How many cards the shoe has."""
        return self.scene.total_cards

    @property
    def spec(self) -> SceneSpec:
        """The scene as the camera sees it."""
        return self.setting.spec

    @property
    def end_us(self) -> int:
        """When it ends."""
        return self.scene.end_us

    @property
    def lost_us(self) -> tuple[int, int] | None:
        """The part of the recording that is missing, from the second additional draw on; None where all is there."""
        if self.plan.lost_s <= 0:
            return None
        draws = [event["t_us"] for event in self.events() if event["kind"] == "card.draw"]
        start = int(draws[min(2, len(draws) - 1)])
        return start, start + round(self.plan.lost_s * 1e6)

    def state(self, t_us: int) -> SceneState:
        """Where everything is at `t_us`, mirrored if the shoe stands at the right."""
        state = self.scene.state(t_us)
        return mirror_state(state, max(self.spec.seats)) if self.setting.mirrored else state

    def events(self) -> list[dict[str, Any]]:
        """What happens, in order of its beginning, with the dealer's real hands."""
        events = sorted(self.scene.events, key=lambda e: (e["t_us"], e["end_us"]))
        if not self.setting.mirrored:
            return events
        top = max(self.spec.seats)
        return [{**event, "facts": mirror_facts(event["facts"], top)} for event in events]


def scenario_from_seed(
    seed: int,
    split: str,
    mm_per_px: float | None = None,
    variant: str | None = None,
    distractors: tuple[str, ...] | None = None,
    *,
    shoe_side: str | None = None,
    kind: str = "burn",
    change: dict[str, Any] | None = None,
) -> Scenario:
    """The scenario of a seed. What is not given follows from the seed too.

    The same seed with the other `shoe_side` is the mirror image. `kind` is one of KINDS; `change` says what the
    kinds but "burn" do: any of decks, depth_cards, cut_from, second_below.

    Raises:
        ValueError: what is given does not fit together.
    """
    raw: dict[str, Any] = {"name": f"{split}-{seed}", "kind": kind, "change": change or {}}
    if shoe_side:
        raw["shoe_side"] = shoe_side
    return _build(raw, seed, split, mm_per_px=mm_per_px, variant=variant, distractors=distractors)


def load_scenario(path: Path) -> Scenario:
    """The scenario of a TOML file.

    Raises:
        InputFault: it cannot be read.
        ScenarioFault: it is no TOML, has an unknown key, or a value that is not possible.
    """
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputFault("cannot read the scenario", where=str(path), why=str(error), todo="Check the path.") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ScenarioFault("not TOML", where=str(path), why=str(error), todo="Mend that line.") from error
    _check(raw, path)
    try:
        return _build(
            raw,
            int(raw["seed"]),
            str(raw.get("split", "eval")),
            mm_per_px=raw.get("mm_per_px"),
            variant=raw.get("variant"),
            distractors=tuple(raw.get("distractors", ())),
        )
    except (TypeError, ValueError, OverflowError, ZeroDivisionError, KeyError) as error:
        raise ScenarioFault(
            "a value is not possible", where=str(path), why=str(error), todo="See sample_videos/studio/scenario.py."
        ) from error


def _check(raw: dict[str, Any], path: Path) -> None:
    problems = [_unknown(key, KEYS) for key in raw if key not in KEYS]
    sections = {name: {f.name for f in fields(kind)} for name, kind in SECTIONS.items()} | {"change": CHANGE_KEYS}
    for section, known in sections.items():
        keys = raw[section] if isinstance(raw.get(section), dict) else {}
        problems += [f"{section}.{_unknown(key, known)}" for key in keys if key not in known]
    problems += impossible(raw)
    if "seed" not in raw:
        problems.append("seed is missing")
    choices = {
        "split": SPLITS,
        "variant": ALL_VARIANTS,
        "kind": KINDS,
        "shoe_side": SIDES,
        "rank": tuple(BURN_VALUE),
        "suit": SUITS,
    }
    for key, allowed in choices.items():
        text = str(raw.get(key, allowed[0]))
        parts = text.split("+") if key == "variant" else [text]
        if any(part not in allowed for part in parts):
            problems.append(f"{key} = {raw[key]!r} is not one of {', '.join(allowed)}")
    some = raw["distractors"] if isinstance(raw.get("distractors"), list) else []
    problems += [f"distractor {d!r} is unknown" for d in some if d not in DISTRACTORS]
    if problems:
        raise ScenarioFault(
            "; ".join(problems),
            where=str(path),
            why="only the keys and names of a scenario are understood",
            todo="See sample_videos/studio/scenario.py for all of them.",
        )


def _unknown(key: str, known: set[str]) -> str:
    near = difflib.get_close_matches(key, sorted(known), 1)
    return f"unknown key {key!r}" + (f", did you mean {near[0]!r}?" if near else "")


def _build(
    raw: dict[str, Any],
    seed: int,
    split: str,
    *,
    mm_per_px: float | None,
    variant: str | None,
    distractors: tuple[str, ...] | None,
) -> Scenario:
    rng = np.random.default_rng([SPLIT_SALT[split], seed])
    side, kind = raw.get("shoe_side"), str(raw.get("kind", "burn"))
    if kind != "burn" and mm_per_px is None:
        mm_per_px = default_scale(rng, kind)
    setting = draw_spec(rng, split, mm_per_px, seed=seed, mirrored=None if side is None else side == "right")
    name = str(raw.get("name", f"{split}-{seed}"))
    if kind != "burn":
        made = build_change(rng, setting, Given(kind, variant, **raw.get("change", {})))
        shown = _with_camera(made.setting, raw)
        return Scenario(name, seed, split, shown, made.plan, made.scene, (), kind, made.change)
    variant = variant or str(rng.choice(VARIANTS))
    plan = draw_plan(rng, variant)
    style = replace(plan.style, **raw.get("style", {}))
    given = {key: _frozen(value) for key, value in raw.items() if key in PLAN_KEYS}
    if "rank" in given and "additional" not in given and plan.burn and plan.expose and plan.additional:
        given["additional"] = plan.additional - plan.limit + BURN_VALUE[given["rank"]]
    plan = replace(plan, style=style, **given)
    if why := misfit(plan):
        raise ValueError(why)
    if distractors is None:
        distractors = _some_distractors(rng)
    plan = with_distractors(rng, plan, distractors)
    setting = _with_camera(setting, raw)
    scene = BurnScene(plan, setting.equipment, setting.zones, rng)
    return Scenario(name, seed, split, setting, plan, scene, distractors)


def _with_camera(setting: Setting, raw: dict[str, Any]) -> Setting:
    """The setting with what the file says of sensor and camera."""
    spec = replace(
        setting.spec,
        sensor=replace(setting.spec.sensor, **raw.get("sensor", {})),
        camera=replace(setting.spec.camera, **{k: _frozen(v) for k, v in raw.get("camera", {}).items()}),
    )
    return replace(setting, spec=spec)


def _some_distractors(rng: np.random.Generator) -> tuple[str, ...]:
    """None in half the scenes, one to three in the others."""
    if rng.random() < 0.5:
        return ()
    chosen = rng.choice(DISTRACTORS, int(rng.integers(1, 4)), replace=False)
    return tuple(str(name) for name in chosen)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
