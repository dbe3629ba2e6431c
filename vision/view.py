"""Was anybody looking: which zones the camera could see, and when it could not.

A zone, or so much of it as lies outside the picture, is never in view. A zone is lost when a hand or an arm covers
most of it for longer than a card's passage takes, when the picture goes dark, when it freezes, or when frames are
missing. Cover is measured twice, by the hands that the detector finds and by how much of the zone does not look as it
does when nobody is there; the larger counts, because a sleeve is no hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Image
from vision.sighting import Points
from vision.topview import TopView

Emit = Callable[..., None]

#: So much of a zone covered, and what passes there may pass unseen; less than the second, and it is in view again.
COVERED_SHARE = (0.62, 0.45)
#: ... of a small one sooner: a card that falls into the bucket under an arm over half of it lies under that arm. The
#: shoe's mouth later: the hand that draws waits over half of it, and a card that leaves goes with that hand.
COVERED_SHARES = {"discard": (0.42, 0.3), "shoe": (0.85, 0.7)}
#: A hand laying or drawing a card covers a zone for less than this.
COVER_US = 1_250_000
#: A pixel differs from the empty zone by at least this (grey levels in any channel, after evening out the light).
CHANGED_LEVELS = 26.0
#: A pixel that has looked otherwise, and the same, for so long without a hand on it simply looks so now.
ACCEPT_US = 8_000_000
#: ... so soon where no hand is so near that its arm could lie there.
FREE_US, ARM_MM = 700_000, 250.0
#: A pixel has stayed the same while it differs by less than this (grey levels) from when it last moved.
STEADY_LEVELS = 14.0
DARK_LEVEL = 14.0
FROZEN_US = 10_000_000
#: A card goes from the shoe to the bucket in half a second; looks further apart than this do not follow it.
SPARSE_US = 165_000
#: Frames missing for longer than this are a gap; a slow recorder's pictures are up to 0.25 s apart.
GAP_US = 400_000


@dataclass(slots=True)
class ZoneView:
    """One zone's look when nobody is there, and since when it has been covered."""

    name: str
    polygon_mm: Points
    piles: bool = False  # cards that lie here stay: they belong to its look
    mask: NDArray[np.bool_] | None = None
    box: tuple[int, int, int, int] = (0, 0, 0, 0)  # x0, y0, x1, y1 in view pixels
    outside: float = 0.0  # share of it that the picture does not reach
    empty: NDArray[np.float32] | None = None
    learnt: NDArray[np.bool_] | None = None  # which of its pixels have been seen without a hand on them
    latest: NDArray[np.float32] | None = None  # what each pixel has looked like since `since_us`
    since_us: NDArray[np.int64] | None = None
    free: bool = True  # no hand is anywhere near
    covered_us: int | None = None
    lost: bool = False


@dataclass(slots=True)
class ViewWatch:
    """`step(t_us, view, hand quads)` reports `view.lost` and `view.back` through `emit`."""

    top: TopView
    zones: Sequence[ZoneView]
    emit: Emit
    _last_us: int | None = None
    _look_us: int | None = None
    _sparse: bool = False
    _dark: bool = False
    _thumb: NDArray[np.uint8] | None = None
    _same_since_us: int | None = None
    _frozen: bool = False
    shares: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Works out which pixels of the top view belong to each zone."""
        height, width = self.top.shape
        for zone in self.zones:
            corners = self.top.to_px(zone.polygon_mm)
            x0, y0 = np.floor(corners.min(axis=0)).astype(int)
            x1, y1 = np.ceil(corners.max(axis=0)).astype(int) + 1
            zone.box = (max(x0, 0), max(y0, 0), min(x1, width), min(y1, height))
            mask = np.zeros((height, width), np.uint8)
            cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], 1)
            zone.mask = mask[zone.box[1] : zone.box[3], zone.box[0] : zone.box[2]].astype(bool)
            if zone.mask.any():
                reached = self.top.reached[zone.box[1] : zone.box[3], zone.box[0] : zone.box[2]]
                zone.outside = 1.0 - float(reached[zone.mask].mean())

    def covered_us(self, name: str) -> int | None:
        """Since when a zone has been covered without a break, long enough to be lost or not; None while it is not."""
        return next((zone.covered_us for zone in self.zones if zone.name == name), None)

    def time(self, t_us: int) -> int:
        """Notes the time of every frame, looked at or not; a jump is a gap. Returns the gap's length or 0."""
        last, self._last_us = self._last_us, t_us
        if last is None or t_us - last <= GAP_US:
            return 0
        self.emit("view.lost", last, t_us, {"zone": "table", "cause": "gap"}, 1.0)
        self.emit("view.back", t_us, t_us, {"zone": "table", "cause": "gap"}, 1.0)
        return t_us - last

    def look(self, t_us: int) -> None:
        """Notes the time of every look. Looks too far apart cannot follow a hand, so nothing is proved by them."""
        last, self._look_us = self._look_us, t_us
        sparse = last is not None and t_us - last > SPARSE_US
        if last is None or sparse == self._sparse:
            return
        self._sparse = sparse
        at_us = last if sparse else t_us
        self.emit("view.lost" if sparse else "view.back", at_us, at_us, {"zone": "table", "cause": "sparse"}, 1.0)

    def step(
        self, t_us: int, view: Image, hand_quads_mm: Sequence[Points], card_quads_mm: Sequence[Points] = ()
    ) -> None:
        """Measures each zone's cover at `t_us` on the top view. Where a card is seen, the zone is not covered."""
        self._light(t_us, view)
        hands, cards = self._filled(view, hand_quads_mm), self._filled(view, card_quads_mm)
        for zone in self.zones:
            reach = np.array([zone.polygon_mm.min(axis=0) - ARM_MM, zone.polygon_mm.max(axis=0) + ARM_MM])
            zone.free = not any(bool(((q > reach[0]) & (q < reach[1])).all(axis=1).any()) for q in hand_quads_mm)
            self._zone(zone, t_us, view, hands, cards)

    def _filled(self, view: Image, quads_mm: Sequence[Points]) -> NDArray[np.uint8]:
        """The quads' pixels as ones."""
        mask = np.zeros(view.shape[:2], np.uint8)
        for quad in quads_mm:
            cv2.fillConvexPoly(mask, np.round(self.top.to_px(quad)).astype(np.int32), 1)
        return mask

    def _zone(self, zone: ZoneView, t_us: int, view: Image, hands: NDArray[np.uint8], cards: NDArray[np.uint8]) -> None:
        x0, y0, x1, y1 = zone.box
        covered, _ = COVERED_SHARES.get(zone.name, COVERED_SHARE)
        if zone.mask is None or x1 - x0 < 3 or y1 - y0 < 3 or not zone.mask.any() or zone.outside >= covered:
            self._cover(zone, t_us, 1.0, "frame")
            return
        part = cv2.GaussianBlur(view[y0:y1, x0:x1], (5, 5), 0).astype(np.float32)
        hand, card = hands[y0:y1, x0:x1] > 0, cards[y0:y1, x0:x1] > 0
        by_hand = float(hand[zone.mask].mean())
        known = zone.mask & ~card if zone.learnt is None else zone.mask & ~card & (zone.learnt | hand)
        if zone.piles and by_hand <= 0.02 and zone.empty is not None:
            zone.empty[card] = part[card]
        seen = float(known.sum()) / float(zone.mask.sum())
        changed = 0.0 if zone.empty is None or seen < 0.05 else self._changed(part, zone.empty, known) * seen
        self._learn(zone, t_us, part, hand)
        share = min(1.0, max(by_hand, changed) + zone.outside)
        self.shares[zone.name] = share
        self._cover(zone, t_us, share, "hand")

    @staticmethod
    def _changed(part: NDArray[np.float32], empty: NDArray[np.float32], mask: NDArray[np.bool_]) -> float:
        """Share of the zone's pixels that do not look as when empty, a common change of light taken out."""
        difference = part - empty
        shift = _medians(difference[mask])
        if float(np.abs(shift).max()) <= CHANGED_LEVELS:
            difference = difference - shift
        return float((np.abs(difference).max(axis=2) > CHANGED_LEVELS)[mask].mean())

    @staticmethod
    def _learn(zone: ZoneView, t_us: int, part: NDArray[np.float32], hand: NDArray[np.bool_]) -> None:
        """Keeps the empty look up to date, pixel by pixel: light drifts, cards are gathered off it, things stay put."""
        if zone.empty is None or zone.latest is None or zone.since_us is None or zone.learnt is None:
            zone.empty, zone.latest, zone.learnt = part.copy(), part.copy(), ~hand
            zone.since_us = np.full(part.shape[:2], t_us, np.int64)
            return
        new = ~zone.learnt & ~hand
        zone.empty[new] = part[new]
        zone.learnt |= new
        moved = hand | (np.abs(part - zone.latest).max(axis=2) > STEADY_LEVELS)
        zone.latest[moved] = part[moved]
        zone.since_us[moved] = t_us
        alike = ~hand & (np.abs(part - zone.empty).max(axis=2) <= CHANGED_LEVELS)
        zone.empty[alike] += 0.2 * (part[alike] - zone.empty[alike])
        settled = t_us - zone.since_us > (FREE_US if zone.free else ACCEPT_US)
        zone.empty[settled] = part[settled]

    def _cover(self, zone: ZoneView, t_us: int, share: float, cause: str) -> None:
        covered, clear = COVERED_SHARES.get(zone.name, COVERED_SHARE)
        if share >= covered or (zone.covered_us is not None and share >= clear):
            zone.covered_us = t_us if zone.covered_us is None else zone.covered_us
            if not zone.lost and (t_us - zone.covered_us >= COVER_US or cause == "frame"):
                zone.lost = True
                self.emit("view.lost", zone.covered_us, zone.covered_us, {"zone": zone.name, "cause": cause}, 1.0)
            return
        if zone.lost:
            self.emit("view.back", t_us, t_us, {"zone": zone.name, "cause": cause}, 1.0)
        zone.covered_us, zone.lost = None, False

    def _light(self, t_us: int, view: Image) -> None:
        thumb = np.asarray(cv2.resize(view, (48, 24), interpolation=cv2.INTER_AREA), dtype=np.uint8)
        dark = float(thumb.mean()) < DARK_LEVEL
        if dark != self._dark:
            self._dark = dark
            self.emit("view.lost" if dark else "view.back", t_us, t_us, {"zone": "table", "cause": "dark"}, 1.0)
        same = self._thumb is not None and np.array_equal(thumb, self._thumb)
        if not same:
            self._thumb, self._same_since_us = thumb, t_us
            if self._frozen:
                self.emit("view.back", t_us, t_us, {"zone": "table", "cause": "frozen"}, 1.0)
            self._frozen = False
        elif self._same_since_us is not None and t_us - self._same_since_us >= FROZEN_US and not self._frozen:
            self._frozen = True
            since = self._same_since_us
            self.emit("view.lost", since, since, {"zone": "table", "cause": "frozen"}, 1.0)


def _medians(values: NDArray[np.float32]) -> NDArray[np.float32]:
    """The median of each column of (N, C), N at least 1.

    numpy's own (2.4) loses some bytes of memory at every call with an axis: megabytes an hour at each look.
    """
    half = len(values) // 2
    low = half if len(values) % 2 else half - 1
    ordered = np.partition(values, (low, half), axis=0)
    return np.asarray((ordered[low] + ordered[half]) / 2, dtype=np.float32)
