"""The loading: from where the stack stood last to when it was seen last at the shoe, in that order."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from tests.vision.change.script import HOME, LAYOUT, STRIP_MM
from vision.change.box import Box
from vision.change.load import Load
from vision.places import Places


def test_a_loading_does_not_begin_after_it_ended() -> None:
    """A stack not seen any more whose place a hand was over once more, later."""
    load = Load(Places(LAYOUT), lambda *told: None)
    anchor = Box(np.array(HOME), np.array([0.0, 1.0]), STRIP_MM, 89.0)
    packet = SimpleNamespace(
        left_us=2_600_000,
        anchor=anchor,
        born_us=0,
        seen_us=2_400_000,
        travelled_mm=lambda: 400.0,
        first=anchor,
        box=anchor,
    )
    assert load._start(packet) <= packet.seen_us  # type: ignore[arg-type]  # what it asks of a packet, no more
    packet.left_us = 1_700_000
    assert load._start(packet) == 1_700_000  # type: ignore[arg-type]
