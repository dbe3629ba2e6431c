"""Reviews of one recording or several: their clocks, their ends, and what can be wrong with them."""

from __future__ import annotations

import os
from pathlib import Path

import av
import numpy as np
import pytest

from faults import Fault, InputFault
from pitwatch.chain import verify
from pitwatch.folder import findings_of, run_of
from pitwatch.timeline import copies
from tests.films import even, write_film
from tests.pitwatch.fakes import write_video
from tests.pitwatch.reviews import reviewed


def test_a_recording_whose_picture_changes_its_size_is_reviewed_up_to_there(tmp_path: Path) -> None:
    parts = [
        write_film(tmp_path / "a.ts", even(100), size=(320, 240)),
        write_film(tmp_path / "b.ts", [4000 + t_ms for t_ms in even(50)], size=(640, 480)),
    ]
    both = tmp_path / "both.ts"
    both.write_bytes(b"".join(part.read_bytes() for part in parts))
    outcome = reviewed(tmp_path, both)
    assert outcome.exit_code == 3
    told = "the picture changes to 640 x 480 pixels at 4.0 s; from there on nothing was reviewed"
    assert outcome.incomplete == [f"{both}: {told}"]
    assert len(findings_of(tmp_path / "out")) == 3
    assert verify(tmp_path / "out").broken is None


def test_damage_in_the_middle_is_a_gap_and_the_report_tells_it(tmp_path: Path) -> None:
    path = write_film(tmp_path / "a.ts", even(300), size=(320, 240), gop=50)
    data = bytearray(path.read_bytes())
    for at in range(len(data) // 2, len(data) * 6 // 10, 41):
        data[at] ^= 0x55
    path.write_bytes(data)
    reviewed(tmp_path, path)
    run = run_of(tmp_path / "out")
    assert run is not None
    (gap,) = run["coverage"]["gaps"]
    assert gap["cause"] == "frames missing"
    assert gap["from_us"] < 6_200_000
    assert gap["to_us"] % 2_000_000 == 0  # a key picture
    assert run["inputs"][0]["frames_lost"] > 0
    assert "frames missing" in (tmp_path / "out" / "report.html").read_text()


def with_sound(silent: Path, path: Path) -> Path:
    """The recording with a second of silence beside its pictures."""
    with av.open(str(silent)) as old, av.open(str(path), "w") as new:
        pictures = new.add_stream_from_template(old.streams.video[0])
        sound = new.add_stream("aac", rate=48_000)
        for packet in old.demux(video=0):
            if packet.dts is not None:
                packet.stream = pictures
                new.mux(packet)
        samples = av.AudioFrame.from_ndarray(np.zeros((1, 48_000), np.float32), format="fltp", layout="mono")
        samples.sample_rate = 48_000
        new.mux([*sound.encode(samples), *sound.encode(None)])
    return path


def test_sound_is_neither_needed_nor_kept(tmp_path: Path) -> None:
    """Surveillance rooms may not record sound: a recording that holds some is reviewed, and its clips hold none."""
    source = with_sound(write_video(tmp_path / "silent.mp4"), tmp_path / "a.mp4")
    reviewed(tmp_path, source)
    clips = [f["clip"] for f in findings_of(tmp_path / "out") if f["clip"]]
    assert len(clips) == 2
    for name in clips:
        with av.open(str(tmp_path / "out" / name)) as clip:
            assert [stream.type for stream in clip.streams] == ["video"]


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


def test_a_name_that_is_no_utf8_is_a_name_all_the_same(tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/Tisch-f\xfcnf.mp4"))
    write_video(tmp_path / "a.mp4").rename(path)
    reviewed(tmp_path, path)
    check = verify(tmp_path / "out")
    assert (check.broken, check.absent_inputs) == (None, ())
    run = run_of(tmp_path / "out")
    assert run is not None
    assert run["inputs"][0]["path"] == str(path)
