"""That a card showed its face, and what was read of it while it lies there."""

from __future__ import annotations

from typing import Any

from vision.card import Card


def was_shown(card: Card) -> bool:
    """Whether its face was in view; in doubt yes, if it lies face up now: showing the first card is what is asked."""
    showed = card.showed_face
    return showed == "yes" or (showed == "unsure" and card.face == "up")


def read_lying(card: Card, t_us: int) -> dict[str, Any] | None:
    """The facts of a `card.exposed` of a card that lies face up and whose rank was not told when it was laid down.

    None until the readings have settled: what a rank decides is then known while the card still lies there, and not
    only when it is taken up.
    """
    if card.rank_told or card.placed_us is None or card.laid_us is None or card.face != "up" or not card.vote.certain:
        return None
    rank = card.vote.facts()
    if not rank:
        return None
    where = {"source": card.source, "zone": card.placed_zone, "duration_us": t_us - card.laid_us, "card": card.number}
    return {**where, **rank}
