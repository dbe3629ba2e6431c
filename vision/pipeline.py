"""Frames in, events out: one table's stages in their order.

The pipeline reads no clock, no file and no socket. Live and review drive the very same code; the same frames give the
same events, whatever was seen before by another pipeline.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from calibration.geometry import Calibration, CalibrationFault
from calibration.tablefile import Table
from faults import Fault
from rules.event import Event
from vision.ahead import AheadLooks
from vision.change.change import ShoeChange
from vision.change.gauges import FrameMeasures
from vision.change.pose import STRAIGHT_ABOVE_MM
from vision.change.tip import Backs
from vision.crops import card_crop
from vision.detect import Detector
from vision.detections import Detections
from vision.equipment import BucketWatch
from vision.fits import refuse_unfit
from vision.frame import Frame, Image
from vision.hands import Hands, believed
from vision.ledger import Ledger
from vision.once import told_once
from vision.onecard import cards_among
from vision.places import Places
from vision.read import CardReader, Reading
from vision.sighting import Sighting, overlap
from vision.solid import with_cover_cards
from vision.stackout import StackOut
from vision.topview import TopView, dealer_bounds
from vision.track import CardTracker
from vision.view import ViewWatch, ZoneView
from vision.vote import COVERED_SHARE
from vision.wide import beyond, wide_due, wide_view

#: Frames nearer together than this are not looked at twice: 15 looks a second follow a hand well enough.
LOOK_US = 45_000
#: Crops read for one look, the costliest part of it after the detector.
READS_A_LOOK = 3
RANK_READS = 40
BACK_READS = 20
MOVING_READS = 12
CARDS = ("card_face", "card_back")


class Eyes(Protocol):
    """What finds things in a top view."""

    @property
    def names(self) -> Sequence[str]:
        """The classes' names, by index."""
        ...

    def detect(self, image: Image) -> Detections:
        """Oriented boxes in (H, W, 3) BGR."""
        ...


class Reads(Protocol):
    """What reads card crops."""

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        """One reading for each crop."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """One look: the dealer's area, what is in it, and what is on the whole table where that was looked at."""

    view: Image
    near: Detections
    wide: Detections | None


class SizeFault(Fault):
    """A picture that the table file was not made for."""


class Pipeline:
    """One camera of one table, from frames to events.

    `step(frame)` and `finish()` return events in the order in which they were decided. Nothing is reported later than
    `latency_us` after it happened, except for what needs the future by its nature (a lost card's fate).
    """

    latency_us = 3_000_000

    def __init__(self, table: Table, models: Path, *, eyes: Eyes | None = None, reader: Reads | None = None) -> None:
        refuse_unfit(table)
        self._table = table
        self._eyes: Eyes = eyes if eyes is not None else Detector(models / "detector.onnx")
        self._reader: Reads = reader if reader is not None else CardReader(models / "reader.onnx")
        self._names = list(self._eyes.names)
        self._events: list[Event] = []
        self._count = 0
        self._size: tuple[int, int] | None = None
        self._last_look_us: int | None = None
        self._begun_look_us: int | None = None
        self._ahead = AheadLooks(self._see)
        self.last_sightings: list[Sighting] = []

    @property
    def provider(self) -> str | None:
        """What the detector runs on, as ONNX Runtime names it; None of eyes that do not say."""
        found = getattr(self._eyes, "provider", None)
        return None if found is None else str(found)

    # -- stages ---------------------------------------------------------------------------------------------------

    def _start(self, width_px: int, height_px: int) -> None:
        """Makes the stages for pictures of this size."""
        try:
            self.calibration: Calibration = self._table.calibration.scaled(width_px, height_px)
        except CalibrationFault as fault:
            camera = self._table.camera
            raise SizeFault(
                f"the picture is {width_px} x {height_px} pixels",
                where=f"table {self._table.table}",
                why=f"its table file was made for {camera.width_px} x {camera.height_px}, another shape of picture",
                todo="Run 'pitwatch calibrate' on this camera's picture, or give the table file that belongs to it.",
            ) from fault
        self._size = (width_px, height_px)
        layout = self._table.layout
        self.top = TopView(self.calibration, dealer_bounds(layout))
        self._places = places = Places(layout)
        self._tracker = CardTracker()
        self._hands = Hands()
        self.ledger = Ledger(places, self._emit)
        self._stack_out = StackOut(places)
        self._bucket = BucketWatch(places, self._emit)
        self.wide = wide_view(self.calibration, layout)
        self.change = ShoeChange(
            layout,
            self._emit,
            FrameMeasures(self.calibration, self._table.game.cards),
            self._table.game.cards,
            camera_mm=self.calibration.camera_mm or STRAIGHT_ABOVE_MM,
            loaded=self._loaded,
            backs=Backs(self.calibration),
        )
        zones = [ZoneView("shoe", places.mouth_mm), ZoneView("discard", layout.zones_mm["discard"], piles=True)]
        self.watch = ViewWatch(self.top, zones, self._emit)

    def begin(self, frame: Frame) -> None:
        """Begins to look at a frame that a later `step` will take in; frames begin in the order of their steps."""
        if self._size is None:
            self._start(frame.width_px, frame.height_px)
        if self._size == (frame.width_px, frame.height_px) and _due(self._begun_look_us, frame.t_us):
            self._begun_look_us = frame.t_us
            self._ahead.begin(frame)

    def step(self, frame: Frame) -> list[Event]:
        """Takes the next frame in; times must grow."""
        if self._size is None:
            self._start(frame.width_px, frame.height_px)
        elif self._size != (frame.width_px, frame.height_px):
            raise SizeFault(
                f"the picture changed to {frame.width_px} x {frame.height_px} pixels",
                where=f"table {self._table.table} at {frame.t_us / 1e6:.2f} s",
                why=f"it was {self._size[0]} x {self._size[1]} before; every zone would be in the wrong place",
                todo="Recalibrate the table for the new picture.",
            )
        self.watch.time(frame.t_us)
        if _due(self._last_look_us, frame.t_us):
            self._last_look_us = frame.t_us
            self._look(frame)
        return self._drain()

    def finish(self) -> list[Event]:
        """What can still be said when no more frames come."""
        self._ahead.close()
        if self._last_look_us is not None:
            self.ledger.finish(self._last_look_us)
            self.change.finish()
        return self._drain()

    def _look(self, frame: Frame) -> None:
        t_us = frame.t_us
        self.watch.look(t_us)
        looked = self._ahead.take(frame)
        seen = with_cover_cards(self._sightings(t_us, self.top, looked.near), frame, self.calibration)
        self.last_sightings = seen
        cards = [s for s in seen if s.cls in CARDS and _card_sized(s)]
        hands = believed([s for s in seen if s.cls == "hand"])
        stacks, loose = [s for s in seen if s.cls == "stack"], list[Sighting]()
        if self.ledger.gives and not self._stack_out.held:
            awaited = self.ledger.awaits(t_us)
            loose, stacks = cards_among(stacks, cards, self.ledger.cards, hands, self._places, awaited=awaited)
            cards += loose
        self.watch.step(t_us, looked.view, [h.quad_mm for h in hands], [c.quad_mm for c in cards])
        self._tracker.step(t_us, cards, [h.quad_mm for h in hands])
        named = self._hands.step(t_us, hands)
        held = self._stack_out.step(t_us, stacks, len(cards))
        covered_us = self.watch.covered_us("discard")
        self.ledger.step(t_us, self._tracker.tracks, named, held=held, bucket_covered_us=covered_us)
        self._read(frame, hands, loose)
        self._bucket.step(t_us, cards, self.watch.shares.get("discard", 0.0))
        self._change_step(frame, seen, looked.wide)

    def _loaded(self) -> None:
        """The stack has gone into the shoe: what is drawn from now on counts."""
        self._stack_out.loaded()
        self.ledger.new_shoe(self._last_look_us or 0)

    def _change_step(self, frame: Frame, near: list[Sighting], wide: Detections | None) -> None:
        """Shows the shoe change what is on the table: the dealer's area now, and the rest of it now and then."""
        if wide is None:
            self.change.step(frame.t_us, near, frame, self.top.bounds)
            return
        far = beyond(self.top.bounds, self._sightings(frame.t_us, self.wide, wide))
        self.change.step(frame.t_us, [*near, *far], frame, self.wide.bounds)

    def _see(self, frame: Frame) -> _Seen:
        """The top views and what is in them: depends on nothing but the frame, so it may happen ahead of its turn."""
        view = self.top.view(frame)
        wide = self._eyes.detect(self.wide.view(frame)) if wide_due(frame.t_us) else None
        return _Seen(view, self._eyes.detect(view), wide)

    def _sightings(self, t_us: int, top: TopView, found: Detections) -> list[Sighting]:
        quads = top.to_mm(found.quads)
        return told_once(
            [
                Sighting(t_us, self._names[int(c)], quad, float(score))
                for quad, c, score in zip(quads, found.cls, found.score, strict=True)
            ]
        )

    def _read(self, frame: Frame, hands: Sequence[Sighting], loose: Sequence[Sighting]) -> None:
        """Reads the cards that need it most: faces for their rank, backs for whether they are two.

        `loose`: sightings whose boxes are too loose to be read.
        """
        wanted = []
        for card in self.ledger.cards:
            if card.last.t_us != frame.t_us or card.track is None or any(card.last is s for s in loose):
                continue
            speed = float(np.linalg.norm(card.track.velocity_mm_s()))
            count = len(card.face_reads)
            faces = count > len(card.pair_reads) or card.last.cls == "card_face"
            if speed < 500 and count < (RANK_READS if faces else BACK_READS):
                wanted.append((count, card))
            elif speed < 900 and count < MOVING_READS:
                wanted.append((MOVING_READS + count, card))
        wanted.sort(key=lambda pair: (pair[0], pair[1].number))
        chosen = [card for _, card in wanted[:READS_A_LOOK]]
        if not chosen:
            return
        crops = [card_crop(frame, self.calibration, card.last.quad_mm) for card in chosen]
        for card, reading in zip(chosen, self._reader.read(crops), strict=True):
            covered = any(overlap(hand.quad_mm, card.last.quad_mm) > COVERED_SHARE for hand in hands)
            card.add(reading, frame.t_us, covered=covered)

    # -- events ---------------------------------------------------------------------------------------------------

    def _emit(self, kind: str, t_us: int, end_us: int, facts: Mapping[str, Any], confidence: float) -> None:
        self._count += 1
        event_id = f"{self._table.table}-{self._count:06d}"
        start_us = min(t_us, end_us)  # one that seems to end before it begins began no later than that
        self._events.append(Event(event_id, self._table.table, kind, start_us, end_us, dict(facts), confidence))

    def _drain(self) -> list[Event]:
        events, self._events = self._events, []
        return events


def _due(last_us: int | None, t_us: int) -> bool:
    """Whether a frame is looked at, after the last one that was."""
    return last_us is None or t_us - last_us >= LOOK_US


def _card_sized(sighting: Sighting) -> bool:
    """A card, or the better part of one; a hand in front cuts pieces off, parallax adds a little."""
    short, long = sighting.sides_mm
    return 25.0 <= short <= 95.0 and 40.0 <= long <= 130.0
