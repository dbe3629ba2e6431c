"""`pitwatch bench`: the speed of a review beside decoding alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

from calibration.tablefile import load_table
from pitwatch.stages import Sees, real_stages
from pitwatch.timeline import ahead
from vision.ahead import begun_ahead
from vision.frame import Frame
from vision.source import open_source

Pass = Callable[[Iterator[Frame]], Iterator[Frame]]


def bench_lines(source: str, table_path: Path) -> Iterator[str]:
    """A line for each way through the recording: decoding alone, converted to pixels, seen one at a time, seen ahead.

    Other programs on the machine slow all of them down alike: processor time for each frame, and its ratio to decoding
    alone in the same run, say more than the clock does.
    """
    table, stages = load_table(table_path), real_stages()
    decode_s = 0.0
    for name, work in (
        ("decode", lambda frames: frames),
        ("decode to pixels", _to_pixels),
        ("see, one by one", lambda frames: _seen(frames, stages.eyes(table))),
        ("see, as a review", lambda frames: _ahead(frames, stages.eyes(table))),
    ):
        count, last_us, clock_s, processor_s = _measured(source, work)
        decode_s = decode_s or processor_s
        yield (
            f"{name:<18} {count / clock_s:8.1f} frames/s {last_us / 1e6 / clock_s:6.2f} x real time "
            f"{1000 * processor_s / count:7.2f} ms processor time/frame {processor_s / decode_s:6.1f} x decode"
        )


def _measured(source: str, work: Pass) -> tuple[int, int, float, float]:
    """Frames, the last one's time (us), and seconds by the clock and of all the processor's cores."""
    count, last_us = 0, 0
    clock_s, processor_s = time.perf_counter(), time.process_time()
    with open_source(source) as video:
        for frame in work(video.frames()):
            count, last_us = count + 1, frame.t_us
    return count, last_us, time.perf_counter() - clock_s, time.process_time() - processor_s


def _to_pixels(frames: Iterator[Frame]) -> Iterator[Frame]:
    for frame in frames:
        _ = frame.image
        yield frame


def _seen(frames: Iterator[Frame], eyes: Sees) -> Iterator[Frame]:
    for frame in frames:
        eyes.step(frame)
        yield frame
    eyes.finish()


def _ahead(frames: Iterator[Frame], eyes: Sees) -> Iterator[Frame]:
    return _seen(begun_ahead(ahead(frames), eyes), eyes)
