"""The whole table, seen coarsely and seldom: seats, players' hands, and a stack pushed towards them.

The dealer's area is looked at 15 times a second at the detector's own scale. What happens beyond it is slow (a stack is
offered, a player takes the cover card, somebody sits down), so the whole table is looked at three times a second, at a
coarser scale, and only until the first hand is dealt.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from calibration.geometry import Calibration
from calibration.tablefile import Layout
from vision.sighting import Sighting
from vision.topview import STRIDE_PX, Bounds, TopView

WIDE_MM_PER_PX = 3.0
WIDE_EVERY_US = 320_000
#: ... at the first look after each multiple of that; looks are about this far apart.
LOOKS_APART_US = 66_700
MARGIN_MM = 40.0


def table_bounds(layout: Layout, mm_per_px: float = WIDE_MM_PER_PX) -> Bounds:
    """The rectangle around every zone of the layout with a margin, its sides whole multiples of the stride."""
    corners = np.concatenate(list(layout.zones_mm.values()))
    low, high = corners.min(axis=0) - MARGIN_MM, corners.max(axis=0) + MARGIN_MM
    step_mm = STRIDE_PX * mm_per_px
    size = np.ceil((high - low) / step_mm) * step_mm
    low = (low + high) / 2 - size / 2
    return Bounds(float(low[0]), float(low[1]), float(low[0] + size[0]), float(low[1] + size[1]))


def wide_view(calibration: Calibration, layout: Layout) -> TopView:
    """The coarse view of the whole table."""
    return TopView(calibration, table_bounds(layout), WIDE_MM_PER_PX)


def wide_due(t_us: int) -> bool:
    """Whether a look at `t_us` takes in the whole table: a matter of its time alone, whatever was looked at before."""
    return t_us % WIDE_EVERY_US < LOOKS_APART_US


def beyond(near: Bounds, sightings: Sequence[Sighting]) -> list[Sighting]:
    """Those whose middle lies outside the rectangle that the dealer's view covers."""

    def outside(sighting: Sighting) -> bool:
        x, y = sighting.centre_mm
        return not (near.x0_mm <= x <= near.x1_mm and near.y0_mm <= y <= near.y1_mm)

    return [s for s in sightings if outside(s)]
