"""The table's places as the ledger asks for them: the shoe's exit, the bucket, the zones.

All in table millimetres. Zones are drawn by the licensee and are a little off, and a card in a hand stands off by
its height's parallax; `SLACK_MM` is what both may come to.
"""

from __future__ import annotations

import cv2
import numpy as np

from calibration.tablefile import Layout
from calibration.zones import shoe_exit
from vision.sighting import Points, overlap

#: Zones are believed to this accuracy.
SLACK_MM = 18.0
#: The first sighting of a card out of the shoe is within this of the exit.
EXIT_REACH_MM = 115.0
#: The middle of a card that is all out of the shoe is this far from it: half a card's diagonal, and the slack.
CLEAR_MM = 73.0
#: Half the width of the gate in front of the exit.
EXIT_HALF_WIDTH_MM = 85.0
#: A card this far short of the bucket, and on its way to it, is about to go in.
HEADED_MM = 170.0
#: Zones that a card can be laid in, in the order in which overlapping ones win.
ORDER = ("discard", "player", "banker", "shuffle", "tray_front", "community", "tray", "shoe")

BOXES = ("player", "banker")
BOX_SHARE = 0.86


class Places:
    """Questions about where a point or a quad is."""

    def __init__(self, layout: Layout) -> None:
        self._zones = {name: np.asarray(p, dtype=np.float32) for name, p in layout.zones_mm.items()}
        self.shoe_side = layout.shoe_side
        exit_mm, direction = shoe_exit(layout)
        self.exit_mm = np.asarray(exit_mm, dtype=np.float64)
        self.outward_axis = np.asarray(direction, dtype=np.float64)
        self._across = np.array([-self.outward_axis[1], self.outward_axis[0]])
        self.exit_gate_mm = self._gate(-30.0, 95.0, 60.0)
        #: Nearer: what covers this, a card may leave the shoe under. A hand resting beside the shoe does not.
        self.mouth_mm = self._gate(-45.0, 50.0, 45.0)

    def _gate(self, back_mm: float, ahead_mm: float, half_mm: float) -> Points:
        """The rectangle in front of the shoe's exit, (4, 2)."""
        ends = (self.exit_mm + self.outward_axis * back_mm, self.exit_mm + self.outward_axis * ahead_mm)
        side = self._across * half_mm
        gate: Points = np.array([ends[0] - side, ends[1] - side, ends[1] + side, ends[0] + side])
        return gate

    # -- the shoe -------------------------------------------------------------------------------------------------

    def near_exit(self, point_mm: Points) -> bool:
        """Whether a card first seen here may just be leaving the shoe."""
        offset = point_mm - self.exit_mm
        along, across = float(offset @ self.outward_axis), float(abs(offset @ self._across))
        return -110.0 <= along <= EXIT_REACH_MM and across <= EXIT_HALF_WIDTH_MM

    def gone_outward_mm(self, start_mm: Points, now_mm: Points) -> float:
        """How far it has come: outward, or away from the exit altogether."""
        step = now_mm - start_mm
        away = float(np.linalg.norm(now_mm - self.exit_mm) - np.linalg.norm(start_mm - self.exit_mm))
        return max(float(step @ self.outward_axis), away)

    def in_shoe(self, point_mm: Points) -> bool:
        """Whether a card whose middle is here has not come out of the shoe yet."""
        return self._signed_mm("shoe", point_mm) >= 0.0

    def clear_of_shoe(self, point_mm: Points) -> bool:
        """Whether a card that lies here is all out of the shoe, however it is turned."""
        return self._signed_mm("shoe", point_mm) < -CLEAR_MM

    def at_shoe(self, point_mm: Points) -> bool:
        """Whether a stack here is at, or in, the shoe."""
        return self._signed_mm("shoe", point_mm) > -60.0

    def touches_exit(self, quad_mm: Points) -> bool:
        """Whether a hand is at the shoe's exit."""
        return overlap(quad_mm, self.exit_gate_mm) > 0.05

    # -- the bucket -----------------------------------------------------------------------------------------------

    def in_bucket(self, point_mm: Points) -> bool:
        """Whether the point is in the discard bucket's zone, with slack."""
        return self._signed_mm("discard", point_mm) > -SLACK_MM

    def to_bucket_mm(self, point_mm: Points) -> float:
        """How far a point is from the discard bucket's zone; 0 in it."""
        return max(0.0, -self._signed_mm("discard", point_mm))

    def headed_for_bucket(self, point_mm: Points, velocity_mm_s: Points) -> bool:
        """Whether a card here, moving so, is about to go in."""
        if self._signed_mm("discard", point_mm) < -HEADED_MM:
            return False
        return any(self.in_bucket(point_mm + velocity_mm_s * ahead) for ahead in (0.1, 0.2, 0.3, 0.4))

    def hand_in_bucket(self, quad_mm: Points) -> bool:
        """Whether a hand reaches over the bucket."""
        return overlap(quad_mm, self._zones["discard"].astype(np.float64)) > 0.15

    # -- zones ----------------------------------------------------------------------------------------------------

    def zone(self, quad_mm: Points) -> str:
        """The zone a card lies in, 'elsewhere' if in none.

        A hand's box claims a card only if nearly all of it lies inside: the first card of a shoe is shown in the middle
        of the layout, where it may well touch a box.
        """
        point_mm = quad_mm.mean(axis=0)
        for name in ORDER:
            if name not in self._zones or self._signed_mm(name, point_mm) < 0:
                continue
            if name in BOXES and "shuffle" in self._zones and self._inside(name, quad_mm) < BOX_SHARE:
                continue
            return name
        for name in self._zones:
            if name.startswith("seat:") and self._signed_mm(name, point_mm) >= 0:
                return name
        return "elsewhere"

    def _inside(self, name: str, quad_mm: Points) -> float:
        """Share of the card that lies in the zone."""
        card = cv2.convexHull(np.asarray(quad_mm, dtype=np.float32))
        common, _ = cv2.intersectConvexConvex(card, cv2.convexHull(self._zones[name]))
        return float(common) / max(cv2.contourArea(card), 1e-6)

    def _signed_mm(self, name: str, point_mm: Points) -> float:
        """Distance to the zone's edge, positive inside."""
        zone = self._zones.get(name)
        if zone is None:
            return float("-inf")
        return float(cv2.pointPolygonTest(zone, (float(point_mm[0]), float(point_mm[1])), True))
