"""Draws the pictures of measurements.md: scenes of the studio, measured at true outlines, drawn as in a report."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import resvg_py

from calibration.geometry import Calibration, Lens
from pitwatch.closeup import take_closeups
from pitwatch.marks import marks_of
from pitwatch.measurements import reading_of
from pitwatch.overlays import drawing
from rules.event import Event
from sample_videos.studio.camera import homography_and_lens, mm_per_px
from sample_videos.studio.labels import label_objects
from sample_videos.studio.renderer import Renderer
from sample_videos.studio.scenario import Scenario, scenario_from_seed
from vision.change.box import box_of
from vision.change.gauges import FrameMeasures
from vision.frame import Frame
from vision.sighting import Sighting

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture: the scene that it is taken of, the event that it shows, and the fact that was measured."""

    name: str
    kind: str
    act: str
    fact: str
    variant: str = "in_order"
    seed: int = 7
    mm_per_px: float = 0.5
    after_us: int = 200_000  # the act, when the hand is off what it did
    change: dict[str, Any] = field(default_factory=dict)


SHOTS = (
    Shot("measure_depth", "cut", "cut.insert", "depth_cards", after_us=900_000, change={"depth_cards": 16}),
    Shot("measure_feather", "shuffle_end", "shuffle.end", "feathered", "half_feathered"),
    Shot("measure_ribbon", "second_cover", "cover.insert", "above_bottom_cards", seed=15),
)
SVG = 'xmlns="http://www.w3.org/2000/svg" font-family="DejaVu Sans, sans-serif"'
WIDTH = 900


def calibration_of(scenario: Scenario) -> Calibration:
    """The scene's exact calibration."""
    camera = scenario.spec.camera
    homography, matrix, distortion = homography_and_lens(camera)
    lens = Lens(np.asarray(matrix, dtype=np.float64), np.asarray(distortion, dtype=np.float64))
    size_px = camera.width_px, camera.height_px
    return Calibration(np.asarray(homography, dtype=np.float64), *size_px, 0.5, lens, camera.position_mm)


def outlines(scenario: Scenario, calibration: Calibration, renderer: Renderer, t_us: int) -> dict[str, list[Any]]:
    """The true outlines (4, 2) in millimetres of what lies on the felt, by class, the largest first."""
    found: dict[str, list[Any]] = {}
    for label in label_objects(renderer, scenario.state(t_us)):
        found.setdefault(label["cls"], []).append(calibration.to_table(np.array(label["quad"])))
    for quads in found.values():
        quads.sort(key=lambda quad: -cv2.contourArea(quad.astype(np.float32)))
    return found


def around(quads: list[Any]) -> Any:
    """The rectangle (4, 2) round several outlines."""
    return cv2.boxPoints(cv2.minAreaRect(np.vstack(quads).astype(np.float32))).astype(np.float64)


def nearest(quads: list[Any], stack: Any) -> Any:
    """The cover card that is in the stack, and not the one that waits beside it."""
    return min(quads, key=lambda quad: np.linalg.norm(quad.mean(axis=0) - stack.mean(axis=0)), default=None)


def opened(measures: FrameMeasures, kind: str) -> Any:
    """The gauge for what an event measures."""
    if kind == "cover.insert":
        return measures.ribbon()
    return measures.depth() if kind == "cut.insert" else measures.feathered(on_edge=True)


def measured(scenario: Scenario, event: dict[str, Any], after_us: int) -> tuple[Any, Any]:
    """The picture of the first moment after the act at which it can be measured, and what was measured."""
    calibration, kind = calibration_of(scenario), event["kind"]
    measures, result = FrameMeasures(calibration, scenario.cards), None
    with Renderer(scenario.spec) as renderer:
        for t_us in range(event["end_us"] + after_us, event["end_us"] + 3_000_000, 100_000):
            image = renderer.render(scenario.state(t_us))
            there = outlines(scenario, calibration, renderer, t_us)
            covers = there.get("cover_card", [])
            frame = Frame(t_us, image.shape[1], image.shape[0], lambda image=image: image)
            backs = there.get("card_back", [])
            if kind == "cover.insert":
                stack, cover = around(backs) if len(backs) > 8 else None, np.array(covers)
            else:
                stack = (there.get("stack") or [None])[0]
                cover = None if stack is None else nearest(covers, stack)
            if stack is None:
                continue
            gauge = opened(measures, kind)
            gauge.add(t_us, frame, box_of(Sighting(t_us, "stack", stack, 1.0)), cover)
            result = gauge.result()
            if result.value is not None:
                return image, result
    raise SystemExit(f"{scenario.name}: {'nothing lies there' if result is None else result.reason}")


def drawn(scenario: Scenario, event: dict[str, Any], image: Any, result: Any, fact: str) -> str:
    """The SVG of one measurement, as the report has it."""
    number = {fact: result.value, f"{fact}_low": result.low, f"{fact}_high": result.high, "marks": result.marks}
    seen = Event("0", "studio", event["kind"], event["t_us"], event["end_us"], number)
    marks, reading = marks_of(seen), reading_of(seen, None, scenario.cards)
    if marks is None:
        raise SystemExit(f"{scenario.name}: nothing to draw")
    scale = mm_per_px(scenario.spec.camera)
    view = take_closeups(image, marks, reading, scale).views[-1]
    return drawing(view, WIDTH, marks, reading, scale, counted=True)


def main() -> None:
    """Draws all pictures, or those that are named, beside this file."""
    for shot in SHOTS:
        if len(sys.argv) > 1 and shot.name not in sys.argv[1:]:
            continue
        scenario = scenario_from_seed(
            shot.seed, "train", shot.mm_per_px, shot.variant, (), kind=shot.kind, change=dict(shot.change)
        )
        event = [e for e in scenario.events() if e["kind"] == shot.act][-1]
        image, result = measured(scenario, event, shot.after_us)
        svg = drawn(scenario, event, image, result, shot.fact)
        svg = re.sub("<svg ", f"<svg {SVG} ", svg, count=1)
        (HERE / f"{shot.name}.png").write_bytes(bytes(resvg_py.svg_to_bytes(svg_string=svg, width=WIDTH)))
        print(shot.name, event["facts"], result.value, result.low, result.high)  # noqa: T201 - it tells what it drew


if __name__ == "__main__":
    main()
