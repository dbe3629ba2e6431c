"""The cover card in a strip: where along the strip it parts the cards.

It is found by its own hue, or, seen edge-on, by its opening alone: a dark line. The opening's edges then are measured
where the card does not hide them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.measure.base import by_light, card_line
from vision.measure.boundary import BLUR_PX, Rows, of_rows
from vision.measure.hue import PROUD_MM, Colour, Hint, colour_share, cover_colour, expected, reach_of, strip_colour
from vision.measure.slit import Base, Slit, fit_slit
from vision.measure.strip import Look, Strip
from vision.measure.window import Patch

Floats = NDArray[np.float64]

#: A hue is believed against anything else from so many times the picture's own roughness.
_STRONG = 4.0
#: What has less than this share of the cover card's colour is not of its colour.
_UNLIKE = 0.3


@dataclass(frozen=True, slots=True)
class CoverLine:
    """Where the cover card parts the strip: its opening (mid-width, along), which has `slope`.

    `kind` is 'opening' where the opening itself was seen, else 'card'; `u_mm` where across the card was seen.
    `distinct`: a card's known colour was seen there, and nothing that lies at the ends has any of it.
    """

    slit: Slit
    slope: float
    u_mm: tuple[float, float]
    kind: str
    distinct: bool = False

    @property
    def at_mm(self) -> float:
        """The middle of the opening."""
        return (self.slit.low_mm + self.slit.high_mm) / 2


def find_cover(
    look: Look, strip: Strip, quad_mm: ArrayLike | None, colours: Sequence[Colour] = ()
) -> tuple[CoverLine | None, str]:
    """Where the cover card parts `strip`, or None and why not.

    `quad_mm` (4, 2) is the detector's cover card, if it found one; `colours` those that cover cards had where they were
    seen before (`cover_colour`); else what is not of the edges' hue is taken for it.
    """
    slope = (strip.low.slope + strip.high.slope) / 2
    middle = (strip.u_mm[0] + strip.u_mm[1]) / 2
    raw = look.patch((strip.low.at_mm - 5, strip.high.at_mm + 5), strip.u_mm, slope)
    patch = Patch(raw.light, raw.s_mm + slope * middle, raw.u_mm)  # along as it is in the middle of the strip's width
    near = expected(strip, quad_mm)
    card = _card(look, strip, patch, quad_mm, colours)
    rows = _free_rows(strip, card[1] if card is not None else None, quad_mm)
    base = card[0] if card is not None else None
    if base is None:
        dark = _darkest(strip, patch, near, rows)
        if dark is None:
            return None, "no cover card was seen in the strip"
        near = dark - 3.0, dark + 3.0
    slit = fit_slit(strip, rows, base, near)
    if slit is None:
        return None, "no cover card was seen in the strip"
    u_mm = (card[1][0][0], card[1][-1][1]) if card is not None else strip.u_mm
    distinct = card is not None and card[2].pure and _distinct(strip, card[2], patch)
    return CoverLine(slit, slope, u_mm, "opening" if slit.seen else "card", distinct), ""


def _distinct(strip: Strip, colour: Colour, patch: Patch) -> bool:
    """Whether neither felt nor what is seen beyond the strip's ends has any of the card's colour.

    Where an end card's face or back, or felt, is of the cover card's hue, an end may be taken for the cover card.
    """
    beyond = (patch.s_mm < strip.low.at_mm - strip.px_mm) | (patch.s_mm > strip.high.at_mm + strip.px_mm)
    light = np.concatenate([patch.light[:, beyond].reshape(-1, 3), strip.felt[None]])
    share = colour_share(light[np.isfinite(light).all(axis=1)], strip, colour)
    return share is not None and float(np.quantile(share, 0.9)) < _UNLIKE and float(share[-1]) < _UNLIKE


def _card(
    look: Look, strip: Strip, patch: Patch, quad_mm: ArrayLike | None, colours: Sequence[Colour]
) -> tuple[Base, Rows, Colour] | None:
    """Where the card's colour begins, the rows across in which it is seen, and that colour."""
    near = expected(strip, quad_mm)
    found = [(card, colour) for colour in colours if (card := card_line(strip, patch, near, colour)) is not None]
    if not found:
        hint = strip_colour(look, strip, quad_mm)
        if hint is None or _rather_dark(strip, patch, near, hint):
            return None
        within = max(near[0], hint.within_mm[0]), min(near[1], hint.within_mm[1])
        line = card_line(strip, patch, within, hint.colour)
        found = [(line, hint.colour)] if line is not None else []
    if not found:
        return None
    (base, rows), colour = min(found, key=lambda item: item[0][0].sigma_mm)
    return by_light(strip, patch, rows, base, colour), rows, colour


def _rather_dark(strip: Strip, patch: Patch, near: tuple[float, float], hint: Hint) -> bool:
    """Whether a dark line elsewhere says more than a weak hue: a card seen edge-on hardly shows its colour."""
    if hint.strong > _STRONG:
        return False
    dark = _darkest(strip, patch, near, [strip.u_mm])
    return dark is not None and not hint.within_mm[0] < dark < hint.within_mm[1]


def _free_rows(strip: Strip, held: Rows | None, quad_mm: ArrayLike | None) -> Rows:
    """The rows across in which the card does not stand before its opening: all of them, seen from straight above."""
    low, high = strip.u_mm[0] + 4.0, strip.u_mm[1] - 4.0
    if abs(strip.lean[0]) * PROUD_MM < max(0.8, 0.8 * strip.px_mm):
        return [(low, high)]
    if held is not None:
        first, last = held[0][0], held[-1][1]
    elif quad_mm is not None:
        across = strip.axes.inside(quad_mm)[:, 1]
        first, last = float(across.min()), float(across.max())
    else:
        return [(low, high)]
    return [(a, b) for a, b in ((low, min(high, first - 2.0)), (max(low, last + 2.0), high)) if b - a > 2.0]


def _darkest(strip: Strip, patch: Patch, near: tuple[float, float], rows: Rows) -> float | None:
    """Where a dark line is between two places, without any colour beside it; None unless it is clearly one."""
    blur = BLUR_PX * strip.px_mm
    held = of_rows(patch, rows)
    if not held.any():
        return None
    s_mm, light = patch.s_mm, np.median(np.nan_to_num(patch.light[held]), axis=0)
    lit = light @ strip.tone / float(strip.tone @ strip.tone)
    low, high = reach_of(strip)
    inside = (s_mm > low + 1.5 * strip.px_mm + 0.8) & (s_mm < high - 1.5 * strip.px_mm - 0.8)
    kernel = np.exp(-0.5 * (np.arange(-12, 13) * (s_mm[1] - s_mm[0]) / np.hypot(blur, 0.5)) ** 2)
    kernel -= kernel.mean()
    found = np.convolve(1 - lit, kernel / float((kernel**2).sum()), mode="same")
    here = inside & (s_mm >= near[0]) & (s_mm <= near[1])
    if not here.any():
        return None
    peak = int(np.argmax(np.where(here, found, -np.inf)))
    elsewhere = inside & (np.abs(s_mm - s_mm[peak]) > 3.0)
    if elsewhere.sum() < 10:
        return None
    usual, second = found[elsewhere], float(found[elsewhere].max())
    rough = 1.48 * float(np.median(np.abs(usual - np.median(usual))))
    return float(s_mm[peak]) if found[peak] > max(3.0 * rough, 1.6 * second, 0.06) else None


__all__ = ["Colour", "CoverLine", "cover_colour", "find_cover"]
