"""A row of cards, each over the one before it, taken apart: which cards' edges explain its light best.

All cards of a ribbon are alike, so each shows the same first millimetres beside its uncovered edge. What a card looks
like is first read off the topmost one, which shows all of itself, and then learned from all of them. Every place along
the row belongs to one card, or to nothing of the row; what each count of cards would leave unexplained is its doubt.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Lights = NDArray[np.float32]
Places = NDArray[np.intp]

CARD_SHORT_MM = 63.5
#: Neighbouring cards of a ribbon lie so far apart.
PITCH_MM = (4.5, 24.0)
#: One card lies askew by up to this.
_ASKEW_DEG = (-1.7, -0.85, 0.0, 0.85, 1.7)
#: Light is off what the row's cards show by so much (1 sigma), as a share of their contrast; beyond _ODD it is
#: something else: a finger, a cover card.
_LIGHT_OFF = 0.15
_ODD = 4.0
#: What the light between the topmost card's two edges is compared with is known worse.
_INNER_OFF, _INNER_ODD = 0.35, 2.0
#: A card must be seen in so many bands at least.
_SEEN_BANDS = 4
#: Distances of neighbouring cards vary by this share (1 sigma).
_UNEVEN = 0.2
#: What is off, is off over some millimetres at once: so much of what independent pixels would say is believed.
_BELIEF = 0.25
#: The outer edge of the topmost card is looked for this far in, and its width may be off by so much.
_RIM_MM = 6.0
_WIDTH_OFF_MM = 2.0
#: Its outer edge is first taken for the last light column within this of where the detector saw it.
_RIM_OFF_MM = 8.0
#: The row's ends lie within this of where the detector saw them.
_ENDS_OFF_MM = 26.0
_MOST_CARDS = 60


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """The light along a row, in bands across it.

    `shine` (columns, bands) is 0 for the cards' dark and 1 for their light parts; `odd` how far it is off both in hue;
    `outside` (columns,) what it costs to say that no card of the row is there. `s_mm` (columns,) are places along,
    `u_mm` (bands,) across from the row's middle, `half_mm` half of the row's length as the detector saw it.
    """

    shine: Lights
    odd: Lights
    outside: Lights
    s_mm: Floats
    u_mm: Floats
    half_mm: float
    px_mm: float

    @property
    def step_mm(self) -> float:
        """Distance of neighbouring columns."""
        return float(self.s_mm[1] - self.s_mm[0])

    @property
    def nats(self) -> float:
        """What one column's cost counts, in natural logarithms of probability."""
        return 0.5 * len(self.u_mm) * self.step_mm / max(self.px_mm, 0.7) * _BELIEF

    def mirrored(self) -> Row:
        """The same row, seen from its other end."""
        return Row(
            self.shine[::-1], self.odd[::-1], self.outside[::-1], -self.s_mm[::-1], self.u_mm, self.half_mm, self.px_mm
        )


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A row taken apart: cards' edges, places along from the bottom card up, with each edge's slope.

    `count` is the likeliest number of cards, `doubt` what each number costs more than the likeliest (nats), `paths`
    the edges for each of those numbers; `cost` what stays unexplained, `match` the same for each column.
    """

    count: int
    edges_mm: Floats
    slopes: Floats
    doubt: dict[int, float]
    paths: dict[int, Floats]
    cost: float
    match: float


def take_apart(row: Row) -> Taken | None:
    """The row with the topmost card at its larger s, or None where nothing like cards repeats."""
    pitch = usual_pitch(row)
    if pitch is None:
        return None
    best: tuple[float, Lights, float] | None = None
    for card in _first_guesses(row, pitch):
        found = _search(row, card, pitch, numbers=False)
        if found is not None and (best is None or found.cost < best[0]):
            better = float(np.median(np.diff(found.edges_mm))) if found.count > 2 else pitch
            best = found.cost, _learned(row, found, card, better), better
    if best is None:
        return None
    _, card, pitch = best
    again = _search(row, card, pitch, numbers=False)
    if again is not None and again.count > 2:
        pitch = float(np.median(np.diff(again.edges_mm)))
        card = _learned(row, again, card, pitch)
    return _search(row, card, pitch, numbers=True)


def usual_pitch(row: Row) -> float | None:
    """The usual distance of cards: the smallest at which the light repeats itself nearly best; None if nowhere."""
    inside = np.abs(row.s_mm) < row.half_mm
    even = np.clip(row.shine[inside] - row.shine[inside].mean(axis=0), -1, 1)
    near, far = round(PITCH_MM[0] / row.step_mm), min(round(PITCH_MM[1] / row.step_mm), len(even) // 2)
    if far - near < 4:
        return None
    alike = np.array([_alike(even[lag:], even[:-lag]) for lag in range(near, far)])
    peaks = [k for k in range(1, len(alike) - 1) if alike[k] >= alike[max(0, k - 3) : k + 4].max()]
    good = [k for k in peaks if alike[k] > 0.6 * alike.max()]
    return float((near + (good[0] if good else int(alike.argmax()))) * row.step_mm)


def _alike(a: Lights, b: Lights) -> float:
    size = np.sqrt((a**2).sum(axis=0) * (b**2).sum(axis=0))
    return float(np.median((a * b).sum(axis=0) / np.maximum(size, 1e-6)))


def _first_guesses(row: Row, pitch: float) -> list[Lights]:
    """What a card looks like (columns, bands), as the topmost one shows it: from its outer edge in, and uncovered."""
    size = round(min(PITCH_MM[1], max(1.9 * pitch, 12.0)) / row.step_mm)
    light = np.flatnonzero((row.outside > 2.0) & (np.abs(row.s_mm - row.half_mm) < _RIM_OFF_MM))
    end = int(light[-1]) + 1 if len(light) else int(np.searchsorted(row.s_mm, row.half_mm))
    start = end - round(CARD_SHORT_MM / row.step_mm)
    if start < 0 or start + size > len(row.shine):
        return []
    return [row.shine[end - 1 - np.arange(size)][:, ::-1], row.shine[start : start + size]]


def _shifts(row: Row, slope: float) -> Places:
    """By how many columns each band's edge lies further on, for an edge of that slope."""
    shifts: Places = np.round(slope * row.u_mm / row.step_mm).astype(np.intp)
    return shifts


_SLOPES = np.tan(np.radians(_ASKEW_DEG))


def _costs(row: Row, card: Lights) -> Lights:
    """What stays unexplained (slopes, columns, card's columns) if a card's edge is at each column, up to there."""
    count, size = len(row.shine), len(card)
    pad = size + 16
    shine = np.concatenate([row.shine, np.repeat(row.shine[-1:], pad, axis=0)])
    odd = np.concatenate([row.odd, np.repeat(row.odd[-1:], pad, axis=0)])
    reach = np.empty((len(_SLOPES), count, size), np.float32)
    wanted = np.arange(count)[:, None] + np.arange(size)[None, :]
    each = np.empty((len(row.u_mm), count, size), np.float32)
    for k, slope in enumerate(_SLOPES):
        for band, shift in enumerate(_shifts(row, slope)):
            at = np.clip(wanted + shift, 0, len(shine) - 1)
            off = (shine[at, band] - card[None, :, band]) / _LIGHT_OFF
            np.cumsum(np.minimum(off**2 + odd[at, band], _ODD), axis=1, out=each[band])
        reach[k] = _of_best(each)
    return reach


def _of_best(each: Lights) -> Lights:
    """The mean over the bands (first axis) that are explained best: a hand or a cover card may be over the others."""
    best: Lights = np.partition(each, _SEEN_BANDS - 1, axis=0)[:_SEEN_BANDS].mean(axis=0)
    return best


def _rim_costs(row: Row, card: Lights) -> Lights:
    """What stays unexplained (slopes, columns) if the topmost card's outer edge is before each column."""
    size = min(len(card), round(_RIM_MM / row.step_mm))
    count = len(row.shine)
    costs = np.zeros((len(_SLOPES), count), np.float32)
    each = np.empty((len(row.u_mm), count), np.float32)
    back = np.arange(count)[:, None] - 1 - np.arange(size)[None, :]
    for k, slope in enumerate(_SLOPES):
        for band, shift in enumerate(_shifts(row, slope)):
            at = np.clip(back + shift, 0, count - 1)
            off = (row.shine[at, band] - card[None, :size, -1 - band]) / _LIGHT_OFF
            each[band] = np.minimum(off**2 + row.odd[at, band], _ODD).sum(axis=1)
        costs[k] = _of_best(each)
    return costs


def _top_costs(row: Row, card: Lights, pitch: float, reach: Lights) -> Floats:
    """What stays unexplained (columns,) from each column on, if the topmost card's edge is there."""
    step, count = row.step_mm, len(row.shine)
    rim, size = _rim_costs(row, card), len(card)
    border = round(0.6 * pitch / step)
    inner = np.median(card[border : max(border + 2, round(pitch / step))], axis=0)
    off = _of_best(np.minimum(((row.shine - inner) / _INNER_OFF) ** 2, _INNER_ODD).T)
    inner_to = np.concatenate([[0.0], np.cumsum(off)])
    beyond = np.concatenate([np.cumsum(row.outside[::-1])[::-1], [0.0]])
    rim_size = min(size, round(_RIM_MM / step))
    best = np.full(count, np.inf)
    width, loose = round(CARD_SHORT_MM / step), round(_WIDTH_OFF_MM / step)
    first = reach[:, :, -1]
    for wide in range(width - loose, width + loose + 1):
        at = np.arange(0, count - wide)
        if not len(at):
            continue
        middle = inner_to[at + wide - rim_size] - inner_to[at + size]
        both = (first[:, at] + rim[:, at + wide]).min(axis=0)
        best[at] = np.minimum(best[at], both + middle + beyond[at + wide])
    return best


def _search(row: Row, card: Lights, pitch: float, *, numbers: bool) -> Taken | None:
    """The best chain of edges; with `numbers`, the best one for every number of cards."""
    step, count = row.step_mm, len(row.shine)
    reach = _costs(row, card)
    seg, askew = reach.min(axis=0) * row.nats, reach.argmin(axis=0)
    near = max(round(PITCH_MM[0] / step), round(0.45 * pitch / step))
    far = min(len(card) - 1, round(1.9 * pitch / step))
    gaps = np.arange(near, far + 1)
    odd = 0.5 * (np.log(gaps * step / pitch) / _UNEVEN) ** 2
    start = np.concatenate([[0.0], np.cumsum(row.outside)])[:count] * row.nats
    start[np.abs(row.s_mm + row.half_mm) > _ENDS_OFF_MM] = np.inf
    end = _top_costs(row, card, pitch, reach) * row.nats
    end[np.abs(row.s_mm - row.half_mm + CARD_SHORT_MM) > _ENDS_OFF_MM] = np.inf
    before = np.arange(count)[:, None] - gaps[None, :]
    link = np.where(before >= 0, seg[np.maximum(before, 0), (gaps - 1)[None, :]], np.inf) + odd
    chains = _by_number(start, end, link, gaps) if numbers else _any_number(start, end, link, gaps)
    if not chains:
        return None
    least = min(chains, key=lambda n: chains[n][0])
    cost, path = chains[least]
    sizes = np.append(np.diff(path), len(card))
    slopes = _SLOPES[askew[path, np.minimum(sizes, len(card)) - 1]]
    doubt = {n: c - cost for n, (c, _) in chains.items() if c - cost < 40.0}
    paths = {n: row.s_mm[chains[n][1]] for n in doubt}
    return Taken(least, row.s_mm[path], slopes, doubt, paths, cost, cost / (row.nats * count))


Chains = dict[int, tuple[float, Places]]


def _any_number(start: Floats, end: Floats, link: Floats, gaps: Places) -> Chains:
    """The cheapest chain of all, by its number of cards."""
    count = len(start)
    total, back = start.copy(), np.full(count, -1)
    for at in range(int(gaps[0]), count):
        low = at - gaps
        held = low >= 0
        values = total[low[held]] + link[at, held]
        k = int(values.argmin())
        if values[k] < total[at]:
            total[at], back[at] = values[k], low[held][k]
    both = total + end
    at = int(both.argmin())
    if not np.isfinite(both[at]):
        return {}
    cost, path = float(both[at]), [at]
    while back[at] >= 0:
        at = int(back[at])
        path.append(at)
    return {len(path): (cost, np.array(path[::-1], np.intp))}


def _by_number(start: Floats, end: Floats, link: Floats, gaps: Places) -> Chains:
    """The cheapest chain for every number of cards."""
    count = len(start)
    columns = np.arange(count)
    before = np.maximum(columns[:, None] - gaps[None, :], 0)
    total, backs, chains = start, [], {}
    for number in range(1, _MOST_CARDS + 1):
        if number > 1:
            values = total[before] + link
            pick = values.argmin(axis=1)
            total = values[columns, pick]
            backs.append(before[columns, pick])
        both = total + end
        at = int(both.argmin())
        if not np.isfinite(both[at]):
            continue
        path = [at]
        for back in reversed(backs):
            path.append(int(back[path[-1]]))
        chains[number] = (float(both[at]), np.array(path[::-1], np.intp))
    return chains


def _learned(row: Row, found: Taken, card: Lights, pitch: float) -> Lights:
    """What a card looks like, from all of them: the median; as before where too few show it."""
    size, count, step = len(card), len(row.shine), row.step_mm
    edges = np.searchsorted(row.s_mm, found.edges_mm - step / 2)
    sizes = np.append(np.diff(edges), size)
    seen = np.full((len(edges), *card.shape), np.nan, np.float32)
    for k, (edge, slope, wide) in enumerate(zip(edges, found.slopes, sizes, strict=True)):
        if wide * step > 1.35 * pitch and k < len(edges) - 1:
            continue
        shown = np.arange(min(size, int(wide) - 2))
        for band, shift in enumerate(_shifts(row, float(slope))):
            at = edge + shown + shift
            fits = (at >= 0) & (at < count)
            fits[fits] &= row.odd[at[fits], band] < 1.0
            seen[k, shown[fits], band] = row.shine[at[fits], band]
    known = np.isfinite(seen).sum(axis=0) >= 3
    learned = card.copy()
    if known.any():
        learned[known] = np.nanmedian(seen[:, known], axis=0)
    return learned
