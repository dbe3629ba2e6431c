"""§ 629a.5(d), after the cut: the packet and the cover card go to the bottom."""

from __future__ import annotations

from typing import Any

from rules.event import Event
from rules.pa58.ch629a_cut import LIFTED, CutClause
from rules.pa58.ch629a_stack_clause import C, I, N, V, header, ids
from rules.ruling import Ruling, Sight
from rules.skeletons.bounds import at_most, estimate
from rules.skeletons.change import Cut
from rules.skeletons.told import MOVE

CUT_AGAIN = "the stack was cut again"
NOT_MOVED = "the packet was not moved; that is charged under (d)-movepacket"
ENDED = "The recording, or the change, ended before it could be decided"
UNSEEN = "The view was lost meanwhile, so it may have passed unseen"


class MovePacket(CutClause):
    """All cards above the cover card go to the bottom."""

    HEADER = header(
        "(d)-movepacket",
        "All cards above the cover card go to the bottom.",
        "cut",
        "packet.move cut.insert shoe.load",
        "where the packet went, and how many of the cards above the cover card stayed behind",
        options="equivalent_move",
    )
    ASKS = "(d) asks that all cards above the cover card be put on the bottom"

    def judge(self, cut: Cut, sight: Sight) -> Ruling | None:
        """The packet's last move settles it, or the loading without one."""
        move = cut.move
        if not cut.inserts and cut.by_hand:
            return self.off(cut, cut.end_us, "a packet was lifted off the stack", LIFTED, events=ids(move))
        if move is None:
            return self._unmoved(cut, sight)
        to = move.facts.get("to", "bottom")
        if to == "felt":
            return self._on_felt(cut, move, sight)
        if to == "top":
            return self._to_top(cut, move)
        if to != "bottom":
            seen = "the packet was moved"
            return self.say(cut, I, move.end_us, seen, "Where it went cannot be told", events=ids(*cut.moves))
        return self._to_bottom(cut, move, sight)

    def _unmoved(self, cut: Cut, sight: Sight) -> Ruling | None:
        load, seen = cut.change.load, "the packet above the cover card was not seen moved"
        if cut.again is not None:
            return self.off(cut, cut.again.start_us, seen, CUT_AGAIN)
        if load is None:
            return self.say(cut, N, sight.now_us, seen, ENDED) if sight.ended else None
        more = {"events": ids(cut.insert, load)}
        if cut.change.before_load(MOVE, doubtful=True):
            return self.say(cut, I, load.end_us, seen, "It may have been: a move was not surely seen", **more)
        if not self.law.looked(sight, cut.end_us, load.t_us, "move_act_s"):
            return self.say(cut, N, load.end_us, seen, UNSEEN, **more)
        return self.say(cut, V, load.end_us, seen, "The stack went into the shoe, in view, as it was", **more)

    def _on_felt(self, cut: Cut, move: Event, sight: Sight) -> Ruling | None:
        load, seen = cut.change.load, "the packet was put down beside the stack"
        more = {"events": ids(*cut.moves, load)}
        if load is None:
            return self.say(cut, N, sight.now_us, seen, ENDED, **more) if sight.ended else None
        if not self.law.looked(sight, move.end_us, load.t_us, "move_act_s"):
            return self.say(cut, N, load.end_us, seen, UNSEEN, **more)
        return self.say(cut, V, load.end_us, seen, "It was not seen put on the bottom before the loading", **more)

    def _to_top(self, cut: Cut, move: Event) -> Ruling:
        """The lower part was moved up, or the packet was put back."""
        more: dict[str, Any] = {"events": ids(*cut.moves)}
        same = self._agrees(cut, move, moved_above=False)
        if same is None:
            seen = "a packet was put on top of the stack"
            return self.say(cut, I, move.end_us, seen, "Which part it was cannot be told", **more)
        if not same:
            seen = "the packet above the cover card was put back on top"
            return self.say(cut, V, move.end_us, seen, "The order of the cards is as it was before the cut", **more)
        seen, choice = "the part below the cover card was moved up instead", self.law.options["equivalent_move"]
        off = "The order of the cards is the one asked for; the manner is another"
        if choice == "compliant":
            return self.say(cut, C, move.end_us, seen, off, **more)
        severity = "note" if choice == "technical" else None
        return self.say(cut, V, move.end_us, seen, off, severity=severity, **more)

    def _to_bottom(self, cut: Cut, move: Event, sight: Sight) -> Ruling:
        left = estimate(move.facts, "left_behind_cards")
        settled = bool(cut.seconds) or cut.again is not None or cut.change.load is not None
        more: dict[str, Any] = {"events": ids(*cut.moves), "decided": settled}
        if left is not None:
            more["measured"] = left.measured("cards left behind", 0)
            verdict = at_most(left, 0, self.law.share)
            corrected = verdict is C and any(self._left(earlier) is V for earlier in cut.moves[:-1])
            return self.say(cut, verdict, move.end_us, MOVED, LEFT[verdict], corrected=corrected, **more)
        if self._agrees(cut, move, moved_above=True) is False:
            off = "It was not as long as the part above the cover card, so the evidence conflicts"
            return self.say(cut, I, move.end_us, MOVED, off, **more)
        return self.say(cut, C, move.end_us, MOVED, "No card was seen left behind", **more)

    def _left(self, move: Event) -> Any:
        left = estimate(move.facts, "left_behind_cards")
        return None if left is None else at_most(left, 0, self.law.share)

    def _agrees(self, cut: Cut, move: Event, *, moved_above: bool) -> bool | None:
        """Whether the moved packet is as long as the part above (or below) the cover card; None: cannot be told."""
        moved, above = estimate(move.facts, "cards"), _above(cut, self.law.cards)
        if moved is None or above is None or moved.low is None or moved.high is None:
            return None
        low, high = above if moved_above else (self.law.cards - above[1], self.law.cards - above[0])
        slack = int(self.law.numbers["packet_tolerance_cards"])
        fits = moved.low <= high + slack and moved.high >= low - slack
        if moved_above or not fits:
            return fits
        other = moved.low <= above[1] + slack and moved.high >= above[0] - slack
        return None if other else True


MOVED = "the packet above the cover card was put on the bottom"
LEFT = {
    C: "No card was left behind",
    V: "Cards from above the cover card stayed where they were",
    I: "Whether a card was left behind cannot be told",
}


def _above(cut: Cut, total: int) -> tuple[float, float] | None:
    """How many cards lay above the cover card."""
    depth = None if cut.insert is None else estimate(cut.insert.facts, "depth_cards")
    end = None if cut.insert is None else cut.insert.facts.get("from")
    if depth is None or depth.low is None or depth.high is None or end not in ("top", "bottom"):
        return None
    return (depth.low, depth.high) if end == "top" else (total - depth.high, total - depth.low)


class MoveCover(CutClause):
    """The cover card goes to the bottom with the packet."""

    HEADER = header(
        "(d)-movecover",
        "The cover card goes to the bottom with them.",
        "cut",
        "packet.move cover.move cover.remove",
        "whether the cover card moved with the packet",
    )
    ASKS = "(d) asks that the cover card go to the bottom with the packet"

    def judge(self, cut: Cut, sight: Sight) -> Ruling | None:
        """The packet's last move settles it."""
        move, load = cut.move, cut.change.load
        if not cut.inserts and cut.by_hand:
            return self.off(cut, cut.end_us, "a packet was lifted off the stack", LIFTED, events=ids(move))
        if move is None:
            seen = "the packet was not seen moved"
            if cut.again is not None:
                return self.off(cut, cut.again.start_us, seen, CUT_AGAIN)
            if load is None:
                return self.say(cut, N, sight.now_us, seen, ENDED) if sight.ended else None
            if self.law.looked(sight, cut.end_us, load.t_us, "move_act_s"):
                return self.off(cut, load.end_us, seen, NOT_MOVED)
            return self.say(cut, N, load.end_us, seen, UNSEEN)
        return self._moved(cut, move)

    def _moved(self, cut: Cut, move: Event) -> Ruling:
        told, until_us = move.facts.get("with_cover_card"), self._until_us(cut)
        more: dict[str, Any] = {"events": ids(*cut.moves)}
        later = [e for e in cut.change.before_load("cover.move", "cover.remove") if e.facts.get("which") == 1]
        later = [e for e in later if e.t_us >= move.t_us and (until_us is None or e.t_us < until_us)]
        if not isinstance(told, bool):
            off = "Whether the cover card went with it cannot be told"
            return self.say(cut, I, move.end_us, "the packet was moved", off, **more)
        if told:
            taken = [e for e in later if e.kind == "cover.remove"]
            if taken:
                off = "A cover card was taken out again afterwards"
                more["events"] = ids(*cut.moves, *taken)
                return self.say(cut, I, taken[0].end_us, "the cover card moved with the packet", off, **more)
            return self.say(cut, C, move.end_us, "the cover card moved with the packet", "Nothing is missing", **more)
        put = [e for e in later if e.kind == "cover.move" and e.facts.get("to") == "bottom"]
        seen = "the packet was moved without the cover card"
        if put:
            off = "The cover card was put on the bottom afterwards"
            more["events"] = ids(*cut.moves, *put)
            return self.say(cut, C, put[0].end_us, seen, off, corrected=True, **more)
        settled = until_us is not None
        return self.say(cut, V, move.end_us, seen, "It was not seen going to the bottom", decided=settled, **more)

    @staticmethod
    def _until_us(cut: Cut) -> int | None:
        if cut.again is not None:
            return cut.again.start_us
        return None if cut.change.load is None else cut.change.load.t_us


RULES: tuple[type[Any], ...] = (MovePacket, MoveCover)
