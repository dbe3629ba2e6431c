"""What is known of a burned card when it lies in the discard bucket: its number, its face, whether it may be two."""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.card import Card
from vision.sighting import Sighting

#: Two sightings of one lying card are no further apart than this.
SAME_PLACE_MM = 12.0
#: ... and two that are at least this far apart are of two cards, even if one is half covered.
NEAR_PLACE_MM = 30.0
#: A card that looks like two, and the others of a shoe that look like one (probabilities of the reader).
PAIR_SCORE = 0.7
SINGLE_SCORE = 0.35


class Bucket:
    """The burned cards of one shoe."""

    def __init__(self) -> None:
        self._additional = 0
        self._faces: list[Sighting] = []  # the last sighting of each card that lies there face up
        self._pair_scores: list[float] = []

    def new_shoe(self) -> None:
        """Numbers start from 0 again, and the bucket is taken to be empty."""
        self._additional = 0
        self._faces = []

    def put(self, card: Card, *, first: bool) -> dict[str, Any]:
        """Takes a card in; `first` is the shoe's first. Returns the facts of its `card.burn`."""
        face = "up" if first and card.exposed_us is not None else self.face_of(card)
        self._additional += 0 if first else 1
        facts: dict[str, Any] = {"zone": "discard", "face": face, "index": 0 if first else self._additional}
        facts |= {"card": card.number, "cards": 1, "cards_low": 1, "cards_high": 2 if self._may_be_two(card) else 1}
        if face == "up":
            facts.update(card.vote.facts())
        if face != "down" and card.last.cls == "card_face":
            self._faces.append(card.last)
        return facts

    def face_of(self, card: Card) -> str:
        """The face of an additional card: 'up' is an accusation, so it needs proof; a doubt is said.

        Where a card lies face up in the bucket already, a face seen at its place is taken for that card's, and the
        new one is judged by its way there: a card that came along with its back up has not been turned over.
        """
        if not self._faces:
            showed = card.showed_face
            if showed == "yes":
                return "up"
            return "unsure" if showed == "unsure" or card.face != "down" else "down"
        surely, perhaps = (card.showed_in(self._not_at_faces(card, mm)) for mm in (NEAR_PLACE_MM, SAME_PLACE_MM))
        if surely == "yes":
            return "up"
        if perhaps == "no" or (surely == "no" and card.showed_back_in(self._not_at_faces(card, NEAR_PLACE_MM))):
            return "down"
        return "unsure"

    def _not_at_faces(self, card: Card, within_mm: float) -> list[Sighting]:
        """Its sightings but for those within a distance of where a card lies face up in the bucket."""
        old = [face.centre_mm for face in self._faces]
        near = (min(float(np.linalg.norm(s.centre_mm - at)) for at in old) < within_mm for s in card.sightings)
        return [s for s, is_near in zip(card.sightings, near, strict=True) if not is_near]

    def _may_be_two(self, card: Card) -> bool:
        """Whether two cards may have been drawn as one.

        A strange back or a blurred camera can make every card look like two, so a card is doubted only where the
        others of this shoe look like one.
        """
        score = card.pair_score
        others = list(self._pair_scores)
        if score is not None:
            self._pair_scores.append(score)
        if score is None or len(others) < 2:
            return False
        return score >= PAIR_SCORE and float(np.median(others)) <= SINGLE_SCORE
