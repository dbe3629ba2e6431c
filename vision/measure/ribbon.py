"""Cards in a ribbon, counted one by one, and between which of them a cover card sits.

The row is taken apart card by card (`vision.measure.row`). A cover card put in between two cards shows a strip of its
colour, which ends where the next card's uncovered edge is: the cards up to there lie under it. Hands may lie over
parts of the row; what matters is seen beside them. Each number's doubt is what it leaves unexplained more than the
likeliest one does, and over several frames these add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.geometry import Calibration
from vision.frame import Image
from vision.measure.cover import Colour
from vision.measure.inlay import Inlay, find_inlays
from vision.measure.laid import without_felt
from vision.measure.reading import Line, Marks, Measured
from vision.measure.row import CARD_SHORT_MM, PITCH_MM, Row, Taken, take_apart
from vision.measure.rowlight import row_light
from vision.measure.window import Axes, axes_of, px_per_mm, sample

Floats = NDArray[np.float64]
Doubt = dict[int, float]

#: A row that leaves more than this unexplained for each place is none.
_WORST_MATCH = 0.75
#: The light is sampled so far beyond the row, along and across.
_BEYOND_MM, _ACROSS_MM = 24.0, 62.0
_STEP_MM = 0.3
#: No single frame speaks louder than this against a number, and a number is believed possible up to the other (nats).
_LOUDEST = 12.0
POSSIBLE = 4.0
#: Where the cover card is told by colour alone, more is possible.
POSSIBLE_BELOW = 6.0


@dataclass(frozen=True, slots=True)
class RibbonReading:
    """One frame's ribbon: `count` cards, between `low` and `high`; `edges_mm` along, from the bottom card up.

    `below_cover` is how many lie under the cover card (with `below_low`, `below_high`), None if none was seen in it.
    `doubt` and `below_doubt` say what each number leaves unexplained more than the likeliest (nats).
    """

    t_us: int
    count: int
    low: int
    high: int
    edges_mm: tuple[float, ...]
    below_cover: int | None
    below_low: int
    below_high: int
    marks: Marks
    doubt: Mapping[int, float] = field(default_factory=dict)
    below_doubt: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ribbon(Measured):
    """Cards in a ribbon; `below` how many lie under the cover card, with its interval, or None."""

    below: int | None
    below_low: int
    below_high: int


def read_ribbon(
    image: Image, t_us: int, calibration: Calibration, quad_mm: ArrayLike, along: ArrayLike, *,
    cover_quad_mm: ArrayLike | None = None, colour: Colour | None = None,
) -> tuple[RibbonReading | None, str]:  # fmt: skip
    """One frame's ribbon of cards with backs up, or None and why it could not be counted.

    `quad_mm` (4, 2) surrounds the ribbon, `along` (2,) is the direction it runs in; `cover_quad_mm` (4, 2) is what is
    seen of the cover card that sticks out of it, or (n, 4, 2) of all that are near; `colour` its colour where known.
    """
    quad_mm = without_felt(image, calibration, quad_mm, along)
    axes = axes_of(quad_mm, along)
    fine, across = px_per_mm(calibration, axes)
    if 1 / fine > PITCH_MM[0] / 2:
        return None, "a pixel is too wide to tell the ribbon's cards apart"
    reach = np.sort(axes.inside(quad_mm)[:, 0])
    half = float(reach[2:].mean() - reach[:2].mean()) / 2
    if half < CARD_SHORT_MM * 0.6:
        return None, "too few cards lie there to make a ribbon"
    ends = (-half - _BEYOND_MM, half + _BEYOND_MM, max(_STEP_MM, 0.5 / fine))
    patch = sample(image, calibration, axes, ends, (-_ACROSS_MM, _ACROSS_MM, max(0.5, 0.75 / across)))
    if np.isnan(patch.light[np.abs(patch.u_mm) < 30]).mean() > 0.02:
        return None, "the ribbon is not wholly in the picture"
    row, middle_mm = row_light(patch, half, 1 / fine)
    if row is None:
        return None, "the ribbon's cards have no border that tells them apart"
    ways = _ways(row)
    if not ways:
        return None, "the ribbon's cards do not repeat one pattern"
    inlays: list[Inlay] = []
    if cover_quad_mm is not None:
        inlays = find_inlays(patch, middle_mm, axes.inside(cover_quad_mm).reshape(-1, 4, 2), colour)
    return _reading(ways, inlays, axes, middle_mm, calibration, t_us=t_us), ""


@dataclass(frozen=True, slots=True, eq=False)
class _Way:
    """The row taken apart from one of its ends: `sign` 1 if the topmost card is at larger s."""

    taken: Taken
    sign: int
    more: float  # nats that this way leaves unexplained more than the other


def _ways(row: Row) -> list[_Way]:
    """Both ways of taking the row apart, the better one first."""
    found = [(take_apart(r), sign) for r, sign in ((row, 1), (row.mirrored(), -1))]
    taken = sorted(((t, s) for t, s in found if t is not None and t.match < _WORST_MATCH), key=lambda w: w[0].cost)
    return [_Way(t, s, t.cost - taken[0][0].cost) for t, s in taken]


def _reading(
    ways: Sequence[_Way], inlays: Sequence[Inlay], axes: Axes, middle_mm: float, calibration: Calibration, *, t_us: int
) -> RibbonReading:
    best = ways[0]
    doubt = _least((n, way.more + cost) for way in ways for n, cost in way.taken.doubt.items())
    below = _least(
        (under, way.more + cost + more)
        for way in ways
        for n, cost in way.taken.doubt.items()
        if way.more + cost <= POSSIBLE
        for inlay in inlays
        for under, more in inlay.under(way.taken.paths[n], way.taken, way.sign).items()
    )
    count, low, high = _span(doubt)
    under, under_low, under_high = _span(below, POSSIBLE_BELOW) if below else (None, 0, 0)
    marks = Marks(t_us, tuple(_lines(best, under, axes, middle_mm, calibration)))
    edges = tuple(float(best.sign * e) for e in best.taken.edges_mm)
    return RibbonReading(t_us, count, low, high, edges, under, under_low, under_high, marks, doubt, below)


def _lines(way: _Way, under: int | None, axes: Axes, middle_mm: float, calibration: Calibration) -> Iterator[Line]:
    """Each card's uncovered edge with its number from the bottom, and the cover card among them."""
    edges, slopes = way.taken.edges_mm, way.taken.slopes
    rows = [(float(e), float(slope), str(k)) for k, (e, slope) in enumerate(zip(edges, slopes, strict=True), 1)]
    if under is not None and 0 < under < len(edges):
        rows.append((float(edges[under - 1] + 2 * edges[under]) / 3, float(slopes[under]), "cover card"))
    for edge, slope, label in rows:
        u = np.array([-40.0, 40.0])
        (x0, y0), (x1, y1) = calibration.to_pixels(axes.places(way.sign * (edge + slope * u), u + middle_mm))
        yield float(x0), float(y0), float(x1), float(y1), label


def _least(costs: Iterable[tuple[int, float]]) -> Doubt:
    """The least cost of each number, less the least of all."""
    least: Doubt = {}
    for number, cost in costs:
        least[number] = min(cost, least.get(number, np.inf))
    bottom = min(least.values(), default=0.0)
    return {number: cost - bottom for number, cost in sorted(least.items())}


def _span(doubt: Doubt, most: float = POSSIBLE) -> tuple[int, int, int]:
    """The likeliest number, and the least and the largest that are possible."""
    possible = [number for number, cost in doubt.items() if cost <= most]
    return min(doubt, key=lambda number: doubt[number]), min(possible), max(possible)


def combine_ribbon(
    readings: Sequence[RibbonReading], *, why: str = "no frame could be counted"
) -> tuple[Ribbon | None, str]:
    """The ribbon's count over frames: what all of them together leave least unexplained, and what is possible."""
    if not readings:
        return None, why
    count, low, high = _span(_summed([r.doubt for r in readings]))
    seen = [r for r in readings if r.below_doubt]
    below, below_low, below_high = (
        _span(_summed([r.below_doubt for r in seen]), POSSIBLE_BELOW) if seen else (None, 0, 0)
    )
    alike = [r for r in readings if r.count == count and r.below_cover == below]
    best = min(alike or [r for r in readings if r.count == count] or list(readings), key=lambda r: r.high - r.low)
    return Ribbon(
        value=count, low=low, high=high, unit="cards", marks=best.marks, frames=len(readings),
        below=below, below_low=below_low, below_high=below_high,
    ), ""  # fmt: skip


def _summed(doubts: Sequence[Mapping[int, float]]) -> Doubt:
    """The frames' doubts together; a number that a frame does not know speaks as loudly against it as any."""
    numbers = {number for doubt in doubts for number in doubt}
    return _least((n, sum(min(doubt.get(n, _LOUDEST), _LOUDEST) for doubt in doubts)) for n in numbers)
