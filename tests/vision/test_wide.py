"""The coarse view covers the whole table; only what lies beyond the dealer's view is taken from it."""

from __future__ import annotations

import numpy as np

from calibration.tablefile import Layout
from tests.vision.acts import quad
from vision.sighting import Sighting
from vision.topview import STRIDE_PX, Bounds
from vision.wide import WIDE_MM_PER_PX, beyond, table_bounds


def test_every_zone_lies_within_the_bounds() -> None:
    zones = {
        "shoe": np.array([[-645.0, 100], [-295, 100], [-295, 250], [-645, 250]]),
        "seat:1": np.array([[700.0, 600], [900, 600], [900, 800], [700, 800]]),
    }
    bounds = table_bounds(Layout(shoe_side="left", seats=(1,), zones_mm=zones))
    assert bounds.x0_mm <= -645 - 40
    assert bounds.x1_mm >= 940
    assert bounds.y1_mm >= 840
    assert (bounds.x1_mm - bounds.x0_mm) % (STRIDE_PX * WIDE_MM_PER_PX) == 0


def test_only_what_lies_beyond_the_dealers_view_is_taken() -> None:
    near = Bounds(-700, 0, 600, 400)
    inside, outside = (Sighting(0, "hand", quad(at, 100, 180), 0.9) for at in ((0.0, 390.0), (0.0, 410.0)))
    assert beyond(near, [inside, outside]) == [outside]
