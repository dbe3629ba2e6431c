"""Stretches of recordings, found by seeking: the very pictures of that time, whatever the container and the codec."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pitwatch.cut import Recording, frames_between
from tests.films import even, number_of, uneven, write_film


def shown(path: Path, start_ms: int, end_ms: int) -> list[int]:
    recording = Recording(str(path), 0, 0, 60_000_000)
    return [number_of(frame.image) for frame in frames_between([recording], 1000 * start_ms, 1000 * end_ms)]


@pytest.mark.parametrize("times_ms", [even(450), uneven()], ids=["steady", "slowing down"])
@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("a.mp4", {"gop": 50, "b_frames": 3}),
        ("a.mkv", {"gop": 50, "codec": "libx265"}),
        ("a.ts", {"gop": 25}),
        ("a.ts", {"gop": 250, "b_frames": 3}),  # ten seconds from one key picture to the next
    ],
)
def test_a_stretch_shows_the_pictures_of_that_time(
    tmp_path: Path, name: str, form: dict[str, Any], times_ms: list[int]
) -> None:
    path = write_film(tmp_path / name, times_ms, **form)
    for first in (20, 205, 230):
        assert shown(path, times_ms[first], times_ms[first + 4]) == list(range(first, first + 5))


def test_a_damaged_stretch_ends_with_the_recording_and_not_with_an_error(tmp_path: Path) -> None:
    path = write_film(tmp_path / "a.ts", even(300))
    data = bytearray(path.read_bytes())
    for at in range(len(data) // 2, len(data) * 6 // 10, 41):
        data[at] ^= 0x55
    path.write_bytes(data)
    numbers = shown(path, 0, 12_000)
    assert numbers[:100] == list(range(100))
    assert numbers[-1] == 299
    assert len(numbers) < 300
