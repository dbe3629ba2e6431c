"""Whether the camera still hangs where it hung: every place on the felt comes from that.

A camera that is pushed shows every zone elsewhere; nothing that is seen afterwards proves anything about the dealer.
So the table counts as out of view from the last picture that lay as the first one did, until pictures lie so again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calibration.drift import Drift
from calibration.tablefile import Table
from rules.event import Event
from vision.frame import Frame
from vision.pipeline import Pipeline
from vision.sighting import Sighting

LOOK_US = 3_000_000
#: So soon after a picture that lay elsewhere the next is looked at: several in a row must say so.
AGAIN_US = 1_000_000
#: Places that are off by less than this stay in their zones; a card is 64 mm wide.
OFF_MM = 10.0
CAUSE = "camera moved"


@dataclass(slots=True)
class Stand:
    """`step(frame)` compares a picture now and then with the first, and reports when they part and agree again.

    `moved` says by how much places are off, in words, while they are.
    """

    table: Table
    moved: str | None = None
    _drift: Drift | None = None
    _known: bool = False  # the first picture shows enough to be recognised
    _due_us: int = 0
    _held_us: int = 0  # when pictures last lay as the first
    _count: int = 0

    def step(self, frame: Frame) -> list[Event]:
        """The events that this picture decides."""
        if frame.t_us < self._due_us:
            return []
        self._due_us = frame.t_us + LOOK_US
        shift = None if self._drift is None else self._drift.step(frame.image)
        if self._drift is None or (shift is None and not self._known):
            self._begin(frame)
            return []
        if shift is None:
            return []
        self._known = True
        if shift.off_mm <= self._drift.limit_mm:
            return self._back(frame.t_us)
        self._due_us = frame.t_us + AGAIN_US
        if not shift.is_moved or self.moved is not None:
            return []
        self.moved = f"places on the felt are off by {shift.off_mm:.0f} mm"
        return [self._event(kind, self._held_us, frame.t_us) for kind in ("camera.moved", "view.lost")]

    def _begin(self, frame: Frame) -> None:
        """Takes a picture to compare with: by the corners of the zones in it, for the horizon is never still."""
        calibration = self.table.calibration.scaled(frame.width_px, frame.height_px)
        places = calibration.to_pixels(np.concatenate(list(self.table.layout.zones_mm.values())))
        seen = places[((places >= 0) & (places <= [frame.width_px - 1, frame.height_px - 1])).all(axis=1)]
        if len(seen):
            limit_mm = max(OFF_MM, 2 * self.table.calibration.error_mm)
            self._drift, self._held_us = Drift(frame.image, calibration, limit_mm, seen), frame.t_us

    def _back(self, t_us: int) -> list[Event]:
        self._held_us = t_us
        if self.moved is None:
            return []
        self.moved = None
        return [self._event("view.back", t_us, t_us)]

    def _event(self, kind: str, t_us: int, end_us: int) -> Event:
        self._count += 1
        event_id = f"{self.table.table}-camera-{self._count:04d}"
        # A loss that lasts would end with itself; this one goes on.
        end_us = t_us if kind == "view.lost" else end_us
        return Event(event_id, self.table.table, kind, t_us, end_us, {"zone": "table", "cause": CAUSE}, 1.0)


class SteadyEyes:
    """A pipeline that also notices when its camera is pushed."""

    latency_us = Pipeline.latency_us

    def __init__(self, pipeline: Pipeline, table: Table) -> None:
        self._pipeline, self._stand = pipeline, Stand(table)

    @property
    def moved(self) -> str | None:
        """By how much places are off since the camera was pushed, in words; None if it was not."""
        return self._stand.moved

    @property
    def provider(self) -> str | None:
        """What the pipeline's detector runs on."""
        return self._pipeline.provider

    @property
    def last_sightings(self) -> list[Sighting]:
        """What was seen in the latest look."""
        return self._pipeline.last_sightings

    def begin(self, frame: Frame) -> None:
        """Begins to look at a frame that a later `step` will take in."""
        self._pipeline.begin(frame)

    def step(self, frame: Frame) -> list[Event]:
        """The events that this frame decides."""
        seen = self._pipeline.step(frame)  # which refuses a picture of another size
        return seen + self._stand.step(frame)

    def finish(self) -> list[Event]:
        """What can still be said when no more frames come."""
        return self._pipeline.finish()
