"""Point pairs: places whose millimetres are known, and where the picture shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from calibration.lens import Points
from faults import Fault

FEWEST_PAIRS = 4
_NEAR_PX = 2.0
_NEAR_MM = 1.0
#: Points whose cloud is narrower than this share of its length count as lying on one line.
_NARROW = 0.02


class PointsFault(Fault):
    """Point pairs from which no calibration can be made."""

    def __init__(self, what: str, *, why: str, todo: str, where: str = "points") -> None:
        super().__init__(what, where=where, why=why, todo=todo)


@dataclass(frozen=True, eq=False)
class PointPairs:
    """Pairs of `px` (n, 2) pixels and `mm` (n, 2) table millimetres, each with a name for messages."""

    px: Points
    mm: Points
    names: tuple[str, ...]

    @classmethod
    def of(cls, px: ArrayLike, mm: ArrayLike, names: Sequence[str] = ()) -> PointPairs:
        """Pairs from plain lists; without names they are called by their number, from 1."""
        pixels, places = np.array(px, dtype=np.float64), np.array(mm, dtype=np.float64)
        if pixels.shape != places.shape or pixels.ndim != 2 or pixels.shape[1] != 2:
            raise ValueError(f"pairs need two arrays of shape (n, 2), got {pixels.shape} and {places.shape}")
        return cls(pixels, places, tuple(names) or tuple(str(number + 1) for number in range(len(pixels))))

    def __len__(self) -> int:
        return len(self.px)

    def without(self, numbers: Sequence[int]) -> PointPairs:
        """The pairs but for those numbered (from 0)."""
        keep = [number for number in range(len(self)) if number not in numbers]
        return PointPairs(self.px[keep], self.mm[keep], tuple(self.names[number] for number in keep))


def refuse_degenerate(pairs: PointPairs) -> None:
    """Raises PointsFault for too few pairs, repeated points, and points on one line."""
    if len(pairs) < FEWEST_PAIRS:
        raise PointsFault(
            f"only {len(pairs)} point pairs",
            why=f"a calibration needs at least {FEWEST_PAIRS}, and eight show how good it is",
            todo="Add points whose place on the felt is known, spread over the whole layout.",
        )
    for points, unit, near in ((pairs.px, "px", _NEAR_PX), (pairs.mm, "mm", _NEAR_MM)):
        _refuse_repeated(pairs, points, unit, near)
        _refuse_one_line(points, unit)


def _refuse_repeated(pairs: PointPairs, points: Points, unit: str, near: float) -> None:
    gaps = np.linalg.norm(points[:, None] - points[None], axis=-1)
    gaps[np.tril_indices(len(points))] = np.inf
    first, second = np.unravel_index(int(np.argmin(gaps)), gaps.shape)
    if gaps[first, second] < near:
        raise PointsFault(
            f"points {pairs.names[first]} and {pairs.names[second]} are the same place in {unit}",
            why=f"they are {gaps[first, second]:.1f} {unit} apart",
            todo="Correct one of them, or leave it out.",
        )


def _refuse_one_line(points: Points, unit: str) -> None:
    """Refuses points of which all, or all but one, lie on one line: they leave the felt's tilt open."""
    for left_out in (None, *range(len(points))):
        kept = points if left_out is None else np.delete(points, left_out, axis=0)
        long, narrow = np.linalg.svd(kept - kept.mean(axis=0), compute_uv=False)
        if narrow < _NARROW * long:
            some = "the points" if left_out is None else "all points but one"
            raise PointsFault(
                f"{some} lie on one line in {unit}",
                why="a line does not say how the felt lies to its sides",
                todo="Add points off that line, spread over the whole layout.",
            )
