"""Looks at frames before their turn comes, on as many cores as there are.

What one look sees does not depend on any other, so several can be under way at once; what is made of them happens in
their order, and is the same as without.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

from vision.frame import Frame

Look = TypeVar("Look")

WORKERS = 2
#: Frames held back so that looks can be under way: at every second frame a look, this keeps both workers busy.
HELD_FRAMES = 8


class AheadLooks(Generic[Look]):
    """`begin(frame)` starts `look` on another thread; `take(frame)` gives its result, looking now if it was not begun.

    What `look` raises is raised by `take`.
    """

    def __init__(self, look: Callable[[Frame], Look], workers: int = WORKERS) -> None:
        self._look = look
        self._workers = workers
        self._pool: ThreadPoolExecutor | None = None
        self._begun: dict[int, Future[Look]] = {}

    def begin(self, frame: Frame) -> None:
        """Starts to look at a frame; frames are told apart by their time."""
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._workers, thread_name_prefix="look")
        self._begun[frame.t_us] = self._pool.submit(self._look, frame)

    def take(self, frame: Frame) -> Look:
        """What there is to see in a frame."""
        begun = self._begun.pop(frame.t_us, None)
        return self._look(frame) if begun is None else begun.result()

    def close(self) -> None:
        """Ends the threads; what was begun and not taken is dropped."""
        self._begun.clear()
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def begun_ahead(frames: Iterator[Frame], eyes: object, held: int = HELD_FRAMES) -> Iterator[Frame]:
    """The same frames in the same order; `eyes.begin`, if there is such, hears of each `held` before."""
    begin: Callable[[Frame], None] | None = getattr(eyes, "begin", None)
    if begin is None:
        yield from frames
        return
    waiting: deque[Frame] = deque()
    for frame in frames:
        begin(frame)
        waiting.append(frame)
        if len(waiting) > held:
            yield waiting.popleft()
    yield from waiting
