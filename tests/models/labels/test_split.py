"""Which pictures are held back."""

from __future__ import annotations

from pathlib import Path

import pytest

from models.labels.labelled import Labelled
from models.labels.split import recording_of, split


def pictures(*names: str, recording: str = "") -> list[Labelled]:
    return [Labelled(name, Path(name), None, (), False, frozenset(), recording, name) for name in names]


@pytest.mark.parametrize(
    ("name", "recording"),
    [
        ("night1_000123.png", "night1"),
        ("night1-frame-7.jpg", "night1"),
        ("cam3/000123.jpg", "cam3"),
        ("cam3/t_1200000us.jpg", "cam3/t"),
        ("a/IMG_2034.JPG", "a"),
        ("bets.png", "bets"),
    ],
)
def test_a_recording_is_told_from_folder_and_name(name: str, recording: str) -> None:
    assert recording_of(pictures(name)[0]) == recording


def test_whole_recordings_are_held_back_and_the_same_ones_again() -> None:
    names = [f"night{night}_{number:03d}.png" for night in range(1, 9) for number in range(10)]
    first = split(pictures(*names), 0.2)
    assert first == split(pictures(*names), 0.2)
    held = {names[index].split("_")[0] for index in first.held_back}
    learned = {names[index].split("_")[0] for index in first.learned}
    assert len(held) == 2
    assert not held & learned
    assert sorted(first.learned + first.held_back) == list(range(80))


def test_pictures_added_later_do_not_change_sides() -> None:
    names = [f"n{night}_{number}.png" for night in range(12) for number in range(5)]
    before = split(pictures(*names), 0.25)
    after = split(pictures(*names, "n3_5.png", "n3_6.png"), 0.25)
    assert {names[index] for index in before.held_back} <= {
        [*names, "n3_5.png", "n3_6.png"][i] for i in after.held_back
    }


def test_of_one_recording_the_last_pictures_are_held_back_and_it_is_said() -> None:
    names = [f"night_{number}.png" for number in (1, 2, 10, 3, 9)]
    found = split(pictures(*names), 0.4)
    assert [names[index] for index in found.held_back] == ["night_10.png", "night_9.png"]
    assert "label a second recording" in found.how


def test_a_recording_that_is_most_of_the_pictures_is_learned_from() -> None:
    names = [f"long_{number}.png" for number in range(20)] + ["short_1.png", "short_2.png"]
    found = split(pictures(*names), 0.2)
    assert {names[index].split("_")[0] for index in found.held_back} == {"short"}
