"""The figures of single measurements: what is summed up, and how it is printed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pitwatch.evaluation_measures import MEASUREMENTS, Measurement, Trial, rows, table_text
from vision.change.measures import Measured


def of(value: float, half: float) -> Measured:
    return Measured(value, value - half, value + half)


TRIALS = [
    Trial(1.46, 10.0, of(11.0, 2.0)),
    Trial(0.42, 20.0, of(23.0, 1.0)),
    Trial(0.42, 12.0, of(12.0, 2.0)),
    Trial(0.42, 12.0, of(8.0, 1.0), accused=True),
    Trial(0.42, 30.0, Measured(reason="a hand lies over it")),
]


def none(count: int, development: bool) -> Iterator[Trial]:
    yield from ()


THING = Measurement("depth", "cards", {0.42: 1.0, 1.46: 3.0}, none)


def test_scales_are_summed_up_by_themselves_finest_first() -> None:
    fine, coarse = rows(THING, TRIALS)
    assert (fine.mm_per_px, fine.of, fine.answered, fine.held, fine.accused) == (0.42, 4, 3, 1, 1)
    assert fine.half_width == pytest.approx(1.0)
    assert fine.bias == pytest.approx(-1 / 3)
    assert fine.allowed == pytest.approx(1.25 * 1.96)
    assert fine.refusals == {"a hand lies over it": 1}
    assert (coarse.mm_per_px, coarse.held) == (1.46, 1)
    assert coarse.bias == pytest.approx(1.0)


def test_a_scale_at_which_nothing_was_answered_has_no_numbers() -> None:
    (row,) = rows(THING, [Trial(0.73, 5.0, Measured(reason="dark"))])
    assert (row.of, row.answered, row.held) == (1, 0, 0)
    assert row.bias != row.bias
    assert "refused 1 times: dark" in table_text(THING, [row])


def test_the_table_has_a_line_for_each_scale() -> None:
    text = table_text(THING, rows(THING, TRIALS))
    lines = text.splitlines()
    assert lines[0] == "depth, cards"
    assert lines[2].split()[:3] == ["0.42", "3/4", "1/3"]
    assert lines[-1] == "refused 1 times: a hand lies over it"


def test_measurements_have_names_of_their_own() -> None:
    names = [measurement.name for measurement in MEASUREMENTS]
    assert len(set(names)) == len(names)
