"""Frames of recordings between two times of their timeline, found by seeking: for clips and stills."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import av
import av.error

from vision.decode import sound_pictures
from vision.frame import Frame, Image
from vision.source import MICROSECOND

#: Beyond this distance it is quicker to seek than to decode on.
FAR_US = 8_000_000
#: A transport stream has no index: a seek into it lands anywhere, and the first whole picture may come too late. Then
#: it is tried again from so much further back; key pictures are hardly ever more than ten seconds apart.
BACK_US = (0, 4_000_000, 16_000_000, 64_000_000)


@dataclass(frozen=True, slots=True)
class Recording:
    """One file of the timeline: it lies at `offset_us` and was read from `first_us` to `last_us`."""

    path: str
    offset_us: int
    first_us: int
    last_us: int


def frames_between(recordings: Iterable[Recording], start_us: int, end_us: int) -> Iterator[Frame]:
    """The frames from `start_us` to `end_us`, both included, over all recordings, but what cannot be decoded."""
    for t_us, picture in decoded_between(recordings, start_us, end_us):
        yield Frame(t_us, picture.width, picture.height, _loader(picture))


def decoded_between(recordings: Iterable[Recording], start_us: int, end_us: int) -> Iterator[tuple[int, Any]]:
    """The same as times and PyAV's own pictures, in whatever format they were recorded."""
    last_us = start_us - 1
    for recording in recordings:
        if recording.last_us < start_us or recording.first_us > end_us:
            continue
        for t_us, picture in _cut(recording, start_us, end_us):
            if t_us > last_us:  # recordings may overlap; a moment is shown once
                last_us = t_us
                yield t_us, picture


def pictures_at(recordings: Sequence[Recording], times_us: Iterable[int]) -> Iterator[tuple[int, Image]]:
    """Each of the times with the picture, (H, W, 3) BGR, on screen then; a time without a picture is left out.

    One picture is in memory at a time, however many are asked for.
    """
    for group in _groups(sorted(set(times_us))):
        wanted = list(group)
        shown: Frame | None = None
        # A picture stays on screen until the next: read on until one begins after the last wanted time.
        for frame in frames_between(recordings, group[0] - MICROSECOND, group[-1] + MICROSECOND):
            while wanted and shown is not None and frame.t_us > wanted[0]:
                yield wanted.pop(0), shown.image
            shown = frame
            if not wanted:
                break
        for t_us in wanted:
            if shown is not None and 0 <= t_us - shown.t_us < MICROSECOND:
                yield t_us, shown.image


def _groups(times_us: Sequence[int]) -> Iterator[Sequence[int]]:
    """Times so near to one another that decoding on is quicker than seeking."""
    start = 0
    for number in range(1, len(times_us) + 1):
        if number == len(times_us) or times_us[number] - times_us[number - 1] > FAR_US:
            yield times_us[start:number]
            start = number


def _cut(recording: Recording, start_us: int, end_us: int) -> Iterator[tuple[int, Any]]:
    try:
        with av.open(recording.path) as container:
            yield from _decode(container, recording.offset_us, start_us, end_us)
    except (av.error.FFmpegError, OSError):
        return  # the review has already reported that this file is damaged or gone


def _decode(container: Any, offset_us: int, start_us: int, end_us: int) -> Iterator[tuple[int, Any]]:
    stream = container.streams.video[0]
    stream.thread_type = "AUTO"
    base_pts = stream.start_time
    if base_pts is None or start_us - offset_us <= FAR_US:
        yield from _stretch(_timed(container, stream, base_pts, offset_us), start_us, end_us)
        return
    for back_us in BACK_US:
        wanted = base_pts + int((start_us - offset_us - back_us) / MICROSECOND / stream.time_base)
        container.seek(wanted, stream=stream, backward=True)
        pictures = _timed(container, stream, base_pts, offset_us)
        first = next(pictures, None)
        in_time = first is not None and first[0] <= start_us
        if in_time or wanted < base_pts or back_us == BACK_US[-1]:
            yield from _stretch(itertools.chain([first] if first else [], pictures), start_us, end_us)
            return


def _timed(container: Any, stream: Any, base_pts: int | None, offset_us: int) -> Iterator[tuple[int, Any]]:
    """The pictures from where the container stands, with their times."""
    for picture in sound_pictures(container, stream, lambda _: None):
        if base_pts is None:
            base_pts = picture.pts
        yield offset_us + round((picture.pts - base_pts) * stream.time_base * MICROSECOND), picture


def _stretch(pictures: Iterable[tuple[int, Any]], start_us: int, end_us: int) -> Iterator[tuple[int, Any]]:
    for t_us, picture in pictures:
        if t_us > end_us:
            return
        if t_us >= start_us:
            yield t_us, picture


def _loader(picture: Any) -> Callable[[], Image]:
    def load() -> Image:
        image: Image = picture.to_ndarray(format="bgr24")
        return image

    return load
