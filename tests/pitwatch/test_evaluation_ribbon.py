"""The figures of ribbons and lacing: their scenes, and how counts are summed up."""

from __future__ import annotations

from pitwatch.evaluation_measures import Trial
from pitwatch.evaluation_ribbon import MEASUREMENTS, SCALES_MM_PER_PX, exact, lacings
from vision.change.measures import Measured


def test_every_measurement_has_its_own_name_and_a_sigma_for_every_scale() -> None:
    assert len({m.name for m in MEASUREMENTS}) == len(MEASUREMENTS) == 3
    assert all(set(m.sigma) == set(SCALES_MM_PER_PX) for m in MEASUREMENTS)


def test_counts_are_exact_or_not() -> None:
    told = [(30.0, 30.0), (31.0, 30.0), (28.0, None)]
    trials = [Trial(0.73, truth, Measured(value, value, value)) for truth, value in told]
    assert exact(iter([*trials, Trial(1.46, 27.0, Measured(27.0, 27.0, 28.0))])) == {0.73: (1, 3), 1.46: (1, 1)}


def test_lacing_of_a_rendered_stack_is_told() -> None:
    (trial,) = lacings(1, True)
    assert trial.measured.known, trial.measured.reason
    assert trial.measured.low is not None
    assert trial.measured.high is not None
    assert trial.measured.low <= trial.truth <= trial.measured.high
    assert not trial.accused
