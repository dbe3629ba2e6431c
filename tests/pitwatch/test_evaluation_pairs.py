"""A film under other conditions: what is done to its frames and table file, and what counts as the same or weaker."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import numpy as np
import pytest

from calibration.lens import Lens
from calibration.tablefile import Table, dump_table, load_table
from faults import InputFault
from pitwatch import cli
from pitwatch.evaluation_pairs import (
    CONDITIONS,
    HALVED,
    HIDDEN,
    LOST,
    MIRROR,
    film_of,
    hidden,
    lost,
    trial_lines,
    trials,
)
from pitwatch.mirror import mirrored_frame, mirrored_table
from pitwatch.pairing import Pair, pairs_of
from pitwatch.stages import Finding, Judges, Sees, Stages
from rules.event import Event
from tests.pitwatch.cameras import picture
from tests.pitwatch.fakes import finding, write_table, write_video
from vision.frame import Frame

MOMENT_US = 1_500_000


class Watcher:
    """Eyes that see a card in the picture's darker half at one moment, if they look then and it is not black."""

    latency_us = 0
    moved: str | None = None

    def __init__(self, table: Table) -> None:
        self._zone_x_mm = float(table.layout.zones_mm["discard"][:, 0].mean())
        self._table = table
        self._looks = 0

    def step(self, frame: Frame) -> list[Event]:
        if frame.t_us != MOMENT_US:
            return []
        height, width = frame.image.shape[:2]
        if not frame.image.any():
            return [Event("lost", "midi-3", "view.lost", frame.t_us, frame.t_us, {})]
        halves = [frame.image[:, : width // 2].mean(), frame.image[:, width // 2 :].mean()]
        x_px = width * (0.25 if halves[0] < halves[1] else 0.75)
        x_mm, _ = self._table.calibration.to_table([x_px, height / 2])
        right = np.sign(x_mm) == np.sign(self._zone_x_mm)
        return [Event("seen", "midi-3", "card.burn", frame.t_us, frame.t_us, {"zone": "discard" if right else "shoe"})]

    def finish(self) -> list[Event]:
        return []


class Simple:
    """A judge of one clause: compliant in the bucket, a violation elsewhere, indeterminate where it was not seen."""

    def step(self, event: Event) -> list[Finding]:
        if event.kind == "view.lost":
            verdict = "indeterminate"
        else:
            verdict = "compliant" if event.facts["zone"] == "discard" else "violation"
        return [finding(verdict=verdict, t_us=event.t_us, end_us=event.t_us)]

    def tick(self, t_us: int) -> list[Finding]:
        return []

    def finish(self, end_us: int) -> list[Finding]:
        return []


def simple_stages() -> Stages:
    def eyes(table: Table) -> Sees:
        return Watcher(table)

    def judge(table: Table, started_at: datetime | None, as_of: date | None) -> Judges:
        return Simple()

    return Stages(eyes, judge, Path("nowhere"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A film of three seconds whose right half is darker, where the fake table's bucket is."""
    write_video(tmp_path / "video.mp4", 3.0, dark_right=True)
    write_table(tmp_path)
    return tmp_path


def test_all_conditions_of_a_film_and_their_figures(folder: Path) -> None:
    done = list(trials(film_of(folder), CONDITIONS, simple_stages()))
    told = {(t.condition, t.from_us): [(p.before, p.after) for p in t.pairs] for t in done}
    second = 1_000_000
    assert told[MIRROR, None] == [("compliant", "compliant")]
    assert told[HALVED, None] == [("compliant", "-")]  # the moment is an odd picture's
    assert [told[HIDDEN, n * second][0][1] for n in range(3)] == ["compliant", "indeterminate", "compliant"]
    assert [told[LOST, n * second][0][1] for n in range(3)] == ["compliant", "-", "compliant"]
    assert not any(trial.wrong for trial in done)
    lines = "\n".join(trial_lines("film", done))
    assert "mirror    1 x  verdicts: 1 same, 0 weaker, 0 turned   holds" in lines
    assert "hidden    3 x  verdicts: 2 same, 1 weaker, 0 turned   holds" in lines


def test_a_verdict_that_turns_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitwatch.evaluation_pairs.mirrored_table", lambda table: table)  # a wrong table file
    done = list(trials(film_of(folder), [MIRROR], simple_stages()))
    (line,) = list(trial_lines("film", done))[1:]
    assert line == "  mirror: PA-629a.5(f)-count at 1.5 s: compliant -> violation"


def test_the_command_prints_the_figures_and_ends_with_1_if_a_verdict_turned(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("pitwatch.commands.evaluate.real_stages", simple_stages)
    out = folder / "verdicts.json"
    assert cli.main(["evaluate", "hidden", str(folder), "--every", "2", "--json", str(out)]) == 0
    assert "hidden    2 x" in capsys.readouterr().out
    assert out.is_file()
    monkeypatch.setattr("pitwatch.evaluation_pairs.mirrored_table", lambda table: table)
    assert cli.main(["evaluate", "mirror", str(folder)]) == 1


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ("compliant", "compliant", "same"),
        ("violation", "not_observed", "weaker"),
        ("violation", "-", "weaker"),
        ("-", "indeterminate", "weaker"),
        ("compliant", "violation", "turned"),
        ("indeterminate", "compliant", "turned"),
        ("-", "violation", "turned"),
    ],
)
def test_what_became_of_a_verdict(before: str, after: str, change: str) -> None:
    assert Pair("A", 0, before, after).change == change


def test_findings_are_paired_by_clause_and_occasion() -> None:
    before = [finding("A", "compliant", 0), finding("A", "violation", 60_000_000), finding("B", "compliant", 0)]
    after = [finding("A", "indeterminate", 60_100_000), finding("A", "compliant", 100_000), finding("C", t_us=0)]
    told = sorted((pair.clause, pair.before, pair.after) for pair in pairs_of(before, after))
    assert told == [
        ("A", "compliant", "compliant"),
        ("A", "violation", "indeterminate"),
        ("B", "compliant", "-"),
        ("C", "-", "violation"),
    ]


def test_frames_are_hidden_or_lost_for_a_stretch_only() -> None:
    frames = [picture(n * 500_000, 9) for n in range(5)]
    shown = [bool(frame.image.any()) for frame in hidden(iter(frames), 500_000, 1_500_000)]
    assert shown == [True, False, False, True, True]
    assert [frame.t_us for frame in lost(iter(frames), 500_000, 1_500_000)] == [0, 1_500_000, 2_000_000]


def test_a_mirrored_table_shows_every_place_in_the_mirrored_picture(tmp_path: Path) -> None:
    table = load_table(write_table(tmp_path))
    bent = Lens.of([[400.0, 0.5, 170.0], [0.0, 400.0, 110.0], [0.0, 0.0, 1.0]], [-0.1, 0.02, 0.003, -0.004, 0.0])
    table = replace(table, calibration=replace(table.calibration, lens=bent, camera_mm=(50.0, 300.0, 2500.0)))
    turned = mirrored_table(table)
    px = np.array([[10.0, 20.0], [300.0, 200.0], [160.0, 100.0]])
    mirrored_px = px * [-1, 1] + [319, 0]
    there = turned.calibration.to_table(mirrored_px)
    assert there == pytest.approx(table.calibration.to_table(px) * [-1, 1], abs=1e-6)
    raised = turned.calibration.to_pixels_at_height(there, 60.0)
    assert raised[:, 0] == pytest.approx(319 - table.calibration.to_pixels_at_height(there * [-1, 1], 60.0)[:, 0])
    assert (turned.layout.shoe_side, turned.layout.seats) == ("right", (3, 2, 1))
    assert not turned.calibration.is_mirrored
    assert mirrored_table(turned).layout == table.layout
    assert dump_table(turned)


def test_a_mirrored_frame_is_the_frame_turned_round() -> None:
    image = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    turned = mirrored_frame(Frame.of(7, image))
    assert turned.t_us == 7
    assert turned.image[0, 0].tolist() == image[0, 3].tolist()


def test_a_folder_without_a_film_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputFault, match=r"expected video\.mp4"):
        film_of(tmp_path)
