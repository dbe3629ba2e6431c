"""Which part of a recording a clip shows, and its file's name."""

from __future__ import annotations

import pytest

from pitwatch.clips import LONGEST_US, clip_name, clip_order


@pytest.mark.parametrize(
    ("t_us", "end_us", "from_us", "to_us"),
    [
        (20_000_000, 26_000_000, 15_000_000, 28_000_000),
        (20_000_000, 43_000_000, 15_000_000, 45_000_000),  # just thirty seconds
        (20_000_000, 80_000_000, 52_000_000, 82_000_000),  # the end decides, so the beginning is left out
    ],
)
def test_a_clip_has_its_pre_roll_and_post_roll_and_at_most_thirty_seconds(
    t_us: int, end_us: int, from_us: int, to_us: int
) -> None:
    order = clip_order("F1", t_us, end_us, "")
    assert (order.start_us, order.end_us) == (from_us, to_us)
    assert order.end_us - order.start_us <= LONGEST_US


def test_a_finding_of_any_name_stays_inside_the_folder_of_clips() -> None:
    assert clip_name("../../etc/PA-629a.5(f)@1") == "clips/..-..-etc-PA-629a.5-f-1.mp4"
