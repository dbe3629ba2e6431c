"""`pitwatch bench`: the speed of a review beside decoding alone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from calibration.tablefile import load_table
from pitwatch.stages import real_stages
from vision.source import open_source


def bench_lines(source: str, table_path: Path) -> Iterator[str]:
    """Frames a second and times real time: decoding alone, converted to pixels, and seen by the pipeline."""
    table = load_table(table_path)
    eyes = real_stages().eyes(table)
    for name, work in (("decode", None), ("decode to pixels", "pixels"), ("see", "see")):
        begun_s, count, last_us = time.perf_counter(), 0, 0
        with open_source(source) as video:
            for frame in video.frames():
                count, last_us = count + 1, frame.t_us
                if work == "pixels":
                    _ = frame.image
                elif work == "see":
                    eyes.step(frame)
        taken_s = time.perf_counter() - begun_s
        yield f"{name:<18} {count / taken_s:8.1f} frames/s   {last_us / 1e6 / taken_s:6.2f} x real time"
