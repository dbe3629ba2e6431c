"""How well single measurements do on settled pictures of the studio: one table a measurement, one line a scale.

The pictures are what a recorder would keep of scenes that no training and no tuning saw; boxes are the true ones, off
by as much as a detector's are. Every measurement is one function that yields trials (`MEASUREMENTS`); all of them are
summed up in the same way.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.geometry import Calibration
from calibration.tablefile import load_table
from calibration.toml_text import document_text
from pitwatch.figures import share
from sample_videos.studio.render import labelled_frames
from sample_videos.studio.scenario import Scenario, scenario_from_seed
from sample_videos.studio.scene import StackPose
from sample_videos.studio.truth import table_file
from vision.change.box import Box, box_of
from vision.change.gauges import FrameMeasures
from vision.change.measures import Measured
from vision.frame import Frame
from vision.sighting import Sighting

Floats = NDArray[np.float64]

SCALES_MM_PER_PX = (0.21, 0.42, 0.73, 1.0, 1.46)
#: The first seeds of scenes: those that development may look at, and the others.
DEVELOPMENT_SEED, SEED = 900_000, 950_000
#: A detector's box is off by so many millimetres and degrees (1 sigma).
BOX_MM, BOX_DEG = 2.5, 1.5
#: Settled frames are so far apart.
APART_US = 100_000
FRAMES = 3


@dataclass(frozen=True, slots=True)
class Trial:
    """One measurement of something known. `measured` has no value where it was refused; then it says why.

    `accused` is True where the measurement says surely that a limit was not kept, though it was.
    """

    mm_per_px: float
    truth: float
    measured: Measured
    accused: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """What became of the trials of one measurement at one scale; half-widths, bias and spread in the measured unit."""

    mm_per_px: float
    of: int
    answered: int
    held: int
    half_width: float
    allowed: float
    bias: float
    spread: float
    accused: int
    refusals: dict[str, int]

    def to_plain(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Measurement:
    """A measurement: its unit, the 1 sigma that is to be reached at a scale, and its trials.

    `trials(count, development)` yields `count` of them, the scales in turn.
    """

    name: str
    unit: str
    sigma: dict[float, float]
    trials: Callable[[int, bool], Iterator[Trial]]


def rows(measurement: Measurement, trials: Iterable[Trial]) -> list[Row]:
    """One row a scale, finest first."""
    by_scale: dict[float, list[Trial]] = {}
    for trial in trials:
        by_scale.setdefault(trial.mm_per_px, []).append(trial)
    return [_row(scale, done, measurement.sigma) for scale, done in sorted(by_scale.items())]


def _row(mm_per_px: float, trials: list[Trial], sigma: dict[float, float]) -> Row:
    told = [(t.truth, t.measured) for t in trials if t.measured.known]
    values = np.array([(truth, m.value, m.low, m.high) for truth, m in told], float).reshape(-1, 4)
    off = values[:, 1] - values[:, 0]
    held = (values[:, 2] <= values[:, 0]) & (values[:, 0] <= values[:, 3])
    half = (values[:, 3] - values[:, 2]) / 2
    return Row(
        mm_per_px, len(trials), len(told), int(held.sum()),
        half_width=float(np.median(half)) if len(half) else float("nan"),
        allowed=1.25 * 1.96 * sigma.get(mm_per_px, float("nan")),
        bias=float(off.mean()) if len(off) else float("nan"), spread=float(off.std()) if len(off) else float("nan"),
        accused=sum(t.accused for t in trials),
        refusals=dict(Counter(t.measured.reason for t in trials if not t.measured.known)),
    )  # fmt: skip


def table_text(measurement: Measurement, done: Iterable[Row]) -> str:
    """The rows as text, with a heading; why measurements were refused comes after them."""
    lines = [
        f"{measurement.name}, {measurement.unit}",
        "mm/px  answered  held by the interval            half-width (at most)  bias   spread  accused wrongly",
    ]
    refusals: Counter[str] = Counter()
    for row in done:
        part = share(row.held, row.answered)
        told = f"{row.held}/{row.answered} ({100 * part.low:.0f} to {100 * part.high:.0f} %)"
        lines.append(
            f"{row.mm_per_px:5.2f}  {row.answered:3d}/{row.of:<4d}  {told:30s}  "
            f"{row.half_width:6.2f} ({row.allowed:.2f})         {row.bias:+5.2f}  {row.spread:5.2f}   {row.accused}"
        )
        refusals.update(row.refusals)
    lines += [f"refused {count} times: {why}" for why, count in refusals.most_common()]
    return "\n".join(lines)


# -- the cover card's depth -------------------------------------------------------------------------------------------

#: 58 Pa. Code 629a.5(c).
LEAST_DEPTH = 10
#: Depths in turn: near the limit most often.
DEPTHS = (10, 16, 5, 30, 9, 60, 11, 22, 14, 7, 120, 12, 40)


def depth_trials(count: int, development: bool) -> Iterator[Trial]:
    """The depth of a cover card in the standing stack, from top or bottom, measured over settled frames."""
    for number in range(count):
        scale = SCALES_MM_PER_PX[number % len(SCALES_MM_PER_PX)]
        turn = number // len(SCALES_MM_PER_PX)
        depth = DEPTHS[(turn + 3 * number) % len(DEPTHS)]
        change = {"depth_cards": depth, "cut_from": ("top", "bottom")[(turn + number) % 2]}
        seed = (DEVELOPMENT_SEED if development else SEED) + number
        scenario = scenario_from_seed(seed, "eval", scale, "in_order", kind="cut", change=change)
        yield _depth_trial(scenario, scale, depth)


def _depth_trial(scenario: Scenario, mm_per_px: float, depth: int) -> Trial:
    t_us = _settled(scenario)
    stack = max(scenario.state(t_us).stacks, key=lambda pose: pose.count)
    calibration = calibration_of(scenario)
    rng = np.random.default_rng([scenario.seed, 7])
    gauge = FrameMeasures(calibration, stack.count).depth()
    box: Box | None = None
    for at_us, image, objects in labelled_frames(scenario, [t_us + i * APART_US for i in range(FRAMES)]):
        if box is None:
            box = stack_box(calibration, objects, rng)
        gauge.add(at_us, Frame.of(at_us, image), box, None)
    return _told(gauge.result(), stack, mm_per_px, depth)


def _told(above: Measured, stack: StackPose, mm_per_px: float, depth: int) -> Trial:
    """The trial of a depth from the nearer end, given what was measured: cards above the cover card."""
    if above.value is None or above.low is None or above.high is None:
        return Trial(mm_per_px, depth, above)
    measured = above
    if above.value > stack.count / 2:
        measured = Measured(stack.count - above.value, stack.count - above.high, stack.count - above.low)
    assert measured.high is not None
    return Trial(mm_per_px, depth, measured, depth >= LEAST_DEPTH and measured.high < LEAST_DEPTH)


def _settled(scenario: Scenario) -> int:
    """A time between the cut and the packet's move at which hands are farthest from the stack."""
    events = scenario.events()
    cut = max(e["end_us"] for e in events if e["kind"] == "cut.insert")
    moved = min(e["t_us"] for e in events if e["kind"] == "packet.move" and e["t_us"] > cut)
    times = np.arange(cut + 100_000, max(cut + 150_000, moved - FRAMES * APART_US), 50_000)
    return int(max(times, key=lambda t_us: _hands_off_mm(scenario, int(t_us))))


def _hands_off_mm(scenario: Scenario, t_us: int) -> float:
    state = scenario.state(t_us)
    middle = np.array(max(state.stacks, key=lambda pose: pose.count).centre[:2])
    return min((float(np.linalg.norm(np.array(h.wrist[:2]) - middle)) for h in state.hands), default=np.inf)


# -- what measurements need of a scene --------------------------------------------------------------------------------


def calibration_of(scenario: Scenario) -> Calibration:
    """The scene's calibration as its table file gives it."""
    with tempfile.TemporaryDirectory(prefix="pitwatch-table-") as folder:
        path = Path(folder) / "table.toml"
        path.write_text(document_text(table_file(scenario, scenario.name)), encoding="utf-8")
        return load_table(path).calibration


def stack_box(calibration: Calibration, objects: Iterable[dict[str, Any]], rng: np.random.Generator) -> Box:
    """The box of the largest stack among labelled objects, off by as much as a detector's."""
    quads = [calibration.to_table(np.array(o["quad"], float)) for o in objects if o["cls"] == "stack"]
    quad = max(quads, key=_area)
    box = box_of(Sighting(0, "stack", quad, 1.0))
    turn = np.arctan2(box.along[1], box.along[0]) + np.radians(rng.normal(0, BOX_DEG))
    off = rng.normal(0, BOX_MM, 4)
    along = np.array([np.cos(turn), np.sin(turn)])
    return Box(box.centre_mm + off[:2], along, box.length_mm + float(off[2]), box.width_mm + float(off[3]))


def _area(quad: Floats) -> float:
    one, two = quad[1] - quad[0], quad[2] - quad[1]
    return abs(float(one[0] * two[1] - one[1] * two[0]))


#: 1 sigma in cards for a depth, by scale, as pixels and loose ends alone allow (1.0 mm/px between its neighbours).
DEPTH_SIGMA = {0.21: 0.85, 0.42: 1.15, 0.73: 1.8, 1.0: 2.45, 1.46: 3.5}
MEASUREMENTS = (Measurement("depth of the cover card", "cards", DEPTH_SIGMA, depth_trials),)
