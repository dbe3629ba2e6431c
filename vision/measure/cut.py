"""How deep was the cut? The cover card's depth in cards from the nearer end of the strip.

Source: 58 Pa. Code 629a.5(c): a cover card is put in at least ten cards from the top or the bottom. The strip measures
itself: depth = cards x distance to the nearer end / length, so no millimetre and no camera enters; what enters is how
well three lines are found.

Error model (1 sigma, in cards): the nearer end's and the cover card's line (fit, tone curve, last cards' own tones),
the opening the cover card makes, the length (scaled by the depth's share), and the ends' looser packing. None of it
shrinks with the number of frames but the fit's noise: the same stack makes the same error in every frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from calibration.geometry import Calibration
from vision.frame import Image
from vision.measure.cover import Colour, CoverLine, find_cover
from vision.measure.hue import PROUD_MM
from vision.measure.reading import Z95, Line, Marks, Measured
from vision.measure.strip import QUAD_OFF_MM, EndLine, Strip, find_strip, with_bare_end

#: Cards near an end are packed looser: by so many cards, whatever the depth beyond a few (1 sigma).
END_LOOSENESS_CARDS = 0.5
#: How much looser the outermost cards are packed than those in the middle, mean and 1 sigma (0.1: by 10 %).
LOOSENESS = (0.04, 0.03)
#: A card is so thick, at the least and, loosely packed, at the most.
CARD_MM = (0.285, 0.325)
#: A depth is combined over at least so many settled frames; fewer widen the interval.
SETTLED_FRAMES = 10
#: Errors were so many times what the model says: of 90 depths on rendered stacks and scenes 80 lay within its interval.
MEASURED_TIMES = 1.2
#: Settled frames scatter by fewer cards, and by less than so many times what a single one may be off.
_DISAGREEING = 4.0


@dataclass(frozen=True, slots=True)
class DepthReading:
    """One frame's depth: `low_cards` between the cover card and the strip's low end, with what is needed to combine.

    `end` is the nearer end, 'low' or 'high' along the axis; `depth_cards` from there; `fixed_cards` the part of the
    error that is the same in every frame (1 sigma); `length_mm` the strip's, as it seems; `distinct` whether it cannot
    be an end that was taken for the cover card.
    """

    t_us: int
    end: str
    depth_cards: float
    low_cards: float
    cards: int
    fixed_cards: float
    length_mm: float
    marks: Marks
    distinct: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Depth(Measured):
    """The cover card's depth in cards, from the nearer end; `from_end` is 'top', 'bottom' or 'unsure'.

    `distinct`: in most frames it cannot be an end that was taken for the cover card.
    """

    from_end: str
    low_cards: float
    cards: int
    distinct: bool = False


def read_depth(
    image: Image, t_us: int, calibration: Calibration, stack_quad_mm: ArrayLike, along: ArrayLike, *,
    cover_quad_mm: ArrayLike | None, cards: int, colours: Sequence[Colour] = (),
) -> tuple[DepthReading | None, str]:  # fmt: skip
    """One frame's depth reading, or None and why there is none.

    `stack_quad_mm` and `cover_quad_mm` (4, 2) are the detector's; `along` (2,) the direction in which the cards follow
    one another; `cards` how many the whole stack has; `colours` those of cover cards where they were seen before.
    """
    strip, why = find_strip(image, t_us, calibration, stack_quad_mm, along)
    if strip is None:
        return None, why
    covered = _covered_end(strip, cover_quad_mm)
    if covered is not None:
        strip, why = find_strip(image, t_us, calibration, stack_quad_mm, along, covered_u_mm=covered)
        if strip is None:
            return None, f"the cover card stands before the end next to it: {why}"
    line, why = find_cover(strip.shown.look, strip, cover_quad_mm, colours)
    if line is not None and (side := _on_a_face(strip, line)):
        strip = with_bare_end(strip, side)
        line, why = find_cover(strip.shown.look, strip, cover_quad_mm, colours)
    if line is None:
        return None, why
    return _reading(strip, line, cards, calibration)


def _covered_end(strip: Strip, cover_quad_mm: ArrayLike | None) -> tuple[float, float] | None:
    """Between which places across the cover card hides the end that it leans towards; None if it is far from it."""
    reach = abs(strip.lean[0]) * PROUD_MM
    if cover_quad_mm is None or reach < max(strip.px_mm, 1.2):
        return None
    places = strip.axes.inside(cover_quad_mm)
    low, high = float(places[:, 0].min()), float(places[:, 0].max())
    margin = QUAD_OFF_MM / 2
    near = high > strip.high.at_mm - margin if strip.lean[0] > 0 else low < strip.low.at_mm + margin
    return (float(places[:, 1].min()) - 2.5, float(places[:, 1].max()) + 2.5) if near else None


def _on_a_face(strip: Strip, line: CoverLine) -> int:
    """On which side the cover card seems to stand in an end card's face, which then is none (0: on neither)."""
    for side, end in ((-1, strip.low), (1, strip.high)):
        if end.boundary.face_mm > 2.5 and side * line.at_mm > side * end.boundary.at_mm - end.boundary.face_mm - 0.5:
            return side
    return 0


def _looser_cards(depth: float, cards: int) -> tuple[float, float]:
    """By how many cards a depth seems more than it is since cards lie looser towards the ends, and 1 sigma of it."""
    share = min(depth / cards, 0.5)
    seems = cards * ((1 - (1 - 2 * share) ** 3) / 6 - share / 3)  # for ends packed twice as loosely as the middle
    return LOOSENESS[0] * seems, float(np.hypot(LOOSENESS[1] * seems, END_LOOSENESS_CARDS * min(1.0, depth / 8)))


def _reading(strip: Strip, line: CoverLine, cards: int, calibration: Calibration) -> tuple[DepthReading | None, str]:
    slit = line.slit
    below = slit.low_mm - strip.low.at_mm, float(np.hypot(slit.low_sigma_mm, strip.low.sigma_mm))
    above = strip.high.at_mm - slit.high_mm, float(np.hypot(slit.high_sigma_mm, strip.high.sigma_mm))
    if slit.beyond_mm is not None:
        below, above = (slit.beyond_mm, above) if slit.side < 0 else (below, slit.beyond_mm)
    packed = below[0] + above[0]
    if packed < 1.0:
        return None, "the strip is hardly longer than the cover card's opening"
    if not _fits(strip, packed, cards):
        return None, "the strip's length is not that of so many cards: an end was taken for something else"
    per_mm = cards / packed
    end, near, far = ("low", below, above) if below[0] <= above[0] else ("high", above, below)
    seeming = float(np.clip(near[0] * per_mm, 0, cards))
    looser, loose_sigma = _looser_cards(seeming, cards)
    depth = max(0.0, seeming - looser)
    low_cards = depth if end == "low" else cards - depth
    share = near[0] / packed
    # The nearer end moves both the distance and the length; the farther one the length alone.
    line_mm = np.hypot(near[1] * (1 - share), far[1] * share)
    fixed = float(np.hypot(line_mm * per_mm, loose_sigma))
    marks = Marks(strip.t_us, tuple(_lines(strip, line, depth, calibration)))
    return DepthReading(strip.t_us, end, depth, low_cards, cards, fixed, strip.length_mm, marks, line.distinct), ""


def _fits(strip: Strip, packed_mm: float, cards: int) -> bool:
    """Whether so many cards can be as long as the strip is, its own doubt and the camera's height allowed for."""
    each = packed_mm / (1 + strip.grown) / cards
    doubt = (2.5 * strip.sigma_mm + 0.5) / cards + 0.3 * strip.lean_doubt * CARD_MM[1] * strip.grown
    return CARD_MM[0] - doubt <= each <= CARD_MM[1] + doubt


def combine_depth(
    readings: Sequence[DepthReading], top: str, *, why: str = "no frame could be measured"
) -> tuple[Depth | None, str]:
    """The depth over settled frames, or None and why.

    `top` says which end of the strip is the stack's top (its outermost card's back faces away from the other cards):
    'low', 'high' or 'unsure'.
    """
    if not readings:
        return None, why
    depths = np.array([r.low_cards for r in readings])
    middle = float(np.median(depths))
    spread = 1.48 * float(np.median(np.abs(depths - middle)))
    kept = [r for r, d in zip(readings, depths, strict=True) if abs(d - middle) <= max(4 * spread, 1.0)]
    if len(kept) < max(1, len(readings) // 2) or spread > max(_DISAGREEING * kept[0].fixed_cards, _DISAGREEING):
        return None, "the frames do not agree on where the cover card is"
    low_cards = float(np.median([r.low_cards for r in kept]))
    cards = kept[0].cards
    end = "low" if low_cards <= cards / 2 else "high"
    value = low_cards if end == "low" else cards - low_cards
    noise = 1.25 * spread / np.sqrt(min(len(kept), SETTLED_FRAMES))
    fixed = float(np.median([r.fixed_cards for r in kept]))
    few = 1.0 + 0.3 * max(0, SETTLED_FRAMES - len(kept)) / SETTLED_FRAMES
    half = MEASURED_TIMES * Z95 * few * float(np.hypot(fixed, noise))
    best = min(kept, key=lambda r: abs(r.low_cards - low_cards))
    side = "unsure" if top not in {"low", "high"} else "top" if top == end else "bottom"
    return Depth(
        value=value, low=max(0.0, value - half), high=min(float(cards), value + half), unit="cards", marks=best.marks,
        frames=len(kept), from_end=side, low_cards=low_cards, cards=cards,
        distinct=2 * sum(r.distinct for r in kept) > len(kept),
    ), ""  # fmt: skip


def _lines(strip: Strip, line: CoverLine, depth: float, calibration: Calibration) -> list[Line]:
    """The strip's ends and the cover card's line, in the frame's pixels."""
    named = [
        (strip.low.at_mm, strip.low.slope, "end"), (strip.high.at_mm, strip.high.slope, "end"),
        (line.at_mm, line.slope, f"{depth:.1f} cards"),
    ]  # fmt: skip
    return [_drawn(strip, at_mm, slope, label, calibration) for at_mm, slope, label in named]


def _drawn(strip: Strip, at_mm: float, slope: float, label: str, calibration: Calibration) -> Line:
    middle = (strip.u_mm[0] + strip.u_mm[1]) / 2
    u = np.array(strip.u_mm)
    ends = calibration.to_pixels(strip.axes.places(at_mm + slope * (u - middle), u))
    return (float(ends[0, 0]), float(ends[0, 1]), float(ends[1, 0]), float(ends[1, 1]), label)


__all__ = ["Depth", "DepthReading", "EndLine", "combine_depth", "read_depth"]
