"""A scenario to files: the video, the table file, the signals, the truth and, on request, labelled frames."""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.toml_text import document_text
from sample_videos.studio.exposure import Exposure
from sample_videos.studio.labels import label_objects
from sample_videos.studio.renderer import Renderer
from sample_videos.studio.scenario import Scenario, load_scenario
from sample_videos.studio.scene import SceneState
from sample_videos.studio.truth import table_file, write_truth
from sample_videos.studio.writer import VideoWriter

Image = NDArray[np.uint8]
Progress = Callable[[int, int], None]

#: Slower than this, in pixels within the exposure, nothing smears.
BLUR_PX = 2.0


@dataclass(frozen=True, slots=True)
class RenderResult:
    """What was written."""

    out: Path
    frames: int
    seconds: float


def render_file(
    path: Path, out: Path, *, frames: bool = False, every_us: int = 333_333, progress: Progress | None = None
) -> RenderResult:
    """Renders the scenario file at `path` into the folder `out`; see `render_scenario`."""
    return render_scenario(load_scenario(path), out, frames=frames, every_us=every_us, progress=progress)


def render_scenario(
    scenario: Scenario,
    out: Path,
    *,
    frames: bool = False,
    every_us: int = 333_333,
    video: bool = True,
    progress: Progress | None = None,
) -> RenderResult:
    """Writes video.mp4, table.toml, signals.jsonl and truth/ into `out`.

    With `frames`, also truth/boxes.jsonl and the pictures it labels, one every `every_us`, into frames/.
    """
    out.mkdir(parents=True, exist_ok=True)
    (out / "table.toml").write_text(document_text(table_file(scenario, scenario.name)), encoding="utf-8")
    write_truth(scenario, out, scenario.name)
    times = frame_times(scenario)
    if video or frames:
        with Renderer(scenario.spec) as renderer:
            _shoot(
                scenario,
                renderer,
                times,
                out,
                video=video,
                every_us=every_us if frames else None,
                progress=progress,
            )
    return RenderResult(out, len(times), scenario.end_us / 1e6)


def frame_times(scenario: Scenario) -> list[int]:
    """The times of the frames, without those that are lost on purpose."""
    sensor = scenario.spec.sensor
    count = int(scenario.end_us / 1e6 * sensor.fps)
    times = [round(i * 1e6 / sensor.fps) for i in range(count)]
    start, end = scenario.lost_us or (0, 0)
    return [t for t in times if not start <= t < end]


def _save(path: Path, image: Image) -> None:
    """Writes a picture; OpenCV tells by a value only that it could not."""
    if not cv2.imwrite(str(path), image):
        raise OSError(errno.EIO, "the picture could not be written", str(path))


def _shoot(
    scenario: Scenario,
    renderer: Renderer,
    times: Sequence[int],
    out: Path,
    *,
    video: bool,
    every_us: int | None,
    progress: Progress | None,
) -> None:
    sensor, camera = scenario.spec.sensor, scenario.spec.camera
    size = (camera.width_px, camera.height_px)
    exposure = Exposure(sensor, size, seed=scenario.seed)
    path = out / "video.mp4"
    writer = VideoWriter(path, size, fps=sensor.fps, bit_rate=sensor.bit_rate) if video else None
    rows: list[dict[str, Any]] = []
    due = 0
    for number, t_us in enumerate(times):
        image = exposure.expose(blurred(renderer, scenario, t_us))
        if writer is not None:
            writer.write(image, t_us)
        if every_us is not None and t_us >= due:
            due += every_us
            rows.append({"t_us": t_us, "objects": label_objects(renderer, scenario.state(t_us))})
            (out / "frames").mkdir(exist_ok=True)
            _save(out / "frames" / f"{t_us:010d}.jpg", image)
        if progress is not None:
            progress(number + 1, len(times))
    if writer is not None:
        writer.close()
    if every_us is not None:
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (out / "truth" / "boxes.jsonl").write_text(text, encoding="utf-8")


def blurred(renderer: Renderer, scenario: Scenario, t_us: int) -> Image:
    """The picture as the open shutter gathers it, smeared where something moves fast enough to show."""
    exposure_us = scenario.spec.sensor.exposure_s * 1e6
    now = scenario.state(t_us)
    shift_px = _fastest_mm_per_us(now, scenario.state(t_us + 2000), 2000) * exposure_us / scenario.setting.mm_per_px
    if shift_px < BLUR_PX:
        return renderer.render(now)
    opened, shut = (scenario.state(max(0, round(t_us + side * exposure_us / 2))) for side in (-1, 1))
    return renderer.render(opened, until=shut)


def _fastest_mm_per_us(now: SceneState, soon: SceneState, apart_us: int) -> float:
    """The speed of the fastest hand."""
    distances = [
        float(np.linalg.norm(np.subtract(a.wrist, b.wrist)))
        for a, b in zip(now.hands, soon.hands, strict=True)
        if a.owner == b.owner
    ]
    return max(distances, default=0.0) / apart_us


def labelled_frames(
    scenario: Scenario, times: Sequence[int], *, seed: int = 0
) -> Iterator[tuple[int, Image, list[dict[str, Any]]]]:
    """(t_us, picture as a recorder would keep it, labelled objects) at the given times; for training."""
    camera, sensor = scenario.spec.camera, scenario.spec.sensor
    rng = np.random.default_rng([seed, scenario.seed])
    exposure = Exposure(sensor, (camera.width_px, camera.height_px), seed=scenario.seed)
    with Renderer(scenario.spec) as renderer:
        for t_us in times:
            image = exposure.expose(blurred(renderer, scenario, t_us))
            yield t_us, recorded(image, rng), label_objects(renderer, scenario.state(t_us))


def recorded(image: Image, rng: np.random.Generator) -> Image:
    """The picture after a recorder's compression: JPEG with halved chroma, near to an H.264 picture of that size."""
    quality = int(rng.integers(35, 88))
    ok, data = cv2.imencode(
        ".jpg",
        image,
        [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420],
    )
    if not ok:
        raise ValueError(f"a picture of shape {image.shape} cannot be compressed")
    result = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert result is not None
    return np.asarray(result, dtype=np.uint8)
