"""§ 629a.5(d), the end: the second cover card goes in, after the packet was moved, and the stack into the shoe."""

from __future__ import annotations

from typing import Any

from rules.event import Event
from rules.pa58.ch629a_cut import CutClause
from rules.pa58.ch629a_stack_clause import C, I, N, StackClause, V, header, ids
from rules.pa58.ch629a_stack_law import AREA, SHOE
from rules.pa58.ch629a_transfer import CUT_AGAIN, ENDED, UNSEEN
from rules.ruling import Ruling, Sight
from rules.skeletons.bounds import Estimate, estimate
from rules.skeletons.change import Change, Cut
from rules.skeletons.told import COVER


class SecondCover(CutClause):
    """The second cover card is put in before the stack goes into the shoe."""

    HEADER = header(
        "(d)-second",
        "A second cover card is put in before the shoe is loaded.",
        "cut",
        "packet.move cover.insert cover.surface shoe.load",
        "a second cover card seen put in; its lack counts only if the stack was in view until it was loaded",
        options="recut_repeats_second_cover",
    )
    ASKS = "(d) asks that a second cover card be put in before the stack goes into the shoe"

    def trigger_us(self, cut: Cut) -> int:
        """The packet's move; if it was not seen, the cut."""
        return cut.start_us if cut.move is None else cut.move.t_us

    def judge(self, cut: Cut, sight: Sight) -> Ruling | None:
        """The insertion settles it, or the loading without one."""
        load = cut.change.load
        if cut.seconds:
            first = cut.seconds[0]
            return self.say(
                cut, C, first.end_us, "a second cover card was put in", "Nothing is missing", events=ids(first)
            )
        seen = "no second cover card was seen put in"
        if cut.again is not None:
            return self.off(cut, cut.again.start_us, seen, CUT_AGAIN)
        if load is None:
            return self.say(cut, N, sight.now_us, seen, ENDED) if sight.ended else None
        choice = self.law.options["recut_repeats_second_cover"] if cut.number > 0 else "required"
        if choice == "not_required":
            return self.off(cut, load.end_us, seen, "after a recut it need not be put in again", events=ids(load))
        return self._missing(cut, load, choice, sight)

    def _missing(self, cut: Cut, load: Event, choice: str, sight: Sight) -> Ruling:
        seen, since_us = "no second cover card was seen put in before the loading", self._since_us(cut)
        doubtful = cut.change.before_load(COVER, doubtful=True)
        surfaced = [e for e in cut.change.of("cover.surface") if e.facts.get("which") == 2]
        more = {"events": ids(cut.move, *doubtful, load, *surfaced)}
        if doubtful or surfaced:
            off = "One came out of the shoe later" if surfaced else "One may have been: it was not surely seen"
            return self.say(cut, I, load.end_us, seen, off, **more)
        if not self.law.looked(sight, since_us, load.t_us, "cover_act_s"):
            return self.say(cut, N, load.end_us, seen, UNSEEN, **more)
        if choice == "unsettled":
            off = "Whether it has to be put in again after a recut the text does not say"
            return self.say(cut, I, load.end_us, seen, off, **more)
        return self.say(cut, V, load.end_us, seen, "The step was not seen, though the stack was in view", **more)

    @staticmethod
    def _since_us(cut: Cut) -> int:
        return cut.end_us if cut.move is None else cut.move.end_us


class Order(CutClause):
    """The second cover card goes in only after the packet was moved."""

    HEADER = header(
        "(d)-order",
        "The second cover card goes in after the packet was moved.",
        "cut",
        "packet.move cover.insert",
        "which came first, to a fifth of a second",
    )
    ASKS = "(d) asks that the second cover card be put in after the packet was moved"

    def cases(self, change: Change) -> tuple[Cut, ...]:
        """The cuts with a second cover card."""
        return tuple(cut for cut in change.cuts if cut.seconds)

    def judge(self, cut: Cut, sight: Sight) -> Ruling | None:
        """Both have to have been seen."""
        move, load = cut.move, cut.change.load
        more: dict[str, Any] = {"events": ids(*cut.moves, *cut.seconds)}
        if move is None:
            seen = "a second cover card was put in; the packet was not seen moved"
            if load is None and cut.again is None:
                return self.say(cut, N, sight.now_us, seen, ENDED, **more) if sight.ended else None
            return self.say(cut, N, cut.seconds[-1].end_us, seen, "Which came first is not known", **more)
        slack_us = self.law.us("order_tolerance_s")
        after = [e for e in cut.seconds if e.t_us >= move.end_us - slack_us]
        before = [e for e in cut.seconds if e.end_us <= cut.moves[0].t_us + slack_us]
        if after:
            seen = "the second cover card was put in after the packet was moved"
            off = "One put in too early was put in anew" if before else "The order is right"
            return self.say(cut, C, after[0].end_us, seen, off, corrected=bool(before), **more)
        if len(before) < len(cut.seconds):
            seen = "the second cover card was put in while the packet was moved"
            return self.say(cut, I, move.end_us, seen, "Which came first cannot be told", **more)
        return self._too_early(cut, move, sight, more)

    def _too_early(self, cut: Cut, move: Event, sight: Sight, more: dict[str, Any]) -> Ruling:
        seen, load = "the second cover card was put in before the packet was moved", cut.change.load
        until_us = cut.again.start_us if cut.again is not None else None if load is None else load.t_us
        if until_us is not None and not self.law.looked(sight, move.end_us, until_us, "cover_act_s"):
            return self.say(cut, I, move.end_us, seen, "It may have been put in anew while the view was lost", **more)
        off = f"It came {(move.end_us - cut.seconds[-1].end_us) / 1e6:.1f} s too early"
        return self.say(cut, V, move.end_us, seen, off, decided=until_us is not None, **more)


class IntoShoe(StackClause):
    """The stack goes into the shoe, and is in view all the way from the cut."""

    HEADER = header(
        "(d)-shoe",
        "The stack then goes into the shoe, in view all the time.",
        "shoe",
        "cut.insert packet.move shoe.load card.draw stack.place",
        "the loading, and the share of the time from the cut to it in which the stack was in view",
        zones=(AREA, SHOE),
    )
    ASKS = "(d) asks that the stack that was cut be put into the dealing shoe"

    def cases(self, change: Change) -> tuple[Change, ...]:
        """A stack that was cut, or loaded."""
        return (change,) if change.cuts or change.load is not None else ()

    def trigger_us(self, change: Change) -> int:
        """The cut; if none was seen, the loading."""
        if change.cuts:
            return change.cuts[-1].end_us
        return change.opened_us if change.load is None else change.load.t_us

    def judge(self, change: Change, sight: Sight) -> Ruling | None:
        """The loading settles it, or cards dealt without one."""
        if change.load is not None:
            return self._loaded(change, change.load, sight)
        dealt, drawn = change.dealt_by_hand, change.drawn_from_shoe
        if dealt is not None:
            seen = "cards were dealt from the hand after the cut"
            return self.say(change, V, dealt.end_us, seen, "The stack was not put into the shoe", events=ids(dealt))
        if drawn is not None:
            seen = "cards were drawn from the shoe; its loading was not seen"
            return self.say(
                change, I, drawn.end_us, seen, "Whether it was this stack cannot be told", events=ids(drawn)
            )
        seen = "the stack was cut, and not seen going into the shoe"
        return self.say(change, N, sight.now_us, seen, ENDED) if sight.ended else None

    def _loaded(self, change: Change, load: Event, sight: Sight) -> Ruling:
        more: dict[str, Any] = {"events": ids(load)}
        if not change.cuts:
            seen, off = "the shoe was loaded", "The recording does not show the stack's way from the cut to the shoe"
            return self.say(change, N, load.end_us, seen, off, **more)
        share, asked = estimate(load.facts, "seen_share"), float(self.law.numbers["custody_share"])
        told = None if share is None else share.value
        if told is not None:
            more["measured"] = Estimate(told, share.low if share else None, share.high if share else None).measured(
                "fraction of the time", asked
            )
        seen = "the stack was put into the shoe"
        if (told is not None and told < asked) or not self._in_view(change, load, sight, told is not None):
            off = "It was out of view on the way, so nobody can say that it was the same stack"
            return self.say(change, N, load.end_us, seen, off, **more)
        strayed = [e for e in change.before_load("stack.place") if self._elsewhere(change, e)]
        if strayed:
            more["events"] = ids(*strayed, load)
            off = f"It had been put down in the zone {strayed[0].facts.get('zone')} after the cut"
            return self.say(change, I, load.end_us, seen, off, **more)
        return self.say(change, C, load.end_us, seen, "It was in view from the cut to the shoe", **more)

    def _in_view(self, change: Change, load: Event, sight: Sight, followed: bool) -> bool:
        """Whether the way was in view.

        The hands that load the shoe cover it; where the stack itself was `followed` (its share of the time is told),
        that alone hides nothing.
        """
        view, start_us = sight.coverage, min(change.cuts[-1].end_us, load.t_us)
        enough = view.share(start_us, load.t_us, (AREA,)) >= self.law.numbers["custody_share"]
        at_the_end = (AREA,) if followed else (AREA, SHOE)
        longest_us = max(
            view.longest_us(start_us, load.t_us, (AREA,)), view.longest_us(load.t_us, load.end_us, at_the_end)
        )
        return enough and longest_us <= self.law.us("custody_gap_s")

    @staticmethod
    def _elsewhere(change: Change, placed: Event) -> bool:
        zone = placed.facts.get("zone")
        return placed.t_us > change.cuts[-1].end_us and zone is not None and zone not in (AREA, SHOE, "unsure")


RULES: tuple[type[Any], ...] = (SecondCover, Order, IntoShoe)
