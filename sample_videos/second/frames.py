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
from sample_videos.second.scene import draw, set_up, table_keys
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
    with Browser({"cards": cards}) as browser, labels.open("a", encoding="utf-8") as lines:
        for number, seed in enumerate(wanted):
            random = np.random.default_rng([629, seed])
            scene = still(random)
            set_up(browser, scene)
            drawn, seen = draw(browser, scene.camera, truth=True)
            how = film(random)
            name = f"{seed:05d}"
            (out / f"{name}.jpg").write_bytes(compressed(develop(drawn, how, random), how))
            keys = table_keys(f"second-{name}", scene.camera, scene.layout)
            (out / f"{name}.toml").write_text(document_text(keys), encoding="utf-8")
            row = {"image": f"{name}.jpg", "table": f"{name}.toml", "objects": objects(scene.things, seen, scene.camera)}
            lines.write(json.dumps(row) + "\n")
            lines.flush()
            if number % 20 == 19:
                sys.stderr.write(f"{number + 1} of {len(wanted)} frames\n")
