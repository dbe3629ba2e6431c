"""Measurements drawn in the picture: which finding shows them, where the marks lie, and what is written under them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.tablefile import load_table
from pitwatch.closeup import around, take_closeups
from pitwatch.ink import Sheet
from pitwatch.marks import CARD, COVER, END, OTHER, Line, Marks, marks_of
from pitwatch.measurements import figure, owners, reading_of
from pitwatch.review import Order, run_review
from pitwatch.ruler import Reading, ruler_of
from tests.pitwatch import stacks
from tests.pitwatch.fakes import event, finding, stages, write_table

DEPTH = finding(
    "PA-629a.5(c)-depth",
    t_us=1_000_000,
    end_us=1_200_000,
    events=["midi-3-000001"],
    measured={"value": 8.2, "low": 7.1, "high": 9.3, "unit": "cards", "limit": 10},
)
CUT, COVER_CARD, SHUFFLED = stacks.events()


def reading(cut: Any = CUT) -> Reading:
    return reading_of(cut, DEPTH, stacks.CARDS)


def marks() -> Marks:
    found = marks_of(CUT)
    assert found is not None
    return found


def figure_of(tmp_path: Path, number: int, said: dict[str, Any] | None) -> Any:
    picture = (stacks.stack_with_cover_card, stacks.ribbon, stacks.half_squared)[number]()
    one, table = stacks.events()[number], load_table(write_table(tmp_path, stacks.TABLE))
    found = marks_of(one)
    assert found is not None
    made = figure(one, take_closeups(picture, found, reading_of(one, said, stacks.CARDS), 0.73), said, table)
    assert made is not None
    return made


@pytest.mark.parametrize(
    "bad",
    [
        None,
        "marks",
        {"t_us": 1.5, "lines_px": [[0, 0, 1, 1, "end"]]},
        {"t_us": 1},
        {"t_us": 1, "lines_px": [[0, 0, float("nan"), 1, "end"], [1, 2], "x"], "polygons_px": [[[0, 0], [1, 1]]]},
    ],
)
def test_marks_that_cannot_be_drawn_are_none(bad: object) -> None:
    assert marks_of(event(1, "cut.insert", 0, marks=bad)) is None


def test_labels_tell_ends_from_cover_cards() -> None:
    labels = ("near end", "end", "cover card", "cover_card 2", "8.2 cards", "14", "lace")
    roles = [Line((0, 0), (1, 0), label).role for label in labels]
    assert roles == [END, END, COVER, COVER, COVER, CARD, OTHER]


def test_the_ruler_counts_from_the_nearer_end_towards_the_cover_card() -> None:
    ruler = ruler_of(marks(), reading())
    assert ruler is not None
    assert ruler.px_per_card == pytest.approx(stacks.PX_PER_CARD)
    x, y = ruler.at(stacks.SHORT_SIDE_CARDS)
    assert y == pytest.approx(stacks.TOP + stacks.SHORT_SIDE_CARDS * stacks.PX_PER_CARD)
    assert x > stacks.RIGHT


def test_a_ruler_of_a_stack_that_lies_across_counts_the_same_way() -> None:
    """The marks turned by a quarter: rows become columns."""
    turned = [Line(line.start[::-1], line.stop[::-1], line.label) for line in marks().lines]
    ruler = ruler_of(Marks(0, tuple(turned)), reading())
    assert ruler is not None
    assert ruler.at(8.2)[0] == pytest.approx(stacks.TOP + 8.2 * stacks.PX_PER_CARD)


def test_a_cover_card_on_top_takes_the_thickness_from_the_whole_stack() -> None:
    lines = [line for line in marks().lines if line.role == END]
    on_top = Line((stacks.LEFT, stacks.TOP), (stacks.RIGHT, stacks.TOP), "cover card")
    ruler = ruler_of(Marks(0, (*lines, on_top)), Reading("", "cards", 0.0, 0.0, 0.4, 10, cards=stacks.CARDS))
    assert ruler is not None
    assert ruler.px_per_card == pytest.approx(stacks.PX_PER_CARD)


def test_a_window_keeps_its_shape_inside_the_frame() -> None:
    window = around((900, 500), (955, 535), (960.0, 540.0), (1.7, 2.6))
    assert (window.x1, window.y1) == (959.5, 539.5)
    assert 1.65 < window.width / window.height < 2.65


def test_a_pixel_lies_where_the_enlarged_picture_shows_it() -> None:
    """One white pixel: its enlarged spot is centred on where the sheet puts its middle."""
    image = np.zeros((540, 960, 3), np.uint8)
    image[300, 480] = 255
    dot = Marks(0, (Line((470, 300), (490, 300), "end"),))
    closeups = take_closeups(image, dot, Reading(""), None)
    (view,) = closeups.views
    shown = np.asarray(cv2.imdecode(np.frombuffer(view.jpeg, np.uint8), cv2.IMREAD_GRAYSCALE), np.uint8)
    rows, columns = np.nonzero(shown > 128)
    x, y = Sheet(view.window, shown.shape[1]).at((480, 300))
    assert columns.mean() + 0.5 == pytest.approx(x, abs=1.0)
    assert rows.mean() + 0.5 == pytest.approx(y, abs=1.0)


def test_the_figure_of_a_cut_has_ends_cover_card_interval_and_limit(tmp_path: Path) -> None:
    made = figure_of(tmp_path, 0, DEPTH)
    whole, end = made.views
    for label in ("end, top", "end, bottom", "cover card"):
        assert f">{label}</text>" in whole
    assert ">10 asked</text>" in end
    assert ">10 asked</text>" not in whole
    assert re.search(r">\d+ mm</text>", end)
    assert made.title.startswith("Measured: the depth of the cut")
    assert "Measured 8.2 cards (95 %: 7.1 to 9.3); the Code asks for 10 cards." in made.caption
    assert "0.73 mm to a pixel" in made.caption


def test_the_figure_of_a_ribbon_numbers_the_cards_and_marks_the_one_asked_for(tmp_path: Path) -> None:
    said = DEPTH | {"measured": {"value": 15, "low": 15, "high": 15, "unit": "cards", "limit": 14}}
    made = figure_of(tmp_path, 1, said)
    (view,) = made.views
    assert [int(n) for n in re.findall(r">(\d+)</text>", view)] == list(range(1, 21))
    (dark,) = re.findall(r"fill:#fff\">(\d+)</text>", view)
    assert dark == "14"
    assert "Measured 15 cards; the Code asks for 14 cards." in made.caption


def test_numbered_edges_of_a_ribbon_are_drawn_as_lines_with_their_numbers(tmp_path: Path) -> None:
    lines = [[300 + 11 * n, 240, 300 + 11 * n, 361, str(n + 1)] for n in range(20)]
    one = event(1, "cover.insert", 0, which=2, above_bottom_cards=14, marks={"t_us": 0, "lines_px": lines})
    said = DEPTH | {"measured": {"value": 14, "low": 14, "high": 14, "unit": "cards", "limit": 14}}
    found, table = marks_of(one), load_table(write_table(tmp_path, stacks.TABLE))
    assert found is not None
    made = figure(one, take_closeups(stacks.ribbon(), found, reading_of(one, said, stacks.CARDS), 0.73), said, table)
    assert made is not None
    assert re.findall(r"fill:#fff\">(\d+)</text>", made.views[0]) == ["14"]
    assert "20 cards are numbered" in made.caption


def test_the_figure_of_a_shuffled_stack_hatches_the_squared_part(tmp_path: Path) -> None:
    made = figure_of(tmp_path, 2, None)
    assert "url(#squared)" in made.views[0]
    assert ">squared</text>" in made.views[0]
    assert "Measured 50 % (95 %: 42 to 58)." in made.caption


def test_the_finding_with_the_number_shows_the_picture_and_others_refer_to_it() -> None:
    other = finding("PA-629a.5(c)-covercard", "compliant", events=["midi-3-000001"], measured=None)
    assert owners([other, DEPTH], [CUT]) == {"midi-3-000001": DEPTH["id"]}
    assert owners([other], [CUT]) == {"midi-3-000001": other["id"]}
    assert owners([DEPTH | {"events": []}], [CUT]) == {}


def test_words_in_labels_cannot_become_markup(tmp_path: Path) -> None:
    bad = {"t_us": 0, "lines_px": [[1, 1, 99, 1, "<script>"]], "points_px": [[5, 5, "<b>"]]}
    one, table = event(1, "cut.insert", 0, marks=bad), load_table(write_table(tmp_path, stacks.TABLE))
    found = marks_of(one)
    assert found is not None
    made = figure(one, take_closeups(stacks.ribbon(), found, reading(one), None), None, table)
    assert made is not None
    assert "<script>" not in made.views[0]
    assert "<b>" not in made.views[0]


def test_a_review_draws_each_measurement_of_its_recording(tmp_path: Path) -> None:
    second = finding("PA-629a.5(d)-seconddepth", "compliant", 3_000_000, events=["midi-3-000002"])
    lace = finding("PA-629a.5(a)-feather", "violation", 5_000_000, events=["midi-3-000003"], measured=None)
    source = stacks.write_recording(tmp_path / "a.mp4")
    order = Order((str(source),), write_table(tmp_path, stacks.TABLE), tmp_path / "out")
    run_review(order, stages(stacks.events(), [DEPTH, second, lace]))
    page = (tmp_path / "out" / "report.html").read_text()
    assert page.count('<figure class="measured">') == 3
    assert page.count('class="closeup"') == 4
    assert "Shoe 1" in page
    assert "Shoe 2" not in page  # no play lies between them
