"""One physical card on its way: where it came from, what it showed, where it lies.

A card outlives its tracks: a hand closes over it, the tracker loses it, another track picks it up on the other
side. What binds the pieces together is evidence of place and time, kept here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from vision.read import Reading
from vision.sighting import Sighting
from vision.track import FIRST_SIGHTINGS, MOST_SIGHTINGS, Track
from vision.vote import RankVote

#: So many sightings of its face in a row, and a card was seen face up (one frame may be a slip of the detector).
FACE_RUN = 3
#: ... which must span at least this.
FACE_RUN_US = 90_000
#: This share of its sightings must show its back before its back counts as shown all along.
BACK_SHARE = 0.8
#: Sightings that are good enough, and many enough, to say how large it is.
GOOD_SCORE = 0.6
LEAST_SIDES = 4
#: ... to say how much it covers; where there are not so many good ones, fair ones will have to do.
LEAST_AREAS, FAIR_SCORE = 3, 0.4
#: A blurred card looks larger than it is, in some looks more than in others.
SIDES_QUANTILE = 0.25
#: A card whose long side shows less than this is half under a hand.
WHOLE_MM = 80.0
#: What it shows now is judged from so long.
NOW_US = 350_000
#: The reader's share in that judgement.
READER_SAY = 0.65


@dataclass(slots=True, eq=False)
class Card:
    """A card out of the shoe, or one that lay on the table before anybody looked (`source` 'unsure')."""

    number: int
    source: str
    since_us: int
    hand: str
    track: Track | None
    vote: RankVote
    drawn: bool = False  # a draw was reported for it
    drawn_us: int = 0  # when it was touched in the shoe
    pulled_us: int = 0  # when it was out of it
    doubted: bool = False  # drawn, as it seemed, while the shoe was empty: nothing is told of it
    told: bool = False  # whether the draw was reported
    confidence: float = 1.0
    sightings: list[Sighting] = field(default_factory=list)
    pair_reads: list[float] = field(default_factory=list)  # probability of two cards, per reading of its back
    face_reads: list[tuple[int, float]] = field(default_factory=list)  # (t_us, probability that a face is up)
    placed_us: int | None = None  # the rest that was reported last
    placed_zone: str | None = None
    laid_us: int | None = None  # the first rest that was reported
    lay: Sighting | None = None  # how it lay when that rest was reported
    lays: list[Sighting] = field(default_factory=list)  # ... and how at each rest before
    exposed_us: int | None = None  # at rest, or shown, face up for the first time
    rank_told: bool = False  # whether its rank was reported
    rides_on: Card | None = None  # the card that lies on it, or that it lies on, and whose way it goes
    in_play: bool = False  # it was dealt to a player's or the banker's hand
    burned: bool = False
    gone: bool = False
    entered_us: int | None = None  # since when it has been over the bucket
    hidden_us: int = 0  # when a hand was last over the bucket that it fell into
    hand_over_bucket_us: int | None = None  # a hand reached the bucket after the card was lost from sight

    def see(self, sighting: Sighting) -> None:
        """Takes in where it is seen now; of a long rest the first and the latest sightings are kept."""
        self.sightings.append(sighting)
        if self.placed_us is not None and len(self.sightings) > MOST_SIGHTINGS:
            del self.sightings[FIRST_SIGHTINGS : MOST_SIGHTINGS // 2]

    @property
    def last(self) -> Sighting:
        """Where it was seen last."""
        return self.sightings[-1]

    @property
    def turned_us(self) -> int:
        """When it was turned to the side that it shows now; 0 if no sighting shows the other one."""
        others = (s for s in reversed(self.sightings) if s.cls != self.last.cls)
        other = next(others, None)
        if other is None:
            return 0
        return next(s.t_us for s in self.sightings if s.t_us > other.t_us)

    def add(self, reading: Reading, t_us: int, *, covered: bool = False) -> None:
        """Takes in what the reader made of the sighting at `t_us`; `covered`: a hand hid a good part of it."""
        self.face_reads.append((t_us, reading.face))
        self.vote.add(reading, covered=covered)
        if reading.face < 0.5 and self.entered_us is None:
            self.pair_reads.append(reading.pair)  # in the bucket it lies on others, whose edges show beside it

    @property
    def face(self) -> str:
        """What it shows now: 'up', 'down' or 'unsure', from the last third of a second.

        The detector sees a small picture and takes an ornate ace for a back; the reader sees all the pixels there are,
        so it has the greater say.
        """
        recent = [s for s in self.sightings[-10:] if self.last.t_us - s.t_us <= NOW_US]
        up = sum(s.score for s in recent if s.cls == "card_face")
        share = up / max(sum(s.score for s in recent), 1e-9)
        reads = [p for t, p in self.face_reads if self.last.t_us - t <= NOW_US] or [p for _, p in self.face_reads[-3:]]
        if reads:
            share = (1 - READER_SAY) * share + READER_SAY * sum(reads) / len(reads)
        if share >= 0.65:
            return "up"
        return "down" if share <= 0.35 else "unsure"

    @property
    def showed_face(self) -> str:
        """Whether its face was in view, for longer than a slip, since it left the shoe: 'yes', 'no' or 'unsure'."""
        return self.showed_in(self.sightings)

    def showed_in(self, sightings: Sequence[Sighting]) -> str:
        """The same of some of its sightings.

        'yes' needs both: the detector over some frames, and the reader on crops of that time.
        """
        best = "no"
        run: list[Sighting] = []
        for sighting in [*sightings, None]:
            if sighting is not None and sighting.cls == "card_face" and sighting.score >= 0.4:
                run.append(sighting)
                continue
            if len(run) >= FACE_RUN and run[-1].t_us - run[0].t_us >= FACE_RUN_US:
                said = self._read_within(run[0].t_us, run[-1].t_us)
                if said == "yes":
                    return "yes"
                best = "unsure" if said == "unsure" else best
            run = []
        return best

    def showed_back_in(self, sightings: Sequence[Sighting]) -> bool:
        """Whether its back, and nothing else, was in view over enough of these sightings, by detector and reader."""
        backs = [s for s in sightings if s.cls == "card_back" and s.score >= 0.4]
        if len(backs) < FACE_RUN or len(backs) < BACK_SHARE * len(sightings):
            return False
        times = {s.t_us for s in sightings}
        reads = [p for t, p in self.face_reads if t in times]
        return len(reads) >= 2 and sum(reads) / len(reads) < 0.3

    def _read_within(self, from_us: int, until_us: int) -> str:
        """What the reader says of a spell: 'yes' a face, 'no' none, 'unsure'."""
        reads = [p for t, p in self.face_reads if from_us <= t <= until_us]
        if not reads:
            return "unsure"
        mean = sum(reads) / len(reads)
        if len(reads) >= 2 and mean >= 0.7:
            return "yes"
        return "no" if mean < 0.3 else "unsure"

    @property
    def back_sides_mm(self) -> tuple[float, float] | None:
        """Its short and long side as its back was seen on its way, mm; None from too few good sightings.

        In the bucket it may be taken for what lies there already.
        """
        return self._sides_mm("card_back")

    @property
    def face_sides_mm(self) -> tuple[float, float] | None:
        """The same as its face was seen."""
        return self._sides_mm("card_face")

    def _on_its_way(self, cls: str, least_score: float) -> list[Sighting]:
        """Its sightings as `cls`, at least so sure, before it came over the bucket."""
        way = (s for s in self.sightings if self.entered_us is None or s.t_us < self.entered_us)
        return [s for s in way if s.cls == cls and s.score >= least_score]

    def _sides_mm(self, cls: str) -> tuple[float, float] | None:
        sides = [sorted(s.sides_mm) for s in self._on_its_way(cls, GOOD_SCORE)]
        sides = [pair for pair in sides if pair[1] >= WHOLE_MM]
        if len(sides) < LEAST_SIDES:
            return None
        short, long = np.quantile(np.array(sides), SIDES_QUANTILE, axis=0)
        return float(short), float(long)

    @property
    def back_area_mm2(self) -> float | None:
        """How much its back covered on its way, square mm; None from too few good sightings.

        Between the lower quarter and the middle of what was seen: blur enlarges it in some looks, fingers lessen it.
        """
        backs = self._on_its_way("card_back", FAIR_SCORE)
        good = [s.area_mm2 for s in backs if s.score >= GOOD_SCORE]
        areas = good if len(good) >= LEAST_AREAS else [s.area_mm2 for s in backs]
        if len(areas) < LEAST_AREAS:
            return None
        return float(np.exp(np.quantile(np.log(areas), [SIDES_QUANTILE, 0.5]).mean()))

    @property
    def pair_score(self) -> float | None:
        """How much it looks like two cards: the third highest of its readings, so that two slips do not accuse."""
        return sorted(self.pair_reads)[-3] if len(self.pair_reads) >= 3 else None
