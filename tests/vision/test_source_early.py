"""Recordings that are no whole films: bare streams, photographs, broken copies."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from tests.films import even, write_film
from vision.source import open_source


def test_a_bare_stream_without_times_is_told_what_it_lacks(tmp_path: Path) -> None:
    with open_source(write_film(tmp_path / "a.h264", even(5))) as source:
        assert list(source.frames()) == []
        assert "none of its 5 pictures has a time" in str(source.report.ended_early)


def test_a_single_picture_is_no_film(tmp_path: Path) -> None:
    with open_source(write_film(tmp_path / "a.mp4", even(1))) as source:
        assert len(list(source.frames())) == 1
        assert "single picture" in str(source.report.ended_early)


def test_a_stream_that_breaks_off_inside_a_picture_has_ended_early(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (240, 320, 3), dtype=np.uint8)
    path = tmp_path / "a.ts"
    with av.open(str(path), "w", format="mpegts") as container:
        stream = container.add_stream("libx264", rate=10, options={"preset": "ultrafast", "g": "1", "bf": "0"})
        stream.width, stream.height, stream.pix_fmt = 320, 240, "yuv420p"
        for number in range(8):
            frame = av.VideoFrame.from_ndarray(np.roll(noise, number, axis=1), format="bgr24")
            frame.pts, frame.time_base = number, Fraction(1, 10)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    with open_source(path) as source:
        assert len(list(source.frames())) == 8
        assert source.report.ended_early is None
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 3])
    with open_source(path) as source:
        assert 0 < len(list(source.frames())) < 8
        assert "breaks off" in str(source.report.ended_early)
