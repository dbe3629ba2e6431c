"""Looking ahead changes nothing but the time it takes."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from vision.ahead import HELD_FRAMES, AheadLooks, begun_ahead
from vision.frame import Frame


def frames(count: int) -> Iterator[Frame]:
    for number in range(count):
        yield Frame.of(number * 33_333, np.full((2, 2, 3), number, np.uint8))


def test_frames_keep_their_order_and_are_begun_before_they_are_given() -> None:
    begun: list[int] = []

    class Eyes:
        def begin(self, frame: Frame) -> None:
            begun.append(frame.t_us)

    given = []
    for frame in begun_ahead(frames(30), Eyes()):
        given.append(frame.t_us)
        assert len(begun) == min(30, len(given) + HELD_FRAMES)
    assert given == begun == [frame.t_us for frame in frames(30)]


def test_eyes_that_cannot_begin_get_the_frames_as_they_come() -> None:
    assert [f.t_us for f in begun_ahead(frames(3), object())] == [0, 33_333, 66_666]


def test_a_look_begun_ahead_is_that_frames_own_and_made_once() -> None:
    made: list[int] = []

    def look(frame: Frame) -> int:
        made.append(frame.t_us)
        return int(frame.image[0, 0, 0])

    ahead, all_frames = AheadLooks(look), list(frames(20))
    for frame in all_frames:
        ahead.begin(frame)
    assert [ahead.take(frame) for frame in all_frames] == list(range(20))
    ahead.close()
    assert sorted(made) == [frame.t_us for frame in all_frames]


def test_a_look_that_was_not_begun_is_made_on_the_spot() -> None:
    ahead = AheadLooks(lambda frame: threading.current_thread())
    assert ahead.take(next(frames(1))) is threading.current_thread()


def test_what_a_look_raises_is_raised_when_it_is_taken() -> None:
    def look(frame: Frame) -> int:
        raise ValueError(f"at {frame.t_us}")

    ahead, frame = AheadLooks(look), next(frames(1))
    ahead.begin(frame)
    with pytest.raises(ValueError, match="at 0"):
        ahead.take(frame)
    ahead.close()
