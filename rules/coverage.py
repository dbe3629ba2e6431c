"""Which zones were in view when: what a verdict about something *not* done has to rest on."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rules.event import Event

#: A loss of this zone is a loss of every zone.
WHOLE_TABLE = "table"

#: The kinds of event that tell of the view.
VIEW = ("view.lost", "view.back")

Interval = tuple[int, int]
Key = tuple[str, str]  # zone and cause


@dataclass(frozen=True, slots=True)
class Loss:
    """A zone out of view from `start_us` to `end_us`; `end_us` None: not seen again so far."""

    zone: str
    cause: str
    start_us: int
    end_us: int | None


def losses(events: Iterable[Event]) -> list[Loss]:
    """The losses of view that `view.lost` and `view.back` tell of, whatever their order.

    A loss ends with the next `view.back` of its zone and cause (one without a cause ends all of its zone's). Without
    one, a `view.lost` that itself lasts (`end_us` > `t_us`) ends with itself, and one that does not is still going on.
    """
    return [loss for _, loss in _told(events)]


def within(events: Iterable[Event], spans: Sequence[tuple[int, int | None]]) -> list[Event]:
    """Those of the events that tell of the view in any of the spans; a span that ends with None goes on."""
    events, open_us = list(events), min((start for start, end in spans if end is None), default=None)
    kept = [(event, loss) for event, loss in _told(events) if any(_meets(loss, span) for span in spans)]
    ends = {(loss.zone, loss.end_us) for _, loss in kept}
    backs = [
        event
        for event in events
        if event.kind == "view.back"
        and ((_key(event)[0], event.t_us) in ends or (open_us is not None and event.t_us >= open_us))
    ]
    return [*(event for event, _ in kept), *backs]


def _meets(loss: Loss, span: tuple[int, int | None]) -> bool:
    return (loss.end_us is None or loss.end_us >= span[0]) and (span[1] is None or loss.start_us <= span[1])


def _told(events: Iterable[Event]) -> list[tuple[Event, Loss]]:
    told = sorted((e for e in events if e.kind in VIEW), key=lambda e: (e.t_us, e.end_us, e.id))
    lost: dict[Key, list[int]] = {}
    backs: dict[Key, list[int]] = {}
    for event in told:
        (lost if event.kind == "view.lost" else backs).setdefault(_key(event), []).append(event.t_us)
    found = []
    for event in told:
        if event.kind == "view.lost":
            key = _key(event)
            ends = [_next(backs.get(back, ()), event.end_us) for back in dict.fromkeys((key, (key[0], "")))]
            back_us = min((end for end in ends if end is not None), default=None)
            found.append((event, Loss(*key, event.t_us, _end(event, back_us, _next(lost[key], event.t_us + 1)))))
    return found


def _end(lost: Event, back_us: int | None, again_us: int | None) -> int | None:
    """When a loss ended: a later loss of the same kind claims a `view.back` that comes after it."""
    if lost.end_us == lost.t_us:
        return back_us
    own = back_us is not None and (again_us is None or back_us <= again_us)
    return back_us if own else lost.end_us


def _next(times_us: Sequence[int], moment_us: int) -> int | None:
    at = bisect_left(times_us, moment_us)
    return times_us[at] if at < len(times_us) else None


def _key(event: Event) -> Key:
    return str(event.facts.get("zone", WHOLE_TABLE)), str(event.facts.get("cause", ""))


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was in view; made from the losses of view known so far. Without any, everything was."""

    losses: Sequence[Loss] = ()

    def gaps(self, start_us: int, end_us: int, zones: Iterable[str]) -> list[Interval]:
        """When any of `zones` was out of view between the two moments; disjoint, in order."""
        wanted = {*zones, WHOLE_TABLE}
        cut = [
            (max(loss.start_us, start_us), end_us if loss.end_us is None else min(loss.end_us, end_us))
            for loss in self.losses
            if loss.zone in wanted
        ]
        return merged([(a, b) for a, b in cut if b > a])

    def share(self, start_us: int, end_us: int, zones: Iterable[str]) -> float:
        """Share of the time, 0..1, in which all of `zones` were in view; 1.0 or 0.0 for a single moment."""
        if end_us <= start_us:
            return float(self.whole(start_us, start_us, zones))
        hidden_us = sum(b - a for a, b in self.gaps(start_us, end_us, zones))
        return 1.0 - hidden_us / (end_us - start_us)

    def longest_us(self, start_us: int, end_us: int, zones: Iterable[str]) -> int:
        """The longest time without a view of any one of `zones`."""
        return max((b - a for a, b in self.gaps(start_us, end_us, zones)), default=0)

    def whole(self, start_us: int, end_us: int, zones: Iterable[str]) -> bool:
        """Whether none of `zones` was ever out of view between the two moments, both included."""
        wanted = {*zones, WHOLE_TABLE}
        return not any(
            loss.zone in wanted and loss.start_us <= end_us and (loss.end_us is None or loss.end_us >= start_us)
            for loss in self.losses
        )


def merged(intervals: Iterable[Interval]) -> list[Interval]:
    """The same time as disjoint intervals in order."""
    result: list[Interval] = []
    for start, end in sorted(intervals):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], end))
        else:
            result.append((start, end))
    return result
