"""What is known of a burned card when it lies in the discard bucket: its number and its face."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vision.card import Card
from vision.pairs import Pairs
from vision.sighting import Sighting, overlap

#: Two sightings of one lying card are no further apart than this.
SAME_PLACE_MM = 12.0
#: ... and two that are at least this far apart are of two cards, even if one is half covered.
NEAR_PLACE_MM = 30.0
#: A back is plain to see at this score of the detector, and at no more than this probability of a face.
PLAIN_SCORE = 0.75
PLAIN_BACK = 0.1
#: What was seen of a card last: of so long.
ENDS_US = 200_000
#: A face under a back that lies over so much of it is not seen any more, but for an edge: a card of at least these
#: sides, mm, that shows a face in that place has come later.
COVERED_SHARE = 0.7
WHOLE_MM = (55.0, 75.0)


@dataclass(slots=True)
class Face:
    """A card that lies face up in the bucket: how it lay, its rank if it was read, whether a back lies over it."""

    sighting: Sighting
    rank: str | None
    covered: bool = False

    def near(self, sighting: Sighting, within_mm: float) -> bool:
        """Whether a sighting may be of this card."""
        near = float(np.linalg.norm(sighting.centre_mm - self.sighting.centre_mm)) < within_mm
        return near and not (self.covered and all(s >= w for s, w in zip(sighting.sides_mm, WHOLE_MM, strict=True)))


class Bucket:
    """The burned cards of one shoe."""

    def __init__(self) -> None:
        self._additional = 0
        self._faces: list[Face] = []
        self._pairs = Pairs()

    def new_shoe(self) -> None:
        """Numbers start from 0 again, and the bucket is taken to be empty."""
        self._additional = 0
        self._faces = []

    def put(self, card: Card, *, first: bool, shown: Card | None = None) -> dict[str, Any]:
        """Takes a card in; `first` is the shoe's first. Returns the facts of its `card.burn`.

        `shown`: the shoe's first card, which is one card and was seen for long.
        """
        face = "up" if first and card.exposed_us is not None else self.face_of(card)
        self._additional += 0 if first else 1
        facts: dict[str, Any] = {"zone": "discard", "face": face, "index": 0 if first else self._additional}
        likely, most = self._pairs.amount(card, shown)
        facts |= {"card": card.number, "cards": likely, "cards_low": 1, "cards_high": most}
        if face == "up":
            facts.update(card.vote.facts())
        self._lies_over(card)
        if face != "down" and card.last.cls == "card_face":
            self._faces.append(Face(card.last, card.vote.rank))
        return facts

    def _lies_over(self, card: Card) -> None:
        """Notes which faces the card hides: it lies over them, and what was seen of it last is its back."""
        if card.last.cls == "card_back" and card.last.score >= PLAIN_SCORE and card.face == "down":
            for face in self._faces:
                face.covered |= overlap(card.last.quad_mm, face.sighting.quad_mm) >= COVERED_SHARE

    def face_of(self, card: Card) -> str:
        """The face of an additional card: 'up' is an accusation, so it needs proof; a doubt is said."""
        if self._faces:
            return self._face_among_faces(card)
        showed = card.showed_face
        if showed == "yes":
            return "up"
        return "unsure" if showed == "unsure" or card.face != "down" else "down"

    def _face_among_faces(self, card: Card) -> str:
        """The same where a card lies face up in the bucket already.

        A face seen at that card's place is that card's, unless its rank is another. A card that came along with its
        back up, and shows no other face in the end, lies with its back up.
        """
        surely, perhaps = (card.showed_in(self._not_at_faces(card, mm)) for mm in (NEAR_PLACE_MM, SAME_PLACE_MM))
        if surely == "yes":
            return "up"
        ranks, rank = {face.rank for face in self._faces}, card.vote.rank
        if card.face == "up" and rank is not None and None not in ranks:
            if rank not in ranks:
                return "up"
            at_old = self._not_at_faces(card, SAME_PLACE_MM)[-1:] != [card.last]
            return "down" if at_old and surely == "no" and self._came_with_its_back(card) else "unsure"
        if surely == "no" and self._lay_with_its_back(card):
            return "down"
        back = card.face == "down" and surely == "no" and self._came_with_its_back(card)
        return "down" if (perhaps == "no" or back) and not self._ends_with_a_face(card) else "unsure"

    def _ends_with_a_face(self, card: Card) -> bool:
        """Whether the reader took what was seen of it last for a face, and not in the place of one known."""
        elsewhere = {s.t_us for s in self._not_at_faces(card, SAME_PLACE_MM)}
        reads = [p for t, p in card.face_reads if card.last.t_us - t <= ENDS_US and t in elsewhere]
        return bool(reads) and sum(reads) / len(reads) > 0.5

    def _came_with_its_back(self, card: Card) -> bool:
        return card.showed_back_in(self._not_at_faces(card, NEAR_PLACE_MM))

    def _lay_with_its_back(self, card: Card) -> bool:
        """Whether its back was plain to see where it lies now, before half of an older face drew all attention."""
        reads = dict(card.face_reads)
        return any(
            s.cls == "card_back"
            and s.score >= PLAIN_SCORE
            and reads.get(s.t_us, 1.0) <= PLAIN_BACK
            and float(np.linalg.norm(s.centre_mm - card.last.centre_mm)) <= SAME_PLACE_MM
            for s in card.sightings
        )

    def _not_at_faces(self, card: Card, within_mm: float) -> list[Sighting]:
        """Its sightings but for those within a distance of where a card lies face up in the bucket."""
        return [s for s in card.sightings if not any(face.near(s, within_mm) for face in self._faces)]
