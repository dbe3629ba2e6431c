"""What the ledger makes of an act: the events, on a table of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from calibration.tablefile import Layout
from tests.vision.acts import BUCKET_MM, EXIT_MM, SHOWN_MM, Act
from tests.vision.readings import reading
from vision.hands import Hands
from vision.ledger import Ledger
from vision.places import Places
from vision.track import CardTracker

Kinds = list[tuple[str, dict[str, Any]]]


def box(x0: float, y0: float, x1: float, y1: float) -> Any:
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


LAYOUT = Layout(
    shoe_side="left",
    seats=(1, 2, 3),
    zones_mm={
        "shoe": box(-645, 100, -295, 250),
        "discard": box(360, 5, 500, 125),
        "shuffle": box(-260, 110, 260, 380),
        "player": box(20, 140, 250, 250),
        "banker": box(-250, 140, -20, 250),
    },
)
PATH = [EXIT_MM, (-120.0, 200.0), (0.0, 210.0), (250.0, 150.0), BUCKET_MM]


def judge(
    act: Act, covered_s: tuple[float, float] = (0.0, 0.0), *, read: bool = False, rank: str = "", rank_s: float = 0.0
) -> Kinds:
    """The events of an act; an arm is over the bucket from..until.

    With `read` a perfect reader says which side is up, with `rank` that each face is of this rank,
    from `rank_s` seconds on.
    """
    events: Kinds = []
    since_us, until_us = (round(1e6 * second) for second in covered_s)

    def emit(kind: str, t_us: int, end_us: int, facts: dict[str, Any], confidence: float) -> None:
        events.append((kind, dict(facts) | {"t_us": t_us, "confidence": confidence}))

    tracker, hands, ledger = CardTracker(), Hands(), Ledger(Places(LAYOUT), emit)
    for t_us, cards, hand_sightings in act.moments:
        tracker.step(t_us, cards, [h.quad_mm for h in hand_sightings])
        covered_us = since_us if since_us <= t_us < until_us else None
        ledger.step(t_us, tracker.tracks, hands.step(t_us, hand_sightings), bucket_covered_us=covered_us)
        for known in ledger.cards if read else ():
            if known.last.t_us == t_us:
                known.face_reads.append((t_us, float(known.last.cls == "card_face")))
        for known in ledger.cards if rank and t_us >= 1e6 * rank_s else ():
            if known.last.t_us == t_us and known.last.cls == "card_face":
                known.add(reading(rank), t_us)
    ledger.finish(act.t_us)
    return events


def count(events: Kinds, kind: str) -> int:
    return sum(1 for k, _ in events if k == kind)


def burn(act: Act, additional: int, hidden: tuple[float, float] = (2.0, 2.0), seconds: float = 0.7) -> None:
    act.wait(1.0)
    act.carry([EXIT_MM, (-120.0, 200.0), SHOWN_MM], 0.6, cls="card_face")
    act.wait(1.0)
    for _ in range(additional):
        act.carry(PATH, seconds, hidden=hidden)
        act.lying = act.lying[:1] + act.lying[-1:]  # one card on top of the bucket is seen
        act.wait(0.2)
    act.wait(1.0)
