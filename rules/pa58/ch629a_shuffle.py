"""§ 629a.5(a), the shuffle: it is done, it mixes the cards, and by hand it leaves the stack feathered."""

from __future__ import annotations

from rules.event import Event
from rules.explain import number_word
from rules.finding import Verdict
from rules.pa58.ch629a_stack_clause import C, I, N, StackClause, V, header, ids
from rules.pa58.ch629a_stack_law import AREA, DEVICE
from rules.ruling import Ruling, Sight
from rules.skeletons.bounds import Estimate, at_least, estimate
from rules.skeletons.change import Change
from rules.skeletons.told import SHUFFLES

DEVICE_DONE = "shuffled by a device"
REAL = ("shuffle.wash", "shuffle.riffle", "shuffle.device")


class ShuffleClause(StackClause):
    """A clause whose occasion is the shuffle: it needs to have been seen."""

    def cases(self, change: Change) -> tuple[Change, ...]:
        """A shuffle of which something was seen."""
        return (change,) if change.acts or change.shuffle_end is not None else ()

    def trigger_us(self, change: Change) -> int:
        """The beginning of the shuffle."""
        return change.acts[0].t_us if change.acts else change.opened_us


class Shuffle(StackClause):
    """The cards are shuffled. Loading a device is no shuffle; a shuffle not seen is breached by proof of looking."""

    HEADER = header(
        "(a)-shuffle",
        "The cards are shuffled, by hand or by a device, before play of the shoe.",
        "shoe",
        "shuffle.wash shuffle.riffle shuffle.strip shuffle.device lamp.read shuffle.end shoe.load",
        "an act of a shuffle, or a device seen to run; its lack counts only if the cards were in view all along",
        signals="preshuffled",
    )
    ASKS = "(a) asks that the cards be shuffled before play of the shoe"

    def cases(self, change: Change) -> tuple[Change, ...]:
        """Every change in which the stack was handled, or shuffled."""
        told = change.acts or change.handled or change.load or change.before_load("shuffler.load", "shuffle.end")
        return (change,) if told else ()

    def trigger_us(self, change: Change) -> int:
        """When the change began."""
        return change.opened_us

    def judge(self, change: Change, sight: Sight) -> Ruling | None:
        """A shuffle settles it once the stack is handled on; the loading settles its lack."""
        done = [event for event in change.acts if event.kind in REAL] or self._ran(change)
        settled = change.handled or change.load
        if done:
            seen = self._seen(change, done)
            end_us = done[-1].end_us
            decided = settled is not None or change.shuffle_end is not None
            return self.say(change, C, end_us, seen, "Nothing is missing", events=ids(*done), decided=decided)
        if change.load is None:
            return self._unfinished(change, sight)
        return self._none(change, change.load, sight)

    @staticmethod
    def _seen(change: Change, done: list[Event]) -> str:
        riffles = sum(event.kind == "shuffle.riffle" for event in done)
        if any(event.kind in ("shuffle.device", "lamp.read") for event in done):
            return "a shuffling device was seen to run"
        parts = ["the cards were washed"] if any(e.kind == "shuffle.wash" for e in done) else []
        parts += [f"{number_word(riffles)} riffle{'s were' if riffles > 1 else ' was'} seen"] if riffles else []
        begun = "" if change.begun_us is not None else "; the recording begins in the midst of it"
        return " and ".join(parts) + begun

    def _ran(self, change: Change) -> list[Event]:
        """A lamp that came to show a run after the device was loaded."""
        loads = change.before_load("shuffler.load")
        reads = change.before_load("lamp.read")
        if not loads:
            return []
        running = [e for e in reads if e.t_us >= loads[0].end_us and self._runs(e)]
        before = [e for e in reads if e.t_us < loads[0].end_us]
        return [] if before and self._runs(before[-1]) else running

    def _runs(self, read: Event) -> bool:
        return read.facts.get("colour") in self.law.numbers["device_run_colours"]

    def _unfinished(self, change: Change, sight: Sight) -> Ruling | None:
        if not sight.ended:
            return None
        seen = "no shuffle was seen, and the shoe was not seen loaded"
        return self.say(change, N, sight.now_us, seen, "The recording, or the change, ended before it could be decided")

    def _none(self, change: Change, load: Event, sight: Sight) -> Ruling:
        """The stack is in the shoe and no shuffle was seen."""
        doubts = [*change.before_load(*SHUFFLES, doubtful=True), *change.before_load("shuffle.strip", "shuffle.end")]
        more = {"events": ids(*doubts, load)}
        if doubts:
            return self.say(
                change, I, load.end_us, "a shuffle was not surely seen", "Whether it was one is open", **more
            )
        if change.begun_us is None:
            off = (
                "The recording does not show where the cards came from, so they may have been shuffled before it began"
            )
            return self.say(change, N, load.end_us, "the stack went into the shoe; no shuffle was seen", off, **more)
        loaded = change.before_load("shuffler.load")
        looked = self.law.looked(sight, change.begun_us, load.t_us, "shuffle_act_s")
        if loaded:
            # A lamp tells of a run in a moment.
            looked &= self.law.looked(sight, loaded[0].t_us, load.t_us, "offer_act_s", (AREA, DEVICE))
        if not looked:
            off = "The cards were out of view meanwhile, so it may have passed unseen"
            return self.say(change, N, load.end_us, "no shuffle was seen before the loading", off, **more)
        return self._proved(change, load, loaded)

    def _proved(self, change: Change, load: Event, loaded: list[Event]) -> Ruling:
        """Everything was in view: only a device elsewhere could have shuffled the cards."""
        more = {"events": ids(*loaded, load)}
        if loaded:
            lit = [e for e in change.before_load("lamp.read") if e.t_us >= loaded[0].end_us and self._runs(e)]
            seen = "the cards were put into the shuffling device, and it was not seen to run"
            if lit:
                off = "Its lamp showed a run all along, so whether it ran cannot be told"
                return self.say(change, I, load.end_us, seen, off, **more)
            off = "No cycle and no lamp was seen, though all was in view: loading the device is no shuffle"
            return self.say(change, V, load.end_us, seen, off, **more)
        seen = "the stack went from the table into the shoe, and no shuffle was seen"
        by_hand = change.signals.get("shuffler") == "none" or change.signals.get("shuffle_method") == "manual"
        if not by_hand:
            off = "Whether a device out of view shuffled them is not known (signals shuffler, shuffle_method)"
            return self.say(change, N, load.end_us, seen, off, **more)
        return self.say(change, V, load.end_us, seen, "The step was not seen, though the cards were in view", **more)


class Intermix(ShuffleClause):
    """The shuffle leaves nothing unmixed. Randomness cannot be seen: the procedure can, and a packet left out."""

    HEADER = header(
        "(a)-intermix",
        "The shuffle leaves the cards randomly intermixed: no packet bypasses it.",
        "shuffle",
        "shuffle.wash shuffle.riffle shuffle.strip shuffle.device shuffle.end",
        "compliant where the whole procedure was seen; breached only by a packet visibly never mixed",
        signals="preshuffled",
    )
    ASKS = "(a) asks that the cards be randomly intermixed"

    def judge(self, change: Change, sight: Sight) -> Ruling | None:
        """The end of the shuffle, or the first thing done after it, settles it."""
        end = change.shuffle_end
        if end is None and change.handled is None and change.load is None and not sight.ended:
            return None
        last = end or change.acts[-1]
        more = {"events": ids(*change.acts, end)}
        ruling = self._packet(change, end, last) if end is not None else None
        if ruling is not None:
            return ruling
        if not change.acts or not self._all_seen(change, last, sight):
            seen = f"{self._procedure(change)}; not the whole shuffle was seen"
            return self.say(change, N, last.end_us, seen, "What came before or meanwhile is not known", **more)
        if change.begun_us is None:
            seen = f"{self._procedure(change)}; the recording begins in the midst of the shuffle"
            return self.say(change, I, last.end_us, seen, "What had been mixed before cannot be told", **more)
        if self._complete(change):
            off = "The procedure was followed; that the order is random cannot be seen"
            return self.say(change, C, last.end_us, self._procedure(change), off, **more)
        off = "Whether that mixed all of the cards cannot be told"
        return self.say(change, I, last.end_us, self._procedure(change), off, **more)

    def _packet(self, change: Change, end: Event, last: Event) -> Ruling | None:
        """A packet that was followed through the shuffle and never mixed."""
        unmixed, slug = estimate(end.facts, "unmixed_cards"), int(self.law.numbers["slug_cards"])
        if unmixed is None:
            return None
        measured = unmixed.measured("cards", slug)
        more = {"events": ids(*change.acts, end), "measured": measured}
        verdict = at_least(unmixed, slug, self.law.share)
        if verdict is C:
            seen = "a packet was followed through the whole shuffle and was never mixed with the others"
            return self.say(change, V, last.end_us, seen, f"At least {slug} cards bypassed the shuffle", **more)
        if verdict is I:
            seen = "a packet may have bypassed the shuffle"
            return self.say(change, I, last.end_us, seen, "Whether it was ever mixed cannot be told", **more)
        return None

    def _all_seen(self, change: Change, last: Event, sight: Sight) -> bool:
        begun_us = change.acts[0].t_us if change.acts else change.opened_us
        after = change.handled or change.load if change.shuffle_end is None else None
        end_us = last.end_us if after is None else max(after.t_us, last.end_us)
        return self.law.looked(sight, begun_us, end_us, "cut_act_s")

    def _complete(self, change: Change) -> bool:
        kinds = [event.kind for event in change.acts]
        return "shuffle.device" in kinds or kinds.count("shuffle.riffle") >= self.law.numbers["intermix_riffles"]

    @staticmethod
    def _procedure(change: Change) -> str:
        kinds = [event.kind for event in change.acts]
        if "shuffle.device" in kinds:
            return "a shuffling device was seen to run"
        names = {"shuffle.wash": "wash", "shuffle.riffle": "riffle", "shuffle.strip": "strip"}
        counts = [(kinds.count(kind), name) for kind, name in names.items()]
        words = [f"{number_word(n)} {name}{'es' if name == 'wash' else 's'}" for n, name in counts if n > 1]
        words += [f"one {name}" for n, name in counts if n == 1]
        return f"{', '.join(words)} seen" if words else "a finished shuffle was seen"


class Feather(ShuffleClause):
    """After a shuffle by hand the whole stack is left laced, not squared."""

    HEADER = header(
        "(a)-feather",
        "After a shuffle by hand the whole stack is left laced and not squared until it could be looked at.",
        "shuffle",
        "shuffle.end stack.square",
        "the share of the stack's length that is left unsquared, against the whole",
        signals="preshuffled shuffle_method",
    )
    ASKS = "(a) asks that after a shuffle by hand the entire stack be left feathered for the floor to look at"

    def trigger_us(self, change: Change) -> int:
        """The end of the shuffle."""
        return super().trigger_us(change) if change.shuffle_end is None else change.shuffle_end.t_us

    def judge(self, change: Change, sight: Sight) -> Ruling | None:
        """The stack as it lay when the shuffle was over."""
        end = change.shuffle_end
        if change.method == "device":
            last = end or change.acts[-1]
            return self.off(change, last.end_us, "a device shuffled the cards", DEVICE_DONE, events=ids(last))
        if end is None:
            if change.handled is None and change.load is None and not sight.ended:
                return None
            last_us = change.acts[-1].end_us
            return self.say(
                change,
                N,
                last_us,
                "the stack was not seen at rest after the shuffle",
                "It may have been left feathered",
            )
        return self._measured(change, end, sight)

    def _measured(self, change: Change, end: Event, sight: Sight) -> Ruling:
        found, asked = estimate(end.facts, "feathered"), float(self.law.numbers["feathered_share"])
        tolerance = float(self.law.numbers["feathered_tolerance"])
        verdict = at_least(found, asked, 1.0, tolerance)
        measured = None if found is None else found.measured("fraction of the stack", asked)
        squared = self._squared_at_once(change, end)
        decided = change.handled is not None or change.load is not None or sight.now_us > end.end_us + self._look_us
        more = {"measured": measured, "events": ids(end, squared), "decided": decided}
        if found is None:
            return self.say(
                change, I, end.end_us, "the stack was seen at rest", "How much of it was feathered is not told", **more
            )
        if squared is not None and verdict is not V:
            off = "Whether the floor had looked by then is not known"
            return self.say(change, I, squared.end_us, "the stack was squared at once after the shuffle", off, **more)
        return self.say(change, verdict, end.end_us, self._seen(found), self._far(verdict, found, asked), **more)

    @property
    def _look_us(self) -> int:
        return self.law.us("floor_look_s")

    def _squared_at_once(self, change: Change, end: Event) -> Event | None:
        squares = [e for e in change.before_load("stack.square") if e.t_us >= end.end_us]
        return next((e for e in squares if e.t_us < end.end_us + self._look_us), None)

    @staticmethod
    def _seen(found: Estimate) -> str:
        if found.low is None or found.high is None:
            return f"about {100 * (found.value or 0.0):.0f} % of the stack's length was left unsquared"
        return f"{100 * found.low:.0f} to {100 * found.high:.0f} % of the stack's length was left unsquared"

    @staticmethod
    def _far(verdict: Verdict, found: Estimate, asked: float) -> str:
        if verdict is C:
            return "The whole stack was feathered"
        if verdict is V:
            return f"At least {100 * (asked - (found.high or 0.0)):.0f} % of its length was squared"
        return "Whether the whole of it was feathered cannot be told"


RULES = (Shuffle, Intermix, Feather)
