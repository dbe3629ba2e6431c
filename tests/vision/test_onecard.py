"""Single cards that the detector takes for stacks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tests.vision.acts import BUCKET_MM, EXIT_MM, card, hand, quad
from tests.vision.ledgers import LAYOUT
from vision.card import Card
from vision.onecard import cards_among
from vision.places import Places
from vision.sighting import Sighting
from vision.track import Track
from vision.vote import RankVote

PLACES = Places(LAYOUT)
FELT_MM = (0.0, 300.0)


def stack(centre: tuple[float, float], t_us: int = 0, sides: tuple[float, float] = (69.0, 97.0)) -> Sighting:
    return Sighting(t_us, "stack", quad(centre, *sides), 0.8)


def known(centre: tuple[float, float], *, cls: str = "card_back", drawn: bool = True, to_us: int = 400_000) -> Card:
    """A card that has lain there for a while."""
    track = Track(1)
    for t_us in range(0, to_us, 50_000):
        track.add(card(t_us, centre, cls))
    out = Card(1, "shoe", 0, "left", track, RankVote(), drawn=drawn)
    out.sightings.extend(track.sightings)
    return out


def among(
    one: Sighting,
    *,
    awaited: bool = False,
    hand_mm: tuple[float, float] = (400.0, 400.0),
    found: Sequence[Sighting] = (),
    cards: Sequence[Card] = (),
) -> int:
    return len(cards_among([one], found, cards, [hand(0, hand_mm)], PLACES, awaited=awaited)[0])


def test_a_stack_in_a_hand_that_came_from_the_shoe_is_a_card() -> None:
    one = stack(FELT_MM)
    backs, left = cards_among([one], [], [], [hand(0, (-20.0, 220.0))], PLACES, awaited=True)
    assert [back.cls for back in backs] == ["card_back"]
    assert backs[0].score <= 0.5
    assert np.array_equal(backs[0].quad_mm, one.quad_mm)
    assert left == []


def test_a_stack_that_no_hand_from_the_shoe_holds_stays_one() -> None:
    assert among(stack(FELT_MM), awaited=False, hand_mm=(-20.0, 220.0)) == 0
    assert among(stack(FELT_MM), awaited=True, hand_mm=(300.0, 100.0)) == 0


def test_a_stack_on_edge_or_of_many_cards_side_by_side_is_no_card() -> None:
    assert among(stack(FELT_MM, sides=(25.0, 88.0)), awaited=True, hand_mm=(-20.0, 220.0)) == 0
    assert among(stack(FELT_MM, sides=(69.0, 150.0)), awaited=True, hand_mm=(-20.0, 220.0)) == 0


def test_what_lies_in_the_shoe_or_the_bucket_stays_a_stack() -> None:
    for place in ((-400.0, 175.0), BUCKET_MM):
        assert among(stack(place), awaited=True, hand_mm=(place[0] - 20.0, place[1] - 70.0)) == 0


def test_a_drawn_card_that_lay_there_goes_on() -> None:
    assert among(stack(FELT_MM, 400_000), cards=[known(FELT_MM)]) == 1
    assert among(stack((40.0, 300.0), 400_000), cards=[known(FELT_MM)]) == 0


def test_a_drawn_card_goes_on_into_the_bucket() -> None:
    moving = known(FELT_MM)
    assert moving.track is not None
    for i, share in enumerate((0.2, 0.45, 0.7)):
        at = (FELT_MM[0] + share * (BUCKET_MM[0] - FELT_MM[0]), FELT_MM[1] + share * (BUCKET_MM[1] - FELT_MM[1]))
        moving.track.add(card(400_000 + 50_000 * i, at))
        moving.see(moving.track.last)
    assert among(stack(BUCKET_MM, 550_000), cards=[moving]) == 1


def test_a_card_that_was_found_as_such_is_not_told_twice() -> None:
    assert among(stack(FELT_MM, 400_000), found=[card(400_000, FELT_MM)], cards=[known(FELT_MM)]) == 0
    beside = [card(400_000, (FELT_MM[0] + 8.0, FELT_MM[1]))]
    assert among(stack((0.0, 215.0), 400_000), found=beside, cards=[known(FELT_MM)]) == 0


def test_a_card_that_was_not_drawn_or_shows_its_face_is_no_stack() -> None:
    assert among(stack(FELT_MM, 400_000), cards=[known(FELT_MM, drawn=False)]) == 0
    assert among(stack(FELT_MM, 400_000), cards=[known(FELT_MM, cls="card_face")]) == 0


def test_what_seemed_drawn_while_the_shoe_was_empty_is_no_card_for_sure() -> None:
    phantom = known(FELT_MM)
    phantom.doubted = True
    assert among(stack(FELT_MM, 400_000), cards=[phantom]) == 0


def test_a_track_that_has_ended_explains_nothing() -> None:
    gone = known(FELT_MM)
    assert gone.track is not None
    gone.track.ended = True
    assert among(replace(stack(FELT_MM), t_us=400_000), cards=[gone]) == 0


def test_a_stack_in_front_of_the_exit_in_the_hand_there_is_a_card() -> None:
    at = (EXIT_MM[0] + 90.0, EXIT_MM[1])
    assert among(stack(at), awaited=True, hand_mm=(at[0] - 20.0, at[1] - 80.0)) == 1


def test_a_card_found_both_ways_leaves_no_stack_and_another_stack_is_left() -> None:
    twice, other = stack(FELT_MM, 400_000), stack((150.0, 200.0), 400_000)
    backs, left = cards_among([twice, other], [card(400_000, FELT_MM)], [known(FELT_MM)], [], PLACES, awaited=False)
    assert backs == []
    assert left == [other]
