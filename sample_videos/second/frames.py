"""Renders labelled frames: a picture, its table file and its line of boxes.jsonl for each seed."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from calibration.toml_text import document_text
from sample_videos.second.browser import Browser
from sample_videos.second.develop import compressed, develop, film
from sample_videos.second.scene import Drawing, table_keys
from sample_videos.second.still import still
from sample_videos.second.truth import objects


def render_frames(seeds: Sequence[int], out: Path, cards: Path) -> None:
    """Writes `NNNNN.jpg`, `NNNNN.toml` and `boxes.jsonl` into `out`; `cards` has the baked faces.

    Seeds whose line is there already are left out, so that an interrupted run goes on.
    """
    out.mkdir(parents=True, exist_ok=True)
    labels = out / "boxes.jsonl"
    rows = [json.loads(line) for line in labels.read_text(encoding="utf-8").splitlines()] if labels.is_file() else []
    there = {row["image"] for row in rows}
    wanted = [seed for seed in seeds if f"{seed:05d}.jpg" not in there]
    with Browser({"cards": cards}) as browser:
        for number, seed in enumerate(wanted):
            render_one(browser, seed, out)
            if number % 20 == 19:
                sys.stderr.write(f"{number + 1} of {len(wanted)} frames\n")


def render_one(browser: Browser, seed: int, out: Path) -> None:
    """Adds the frame of a seed to the folder `out`."""
    random = np.random.default_rng([629, seed])
    scene = still(random)
    drawing = Drawing(browser, scene)
    seen = drawing.draw(truth=True)
    how = film(random)
    name = f"{seed:05d}"
    (out / f"{name}.jpg").write_bytes(compressed(develop(drawing.picture, how, random), how))
    keys = table_keys(f"second-{name}", scene.camera, scene.layout)
    (out / f"{name}.toml").write_text(document_text(keys), encoding="utf-8")
    things = objects(scene.things, seen, scene.camera)
    row = {"image": f"{name}.jpg", "table": f"{name}.toml", "deck": scene.deck, "objects": things}
    with (out / "boxes.jsonl").open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(row) + "\n")
