"""The figures: scenes that nothing was trained or tuned on, rendered, reviewed as a stranger's recording, scored.

The review gets a copy under a neutral name, without metadata, and a table file from `calibration` on eight points that
are a pixel off. Results are kept scene by scene, so an evaluation can be stopped and gone on with.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from calibration.geometry import Calibration
from calibration.lens import Lens
from calibration.points import calibrate
from calibration.toml_text import document_text
from pitwatch.evaluation_sets import scene
from pitwatch.review import review
from sample_videos.studio.camera import homography_and_lens
from sample_videos.studio.render import render_scenario
from sample_videos.studio.scenario import Scenario
from sample_videos.studio.truth import table_file

CALIBRATION_NOISE_PX = 1.0
#: Where in the picture the points lie, as shares of its width and height.
SPREAD = ((0.1, 0.1), (0.5, 0.08), (0.9, 0.1), (0.92, 0.5), (0.9, 0.9), (0.5, 0.92), (0.1, 0.9), (0.08, 0.5))
#: Names inside a scene's folder.
RENDERED, RECORDING = "rendered.json", "camera_07.mp4"
REPO = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Part:
    """Scenes `first` up to `count` of the set `name`: the published ones, or those that development may look at."""

    name: str
    count: int
    development: bool = False
    first: int = 0

    @property
    def numbers(self) -> range:
        """The scenes' numbers."""
        return range(self.first, self.count)

    def folder(self, out: Path) -> Path:
        """Where they are kept."""
        return out / (f"{self.name}-development" if self.development else self.name)


def render_scene(number: int, part: Part, out: Path) -> dict[str, Any]:
    """Renders one scene, unless it is there: truth in scene/truth, the recording and its table file beside it."""
    folder = part.folder(out) / f"{number:04d}"
    done = folder / RENDERED
    if done.is_file():
        known: dict[str, Any] = json.loads(done.read_text(encoding="utf-8"))
        return known
    shutil.rmtree(folder, ignore_errors=True)
    scenario = scene(part.name, number, development=part.development)
    started = time.perf_counter()
    result = render_scenario(scenario, folder / "scene")
    (folder / "scene" / "video.mp4").rename(folder / RECORDING)
    write_table(scenario, folder)
    facts = {
        "number": number,
        "seed": scenario.seed,
        "kind": scenario.kind,
        "variant": scenario.variant,
        "distractors": list(scenario.distractors),
        "mm_per_px": scenario.setting.mm_per_px,
        "rank": scenario.plan.rank,
        "additional": scenario.plan.additional,
        "seconds": result.seconds,
        "frames": result.frames,
        "fps": scenario.spec.sensor.fps,
        "size": [scenario.spec.camera.width_px, scenario.spec.camera.height_px],
        "rendered_s": time.perf_counter() - started,
    }
    done.write_text(json.dumps(facts), encoding="utf-8")
    return facts


def run_scene(
    number: int, part: Part, out: Path, *, keep: bool = False, code: str = "", review_it: bool = True
) -> dict[str, Any]:
    """Renders, reviews and describes one scene; its folder holds truth/ and review/ afterwards.

    A review by other code or other models than `code` (see `fingerprint`) is made again, as long as the recording is
    kept; what was reviewed by what stands in scene.json.
    """
    folder = part.folder(out) / f"{number:04d}"
    done = folder / "scene.json"
    known = json.loads(done.read_text(encoding="utf-8")) if done.is_file() else None
    if known is not None and (known.get("code") == code or not (folder / RECORDING).is_file()):
        return dict(known)
    facts = render_scene(number, part, out)
    if not review_it:
        return facts
    started = time.perf_counter()
    signals = folder / "scene" / "signals.jsonl"
    shutil.rmtree(folder / "review", ignore_errors=True)
    exit_code = review([str(folder / RECORDING)], folder / "table.toml", folder / "review", signals=signals)
    facts |= {"reviewed_s": time.perf_counter() - started, "exit_code": exit_code, "code": code}
    if not keep:
        (folder / RECORDING).unlink()
        shutil.rmtree(folder / "review" / "clips", ignore_errors=True)
        (folder / "review" / "report.html").unlink(missing_ok=True)
    done.write_text(json.dumps(facts), encoding="utf-8")
    return facts


def fingerprint() -> str:
    """What decides a review's findings: a hash over the code and the models that make them."""
    total = hashlib.sha256()
    for room in ("calibration", "vision", "rules", "models"):
        for path in sorted((REPO / room).rglob("*")):
            if path.suffix in (".py", ".toml", ".onnx") and path.is_file():
                total.update(path.relative_to(REPO).as_posix().encode())
                total.update(path.read_bytes())
    return total.hexdigest()[:16]


def write_table(scenario: Scenario, folder: Path) -> Path:
    """The table file that `pitwatch calibrate` makes of eight points, each a pixel off; returns its path."""
    exact = table_file(scenario, "midi")
    points = calibration_points(scenario)
    plain = {"table": "midi", "points": points, "camera_mm": exact["calibration"]["camera_mm"]}
    plain |= {key: exact[key] for key in ("layout", "game", "inputs")}
    path, table = folder / "points.toml", folder / "table.toml"
    path.write_text(document_text(plain), encoding="utf-8")
    camera = scenario.spec.camera
    calibrate(path, camera.width_px, camera.height_px, table)
    return table


def calibration_points(scenario: Scenario) -> list[dict[str, Any]]:
    """Eight points on the felt spread over the picture, each with a pixel of noise."""
    rng = np.random.default_rng([scenario.seed, 9])
    camera = scenario.spec.camera
    homography, matrix, distortion = homography_and_lens(camera)
    size = np.array([camera.width_px, camera.height_px])
    lens = Lens(matrix, distortion)
    exact = Calibration(homography, camera.width_px, camera.height_px, 0.5, lens, camera.position_mm)
    pixels = (np.array(SPREAD) + rng.uniform(-0.04, 0.04, (len(SPREAD), 2))) * size
    noisy = np.clip(pixels + rng.normal(0, CALIBRATION_NOISE_PX, pixels.shape), 0, size - 1)
    return [
        {"px": [float(v) for v in px], "mm": [float(v) for v in mm]}
        for px, mm in zip(noisy, exact.to_table(pixels), strict=True)
    ]


def run(
    part: Part, out: Path, *, jobs: int = 2, keep: bool = False, review_it: bool = True
) -> Iterator[dict[str, Any]]:
    """Runs the scenes of a part in `jobs` processes and yields each one's facts as it is done."""
    part.folder(out).mkdir(parents=True, exist_ok=True)
    one = partial(run_scene, part=part, out=out, keep=keep, code=fingerprint(), review_it=review_it)
    if jobs <= 1:
        yield from map(one, part.numbers)
        return
    # one thread of the software renderer and of the models for each process: two processes fill two cores
    os.environ["LP_NUM_THREADS"] = "1"
    with ProcessPoolExecutor(jobs) as pool:
        tasks = [pool.submit(one, number) for number in part.numbers]
        for task in as_completed(tasks):
            yield task.result()


def folders(part: Part, out: Path) -> list[Path]:
    """The folders of the part's scenes that are done; others that lie there are none of it."""
    every = (part.folder(out) / f"{number:04d}" for number in part.numbers)
    return [folder for folder in every if (folder / "scene.json").is_file()]


def pairs(part: Part, out: Path) -> list[tuple[Path, Path]]:
    """(truth, review) folders of the scenes that are done."""
    return [(folder / "scene" / "truth", folder / "review") for folder in folders(part, out)]
