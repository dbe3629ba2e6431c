"""The stages together: what one recording gives depends on that recording alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from calibration.geometry import Calibration
from calibration.tablefile import Camera, Game, Table
from faults import Fault
from rules.event import Event
from tests.vision.acts import Act
from tests.vision.ledgers import LAYOUT, burn
from vision.detect import Detector
from vision.detections import CLASSES, Detections
from vision.frame import Frame, Image
from vision.pipeline import Pipeline
from vision.read import RANKS, SIDES, SUITS, Reading
from vision.sighting import Sighting
from vision.steady import SteadyEyes
from vision.topview import TopView, dealer_bounds

MODELS = Path(__file__).parents[2] / "models"
WIDTH_PX, HEIGHT_PX, MM_PER_PX = 320, 240, 4.5
MARKS_PX = ((150, 20), (180, 20), (210, 20))  # where a picture bears its number, a digit to base 16 each
MARK_PX = 16
FELT = np.random.default_rng(0).integers(60, 90, (HEIGHT_PX, WIDTH_PX, 3)).astype(np.uint8)


def table(name: str = "midi-1") -> Table:
    homography = np.array([[MM_PER_PX, 0, -720.0], [0, -MM_PER_PX, 540.0], [0, 0, 1.0]])
    calibration = Calibration(homography, WIDTH_PX, HEIGHT_PX, 1.5)
    return Table(name, (Camera(WIDTH_PX, HEIGHT_PX),), calibration, LAYOUT, Game("pa58/629a", 8, 416))


def picture(t_us: int, number: int, scale: int = 1) -> Frame:
    """A speckled felt that bears its number."""
    image = FELT.copy()
    for place, (x, y) in enumerate(MARKS_PX):
        image[y : y + MARK_PX, x : x + MARK_PX] = 16 * (number >> 4 * place & 15) + 8
    return Frame.of(t_us, np.repeat(np.repeat(image, scale, axis=0), scale, axis=1))


@dataclass
class NumberEyes:
    """Sees in a picture of the dealer's area what a list has for its number, and nothing on the table beyond."""

    seen: Sequence[Sequence[Sighting]]
    top: TopView
    calibration: Calibration
    names: tuple[str, ...] = CLASSES

    def detect(self, image: Image) -> Detections:
        if image.shape[:2] != self.top.shape:
            return Detections.none()
        things = self.seen[self._number(image)]
        quads = np.array([self.top.to_px(thing.quad_mm) for thing in things], np.float32).reshape(-1, 4, 2)
        classes = np.array([CLASSES.index(thing.cls) for thing in things], np.intp)
        return Detections(quads, classes, np.array([thing.score for thing in things], np.float32))

    def _number(self, image: Image) -> int:
        number = 0
        for place, (x, y) in enumerate(MARKS_PX):
            at_mm = self.calibration.to_table(np.array([x, y]) + (MARK_PX - 1) / 2)
            column, row = self.top.to_px(at_mm).round().astype(int)
            number += int(image[row, column, 0]) // 16 << 4 * place
        return number


class NothingRead:
    """A reader that is never sure."""

    def read(self, crops: Sequence[Image]) -> list[Reading]:
        even = [np.full(len(kinds), 1 / len(kinds)) for kinds in (RANKS, SUITS, SIDES)]
        return [Reading(even[0], even[1], even[2], 0.1, 0.9) for _ in crops]


def made(seen: Sequence[Sequence[Sighting]], name: str = "midi-1") -> Pipeline:
    place = table(name)
    top = TopView(place.calibration, dealer_bounds(LAYOUT))
    return Pipeline(place, Path("nowhere"), eyes=NumberEyes(seen, top, place.calibration), reader=NothingRead())


def acted(additional: int, fps: float = 10.0) -> tuple[list[int], list[list[Sighting]]]:
    """The times, and what is to be seen, of a burn of so many cards."""
    act = Act(fps)
    burn(act, additional)
    return [t_us for t_us, _, _ in act.moments], [[*cards, *hands] for _, cards, hands in act.moments]


def run(pipeline: Pipeline, frames: Iterable[Frame]) -> list[Event]:
    return [event for frame in frames for event in pipeline.step(frame)] + pipeline.finish()


def frames_of(times_us: Sequence[int], scale: int = 1) -> list[Frame]:
    return [picture(t_us, number, scale) for number, t_us in enumerate(times_us)]


def told(events: Iterable[Event]) -> list[str]:
    return [event.to_json() for event in events]


def kinds(events: Iterable[Event]) -> dict[str, int]:
    found = [event.kind for event in events if event.kind.startswith("card.")]
    return {kind: found.count(kind) for kind in sorted(set(found))}


def test_it_says_what_the_detector_runs_on_where_that_is_known() -> None:
    eyes = NumberEyes([], TopView(table().calibration, dealer_bounds(LAYOUT)), table().calibration)
    assert Pipeline(table(), MODELS, eyes=eyes).provider is None
    pipeline = Pipeline(table(), MODELS)
    assert pipeline.provider == Detector(MODELS / "detector.onnx").provider
    assert SteadyEyes(pipeline, table()).provider == pipeline.provider  # as a watch has it


def test_a_recording_gives_the_same_after_another_and_beside_another() -> None:
    (one_us, one), (two_us, two) = acted(1), acted(0, 5.0)
    alone = run(made(one), frames_of(one_us))
    assert kinds(alone) == {"card.burn": 1, "card.draw": 2, "card.place": 1}
    run(made(two), frames_of(two_us))
    assert told(run(made(one), frames_of(one_us))) == told(alone)

    first, second = made(one), made(two, "midi-2")
    beside: list[Event] = []
    for number in range(max(len(one), len(two))):
        if number < len(one):
            beside += first.step(picture(one_us[number], number))
        if number < len(two):
            second.step(picture(two_us[number], number))
    assert told([*beside, *first.finish()]) == told(alone)


@pytest.mark.parametrize("fps", [12.5, 30.0])
def test_other_frame_rates_tell_the_same_cards(fps: float) -> None:
    times_us, seen = acted(1, fps)
    assert kinds(run(made(seen), frames_of(times_us))) == {"card.burn": 1, "card.draw": 2, "card.place": 1}


def test_backs_that_all_look_like_stacks_are_drawn_and_burned_all_the_same() -> None:
    times_us, seen = acted(3, 15.0)
    alike = [[replace(s, cls="stack") if s.cls == "card_back" else s for s in look] for look in seen]
    events = run(made(alike), frames_of(times_us))
    assert kinds(events) == {"card.burn": 3, "card.draw": 4, "card.place": 1}
    assert all(event.confidence > 0.5 for event in events)


def test_a_stack_that_is_moved_about_on_the_felt_is_no_card() -> None:
    act = Act(15.0)
    act.wait(3.0)
    act.carry([(0.0, 330.0), (200.0, 330.0), (0.0, 250.0)], 2.0)
    act.wait(1.0)
    seen = [[*(replace(s, cls="stack") for s in cards), *hands] for _, cards, hands in act.moments]
    assert kinds(run(made(seen), frames_of([t_us for t_us, _, _ in act.moments]))) == {}


def test_another_size_of_the_same_shape_shows_the_same_table() -> None:
    times_us, seen = acted(1)
    events = run(made(seen), frames_of(times_us, scale=2))
    assert kinds(events) == {"card.burn": 1, "card.draw": 2, "card.place": 1}


def test_another_shape_and_another_size_on_the_way_are_refused() -> None:
    pipeline = made([[]])
    with pytest.raises(Fault, match="another shape of picture"):
        pipeline.step(Frame.of(0, np.zeros((180, 320, 3), np.uint8)))
    pipeline.step(picture(0, 0))
    with pytest.raises(Fault, match="the picture changed to 640 x 480"):
        pipeline.step(picture(100_000, 0, scale=2))


def test_a_picture_that_freezes_is_no_view_until_it_moves_again() -> None:
    frames = [picture(200_000 * number, number if number < 5 or number > 60 else 5) for number in range(70)]
    lost = [e for e in run(made([[]] * 70), frames) if e.facts.get("cause") == "frozen"]
    assert [(e.kind, e.t_us) for e in lost] == [("view.lost", 1_000_000), ("view.back", 61 * 200_000)]
    assert lost[0].facts["zone"] == "table"


def test_an_empty_table_says_nothing_but_that_its_bucket_is_empty() -> None:
    events = run(made([[]] * 60), frames_of([100_000 * number for number in range(60)]))
    assert [event.kind for event in events] == ["rack.empty"]


def test_no_pictures_are_no_events() -> None:
    assert made([]).finish() == []
