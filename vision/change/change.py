"""The shoe change as one stage of the pipeline: sightings in, events out through `emit`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from calibration.tablefile import Layout
from vision.change.covers import Covers
from vision.change.cut import Cutting
from vision.change.device import Device
from vision.change.load import Load
from vision.change.look import Look
from vision.change.measures import Measures, NoMeasures
from vision.change.offer import Offers
from vision.change.packets import Packets
from vision.change.people import People
from vision.change.pose import STRAIGHT_ABOVE_MM, Poses
from vision.change.ribbon import Ribbons
from vision.change.seats import Seats
from vision.change.shuffle import Shuffle
from vision.change.stand import Stand
from vision.change.tip import Backs, Tip
from vision.places import Places
from vision.sighting import Points, Sighting
from vision.topview import Bounds

Emit = Callable[..., None]
CARDS = ("card_back", "card_face")


class ShoeChange:
    """`step(t_us, sightings, frame, area)` and `finish()` report the events of 58 Pa. Code 629a.5(a)-(e).

    `layout`: the table's zones and seats. `emit(kind, t_us, end_us, facts, confidence)` takes each event once, when it
    is decided. `measures` opens the gauges; `cards` are in the whole stack; `camera_mm` is where the camera hangs.
    `loaded` is called when the stack has gone into the shoe. `backs` looks at frames for the cards' backs.
    """

    def __init__(
        self,
        layout: Layout,
        emit: Emit,
        measures: Measures | None = None,
        cards: int = 416,
        *,
        camera_mm: tuple[float, float, float] = STRAIGHT_ABOVE_MM,
        loaded: Callable[[], None] = lambda: None,
        backs: Backs | None = None,
    ) -> None:
        self._emit = emit
        self._loaded = loaded
        self._people = People(layout)
        self._packets = Packets()
        self._seats = Seats(layout, emit)
        self._stand = Stand(Poses(cards, camera_mm))
        self._tip = Tip(backs)
        self._offers = Offers(layout, emit)
        self._covers = Covers(measures)
        self._ribbons = Ribbons(measures)
        self._cutting = Cutting(self._offers, emit, measures or NoMeasures(), cards)
        self._places = places = Places(layout)
        self._shuffle = Shuffle(layout, places, emit, measures or NoMeasures())
        self._device = Device(layout, emit)
        self._load = Load(places, emit)
        self._cut_us: int | None = None

    def step(self, t_us: int, sightings: Sequence[Sighting], frame: Any = None, area: Bounds | None = None) -> None:
        """Takes one look in: every sighting of it, the frame for measuring, and the part of the table it covered."""
        look = self._look(t_us, sightings, frame)
        self._seats.step(look, area)
        self._packets.step(look)
        self._device.step(look, self._packets.alive)
        if self._stand.rest is None:
            look = self._away_from_shoe(look)
        packets = [p for p in self._packets.alive if self._stand.rest is not None or not self._at_shoe(p.box.centre_mm)]
        packets = [p for p in packets if not self._device.inside(p)]
        self._stand.step(look, packets)
        self._shuffle.step(look, packets, standing=self._stand if self._stand.rest is not None else None)
        shuffling = self._shuffle.riffled or self._shuffle.washing.spread(t_us)
        if shuffling and self._offers.count == 0 and self._cutting.cut_us is None:
            self._stand.forget()  # what stands there was only a part: the others are still being shuffled
            self._offers.forget()
            self._tip.forget()
        occupied = self._seats.occupied
        self._ribbons.step(look, self._stand.rest)
        stack = self._stand.seen if self._stand.rest is not None else None
        self._covers.step(look, stack, self._ribbons.box, self._ribbons.since_us)
        if self._ribbons.box is not None and self._stand.rest is not None:
            if self._cutting.cut_us is None and self._offers.answered:
                self._offers.close("unclear", occupied)
            self._offers.drop()
        self._tip.step(look, self._stand)
        self._cutting.backs_away = self._tip.backs_away
        self._offers.ready, self._offers.shuffled = self._shuffle.over, self._shuffle.acts > 0
        self._offers.step(look, self._stand, occupied, self._tip.backs_away)
        self._cutting.step(look, self._stand, self._covers, occupied, self._ribbons.box)
        if self._cutting.cut_us is not None and self._cutting.cut_us != self._cut_us:
            self._cut_us = self._cutting.cut_us
            self._load.cut(self._cut_us)
        if self._load.step(look, self._packets.alive, self._packets.gone, self._stand):
            self._start_again(occupied, t_us)

    def finish(self) -> None:
        """Reports what was still open."""
        occupied = self._seats.occupied
        self._shuffle.settle()
        self._cutting.finish(occupied)
        self._offers.close("unclear", occupied)

    def _start_again(self, occupied: Sequence[str], t_us: int) -> None:
        """The stack is in the shoe: nothing of it is on the table any more."""
        self._cutting.finish(occupied, t_us)
        self._offers.close("unclear", occupied)
        self._offers.forget()
        self._stand.forget()
        self._covers.forget()
        self._tip.forget()
        self._shuffle.forget()
        self._loaded()

    def _at_shoe(self, point_mm: Points) -> bool:
        return self._places.at_shoe(point_mm)

    def _away_from_shoe(self, look: Look) -> Look:
        """The look without what is in the shoe: no stack stands on the table, so what lies there is being dealt."""
        stacks, covers = ([s for s in some if not self._at_shoe(s.centre_mm)] for some in (look.stacks, look.covers))
        return replace(look, stacks=stacks, covers=covers)

    def _look(self, t_us: int, sightings: Sequence[Sighting], frame: Any) -> Look:
        by: Mapping[str, list[Sighting]] = {}
        by = {}
        for sighting in sightings:
            by.setdefault(sighting.cls, []).append(sighting)
        return Look(
            t_us,
            by.get("stack", []),
            by.get("cover_card", []),
            [s for cls in CARDS for s in by.get(cls, [])],
            self._people.step(t_us, by.get("hand", [])),
            by.get("chips", []),
            by.get("shuffler", []),
            frame,
        )
