"""Whether anything can be seen with a table file: what would only end in an error, or in a review of nothing."""

from __future__ import annotations

import numpy as np

from calibration.tablefile import Table
from calibration.zones import shoe_exit
from faults import Fault
from vision.topview import DEALER_ZONES, dealer_bounds

#: Zones without which a card cannot be followed from where it is drawn to where it ends.
NEEDED = ("shoe", "discard")
#: A dealer's area no larger than this, pixels no finer and no coarser: beyond, a number of the file is wrong.
LONGEST_MM = 5000.0
FINEST_MM_PER_PX, COARSEST_MM_PER_PX = 0.05, 10.0
CALIBRATE = "Run 'pitwatch calibrate' on this camera's picture, or give the table file that belongs to it."


class UnfitFault(Fault):
    """A table file that holds together, but with which nothing can be watched."""


def refuse_unfit(table: Table) -> None:
    """Refuses a table file with which nothing could be seen.

    Raises:
        Fault: a zone that everything needs is not drawn, the zones span more than any table, or the calibration puts
            all of them outside the picture or makes a pixel of no sensible size.
    """
    zones = table.layout.zones_mm
    missing = [name for name in NEEDED if name not in zones]
    if missing:
        raise UnfitFault(
            f"no {' and no '.join(missing)}",
            where=f"table {table.table}, layout.zones_mm",
            why="a card is followed from the zone 'shoe' to the zone 'discard'",
            todo="Draw the zone, also where it lies outside the picture: then it counts as not in view.",
        )
    shoe_exit(table.layout)
    bounds = dealer_bounds(table.layout)
    longest_mm = max(bounds.x1_mm - bounds.x0_mm, bounds.y1_mm - bounds.y0_mm)
    if longest_mm > LONGEST_MM:
        raise UnfitFault(
            f"the dealer's zones span {longest_mm / 1000:.0f} m",
            where=f"table {table.table}, layout.zones_mm",
            why=f"no table is larger than {LONGEST_MM / 1000:.0f} m",
            todo="Correct the outline that lies too far off; all are in millimetres.",
        )
    _refuse_elsewhere(table)


def _refuse_elsewhere(table: Table) -> None:
    """Refuses a calibration that does not show the dealer's zones."""
    zones = [outline for name, outline in table.layout.zones_mm.items() if name in DEALER_ZONES]
    corners_px = table.calibration.to_pixels(np.concatenate(zones))
    size = np.array([table.calibration.width_px, table.calibration.height_px])
    inside = np.all((corners_px >= -0.5) & (corners_px <= size - 0.5), axis=1)
    where = f"table {table.table}, calibration"
    if not inside.any():
        raise UnfitFault(
            "none of the dealer's zones is in the picture",
            where=where,
            why="by homography and lens, all of their corners lie outside",
            todo=CALIBRATE,
        )
    scale = float(np.median(table.calibration.scales_mm_per_px(np.concatenate(zones)[inside])))
    if not FINEST_MM_PER_PX <= scale <= COARSEST_MM_PER_PX:
        raise UnfitFault(
            f"a pixel covers {scale:.3g} mm of the felt",
            where=where,
            why=f"cards can be made out between {FINEST_MM_PER_PX} and {COARSEST_MM_PER_PX:.0f} mm per pixel",
            todo=CALIBRATE,
        )
