"""What the detector saw at the moments that matter, kept for the report's pictures."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.sighting import Sighting

MEMORY_US = 60_000_000
NEAR_US = 120_000


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """One thing: its class, its corners (4, 2) in table millimetres, and the detector's score."""

    cls: str
    quad_mm: NDArray[np.float64]
    score: float


class Looks:
    """Remembers the last minute, and for good what was asked for with `keep`."""

    def __init__(self) -> None:
        self._recent: deque[tuple[int, tuple[Box, ...]]] = deque()
        self.kept: dict[int, tuple[Box, ...]] = {}

    def see(self, t_us: int, sightings: Iterable[Sighting]) -> None:
        """Takes in one look; the same look twice is taken once."""
        if self._recent and self._recent[-1][0] >= t_us:
            return
        self._recent.append((t_us, tuple(Box(s.cls, s.quad_mm, s.score) for s in sightings)))
        while self._recent[0][0] < t_us - MEMORY_US:
            self._recent.popleft()

    def keep(self, t_us: int) -> None:
        """Keeps what was seen at a moment, if it was looked at then."""
        times = [at for at, _ in self._recent]
        near = range(max(0, bisect_left(times, t_us) - 1), min(len(times), bisect_left(times, t_us) + 1))
        best = min(near, key=lambda number: abs(times[number] - t_us), default=None)
        if best is not None and abs(times[best] - t_us) <= NEAR_US:
            self.kept[t_us] = self._recent[best][1]
