"""A scenario rendered to files: the video's times are exact, what was lost is missing, labels go with the pictures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import av
import cv2
import pytest

from sample_videos.studio.art import face_names
from sample_videos.studio.render import frame_times, labelled_frames, render_scenario
from sample_videos.studio.scenario import Scenario, scenario_from_seed

SMALLER = 4


def small(variant: str, seed: int, fps: float) -> Scenario:
    """A scenario seen by a small, slow camera, with a deck that every checkout has."""
    scenario = scenario_from_seed(seed, "train", 0.9, variant, ())
    spec = scenario.spec
    camera = replace(
        spec.camera,
        width_px=spec.camera.width_px // SMALLER // 2 * 2,
        height_px=spec.camera.height_px // SMALLER // 2 * 2,
        focal_px=spec.camera.focal_px / SMALLER,
        principal_px=(spec.camera.principal_px[0] / SMALLER, spec.camera.principal_px[1] / SMALLER),
    )
    deck = replace(spec.decks[0], faces=face_names("train", fetched=False)[0])
    sensor = replace(spec.sensor, fps=fps, bit_rate=400_000)
    spec = replace(spec, camera=camera, decks=(deck,), sensor=sensor)
    return replace(scenario, setting=replace(scenario.setting, spec=spec, mm_per_px=0.9 * SMALLER))


def times_us(path: Path) -> list[int]:
    with av.open(str(path)) as video:
        stream = video.streams.video[0]
        assert stream.time_base is not None
        return [
            round(float(frame.pts * stream.time_base) * 1e6) for frame in video.decode(stream) if frame.pts is not None
        ]


def test_video_truth_and_labelled_frames_go_together(tmp_path: Path) -> None:
    scenario = small("no_burn", 3, 4.0)
    seen: list[tuple[int, int]] = []
    result = render_scenario(
        scenario, tmp_path, frames=True, every_us=1_000_000, progress=lambda done, of: seen.append((done, of))
    )
    expected = frame_times(scenario)
    assert result.frames == len(expected) == len(seen)
    assert times_us(tmp_path / "video.mp4") == pytest.approx(expected, abs=1000)
    rows = [json.loads(line) for line in (tmp_path / "truth" / "boxes.jsonl").read_text(encoding="utf-8").splitlines()]
    pictures = sorted((tmp_path / "frames").iterdir())
    assert [int(path.stem) for path in pictures] == [row["t_us"] for row in rows]
    picture = cv2.imread(str(pictures[0]))
    assert picture is not None
    assert picture.shape[1::-1] == (scenario.spec.camera.width_px, scenario.spec.camera.height_px)
    classes = {thing["cls"] for row in rows for thing in row["objects"]}
    assert {"hand", "shoe", "discard"} <= classes


def test_lost_frames_leave_a_jump_in_the_times(tmp_path: Path) -> None:
    scenario = small("lost_video", 3, 2.0)
    render_scenario(scenario, tmp_path)
    assert scenario.lost_us is not None
    start, end = scenario.lost_us
    times = times_us(tmp_path / "video.mp4")
    assert not [t for t in times if start <= t < end - 1000]
    assert times[0] < start < end < times[-1]


def test_labelled_frames_show_the_face_that_the_label_names() -> None:
    scenario = small("right", 3, 4.0)
    burn = next(e for e in scenario.events() if e["kind"] == "card.burn" and e["facts"]["index"] == 0)
    (row,) = labelled_frames(scenario, [burn["t_us"] + 300_000])
    faces = [thing for thing in row[2] if thing["cls"] == "card_face"]
    assert [(face["rank"], face["suit"]) for face in faces] == [(scenario.plan.rank, scenario.plan.suit)]
    assert len(faces[0]["quad"]) == 4
