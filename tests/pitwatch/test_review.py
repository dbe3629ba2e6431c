"""A review from recordings to its folder, with stages that say what they are told."""

from __future__ import annotations

import json
from pathlib import Path

import av
import pytest

from faults import Fault
from pitwatch.chain import verify
from pitwatch.folder import events_of, findings_of, run_of
from pitwatch.review import Order, run_review
from pitwatch.stages import Stages
from rules.event import Event
from tests.pitwatch.fakes import TABLE, ScriptedEyes, event, finding, stages, write_lines, write_table, write_video
from tests.pitwatch.reviews import BURN, FINDINGS, reviewed
from vision.frame import Frame


def test_a_violation_leaves_everything_that_the_contract_names(tmp_path: Path) -> None:
    outcome = reviewed(tmp_path, write_video(tmp_path / "a.mp4"))
    out = tmp_path / "out"
    assert outcome.exit_code == 1
    assert [e.id for e in events_of(out)] == [e.id for e in BURN]
    assert len(findings_of(out)) == 3
    run = run_of(out)
    assert run is not None
    assert run["exit_code"] == 1
    assert run["inputs"][0]["frames_decoded"] == 30
    assert run["inputs"][0]["codec"] == "h264"
    assert len(run["inputs"][0]["sha256"]) == 64
    assert run["coverage"]["share"] == 1.0
    assert verify(out).broken is None
    assert verify(out).finished
    assert verify(out).head == outcome.head


def test_violation_and_indeterminate_get_a_clip_and_others_do_not(tmp_path: Path) -> None:
    reviewed(tmp_path, write_video(tmp_path / "a.mp4"))
    clips = {f["verdict"]: f["clip"] for f in findings_of(tmp_path / "out")}
    assert clips["compliant"] is None
    for verdict in ("violation", "indeterminate"):
        with av.open(str(tmp_path / "out" / clips[verdict])) as clip:
            assert clip.streams.video[0].codec_context.width == 320
            assert sum(1 for _ in clip.decode(video=0)) > 20


def test_a_clip_has_its_pre_roll_and_shows_the_very_moment(tmp_path: Path) -> None:
    """The recording's brightness tells the frame: ten a second, 40 at the start."""
    late = [finding("PA-629a.5(f)-count", "violation", 12_000_000)]
    reviewed(tmp_path, write_video(tmp_path / "a.mp4", 20.0), events=[], findings=late)
    name = findings_of(tmp_path / "out")[0]["clip"]
    with av.open(str(tmp_path / "out" / name)) as clip:
        frames = list(clip.decode(video=0))
    greys = [int(frame.to_ndarray(format="gray")[:200].mean().round()) for frame in frames]
    times_s = [round((grey - 40) / 10, 1) for grey in greys]
    assert times_s[0] == pytest.approx(7.0, abs=0.3)  # five seconds before the trigger
    assert times_s[-1] == pytest.approx(15.0, abs=0.3)  # two after the deciding frame
    assert frames[-1].time == pytest.approx(8.0, abs=0.05)


def test_nothing_found_is_exit_code_nought(tmp_path: Path) -> None:
    assert reviewed(tmp_path, write_video(tmp_path / "a.mp4"), findings=FINDINGS[2:]).exit_code == 0


def test_a_withdrawn_violation_does_not_count(tmp_path: Path) -> None:
    withdrawn = [dict(FINDINGS[0]), dict(FINDINGS[0]) | {"state": "withdrawn", "events": []}]
    assert reviewed(tmp_path, write_video(tmp_path / "a.mp4"), findings=withdrawn).exit_code == 0


def test_a_pending_finding_is_written_once_it_is_closed(tmp_path: Path) -> None:
    pending = dict(FINDINGS[0]) | {"state": "pending", "verdict": "compliant"}
    closed = dict(FINDINGS[0]) | {"events": []}
    reviewed(tmp_path, write_video(tmp_path / "a.mp4"), findings=[pending, closed])
    lines = (tmp_path / "out" / "findings.jsonl").read_text().splitlines()
    assert [json.loads(line)["state"] for line in lines] == ["closed"]


def test_a_finding_that_a_late_event_changes_is_written_as_it_stands_in_the_end(tmp_path: Path) -> None:
    revised = dict(FINDINGS[0]) | {"verdict": "compliant", "events": ["midi-3-000004"]}
    events = [*BURN, event(4, "card.burn", 2_000_000, zone="discard", face="down", index=2)]
    outcome = reviewed(tmp_path, write_video(tmp_path / "a.mp4"), events=events, findings=[FINDINGS[0], revised])
    assert outcome.exit_code == 0
    assert [f["verdict"] for f in findings_of(tmp_path / "out")] == ["compliant"]
    assert len((tmp_path / "out" / "findings.jsonl").read_text().splitlines()) == 1
    assert not (tmp_path / "out" / "clips").exists()


def test_a_finding_is_on_disk_once_it_stands_and_not_only_at_the_end(tmp_path: Path) -> None:
    """It is decided at 1.5 s; at 30 s the camera falls down."""

    class Falls(ScriptedEyes):
        def step(self, frame: Frame) -> list[Event]:
            if frame.t_us > 30_000_000:
                raise RuntimeError("the camera fell off the ceiling")
            return super().step(frame)

    made = stages(BURN, FINDINGS)
    order = Order((str(write_video(tmp_path / "a.mp4", 32.0)),), write_table(tmp_path), tmp_path / "out")
    with pytest.raises(RuntimeError, match="ceiling"):
        run_review(order, Stages(lambda table: Falls(BURN), made.judge, made.models_dir))
    assert len(findings_of(tmp_path / "out")) == 3


def test_the_report_holds_its_pictures_and_speaks_plainly(tmp_path: Path) -> None:
    reviewed(tmp_path, write_video(tmp_path / "a.mp4"))
    page = (tmp_path / "out" / "report.html").read_text()
    assert "One step was not seen done as the Code asks." in page
    assert page.count("data:image/jpeg;base64,") >= 4
    assert "http" not in page.replace("http-equiv", "")
    assert 'href="clips/' in page
    for word in ("cheat", "fraud", "suspect", "guilty"):
        assert word not in page.lower()


def test_a_table_made_for_another_shape_of_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="320") as caught:
        reviewed(tmp_path, write_video(tmp_path / "a.mp4", size=(320, 180)))
    assert caught.value.exit_code == 2


def test_signals_are_events_of_the_review(tmp_path: Path) -> None:
    signals = write_lines(tmp_path / "s.jsonl", [{"t_us": 400_000, "name": "preshuffled", "value": True}])
    reviewed(tmp_path, write_video(tmp_path / "a.mp4"), signals=signals)
    assert [e.kind for e in events_of(tmp_path / "out")] == ["card.draw", "signal", "card.burn", "card.burn"]


def test_a_second_review_sets_the_first_aside(tmp_path: Path) -> None:
    source = write_video(tmp_path / "a.mp4")
    reviewed(tmp_path, source)
    reviewed(tmp_path, source, findings=[])
    assert findings_of(tmp_path / "out") == []
    (aside,) = (tmp_path / "out" / "earlier").iterdir()
    assert len(findings_of(aside)) == 3
    assert verify(tmp_path / "out").broken is None


def test_resume_keeps_a_finished_review(tmp_path: Path) -> None:
    source = write_video(tmp_path / "a.mp4")
    first = reviewed(tmp_path, source)
    again = reviewed(tmp_path, source, findings=[], resume=True)
    assert again.resumed
    assert again.exit_code == first.exit_code == 1
    assert not (tmp_path / "out" / "earlier").exists()


def test_resume_does_anew_what_was_left_half_way_or_differs(tmp_path: Path) -> None:
    source = write_video(tmp_path / "a.mp4")
    reviewed(tmp_path, source)
    write_video(source, 2.0)
    assert not reviewed(tmp_path, source, resume=True).resumed


def test_resume_does_anew_what_was_stopped_at_its_very_end_or_changed(tmp_path: Path) -> None:
    source = write_video(tmp_path / "a.mp4")
    reviewed(tmp_path, source)
    chain = tmp_path / "out" / "chain.jsonl"
    chain.write_text("".join(chain.read_text().splitlines(keepends=True)[:-1]))
    assert not reviewed(tmp_path, source, resume=True).resumed
    (tmp_path / "out" / "report.html").write_text("nothing to see")
    assert not reviewed(tmp_path, source, resume=True).resumed
    assert reviewed(tmp_path, source, resume=True).resumed


class Breaks:
    """Eyes that fail after some frames."""

    latency_us = 0
    moved: str | None = None

    def __init__(self) -> None:
        self._frames = 0

    def step(self, frame: object) -> list[Event]:
        self._frames += 1
        if self._frames > 10:
            raise RuntimeError("the camera fell off the ceiling")
        return [event(self._frames, "card.draw", self._frames)]

    def finish(self) -> list[Event]:
        return []


def test_a_crash_loses_nothing_that_was_seen(tmp_path: Path) -> None:
    made = stages()
    order = Order((str(write_video(tmp_path / "a.mp4")),), write_table(tmp_path), tmp_path / "out")
    with pytest.raises(RuntimeError, match="ceiling"):
        run_review(order, Stages(lambda table: Breaks(), made.judge, made.models_dir))
    assert len(events_of(tmp_path / "out")) == 10
    assert verify(tmp_path / "out").broken is None
    run = run_of(tmp_path / "out")
    assert run is not None
    assert run["state"] == "running"


@pytest.mark.parametrize("jobs", [1, 3])
def test_the_number_of_jobs_changes_nothing(tmp_path: Path, jobs: int) -> None:
    reviewed(tmp_path, write_video(tmp_path / "a.mp4"), jobs=jobs)
    assert len(events_of(tmp_path / "out")) == 3
    assert verify(tmp_path / "out").broken is None


def test_table_file_with_unknown_keys_is_refused_with_the_nearest(tmp_path: Path) -> None:
    table = write_table(tmp_path, TABLE.replace("[layout.zones_mm]", "[layout.zonez_mm]"))
    order = Order((str(write_video(tmp_path / "a.mp4")),), table, tmp_path / "out")
    with pytest.raises(Fault, match="zones_mm"):
        run_review(order, stages())


def test_signals_after_the_end_are_told(tmp_path: Path) -> None:
    lines = [{"t_us": t, "name": "preshuffled", "value": True} for t in (0, 10**9)]
    reviewed(tmp_path, write_video(tmp_path / "a.mp4"), signals=write_lines(tmp_path / "s.jsonl", lines))
    run = run_of(tmp_path / "out")
    assert run is not None
    assert run["signals"]["after_the_end"] == 1
