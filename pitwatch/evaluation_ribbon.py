"""How well ribbons are counted and lacing is told, on settled pictures of the studio; see `evaluation_measures`."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Calibration
from pitwatch.evaluation_measures import (
    APART_US,
    BOX_MM,
    DEVELOPMENT_SEED,
    FRAMES,
    SEED,
    Measurement,
    Trial,
    calibration_of,
    stack_box,
)
from sample_videos.studio.render import labelled_frames
from sample_videos.studio.scenario import Scenario, scenario_from_seed
from vision.change.box import Box
from vision.change.gauges import FrameMeasures
from vision.change.measures import Measured
from vision.frame import Frame
from vision.measure.ribbon import Ribbon, RibbonReading, combine_ribbon, read_ribbon

Floats = NDArray[np.float64]

#: A card of a ribbon can be told from the next at these scales and finer.
SCALES_MM_PER_PX = (0.42, 0.73, 1.0, 1.46)
#: The seeds of these scenes lie so far behind those of the cuts.
BEHIND = 10_000
#: A hand that put the cover card in is off it after so long; a stack left by a shuffle is clear after so long.
HAND_OFF_US, CLEAR_US = 130_000, 300_000
RIBBONS = ("in_order", "second_shallow")
LACINGS = ("in_order", "half_feathered", "squared")
#: A cover card lies so near to a ribbon that sticks out of it, mm.
NEAR_MM = 40.0


def counts(count: int, development: bool) -> Iterator[Trial]:
    """How many cards lie in a ribbon with a cover card among them."""
    for scene in _scenes(count, development, "second_cover", RIBBONS):
        scale, (ribbon, why, truth, _) = scene.mm_per_px, _ribbon(scene)
        yield Trial(scale, truth, Measured(reason=why) if ribbon is None else _whole(ribbon))


def belows(count: int, development: bool) -> Iterator[Trial]:
    """How many cards of a ribbon lie under the second cover card."""
    for scene in _scenes(count, development, "second_cover", RIBBONS):
        scale, (ribbon, why, _, truth) = scene.mm_per_px, _ribbon(scene)
        measured = Measured(reason=why or "no cover card was seen in the ribbon")
        if ribbon is not None and ribbon.below is not None:
            measured = Measured(float(ribbon.below), float(ribbon.below_low), float(ribbon.below_high))
        accused = measured.known and truth >= 14 and ribbon is not None and ribbon.below_high < 14
        yield Trial(scale, truth, measured, accused)


def lacings(count: int, development: bool) -> Iterator[Trial]:
    """Which share of a standing stack's length was left laced."""
    for scene in _scenes(count, development, "shuffle_end", LACINGS):
        scenario = scene.scenario()
        end = [e for e in scenario.events() if e["kind"] == "shuffle.end"][-1]
        calibration, rng = calibration_of(scenario), np.random.default_rng([scenario.seed, 7])
        gauge, box = FrameMeasures(calibration, scenario.cards).feathered(on_edge=True), None
        for t_us, image, objects in labelled_frames(scenario, _times(end["end_us"] + CLEAR_US)):
            box = stack_box(calibration, objects, rng) if box is None else box
            gauge.add(t_us, Frame.of(t_us, image), box, None)
        truth, measured = float(end["facts"]["feathered"]), gauge.result()
        accused = measured.known and truth > 0.95 and measured.high is not None and measured.high < 0.9
        yield Trial(scene.mm_per_px, truth, measured, accused)


def exact(trials: Iterator[Trial]) -> dict[float, tuple[int, int]]:
    """For each scale how many counts are exact, of how many trials."""
    done: dict[float, tuple[int, int]] = {}
    for trial in trials:
        right, of = done.get(trial.mm_per_px, (0, 0))
        value = trial.measured.value
        done[trial.mm_per_px] = right + int(value is not None and round(value) == trial.truth), of + 1
    return done


@dataclass(frozen=True, slots=True)
class _Scene:
    """One scene to be measured."""

    kind: str
    variant: str
    mm_per_px: float
    seed: int

    def scenario(self) -> Scenario:
        """The scene itself."""
        return scenario_from_seed(self.seed, "eval", self.mm_per_px, self.variant, kind=self.kind)


def _scenes(count: int, development: bool, kind: str, variants: tuple[str, ...]) -> Iterator[_Scene]:
    for number in range(count):
        scale = SCALES_MM_PER_PX[number % len(SCALES_MM_PER_PX)]
        seed = (DEVELOPMENT_SEED if development else SEED) + BEHIND + number
        yield _Scene(kind, variants[number // len(SCALES_MM_PER_PX) % len(variants)], scale, seed)


def _times(first_us: int) -> list[int]:
    return [first_us + i * APART_US for i in range(FRAMES)]


@functools.lru_cache(maxsize=1024)
def _ribbon(scene: _Scene) -> tuple[Ribbon | None, str, int, int]:
    """The ribbon as measured over frames, or None and why not; its cards, and those under the cover card, in truth."""
    scenario = scene.scenario()
    events = [e for e in scenario.events() if e["kind"] == "cover.insert" and e["facts"]["which"] == 2]
    calibration, rng = calibration_of(scenario), np.random.default_rng([scenario.seed, 7])
    readings: list[RibbonReading] = []
    why, cards, box = "no ribbon lies there", 0, None
    for t_us, image, objects in labelled_frames(scenario, _times(events[-1]["end_us"] + HAND_OFF_US)):
        backs = [calibration.to_table(np.array(o["quad"], float)) for o in objects if o["cls"] == "card_back"]
        if len(backs) < 3:
            continue
        box, cards = _row_box(backs, rng) if box is None else box, len(backs)
        covers = _near(box, objects, calibration, rng)
        reading, why = read_ribbon(image, t_us, calibration, box.quad_mm, box.along, cover_quad_mm=covers)
        readings += [reading] if reading is not None else []
    ribbon, why = combine_ribbon(readings, why=why)
    return ribbon, why, cards, int(events[-1]["facts"]["above_bottom_cards"])


def _row_box(backs: list[Floats], rng: np.random.Generator) -> Box:
    """The box round a row of cards, as `vision.change.ribbon` makes it, off by as much as a detector's."""
    corners = np.concatenate(backs)
    low, high = (edge + rng.normal(0, BOX_MM, 2) for edge in (corners.min(axis=0), corners.max(axis=0)))
    size = high - low
    along = np.array([1.0, 0.0]) if size[0] >= size[1] else np.array([0.0, 1.0])
    return Box((low + high) / 2, along, float(size.max()), float(size.min()))


def _near(
    box: Box, objects: list[dict[str, Any]], calibration: Calibration, rng: np.random.Generator
) -> Floats | None:  # fmt: skip
    quads = [calibration.to_table(np.array(o["quad"], float)) for o in objects if o["cls"] == "cover_card"]
    near = [quad + rng.normal(0, BOX_MM, (4, 2)) for quad in quads if box.gap_mm(quad.mean(axis=0)) <= NEAR_MM]
    return np.array(near) if near else None


def _whole(ribbon: Ribbon) -> Measured:
    return Measured(ribbon.value, ribbon.low, ribbon.high)


#: Half a card for counts; a share of 0.02 for lacing, which nothing but a floorperson's look asks for.
_ALL = dict.fromkeys(SCALES_MM_PER_PX, 0.5)
MEASUREMENTS = (
    Measurement("cards of a ribbon", "cards", _ALL, counts),
    Measurement("cards under the second cover card", "cards", _ALL, belows),
    Measurement("share of a standing stack left laced", "share", dict.fromkeys(SCALES_MM_PER_PX, 0.02), lacings),
)
