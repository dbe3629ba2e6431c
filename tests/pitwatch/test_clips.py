"""Which part of a recording a clip shows, and its file's name."""

from __future__ import annotations

import pytest

from pitwatch.clips import BEGINNING_US, LONGEST_US, clip_name, clip_note, clip_order


@pytest.mark.parametrize(
    ("t_s", "end_s", "spans_s"),
    [
        (20, 26, [(15, 28)]),
        (20, 193, [(15, 195)]),  # just three minutes
        (20, 620, [(15, 75), (502, 622)]),  # a cover card that surfaces ten minutes later
    ],
)
def test_a_clip_shows_the_whole_occasion_or_its_beginning_and_its_end(
    t_s: int, end_s: int, spans_s: list[tuple[int, int]]
) -> None:
    order = clip_order("F1", t_s * 1_000_000, end_s * 1_000_000, "")
    assert [(start_us / 1e6, stop_us / 1e6) for start_us, stop_us in order.spans_us] == spans_s
    assert order.played_us(order.end_us) <= LONGEST_US


def test_what_a_clip_leaves_out_is_said() -> None:
    assert clip_note(20_000_000, 193_000_000) == ""
    assert "427 s between them are left out" in clip_note(20_000_000, 620_000_000)
    assert clip_note(1_200_000, 9_000_000) == "the recording begins 1.2 s before the occasion"
    assert clip_note(5_000_000, 9_000_000) == ""


def test_the_end_follows_the_beginning_without_a_gap() -> None:
    order = clip_order("F1", 20_000_000, 620_000_000, "")
    (_, begun_us), (again_us, _) = order.spans_us
    assert order.played_us(again_us) == order.played_us(begun_us) == BEGINNING_US


def test_a_finding_of_any_name_stays_inside_the_folder_of_clips() -> None:
    assert clip_name("../../etc/PA-629a.5(f)@1") == "clips/..-..-etc-PA-629a.5-f-1.mp4"
