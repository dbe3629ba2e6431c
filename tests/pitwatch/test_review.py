"""A review from recordings to its folder, with stages that say what they are told."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import av
import pytest

from faults import Fault, InputFault
from pitwatch.chain import verify
from pitwatch.folder import events_of, findings_of, run_of
from pitwatch.review import Order, Outcome, run_review
from pitwatch.stages import Stages
from pitwatch.timeline import copies
from rules.event import Event
from tests.pitwatch.fakes import TABLE, ScriptedEyes, event, finding, stages, write_lines, write_table, write_video
from vision.frame import Frame

BURN = [
    event(1, "card.draw", 300_000, source="shoe"),
    event(2, "card.burn", 500_000, zone="discard", face="up", rank="K", index=0),
    event(3, "card.burn", 1_500_000, zone="discard", face="down", index=1),
]
FINDINGS = [
    finding("PA-629a.5(f)-count", "violation", 500_000, events=["midi-3-000003"]),
    finding("PA-629a.5(f)-value", "indeterminate", 500_000, events=["midi-3-000003"]),
    finding("PA-629a.5(f)-expose", "compliant", 300_000, events=["midi-3-000002"]),
]


def reviewed(
    tmp_path: Path, *sources: Path, events: list[Event] | None = None, findings: list[Any] | None = None, **more: Any
) -> Outcome:
    order = Order(tuple(map(str, sources)), write_table(tmp_path), tmp_path / "out", **more)
    return run_review(order, stages(BURN if events is None else events, FINDINGS if findings is None else findings))


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


def test_what_was_read_of_a_truncated_file_is_reviewed_and_reported(tmp_path: Path) -> None:
    whole = write_video(tmp_path / "whole.mkv", 20.0)
    cut = tmp_path / "cut.mkv"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size * 6 // 10])
    outcome = reviewed(tmp_path, cut)
    assert outcome.exit_code == 3
    assert "file ended at" in outcome.incomplete[0]
    assert len(findings_of(tmp_path / "out")) == 3
    assert "Not everything could be read." in (tmp_path / "out" / "report.html").read_text()


def test_a_batch_goes_on_without_the_file_that_is_missing(tmp_path: Path) -> None:
    outcome = reviewed(tmp_path, write_video(tmp_path / "a.mp4"), tmp_path / "missing.mp4")
    assert outcome.exit_code == 3
    assert "missing.mp4: no such file" in outcome.incomplete[0]
    assert len(findings_of(tmp_path / "out")) == 3


@pytest.mark.parametrize("content", [None, b"", b"this is no video at all" * 50])
def test_without_any_readable_file_nothing_is_made(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "a.mp4"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputFault) as caught:
        reviewed(tmp_path, path)
    assert str(path) in str(caught.value)
    assert caught.value.exit_code == 3
    assert not (tmp_path / "out").exists()


def test_a_table_made_for_another_shape_of_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Fault, match="320") as caught:
        reviewed(tmp_path, write_video(tmp_path / "a.mp4", size=(320, 180)))
    assert caught.value.exit_code == 2


def test_files_with_clocks_form_one_timeline(tmp_path: Path) -> None:
    """Three files with a gap of forty seconds and an overlap of one."""
    sources = [
        write_video(tmp_path / "c.mp4", 3.0, started_at="2026-11-30T10:00:45Z"),
        write_video(tmp_path / "a.mp4", 3.0, started_at="2026-11-30T10:00:00Z"),
        write_video(tmp_path / "b.mp4", 3.0, started_at="2026-11-30T10:00:02Z"),
    ]
    reviewed(tmp_path, *sources)
    run = run_of(tmp_path / "out")
    assert run is not None
    assert [Path(part["path"]).name for part in run["inputs"]] == ["a.mp4", "b.mp4", "c.mp4"]
    assert [part["offset_us"] for part in run["inputs"]] == [0, 2_000_000, 45_000_000]
    assert run["coverage"]["overlap_frames"] == 10
    (gap,) = run["coverage"]["gaps"]
    assert (gap["from_us"], gap["to_us"]) == (4_900_000, 45_000_000)
    assert run["started_at"] == "2026-11-30T10:00:00+00:00"
    assert run["started_at_from"] == "the recording"


def test_clocks_that_no_shift_spans_are_not_believed(tmp_path: Path) -> None:
    first = write_video(tmp_path / "a.mp4", 2.0, started_at="2026-11-30T10:00:00Z")
    second = write_video(tmp_path / "b.mp4", 2.0, started_at="1980-01-01T00:00:00Z")
    reviewed(tmp_path, first, second)
    run = run_of(tmp_path / "out")
    assert run is not None
    assert [Path(part["path"]).name for part in run["inputs"]] == ["a.mp4", "b.mp4"]
    assert run["started_at"] == "2026-11-30T10:00:00+00:00"
    assert run["coverage"]["length_us"] < 10_000_000


def test_files_without_clocks_have_a_gap_between_them(tmp_path: Path) -> None:
    reviewed(tmp_path, write_video(tmp_path / "a.mp4", 2.0), write_video(tmp_path / "b.mp4", 2.0))
    run = run_of(tmp_path / "out")
    assert run is not None
    (gap,) = run["coverage"]["gaps"]
    assert gap["cause"] == "between files"
    assert gap["to_us"] - gap["from_us"] == 1_000_000


def test_the_option_outranks_the_recording(tmp_path: Path) -> None:
    from pitwatch.commands.review import moment  # noqa: PLC0415 - the only test that needs the command's own type

    source = write_video(tmp_path / "a.mp4", started_at="2026-11-30T10:00:00Z")
    reviewed(tmp_path, source, started_at=moment("2026-11-30T09:00:00-05:00"))
    run = run_of(tmp_path / "out")
    assert run is not None
    assert run["started_at"] == "2026-11-30T09:00:00-05:00"
    assert run["started_at_from"] == "the option --started-at"


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


def test_a_picture_that_changes_its_size_ends_its_file_and_loses_nothing_before(tmp_path: Path) -> None:
    parts = [
        write_video(tmp_path / "a.ts", 2.0, size=(320, 240)),
        write_video(tmp_path / "b.ts", 2.0, size=(160, 120), from_s=2.0),
    ]
    whole = tmp_path / "whole.ts"
    whole.write_bytes(b"".join(part.read_bytes() for part in parts))
    done = reviewed(tmp_path, whole)
    assert done.exit_code == 3
    assert "the picture changes to 160 x 120 pixels at 2.0 s" in done.incomplete[0]
    assert len(findings_of(tmp_path / "out")) == 3
    assert verify(tmp_path / "out").broken is None


def test_two_recordings_in_one_file_are_told(tmp_path: Path) -> None:
    part = write_video(tmp_path / "a.ts", 2.0)
    whole = tmp_path / "whole.ts"
    whole.write_bytes(part.read_bytes() * 2)
    done = reviewed(tmp_path, whole)
    assert done.exit_code == 3
    assert "its clock jumps back at 1.9 s" in done.incomplete[0]


def test_the_same_recording_twice_is_refused(tmp_path: Path) -> None:
    source = write_video(tmp_path / "a.mp4")
    (tmp_path / "other").mkdir()
    with pytest.raises(Fault, match="the same recording twice"):
        reviewed(tmp_path, source, tmp_path / "other" / ".." / "a.mp4")
    assert not (tmp_path / "out").exists()


def test_a_copy_is_known_by_its_bytes(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("a.mp4", "b.mp4", "c.mp4")]
    for path, data in zip(paths, (b"12", b"12", b"13"), strict=True):
        path.write_bytes(data)
    (told,) = copies(paths)
    assert "b.mp4 holds the same bytes" in told


def test_damaged_pictures_are_told(tmp_path: Path) -> None:
    source = write_video(tmp_path / "a.ts", 3.0)
    data = bytearray(source.read_bytes())
    third = len(data) // 3
    data[third : third + 3000] = bytes(range(250)) * 12
    source.write_bytes(data)
    done = reviewed(tmp_path, source)
    assert "damaged and left out" in done.damaged[0]


def test_signals_after_the_end_are_told(tmp_path: Path) -> None:
    lines = [{"t_us": t, "name": "preshuffled", "value": True} for t in (0, 10**9)]
    reviewed(tmp_path, write_video(tmp_path / "a.mp4"), signals=write_lines(tmp_path / "s.jsonl", lines))
    run = run_of(tmp_path / "out")
    assert run is not None
    assert run["signals"]["after_the_end"] == 1


def test_a_name_that_is_no_utf8_is_a_name_all_the_same(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/Tisch-f\xfcnf.mp4"))
    write_video(tmp_path / "a.mp4").rename(path)
    reviewed(tmp_path, path)
    check = verify(tmp_path / "out")
    assert (check.broken, check.absent_inputs) == (None, ())
    run = run_of(tmp_path / "out")
    assert run is not None
    assert run["inputs"][0]["path"] == str(path)
