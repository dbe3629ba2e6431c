"""The cut: a cover card put into the offered stack, by whom and how deep; then the packet that is moved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from vision.change.before import FREE_MM, Before
from vision.change.box import Box
from vision.change.covers import Covers, Insertion, Removal, thin_in
from vision.change.cutfacts import by_boxes, depth_facts, from_other_end, packet_facts
from vision.change.insertion import carried, from_where, gone, players, rested
from vision.change.look import Look, quads_apart_mm
from vision.change.measures import Gauge, Measured, Measures, facts_of
from vision.change.offer import Offers
from vision.change.stand import Stand
from vision.change.transfer import Transfers
from vision.change.unseen import Transfer
from vision.sighting import Points

Emit = Callable[..., None]

#: The cover card is looked at for so long after it went in, or until the stack comes apart.
MEASURED_US = 2_000_000
#: A cover card that goes so far in a ribbon has not been put in yet; it has when it lies still for so long.
SLID_MM, LIES_US = 8.0, 100_000
#: Seen in one place in so many looks, it has come to lie there.
ANEW_LOOKS = 4
#: A second insertion within this of the first is the same one, put right.
AGAIN_US = 1_200_000
#: What may not have happened at all; rules accuse and acquit by nothing less than 0.5.
DOUBTFUL = 0.45
#: What stuck in the stack when the looking began was not seen going in.
BEGUN_US = 1_000_000
#: Packets that move so soon after a ribbon was gathered belong to it.
RIBBON_US = 12_000_000


@dataclass(slots=True, eq=False)
class _Pending:
    """An insertion that is being measured."""

    insertion: Insertion
    actor: str
    gauge: Gauge
    places: list[Points]
    stack: Box | None = None
    second: bool = False
    doubtful: bool = False
    quad: Points | None = None  # (4, 2), what was seen last of the cover card in a ribbon
    spot: Points | None = None  # where among a ribbon's cards the cover card lies, and since when
    spot_us: int = 0
    spot_looks: int = 0  # in which it was seen there
    before: Measured = field(default_factory=Measured)  # what was read where it lay last


class Cutting:
    """`step(look, stand, covers, occupied)` reports `cut.insert`, `packet.move`, `cover.insert` and `cover.remove`."""

    def __init__(self, offers: Offers, emit: Emit, measures: Measures, cards: int) -> None:
        self._offers, self._emit, self._measures, self._cards = offers, emit, measures, cards
        self._transfers = Transfers()
        self._pending: _Pending | None = None
        self.first: int | None = None  # the cover card of the cut
        self.depth: Measured = Measured(reason="not cut")  # cards above the cover card
        self.cut_us: int | None = None
        self.moved = False
        self.backs_away: bool | str = "unsure"
        self._begun_us: int | None = None
        self._ribbon_us: int | None = None
        self._before = Before(measures)
        self._doubted_us: int | None = None  # the cut after which a packet may have been moved unseen

    def step(
        self, look: Look, stand: Stand, covers: Covers, occupied: Sequence[str], ribbon: Box | None = None
    ) -> None:
        """Takes a look in; `ribbon` is the row of cards on the felt."""
        self._begun_us = look.t_us if self._begun_us is None else self._begun_us
        self._ribbon_us = look.t_us if ribbon is not None else self._ribbon_us
        for removal in covers.removed:
            if self.moved and removal.card == self.first:
                covers.went_along(removal.card)  # it lies under the last cards: a ribbon is taken from there
            else:
                self._remove(removal)
        for insertion in covers.inserted:
            self._insert(insertion, stand, covers, occupied)
        self._measure(look, stand, covers, ribbon)
        if self.first is None and not self.moved and look.t_us >= 300_000:
            self.first = covers.standing
        if self.cut_us is None and not self.moved:
            self._before.step(look, stand, covers)
        waits = self.first is not None and not self.moved
        if waits and ribbon is not None:
            self._maybe_moved(look.t_us)
        transfer = self._transfers.step(look, stand, self._offers.home, expected=waits)
        apart = self._transfers.split_us is not None and stand.touched(look, "dealer")
        if self._pending is not None and (apart or transfer is not None):
            self._tell_cut()
        if transfer is not None:
            self._move(transfer, covers, occupied)

    def _stands_in(self, covers: Covers) -> bool:
        """Whether the cover card of the cut is in the stack."""
        return self._before.found if self.first is None else covers.place(self.first) == "stack"

    def _maybe_moved(self, t_us: int) -> None:
        """What comes after the packet's move has begun, and the move was not seen: it may have been made under hands.

        That is said with too little confidence to accuse or to acquit anybody.
        """
        if self.cut_us is not None and self._doubted_us != self.cut_us:
            self._doubted_us = self.cut_us
            facts = {"actor": "dealer", "with_cover_card": "unsure", "to": "unsure"}
            self._emit("packet.move", self.cut_us, t_us, facts, DOUBTFUL)

    def _remove(self, removal: Removal) -> None:
        pending = self._pending
        if removal.back and pending is not None and pending.insertion.card == removal.card:
            self._pending = None  # it lies where it lay: it was hidden, and never went in
            self.first, self.cut_us = (None, None) if self.first == removal.card else (self.first, self.cut_us)
            return
        self._tell_cut()
        which = 1 if removal.card == self.first or self.first is None else 2
        facts = {"which": which, "actor": removal.actor, "from": "stack", "to": "elsewhere"}
        self._emit("cover.remove", removal.t_us, removal.end_us, facts, 0.8)
        if which == 1:
            self.first = None
            self._offers.needs_answer = False

    def _insert(self, insertion: Insertion, stand: Stand, covers: Covers, occupied: Sequence[str]) -> None:
        pending = self._pending
        if pending is not None and pending.insertion.card == insertion.card:
            pending.insertion = insertion
            return
        in_hand = insertion.host == "stack" and (carried(stand) or gone(stand, insertion))  # with what stands in it
        if insertion.t_us - (self._begun_us or 0) < BEGUN_US or in_hand:
            return
        self._tell_cut()
        odds = from_where(insertion, stand, self._offers.people)
        actor = self._offers.whose(odds, occupied)
        player = actor.startswith("seat:") or (actor == "unsure" and players(odds))
        doubtful = insertion.host == "stack" and not rested(stand, insertion)
        if insertion.host == "ribbon" or (not player and self.first not in (None, insertion.card)):
            ribbon = insertion.host == "ribbon"
            gauge = self._measures.ribbon() if ribbon else self._measures.depth(covers.colours_in(insertion.end_us))
            self._pending = _Pending(insertion, actor, gauge, [], second=True, doubtful=doubtful)
            self._pending.spot, self._pending.spot_us = insertion.place_mm, insertion.end_us
            self._pending.quad = insertion.quad_mm
            return
        outcome = "accepted" if player else "refused" if actor == "dealer" else "unclear"
        self._offers.close(outcome, occupied, actor)
        self.first, self.cut_us, self.moved = insertion.card, insertion.end_us, False
        self._pending = _Pending(
            insertion, actor, self._measures.depth(covers.colours_in(insertion.end_us)), [], doubtful=doubtful
        )

    def _measure(self, look: Look, stand: Stand, covers: Covers, ribbon: Box | None) -> None:
        pending = self._pending
        if pending is None:
            return
        if pending.insertion.host == "ribbon":
            self._measure_ribbon(look, pending, covers, ribbon)
            return
        pending.doubtful = pending.doubtful and not rested(stand, pending.insertion)  # hands hid it meanwhile
        at_rest = stand.there or (stand.packet is not None and stand.packet.rest_us is not None)
        if at_rest and stand.rest is not None:
            thin = thin_in(stand.rest, covers.thin)
            if all(quads_apart_mm(arm.quad_mm, stand.rest.quad_mm) > FREE_MM for arm in look.arms):
                quad = next((s.quad_mm for s in covers.thin if thin), None)
                pending.gauge.add(look.t_us, look.frame, stand.rest, quad)
            if thin:
                pending.places.append(np.array(stand.rest.local_mm(thin[0])))
            pending.stack = stand.rest
        if look.t_us - pending.insertion.end_us > MEASURED_US:
            self._tell_cut()

    def _measure_ribbon(self, look: Look, pending: _Pending, covers: Covers, ribbon: Box | None) -> None:
        if ribbon is not None and self._settled(look, pending, covers, ribbon):
            # a hand often stays at the ribbon's end; the reading copes with that
            pending.gauge.add(look.t_us, look.frame, ribbon, pending.quad)
        if ribbon is None or look.t_us - max(pending.insertion.end_us, pending.spot_us) > MEASURED_US:
            self._tell_cut()

    def _settled(self, look: Look, pending: _Pending, covers: Covers, ribbon: Box) -> bool:
        """Whether the cover card lies still in the ribbon.

        What was read before it last moved is not of where it lies now; it stands if it never came to lie anew, as when
        the ribbon is gathered.
        """
        seen = covers.seen_at(pending.insertion.card, look.t_us)
        slid = seen is not None and (pending.spot is None or _slid_mm(ribbon, seen.centre_mm - pending.spot) > SLID_MM)
        if seen is not None and slid:
            told = pending.gauge.result()
            if told.known or pending.spot_looks >= ANEW_LOOKS:
                pending.before = told
            pending.spot, pending.spot_us, pending.spot_looks = seen.centre_mm, look.t_us, 0
            pending.gauge = self._measures.ribbon()
        pending.spot_looks += seen is not None
        pending.quad = pending.quad if seen is None else seen.quad_mm
        return pending.spot is not None and look.t_us - pending.spot_us >= LIES_US

    def _tell_second(self, pending: _Pending) -> None:
        measured = pending.gauge.result()
        if not measured.known and pending.spot_looks < ANEW_LOOKS and pending.before.known:
            measured = pending.before
        if pending.insertion.host == "stack":
            above = measured if measured.known else by_boxes(pending.places, pending.stack, self._cards)
            measured = from_other_end(above, self._cards)
        facts: dict[str, Any] = {"which": 2, "actor": pending.actor}
        facts |= facts_of("above_bottom_cards", measured, highest=float(self._cards))
        confidence = DOUBTFUL if pending.doubtful else 0.85
        self._emit("cover.insert", pending.insertion.t_us, pending.insertion.end_us, facts, confidence)

    def _tell_cut(self) -> None:
        pending, self._pending = self._pending, None
        if pending is None:
            return
        if pending.second:
            self._tell_second(pending)
            return
        depth = pending.gauge.result()
        if not depth.known:
            depth = by_boxes(pending.places, pending.stack, self._cards)
        self.depth = depth
        facts: dict[str, Any] = {"actor": pending.actor}
        facts |= depth_facts(depth, self._cards, self.backs_away)
        confidence = DOUBTFUL if pending.doubtful else 0.95 if pending.places else 0.75
        self._emit("cut.insert", pending.insertion.t_us, pending.insertion.end_us, facts, confidence)

    def _move(self, transfer: Transfer, covers: Covers, occupied: Sequence[str]) -> None:
        by_player = transfer.actor.startswith("seat:")
        if by_player:
            self._offers.close("accepted", occupied, transfer.actor)
        if self.moved and not by_player:
            return
        if self._ribbon_us is not None and transfer.end_us - self._ribbon_us < RIBBON_US and not by_player:
            return
        with_cover = self._with_cover(transfer, covers)
        facts: dict[str, Any] = {"actor": transfer.actor, "with_cover_card": with_cover, "to": self._to(transfer)}
        facts |= self._count(transfer, with_cover is True)
        self.moved = transfer.to_end != "felt"
        expected = transfer.from_end == "far" and (self.first is not None or self._before.found)
        cut = self.cut_us is not None or transfer.sure or expected
        self._offers.needs_answer = self._offers.needs_answer or cut
        confidence = 0.9 if transfer.sure or expected else DOUBTFUL
        start_us = transfer.t_us  # a stack that came apart a little as the card went in has not been moved yet
        if self.cut_us is not None and transfer.end_us > self.cut_us:
            start_us = max(start_us, self.cut_us)
        self._emit("packet.move", start_us, transfer.end_us, facts, confidence)

    def _with_cover(self, transfer: Transfer, covers: Covers) -> bool | str:
        """Whether the cover card went along; that it did not is said only where that is sure."""
        if self.first is not None or self._before.found:
            if self._stands_in(covers) and transfer.from_end == "far":
                return True
            return False if transfer.sure and self._stands_in(covers) else "unsure"
        return False if transfer.sure and covers.all_lay(transfer.t_us, transfer.end_us) else "unsure"

    def _to(self, transfer: Transfer) -> str:
        if transfer.from_end == "far" and transfer.to_end == "near":
            return "bottom" if self.backs_away is not False else "unsure"
        if not transfer.sure or self.backs_away is False:
            return "unsure"
        return {"far": "top", "near": "bottom", "felt": "felt"}[transfer.to_end]

    def _count(self, transfer: Transfer, with_cover: bool) -> dict[str, Any]:
        if with_cover and not self.depth.known and self.cut_us is None:
            self.depth = self._before.depth()
        return packet_facts(transfer, self.depth if with_cover else Measured(), self._cards)

    def finish(self, occupied: Sequence[str], t_us: int | None = None) -> None:
        """Reports a cut that was still being measured; the next shoe starts afresh."""
        self._tell_cut()
        if self.first is not None and not self.moved and t_us is not None:
            self._maybe_moved(t_us)
        self.first, self.cut_us, self.moved, self._ribbon_us = None, None, False, None
        self.depth = Measured(reason="not cut")
        self._before = Before(self._measures)


def _slid_mm(ribbon: Box, way_mm: Points) -> float:
    """How far along a ribbon something went: across it, now more of it is seen and now less."""
    return abs(float(way_mm @ ribbon.along))
